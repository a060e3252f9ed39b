//! Tells what labels are worth: labels that training would take from self-play games are compared with the searches of a
//! stronger engine, and so is the static evaluation of the network that learns from them.

mod sample;
pub(crate) mod truth;
mod worth;

use crate::data::file;
use crate::data::game::{Game, Outcome};
use crate::judge::measure::{Eval, static_evals};
use crate::judge::networks;
use crate::play::spec::EngineSpec;
use anyhow::{Result, ensure};
use clap::Args;
use sample::{Sample, expected, sample};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamarack::chess::{Color, Position};
use tamarack::eval::Network;
use tamarack::random::Random;
use truth::{Cache, Oracle};
use worth::{Errors, Worth, worth};

/// Arguments of `labels`.
#[derive(Args, Clone, Debug)]
pub struct LabelsArguments {
    /// Files of games
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The stronger engine: cmd=path,option.Hash=16; it must offer UCI_ShowWDL
    #[arg(long, value_name = "SETTINGS")]
    pub engine: String,
    /// Nodes of its search of each position, unless --engine names a limit
    #[arg(long, default_value = "20000")]
    pub nodes: String,
    /// Positions of each file
    #[arg(long, default_value_t = 1300)]
    pub positions: usize,
    /// Games at the beginning of each file to choose them from
    #[arg(long, default_value_t = 1300, value_name = "GAMES")]
    pub from_games: usize,
    /// The network whose static evaluations are compared; the one that is built in if not given
    #[arg(long)]
    pub network: Option<PathBuf>,
    /// File that keeps what the engine found, so that a run can go on or use it again
    #[arg(long)]
    pub cache: Option<PathBuf>,
    /// Parts of a value that come from the next position's, 0 to 1
    #[arg(long, value_delimiter = ',', default_value = "0,0.5,0.8,0.9")]
    pub td_lambda: Vec<f64>,
    /// Weights of the game's result in the label, 0 to 1
    #[arg(long, value_delimiter = ',', default_value = "0,0.1,0.3")]
    pub wdl_weight: Vec<f64>,
    /// Our centipawns, as users see them, that make the odds e to one
    #[arg(long, default_value_t = 72.0)]
    pub unit: f64,
    /// Copies of the engine
    #[arg(long, default_value_t = 1)]
    pub concurrency: usize,
    /// The choice of positions
    #[arg(long, default_value_t = 3)]
    pub seed: u64,
}

/// The job `labels`.
pub fn run(arguments: &LabelsArguments) -> Result<()> {
    ensure!(arguments.unit > 0.0 && arguments.unit.is_finite(), "--unit must be above 0");
    let parts = arguments.td_lambda.iter().chain(&arguments.wdl_weight);
    ensure!(parts.into_iter().all(|part| (0.0..=1.0).contains(part)), "lambda and weight are from 0 to 1");
    let network = networks(arguments.network.as_slice())?.remove(0);
    let mut each = EngineSpec::default();
    each.limits.set("nodes", &arguments.nodes)?;
    let oracle = Oracle::new(EngineSpec::parse(&arguments.engine, &each)?)?;
    let mut cache = Cache::open(arguments.cache.as_deref(), &oracle.description)?;
    println!("truth: {}; static evaluation: {}", oracle.description, network.name());
    let mut best = Vec::new();
    for path in &arguments.games {
        let games: Vec<Game> = file::read(path)?.take(arguments.from_games).collect::<Result<_>>()?;
        let samples = sample(&games, arguments.positions, arguments.unit, &mut Random::new(arguments.seed));
        ensure!(!samples.is_empty(), "{} has no quiet position", path.display());
        let positions: Vec<Position> = samples.iter().map(|sample| sample.position).collect();
        oracle.ask(&positions, &mut cache, arguments.concurrency)?;
        let judged = Judged::new(&samples, &cache, &network, arguments.unit);
        best.push(show(path, &games, &judged, arguments));
    }
    if best.len() > 1 {
        println!("\nof each file the labels with the most signal to noise:\n{HEAD}");
        best.iter().for_each(|row| println!("{row}"));
    }
    Ok(())
}

/// Samples with the truth and the network's opinion of each, as expected scores of White.
struct Judged<'s> {
    samples: &'s [Sample],
    truth: Vec<f64>,
    network: Vec<f64>,
}

