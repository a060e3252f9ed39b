//! The output of a search: lines of analysis, the move that is being searched, the best move, and who receives them.

use super::context::SearchContext;
use crate::score::{Bound, Score};
use chess::Move;
use std::time::Duration;

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Info {
    /// The iteration.
    pub depth: i32,
    /// The deepest ply reached, quiescence included.
    pub seldepth: usize,
    /// 1 for the best line, 2 for the second.
    pub multi_pv: usize,
    /// From the side to move's view.
    pub score: Score,
    /// The bound of `score`.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since `go`.
    pub elapsed: Duration,
    /// The fill of the transposition table, in thousandths.
    pub hashfull: u32,
    /// Positions found in tablebases, of all threads.
    pub tbhits: u64,
    /// The line, legal to the end; empty only when there is no legal move.
    pub pv: Vec<Move>,
}

impl Info {
    /// The line of a thread's result, with the search's counts.
    pub(crate) fn new(context: &SearchContext, multi_pv: usize, line: ThreadResult) -> Info {
        let ThreadResult { depth, seldepth, score, bound, pv } = line;
        Info {
            depth,
            seldepth,
            multi_pv,
            score,
            bound,
            nodes: context.shared.nodes(),
            elapsed: context.request.started.elapsed(),
            hashfull: context.tt.hashfull(),
            tbhits: context.shared.tbhits(),
            pv,
        }
    }
}

/// The result of one thread's search.
#[derive(Clone, Debug)]
pub struct ThreadResult {
    /// The last finished iteration.
    pub depth: i32,
    /// The deepest ply reached on the way to `pv`.
    pub seldepth: usize,
    /// The score of `pv`.
    pub score: Score,
    /// The bound of `score`.
    pub bound: Bound,
    /// The best line; empty only when there is no legal move.
    pub pv: Vec<Move>,
}

/// The root move that is being searched.
#[derive(Clone, Copy, Debug)]
pub struct CurrentMove {
    /// The iteration.
    pub depth: i32,
    /// The move.
    pub mv: Move,
    /// 1 for the first.
    pub number: usize,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play; `None` in mate or stalemate.
    pub best: Option<Move>,
    /// The reply to think about while the opponent thinks.
    pub ponder: Option<Move>,
}

/// The receiver of a search's output, called from the main thread.
pub trait InfoSink: Send {
    /// A line of analysis.
    fn info(&mut self, info: &Info);
    /// A root move is begun; sent only when the search has taken a few seconds.
    fn current_move(&mut self, _current: CurrentMove) {}
    /// Several threads have searched: their results by index, that of the main thread first, and the index of the one that is
    /// played (the main thread's where they do not vote: with several lines or a depth that was asked for).
    fn voted(&mut self, _results: &[ThreadResult], _chosen: usize) {}
    /// The search is over. Called exactly once, last.
    fn finished(&mut self, answer: BestMove);
}

/// An info sink that drops everything.
pub struct Silent;

impl InfoSink for Silent {
    fn info(&mut self, _info: &Info) {}
    fn finished(&mut self, _answer: BestMove) {}
}
