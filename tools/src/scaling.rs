//! The gain by more threads: nodes a second and time to depth, measured through UCI, for any engine with `Threads`.
//!
//! For each position every number of threads searches from an empty table to the same depth, one after the other, so
//! that the machine's moods meet all alike; the whole is repeated, and medians count.

use crate::machine;
use crate::play::limits::parse_seconds;
use crate::play::log::SharedLog;
use crate::play::openings::{BOOK_PLIES, Openings};
use crate::play::player::{Failure, Patience, Player};
use crate::play::spec::EngineSpec;
use crate::plot::{Chart, Series};
use crate::statistics::median;
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Searches of each position with each number of threads
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
struct Measurement {
    seconds: f64,
    nodes: f64,
}

/// The speedup of one number of threads over the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// The number of threads.
    pub threads: u32,
    /// Time to depth of the first one in terms of this one's: geometric mean over the positions of the ratios of median times.
    pub time_to_depth: f64,
    /// Nodes a second in terms of the first one's: the same of the ratios of median rates.
    pub rate: f64,
    /// Nodes a second: geometric mean over the positions of the median rates.
    pub nodes_per_second: f64,
}

/// The job `scaling`.
pub fn run(arguments: &ScalingArguments) -> Result<()> {
    let commands = commands(arguments)?;
    let spec = EngineSpec::parse(&arguments.engine, &EngineSpec::default())?;
    let measurements = measure(&commands, &spec, arguments)?;
    let speedups = speedups(&measurements, &arguments.threads);
    println!("{} positions to depth {}, {} rounds", commands.len(), arguments.depth, arguments.rounds);
    println!("machine: {}", machine::describe());
    println!(
        "threads  time to depth  nodes/s      nodes/s   (the first two times {} thread)",
        arguments.threads[0]
    );
    for Speedup { threads, time_to_depth, rate, nodes_per_second } in &speedups {
        println!("{threads:7}  {time_to_depth:13.2}  {rate:7.2}  {nodes_per_second:11.0}");
    }
    if let Some(path) = &arguments.svg {
        let title = format!("{}: {} positions to depth {}", spec.name, commands.len(), arguments.depth);
        fs::write(path, picture(title, &speedups)?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The commands for each position.
fn commands(arguments: &ScalingArguments) -> Result<Vec<String>> {
    ensure!(arguments.count > 0, "no positions");
    let book = Openings::load(&arguments.file, false, BOOK_PLIES)?;
    let count = book.count().map_or(arguments.count, |there| there.min(arguments.count));
    let command = |number| format!("position fen {}\ngo depth {}\n", book.get(number).fen(), arguments.depth);
    Ok((0..count).map(command).collect())
}

/// The measurements of each number of threads, position by position.
fn measure(
    commands: &[String],
    spec: &EngineSpec,
    arguments: &ScalingArguments,
) -> Result<Vec<Vec<Vec<Measurement>>>> {
    let log = SharedLog::default();
    let fail = |failure: Failure| failure.told(&spec.name, &log);
    let patience = Patience { think: arguments.stall, ..Patience::default() };
    let start = |&threads: &u32| {
        let mut spec = spec.clone();
        spec.set_option("Threads", &threads.to_string());
        Player::start(&spec, patience, &log).map_err(fail)
    };
    let mut players: Vec<Player> = arguments.threads.iter().map(start).collect::<Result<_>>()?;
    let mut measurements = vec![vec![Vec::new(); commands.len()]; players.len()];
    for _ in 0..arguments.rounds {
        for (number, command) in commands.iter().enumerate() {
            for (player, measurements) in players.iter_mut().zip(&mut measurements) {
                log.restart();
                let answer =
                    player.new_game(false).and_then(|()| player.think(command, None)).map_err(fail)?;
                let (seconds, nodes) = (answer.time.as_secs_f64().max(1e-6), answer.info.nodes as f64);
                measurements[number].push(Measurement { seconds, nodes });
            }
        }
    }
    players.into_iter().for_each(Player::quit);
    Ok(measurements)
}

/// The speedup of each number of threads.
fn speedups(measurements: &[Vec<Vec<Measurement>>], threads: &[u32]) -> Vec<Speedup> {
    let medians = |of: fn(&Measurement) -> f64| -> Vec<Vec<f64>> {
        measurements
            .iter()
            .map(|all| all.iter().map(|one| median(one.iter().map(of).collect())).collect())
            .collect()
    };
    let (times, rates) = (medians(|sample| sample.seconds), medians(|sample| sample.nodes / sample.seconds));
    let speedup = |(index, &threads): (usize, &u32)| Speedup {
        threads,
        time_to_depth: mean_ratio(&times[0], &times[index]),
        rate: mean_ratio(&rates[index], &rates[0]),
        nodes_per_second: mean_ratio(&rates[index], &vec![1.0; rates[index].len()]),
    };
    threads.iter().enumerate().map(speedup).collect()
}

/// The geometric mean of `above / below`.
fn mean_ratio(above: &[f64], below: &[f64]) -> f64 {
    let logarithms: f64 = above.iter().zip(below).map(|(a, b)| (a / b).ln()).sum();
    (logarithms / above.len() as f64).exp()
}

fn picture(title: String, speedups: &[Speedup]) -> Result<String> {
    let first = speedups.first().map_or(1.0, |speedup| f64::from(speedup.threads));
    let curve = |name: &str, of: &dyn Fn(&Speedup) -> f64| Series {
        name: name.to_owned(),
        points: speedups.iter().map(|speedup| (f64::from(speedup.threads), of(speedup))).collect(),
    };
    let thousands = |speedup: Option<&Speedup>| speedup.map_or(0.0, |speedup| speedup.nodes_per_second / 1e3);
    let (slow, fast) = (thousands(speedups.first()), thousands(speedups.last()));
    let curves = vec![
        curve(&format!("nodes/s, {slow:.0}k to {fast:.0}k"), &|speedup| speedup.rate),
        curve("time to depth", &|speedup| speedup.time_to_depth),
        curve("threads", &|speedup| f64::from(speedup.threads) / first),
    ];
    let (x_label, y_label) = ("threads".to_owned(), "times".to_owned());
    Chart { title, x_label, y_label, curves, ..Chart::default() }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_geometric_means_of_ratios_of_medians() {
        let of = |seconds: f64, nodes: f64| Measurement { seconds, nodes };
        let one = vec![vec![of(4.0, 400.0), of(90.0, 9000.0), of(4.0, 400.0)], vec![of(1.0, 100.0)]];
        let two = vec![vec![of(2.0, 400.0)], vec![of(0.125, 25.0)]];
        let speedups = speedups(&[one, two], &[1, 2]);
        let first = Speedup {
            threads: 1,
            time_to_depth: 1.0,
            rate: 1.0,
            nodes_per_second: speedups[0].nodes_per_second,
        };
        assert_eq!(speedups[0], first);
        assert!(
            (first.nodes_per_second - 100.0).abs() < 1e-9
                && (speedups[1].nodes_per_second - 200.0).abs() < 1e-9
        );
        assert!(
            (speedups[1].time_to_depth - 4.0).abs() < 1e-9,
            "twice and eight times as fast: {:?}",
            speedups[1]
        );
        assert!((speedups[1].rate - 2.0).abs() < 1e-9);
        assert!(picture("title".to_owned(), &speedups).unwrap().contains("nodes/s, 0k to 0k"));
    }
}
