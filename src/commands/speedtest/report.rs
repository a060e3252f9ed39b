//! The report of a speedtest: the machine, the figures, the table of several numbers of threads, the line to paste.

use super::{DEPTHS, SpeedtestResult};
use nnue::{Network, kernels};
use platform::machine::{self, ThisMachine};
use platform::topology::Topology;
use std::fmt::Write;
use std::time::Duration;

/// The whole report; of several results the figures are those of the last.
pub fn text(results: &[SpeedtestResult], network: &Network) -> String {
    let Some(last) = results.last() else { return "speedtest: ended early, nothing measured".to_string() };
    let topology = Topology::read(&ThisMachine, false);
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14} {value}");
    };
    let (processor, version) = (machine::processor_name(), env!("CARGO_PKG_VERSION"));
    let kernel = kernels::best().name();
    row(
        "version",
        format!("Tamarack {version} ({}, {})", env!("TAMARACK_COMPILER"), env!("TAMARACK_TARGET")),
    );
    row("network", network.name().to_string());
    row("kernel", kernel.to_string());
    let cores = topology.cores;
    row("processor", format!("{processor}, {cores} cores, {} logical processors", topology.processors()));
    row("NUMA nodes", last.numa.clone());
    row("memory pages", pages(last.huge_pages));
    if results.len() > 1 {
        text.push('\n');
        text.push_str(&table(results));
    } else {
        figures(last, cores, row);
    }
    for result in results {
        let early = if result.positions.0 < result.positions.1 { ", ended early" } else { "" };
        let _ = write!(
            text,
            "\nTamarack {version} {}, {processor}, {kernel}, {} threads, {} MB: {} nodes/s{}{early}",
            network.name(),
            result.threads,
            result.hash,
            grouped(result.speed() as u64),
            deepest(result)
                .map_or(String::new(), |(depth, time)| format!(", depth {depth} in {}", shown(time))),
        );
    }
    text
}

/// The rows of one result on a machine with so many cores.
fn figures(result: &SpeedtestResult, cores: usize, mut row: impl FnMut(&str, String)) {
    let ((searched, count), speed) = (result.positions, result.speed());
    row("threads", result.threads.to_string());
    row("hash", format!("{} MB, up to {:.1}% full", result.hash, f64::from(result.hashfull) / 10.0));
    let early = if searched < count { " (ended early)" } else { "" };
    row("positions", format!("{searched} of {count} in {:.1} s{early}", result.elapsed.as_secs_f64()));
    row("nodes", grouped(result.nodes));
    row("nodes/s", grouped(speed as u64));
    row("  a thread", grouped((speed / result.threads as f64) as u64));
    row("  a core", grouped((speed / result.threads.min(cores).max(1) as f64) as u64));
    let reached = DEPTHS.iter().zip(&result.depths).filter_map(|(depth, time)| Some((depth, (*time)?)));
    let depths: Vec<String> = reached.map(|(depth, time)| format!("{depth}: {}", shown(time))).collect();
    row(
        "time to depth",
        if depths.is_empty() { "-".into() } else { format!("{} (medians)", depths.join(", ")) },
    );
}

/// The table of several numbers of threads: speed, and time to the deepest depth that all have reached.
fn table(results: &[SpeedtestResult]) -> String {
    let common =
        (0..DEPTHS.len()).rev().find(|&depth| results.iter().all(|result| result.depths[depth].is_some()));
    let to_depth = common.map_or("to depth".to_string(), |depth| format!("to depth {}", DEPTHS[depth]));
    let mut text = format!(
        "{:>7} {:>15} {:>13} {:>11} {:>8} {:>12} {:>8} {:>6}\n",
        "threads", "nodes", "nodes/s", "a thread", "speed-up", to_depth, "speed-up", "full"
    );
    let first = &results[0];
    for result in results {
        let time = |result: &SpeedtestResult| common.and_then(|depth| result.depths[depth]);
        let gain = time(first)
            .zip(time(result))
            .map(|(first, own)| first.as_secs_f64() / own.as_secs_f64().max(1e-6));
        let _ = writeln!(
            text,
            "{:>7} {:>15} {:>13} {:>11} {:>8.2} {:>12} {:>8} {:>5.1}%",
            result.threads,
            grouped(result.nodes),
            grouped(result.speed() as u64),
            grouped((result.speed() / result.threads as f64) as u64),
            result.speed() / first.speed().max(1.0),
            time(result).map_or("-".to_string(), shown),
            gain.map_or("-".to_string(), |gain| format!("{gain:.2}")),
            f64::from(result.hashfull) / 10.0,
        );
    }
    text
}

/// The deepest depth that most searches reached, with its time.
fn deepest(result: &SpeedtestResult) -> Option<(usize, Duration)> {
    DEPTHS.into_iter().zip(&result.depths).rev().find_map(|(depth, time)| Some((depth, (*time)?)))
}

fn pages(huge_pages: Option<(usize, usize)>) -> String {
    match huge_pages {
        None => "not known".to_string(),
        Some((0, all)) => format!("small (none of {} MB is on huge pages)", all / 1024),
        Some((huge, all)) => format!("huge ({}% of {} MB)", 100 * huge / all.max(1), all / 1024),
    }
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.1 { format!("{:.1} ms", 1000.0 * seconds) } else { format!("{seconds:.2} s") }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(shown(Duration::from_micros(1500)), "1.5 ms");
        assert_eq!(shown(Duration::from_millis(2500)), "2.50 s");
    }
}
