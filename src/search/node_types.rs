//! The plain data of one node: its type, its window, and what is known before a move is tried.

use crate::score::{MAX_PLY, Score};
use crate::search::memory::history::HistoryContext;
use crate::search::memory::tt::TtEntry;
use arrayvec::ArrayVec;
use chess::{Move, Position};
use platform::clock::HAS_TURNS;

/// The search was told to stop. Travels up the recursion by `?`.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

/// The score of a node, from the view of its side to move.
pub type SearchResult = Result<Score, Stopped>;

/// The type of a node, known at compile time.
pub trait NodeType {
    /// True for nodes of the principal variation, which are searched with an open window.
    const PV: bool;
    /// True for the root.
    const ROOT: bool;
    /// True if the host gets a turn in such a node (see [`give_turn`](platform::clock::give_turn)).
    const GIVES_TURNS: bool;
    /// The type of the nodes that are searched below it with a zero-width window.
    type ZeroWidth: NodeType;
}

/// The root.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node off the principal variation, searched with a zero-width window, in which the host may get a turn or not.
pub struct OffPv<const GIVES_TURNS: bool>;
/// A node off the principal variation, searched with a zero-width window.
pub type NonPv = OffPv<false>;

/// The minimum depth of nodes off the principal variation in which the host gets turns: all below take a few milliseconds. They are
/// compiled without turns, since each function that may pause is slower, and nodes of little depth are nearly all.
pub const TURN_DEPTH: i32 = 7;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    const GIVES_TURNS: bool = HAS_TURNS;
    type ZeroWidth = OffPv<HAS_TURNS>;
}
impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    const GIVES_TURNS: bool = HAS_TURNS;
    type ZeroWidth = OffPv<HAS_TURNS>;
}
impl<const GIVES_TURNS: bool> NodeType for OffPv<GIVES_TURNS> {
    const PV: bool = false;
    const ROOT: bool = false;
    const GIVES_TURNS: bool = GIVES_TURNS;
    type ZeroWidth = OffPv<GIVES_TURNS>;
}

/// The alpha-beta window of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The score that the side to move has already: a fail-low is at most this.
    pub alpha: Score,
    /// The score from which on the opponent avoids the node: a fail-high is at least this.
    pub beta: Score,
}

impl Window {
    /// The open window: every score lies inside.
    pub const FULL: Window = Window { alpha: Score::from_raw(-32_001), beta: Score::INFINITE };

    /// The zero-width window that asks if the score is above `alpha`.
    #[inline(always)]
    pub fn zero_width(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// True if scores fit between alpha and beta, as in PV nodes.
    #[inline(always)]
    pub fn is_open(self) -> bool {
        self.beta > self.alpha + 1
    }

    /// The same window from the opponent's view.
    #[inline(always)]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A node. The steps before the move loop fill it and adjust window and depth; the move loop only reads it.
pub struct Node<'p> {
    /// The position.
    pub position: &'p Position,
    /// The alpha-beta window at entry, after mate distance pruning, upcoming repetition and tablebases have narrowed it.
    pub window: Window,
    /// Plies still to search; 0 and less is quiescence.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// True where a fail-high is expected.
    pub cut_node: bool,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// The entry of the transposition table; its move, if any, is legal.
    pub tt_entry: Option<TtEntry>,
    /// The network's evaluation, uncorrected; `None` in check.
    pub raw_eval: Option<Score>,
    /// The static evaluation after correction; `None` in check.
    pub static_eval: Option<Score>,
    /// The static evaluation, or the table's score where its bound says that it is closer to the truth; a draw score in
    /// check.
    pub eval: Score,
    /// True if the static evaluation is higher than at the side to move's last turn.
    pub improving: bool,
    /// True in the search that verifies a null-move cutoff of the same position.
    pub is_verification: bool,
    /// The minimum score that tablebases allow; known in PV nodes only.
    pub tb_min: Score,
    /// The maximum score that tablebases allow; known in PV nodes only.
    pub tb_max: Score,
}

impl<'p> Node<'p> {
    /// A node of which nothing is known yet.
    #[inline(always)]
    pub fn new(position: &'p Position, window: Window, depth: i32, ply: usize) -> Node<'p> {
        Node {
            position,
            window,
            depth,
            ply,
            cut_node: false,
            excluded: None,
            tt_entry: None,
            raw_eval: None,
            static_eval: None,
            eval: Score::DRAW,
            improving: false,
            is_verification: false,
            tb_min: -Score::INFINITE,
            tb_max: Score::INFINITE,
        }
    }

    /// The node as expected cut node, or not.
    #[inline(always)]
    pub fn with_cut_node(mut self, cut_node: bool) -> Node<'p> {
        self.cut_node = cut_node;
        self
    }

    /// The node without the move `mv`.
    #[inline(always)]
    pub fn excluding(mut self, mv: Move) -> Node<'p> {
        self.excluded = Some(mv);
        self
    }

