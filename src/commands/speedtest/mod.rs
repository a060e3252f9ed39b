//! `speedtest`: the speed of a machine with many threads. It plays through positions of Tamarack's own games as in a game, with
//! table and histories kept from move to move.
//!
//! Arrows: mod → games, report → mod.

mod games;
pub mod report;

use crate::score::Bound;
use crate::search::{
    BestMove, Info, InfoSink, Limits, MAX_THREADS, NumaPolicy, Pool, PoolError, SearchOptions, SearchRequest,
};
use chess::Game;
use games::GAMES;
use nnue::Network;
use parking_lot::Mutex;
use platform::clock::Instant;
use platform::machine::{self, ThisMachine};
use platform::topology::Topology;
use std::sync::Arc;
use std::time::Duration;

/// The default time of each number of threads.
pub const DEFAULT_TIME: Duration = Duration::from_secs(120);
/// The least time for a position; in a shorter test there are fewer positions.
const MIN_TIME: Duration = Duration::from_millis(50);
/// The time before the positions count, for clocks, caches and pages to settle: this part of the test, but no longer than that.
const WARM_UP: (u32, Duration) = (20, Duration::from_secs(5));
/// Mebibytes of table for each thread where none are given: what a thread fills in a few moves.
const HASH_PER_THREAD: usize = 64;
/// The first ply of a game that is searched, and the distance of those after it: one side's moves.
const PLIES: (usize, usize) = (4, 2);
/// The interval at which a search looks whether it shall be aborted.
const ABORT_INTERVAL: Duration = Duration::from_millis(20);
/// The depths whose time is told.
pub const DEPTHS: [usize; 12] = [8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];

/// The arguments of `speedtest`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpeedtestConfig {
    /// Numbers of threads, one test each; empty for one with all logical processors.
    pub threads: Vec<usize>,
    /// The size of the transposition table in MiB; `None` for one fit for the most threads.
    pub hash: Option<usize>,
    /// The extent of each test.
    pub limit: SpeedtestLimit,
}

/// The extent of a speedtest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpeedtestLimit {
    /// So much time, shared evenly by the positions.
    Time(Duration),
    /// So many nodes for each position: with one thread the total is the same on every machine.
    Nodes(u64),
}

impl Default for SpeedtestConfig {
    fn default() -> SpeedtestConfig {
        SpeedtestConfig { threads: Vec::new(), hash: None, limit: SpeedtestLimit::Time(DEFAULT_TIME) }
    }
}

/// The result for one number of threads.
#[derive(Clone, PartialEq, Debug)]
pub struct SpeedtestResult {
    /// The number of threads.
    pub threads: usize,
    /// The size of the table in MiB.
    pub hash: usize,
    /// Positions searched, and positions there were to search.
    pub positions: (usize, usize),
    /// The nodes of all positions.
    pub nodes: u64,
    /// The time of all searches.
    pub elapsed: Duration,
    /// The greatest fill of the table with entries of one search, in thousandths.
    pub hashfull: u32,
    /// For each of [`DEPTHS`] the median time until it was reached; `None` where most searches ended before.
    pub depths: Vec<Option<Duration>>,
    /// The NUMA nodes and the binding of the threads in words.
    pub numa: String,
    /// Kilobytes of memory on huge pages, and in all.
    pub huge_pages: Option<(usize, usize)>,
}

impl SpeedtestResult {
    /// Nodes per second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }
}

/// Runs the test for each number of threads, one after the other; `progress` is told what goes on. When `abort` becomes true it
/// ends with what it has.
///
/// # Errors
/// If the system has no memory for the table, or not enough threads.
pub fn run(
    config: &SpeedtestConfig,
    network: &Arc<Network>,
    policy: &NumaPolicy,
    abort: &dyn Fn() -> bool,
    mut progress: impl FnMut(&str),
) -> Result<Vec<SpeedtestResult>, PoolError> {
    let all = Topology::read(&ThisMachine, *policy != NumaPolicy::Hardware).processors().min(MAX_THREADS);
    let counts = if config.threads.is_empty() { vec![all] } else { config.threads.clone() };
    let hash = config.hash.unwrap_or_else(|| default_hash(counts.iter().copied().max().unwrap_or(1)));
    let mut results = Vec::new();
    for threads in counts {
        if abort() {
            break;
        }
        let mut pool = Pool::new(hash)?;
        pool.set_numa_policy(policy.clone()).map_err(PoolError::from)?;
        pool.set_threads(threads).map_err(PoolError::from)?;
        pool.set_network(Arc::clone(network)).map_err(PoolError::Network)?;
        results.push(Test { pool, abort, limit: config.limit }.run(&mut progress));
    }
    Ok(results)
}

