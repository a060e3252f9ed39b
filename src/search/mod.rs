//! The search: limits in, lines of analysis and a best move out. It never prints; an [`InfoSink`] is sent what there is.
//!
//! Each file uses only what stands below it:
//!
//! - `thread`: the pool, the main thread, the vote;
//! - `iterative_deepening`: iterations and aspiration windows;
//! - `node`: one visit to a node (its `mod.rs` names the files and their order); `lab` replaces a few of its functions in
//!   builds with that feature;
//! - `root_info`: root moves during the search;
//! - `searcher`: one thread's state, making moves, counting nodes;
//! - `memory`: transposition table, histories, corrections, stack, principal variations; `root_moves`, `tb` (tablebases),
//!   `time` (time management), `strength` (weak play), `shared_state`.
//!
//! Where to find a technique, its whole condition and amount:
//!
//! | technique | place |
//! | --- | --- |
//! | principal variation search (PVS) | `node/alpha_beta.rs`: `pvs` |
//! | transposition cutoff | `node/probe.rs`: `tt_cutoff` |
//! | tablebase probe | `node/probe.rs`: `tb_probe`; root: `iterative_deepening.rs`: `rank_root_moves` |
//! | mate distance pruning, upcoming repetition | `node/probe.rs`: `draw_or_mate_distance` |
//! | reverse futility pruning (RFP) | `node/pruning.rs`: `rfp` |
//! | null move pruning (NMP) | `node/pruning.rs`: `nmp`, `nmp_applies` |
//! | ProbCut | `node/pruning.rs`: `probcut` |
//! | late move pruning (LMP), futility, history, SEE pruning | `node/pruning.rs`: `prune_quiet`, `prune_noisy` |
//! | internal iterative reduction (IIR) | `node/reductions.rs`: `iir` |
//! | late move reductions (LMR) with history | `node/reductions.rs`: `lmr_reduction` |
//! | hindsight reduction | `node/reductions.rs`: `hindsight_reduction` |
//! | singular extension, multi-cut | `node/extensions.rs`: `singular_extension` |
//! | mate extension | `node/extensions.rs`: `mate_extension` |
//! | check extension | `node/extensions.rs`: `check_extension` |
//! | delta pruning | `node/qsearch.rs`: `qsearch_futility` |
//! | move ordering | `node/move_picker.rs` |
//! | history bonus and malus | `node/update.rs` |
//! | continuation, pawn, capture, butterfly history | `memory/history.rs` |
//! | correction history | `memory/correction.rs`, learning in `node/update.rs`: `update_correction_history` |
//! | aspiration windows | `iterative_deepening.rs`: `search_root` |
//! | time management | `time.rs`: `allocate`, `factor` |
//! | limited strength | `strength.rs` |
//! | lazy SMP, vote | `thread/pool.rs`, `thread/vote.rs` |

mod eval_sample;
mod iterative_deepening;
#[cfg(feature = "lab")]
pub mod lab;
mod memory;
mod node;
mod root_info;
mod root_moves;
mod searcher;
mod shared_state;
mod strength;
mod tb;
mod thread;
mod time;

pub use memory::tt::{DEPTH_MAX, DEPTH_MIN, TranspositionTable, TtEntry, TtError};
pub use searcher::Worker;
pub use shared_state::SharedState;
pub use strength::{DEFAULT_ELO, MAX_ELO, MIN_ELO, Strength, TOP_SKILL_LEVEL};
pub use tb::{SyzygyOptions, TbProbe};
pub use thread::error::{PoolError, ThreadsError};
pub use thread::numa::{Numa, NumaNode, NumaPolicy, NumaPolicyError};
pub use thread::pool::{MAX_THREADS, Pool};
pub use time::counted_time;

