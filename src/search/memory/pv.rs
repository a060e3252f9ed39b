//! The triangular table of principal variations.

use crate::score::MAX_PLY;
use chess::Move;
use platform::pages::{HugeArena, HugeBox};
use std::io;

/// A line of moves.
#[derive(Clone, Copy)]
struct PvLine {
    length: usize,
    moves: [Option<Move>; MAX_PLY],
}

/// The best line found below each ply.
pub struct PvTable(HugeBox<[PvLine; MAX_PLY + 1]>);

impl PvTable {
    /// Bytes of the table in an arena.
    pub const BYTES: usize = HugeArena::room_for(size_of::<[PvLine; MAX_PLY + 1]>());

    /// A table of empty lines, written by the calling thread.
    ///
    /// # Errors
    /// If the arena has less than [`Self::BYTES`] left.
    pub fn new(arena: &mut HugeArena) -> io::Result<PvTable> {
        Ok(PvTable(arena.array(PvLine { length: 0, moves: [None; MAX_PLY] })?))
    }

    /// Empties the line at `ply`.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].length = 0;
    }

    /// Makes the line at `ply` out of `mv` and the line one ply below.
    pub fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        let length = rest.length.min(MAX_PLY - 1);
        line.moves[0] = Some(mv);
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }

    /// The line after the root move.
    pub fn after_root_move(&self) -> impl Iterator<Item = Move> {
        let line = &self.0[1];
        line.moves[..line.length].iter().copied().flatten()
    }
}
