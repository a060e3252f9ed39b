//! The conditions under which a match ends before its last game.

use super::elo::EloDifference;
use super::results::Results;
use super::results_file::GameRecord;
use super::setup::MatchSetup;
use super::sprt::Decision;
use std::time::Instant;

/// Complete pairs below which `--precision` ends no match: an error estimated from fewer is itself too uncertain.
const MIN_PAIRS: u64 = 50;

/// The reason why a match ended before its last game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The SPRT has decided.
    Sprt(Decision),
    /// The 95% error is at most `precision`.
    Precision,
    /// This engine failed to start several times in a row.
    CannotStart(usize),
    /// A fault, and `stop_on_fault`.
    Fault,
    /// The time that was given is over.
    Time,
}

impl StopReason {
    /// The reason to end the match after its last game so far, `None` to go on. Before the first game of a continued
    /// match `last` is `None`: faults of the earlier run do not end it.
    pub fn after(setup: &MatchSetup, results: &Results, last: Option<&GameRecord>) -> Option<Self> {
        if let Some(engine) = results.unstartable().filter(|_| last.is_some()) {
            return Some(Self::CannotStart(engine));
        }
        if setup.stop_on_fault && last.is_some_and(|record| record.fault.is_some()) {
            return Some(Self::Fault);
        }
        if setup.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Self::Time);
        }
        let pentanomial = results.pentanomials.first()?;
        let error = EloDifference::of(pentanomial).elo.error();
        let is_precise = setup.precision.is_some_and(|precision| error <= precision);
        if is_precise && pentanomial.pair_count() >= MIN_PAIRS {
            return Some(Self::Precision);
        }
        Some(Self::Sprt(setup.sprt.as_ref()?.decide(pentanomial)?))
    }

    /// The reason as text.
    pub fn words(&self, names: &[String]) -> String {
        match self {
            Self::Sprt(Decision::Accepted) => "SPRT: accepted".to_owned(),
            Self::Sprt(Decision::Rejected) => "SPRT: rejected".to_owned(),
            Self::Precision => "stopped: the error is small enough".to_owned(),
            Self::CannotStart(engine) => format!("stopped: {} cannot be started", names[*engine]),
            Self::Fault => "stopped at the first fault".to_owned(),
            Self::Time => "stopped: the time is over".to_owned(),
        }
    }
}
