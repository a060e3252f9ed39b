//! Reading moves in the notation of UCI. [`Move::uci`] writes them.

use super::chess_move::Move;
use super::fen::quoted;
use super::piece::PieceType;
use super::position::Position;
use super::square::Square;

/// The reason why a text is no legal move of a position: see [`Position::parse_uci`].
///
/// ```
/// use tamarack_chess::{MoveError, Position};
/// let parse = |text| Position::startpos().parse_uci(text);
/// assert!(matches!(parse("e2e5"), Err(MoveError::Illegal { .. })));
/// assert!(matches!(parse("castle"), Err(MoveError::Syntax(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in UCI notation.
    #[error("{} is not a move", quoted(.0))]
    Syntax(String),
    /// The text is `0000`, the null move.
    #[error("{} is a null move, which is not allowed here", quoted(.0))]
    Null(String),
    /// The text is a move, but not a legal one here.
    #[error("{} is not legal in {position}", quoted(.text))]
    Illegal {
        /// The move as given.
        text: String,
        /// The position as FEN.
        position: String,
    },
}

impl Position {
    /// The legal move that `text` spells in UCI notation, castling as `e1g1` or, king takes rook, as `e1h1`. Where
    /// `f1g1` could be both a king move and castling, it is the king move.
    ///
    /// # Errors
    /// If the text is no move or the move is not legal here, see [`MoveError`].
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// assert_eq!(position.parse_uci("e1g1"), position.parse_uci("e1h1")); // castling
    /// let error = position.parse_uci("e1e3").unwrap_err();
    /// assert_eq!(error.to_string(), "\"e1e3\" is not legal in 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        if text == "0000" {
            return Err(MoveError::Null(text.to_string()));
        }
        let syntax = || MoveError::Syntax(text.to_string());
        let (from, rest) = text.split_at_checked(2).ok_or_else(syntax)?;
        let (to, promotion) = rest.split_at_checked(2).ok_or_else(syntax)?;
        let from = Square::parse(from).ok_or_else(syntax)?;
        let to = Square::parse(to).ok_or_else(syntax)?;
        let promotion = match promotion {
            "" => None,
            letter => Some(promotion_piece_type(letter).ok_or_else(syntax)?),
        };
        let legal = self.legal_moves();
        let leaves = |mv: &&Move| mv.from() == from && mv.promotion() == promotion;
        legal
            .iter()
            .filter(leaves)
            .find(|mv| mv.to() == to)
            .or_else(|| legal.iter().filter(leaves).find(|mv| mv.is_castling() && mv.destination() == to))
            .copied()
            .ok_or_else(|| MoveError::Illegal { text: text.to_string(), position: self.to_string() })
    }
}

/// The piece type of a promotion letter of either case.
fn promotion_piece_type(text: &str) -> Option<PieceType> {
    let mut letters = text.chars();
    let piece_type = PieceType::from_letter(letters.next()?)?;
    (letters.next().is_none() && !matches!(piece_type, PieceType::Pawn | PieceType::King))
        .then_some(piece_type)
}
