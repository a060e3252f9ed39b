//! Moves in sixteen bits.

use super::castling::CastlingSide;
use super::piece::PieceType;
use super::square::{File, Rank, Square};
use std::fmt;
use std::num::NonZeroU16;

/// The kind of a move, with the piece type of a promotion.
///
/// ```
/// use tamarack_chess::{MoveKind, Position};
/// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// let castling = |kind| kind == Some(MoveKind::Castling);
/// assert_eq!(position.legal_moves().into_iter().filter(|mv| castling(mv.kind())).count(), 1);
/// # Ok::<(), tamarack_chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A move to an empty square that is none of the others.
    Quiet,
    /// A pawn's move of two squares.
    DoublePush,
    /// Castling, encoded as king takes own rook, in standard chess as in Chess960.
    Castling,
    /// A capture on the target square.
    Capture,
    /// A pawn takes the pawn that has just passed it with a double push.
    EnPassant,
    /// A promotion on an empty square.
    Promotion(PieceType),
    /// A promotion with capture.
    CapturePromotion(PieceType),
}

const CAPTURE: u16 = 0x4000;
const PROMOTION: u16 = 0x8000;
const DOUBLE_PUSH: u16 = 0x1000;
const CASTLING: u16 = 0x2000;
const EN_PASSANT: u16 = 0x5000;

