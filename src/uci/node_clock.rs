//! The clock of `nodestime`: games whose time is counted in nodes, so that a game on the clock can be repeated move by move.

use crate::chess::Color;
use crate::search::{Limits, counted_time};
use std::time::Duration;

/// Our clock of the game. The GUI's clock is read at the first move alone, as in Stockfish: later the GUI tells the real time
/// that has passed, which means nothing here.
#[derive(Default)]
pub struct NodeClock {
    nodes_per_ms: u64,
    left: Option<Duration>,
    /// The increment of the search under way; `None` if it is not on the clock.
    increment: Option<Duration>,
}

impl NodeClock {
    /// A new game: its first move tells the time.
    pub fn reset(&mut self) {
        *self = NodeClock::default();
    }

    /// Puts the counted time into the limits of a search for `side`; no effect if `nodes_per_ms` is 0 or there is no clock.
    pub fn begin(&mut self, limits: &mut Limits, side: Color, nodes_per_ms: u64) {
        if nodes_per_ms != self.nodes_per_ms {
            *self = NodeClock { nodes_per_ms, ..NodeClock::default() };
        }
        self.increment = None;
        if nodes_per_ms > 0
            && let Some(told) = limits.time_left(side)
        {
            limits.time[side.index()] = Some(*self.left.get_or_insert(told));
            self.increment = Some(limits.increment[side.index()]);
        }
    }

    /// The search is over after `nodes`, and its move is played.
    pub fn end(&mut self, nodes: u64) {
        if let (Some(left), Some(increment)) = (&mut self.left, self.increment.take()) {
            *left = left.saturating_sub(counted_time(nodes, self.nodes_per_ms)) + increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_what_the_nodes_have_left() {
        let ms = Duration::from_millis;
        let mut clock = NodeClock::default();
        let told = |clock: &mut NodeClock, time: u64, rate: u64| {
            let mut limits =
                Limits { time: [Some(ms(time)); 2], increment: [ms(10); 2], ..Limits::default() };
            clock.begin(&mut limits, Color::Black, rate);
            limits.time[1]
        };
        assert_eq!(told(&mut clock, 1000, 0), Some(ms(1000)));
        assert_eq!(told(&mut clock, 900, 5), Some(ms(900)));
        clock.end(500);
        assert_eq!(told(&mut clock, 7, 5), Some(ms(810)), "900 - 500 / 5 + 10");
        clock.end(u64::MAX);
        assert_eq!(told(&mut clock, 7, 5), Some(ms(10)), "never less than nothing");
        clock.reset();
        assert_eq!(told(&mut clock, 7, 5), Some(ms(7)));
    }
}
