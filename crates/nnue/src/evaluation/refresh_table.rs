//! The refresh table ("Finny table", after Finn Eggers, who had it in Koivisto in 2021): for each perspective and each of
//! its refresh keys the accumulator of the last board that it was asked for. A position whose accumulator cannot be updated
//! from the ply before differs from that board by a few pieces, where building up from nothing takes them all.

use super::features::{Perspective, REFRESH_KEYS};
use super::kernels::Kernel;
use super::network::Network;
use super::pawn_pairs::{Pawn, PawnDelta, Pawns, pawns, update_pawn_pairs};
use super::weights::Block;
use crate::architecture::Shape;
use arrayvec::ArrayVec;
use chess::{Bitboard, Color, Piece, PieceType, Position};
use platform::pages::HugeBox;

/// The squares of each of the twelve pieces.
type Board = [Bitboard; 12];

/// The refresh table of a network.
pub struct RefreshTable {
    /// For each colour, for each refresh key of its perspective the last board.
    boards: [[Board; REFRESH_KEYS]; 2],
    /// For each of them its accumulator.
    accumulators: HugeBox<[Block]>,
}

impl RefreshTable {
    /// Blocks of the accumulators for a network of this shape.
    pub const fn blocks(shape: Shape) -> usize {
        2 * REFRESH_KEYS * shape.blocks()
    }

    /// A table that knows the empty board, with room for its accumulators: [`Self::blocks`].
    pub fn new(network: &Network, mut accumulators: HugeBox<[Block]>) -> RefreshTable {
        for accumulator in accumulators.chunks_exact_mut(network.shape().blocks()) {
            accumulator.copy_from_slice(network.input_bias());
        }
        RefreshTable { boards: [[[Bitboard::EMPTY; 12]; REFRESH_KEYS]; 2], accumulators }
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
        let (side, refresh_key, length) =
            (color.index(), perspective.refresh_key(), network.shape().blocks());
        let board = &mut self.boards[side][refresh_key];
        let accumulator = &mut self.accumulators[(side * REFRESH_KEYS + refresh_key) * length..][..length];
        let known_pawns = Color::ALL.map(|color| board[Piece::new(color, PieceType::Pawn).index()]);
        let mut added: ArrayVec<&[Block], 32> = ArrayVec::new();
        let mut removed: ArrayVec<&[Block], 32> = ArrayVec::new();
        let row = |piece, square| network.input_rows().row(perspective.input(piece, square));
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                let known = &mut board[piece.index()];
                let now = position.pieces(color, kind);
                if now != *known {
                    added.extend(now.without(*known).iter().map(|square| row(piece, square)));
                    removed.extend(known.without(now).iter().map(|square| row(piece, square)));
                    *known = now;
                }
            }
        }
        kernel.refresh(accumulator, &added, &removed);
        let now = pawns(position);
        if let Some(rows) = network.pawn_pair_rows()
            && now != known_pawns
        {
            // The pawns of one board that another has not.
            let missing = |of: Pawns, on: Pawns| -> ArrayVec<Pawn, 32> {
                let squares = |color: Color| of[color.index()].without(on[color.index()]);
                Color::ALL
                    .into_iter()
                    .flat_map(|color| squares(color).iter().map(move |square| (color, square)))
                    .collect()
            };
            let (leaving, coming) = (missing(known_pawns, now), missing(now, known_pawns));
            let delta = PawnDelta { pawns: known_pawns, leaving: &leaving, coming: &coming };
            update_pawn_pairs(kernel, rows, accumulator, [perspective], delta);
        }
        accumulator
    }
}
