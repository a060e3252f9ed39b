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
use crate::plot::{self, Panel};
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
    /// Draw nodes a second, speed-up and time to depth into this SVG file
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
    /// Seconds to depth: geometric mean over the positions of the median times.
    pub seconds: f64,
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
    println!("threads    nodes/s  a thread  speed-up  seconds to depth  speed-up");
    for Speedup { threads, time_to_depth, seconds, rate, nodes_per_second } in &speedups {
        let each = nodes_per_second / f64::from(*threads);
        println!(
            "{threads:7} {nodes_per_second:10.0} {each:9.0} {rate:9.2} {seconds:17.3} {time_to_depth:9.2}"
        );
    }
    if let Some(path) = &arguments.svg {
        let title = format!("{}: {} positions to depth {}", spec.name, commands.len(), arguments.depth);
        fs::write(path, picture(&title, &speedups)?).with_context(|| path.display().to_string())?;
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
        seconds: mean_ratio(&times[index], &vec![1.0; times[index].len()]),
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

/// Nodes a second, their speed-up beside the ideal one, and the time to depth.
fn picture(title: &str, speedups: &[Speedup]) -> Result<String> {
    let threads: Vec<u32> = speedups.iter().map(|speedup| speedup.threads).collect();
    let first = threads.first().copied().map_or(1.0, f64::from);
    let curve =
        |name: &str, of: &dyn Fn(&Speedup) -> f64| (name.to_owned(), speedups.iter().map(of).collect());
    let panel = |y_label: &str, curves| Panel { y_label: y_label.to_owned(), curves };
    let panels = [
        panel("nodes/s", vec![curve("nodes a second", &|speedup| speedup.nodes_per_second)]),
        panel(
            "times",
            vec![
                curve("nodes a second", &|speedup| speedup.rate),
                curve("time to depth", &|speedup| speedup.time_to_depth),
                curve("ideal", &|speedup| f64::from(speedup.threads) / first),
            ],
        ),
        panel("seconds to depth", vec![curve("time to depth", &|speedup| speedup.seconds)]),
    ];
    plot::panels(title, "threads", &threads, &panels)
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
        assert_eq!((speedups[0].time_to_depth, speedups[0].rate), (1.0, 1.0));
        assert!(
            (speedups[0].seconds - 2.0).abs() < 1e-9 && (speedups[0].nodes_per_second - 100.0).abs() < 1e-9
        );
        assert!(
            (speedups[1].time_to_depth - 4.0).abs() < 1e-9,
            "twice and eight times as fast: {:?}",
            speedups[1]
        );
        assert!((speedups[1].rate - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_picture_names_whole_numbers_of_threads() {
        let speedup = |threads: u32| Speedup {
            threads,
            time_to_depth: f64::from(threads).sqrt(),
            seconds: 3.0,
            rate: f64::from(threads),
            nodes_per_second: 1e6 * f64::from(threads),
        };
        let many: Vec<u32> = (0..10).map(|power| 1 << power).collect();
        for numbers in [&[1, 2][..], &many, &[4]] {
            let speedups: Vec<Speedup> = numbers.iter().map(|&threads| speedup(threads)).collect();
            let svg = picture("title", &speedups).unwrap();
            let labels: Vec<&str> = svg.lines().map(str::trim).collect();
            for number in numbers {
                let shown = labels.iter().filter(|label| **label == number.to_string()).count();
                assert!(shown >= 3, "{number} threads in {svg}");
            }
            assert!(!labels.contains(&"1.1") && svg.contains("ideal"));
        }
    }
}
