//! Temporary, until the real clock lands.
#![allow(missing_docs, dead_code)]
use crate::score::Score;
pub struct Progress {
    pub depth: i32,
    pub score: Score,
    pub earlier_score: Score,
    pub best_move_stability: u32,
    pub best_move_node_share: f64,
    pub legal_moves: usize,
}
