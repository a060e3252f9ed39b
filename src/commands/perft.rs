//! `perft`: counts the leaves of the tree of legal moves, on all processors.

use chess::{Move, Position};
use platform::clock::Instant;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The greatest depth of a subtree that is counted without looking whether to abort: a few milliseconds.
const UNINTERRUPTED: u32 = 3;

/// A thread for each processor, or as many as the system gives; `None` where it gives none, and in WebAssembly.
fn pool() -> Option<ThreadPool> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = if cfg!(target_family = "wasm") { 0 } else { processors };
    (1..=most).rev().find_map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok())
}

/// The result of a perft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftResult {
    /// The leaves below each legal move; empty at depth 0.
    pub moves: Vec<(Move, u64)>,
    /// The number of all leaves.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
}

/// Counts the sequences of `depth` legal moves, divided by the first move. Returns `None` if `abort` became true before the
/// end.
pub fn divide(position: &Position, depth: u32, abort: &AtomicBool) -> Option<PerftResult> {
    let started = Instant::now();
    let Some(rest) = depth.checked_sub(1) else {
        return Some(PerftResult { moves: Vec::new(), nodes: 1, elapsed: started.elapsed() });
    };
    let moves = position.legal_moves();
    let after = |mv| position.after(mv);
    let moves: Option<Vec<(Move, u64)>> = match pool() {
        Some(pool) => pool.install(|| {
            let divided = |&mv: &Move| Some((mv, count_in_parallel(&after(mv), rest, abort)?));
            moves.par_iter().map(divided).collect()
        }),
        None => moves.iter().map(|&mv| Some((mv, count(&after(mv), rest, abort)?))).collect(),
    };
    let moves = moves?;
    let nodes = moves.iter().map(|(_, nodes)| nodes).sum();
    Some(PerftResult { moves, nodes, elapsed: started.elapsed() })
}

/// Splits the work once more, so that a few large subtrees do not leave processors idle.
fn count_in_parallel(position: &Position, depth: u32, abort: &AtomicBool) -> Option<u64> {
    if depth <= UNINTERRUPTED {
        return count(position, depth, abort);
    }
    position.legal_moves().par_iter().map(|&mv| count(&position.after(mv), depth - 1, abort)).sum()
}

fn count(position: &Position, depth: u32, abort: &AtomicBool) -> Option<u64> {
    if abort.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(position.perft(depth));
    }
    position.legal_moves().into_iter().map(|mv| count(&position.after(mv), depth - 1, abort)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(fen: &str, depth: u32) -> u64 {
        divide(&fen.parse().unwrap(), depth, &AtomicBool::new(false)).unwrap().nodes
    }

    #[test]
    fn the_known_counts() {
        let start = Position::startpos().to_string();
        assert_eq!([0, 1, 2, 4, 5].map(|depth| nodes(&start, depth)), [1, 20, 400, 197_281, 4_865_609]);
        assert_eq!(nodes(chess::positions::KIWIPETE, 4), 4_085_603);
    }

    #[test]
    fn moves_add_up_and_are_all_there() {
        let counted = divide(&Position::startpos(), 4, &AtomicBool::new(false)).unwrap();
        assert_eq!(counted.moves.len(), 20);
        let after = |mv| Position::startpos().after(mv);
        assert!(counted.moves.iter().all(|&(mv, nodes)| after(mv).perft(3) == nodes));
        assert_eq!(counted.moves.iter().map(|(_, nodes)| nodes).sum::<u64>(), counted.nodes);
    }

    #[test]
    fn it_can_be_stopped() {
        assert_eq!(divide(&Position::startpos(), 100, &AtomicBool::new(true)), None);
    }
}
