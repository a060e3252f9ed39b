//! The triangular table of principal variations.

use crate::chess::Move;
use crate::platform::pages::try_vec;
use crate::score::MAX_PLY;
use arrayvec::ArrayVec;
use std::io;

/// The best line found below each ply.
pub struct PvTable(Vec<ArrayVec<Move, MAX_PLY>>);

impl PvTable {
    /// A table of empty lines.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn new() -> io::Result<PvTable> {
        Ok(PvTable(try_vec(ArrayVec::new(), MAX_PLY + 1)?))
    }

    /// Empties the line at `ply`.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes the line at `ply` out of `mv` and the line one ply below.
    pub fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(mv);
        line.extend(rest.iter().take(MAX_PLY - 1).copied());
    }

    /// The line after the root move.
    pub fn after_root_move(&self) -> &[Move] {
        &self.0[1]
    }
}
