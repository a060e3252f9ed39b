//! The search: limits in, reports out. It never prints; a [`Listener`] is told what there is to tell.

mod aspiration;
mod clock;
mod correction;
mod deepen;
mod deepening;
mod endgame;
mod extend;
mod history;
pub mod lab;
mod leader;
mod learn;
mod leave;
mod moves;
mod node;
mod picker;
pub mod pool;
mod progress;
mod prune;
mod quiescence;
mod reduce;
mod root;
pub mod signals;
pub mod table;
mod vote;
mod worker;

pub use endgame::{Endgame, Probing};
pub use pool::{Pool, PoolError, ThreadsError};
pub use signals::Signals;
pub use table::{Table, TableError};
pub use worker::{Outcome, Worker};

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
    pub line: KeyHistory,
}

impl Game {
    /// Begins with `position`.
    pub fn new(position: Position) -> Game {
        Game { position, line: KeyHistory::new(position.key(), position.reversible_plies()) }
    }

    /// Goes on with a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position = self.position.after(mv);
        self.line.push(self.position.key(), self.position.reversible_plies());
    }
}

/// What every thread of a search is given.
#[derive(Clone)]
pub struct Search {
    /// What is wanted.
    pub task: Arc<Task>,
    /// What the threads tell each other.
    pub table: Arc<Table>,
    /// When to stop.
    pub signals: Arc<Signals>,
    /// What evaluates.
    pub network: Arc<Network>,
    /// What tablebases know.
    pub endgame: Option<Arc<Endgame>>,
}

/// What a search may use. Several limits at once: the first one reached ends the search; none at all: until stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time left on the clock of each colour, White first.
    pub time: [Option<Duration>; 2],
    /// Increment a move for each colour.
    pub increment: [Duration; 2],
    /// Moves until the next time control; `None` when the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// Iterations.
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
    /// What is on the clock of `side`. When only the opponent's is told, ours is taken to be the same, and when only an
    /// increment is told, that is taken to be all there is: a search without end would be worse.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        let increment = self.increment[side.index()];
        let told = self.time[side.index()].or((!increment.is_zero()).then_some(increment));
        told.or(if self.ends_by_itself() { None } else { self.time[(!side).index()] })
    }

    /// Whether nothing but `stop` ends a search of `side` with these limits.
    pub fn is_endless(&self, side: Color) -> bool {
        self.infinite || !self.ends_by_itself() && self.time_left(side).is_none()
    }

    /// The depth of the last iteration of `go mate`. It searches every move without reduction, to at least twice as many plies as
    /// `mate` moves, so it finds the mate or there is none, unless a table entry of a search with reductions cuts it off. Far
    /// mates are found sooner by deeper iterations with reductions, so these come first.
    pub fn mate_proof_depth(&self) -> Option<i32> {
        /// The longest mate that is proven or refuted without deeper iterations first.
        const NEAR: u32 = 6;
        self.mate.map(|moves| if moves <= NEAR { 2 } else { 5 } * moves.min(MAX_PLY as u32) as i32)
    }

    /// Whether there is a limit beside the clock.
    fn ends_by_itself(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
    }
}

/// What the user has set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The number of best lines to find.
    pub multi_pv: usize,
    /// Time lost between engine and clock for each move.
    pub move_overhead: Duration,
    /// How tablebases are used.
    pub probing: Probing,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { multi_pv: 1, move_overhead: Duration::from_millis(20), probing: Probing::default() }
    }
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Report {
    /// The iteration.
    pub depth: i32,
    /// The deepest ply reached, quiescence included.
    pub seldepth: usize,
    /// 1 for the best line, 2 for the second.
    pub multi_pv: usize,
    /// From the side to move's view.
    pub score: Score,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since `go`.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Positions that tablebases have known, of all threads.
    pub tbhits: u64,
    /// The line, legal to the end; empty only when there is no legal move.
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

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; `None` in mate or stalemate.
    pub best: Option<Move>,
    /// The reply to think about while the opponent thinks.
    pub ponder: Option<Move>,
}

/// Is told what a search finds, from the thread that leads the search.
pub trait Listener: Send {
    /// A line of analysis.
    fn report(&mut self, report: &Report);
    /// A root move is begun; only sent when the search has taken a few seconds.
    fn current_move(&mut self, _current: CurrentMove) {}
    /// The search is over. Called exactly once, last.
    fn finished(&mut self, answer: Answer);
}

/// Hears nothing.
pub struct Silent;

impl Listener for Silent {
    fn report(&mut self, _report: &Report) {}
    fn finished(&mut self, _answer: Answer) {}
}

/// What is being searched: the same for every thread.
#[derive(Clone)]
pub struct Task {
    /// The position and the game behind it.
    pub game: Game,
    /// When `go` arrived.
    pub started: Instant,
    /// What the search may use.
    pub limits: Limits,
    /// What the user has set.
    pub settings: Settings,
}

/// All numbers that tuning may move.
#[cfg(feature = "tune")]
pub fn tunables() -> impl Iterator<Item = &'static crate::tunable::Tunable> {
    [
        aspiration::TUNABLES,
        correction::TUNABLES,
        deepen::TUNABLES,
        extend::TUNABLES,
        history::TUNABLES,
        learn::TUNABLES,
        node::TUNABLES,
        picker::TUNABLES,
        prune::TUNABLES,
        quiescence::TUNABLES,
        reduce::TUNABLES,
    ]
    .into_iter()
    .flatten()
}