use crate::chess::{Color, KeyHistory, Move, Position};
use crate::eval::Network;
use crate::score::{Bound, MAX_PLY, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A position to search and the positions of the game that led to it.
#[derive(Clone)]
pub struct Game {
    /// The position to search.
    pub position: Position,
    /// The keys of the game so far, up to and including `position`.
    pub keys: KeyHistory,
}

impl Game {
    /// A game that begins with `position`.
    pub fn new(position: Position) -> Game {
        Game { position, keys: KeyHistory::new(position.key(), position.reversible_plies()) }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position = self.position.after(mv);
        self.keys.push(self.position.key(), self.position.reversible_plies());
    }
}

/// The inputs of a search, the same for every thread.
#[derive(Clone)]
pub struct Search {
    /// The position, the limits and the options.
    pub task: Arc<Task>,
    /// The transposition table.
    pub tt: Arc<TranspositionTable>,
    /// Stop flag, ponderhit and node counts.
    pub shared: Arc<SharedState>,
    /// The network.
    pub network: Arc<Network>,
    /// The tablebases; `None` for a search without them.
    pub tb: Option<Arc<TbProbe>>,
}

/// The limits of a search. The first one reached ends it; without any it goes on until stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time left on the clock of each colour, White first.
    pub time: [Option<Duration>; 2],
    /// Increment a move for each colour.
    pub increment: [Duration; 2],
    /// Moves until the next time control; `None` when the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time for the move.
    pub move_time: Option<Duration>,
    /// Iterations, in plies.
    pub depth: Option<i32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Begin no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in at most this many moves is proven, for or against.
    pub mate: Option<u32>,
    /// Do not finish before `stop`.
    pub infinite: bool,
    /// The opponent is thinking: do not finish before `ponderhit` or `stop`; the clock runs from `ponderhit`.
    pub ponder: bool,
    /// Search only these root moves; empty for all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// The time left on the clock of `side`. If only the opponent's is given, ours is taken to be the same, and if only an
    /// increment is given, that is taken to be all there is: a search without end would be worse.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        let increment = self.increment[side.index()];
        let told = self.time[side.index()].or((!increment.is_zero()).then_some(increment));
        told.or(if self.ends_by_itself() { None } else { self.time[(!side).index()] })
    }

    /// True if nothing but `stop` ends a search for `side` with these limits.
    pub fn is_endless(&self, side: Color) -> bool {
        self.infinite || !self.ends_by_itself() && self.time_left(side).is_none()
    }

    /// The depth of the last iteration of `go mate`. It searches every move without reduction, to at least twice as many plies
    /// as `mate` moves, so it finds the mate or there is none; of the table's entries of searches with reductions it believes
    /// only mates. Far mates are found sooner by deeper iterations with reductions, so these come first.
    pub fn mate_proof_depth(&self) -> Option<i32> {
        /// The longest mate that is proven or refuted without deeper iterations first.
        const NEAR: u32 = 6;
        self.mate.map(|moves| if moves <= NEAR { 2 } else { 5 } * moves.min(MAX_PLY as u32) as i32)
    }

    /// True if there is a limit beside the clock.
    fn ends_by_itself(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
    }
}

/// The user's options of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// The number of best lines to find.
    pub multi_pv: usize,
    /// Time lost between engine and clock for each move.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond of the clock (`nodestime`); 0 for the real time.
    pub nodes_per_ms: u64,
    /// The limits of weaker play; `None` for full strength.
    pub strength: Option<Strength>,
    /// The use of tablebases.
    pub syzygy: SyzygyOptions,
    /// Scores for training: evaluations are the network's output alone, without the fifty-move scaling and the corrections,
    /// which it could not learn to predict, and moves of PV nodes are not pruned.
    pub training: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multi_pv: 1,
            move_overhead: Duration::from_millis(20),
            nodes_per_ms: 0,
            strength: None,
            syzygy: SyzygyOptions::default(),
            training: false,
        }
    }
}

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
    pub(crate) fn new(search: &Search, multi_pv: usize, line: ThreadResult) -> Info {
        let ThreadResult { depth, seldepth, score, bound, pv } = line;
        Info {
            depth,
            seldepth,
            multi_pv,
            score,
            bound,
            nodes: search.shared.nodes(),
            elapsed: search.task.started.elapsed(),
            hashfull: search.tt.hashfull(),
            tbhits: search.shared.tbhits(),
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

/// The task of a search.
#[derive(Clone)]
pub struct Task {
    /// The position and the game before it.
    pub game: Game,
    /// The arrival of `go`.
    pub started: Instant,
    /// The limits.
    pub limits: Limits,
    /// The user's options.
    pub options: SearchOptions,
}
