//! The ratio of two versions' nodes a second.
//!
//! Both search the same position at the same time, each on a core of its own, then again with the cores exchanged: what
//! the machine and its other guests do to one they do to the other, and no core is better for either. The ratio of a
//! position is the geometric mean of the two searches', the result that of all positions.

use crate::play::limits::parse_seconds;
use crate::play::log::SharedLog;
use crate::play::openings::{BOOK_PLIES, Openings};
use crate::play::player::{Patience, Player};
use crate::play::spec::EngineSpec;
use crate::statistics::median;
use crate::threads;
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Arguments of `speed`.
#[derive(Args, Clone, Debug)]
pub struct SpeedArguments {
    /// Positions: EPD or FEN, one a line, or the openings of a PGN
    pub file: PathBuf,
    /// The engines, two of them: name=A,cmd=path,option.Hash=64
    #[arg(long = "engine", required = true, value_name = "SETTINGS")]
    pub engines: Vec<String>,
    /// Settings for both engines
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    pub each: String,
    /// Seconds for each search
    #[arg(long, default_value = "0.3", value_parser = parse_seconds, value_name = "SECONDS")]
    pub time: Duration,
    /// Number of positions, drawn from the file by the seed
    #[arg(long, default_value_t = 150)]
    pub count: usize,
    /// Seed of the drawing
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The two cores (on Linux; elsewhere the system chooses)
    #[arg(long, value_delimiter = ',', default_value = "0,1")]
    pub cores: Vec<usize>,
}

/// The rate of the first engine in terms of the second's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Geometric mean over the positions.
    pub mean: f64,
    /// Half of the 95% interval of the mean's logarithm, which is nearly the relative error.
    pub error: f64,
    /// The median over the positions.
    pub median: f64,
}

impl Ratio {
    /// The ratio from the logarithms of the positions' ratios, of which there must be one at least; a single one has no
    /// known error.
    pub fn of(logarithms: Vec<f64>) -> Ratio {
        let count = logarithms.len() as f64;
        let mean = logarithms.iter().sum::<f64>() / count;
        let squares: f64 = logarithms.iter().map(|logarithm| (logarithm - mean).powi(2)).sum();
        let error = if count > 1.0 { 1.96 * (squares / (count - 1.0) / count).sqrt() } else { f64::INFINITY };
        Ratio { mean: mean.exp(), error, median: median(logarithms).exp() }
    }
}

/// The job `speed`.
pub fn run(arguments: &SpeedArguments) -> Result<()> {
    let mut each = EngineSpec::default();
    each.apply(&arguments.each)?;
    let [first, second] = arguments.engines.as_slice() else {
        bail!("two engines are compared, not {}", arguments.engines.len());
    };
    let (first, second) = (EngineSpec::parse(first, &each)?, EngineSpec::parse(second, &each)?);
    let [core, other] = arguments.cores[..] else {
        bail!("two cores are needed, not {}", arguments.cores.len());
    };
    let commands = commands(arguments)?;
    let mut pairs =
        [PinnedPair::start(&first, core, &second, other)?, PinnedPair::start(&first, other, &second, core)?];
    let mut logarithms = Vec::new();
    for command in &commands {
        let mut sum = 0.0;
        for pair in &mut pairs {
            sum += pair.ratio(command)?.ln();
        }
        logarithms.push(sum / 2.0);
    }
    let Ratio { mean, error, median } = Ratio::of(logarithms);
    println!(
        "{} searches {mean:.3} ± {error:.3} times the nodes a second of {} ({} positions, median {median:.3})",
        first.name,
        second.name,
        commands.len()
    );
    Ok(())
}

/// The commands for each position.
fn commands(arguments: &SpeedArguments) -> Result<Vec<String>> {
    let mut book = Openings::load(&arguments.file, false, BOOK_PLIES)?;
    book.shuffle(arguments.seed);
    let count = book.count().map_or(arguments.count, |there| there.min(arguments.count));
    ensure!(count > 0, "no positions");
    let milliseconds = arguments.time.as_millis().max(1);
    let command = |number| format!("position fen {}\ngo movetime {milliseconds}\n", book.get(number).fen());
    Ok((0..count).map(command).collect())
}