/// A move in sixteen bits: six for the square it comes from, six for the square it goes to, four for its kind.
/// Never zero, so `Option<Move>` takes sixteen bits as well.
///
/// ```
/// use tamarack_chess::{Position, Square};
/// let mv = Position::startpos().parse_uci("e2e4")?;
/// assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
/// assert!(mv.is_double_push() && mv.is_quiet() && !mv.is_capture());
/// assert_eq!(mv.to_string(), "e2e4");
/// assert_eq!(size_of_val(&Some(mv)), 2);
/// # Ok::<(), tamarack_chess::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of `kind` between two different squares. (Between equal ones the result is meaningless but harmless.)
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert_eq!(format!("{mv:?}"), "e2e4");
    /// ```
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let flags = match kind {
            MoveKind::Quiet => 0,
            MoveKind::DoublePush => DOUBLE_PUSH,
            MoveKind::Castling => CASTLING,
            MoveKind::Capture => CAPTURE,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Promotion(piece) => PROMOTION | promotion_bits(piece),
            MoveKind::CapturePromotion(piece) => PROMOTION | CAPTURE | promotion_bits(piece),
        };
        match NonZeroU16::new(flags | (to as u16) << 6 | from as u16) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU16::MIN),
        }
    }

    /// The move of any sixteen bits, `None` for zero. Bits from the transposition table need not be a move of the position:
    /// check with `Position::is_legal`.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// let mv = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
    /// assert_eq!(Move::from_bits(mv.bits()), Some(mv));
    /// assert_eq!(Move::from_bits(0), None);
    /// ```
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The sixteen bits, never zero.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// let mv = Move::new(Square::B1, Square::C3, MoveKind::Quiet);
    /// assert_eq!(mv.bits(), 18 << 6 | 1);
    /// ```
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square that the piece leaves.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert_eq!(Move::new(Square::B1, Square::C3, MoveKind::Quiet).from(), Square::B1);
    /// ```
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.bits() as usize & 63)
    }

    /// The square that the piece goes to; for castling the square of the rook. See [`Self::destination`].
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert_eq!(Move::new(Square::E1, Square::H1, MoveKind::Castling).to(), Square::H1);
    /// ```
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index(self.bits() as usize >> 6 & 63)
    }

    /// The kind, or `None` for a bit pattern that no move has.
    ///
    /// ```
    /// use tamarack_chess::{MoveKind, Position};
    /// let mv = Position::startpos().parse_uci("e2e4")?;
    /// assert_eq!(mv.kind(), Some(MoveKind::DoublePush));
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn kind(self) -> Option<MoveKind> {
        Some(match self.bits() >> 12 {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castling,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8..12 => MoveKind::Promotion(self.promotion_piece()),
            12..16 => MoveKind::CapturePromotion(self.promotion_piece()),
            _ => return None,
        })
    }

    #[inline(always)]
    const fn promotion_piece(self) -> PieceType {
        match self.bits() >> 12 & 3 {
            0 => PieceType::Knight,
            1 => PieceType::Bishop,
            2 => PieceType::Rook,
            _ => PieceType::Queen,
        }
    }

    /// The piece that a pawn becomes.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, PieceType, Square};
    /// let mv = Move::new(Square::A7, Square::A8, MoveKind::Promotion(PieceType::Rook));
    /// assert_eq!(mv.promotion(), Some(PieceType::Rook));
    /// ```
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.bits() & PROMOTION != 0 { Some(self.promotion_piece()) } else { None }
    }

    /// True for captures, en passant included.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert!(Move::new(Square::E5, Square::D6, MoveKind::EnPassant).is_capture());
    /// ```
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.bits() & CAPTURE != 0
    }

    /// True for en passant captures.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert!(Move::new(Square::E5, Square::D6, MoveKind::EnPassant).is_en_passant());
    /// ```
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.bits() & 0xF000 == EN_PASSANT
    }

    /// True for castling.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert!(Move::new(Square::E1, Square::A1, MoveKind::Castling).is_castling());
    /// ```
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.bits() & 0xF000 == CASTLING
    }

    /// True for a pawn's move of two squares.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert!(Move::new(Square::E2, Square::E4, MoveKind::DoublePush).is_double_push());
    /// ```
    #[inline(always)]
    pub const fn is_double_push(self) -> bool {
        self.bits() & 0xF000 == DOUBLE_PUSH
    }

    /// True for noisy moves: captures and queen promotions, which change the material at once.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, PieceType, Square};
    /// let promotion = |piece_type| Move::new(Square::A7, Square::A8, MoveKind::Promotion(piece_type));
    /// assert!(promotion(PieceType::Queen).is_noisy() && promotion(PieceType::Rook).is_quiet());
    /// ```
    #[inline(always)]
    pub const fn is_noisy(self) -> bool {
        self.is_capture() || self.bits() & (PROMOTION | 0x3000) == PROMOTION | 0x3000
    }

    /// True for quiet moves: all that are not noisy, castling and under-promotions without capture included.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// assert!(Move::new(Square::E1, Square::H1, MoveKind::Castling).is_quiet());
    /// ```
    #[inline(always)]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// The side of the board to which a castling move goes. Meaningless for other moves.
    ///
    /// ```
    /// use tamarack_chess::{CastlingSide, Move, MoveKind, Square};
    /// let mv = Move::new(Square::E1, Square::A1, MoveKind::Castling);
    /// assert_eq!(mv.castling_side(), CastlingSide::Queen);
    /// ```
    #[inline(always)]
    pub const fn castling_side(self) -> CastlingSide {
        if self.to() as u8 > self.from() as u8 { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// The square of the moving piece after the move: for castling the king's new square, else [`Self::to`].
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// let castling = Move::new(Square::E1, Square::H1, MoveKind::Castling);
    /// assert_eq!((castling.to(), castling.destination()), (Square::H1, Square::G1));
    /// ```
    #[inline(always)]
    pub const fn destination(self) -> Square {
        if self.is_castling() {
            let file = match self.castling_side() {
                CastlingSide::King => File::G,
                CastlingSide::Queen => File::C,
            };
            Square::new(file, self.from().rank())
        } else {
            self.to()
        }
    }

    /// The square of the piece that a capture removes: for en passant that of the pawn passed, else [`Self::to`].
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Square};
    /// let en_passant = Move::new(Square::E5, Square::D6, MoveKind::EnPassant);
    /// assert_eq!(en_passant.capture_square(), Square::D5);
    /// ```
    #[inline(always)]
    pub const fn capture_square(self) -> Square {
        let to = self.to();
        if !self.is_en_passant() {
            return to;
        }
        let rank = match to.rank() {
            Rank::R6 => Rank::R5,
            _ => Rank::R4,
        };
        Square::new(to.file(), rank)
    }

    /// The move in UCI notation: castling as `e1g1`, or as `e1h1` (king takes rook) in Chess960. Castling of a king that is
    /// not on the E file is always spelt as in Chess960, since `b1c1` would be a king move.
    ///
    /// ```
    /// use tamarack_chess::{CastlingNotation, Move, MoveKind, Square};
    /// let mv = Move::new(Square::E1, Square::H1, MoveKind::Castling);
    /// assert_eq!(mv.uci(CastlingNotation::KingTarget), "e1g1");
    /// assert_eq!(mv.uci(CastlingNotation::KingTakesRook), "e1h1");
    /// ```
    pub fn uci(self, notation: CastlingNotation) -> String {
        let to = match notation {
            CastlingNotation::KingTarget if self.from().file() == File::E => self.destination(),
            CastlingNotation::KingTarget | CastlingNotation::KingTakesRook => self.to(),
        };
        let promotion =
            self.promotion().map(|piece_type| piece_type.letter().to_string()).unwrap_or_default();
        format!("{}{to}{promotion}", self.from())
    }
}

