//! The `tools` binary: one subcommand per job of the laboratory.

use clap::{Parser, Subcommand};
use tools::matches;

/// Tamarack's laboratory.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    job: Job,
}

/// What to do.
#[derive(Subcommand)]
enum Job {
    /// Play UCI engines against each other and judge the result.
    Match(Box<matches::arguments::MatchArguments>),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().job {
        Job::Match(arguments) => matches::run(&arguments),
    }
}
