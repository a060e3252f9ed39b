//! The filter of the records to train on.

use super::record::marks;
use bulletformat::ChessBoard;
use clap::Args;
use serde::Serialize;

/// Positions that teach little are left out: those in check or with a capture to make (their score is of another
/// position), those won for certain, and the first plies, which are random.
#[derive(Args, Clone, PartialEq, Debug, Serialize)]
pub struct Filter {
    /// Train on positions in check too.
    #[arg(long)]
    pub keep_checks: bool,
    /// Train on positions whose best move is a capture or promotion too.
    #[arg(long)]
    pub keep_noisy: bool,
    /// Leave out scores beyond this many centipawns.
    #[arg(long, default_value_t = Filter::STANDARD.max_score)]
    pub max_score: u16,
    /// Leave out the first plies of a game.
    #[arg(long, default_value_t = Filter::STANDARD.min_ply)]
    pub min_ply: u8,
    /// Leave out positions with fewer pieces.
    #[arg(long, default_value_t = Filter::STANDARD.min_men)]
    pub min_men: u32,
}

/// Keeps everything.
impl Default for Filter {
    fn default() -> Filter {
        Filter { keep_checks: true, keep_noisy: true, max_score: u16::MAX, min_ply: 0, min_men: 0 }
    }
}

impl Filter {
    /// The filter of the command line unless it says otherwise.
    pub const STANDARD: Filter =
        Filter { keep_checks: false, keep_noisy: false, max_score: 10_000, min_ply: 16, min_men: 4 };

    /// True if this sound record is used.
    pub fn keeps(&self, board: &ChessBoard) -> bool {
        let marks = marks(board);
        (self.keep_checks || !marks.in_check)
            && (self.keep_noisy || !marks.noisy)
            && board.score.unsigned_abs() <= self.max_score
            && marks.ply >= self.min_ply
            && board.occ.count_ones() >= self.min_men
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::record::{Marks, pack};
    use chess::Position;

    #[test]
    fn each_filter_drops_what_it_says_and_nothing_else() {
        let strict =
            Filter { keep_checks: false, keep_noisy: false, max_score: 500, min_ply: 16, min_men: 4 };
        let quiet = Marks { in_check: false, noisy: false, ply: 16 };
        let keeps = |score, marks| strict.keeps(&pack(&Position::startpos(), score, 1, marks));
        assert!(keeps(-500, quiet));
        assert!(!keeps(501, quiet) && !keeps(i16::MIN, quiet));
        assert!(!keeps(0, Marks { in_check: true, ..quiet }));
        assert!(!keeps(0, Marks { noisy: true, ..quiet }));
        assert!(!keeps(0, Marks { ply: 15, ..quiet }));
        let bare: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
        assert!(!strict.keeps(&pack(&bare, 0, 1, quiet)));
        let all = Filter::default();
        assert!(all.keeps(&pack(&bare, i16::MIN, 1, Marks { in_check: true, noisy: true, ply: 0 })));
    }
}
