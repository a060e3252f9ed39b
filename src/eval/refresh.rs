//! Sums of the first layer from a cache, for positions that do not follow from one that is worked out: for each view
//! in each of its frames the last board it was asked for. The difference to the new board is a few men where building up from
//! nothing takes them all (Koivisto's Luecx and Finn Eggers, 2021: "Finny tables").

use super::kernels::Kernel;
use super::network::Network;
use super::view::{FRAMES, View};
use super::weights::Block;
use crate::chess::{Bitboard, Color, Piece, PieceType, Position};
use arrayvec::ArrayVec;

/// What is remembered of a board, and its sums.
struct Entry {
    men: [Bitboard; 12],
    sums: Vec<Block>,
}

/// The cache.
pub struct Refresher {
    /// For each colour and each frame of its view.
    entries: [[Entry; FRAMES]; 2],
}

impl Refresher {
    /// Knows the empty board.
    pub fn new(network: &Network) -> Refresher {
        debug_assert_eq!(network.input_bias().len(), network.shape().blocks());
        let empty = || Entry { men: [Bitboard::EMPTY; 12], sums: network.input_bias().to_vec() };
        Refresher { entries: [0, 1].map(|_| std::array::from_fn(|_| empty())) }
    }

    /// The sums of `color`'s view of a position.
    pub fn sums(
        &mut self,
        network: &Network,
        kernel: &dyn Kernel,
        position: &Position,
        color: Color,
    ) -> &[Block] {
        let view = View::new(color, position.king(color));
        let entry = &mut self.entries[color.index()][view.frame()];
        let mut added: ArrayVec<&[Block], 32> = ArrayVec::new();
        let mut removed: ArrayVec<&[Block], 32> = ArrayVec::new();
        let row = |piece, square| network.input_rows().row(view.input(piece, square));
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                let known = &mut entry.men[piece.index()];
                let now = position.pieces(color, kind);
                added.extend(now.without(*known).map(|square| row(piece, square)));
                removed.extend(known.without(now).map(|square| row(piece, square)));
                *known = now;
            }
        }
        kernel.refresh(&mut entry.sums, &added, &removed);
        &entry.sums
    }
}