/// The notation of castling in UCI: see [`Move::uci`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingNotation {
    /// `e1g1`: standard chess.
    KingTarget,
    /// `e1h1`: Chess960.
    KingTakesRook,
}

const fn promotion_bits(piece: PieceType) -> u16 {
    match piece {
        PieceType::Bishop => 0x1000,
        PieceType::Rook => 0x2000,
        PieceType::Queen => 0x3000,
        PieceType::Pawn | PieceType::Knight | PieceType::King => 0,
    }
}

impl fmt::Display for Move {
    /// The move in UCI notation. A move does not know whether its game is one of Chess960: castling is spelt as in standard
    /// chess, `e1g1`, and with `{:#}` as in Chess960, `e1h1`. See [`Move::uci`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let notation =
            if f.alternate() { CastlingNotation::KingTakesRook } else { CastlingNotation::KingTarget };
        f.pad(&self.uci(notation))
    }
}

impl fmt::Debug for Move {
    /// The move in UCI notation, castling as in Chess960.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.uci(CastlingNotation::KingTakesRook))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_survive_the_bits() {
        let kinds = [
            MoveKind::Quiet,
            MoveKind::DoublePush,
            MoveKind::Castling,
            MoveKind::Capture,
            MoveKind::EnPassant,
            MoveKind::Promotion(PieceType::Knight),
            MoveKind::Promotion(PieceType::Queen),
            MoveKind::CapturePromotion(PieceType::Rook),
        ];
        for kind in kinds {
            let mv = Move::new(Square::E7, Square::E8, kind);
            assert_eq!(mv.kind(), Some(kind));
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn noisy_is_captures_and_queens() {
        let noisy = |kind| Move::new(Square::A7, Square::B8, kind).is_noisy();
        assert!(
            noisy(MoveKind::Capture)
                && noisy(MoveKind::EnPassant)
                && noisy(MoveKind::Promotion(PieceType::Queen))
        );
        assert!(noisy(MoveKind::CapturePromotion(PieceType::Knight)));
        assert!(
            !noisy(MoveKind::Promotion(PieceType::Rook))
                && !noisy(MoveKind::Castling)
                && !noisy(MoveKind::DoublePush)
        );
    }

    #[test]
    fn castling_has_two_spellings() {
        let mv = Move::new(Square::E1, Square::H1, MoveKind::Castling);
        assert_eq!(mv.uci(CastlingNotation::KingTarget), "e1g1");
        assert_eq!(mv.uci(CastlingNotation::KingTakesRook), "e1h1");
    }
}
