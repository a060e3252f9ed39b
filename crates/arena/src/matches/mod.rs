//! Matches of many games between UCI engines, and the statistics that judge them.
//!
//! Each file uses only files before it in this list:
//!
//! - [`pentanomial`]: counts of games and pairs; [`elo`]: Elo, normalised Elo, LOS; [`sprt`]; [`rating`]: ratings of
//!   several engines;
//! - [`session`]: versions, options and conditions for reports; [`results_file`]: the JSON lines that a match is continued
//!   from; [`results`]: the results so far;
//! - [`variation`]: options and rules that are drawn for each game; [`setup`]: engines, schedule, rules; [`stop`]: the
//!   conditions of an early end;
//! - `date`, [`progress`], [`summary`]: texts of dates, progress and results; [`report`]: the HTML page;
//! - [`worker`]: one thread's games; [`runner`]: all threads;
//! - [`build`]: engines from git revisions; [`options`], [`arguments`]: the command line;
//! - [`mod@play_match`]: a whole match; [`opponents`], [`gauntlet`]: against known opponents; [`ablate`]: the literature's
//!   experiments; [`soak`]: games under conditions that change, in search of faults; the job `match` itself.
//!
//! From outside they use [`crate::play`], [`crate::plot`] and the small tools, never [`crate::tune`].

pub mod ablate;
pub mod arguments;
pub mod build;
mod date;
pub mod elo;
pub mod gauntlet;
pub mod opponents;
pub mod options;
pub mod pentanomial;
pub mod play_match;
pub mod progress;
pub mod rating;
pub mod report;
pub mod results;
pub mod results_file;
pub mod runner;
pub mod session;
pub mod setup;
pub mod soak;
pub mod sprt;
pub mod stop;
pub mod summary;
pub mod variation;
pub mod worker;

pub use play_match::{MatchSummary, play_match};

use anyhow::Result;
use arguments::MatchArguments;

/// The job `match`.
///
/// # Errors
/// If an engine cannot be built or started, or a file cannot be read or written.
pub fn run(arguments: &MatchArguments) -> Result<()> {
    let setup = arguments.setup()?;
    let summary = play_match(&setup, &arguments.play)?;
    print!("{}", summary.text);
    Ok(())
}