/// Mebibytes of table for so many threads: enough for some moves, and at most half of the memory.
fn default_hash(threads: usize) -> usize {
    let most = machine::available_mebibytes().map_or(usize::MAX, |free| free / 2);
    (HASH_PER_THREAD * threads).min(most).max(16)
}

/// The games to search: the positions of each in order, of all positions every `step`-th.
fn games(step: usize) -> Vec<Vec<Game>> {
    let mut number = 0;
    let mut positions = |moves: &str| {
        let (mut game, mut chosen) = (Game::default(), Vec::new());
        for (ply, word) in moves.split_whitespace().enumerate() {
            if ply >= PLIES.0 && (ply - PLIES.0).is_multiple_of(PLIES.1) {
                if number % step == 0 {
                    chosen.push(game.clone());
                }
                number += 1;
            }
            let Ok(mv) = game.position().parse_uci(word) else { break };
            game.make(mv);
        }
        chosen
    };
    GAMES.iter().map(|moves| positions(moves)).collect()
}

/// A test with one number of threads.
struct Test<'a> {
    pool: Pool,
    abort: &'a dyn Fn() -> bool,
    limit: SpeedtestLimit,
}

impl Test<'_> {
    fn run(mut self, progress: &mut impl FnMut(&str)) -> SpeedtestResult {
        let all: usize = games(1).iter().map(Vec::len).sum();
        let (step, limits) = match self.limit {
            SpeedtestLimit::Nodes(nodes) => (1, Limits { nodes: Some(nodes), ..Limits::default() }),
            SpeedtestLimit::Time(time) => {
                let count = (time.as_millis() / MIN_TIME.as_millis()).clamp(1, all as u128) as usize;
                let step = all.div_ceil(count);
                let move_time = Some(time / all.div_ceil(step) as u32);
                (step, Limits { move_time, ..Limits::default() })
            }
        };
        let (games, threads) = (games(step), self.pool.threads());
        progress(&format!("{threads} threads: warming up"));
        self.warm_up();
        let count = games.iter().map(Vec::len).sum();
        let (mut searched, mut nodes, mut elapsed, mut hashfull) = (0, 0, Duration::ZERO, 0);
        let mut times = vec![Vec::new(); DEPTHS.len()];
        for game in &games {
            self.pool.clear();
            for position in game {
                let started = Instant::now();
                let reached = self.search(position, &limits);
                let took = started.elapsed();
                if (self.abort)() {
                    break;
                }
                (searched, nodes, elapsed) = (searched + 1, nodes + self.pool.nodes(), elapsed + took);
                hashfull = hashfull.max(self.pool.tt().hashfull());
                times
                    .iter_mut()
                    .zip(DEPTHS)
                    .for_each(|(times, depth)| times.push(reached.get(depth).copied().flatten()));
                let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-3);
                progress(&format!("{threads} threads: position {searched} of {count}, {speed:.0} nodes/s"));
            }
        }
        SpeedtestResult {
            threads,
            hash: self.pool.tt().mebibytes(),
            positions: (searched, count),
            nodes,
            elapsed,
            hashfull,
            depths: times.into_iter().map(median).collect(),
            numa: self.pool.describe_numa(),
            huge_pages: machine::memory_on_huge_pages(),
        }
    }

    /// Searches the first positions for a while, so that all memory is there and the processor at its usual clock.
    fn warm_up(&mut self) {
        let time = match self.limit {
            SpeedtestLimit::Time(time) => (time / WARM_UP.0).min(WARM_UP.1),
            SpeedtestLimit::Nodes(_) => MIN_TIME,
        };
        for game in games(1).iter().filter_map(|game| game.first()) {
            let move_time = Some(time / GAMES.len() as u32);
            self.search(game, &Limits { move_time, ..Limits::default() });
        }
    }

    /// Searches a position; returns for each depth the time at which it was finished.
    fn search(&mut self, game: &Game, limits: &Limits) -> Vec<Option<Duration>> {
        let reached = Arc::new(Mutex::new(Vec::new()));
        let options = SearchOptions { move_overhead: Duration::ZERO, ..SearchOptions::default() };
        let request =
            SearchRequest { game: game.clone(), started: Instant::now(), limits: limits.clone(), options };
        self.pool.go(request, Box::new(DepthTimes(Arc::clone(&reached))));
        while !self.pool.wait_for(ABORT_INTERVAL) {
            if (self.abort)() {
                self.pool.stop();
            }
        }
        std::mem::take(&mut *reached.lock())
    }
}

