//! What the clock is told of a search after each iteration.

use crate::score::Score;

/// How the search stands after a finished iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The iteration.
    pub depth: i32,
    /// Its score.
    pub score: Score,
    /// The score three iterations ago, or the oldest there is, to see it fall or rise.
    pub earlier_score: Score,
    /// Iterations since the best move was last another one.
    pub best_move_stability: u32,
    /// The part of this search's nodes that was spent on the best move, 0 to 1.
    pub best_move_node_share: f64,
    /// Root moves that may be played.
    pub legal_moves: usize,
}