impl<'s> Judged<'s> {
    /// A sample without a truth in the cache counts as a draw; there is none after [`Oracle::ask`].
    fn new(samples: &'s [Sample], cache: &Cache, network: &Arc<Network>, unit: f64) -> Self {
        let evals = static_evals(network, Eval::Shown, samples.iter().map(|sample| &sample.position));
        let of_white = |position: &Position, value: f64| {
            if position.side_to_move() == Color::White { value } else { 1.0 - value }
        };
        let truth = |sample: &Sample| of_white(&sample.position, cache.get(&sample.position).unwrap_or(0.5));
        let network = samples.iter().zip(evals);
        Self {
            samples,
            truth: samples.iter().map(truth).collect(),
            network: network.map(|(sample, eval)| of_white(&sample.position, expected(eval, unit))).collect(),
        }
    }

    fn is_balanced(&self, index: usize) -> bool {
        (self.truth[index] - 0.5).abs() < 0.25
    }

    /// The errors of the labels and of the network, of all positions or of the balanced ones.
    fn errors(&self, td_lambda: f64, wdl_weight: f64, balanced_only: bool) -> Vec<Errors> {
        let chosen = (0..self.samples.len()).filter(|&index| !balanced_only || self.is_balanced(index));
        let errors = |index: usize| {
            let (sample, truth) = (&self.samples[index], self.truth[index]);
            let label = sample.label(td_lambda, wdl_weight) - truth;
            Errors { game: sample.game, label, network: self.network[index] - truth }
        };
        chosen.map(errors).collect()
    }
}

const HEAD: &str = concat!(
    "               |--------- all ----------|  |------- balanced -------|\n",
    "lambda result   repeats      ±  noise  s²/n   repeats      ±  noise  s²/n  file"
);

/// Prints the table of a file; returns its row with the most signal to noise.
fn show(path: &Path, games: &[Game], judged: &Judged, arguments: &LabelsArguments) -> String {
    let name = path.display();
    let draws = games.iter().filter(|game| game.outcome == Outcome::Draw).count();
    let drawn = 100.0 * draws as f64 / games.len().max(1) as f64;
    let squared = |balanced_only: bool| {
        let errors = judged.errors(0.0, 0.0, balanced_only);
        let squares = errors.iter().map(|errors| errors.network.powi(2)).sum::<f64>();
        (errors.len(), squares / errors.len() as f64)
    };
    let ((count, error), (balanced, balanced_error)) = (squared(false), squared(true));
    println!("\n{name}: {} games, {drawn:.0}% drawn, {count} positions, {balanced} balanced", games.len());
    println!("static evaluation: squared error {error:.4}, balanced {balanced_error:.4}\n{HEAD}");
    let mut best = (f64::NEG_INFINITY, String::new());
    for &td_lambda in &arguments.td_lambda {
        for &wdl_weight in &arguments.wdl_weight {
            let [all, part] = [false, true].map(|only| worth(&judged.errors(td_lambda, wdl_weight, only)));
            let row = format!("{td_lambda:6} {wdl_weight:6}   {}   {}  {name}", words(&all), words(&part));
            println!("{row}");
            if all.signal_to_noise > best.0 {
                best = (all.signal_to_noise, row);
            }
        }
    }
    best.1
}

fn words(worth: &Worth) -> String {
    let Worth { repeats, error, noise, signal_to_noise } = worth;
    format!("{repeats:7.2} {error:6.2} {noise:6.4} {signal_to_noise:5.2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{STARTS, random_game};

    #[test]
    fn a_label_that_is_the_truth_repeats_nothing() {
        let games: Vec<Game> =
            (0..10).map(|seed| random_game(STARTS[seed % 5].parse().unwrap(), seed as u64)).collect();
        let samples = sample(&games, 50, 90.0, &mut Random::new(1));
        let network: Vec<f64> = (0..samples.len()).map(|number| (number % 7) as f64 / 10.0).collect();
        let labels: Vec<f64> = samples.iter().map(|sample| sample.label(0.5, 0.1)).collect();
        let knows = Judged { samples: &samples, truth: labels.clone(), network: network.clone() };
        let found = worth(&knows.errors(0.5, 0.1, false));
        assert_eq!((found.repeats, found.noise), (0.0, 0.0));
        // A network that is its own teacher: everything is repeated, nothing added.
        let echoes = Judged { samples: &samples, truth: network, network: labels };
        let found = worth(&echoes.errors(0.5, 0.1, false));
        assert!((found.repeats - 1.0).abs() < 1e-12 && found.noise.abs() < 1e-12, "{found:?}");
        let balanced = (0..samples.len()).filter(|&index| echoes.is_balanced(index)).count();
        assert_eq!(echoes.errors(0.5, 0.1, true).len(), balanced);
    }
}
