//! Start positions of Chess960 and double Chess960, by Scharnagl's numbers 0 to 959.
//!
//! ```
//! use tamarack_chess::{CastlingNotation, Position};
//! let start = Position::chess960(0);
//! assert_eq!(start.to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
//! assert_eq!(Position::chess960(518), Position::startpos());
//! ```

use super::castling::{CastlingRights, CastlingSide};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::setup::Setup;
use super::square::{Color, File, Rank, Square};

/// The number of start positions.
pub const COUNT: usize = 960;

/// The back rank of start position `number`, from the A file on; 518 is that of standard chess. Numbers from [`COUNT`]
/// start again at 0.
///
/// ```
/// use tamarack_chess::{PieceType, chess960};
/// let letters: String = chess960::back_rank(518).map(PieceType::letter).iter().collect();
/// assert_eq!(letters, "rnbqkbnr");
/// ```
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
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(&mut rank, 0, piece_type);
    }
    rank.map(|piece_type| piece_type.unwrap_or(PieceType::Rook))
}

/// Puts a piece on the free square of index `free`.
fn place(rank: &mut [Option<PieceType>; 8], free: usize, piece_type: PieceType) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(free) {
        *square = Some(piece_type);
    }
}

impl Position {
    /// The start position of Chess960 with this number, 0 to 959: see [`back_rank`].
    ///
    /// ```
    /// use tamarack_chess::{Color, Position, Square};
    /// assert_eq!(Position::chess960(959).king(Color::White), Square::B1);
    /// ```
    pub fn chess960(number: usize) -> Position {
        Position::double_chess960(number, number)
    }

    /// The start position of double Chess960, in which each side has a back rank of its own.
    ///
    /// ```
    /// use tamarack_chess::{FenStyle, Position};
    /// let fen = Position::double_chess960(0, 959).fen(FenStyle::Shredder);
    /// assert_eq!(fen, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    /// ```
    pub fn double_chess960(white: usize, black: usize) -> Position {
        let mut setup = Setup::empty();
        let mut castling = CastlingRights::NONE;
        for (color, number) in Color::ALL.into_iter().zip([white, black]) {
            let mut side = CastlingSide::Queen;
            for (file, piece_type) in File::ALL.into_iter().zip(back_rank(number)) {
                let back = Square::new(file, Rank::R1.relative_to(color));
                setup.board[back.index()] = Some(Piece::new(color, piece_type));
                setup.board[back.forward(color).index()] = Some(Piece::new(color, PieceType::Pawn));
                match piece_type {
                    PieceType::King => side = CastlingSide::King,
                    PieceType::Rook => castling.set(color, side, Some(file)),
                    _ => {}
                }
            }
        }
        setup.castling = castling;
        Position::from_setup(&setup).expect("every start position is legal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn there_are_960_start_positions_and_all_are_legal() {
        let all: HashSet<[PieceType; 8]> = (0..COUNT).map(back_rank).collect();
        assert_eq!(all.len(), COUNT);
        assert_eq!(back_rank(COUNT + 7), back_rank(7));
        for number in 0..COUNT {
            let position = Position::double_chess960(number, COUNT - 1 - number);
            assert_eq!(position.castling().mask(), 0b1111, "{number}");
        }
    }

    #[test]
    fn number_518_is_standard_chess() {
        assert_eq!(Position::chess960(518), Position::startpos());
    }
}
