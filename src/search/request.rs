//! The request of a search: the game, the limits, the user's options.

use super::strength::Strength;
use crate::score::MAX_PLY;
use chess::{Color, Game, Move};
use platform::clock::Instant;
use std::time::Duration;

/// What to search, and for how long.
#[derive(Clone)]
pub struct SearchRequest {
    /// The position and the game before it.
    pub game: Game,
    /// The arrival of `go`.
    pub started: Instant,
    /// The limits.
    pub limits: Limits,
    /// The user's options.
    pub options: SearchOptions,
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
    /// The time left on the clock of `side`. Without it the increment counts as the time left, and without both, unless there
    /// is another limit, the opponent's time: a search without end would be worse.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        let increment = self.increment[side.index()];
        let own = self.time[side.index()].or((!increment.is_zero()).then_some(increment));
        own.or(if self.ends_by_itself() { None } else { self.time[(!side).index()] })
    }

    /// True if nothing but `stop` ends a search for `side` with these limits.
    pub fn is_endless(&self, side: Color) -> bool {
        self.infinite || !self.ends_by_itself() && self.time_left(side).is_none()
    }

    /// The depth of the last iteration of `go mate`. It searches every move without reduction, to at least twice as many plies
    /// as `mate` moves, so it finds the mate or there is none; of the table's entries of searches with reductions it believes
    /// only mates. Far mates are found sooner by deeper iterations with reductions, so these come first.
    pub fn mate_proof_depth(&self) -> Option<i32> {
        /// Up to this many moves a mate is proven or refuted without deeper iterations first.
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

/// The user's tablebase options.
#[derive(Clone, Copy, Debug)]
pub struct SyzygyOptions {
    /// Positions with the most pieces are probed from this depth on, others at any.
    pub depth: i32,
    /// The most pieces of positions to probe; 0 for none.
    pub max_pieces: u32,
    /// True if the fifty-move rule holds.
    pub fifty_moves: bool,
}

impl Default for SyzygyOptions {
    fn default() -> SyzygyOptions {
        SyzygyOptions { depth: 1, max_pieces: 7, fifty_moves: true }
    }
}
