//! The refresh table ("Finny table", after Finn Eggers, who had it in Koivisto in 2021): for each perspective and each of
//! its mappings the accumulator of the last board that it was asked for. A position whose accumulator cannot be updated
//! from the ply before differs from that board by a few pieces, where building up from nothing takes them all.

use super::features::{MAPPINGS, Perspective};
use super::kernels::Kernel;
use super::network::Network;
use super::weights::Block;
use crate::chess::{Bitboard, Color, Piece, PieceType, Position};
use arrayvec::ArrayVec;

/// A board and its accumulator.
struct Entry {
    /// The squares of each of the twelve pieces.
    pieces: [Bitboard; 12],
    accumulator: Vec<Block>,
}

/// The refresh table of a network.
pub struct RefreshTable {
    /// For each colour, for each mapping of its perspective.
    entries: [[Entry; MAPPINGS]; 2],
}

impl RefreshTable {
    /// A table that knows the empty board.
    pub fn new(network: &Network) -> RefreshTable {
        debug_assert_eq!(network.input_bias().len(), network.shape().blocks());
        let empty = || Entry { pieces: [Bitboard::EMPTY; 12], accumulator: network.input_bias().to_vec() };
        RefreshTable { entries: [0, 1].map(|_| std::array::from_fn(|_| empty())) }
    }

    /// The accumulator of `color`'s perspective. `network` is the one that the table was made for.
    pub fn accumulator(
        &mut self,
        network: &Network,
        kernel: &dyn Kernel,
        position: &Position,
        color: Color,
    ) -> &[Block] {
        let perspective = Perspective::new(color, position.king(color));
        let entry = &mut self.entries[color.index()][perspective.mapping()];
        let mut added: ArrayVec<&[Block], 32> = ArrayVec::new();
        let mut removed: ArrayVec<&[Block], 32> = ArrayVec::new();
        let row = |piece, square| network.input_rows().row(perspective.input(piece, square));
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                let known = &mut entry.pieces[piece.index()];
                let now = position.pieces(color, kind);
                added.extend(now.without(*known).map(|square| row(piece, square)));
                removed.extend(known.without(now).map(|square| row(piece, square)));
                *known = now;
            }
        }
        kernel.refresh(&mut entry.accumulator, &added, &removed);
        &entry.accumulator
    }
}
