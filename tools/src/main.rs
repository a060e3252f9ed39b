//! The `tools` binary: one subcommand for each tool.

mod release;

use arena::{matches, scaling, speed, suite, tune};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use testkit::{anchor, bad_engine, fuzz};
use trainer::{average, data, datagen, judge, net, positions, train};

/// Tamarack's tools: matches, tuning, training.
#[derive(Parser)]
#[command(version, about)]
struct CommandLine {
    #[command(subcommand)]
    tool: Tool,
}

/// A tool with its arguments.
#[derive(Subcommand)]
enum Tool {
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
    Suite(suite::SuiteArguments),
    /// Measure the gain by more threads.
    Scaling(scaling::ScalingArguments),
    /// Compare two versions' nodes a second.
    Speed(speed::SpeedArguments),
    /// Send an engine random commands, valid and broken, and judge its answers.
    Fuzz(fuzz::FuzzArguments),
    /// Write an HTML report about a results file.
    Report(matches::report::ReportArguments),
    /// Be an engine that misbehaves, for trying match runners.
    #[command(hide = true)]
    BadEngine(bad_engine::BadEngineArguments),
    /// Be a very weak engine of known habits, for measuring the lowest levels.
    #[command(hide = true)]
    Anchor(anchor::AnchorArguments),
    /// Play games for training.
    Datagen(Box<datagen::DatagenArguments>),
    /// Work on training data.
    Data(Box<data::DataArguments>),
    /// Train a network on records of positions.
    Train(Box<train::TrainArguments>),
    /// Make one network of several.
    Average(average::AverageArguments),
    /// Put a network in its place.
    Net(net::NetArguments),
    /// Tell networks apart by their distance from another engine's deep searches, or from the scores of records.
    Judge(judge::JudgeArguments),
    /// Choose positions of games for judging networks, and have a stronger engine search them.
    Positions(positions::PositionsArguments),
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
    match run(CommandLine::parse().tool) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(tool: Tool) -> anyhow::Result<()> {
    match tool {
        Tool::Match(arguments) => matches::run(&arguments),
        Tool::Gauntlet(arguments) => matches::gauntlet::run(&arguments),
        Tool::Soak(arguments) => matches::soak::run(&arguments),
        Tool::Ablate(arguments) => matches::ablate::run(&arguments),
        Tool::Tune(arguments) => tune::run(&arguments),
        Tool::Suite(arguments) => suite::run(&arguments),
        Tool::Scaling(arguments) => scaling::run(&arguments),
        Tool::Speed(arguments) => speed::run(&arguments),
        Tool::Fuzz(arguments) => fuzz::run(&arguments),
        Tool::Report(arguments) => matches::report::run(&arguments),
        Tool::BadEngine(arguments) => bad_engine::run(&arguments),
        Tool::Anchor(arguments) => anchor::run(&arguments),
        Tool::Datagen(arguments) => datagen::run(&arguments),
        Tool::Data(arguments) => data::run(&arguments),
        Tool::Train(arguments) => train::run(&arguments),
        Tool::Average(arguments) => average::run(&arguments),
        Tool::Net(arguments) => net::run(&arguments),
        Tool::Judge(arguments) => judge::run(&arguments),
        Tool::Positions(arguments) => positions::run(&arguments),
        Tool::Release(arguments) => release::run(&arguments),
    }
}

/// The repository; `None` in the packed crate, which has nothing beside it.
#[cfg(test)]
fn repository() -> Option<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join("tools").is_dir().then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The documents whose command lines must work.
    fn documents(root: &Path) -> Vec<PathBuf> {
        let mut documents: Vec<PathBuf> =
            ["README.md", "CONTRIBUTING.md", "tools/README.md", "tools/positions/README.md"]
                .map(|name| root.join(name))
                .into();
        let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
        documents
    }

    /// The command lines of `tools` in the code blocks of a document, without comments.
    fn command_lines(text: &str) -> Vec<String> {
        let joined = text.replace("\\\n", " ");
        let code = joined.lines().filter_map(|line| line.strip_prefix("    ").map(str::trim_start));
        let commands = code.filter_map(|line| {
            line.strip_prefix("tools ")
                .or_else(|| line.split_once("cargo run --release -p tools -- ").map(|parts| parts.1))
        });
        commands.map(|line| line.split(" #").next().unwrap_or(line).to_owned()).collect()
    }

    #[test]
    fn every_command_line_of_the_documents_is_understood() {
        let Some(root) = repository() else { return };
        let mut count = 0;
        for path in documents(&root) {
            for line in command_lines(&fs::read_to_string(&path).unwrap()) {
                // What the reader is to fill in.
                let line = line.replace(" GAMES", " 1000");
                let words = shlex::split(&line).expect("quotes are closed");
                let words = std::iter::once("tools".to_owned()).chain(words);
                if let Err(error) = CommandLine::try_parse_from(words) {
                    panic!("{}: tools {line}\n{error}", path.display());
                }
                count += 1;
            }
        }
        assert!(count >= 30, "{count} command lines found");
    }
}
