//! Matches of many games and what they show.

pub mod ablate;
pub mod arguments;
pub mod build;
pub mod contest;
pub mod elo;
pub mod gauntlet;
pub mod live;
pub mod opponents;
pub mod rating;
pub mod report;
pub mod results;
pub mod runner;
pub mod sprt;
pub mod standing;
pub mod table;
pub mod tally;

use anyhow::{Context, Result};
use arguments::{MatchArguments, PlayArguments};
use live::LiveLine;
use results::{Header, Record, Store};
use runner::{Setup, Stopped};
use standing::Standing;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::time::Instant;

/// The job `match`.
pub fn run(arguments: &MatchArguments) -> Result<()> {
    let setup = arguments.setup()?;
    let summary = play(&setup, &arguments.play)?;
    print!("{}", summary.text);
    Ok(())
}

/// A finished match.
#[derive(Debug)]
pub struct Summary {
    /// Results.
    pub standing: Standing,
    /// All games, in the order in which they ended.
    pub records: Vec<Record>,
    /// Why it ended early, if it did.
    pub stopped: Option<Stopped>,
    /// Everything to be told.
    pub text: String,
}

/// Plays a match, or what is missing of it, and writes what was asked for.
pub fn play(setup: &Setup, arguments: &PlayArguments) -> Result<Summary> {
    let identities = setup.inspect()?;
    for (engine, identity) in setup.engines.iter().zip(&identities) {
        eprintln!("{}: {identity}, {}", engine.name, engine.describe());
    }
    let header = Header {
        format: 1,
        names: setup.names(),
        engines: setup.engines.iter().map(|engine| engine.describe()).collect(),
        pairings: setup.pairings.clone(),
        settings: arguments.contest.settings(),
    };
    let (mut store, mut records): (_, Vec<Record>) =
        Store::open(arguments.contest.results.as_deref(), &header, "match")?;
    if !records.is_empty() {
        eprintln!("continuing after {} games", records.len());
    }
    let mut standing = Standing::new(&setup.pairings);
    for record in &records {
        standing.add(record);
    }
    let mut pgn = PgnFile::open(arguments, &records)?;
    let mut line = LiveLine::new(setup.game_count() as u64);
    let (start, cpu) = (Instant::now(), live::cpu_seconds());
    let before = records.clone();
    let stopped = runner::play_all(setup, &mut standing, &before, &mut store, &mut |record, standing| {
        if let Some(fault) = &record.fault {
            let name = &setup.engines[fault.engine].name;
            let (number, words) = (record.number, fault.kind.words());
            let log = setup.fault_log(number);
            line.say(&format!(
                "game {}: {name} loses by {words}: {} ({})",
                number + 1,
                fault.detail,
                log.display()
            ));
        }
        pgn.add(record)?;
        records.push(record.clone());
        line.show(standing.games(), live_text(setup, standing));
        Ok(())
    })?;
    line.finish();
    if let Some(path) = &arguments.report {
        report::write(path, &header, &records, setup.sprt.as_ref())?;
    }
    let played = records.len() - before.len();
    let mut text = summary_text(setup, &standing, stopped.as_ref());
    text.push_str(&time_text(setup, played, start, cpu));
    Ok(Summary { standing, records, stopped, text })
}

/// The games as PGN, if they are wanted.
struct PgnFile(Option<File>);

impl PgnFile {
    /// A match with a results file writes its earlier games again, so that none is missing and none is there twice. One
    /// without adds to the games that are there, which may be nowhere else.
    fn open(arguments: &PlayArguments, records: &[Record]) -> Result<Self> {
        let Some(path) = &arguments.pgn else { return Ok(Self(None)) };
        let mut options = OpenOptions::new();
        match arguments.contest.results {
            Some(_) => options.write(true).truncate(true),
            None => options.append(true),
        };
        let file = options.create(true).open(path);
        let mut file = Self(Some(file.with_context(|| format!("the PGN file {}", path.display()))?));
        records.iter().try_for_each(|record| file.add(record))?;
        Ok(file)
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        match &mut self.0 {
            Some(file) => file.write_all(record.pgn.as_bytes()).context("the PGN file"),
            None => Ok(()),
        }
    }
}

fn live_text(setup: &Setup, standing: &Standing) -> String {
    let faults = standing.fault_words(&setup.names());
    let text = match &standing.tallies[..] {
        [only] => live::short(only, setup),
        tallies => {
            let totals = rating::totals(setup.engines.len(), &setup.pairings, tallies);
            let words = setup.engines.iter().zip(totals);
            words
                .map(|(engine, (points, games))| format!("{} {points}/{games}", engine.name))
                .collect::<Vec<_>>()
                .join("  ")
        }
    };
    if faults.is_empty() { text } else { format!("{text}  faults: {faults}") }
}

fn summary_text(setup: &Setup, standing: &Standing, stopped: Option<&Stopped>) -> String {
    let mut text = String::new();
    let (names, count) = (setup.names(), setup.engines.len());
    if count > 2 {
        let ratings = rating::rate(count, &setup.pairings, &standing.tallies, &[]);
        let totals = rating::totals(count, &setup.pairings, &standing.tallies);
        text.push_str(&rating::table(&names, &totals, &ratings, &[]));
    }
    for (tally, pairing) in standing.tallies.iter().zip(&setup.pairings) {
        text.push_str(&live::long(tally, setup.sprt.as_ref(), &names, *pairing));
    }
    if let Some(stopped) = stopped {
        text.push_str(&format!("{}\n", live::stopped_words(stopped, &setup.names())));
    }
    text.push_str(&format!("{}\n", live::faults(standing, setup)));
    text
}

/// How long it took, and how much of the time the engines had.
pub(crate) fn time_text(setup: &Setup, games: usize, start: Instant, cpu: Option<(f64, f64)>) -> String {
    let wall = start.elapsed().as_secs_f64();
    let mut text = format!("{games} games in {wall:.1} s");
    if let (Some((own_before, engines_before)), Some((own, engines))) = (cpu, live::cpu_seconds()) {
        let share = |seconds: f64| 100.0 * seconds / (wall * setup.concurrency as f64).max(1e-9);
        let (engines, own) = (share(engines - engines_before), share(own - own_before));
        text.push_str(&format!(
            "; of the time of {} at once, engines {engines:.1}%, tool {own:.1}%",
            setup.concurrency
        ));
    }
    text.push('\n');
    text
}
