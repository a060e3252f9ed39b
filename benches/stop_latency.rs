//! The time that the real engine takes from `stop` to `bestmove`, from `isready` to `readyok` while it searches, and beyond
//! a fixed time for the move, for growing numbers of threads. Not a criterion bench: each sample needs a search under way.
//!
//! `cargo bench --bench stop_latency [-- [--base PROGRAM] THREADS...]`; with another build as `--base` both take turns, so
//! that they meet the same load of the machine.

#[path = "../tests/engine/driver/mod.rs"]
mod driver;

use chess::positions::{KIWIPETE, START};
use driver::Engine;
use std::time::{Duration, Instant};

/// Searches for each number of threads.
const SAMPLES: usize = 100;

const FENS: [&str; 4] =
    [START, KIWIPETE, "8/5pk1/6p1/3R3p/7P/r5P1/5PK1/8 w - - 0 40", "8/8/8/3k4/8/8/8/QQQQKQQQ w - - 0 1"];

/// The fixed time for a move, in milliseconds.
const MOVE_TIME: u64 = 20;

/// One build with its samples.
struct Build {
    name: &'static str,
    engine: Engine,
    ready: Vec<Duration>,
    stop: Vec<Duration>,
    late: Vec<Duration>,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let (mut threads, mut base) = (Vec::new(), None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--base" => base = words.next(),
            _ => threads.extend(word.parse::<usize>()),
        }
    }
    if threads.is_empty() {
        threads = [1, 2, 4, 8, 16, 64, 256].to_vec();
    }
    println!("milliseconds: median, 99 of 100, worst of {SAMPLES}; late: beyond `go movetime {MOVE_TIME}`");
    for threads in threads {
        measure(threads, base.as_deref());
    }
}

fn measure(threads: usize, base: Option<&str>) {
    let start = |name, mut engine: Engine| {
        engine.send("setoption name Hash value 64");
        engine.send("setoption name Move Overhead value 0");
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.ready();
        Build { name, engine, ready: Vec::new(), stop: Vec::new(), late: Vec::new() }
    };
    let mut builds = vec![start("new", Engine::start())];
    builds.extend(base.map(|program| start("base", Engine::start_program(program))));
    for sample in 0..SAMPLES {
        builds.iter_mut().for_each(|build| build.sample(sample));
    }
    for mut build in builds {
        let Build { name, ready, stop, late, .. } = &mut build;
        let (ready, stop, late) = (summary(ready), summary(stop), summary(late));
        println!("{threads:4} threads  {name:4}  isready {ready}  stop {stop}  late {late}");
        build.engine.quit();
    }
}

impl Build {
    fn sample(&mut self, sample: usize) {
        let engine = &mut self.engine;
        engine.ready();
        engine.send(&format!("position fen {}", FENS[sample % FENS.len()]));
        engine.send("go infinite");
        // Different moments of the search.
        std::thread::sleep(Duration::from_millis(10 + 7 * (sample as u64 % 11)));
        let started = Instant::now();
        engine.ready();
        self.ready.push(started.elapsed());
        let started = Instant::now();
        engine.send("stop");
        engine.answer();
        self.stop.push(started.elapsed());
        engine.ready();
        let started = Instant::now();
        engine.send(&format!("go movetime {MOVE_TIME}"));
        engine.answer();
        self.late.push(started.elapsed().saturating_sub(Duration::from_millis(MOVE_TIME)));
    }
}

fn summary(times: &mut [Duration]) -> String {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    format!("{:7.3} {:7.3} {:7.3}", at(50), at(99), at(100))
}
