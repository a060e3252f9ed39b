//! Tuning the engine's numbers by games: simultaneous perturbation stochastic approximation.
//!
//! Each file uses only files before it in this list: [`mod@parameters`] (names, ranges, steps) · [`spsa`] (the arithmetic) ·
//! [`state`] (a run so far) · [`report`] (line, table, picture) · [`mod@run`] (the games on several threads) · the job
//! itself. They stand on [`crate::matches`].

pub mod parameters;
pub mod report;
pub mod run;
pub mod spsa;
pub mod state;

use crate::matches::options::GameOptions;
use crate::matches::progress::{CpuTime, ProgressLine};
use crate::matches::results_file::ResultsFile;
use crate::matches::setup::MatchSetup;
use crate::matches::{build, summary};
use crate::play::player::Player;
use crate::play::spec::{EngineSpec, is_same_option};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use parameters::Parameter;
use run::TuneStopReason;
use serde::{Deserialize, Serialize};
use spsa::SpsaSchedule;
use state::{Iteration, PLUS, TuneState};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `tune`.
#[derive(Args, Clone, Debug)]
pub struct TuneArguments {
    /// An engine built with the feature tune: cmd=path,args=..,dir=..,option.Hash=16,nodes=..
    #[arg(long, value_name = "SETTINGS", required_unless_present = "revision")]
    pub engine: Option<String>,
    /// Or the git revision to build with it (`work` is the working tree with its changes)
    #[arg(long, value_name = "REVISION", conflicts_with = "engine")]
    pub revision: Option<String>,
    /// The parameters, a line each: `name, int, value, min, max, c_end, r_end`; else the engine is asked (`tunables`)
    #[arg(long, value_name = "FILE")]
    pub parameters: Option<PathBuf>,
    /// Only these; a name may end with *
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub only: Vec<String>,
    /// Iterations of the whole run
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub iterations: u64,
    /// Pairs of games of each iteration
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub pairs: u64,
    /// Draw the way of the parameters here
    #[arg(long, value_name = "SVG")]
    pub plot: Option<PathBuf>,
    /// Limits, openings, adjudication and faults.
    #[command(flatten)]
    pub options: GameOptions,
}

/// The first line of a run's file; a run is continued only if it is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TuneHeader {
    /// Version of this format.
    pub format: u32,
    /// The engine, its options and limits.
    pub engine: String,
    /// The lines of the parameters: start, range and gains.
    pub parameters: Vec<String>,
    /// Iterations of the whole run.
    pub iterations: u64,
    /// Pairs of games of each.
    pub pairs: u64,
    /// Book, seed, rules.
    pub settings: String,
}

/// A run that has ended.
#[derive(Debug)]
pub struct TuneSummary {
    /// The parameters and results.
    pub state: TuneState,
    /// The reason of an early end.
    pub stopped: Option<TuneStopReason>,
    /// Table, lines, faults and the time taken, as text.
    pub text: String,
}

/// The job `tune`.
pub fn run(arguments: &TuneArguments) -> Result<()> {
    let stop = interruption()?;
    let summary = tune(arguments, &stop)?;
    print!("{}", summary.text);
    let state = &summary.state;
    match summary.stopped {
        None => Ok(()),
        Some(TuneStopReason::Faults(words)) => bail!(words),
        Some(TuneStopReason::Interrupted) => {
            let goes_on = match arguments.options.results {
                Some(_) => "; the same command goes on",
                None => "",
            };
            bail!("interrupted after {} of {} iterations{goes_on}", state.finished, state.iterations())
        }
    }
}

/// A flag that becomes true with Ctrl-C, or when the system asks the process to end; asked again after a second, it ends.
fn interruption() -> Result<Arc<AtomicBool>> {
    // Some send the signal twice at once, such as timeout(1).
    const GRACE: Duration = Duration::from_secs(1);
    let stop = Arc::new(AtomicBool::new(false));
    let (seen, mut first) = (stop.clone(), None::<Instant>);
    ctrlc::set_handler(move || match first {
        Some(first) if first.elapsed() >= GRACE => std::process::exit(130),
        Some(_) => {}
        None => {
            first = Some(Instant::now());
            seen.store(true, Ordering::Relaxed);
            eprintln!("\nending with the games that are being played; once more to end at once");
        }
    })?;
    Ok(stop)
}

