//! The job `soak`: games on the clock under conditions that change from game to game, to see that nothing ever goes wrong.

use super::arguments::PlayArguments;
use super::options::{GameOptions, game_count};
use super::play_match::{MatchSummary, play_match};
use super::setup::{ENDLESS, MatchSetup};
use super::variation::Variation;
use crate::play::player::OptionInfo;
use crate::play::spec::{EngineSpec, is_same_option};
use anyhow::{Context, Result, ensure};
use clap::{ArgGroup, Args};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The clock unless another limit is given.
const CONTROL: &str = "0.5+0.005";

/// Arguments of `soak`.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("length").required(true).multiple(true).args(["hours", "games"]))]
pub struct SoakArguments {
    /// An engine as in match; two play each other, one plays itself, without any the tamarack beside this program does
    #[arg(long = "engine", value_name = "SETTINGS")]
    pub engines: Vec<String>,
    /// Begin no game after this many hours
    #[arg(long)]
    pub hours: Option<f64>,
    /// Games in all, those of a run that is continued included (rounded up to whole pairs)
    #[arg(long, value_parser = game_count())]
    pub games: Option<usize>,
    /// Limits (0.5+0.005 unless given), openings, adjudication; lines are always checked. `--results` is soak.jsonl unless given
    #[command(flatten)]
    pub options: GameOptions,
    /// Write the games here
    #[arg(long)]
    pub pgn: Option<PathBuf>,
}

/// The job `soak`.
///
/// # Errors
/// If an engine cannot be started, a file cannot be read or written, or there was a fault.
pub fn run(arguments: &SoakArguments) -> Result<()> {
    let summary = soak(arguments)?;
    print!("{}", summary.text);
    let faults: u64 = summary.results.faults.values().sum();
    ensure!(faults == 0, "{faults} of {} games ended with a fault", summary.results.games());
    Ok(())
}

/// Plays a soak, or the rest of one that was begun.
///
/// # Errors
/// As in [`play_match`].
pub fn soak(arguments: &SoakArguments) -> Result<MatchSummary> {
    let options = options(arguments);
    let setup = setup(arguments, &options)?;
    let play = PlayArguments {
        games: setup.game_count(),
        precision: None,
        options,
        event: setup.event.clone(),
        pgn: arguments.pgn.clone(),
        report: None,
    };
    play_match(&setup, &play)
}

/// The options of the games, with the defaults of a soak.
fn options(arguments: &SoakArguments) -> GameOptions {
    let mut options = arguments.options.clone();
    if [&options.tc, &options.nodes, &options.depth, &options.movetime].iter().all(|limit| limit.is_none()) {
        options.tc = Some(CONTROL.to_owned());
    }
    options.check_lines = true;
    options.results.get_or_insert_with(|| "soak.jsonl".into());
    options
}

fn setup(arguments: &SoakArguments, options: &GameOptions) -> Result<MatchSetup> {
    let each = options.each()?;
    let spec = |text: &String| EngineSpec::parse(text, &each);
    let mut engines = arguments.engines.iter().map(spec).collect::<Result<Vec<_>>>()?;
    ensure!(engines.len() <= 2, "a soak is between two engines");
    if engines.is_empty() {
        let beside = std::env::current_exe().context("the path of this program")?;
        let command = beside.with_file_name(format!("tamarack{}", std::env::consts::EXE_SUFFIX));
        ensure!(command.is_file(), "{} is missing: build it or give --engine", command.display());
        engines.push(EngineSpec { name: "tamarack".to_owned(), command, ..each.clone() });
    }
    if engines.len() == 1 {
        engines.push(engines[0].clone());
    }
    let setup =
        options.setup(engines, vec![(0, 1)], arguments.games.map_or(ENDLESS, |games| games.div_ceil(2)))?;
    let offered = setup.engines.iter().map(|engine| offered(&setup, engine)).collect::<Result<_>>()?;
    let time = arguments.hours.map(|hours| Duration::try_from_secs_f64(3600.0 * hours)).transpose()?;
    Ok(MatchSetup {
        variation: Some(Variation { seed: options.seed, offered }),
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        event: "Tamarack soak".to_owned(),
        ..setup
    })
}

/// The options that an engine offers, without those that the user has set.
fn offered(setup: &MatchSetup, engine: &EngineSpec) -> Result<Vec<OptionInfo>> {
    let player = setup.start(engine)?;
    let is_set =
        |option: &OptionInfo| engine.options.iter().any(|(name, _)| is_same_option(name, &option.name));
    let offered = player.options().iter().filter(|option| !is_set(option)).cloned().collect();
    player.quit();
    Ok(offered)
}
