//! The arrays of Chess960.

use super::castling::{CastlingRights, CastlingSide};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::setup::Setup;
use super::square::{Color, File, Rank, Square};

/// The back rank of this number in Scharnagl's order, from the a-file on; 518 is the usual one.
pub fn back_rank(number: usize) -> [PieceType; 8] {
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    rank[2 * light + 1] = Some(PieceType::Bishop);
    rank[2 * dark] = Some(PieceType::Bishop);
    place(&mut rank, queen, PieceType::Queen);
    let pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = pairs[knights % pairs.len()];
    place(&mut rank, second, PieceType::Knight);
    place(&mut rank, first, PieceType::Knight);
    for kind in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(&mut rank, 0, kind);
    }
    rank.map(|kind| kind.unwrap_or(PieceType::Rook))
}

/// Puts a piece on the free square of that number.
fn place(rank: &mut [Option<PieceType>; 8], number: usize, kind: PieceType) {
    if let Some(free) = rank.iter_mut().filter(|square| square.is_none()).nth(number) {
        *free = Some(kind);
    }
}

/// The position with these back ranks, White's first, with pawns before them and all castling rights; `None` if a rank has not
/// one king between two rooks.
pub fn from_back_ranks(ranks: [[PieceType; 8]; 2]) -> Option<Position> {
    let mut setup = Setup::empty();
    let mut castling = CastlingRights::NONE;
    for (color, rank) in Color::ALL.into_iter().zip(ranks) {
        let mut wing = CastlingSide::Queen;
        for (file, kind) in File::ALL.into_iter().zip(rank) {
            setup.board[Square::new(file, Rank::R1.relative_to(color)).index()] =
                Some(Piece::new(color, kind));
            setup.board[Square::new(file, Rank::R2.relative_to(color)).index()] =
                Some(Piece::new(color, PieceType::Pawn));
            match kind {
                PieceType::King => wing = CastlingSide::King,
                PieceType::Rook => castling.set(color, wing, Some(file)),
                _ => {}
            }
        }
    }
    setup.castling = castling;
    setup.fullmove_number = 1;
    Position::from_setup(&setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FenStyle;
    use std::collections::HashSet;

    #[test]
    fn there_are_960_arrays() {
        let all: HashSet<[PieceType; 8]> = (0..960).map(back_rank).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn array_518_is_the_usual_one() {
        let usual = from_back_ranks([back_rank(518); 2]).unwrap();
        assert_eq!(usual, Position::startpos());
        let first = from_back_ranks([back_rank(0), back_rank(959)]).unwrap();
        assert_eq!(first.fen(FenStyle::Shredder), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    }
}
