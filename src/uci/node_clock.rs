//! The clock of `nodestime`: games whose time is counted in nodes, so that a game on the clock can be repeated move by move.

use crate::search::{Limits, nodestime_elapsed};
use chess::Color;
use std::time::Duration;

/// Our clock of the game. The GUI's clock is read at the first move alone, as in Stockfish: later the GUI tells the real time
/// that has passed, which means nothing here. Where the moves to the next time control become more, one has been reached, and
/// the time of the first is added.
#[derive(Default)]
pub struct NodeClock {
    nodes_per_ms: u64,
    left: Option<Duration>,
    /// The time of each time control, as the first move told it.
    control: Duration,
    /// The moves to the next time control at the last move on the clock.
    moves_to_go: Option<u32>,
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
            && let Some(gui_time) = limits.time_left(side)
        {
            if self.left.is_none() {
                self.control = gui_time;
            }
            let left = self.left.get_or_insert(gui_time);
            if self.moves_to_go.is_some() && limits.moves_to_go > self.moves_to_go {
                *left += self.control;
            }
            self.moves_to_go = limits.moves_to_go;
            limits.time[side.index()] = Some(*left);
            self.increment = Some(limits.increment[side.index()]);
        }
    }

    /// The search is over after `nodes`, and its move is played.
    pub fn end(&mut self, nodes: u64) {
        if let (Some(left), Some(increment)) = (&mut self.left, self.increment.take()) {
            *left = left.saturating_sub(nodestime_elapsed(nodes, self.nodes_per_ms)) + increment;
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

    #[test]
    fn each_time_control_brings_its_time() {
        let ms = Duration::from_millis;
        let mut clock = NodeClock::default();
        let mut told = |moves_to_go| {
            let mut limits =
                Limits { time: [Some(ms(1000)); 2], moves_to_go: Some(moves_to_go), ..Limits::default() };
            clock.begin(&mut limits, Color::White, 1);
            clock.end(400);
            limits.time[0]
        };
        assert_eq!([2, 1, 2, 1].map(&mut told), [1000, 600, 1200, 800].map(|left| Some(ms(left))));
    }
}
