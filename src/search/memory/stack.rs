//! The search stack: the facts about each ply of the line being searched that other plies read.

use super::history::{NoisyMove, PieceTo, QuietMove};
use crate::score::{MAX_PLY, Score};

/// One ply of the line being searched.
#[derive(Clone, Copy)]
pub struct StackEntry {
    /// The piece and target square of the move being searched at this ply.
    pub piece_to: PieceTo,
    /// The history keys of that move if it is quiet and was made by the main search.
    pub quiet: Option<QuietMove>,
    /// The history keys of that move if it is noisy and was made by the main search.
    pub noisy: Option<NoisyMove>,
    /// The number of that move among its node's moves, from 1; meaningless unless `quiet` or `noisy` is known.
    pub move_count: i32,
    /// The static evaluation after correction; `None` in check.
    pub static_eval: Option<Score>,
    /// Plies by which late-move reductions have reduced the search of that move.
    pub reduction: i32,
    /// The number of nodes at this ply that failed high since the node two plies above was entered.
    pub cutoff_count: i32,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        piece_to: PieceTo::NONE,
        quiet: None,
        noisy: None,
        move_count: 0,
        static_eval: None,
        reduction: 0,
        cutoff_count: 0,
    };
}

/// The entries of all plies, with guards at both ends so that looking back and ahead needs no test.
pub struct Stack([StackEntry; Stack::LENGTH]);

impl Stack {
    /// Entries before the root.
    const BEFORE_ROOT: usize = 7;
    /// Entries after the last ply.
    const AFTER_LAST: usize = 2;
    const LENGTH: usize = Stack::BEFORE_ROOT + MAX_PLY + Stack::AFTER_LAST;

    /// A stack of empty entries.
    pub fn new() -> Stack {
        Stack([StackEntry::EMPTY; Stack::LENGTH])
    }

    /// Empties every entry: a new search begins.
    pub fn clear(&mut self) {
        self.0.fill(StackEntry::EMPTY);
    }

    /// The entry `back` plies above `ply`; `back` is at most 7.
    #[inline(always)]
    pub fn back(&self, ply: usize, back: usize) -> &StackEntry {
        debug_assert!(back <= Stack::BEFORE_ROOT);
        &self.0[ply + Stack::BEFORE_ROOT - back]
    }

    /// The entry of `ply`, which may be two plies beyond the last.
    #[inline(always)]
    pub fn at(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + Stack::BEFORE_ROOT]
    }
}
