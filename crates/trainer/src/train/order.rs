//! The order in which a thread takes the positions of its share of a step. It makes no difference to the sums, but to the
//! speed: positions whose kings stand in the same king buckets have inputs in common, so their weights and gradients stay near
//! the core, and where as many pieces stand loops are as long and output weights the same.

use super::features::king_buckets;
use bulletformat::ChessBoard;
use nnue::architecture::KING_BUCKETS;

/// Numbers of pieces that a key tells apart.
const PIECE_COUNTS: usize = 33;
/// Keys of positions: king buckets of both kings, then the number of pieces.
const KEYS: usize = KING_BUCKETS * KING_BUCKETS * PIECE_COUNTS;

/// Counting sort with its memory.
#[derive(Default)]
pub struct KingBucketSort {
    begin: Vec<u32>,
    sorted: Vec<ChessBoard>,
}

impl KingBucketSort {
    /// Sound records sorted by king buckets, then by number of pieces.
    pub fn sort(&mut self, boards: &[ChessBoard]) -> &[ChessBoard] {
        self.begin.clear();
        self.begin.resize(KEYS + 1, 0);
        for board in boards {
            self.begin[key(board) + 1] += 1;
        }
        for key in 1..=KEYS {
            self.begin[key] += self.begin[key - 1];
        }
        self.sorted.clear();
        self.sorted.resize(boards.len(), ChessBoard::default());
        for board in boards {
            let slot = &mut self.begin[key(board)];
            self.sorted[*slot as usize] = *board;
            *slot += 1;
        }
        &self.sorted
    }
}

fn key(board: &ChessBoard) -> usize {
    let [own, other] = king_buckets(board);
    (own * KING_BUCKETS + other) * PIECE_COUNTS + board.occ.count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::sample::boards;

    #[test]
    fn nothing_is_lost_and_like_stands_by_like() {
        let given = boards(3000, 2);
        let mut order = KingBucketSort::default();
        let sorted = order.sort(&given).to_vec();
        assert!(sorted.is_sorted_by_key(key));
        let bytes = |boards: &[ChessBoard]| {
            let mut all: Vec<_> = boards.iter().map(crate::train::record::to_bytes).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(bytes(&sorted), bytes(&given));
        assert_eq!(order.sort(&given[..10]).len(), 10);
    }
}