    /// The node as verification of a null-move cutoff.
    #[inline(always)]
    pub fn verifying(mut self) -> Node<'p> {
        self.is_verification = true;
        self
    }

    /// The move of the transposition table.
    #[inline(always)]
    pub fn tt_move(&self) -> Option<Move> {
        self.tt_entry.as_ref().and_then(|entry| entry.mv)
    }

    /// True if the transposition table says that the position has been on a principal variation.
    #[inline(always)]
    pub fn tt_pv(&self) -> bool {
        self.tt_entry.as_ref().is_some_and(|entry| entry.tt_pv)
    }

    /// The size of the correction in the static evaluation, in centipawns; 0 in check.
    #[inline(always)]
    pub fn correction(&self) -> i32 {
        self.static_eval.zip(self.raw_eval).map_or(0, |(eval, raw)| (eval - raw.raw()).raw().abs())
    }

    /// Alpha at entry, before any move raised it.
    #[inline(always)]
    pub fn entry_alpha(&self) -> Score {
        self.window.alpha
    }

    /// True if the position is improving or its static evaluation is at least beta (Stockfish): what LMP, futility and LMR
    /// go by.
    #[inline(always)]
    pub fn improving_or_above_beta(&self) -> bool {
        self.improving || self.static_eval.is_some_and(|eval| eval >= self.window.beta)
    }

    /// True if the whole node may be pruned: not in check, no excluded move, no proven score as beta, and no verification,
    /// which has to search.
    #[inline(always)]
    pub fn can_prune(&self) -> bool {
        self.static_eval.is_some()
            && self.excluded.is_none()
            && !self.is_verification
            && !self.window.beta.is_decisive()
    }

    /// The contract at the node's door, checked in debug builds.
    #[inline(always)]
    pub fn debug_check<NT: NodeType>(&self) {
        let Window { alpha, beta } = self.window;
        debug_assert!(alpha < beta, "an empty window {alpha:?} {beta:?}");
        debug_assert!(NT::PV || !self.window.is_open(), "an open window off the principal variation");
        debug_assert!(self.depth <= 2 * MAX_PLY as i32, "depth {}", self.depth);
        debug_assert!(self.ply < MAX_PLY, "ply {}", self.ply);
        debug_assert!(!(NT::PV && self.cut_node), "a PV node is no cut node");
    }
}

/// The stage of move picking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The move of the transposition table.
    TtMove,
    /// Noisy moves are to be generated and scored.
    ScoreNoisy,
    /// Captures and promotions that seem to lose nothing.
    GoodNoisy,
    /// Quiet moves are to be generated and scored.
    ScoreQuiet,
    /// Quiet moves that check directly are to be generated, and no other quiet ones.
    GenerateChecks,
    /// Quiet moves.
    Quiet,
    /// Captures and promotions that lose material.
    BadNoisy,
}

/// A move that the picker has given, before it is made: what pruning goes by.
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The stage of the move picker that gave it.
    pub stage: Stage,
    /// Its number among the node's moves, from 1.
    pub move_count: i32,
    /// True unless it is a capture or queen promotion.
    pub quiet: bool,
    /// True if it may lose material by exchange: see [`HistoryContext::may_lose_material`].
    pub may_lose_material: bool,
    /// The score of a quiet move in the move ordering (histories, threats and checks), or the history of a noisy one. 0 for
    /// the table's move, which comes first: what asks for the score leaves first moves alone.
    pub order_score: i32,
}

impl Candidate {
    /// The `move_count`th move of a node, of which nothing is known about exchanges.
    #[cfg(test)]
    pub fn new(mv: Move, stage: Stage, move_count: i32, order_score: i32) -> Candidate {
        Candidate { mv, stage, move_count, quiet: mv.is_quiet(), may_lose_material: true, order_score }
    }

    /// Static exchange evaluation: true if the move loses at most `margin` centipawns, at least 0.
    #[inline(always)]
    pub fn see_ge(&self, position: &Position, margin: i32) -> bool {
        debug_assert!(self.may_lose_material || position.see_ge(self.mv, 0));
        !self.may_lose_material || position.see_ge(self.mv, -margin)
    }
}

/// A move that has been made and is to be searched: what extensions and reductions go by.
pub struct MadeMove {
    /// The move.
    pub candidate: Candidate,
    /// True if it gives check.
    pub gives_check: bool,
    /// Plies that it is searched deeper.
    pub extension: i32,
    /// True if an earlier move has raised alpha.
    pub alpha_raised: bool,
    /// The number of earlier moves that were answered by a fail-high.
    pub child_cutoffs: i32,
    /// Plies that the table's move is searched deeper.
    pub tt_move_extension: i32,
}

impl MadeMove {
    /// A move without extension among moves that neither raised alpha nor failed.
    #[cfg(test)]
    pub fn new(candidate: Candidate, gives_check: bool) -> MadeMove {
        MadeMove {
            candidate,
            gives_check,
            extension: 0,
            alpha_raised: false,
            child_cutoffs: 0,
            tt_move_extension: 0,
        }
    }
}

/// The result of a node's move loop.
pub struct MoveLoopResult {
    /// The context by which the histories of the moves were looked up.
    pub context: HistoryContext,
    /// The best score.
    pub best_score: Score,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    /// The number of moves searched or pruned.
    pub move_count: i32,
    /// Quiet moves that were searched and did not fail high.
    pub quiets: ArrayVec<Move, 64>,
    /// Noisy moves that were searched and did not fail high.
    pub noisies: ArrayVec<Move, 32>,
    /// Alpha as raised by the moves so far.
    pub raised_alpha: Score,
}

impl MoveLoopResult {
    /// The result before the first move.
    #[inline(always)]
    pub fn new(context: HistoryContext, entry_alpha: Score) -> MoveLoopResult {
        MoveLoopResult {
            context,
            best_score: -Score::INFINITE,
            best_move: None,
            move_count: 0,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
            raised_alpha: entry_alpha,
        }
    }
}
