//! Moves in the notation of UCI.

use super::chess_move::Move;
use super::move_error::MoveError;
use super::piece::PieceType;
use super::position::Position;
use super::square::Square;
use std::fmt;
use std::str::FromStr;

/// A move as UCI spells it: two squares and a promotion. It needs no position to be read, but only in one it is a [`Move`],
/// which knows whether it castles or captures.
///
/// ```
/// use tamarack_chess::{PieceType, Position, Square, UciMove};
/// let text: UciMove = "e7e8q".parse()?;
/// assert_eq!((text.from, text.to, text.promotion), (Square::E7, Square::E8, Some(PieceType::Queen)));
/// assert_eq!(text.to_string(), "e7e8q");
///
/// let position: Position = "8/4P3/8/8/8/k7/8/4K3 w - - 0 1".parse().unwrap();
/// assert_eq!(position.find_uci(text)?, position.parse_uci("e7e8q")?);
/// # Ok::<(), tamarack_chess::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UciMove {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it goes to.
    pub to: Square,
    /// The piece that a pawn becomes.
    pub promotion: Option<PieceType>,
}

impl FromStr for UciMove {
    type Err = MoveError;

    /// Reads `e2e4` or `e7e8q`; the letter of a promotion may be a capital.
    fn from_str(text: &str) -> Result<UciMove, MoveError> {
        if text == "0000" {
            return Err(MoveError::Null(text.to_string()));
        }
        let square = |squares: &str| squares.parse().ok();
        let read = || {
            let (from, rest) = text.split_at_checked(2)?;
            let (to, promotion) = rest.split_at_checked(2)?;
            let promotion = match promotion {
                "" => None,
                letter => Some(letter.parse().ok().filter(|&piece| PieceType::PROMOTIONS.contains(&piece))?),
            };
            Some(UciMove { from: square(from)?, to: square(to)?, promotion })
        };
        read().ok_or_else(|| MoveError::Syntax(text.to_string()))
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promotion = self.promotion.map(|piece_type| piece_type.letter().to_string()).unwrap_or_default();
        f.pad(&format!("{}{}{promotion}", self.from, self.to))
    }
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
    /// let error = position.parse_uci("h1a1").unwrap_err().to_string();
    /// assert_eq!(
    ///     error,
    ///     "\"h1a1\" is not legal in 4k3/8/8/8/8/8/8/4K2R w K - 0 1: the rook on h1 cannot go to a1"
    /// );
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let uci: UciMove = text.parse()?;
        self.legal_uci(uci).ok_or_else(|| self.illegal_uci(text, uci))
    }

    /// The legal move that `uci` means here, as [`Self::parse_uci`] reads it.
    ///
    /// # Errors
    /// [`MoveError::Illegal`] if there is none.
    ///
    /// ```
    /// use tamarack_chess::{Position, Square, UciMove};
    /// let uci = UciMove { from: Square::G1, to: Square::F3, promotion: None };
    /// assert!(Position::startpos().find_uci(uci).is_ok());
    /// ```
    pub fn find_uci(&self, uci: UciMove) -> Result<Move, MoveError> {
        self.legal_uci(uci).ok_or_else(|| self.illegal_uci(&uci.to_string(), uci))
    }

    pub(super) fn legal_uci(&self, UciMove { from, to, promotion }: UciMove) -> Option<Move> {
        let legal = self.legal_moves();
        let leaves = |mv: &&Move| mv.from() == from && mv.promotion() == promotion;
        let castles = |mv: &&Move| mv.is_castling() && mv.destination() == to;
        let plain = legal.iter().filter(leaves).find(|mv| mv.to() == to);
        plain.or_else(|| legal.iter().filter(leaves).find(castles)).copied()
    }

    pub(super) fn illegal_uci(&self, text: &str, UciMove { from, to, promotion }: UciMove) -> MoveError {
        self.illegal(text, self.why_not_from(from, to, promotion))
    }
}
