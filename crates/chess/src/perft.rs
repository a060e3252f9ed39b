//! Perft: the number of leaves of the tree of legal moves, the standard test of move generation.

use super::chess_move::Move;
use super::position::Position;

impl Position {
    /// Perft: the number of sequences of `depth` legal moves. The last ply is counted without making its moves (bulk counting).
    ///
    /// ```
    /// use tamarack_chess::{Position, positions};
    /// let position: Position = positions::KIWIPETE.parse()?;
    /// assert_eq!(position.perft(3), 97_862);
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal_moves(),
            _ => self.legal_moves().into_iter().map(|mv| self.perft_after(mv, depth - 1)).sum(),
        }
    }

    #[inline(always)]
    fn perft_after(&self, mv: Move, depth: u32) -> u64 {
        let mut next = *self;
        next.make(mv);
        next.perft(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_has_the_known_counts() {
        let start = Position::startpos();
        assert_eq!([0, 1, 2, 3, 4].map(|depth| start.perft(depth)), [1, 20, 400, 8902, 197_281]);
    }
}
