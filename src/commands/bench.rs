//! `bench`: searches a fixed list of positions, each with an empty transposition table. The node count identifies the
//! version of the search; the speed is a benchmark.

use crate::search::{BestMove, Info, InfoSink, Limits, Pool, PoolError, SearchOptions, SearchRequest};
use chess::{FenError, Game, Move, Position};
use crossbeam::channel::{Sender, bounded};
use nnue::Network;
use platform::clock::Instant;
use platform::files;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The depth of `bench` without arguments, which takes a few seconds.
pub const DEFAULT_DEPTH: i32 = 12;

/// The interval at which a search looks whether it shall be aborted.
const ABORT_INTERVAL: Duration = Duration::from_millis(5);

/// The arguments of `bench`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchConfig {
    /// The limit of the search of each position.
    pub limit: BenchLimit,
    /// The number of search threads. With more than one the node count differs from run to run.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// A file with a FEN or EPD on each line; `None` for the fixed list.
    pub file: Option<String>,
    /// True if the summary of Stockfish's `bench` comes last, not the line of OpenBench.
    pub stockfish_style: bool,
}

/// The limit of a search of the bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchLimit {
    /// A depth.
    Depth(i32),
    /// A number of nodes.
    Nodes(u64),
    /// A time.
    MoveTime(Duration),
}

impl Default for BenchConfig {
    fn default() -> BenchConfig {
        BenchConfig {
            limit: BenchLimit::Depth(DEFAULT_DEPTH),
            threads: 1,
            hash: 16,
            file: None,
            stockfish_style: false,
        }
    }
}

impl BenchLimit {
    fn limits(self) -> Limits {
        match self {
            BenchLimit::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            BenchLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            BenchLimit::MoveTime(time) => Limits { move_time: Some(time), ..Limits::default() },
        }
    }
}

/// The result of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionResult<'a> {
    /// The number of the position, from 1.
    pub number: usize,
    /// The number of all positions.
    pub count: usize,
    /// The position as FEN.
    pub fen: &'a str,
    /// The nodes searched.
    pub nodes: u64,
    /// The best move; `None` in mate or stalemate.
    pub best: Option<Move>,
}

/// The totals of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// The nodes of all positions.
    pub nodes: u64,
    /// The time of all searches.
    pub elapsed: Duration,
}

/// The reason why a bench failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BenchError {
    #[error("{0}")]
    Pool(#[from] PoolError),
    #[error("position {0}: {1}")]
    Fen(String, FenError),
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    #[error("{0} holds no position")]
    NoPositions(String),
}

