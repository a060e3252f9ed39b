//! What more threads bring: nodes a second and time to depth, measured through UCI, for any engine with `Threads`.
//!
//! For each position every number of threads searches from an empty table to the same depth, one after the other, so
//! that the machine's moods meet all alike; the whole is repeated, and medians count.

use crate::play::limits::parse_seconds;
use crate::play::log::SharedLog;
use crate::play::openings::Openings;
use crate::play::player::{Failure, Patience, Player};
use crate::play::spec::EngineSpec;
use crate::plot::{Chart, Curve};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Moves taken from each game, where the positions come from a PGN.
pub(crate) const PGN_PLIES: usize = 16;

/// Arguments of `scaling`.
#[derive(Args, Clone, Debug)]
pub struct ScalingArguments {
    /// Positions: EPD or FEN, one a line, or the openings of a PGN
    pub file: PathBuf,
    /// The engine: name=A,cmd=path,option.Hash=64
    #[arg(long, value_name = "SETTINGS")]
    pub engine: String,
    /// Numbers of threads; the first is what the others are compared with
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Vec<u32>,
    /// Plies
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Only the first positions
    #[arg(long, default_value_t = 40)]
    pub count: usize,
    /// How often each position is searched
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Seconds after which an engine that does not come to the depth has stalled
    #[arg(long, default_value = "120", value_parser = parse_seconds, value_name = "SECONDS")]
    pub stall: Duration,
    /// Draw the ratios into this SVG file
    #[arg(long)]
    pub svg: Option<PathBuf>,
}

/// One search.
#[derive(Clone, Copy, Debug)]
struct Sample {
    seconds: f64,
    nodes: f64,
}

/// What a number of threads came to beside the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// How many threads.
    pub threads: u32,
    /// How much sooner the depth was reached: geometric mean over the positions of the ratios of median times.
    pub time_to_depth: f64,
    /// How many times the nodes a second: the same of the ratios of median rates.
    pub rate: f64,
}

/// The job `scaling`.
pub fn run(arguments: &ScalingArguments) -> Result<()> {
    let questions = questions(arguments)?;
    let spec = EngineSpec::parse(&arguments.engine, &EngineSpec::default())?;
    let samples = measure(&questions, &spec, arguments)?;
    let gains = gains(&samples, &arguments.threads);
    println!("{} positions to depth {}, {} rounds", questions.len(), arguments.depth, arguments.rounds);
    println!("threads  time to depth  nodes/s   (times {} thread)", arguments.threads[0]);
    for gain in &gains {
        println!("{:7}  {:13.2}  {:7.2}", gain.threads, gain.time_to_depth, gain.rate);
    }
    if let Some(path) = &arguments.svg {
        let title = format!("{}: {} positions to depth {}", spec.name, questions.len(), arguments.depth);
        fs::write(path, picture(title, &gains)?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// What the engine is told for each position.
fn questions(arguments: &ScalingArguments) -> Result<Vec<String>> {
    ensure!(arguments.count > 0, "no positions");
    let book = Openings::load(&arguments.file, false, PGN_PLIES)?;
    let count = book.count().map_or(arguments.count, |there| there.min(arguments.count));
    let question =
        |number| format!("position fen {}\ngo depth {}\n", book.get(number).fen(), arguments.depth);
    Ok((0..count).map(question).collect())
}

/// For each number of threads and each position its samples.
fn measure(
    questions: &[String],
    spec: &EngineSpec,
    arguments: &ScalingArguments,
) -> Result<Vec<Vec<Vec<Sample>>>> {
    let log = SharedLog::default();
    let fail = |failure: Failure| failure.told(&spec.name, &log);
    let patience = Patience { think: arguments.stall, ..Patience::default() };
    let start = |&threads: &u32| {
        let mut spec = spec.clone();
        spec.set_option("Threads", &threads.to_string());
        Player::start(&spec, patience, &log).map_err(fail)
    };
    let mut players: Vec<Player> = arguments.threads.iter().map(start).collect::<Result<_>>()?;
    let mut samples = vec![vec![Vec::new(); questions.len()]; players.len()];
    for _ in 0..arguments.rounds {
        for (number, question) in questions.iter().enumerate() {
            for (player, samples) in players.iter_mut().zip(&mut samples) {
                log.restart();
                let thought =
                    player.new_game(false).and_then(|()| player.think(question, None)).map_err(fail)?;
                let (seconds, nodes) = (thought.time.as_secs_f64().max(1e-6), thought.info.nodes as f64);
                samples[number].push(Sample { seconds, nodes });
            }
        }
    }
    players.into_iter().for_each(Player::quit);
    Ok(samples)
}

/// Each number of threads beside the first.
fn gains(samples: &[Vec<Vec<Sample>>], threads: &[u32]) -> Vec<Gain> {
    let medians = |of: fn(&Sample) -> f64| -> Vec<Vec<f64>> {
        samples
            .iter()
            .map(|all| all.iter().map(|one| median(one.iter().map(of).collect())).collect())
            .collect()
    };
    let (times, rates) = (medians(|sample| sample.seconds), medians(|sample| sample.nodes / sample.seconds));
    let gain = |(index, &threads): (usize, &u32)| Gain {
        threads,
        time_to_depth: mean_ratio(&times[0], &times[index]),
        rate: mean_ratio(&rates[index], &rates[0]),
    };
    threads.iter().enumerate().map(gain).collect()
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// The geometric mean of `above / below`.
fn mean_ratio(above: &[f64], below: &[f64]) -> f64 {
    let logarithms: f64 = above.iter().zip(below).map(|(a, b)| (a / b).ln()).sum();
    (logarithms / above.len() as f64).exp()
}

fn picture(title: String, gains: &[Gain]) -> Result<String> {
    let first = gains.first().map_or(1.0, |gain| f64::from(gain.threads));
    let curve = |name: &str, of: &dyn Fn(&Gain) -> f64| Curve {
        name: name.to_owned(),
        points: gains.iter().map(|gain| (f64::from(gain.threads), of(gain))).collect(),
    };
    let curves = vec![
        curve("nodes a second", &|gain| gain.rate),
        curve("time to depth", &|gain| gain.time_to_depth),
        curve("threads", &|gain| f64::from(gain.threads) / first),
    ];
    let (x_label, y_label) = ("threads".to_owned(), "times".to_owned());
    Chart { title, x_label, y_label, curves, ..Chart::default() }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_geometric_means_of_ratios_of_medians() {
        let of = |seconds: f64, nodes: f64| Sample { seconds, nodes };
        let one = vec![vec![of(4.0, 400.0), of(90.0, 9000.0), of(4.0, 400.0)], vec![of(1.0, 100.0)]];
        let two = vec![vec![of(2.0, 400.0)], vec![of(0.125, 25.0)]];
        let gains = gains(&[one, two], &[1, 2]);
        assert_eq!(gains[0], Gain { threads: 1, time_to_depth: 1.0, rate: 1.0 });
        assert!((gains[1].time_to_depth - 4.0).abs() < 1e-9, "twice and eight times as fast: {:?}", gains[1]);
        assert!((gains[1].rate - 2.0).abs() < 1e-9);
        assert!(picture("title".to_owned(), &gains).unwrap().contains("time to depth"));
    }
}