/// Plays a run, or what is missing of it, until it is complete or `stop` is set.
pub fn tune(arguments: &TuneArguments, stop: &AtomicBool) -> Result<TuneSummary> {
    let setup = setup(arguments)?;
    let parameters = parameters(arguments, &setup)?;
    let header = header(arguments, &setup, &parameters);
    let results = arguments.options.results.as_deref();
    let (mut store, before): (_, Vec<Iteration>) = ResultsFile::open(results, &header, "tuning run")?;
    let schedule = SpsaSchedule { iterations: arguments.iterations };
    let mut state = TuneState::new(parameters, schedule, arguments.options.seed);
    let done = replay(&mut state, &before).context("the results file")?;
    if !before.is_empty() {
        eprintln!("continuing after {} iterations", before.len());
    }
    draw(arguments, &state)?;
    let games = state.results.games();
    let start = CpuTime::now();
    let mut line = ProgressLine::new(Some(state.iterations()));
    let pairs = arguments.pairs as usize;
    let mut watch = |iteration: &Iteration, state: &TuneState| {
        say_faults(&line, iteration, &setup);
        line.show(state.finished, report::short(state, &setup));
    };
    let stopped = run::play_all(&setup, pairs, &mut state, (&done, &mut store), stop, &mut watch)?;
    line.finish();
    draw(arguments, &state)?;
    let played = (state.results.games() - games) as usize;
    let text = summary_text(&state, &setup) + &start.text_since(played, setup.concurrency);
    Ok(TuneSummary { state, stopped, text })
}

/// The engine twice; the parameters that tell the two apart are set before each game.
fn setup(arguments: &TuneArguments) -> Result<MatchSetup> {
    let each = arguments.options.each()?;
    let (given, revision) = (arguments.engine.as_deref(), arguments.revision.as_deref());
    let engine = build::given_or_built(given, revision, ("tune", "tune"), &each)?;
    let side = |name: &str| EngineSpec { name: name.to_owned(), ..engine.clone() };
    let rounds = (arguments.iterations * arguments.pairs) as usize;
    let setup = arguments.options.setup(vec![side("plus"), side("minus")], vec![(0, 1)], rounds)?;
    Ok(MatchSetup { event: "Tuning".to_owned(), ..setup })
}

/// The parameters to tune, checked against the engine's options.
fn parameters(arguments: &TuneArguments, setup: &MatchSetup) -> Result<Vec<Parameter>> {
    let engine = &setup.engines[PLUS];
    let mut player = setup.start(engine)?;
    eprintln!("{}, {}", player.identity(), engine.describe());
    let all = match &arguments.parameters {
        Some(path) => {
            let context = || format!("the parameters {}", path.display());
            let text = std::fs::read_to_string(path).with_context(context)?;
            parameters::parse(text.lines()).with_context(context)?
        }
        None => ask(&mut player)?,
    };
    ensure!(
        !all.is_empty(),
        "the engine names no tunables: build it with the feature tune, or give --parameters"
    );
    let parameters = parameters::pick(all, &arguments.only)?;
    parameters::check(&parameters, player.options())?;
    player.quit();
    for (name, _) in &engine.options {
        let tuned = parameters.iter().any(|parameter| is_same_option(&parameter.name, name));
        ensure!(!tuned, "option {name} is set and tuned; one of the two");
    }
    Ok(parameters)
}

fn ask(player: &mut Player) -> Result<Vec<Parameter>> {
    let lines = player.query("tunables").map_err(|failure| anyhow!("the engine: {}", failure.detail))?;
    let lines = lines.iter().map(String::as_str).filter(|line| line.contains(','));
    parameters::parse(lines).context("the engine's tunables")
}

fn header(arguments: &TuneArguments, setup: &MatchSetup, parameters: &[Parameter]) -> TuneHeader {
    TuneHeader {
        format: 1,
        engine: setup.engines[PLUS].describe(),
        parameters: parameters.iter().map(|parameter| parameter.line(parameter.start)).collect(),
        iterations: arguments.iterations,
        pairs: arguments.pairs,
        settings: arguments.options.settings(),
    }
}

/// Applies the iterations that were played before; returns their numbers.
fn replay(state: &mut TuneState, iterations: &[Iteration]) -> Result<HashSet<u64>> {
    let mut done = HashSet::new();
    for iteration in iterations {
        ensure!(done.insert(iteration.k), "iteration {} is there twice", iteration.k);
        state.add(iteration)?;
    }
    // What ended an earlier run need not end this one.
    state.faults_in_a_row = 0;
    Ok(done)
}

fn draw(arguments: &TuneArguments, state: &TuneState) -> Result<()> {
    arguments.plot.as_deref().map_or(Ok(()), |path| report::draw(path, state))
}

fn say_faults(line: &ProgressLine, iteration: &Iteration, setup: &MatchSetup) {
    for pair in &iteration.faults {
        let (name, log) = (&setup.engines[pair.fault.engine].name, setup.fault_log(pair.game));
        let (words, detail) = (pair.fault.kind.words(), &pair.fault.detail);
        line.say(&format!("iteration {}: {name}: {words}: {detail} ({})", iteration.k, log.display()));
    }
}

fn summary_text(state: &TuneState, setup: &MatchSetup) -> String {
    let (done, all) = (state.finished, state.iterations());
    let games = state.results.games();
    let faults = summary::faults(&state.results, setup);
    format!(
        "{}\n{}\n{done} of {all} iterations, {games} games\n{faults}\n",
        report::table(state),
        report::lines(state)
    )
}