/// The two engines, each on a core of its own.
struct PinnedPair {
    first: PinnedEngine,
    second: PinnedEngine,
}

impl PinnedPair {
    fn start(first: &EngineSpec, core: usize, second: &EngineSpec, other: usize) -> Result<PinnedPair> {
        Ok(PinnedPair {
            first: PinnedEngine::start(first, core)?,
            second: PinnedEngine::start(second, other)?,
        })
    }

    /// The rate of the first in terms of the second's, in one search that both begin at once.
    fn ratio(&mut self, command: &str) -> Result<f64> {
        self.first.prepare()?;
        self.second.prepare()?;
        let PinnedPair { first, second } = self;
        let (first, second) = thread::scope(|scope| {
            let beside = threads::spawn_scoped(scope, || second.rate(command))?;
            anyhow::Ok((first.rate(command), beside.join()))
        })?;
        Ok(first? / second.map_err(|_| anyhow!("a thread that waited for an engine panicked"))??)
    }
}

/// An engine that runs on one core.
struct PinnedEngine {
    name: String,
    player: Player,
    log: SharedLog,
}

impl PinnedEngine {
    /// Starts it on a core, from a thread that is there already: whoever is started inherits that.
    fn start(spec: &EngineSpec, core: usize) -> Result<PinnedEngine> {
        let log = SharedLog::default();
        let started = thread::scope(|scope| {
            let start = || {
                stay_on(core)?;
                Player::start(spec, Patience::default(), &log)
                    .map_err(|failure| failure.told(&spec.name, &log))
            };
            anyhow::Ok(threads::spawn_scoped(scope, start)?.join())
        })?;
        let player = started.map_err(|_| anyhow!("the thread that started {} panicked", spec.name))??;
        Ok(PinnedEngine { name: spec.name.clone(), player, log })
    }

    fn prepare(&mut self) -> Result<()> {
        self.log.restart();
        self.player.new_game(false).map_err(|failure| failure.told(&self.name, &self.log))
    }

    /// Nodes a second.
    fn rate(&mut self, command: &str) -> Result<f64> {
        let answer =
            self.player.think(command, None).map_err(|failure| failure.told(&self.name, &self.log))?;
        ensure!(answer.info.nodes > 0, "{} does not say how many nodes it searched", self.name);
        Ok(answer.info.nodes as f64 / answer.time.as_secs_f64().max(1e-6))
    }
}

/// Keeps this thread, and what it starts, on a core.
#[cfg(target_os = "linux")]
fn stay_on(core: usize) -> Result<()> {
    use anyhow::Context;
    use rustix::thread::{CpuSet, sched_setaffinity};
    ensure!(core < CpuSet::MAX_CPU, "there is no core {core}");
    let mut cores = CpuSet::new();
    cores.set(core);
    sched_setaffinity(None, &cores).with_context(|| format!("core {core} cannot be used"))
}

#[cfg(not(target_os = "linux"))]
fn stay_on(_core: usize) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_averaged_by_their_logarithms() {
        let Ratio { mean, error, median } = Ratio::of([0.5_f64, 2.0, 1.0, 8.0].map(f64::ln).to_vec());
        assert!((mean - 8.0_f64.powf(0.25)).abs() < 1e-12);
        assert!((median - 2.0_f64.sqrt()).abs() < 1e-12);
        let spread = (1.75_f64.powi(2) + 0.25_f64.powi(2) + 0.75_f64.powi(2) + 2.25_f64.powi(2)) / 3.0;
        assert!((error - 1.96 * (spread / 4.0).sqrt() * 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(Ratio::of(vec![0.0]), Ratio { mean: 1.0, error: f64::INFINITY, median: 1.0 });
    }
}
