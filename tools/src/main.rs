//! The `tools` binary: one subcommand for each job.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use tools::play::bad_engine;
use tools::{data, datagen, magics, matches, release, train, tune};

/// Tamarack's tools: matches, tuning, training.
#[derive(Parser)]
#[command(version, about)]
struct CommandLine {
    #[command(subcommand)]
    job: Job,
}

/// A job with its arguments.
#[derive(Subcommand)]
enum Job {
    /// Play UCI engines against each other and judge the result.
    Match(Box<matches::arguments::MatchArguments>),
    /// Play one engine against a list of known opponents.
    Gauntlet(Box<matches::gauntlet::GauntletArguments>),
    /// Play games under options that change at random, and keep every fault.
    Soak(Box<matches::soak::SoakArguments>),
    /// Measure techniques of the search against the literature.
    Ablate(Box<matches::ablate::AblateArguments>),
    /// Tune the numbers of the search by games (SPSA).
    Tune(Box<tune::TuneArguments>),
    /// Let engines solve the positions of an EPD file.
    Suite(tools::suite::SuiteArguments),
    /// Measure the gain by more threads.
    Scaling(tools::scaling::ScalingArguments),
    /// Compare two versions' nodes a second.
    Speed(tools::speed::SpeedArguments),
    /// Send an engine random commands, valid and broken, and judge its answers.
    Fuzz(tools::fuzz::FuzzArguments),
    /// Write an HTML report about a results file.
    Report(matches::report::ReportArguments),
    /// Find multipliers for the engine's magic bitboards.
    Magics(magics::MagicsArguments),
    /// Be an engine that misbehaves, for trying match runners.
    #[command(hide = true)]
    BadEngine(bad_engine::BadEngineArguments),
    /// Play games for training.
    Datagen(Box<datagen::Arguments>),
    /// Work on training data.
    Data(Box<data::Arguments>),
    /// Train a network on records of positions.
    Train(Box<train::Arguments>),
    /// Make one network of several.
    Average(tools::average::AverageArguments),
    /// Put a network in its place.
    Net(tools::net::NetArguments),
    /// Tell networks apart by their distance from another engine's deep searches, or from the scores of records.
    Judge(tools::judge::JudgeArguments),
    /// Measure the worth of the labels of self-play games by a stronger engine's searches.
    Labels(Box<tools::labels::LabelsArguments>),
    /// Choose positions of games for judging networks, and have a stronger engine search them.
    Positions(tools::positions::PositionsArguments),
    /// Make the folder of a release: programs for each platform, licences, sums.
    Release(release::ReleaseArguments),
}

/// Ends the program with an error and no panic when nobody reads its output any more, as in `tools ... | head`.
fn exit_when_output_is_closed() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match panic.payload_as_str() {
        Some(message) if message.starts_with("failed printing to stdout") => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
        _ => report(panic),
    }));
}

fn main() -> ExitCode {
    exit_when_output_is_closed();
    match run(CommandLine::parse().job) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(job: Job) -> anyhow::Result<()> {
    match job {
        Job::Match(arguments) => matches::run(&arguments),
        Job::Gauntlet(arguments) => matches::gauntlet::run(&arguments),
        Job::Soak(arguments) => matches::soak::run(&arguments),
        Job::Ablate(arguments) => matches::ablate::run(&arguments),
        Job::Tune(arguments) => tune::run(&arguments),
        Job::Suite(arguments) => tools::suite::run(&arguments),
        Job::Scaling(arguments) => tools::scaling::run(&arguments),
        Job::Speed(arguments) => tools::speed::run(&arguments),
        Job::Fuzz(arguments) => tools::fuzz::run(&arguments),
        Job::Report(arguments) => matches::report::run(&arguments),
        Job::Magics(arguments) => magics::run(&arguments),
        Job::BadEngine(arguments) => bad_engine::run(&arguments),
        Job::Datagen(arguments) => datagen::run(&arguments),
        Job::Data(arguments) => data::run(&arguments),
        Job::Train(arguments) => train::run(&arguments),
        Job::Average(arguments) => tools::average::run(&arguments),
        Job::Net(arguments) => tools::net::run(&arguments),
        Job::Judge(arguments) => tools::judge::run(&arguments),
        Job::Labels(arguments) => tools::labels::run(&arguments),
        Job::Positions(arguments) => tools::positions::run(&arguments),
        Job::Release(arguments) => release::run(&arguments),
    }
}