/// Notes when each depth was finished.
struct DepthTimes(Arc<Mutex<Vec<Option<Duration>>>>);

impl InfoSink for DepthTimes {
    fn info(&mut self, info: &Info) {
        let (mut reached, depth) = (self.0.lock(), info.depth.max(0) as usize);
        if info.bound == Bound::Exact && reached.len() <= depth {
            reached.resize(depth, None);
            reached.push(Some(info.elapsed));
        }
    }

    fn finished(&mut self, _answer: BestMove) {}
}

/// The median, where an absent value is longer than any.
fn median(mut times: Vec<Option<Duration>>) -> Option<Duration> {
    times.sort_by_key(|time| time.unwrap_or(Duration::MAX));
    times.get(times.len() / 2).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;

    fn test(threads: &[usize], limit: SpeedtestLimit, abort: &dyn Fn() -> bool) -> Vec<SpeedtestResult> {
        let config = SpeedtestConfig { threads: threads.to_vec(), hash: Some(4), limit };
        run(&config, &default_network(), &NumaPolicy::Auto, abort, |_| ()).unwrap()
    }

    #[test]
    fn the_games_are_legal_and_long() {
        for (game, moves) in games(1).iter().zip(GAMES) {
            assert_eq!(game.len(), (moves.split(' ').count() - PLIES.0).div_ceil(PLIES.1));
            assert!(game.len() > 30);
        }
        let all = games(1).concat().len();
        assert_eq!(games(7).concat().len(), all.div_ceil(7));
    }

    #[test]
    fn with_fixed_nodes_one_thread_counts_the_same_every_time() {
        let count = || test(&[1], SpeedtestLimit::Nodes(300), &|| false)[0].nodes;
        let nodes = count();
        assert_eq!(count(), nodes);
        assert!(nodes >= 290 * games(1).concat().len() as u64, "{nodes}");
    }

    #[test]
    fn every_number_of_threads_has_a_result_and_a_row() {
        let results = test(&[1, 2], SpeedtestLimit::Time(Duration::from_millis(300)), &|| false);
        assert_eq!(results.iter().map(|result| result.threads).collect::<Vec<_>>(), [1, 2]);
        assert!(results.iter().all(|result| result.nodes > 0 && result.positions.0 == result.positions.1));
        let text = report::text(&results, &default_network());
        for part in ["processor", "NUMA nodes", "memory pages", "nodes/s", "to depth", "Tamarack"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }

    #[test]
    fn it_ends_with_what_it_has() {
        let begun = Instant::now();
        let abort = || begun.elapsed() > Duration::from_millis(400);
        let results = test(&[1, 1], SpeedtestLimit::Time(Duration::from_secs(1000)), &abort);
        assert_eq!(results.len(), 1);
        assert!(results[0].positions.0 < results[0].positions.1);
        assert!(report::text(&results, &default_network()).contains("ended early"));
        assert!(report::text(&[], &default_network()).contains("ended early"));
    }

    #[test]
    fn the_median_counts_searches_that_did_not_come_so_far() {
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(median(vec![ms(3), None, ms(1), ms(2), None]), ms(3));
        assert_eq!(median(vec![None, ms(1), None]), None);
        assert_eq!(median(Vec::new()), None);
    }
}
