//! The time that the real engine takes from `stop` to `bestmove`, and from `isready` to `readyok` while it searches, for
//! growing numbers of threads. Not a criterion bench: each sample needs a search under way.
//!
//! `cargo bench --bench stop_latency [-- THREADS...]`

#[path = "../tests/driver/mod.rs"]
mod driver;

mod positions;

use driver::Engine;
use positions::{KIWIPETE, START};
use std::time::{Duration, Instant};

/// Searches for each number of threads.
const SAMPLES: usize = 100;

const FENS: [&str; 4] =
    [START, KIWIPETE, "8/5pk1/6p1/3R3p/7P/r5P1/5PK1/8 w - - 0 40", "8/8/8/3k4/8/8/8/QQQQKQQQ w - - 0 1"];

fn main() {
    let mut threads: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    if threads.is_empty() {
        threads = [1, 2, 4, 8, 16, 64, 256].to_vec();
    }
    println!("milliseconds: median, 99 of 100, worst of {SAMPLES}");
    for threads in threads {
        measure(threads);
    }
}

fn measure(threads: usize) {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 64");
    engine.send(&format!("setoption name Threads value {threads}"));
    engine.ready();
    let (mut ready, mut stop) = (Vec::new(), Vec::new());
    for sample in 0..SAMPLES {
        engine.send(&format!("position fen {}", FENS[sample % FENS.len()]));
        engine.send("go infinite");
        // Different moments of the search.
        std::thread::sleep(Duration::from_millis(10 + 7 * (sample as u64 % 11)));
        let started = Instant::now();
        engine.ready();
        ready.push(started.elapsed());
        let started = Instant::now();
        engine.send("stop");
        engine.answer();
        stop.push(started.elapsed());
    }
    println!("{threads:4} threads  isready {}  stop {}", summary(&mut ready), summary(&mut stop));
    engine.quit();
}

fn summary(times: &mut [Duration]) -> String {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    format!("{:7.3} {:7.3} {:7.3}", at(50), at(99), at(100))
}
