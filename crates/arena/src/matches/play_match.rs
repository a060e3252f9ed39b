//! A whole match: results file, games, PGN, report, summary.

use super::arguments::PlayArguments;
use super::progress::{CpuTime, ProgressLine};
use super::results::Results;
use super::results_file::{GameRecord, MatchHeader, ResultsFile};
use super::session::{EngineCard, Session};
use super::setup::MatchSetup;
use super::stop::StopReason;
use super::{report, results_file, runner, summary};
use crate::machine;
use anyhow::{Context, Result};
use std::fs::{File, OpenOptions};
use std::io::Write;

/// A finished match.
#[derive(Debug)]
pub struct MatchSummary {
    /// Results by pairing and faults.
    pub results: Results,
    /// All games, in the order in which they ended.
    pub records: Vec<GameRecord>,
    /// The reason of an early end.
    pub stopped: Option<StopReason>,
    /// The result, the statistics and the time taken, as text.
    pub text: String,
}

/// Plays a match, or the rest of one that was begun, and writes the files that the arguments name.
///
/// # Errors
/// If an engine cannot be started, or a file cannot be read or written, or belongs to another match.
pub fn play_match(setup: &MatchSetup, arguments: &PlayArguments) -> Result<MatchSummary> {
    let identities = setup.inspect()?;
    for (engine, identity) in setup.engines.iter().zip(&identities) {
        eprintln!("{}: {identity}, {}", engine.name, engine.describe());
    }
    let header = MatchHeader {
        format: 1,
        names: setup.names(),
        engines: setup.engines.iter().map(|engine| engine.describe()).collect(),
        pairings: setup.pairings.clone(),
        settings: arguments.options.settings() + if setup.variation.is_some() { ", soak" } else { "" },
        session: session(setup, arguments, &identities),
    };
    let path = arguments.options.results.as_deref();
    let (mut file, mut records): (_, Vec<GameRecord>) = ResultsFile::open(path, &header, "match")?;
    results_file::check(&header, &records).context("the results file")?;
    if !records.is_empty() {
        eprintln!("continuing after {} games", records.len());
    }
    let mut results = Results::new(&setup.pairings);
    for record in &records {
        results.add(record);
    }
    let mut pgn = PgnFile::open(arguments, &records)?;
    let mut line = ProgressLine::new((!setup.is_endless()).then_some(setup.game_count() as u64));
    let start = CpuTime::now();
    let before = records.clone();
    let stopped = runner::play_all(setup, &mut results, &before, &mut file, &mut |record, results| {
        say_fault(&line, setup, record);
        pgn.add(record)?;
        records.push(record.clone());
        line.show(results.games(), summary::progress(setup, results));
        Ok(())
    })?;
    line.finish();
    if let Some(path) = &arguments.report {
        report::write(path, &header, &records, setup.sprt.as_ref())?;
    }
    let mut text = summary::match_text(setup, &results, stopped.as_ref());
    text.push_str(&start.text_since(records.len() - before.len(), setup.concurrency));
    Ok(MatchSummary { results, records, stopped, text })
}

/// The circumstances of the match, for reports.
fn session(setup: &MatchSetup, arguments: &PlayArguments, identities: &[String]) -> Session {
    let cards =
        setup.engines.iter().zip(identities).map(|(engine, identity)| EngineCard::new(engine, identity));
    let conditions = arguments.options.conditions();
    Session { engines: cards.collect(), machine: machine::describe(), conditions }
}

fn say_fault(line: &ProgressLine, setup: &MatchSetup, record: &GameRecord) {
    let Some(fault) = &record.fault else { return };
    let (name, number) = (&setup.engines[fault.engine].name, record.number);
    let (words, log) = (fault.kind.words(), setup.fault_log(number));
    line.say(&format!("game {}: {name} loses by {words}: {} ({})", number + 1, fault.detail, log.display()));
}

/// The PGN file of a match, `None` if the user wants none.
struct PgnFile(Option<File>);

impl PgnFile {
    /// A match with a results file writes its earlier games again, so that none is missing and none is there twice. One
    /// without adds to the games that are there, which may be nowhere else.
    fn open(arguments: &PlayArguments, records: &[GameRecord]) -> Result<Self> {
        let Some(path) = &arguments.pgn else { return Ok(Self(None)) };
        let mut options = OpenOptions::new();
        match arguments.options.results {
            Some(_) => options.write(true).truncate(true),
            None => options.append(true),
        };
        let file = options.create(true).open(path);
        let mut file = Self(Some(file.with_context(|| format!("the PGN file {}", path.display()))?));
        records.iter().try_for_each(|record| file.add(record))?;
        Ok(file)
    }

    fn add(&mut self, record: &GameRecord) -> Result<()> {
        match &mut self.0 {
            Some(file) => file.write_all(record.pgn.as_bytes()).context("the PGN file"),
            None => Ok(()),
        }
    }
}
