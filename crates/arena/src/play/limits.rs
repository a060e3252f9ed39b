//! Limits of an engine's thinking: clocks, nodes, depth, fixed time.

use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write;
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

/// The longest time that a command line can give: eleven days.
pub const MAX_MILLISECONDS: u64 = 1_000_000_000;

/// A clock: `[moves/]time[+increment]` in seconds, the time also as `minutes:seconds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves until the base time is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// Time at the start, and again after every `moves`.
    pub base: Duration,
    /// Added after every move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 =
                    moves.parse().with_context(|| format!("{moves:?} is not a number of moves"))?;
                ensure!(moves > 0, "a control of 0 moves makes no sense");
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => 60.0 * number(minutes)? + number(seconds)?,
            None => number(base)?,
        };
        let control = Self { moves, base: seconds(base), increment: seconds(number(increment)?) };
        ensure!(control.base + control.increment > Duration::ZERO, "{text:?} gives no time at all");
        Ok(control)
    }
}

impl std::fmt::Display for TimeControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Reads a number of seconds from a command line.
pub fn parse_seconds(text: &str) -> Result<Duration> {
    Ok(seconds(number(text)?))
}

fn number(text: &str) -> Result<f64> {
    let value: f64 = text.trim().parse().with_context(|| format!("{text:?} is not a number of seconds"))?;
    ensure!((0.0..=MAX_MILLISECONDS as f64 / 1e3).contains(&value), "{text:?} seconds is out of range");
    Ok(value)
}

fn seconds(value: f64) -> Duration {
    Duration::from_micros((value * 1e6).round() as u64)
}

/// The limits of one engine's thinking; several may hold at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineLimits {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
    /// Fixed time for each move.
    pub movetime: Option<Duration>,
}

impl EngineLimits {
    /// True if nothing bounds the engine.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes `tc`, `nodes`, `depth` or `movetime` (milliseconds) from text; false if the key is another.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        match key {
            "tc" if value == "inf" => self.clock = None,
            "tc" => self.clock = Some(value.parse().with_context(|| format!("tc={value}"))?),
            "nodes" => self.nodes = Some(positive(key, value)?),
            "depth" => self.depth = Some(positive(key, value)?),
            "movetime" => self.movetime = Some(Duration::from_millis(milliseconds(key, value)?)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The limits in a few words, as in a PGN header.
    pub fn describe(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.clock.map(|clock| clock.to_string()));
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.movetime.map(|time| format!("movetime={}", time.as_millis())));
        words.join(" ")
    }
}

/// A number from 1 to what its type holds.
fn positive<T: FromStr<Err = ParseIntError> + Default + PartialEq>(key: &str, value: &str) -> Result<T> {
    match value.parse::<T>() {
        Ok(number) if number == T::default() => bail!("{key}=0 makes no sense"),
        Ok(number) => Ok(number),
        Err(error) => bail!("{key}={value}: {error}"),
    }
}

fn milliseconds(key: &str, value: &str) -> Result<u64> {
    let milliseconds = positive(key, value)?;
    ensure!(milliseconds <= MAX_MILLISECONDS, "{key}={value}: more than {MAX_MILLISECONDS} milliseconds");
    Ok(milliseconds)
}

/// One side's clock while a game runs.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: EngineLimits,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// A full clock.
    pub fn new(limits: &EngineLimits) -> Self {
        let (left, moves_to_go) = match limits.clock {
            // A base of nothing: the first move has the increment.
            Some(clock) if clock.base.is_zero() => (clock.increment, clock.moves),
            Some(clock) => (clock.base, clock.moves),
            None => (Duration::ZERO, None),
        };
        Self { limits: limits.clone(), left, moves_to_go }
    }

    /// The time that may be used for the next move, if it is bounded at all.
    pub fn allowed(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|_| self.left);
        match (clock, self.limits.movetime) {
            (Some(left), Some(fixed)) => Some(left.min(fixed)),
            (left, fixed) => left.or(fixed),
        }
    }

    /// True if the bound on time is a fixed time for each move.
    pub fn is_movetime(&self) -> bool {
        self.limits.movetime.is_some() && self.limits.clock.is_none()
    }

    /// Takes the time of a move off the clock, and adds the increment.
    pub fn spend(&mut self, used: Duration) {
        let Some(clock) = self.limits.clock else { return };
        self.left = self.left.saturating_sub(used) + clock.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = clock.moves.unwrap_or(1);
                self.left += clock.base;
            }
        }
    }

    /// Appends the `go` command: the white and black clocks as far as they have one, then our own limits.
    pub fn append_go(&self, white: &Self, black: &Self, out: &mut String) {
        out.push_str("go");
        self.append_limits(white, black, out);
    }

    /// Appends the `go ponder` command, with the clocks as they stand.
    pub fn append_go_ponder(&self, white: &Self, black: &Self, out: &mut String) {
        out.push_str("go ponder");
        self.append_limits(white, black, out);
    }

    fn append_limits(&self, white: &Self, black: &Self, out: &mut String) {
        for (clock, time, increment) in [(white, "wtime", "winc"), (black, "btime", "binc")] {
            let Some(control) = clock.limits.clock.filter(|_| self.limits.clock.is_some()) else { continue };
            let left = clock.left.as_millis().max(1);
            let _ = write!(out, " {time} {left} {increment} {}", control.increment.as_millis());
        }
        let mut word = |name: &str, value: Option<u64>| {
            if let Some(value) = value {
                let _ = write!(out, " {name} {value}");
            }
        };
        word("movestogo", self.moves_to_go.map(u64::from));
        word("nodes", self.limits.nodes);
        word("depth", self.limits.depth.map(u64::from));
        word("movetime", self.limits.movetime.map(|time| time.as_millis() as u64));
        if self.limits.is_empty() {
            out.push_str(" infinite");
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_does_not_fit_is_an_error_that_names_it() {
        for (key, value) in [
            ("depth", "4294967296"),
            ("depth", "-1"),
            ("nodes", "18446744073709551616"),
            ("movetime", "18446744073709551615"),
            ("movetime", "1000000001"),
            ("tc", "4294967296/10"),
            ("tc", "1e300"),
        ] {
            let error = format!("{:#}", EngineLimits::default().set(key, value).unwrap_err());
            assert!(error.contains(key), "{key}={value}: {error}");
        }
        let mut limits = EngineLimits::default();
        assert!(limits.set("depth", "4294967295").unwrap() && limits.depth == Some(u32::MAX));
    }
}