/// Searches every position with `network` and calls `each` with its result. Returns the totals, or `None` if `abort`
/// became true before the end.
///
/// # Errors
/// If the system has no memory for the transposition table, or not enough threads, or the file cannot be read, holds no
/// position, or has a line that is none.
pub fn run(
    config: &BenchConfig,
    network: &Arc<Network>,
    abort: &AtomicBool,
    mut each: impl FnMut(&PositionResult<'_>),
) -> Result<Option<BenchResult>, BenchError> {
    let read = |file: &String| files::read_text(file).map_err(|error| BenchError::File(file.clone(), error));
    let text = config.file.as_ref().map(read).transpose()?;
    let positions = match &text {
        None => POSITIONS.to_vec(),
        Some(text) => files::filled_lines(text).map(|(_, line)| line).collect(),
    };
    if positions.is_empty() {
        return Err(BenchError::NoPositions(config.file.clone().unwrap_or_default()));
    }
    let mut pool = Pool::new(config.hash)?;
    pool.set_threads(config.threads).map_err(PoolError::from)?;
    pool.set_network(Arc::clone(network)).map_err(PoolError::Network)?;
    let mut total = BenchResult { nodes: 0, elapsed: Duration::ZERO };
    for (index, fen) in positions.iter().enumerate() {
        let (position, _) =
            Position::from_fen_lenient(fen).map_err(|error| BenchError::Fen(fen.to_string(), error))?;
        pool.clear();
        let started = Instant::now();
        let best = search(&mut pool, position, config.limit, abort);
        total.elapsed += started.elapsed();
        if abort.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let nodes = pool.nodes();
        total.nodes += nodes;
        each(&PositionResult { number: index + 1, count: positions.len(), fen, nodes, best });
    }
    Ok(Some(total))
}

fn search(pool: &mut Pool, position: Position, limit: BenchLimit, abort: &AtomicBool) -> Option<Move> {
    let (sender, receiver) = bounded(1);
    let request = SearchRequest {
        game: Game::new(position),
        started: Instant::now(),
        limits: limit.limits(),
        options: SearchOptions::default(),
    };
    pool.go(request, Box::new(BestMoveListener(sender)));
    while !pool.wait_for(ABORT_INTERVAL) {
        if abort.load(Ordering::Relaxed) {
            pool.stop();
        }
    }
    receiver.try_recv().ok()?.best
}

/// Passes on the best move only.
struct BestMoveListener(Sender<BestMove>);

impl InfoSink for BestMoveListener {
    fn info(&mut self, _info: &Info) {}

    fn finished(&mut self, answer: BestMove) {
        let _ = self.0.send(answer);
    }
}

/// Openings, middlegames, endgames, mates, checks, and Chess960.
const POSITIONS: [&str; 50] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/2pnbppp/p2p1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 w - - 1 11",
    "r2q1rk1/1p1nbppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R w - - 5 11",
    "r1bq1rk1/pppnnpbp/3p2p1/3Pp3/2P1P3/2N5/PP2BPPP/R1BQNRK1 w - - 3 10",
    "r2qkb1r/pb1n1ppp/2p1pn2/1p6/3P4/2NBPN2/PP3PPP/R1BQK2R w KQkq - 2 9",
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",
    "rn1q1rk1/pb1p1pp1/1p2p3/1Pp4p/2PPn3/P2Q4/3BPPPP/R3KBNR w KQ c6 0 12",
    "r1bqr1k1/1ppp1pp1/8/p2Pn1Np/7P/2P3P1/P2PP3/R1BQ1RK1 w - - 0 14",
    "3r1bnr/p1qnk1p1/1pp1pp1p/7P/PPPPR3/3Q1NN1/3B1PP1/R3K3 w Q - 0 17",
    "rn1qk2r/pP1b1p1p/5n2/1B2b3/5ppP/8/PPPP2P1/RNBQK2R w KQkq - 1 11",
    "1nb1qrk1/1p4b1/2pp1np1/r4p1p/2PP3P/2N1PpP1/P2B1PB1/RQ3RK1 w - - 0 15",
    "rn1qk3/1p1bp1br/1n1p2p1/p2P1p2/P1P2P1P/1PN4P/4Q3/R1B1KBNR w KQq - 1 15",
    "r2k1b1r/3n2p1/p4p2/qppp1b1p/P2P1P1P/2N2N2/1PP1Q1P1/R1B1KR2 w Q - 0 17",
    "r1b2rk1/4q1p1/p2bpn2/n2pN2p/Pp3P1P/3PR1P1/1PQN2B1/R1B3K1 w - - 1 19",
    "1n2k3/3qb1r1/r2p2p1/P1pP1p1p/R4PnP/1PN3P1/3BN3/3Q1KR1 w - - 0 21",
    "1rb2rk1/3n3p/3p2p1/q1p1bp2/1p2P2P/1P2QP2/2R1N1P1/4KBNR w K - 0 21",
    "2b1rk2/1rB1b3/pp2qp2/3p2pn/PP1P2P1/2N1P2P/2QKN2R/3R4 w - - 1 27",
    "1nr1k3/1p2b3/6p1/5p2/3N1P1r/P2K3P/3R4/2B2R2 w - - 2 27",
    "r4rk1/1bq1bppp/p2ppn2/1p6/3BPP2/2N2B2/PPP1Q1PP/R4RK1 b - - 3 14",
    "2rq1rk1/pb2bppp/1pn1p3/8/2BPN3/P3PN2/1P3PPP/2RQ1RK1 w - - 1 15",
    // Endings.
    "8/8/7k/p1P4p/1r1B4/4P2r/3KR3/8 w - - 0 48",
    "8/6k1/3b4/6PP/P1bp1N2/8/5R2/2K5 w - - 1 44",
    "8/5pk1/6p1/3R3p/7P/r5P1/5PK1/8 w - - 0 40",
    "8/2k5/2p5/1pP5/1P1K4/8/8/8 w - - 0 1",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1",
    "5k2/8/4KP2/8/8/2b5/8/6R1 w - - 0 1",
    "8/3k1p2/4p1p1/1p1pP1P1/1P1K1P2/8/3B4/5b2 w - - 0 1",
    "6k1/5ppp/8/2n5/2B1P3/5P2/6PP/6K1 b - - 0 30",
    "8/1P3k2/8/8/8/5r2/1R6/6K1 w - - 0 1",
    "3q4/5pk1/6p1/3Q3p/7P/6P1/5PK1/8 b - - 0 45",
    "8/8/3k4/8/2PK4/8/8/8 b - - 0 1",
    "8/8/3k4/8/8/3BN3/3K4/8 w - - 0 1",
    "8/8/3k4/3r4/8/8/1Q6/K7 w - - 0 1",
    "8/P5k1/8/8/8/8/1p4K1/8 w - - 0 1",
    "8/8/4k3/8/3R4/3K4/8/5r2 w - - 85 120",
    "7k/8/6QK/8/8/8/5q2/8 b - - 0 1",
    // Mates in a few moves, checkmates, and a stalemate.
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "5r1k/6pp/8/6N1/2Q5/8/6PP/6K1 w - - 0 1",
    "8/8/8/8/8/2k5/1q6/K7 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "3r2k1/p4ppp/1p6/2q5/8/P3Q3/1P3PPP/4R1K1 w - - 0 1",
    // In check.
    "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 3",
    "r2qk2r/pp3ppp/2n2N2/3p4/8/2P5/PP3PPP/4R1K1 b kq - 0 1",
    "3k1b2/3n4/8/3Qp2p/2PPN3/2N1P3/5Pr1/3K2q1 w - - 7 38",
    // Chess960.
    "nnqrbbkr/p1p1ppp1/1p6/3p3p/3P1P1P/8/PPP1P1P1/NNQRBBKR w KQkq - 0 4",
    "nqr1krbn/2pp1pp1/1p2p3/p5Pp/5P2/2P5/P1PPP2P/NQRBKR1N w FCfc h6 0 7",
    "rnkrq1bb/p1p2p1n/1p2p1p1/7p/3PP2P/8/PPP2BP1/RNKRQN1B w DAda - 0 9",
    "1rbkrn1b/4n1p1/4p3/pppp1p1p/7P/PBP2NP1/1P1PP3/QRBK1N2 w Beb - 0 12",
    "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1",
    "1nb2k1r/4r3/1pqp1pnp/p1p1p1p1/P1P1P1P1/1PQPRP1P/3BB3/1N4KR w H - 0 16",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;
    use nnue::network::{Shape, sample};

    #[test]
    fn the_positions_are_possible_and_different() {
        let mut keys: Vec<u64> =
            POSITIONS.iter().map(|fen| fen.parse::<Position>().expect(fen).key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), POSITIONS.len());
    }

    fn count(config: &BenchConfig, network: &Arc<Network>) -> u64 {
        let mut seen = 0;
        let each = |result: &PositionResult<'_>| seen += result.nodes;
        let total = run(config, network, &AtomicBool::new(false), each).unwrap().unwrap();
        assert_eq!(seen, total.nodes);
        total.nodes
    }

    fn shallow() -> BenchConfig {
        BenchConfig { limit: BenchLimit::Depth(3), hash: 1, ..BenchConfig::default() }
    }

    #[test]
    fn every_build_counts_the_nodes_of_bench_txt() {
        let expected = include_str!("../../bench.txt").trim().parse();
        assert_eq!(Ok(count(&BenchConfig::default(), &default_network())), expected);
    }

    #[test]
    fn one_thread_counts_the_same_every_time() {
        assert_eq!(count(&shallow(), &default_network()), count(&shallow(), &default_network()));
    }

    #[test]
    fn another_network_searches_another_tree() {
        let other = Arc::new(sample(Shape { hidden: 32, buckets: 1 }, 5));
        assert_ne!(count(&shallow(), &default_network()), count(&shallow(), &other));
    }

    #[test]
    fn it_can_be_stopped() {
        let config = BenchConfig { limit: BenchLimit::Depth(200), hash: 1, ..BenchConfig::default() };
        let stopped = run(&config, &default_network(), &AtomicBool::new(true), |_| ());
        assert_eq!(stopped.unwrap(), None);
    }
}
