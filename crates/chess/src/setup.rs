//! Set-ups: free arrangements of pieces, and the legal positions made from them.

use super::bitboard::Bitboard;
use super::castling::{CastlingRights, CastlingSide};
use super::piece::{Piece, PieceType};
use super::position::{MAX_FULLMOVE_NUMBER, Position};
use super::square::{Color, File, Rank, Square};
use super::zobrist::Keys;
use thiserror::Error;

/// An arrangement of pieces that need not be legal: the contents of a FEN. [`Position::from_setup`] validates it.
///
/// ```
/// use tamarack_chess::{Color, Position, Setup};
/// let setup = Setup { side_to_move: Color::Black, ..Setup::startpos() };
/// assert_eq!(Position::from_setup(&setup)?.side_to_move(), Color::Black);
/// # Ok::<(), tamarack_chess::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, A1 first.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub side_to_move: Color,
    /// The castling rights of both sides.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed. A position drops it when no capture there is legal.
    pub en_passant: Option<Square>,
    /// The number of plies since the last capture or pawn move, at most 65535.
    pub halfmove_clock: u32,
    /// The number of the move to be made, from 1.
    pub fullmove_number: u32,
}

/// The reason why an arrangement is impossible.
///
/// ```
/// use tamarack_chess::{Position, Setup, SetupError};
/// let setup = Setup { halfmove_clock: 70_000, ..Setup::startpos() };
/// assert_eq!(Position::from_setup(&setup), Err(SetupError::HalfmoveClock(70_000)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// A side has no king or several.
    #[error("{} has {count} kings instead of one", color.name())]
    Kings {
        /// The colour of the kings.
        color: Color,
        /// The number of kings.
        count: u32,
    },
    /// A pawn is on the first or last rank.
    #[error("there is a pawn on {0}, which no pawn can reach")]
    PawnOnBackRank(Square),
    /// A side has more than the sixteen pieces that it starts with.
    #[error("{} has more than 16 pieces", .0.name())]
    TooManyPieces(Color),
    /// A side has more than eight pawns.
    #[error("{} has more than 8 pawns", .0.name())]
    TooManyPawns(Color),
    /// A side has more pieces beyond those of the start than missing pawns.
    #[error("{} has more promoted pieces than missing pawns", .0.name())]
    TooManyPromoted(Color),
    /// The side that is not to move is in check.
    #[error("{} is in check although it is not its turn", .0.name())]
    OpponentInCheck(Color),
    /// Three pieces or more give check, which no move can lead to.
    #[error("the king is attacked by {0} pieces at once")]
    TooManyCheckers(u32),
    /// A castling right without king and rook on the back rank, the rook on the right side of the king.
    #[error("{} cannot have the right to castle with a rook on {rook}", color.name())]
    Castling {
        /// The colour of the right.
        color: Color,
        /// The square of the missing rook.
        rook: Square,
    },
    /// The en passant square has not just been passed by a pawn.
    #[error("no pawn can have passed {0} with its last move")]
    EnPassant(Square),
    /// The halfmove clock is beyond 65535.
    #[error("the halfmove clock {0} is beyond any game")]
    HalfmoveClock(u32),
}

impl Setup {
    /// An empty board, White to move.
    ///
    /// ```
    /// use tamarack_chess::{Piece, Position, Setup, Square};
    /// let mut setup = Setup::empty();
    /// setup.board[Square::E1.index()] = Some(Piece::WhiteKing);
    /// setup.board[Square::E8.index()] = Some(Piece::BlackKing);
    /// assert!(Position::from_setup(&setup).is_ok());
    /// ```
    pub const fn empty() -> Setup {
        Setup {
            board: [None; 64],
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The start position of standard chess.
    ///
    /// ```
    /// use tamarack_chess::{Position, Setup};
    /// assert_eq!(Setup::startpos(), Position::startpos().to_setup());
    /// ```
    pub fn startpos() -> Setup {
        use PieceType::{Bishop, King, Knight, Queen, Rook};
        let mut setup = Setup::empty();
        let pieces = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for (file, piece_type) in File::ALL.into_iter().zip(pieces) {
            for color in Color::ALL {
                let back = Square::new(file, Rank::R1.relative_to(color));
                setup.board[back.index()] = Some(Piece::new(color, piece_type));
                setup.board[back.forward(color).index()] = Some(Piece::new(color, PieceType::Pawn));
            }
        }
        for color in Color::ALL {
            setup.castling.set(color, CastlingSide::King, Some(File::H));
            setup.castling.set(color, CastlingSide::Queen, Some(File::A));
        }
        setup
    }

    fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.squares_with(|piece| piece == Piece::new(color, piece_type))
    }

    fn squares_with(&self, wanted: impl Fn(Piece) -> bool) -> Bitboard {
        Square::ALL.into_iter().filter(|square| self.board[square.index()].is_some_and(&wanted)).collect()
    }

    fn check_pieces(&self, color: Color) -> Result<(), SetupError> {
        let count = |piece_type| self.pieces(color, piece_type).count();
        let (kings, pawns) = (count(PieceType::King), count(PieceType::Pawn));
        if kings != 1 {
            return Err(SetupError::Kings { color, count: kings });
        }
        if pawns > 8 {
            return Err(SetupError::TooManyPawns(color));
        }
        if self.squares_with(|piece| piece.color() == color).count() > 16 {
            return Err(SetupError::TooManyPieces(color));
        }
        let dark = (self.pieces(color, PieceType::Bishop) & Bitboard::DARK).count();
        let light = count(PieceType::Bishop) - dark;
        let promoted = count(PieceType::Knight).saturating_sub(2)
            + dark.saturating_sub(1)
            + light.saturating_sub(1)
            + count(PieceType::Rook).saturating_sub(2)
            + count(PieceType::Queen).saturating_sub(1);
        if promoted > 8 - pawns {
            return Err(SetupError::TooManyPromoted(color));
        }
        let ends = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
        match (self.pieces(color, PieceType::Pawn) & ends).first() {
            Some(square) => Err(SetupError::PawnOnBackRank(square)),
            None => Ok(()),
        }
    }

    fn check_castling(&self, color: Color) -> Result<(), SetupError> {
        let king = self.pieces(color, PieceType::King).single();
        for castling_side in CastlingSide::ALL {
            let Some(rook) = self.castling.rook_square(color, castling_side) else { continue };
            let outside = match castling_side {
                CastlingSide::King => rook.file() > king.file(),
                CastlingSide::Queen => rook.file() < king.file(),
            };
            let stands = self.board[rook.index()] == Some(Piece::new(color, PieceType::Rook));
            if king.rank() != rook.rank() || !outside || !stands {
                return Err(SetupError::Castling { color, rook });
            }
        }
        Ok(())
    }

    pub(super) fn check_en_passant(&self) -> Result<(), SetupError> {
        let Some(target) = self.en_passant else { return Ok(()) };
        let us = self.side_to_move;
        if target.rank() != Rank::R6.relative_to(us) {
            return Err(SetupError::EnPassant(target));
        }
        let on = |square: Square| self.board[square.index()];
        let passed = on(target).is_none()
            && on(target.forward(us)).is_none()
            && on(target.backward(us)) == Some(Piece::new(!us, PieceType::Pawn));
        if passed { Ok(()) } else { Err(SetupError::EnPassant(target)) }
    }
}

impl Position {
    /// The start position of standard chess.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// assert_eq!(Position::startpos().legal_moves().len(), 20);
    /// ```
    pub fn startpos() -> Position {
        Position::from_setup(&Setup::startpos()).expect("the start position is legal")
    }

    /// The position of `setup`.
    ///
    /// # Errors
    /// If no game can lead to it for one of the reasons of [`SetupError`]. Positions that are illegal in subtler
    /// ways are accepted: move generation is correct for them too.
    ///
    /// ```
    /// use tamarack_chess::{Position, Setup};
    /// let error = Position::from_setup(&Setup::empty()).unwrap_err();
    /// assert_eq!(error.to_string(), "White has 0 kings instead of one");
    /// ```
    pub fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        for color in Color::ALL {
            setup.check_pieces(color)?;
            setup.check_castling(color)?;
        }
        setup.check_en_passant()?;
        let clock = setup.halfmove_clock;
        let halfmove_clock = u16::try_from(clock).map_err(|_| SetupError::HalfmoveClock(clock))?;
        let us = setup.side_to_move;
        let mut position = Position {
            by_type: PieceType::ALL
                .map(|piece_type| setup.squares_with(|piece| piece.piece_type() == piece_type)),
            by_color: Color::ALL.map(|color| setup.squares_with(|piece| piece.color() == color)),
            board: setup.board,
            keys: Keys::NONE,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            fullmove_number: setup.fullmove_number.clamp(1, MAX_FULLMOVE_NUMBER),
            halfmove_clock,
            reversible_plies: 0,
            castling: setup.castling,
            en_passant: None,
            side_to_move: us,
        };
        position.update_checks_and_pins(us);
        let attackers = position.attackers_to(position.king(!us), position.occupied());
        if attackers.intersects(position.color(us)) {
            return Err(SetupError::OpponentInCheck(!us));
        }
        if position.checkers.count() > 2 {
            return Err(SetupError::TooManyCheckers(position.checkers.count()));
        }
        position.en_passant = setup.en_passant.filter(|&target| position.en_passant_is_possible(us, target));
        position.keys = position.compute_keys();
        Ok(position)
    }

    /// The arrangement of this position.
    ///
    /// ```
    /// use tamarack_chess::{Position, Square};
    /// let mut setup = Position::startpos().to_setup();
    /// setup.board[Square::D8.index()] = None; // queen odds
    /// assert_eq!(Position::from_setup(&setup)?.occupied().count(), 31);
    /// # Ok::<(), tamarack_chess::SetupError>(())
    /// ```
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            side_to_move: self.side_to_move,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.fullmove_number,
        }
    }

    /// Compares everything that [`Self::make`] updates with the same computed from scratch. For tests and fuzzing.
    ///
    /// # Panics
    /// If something differs.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// start.after(start.parse_uci("e2e4")?).assert_consistent();
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn assert_consistent(&self) {
        let fresh = Position::from_setup(&self.to_setup()).expect("a legal move leads to a legal position");
        assert_eq!(self.by_type, fresh.by_type, "by_type: {self:?}");
        assert_eq!(self.by_color, fresh.by_color, "colours: {self:?}");
        assert_eq!(self.keys, fresh.keys, "keys: {self:?}");
        assert_eq!((self.checkers, self.pinned), (fresh.checkers, fresh.pinned), "checks and pins: {self:?}");
        assert_eq!(self, &fresh);
        assert!(self.reversible_plies <= self.halfmove_clock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::{A1, A2, A8, B7, E1, E2, E3, E4, E6, E8, F1, H8};

    fn setup(pieces: &[(Square, Piece)]) -> Setup {
        let mut setup = Setup::empty();
        for &(square, piece) in pieces.iter().chain(&[(E1, Piece::WhiteKing), (E8, Piece::BlackKing)]) {
            setup.board[square.index()] = Some(piece);
        }
        setup
    }

    fn refused(setup: &Setup) -> SetupError {
        Position::from_setup(setup).expect_err("an impossible position")
    }

    #[test]
    fn the_right_pieces_are_demanded() {
        let error = refused(&setup(&[(A1, Piece::WhiteKing)]));
        assert_eq!(error, SetupError::Kings { color: Color::White, count: 2 });
        assert_eq!(error.to_string(), "White has 2 kings instead of one");
        assert_eq!(refused(&Setup::empty()), SetupError::Kings { color: Color::White, count: 0 });
        assert_eq!(refused(&setup(&[(H8, Piece::BlackPawn)])), SetupError::PawnOnBackRank(H8));
        let rank = |rank, piece| File::ALL.map(|file| (Square::new(file, rank), piece));
        let pawns = rank(Rank::R6, Piece::BlackPawn);
        let mut pieces = pawns.to_vec();
        pieces.push((A2, Piece::BlackPawn));
        assert_eq!(refused(&setup(&pieces)), SetupError::TooManyPawns(Color::Black));
        pieces = [pawns, rank(Rank::R7, Piece::BlackKnight)].concat();
        assert_eq!(refused(&setup(&pieces)), SetupError::TooManyPieces(Color::Black));
        pieces = pawns.to_vec();
        pieces.extend([(A8, Piece::BlackQueen), (B7, Piece::BlackQueen)]);
        assert_eq!(refused(&setup(&pieces)), SetupError::TooManyPromoted(Color::Black));
        pieces.remove(0);
        assert!(Position::from_setup(&setup(&pieces)).is_ok());
    }

    #[test]
    fn checks_must_be_possible() {
        let error = refused(&setup(&[(A8, Piece::WhiteRook)]));
        assert_eq!(error, SetupError::OpponentInCheck(Color::Black));
        let three = [(A1, Piece::BlackRook), (E4, Piece::BlackRook), (Square::C2, Piece::BlackKnight)];
        assert_eq!(refused(&setup(&three)), SetupError::TooManyCheckers(3));
        assert_eq!(
            Position::from_setup(&setup(&three[..2])).map(|position| position.checkers().count()),
            Ok(2)
        );
    }

    #[test]
    fn castling_needs_king_and_rook_at_home() {
        let mut rook = setup(&[(F1, Piece::WhiteRook)]);
        rook.castling.set(Color::White, CastlingSide::King, Some(File::F));
        assert!(Position::from_setup(&rook).is_ok());
        rook.castling.set(Color::White, CastlingSide::Queen, Some(File::F));
        assert_eq!(refused(&rook), SetupError::Castling { color: Color::White, rook: F1 });
        let mut none = setup(&[]);
        none.castling.set(Color::Black, CastlingSide::King, Some(File::H));
        assert_eq!(refused(&none), SetupError::Castling { color: Color::Black, rook: H8 });
    }

    #[test]
    fn en_passant_is_kept_only_when_legal() {
        let mut passed = setup(&[(E4, Piece::WhitePawn)]);
        passed.side_to_move = Color::Black;
        passed.en_passant = Some(E3);
        assert_eq!(Position::from_setup(&passed).map(|position| position.en_passant()), Ok(None));
        passed.board[Square::D4.index()] = Some(Piece::BlackPawn);
        assert_eq!(Position::from_setup(&passed).map(|position| position.en_passant()), Ok(Some(E3)));
        passed.board[E2.index()] = Some(Piece::WhiteKnight);
        assert_eq!(refused(&passed), SetupError::EnPassant(E3));
        passed.en_passant = Some(E6);
        assert_eq!(refused(&passed), SetupError::EnPassant(E6));
    }

    #[test]
    fn a_position_gives_its_setup_back() {
        let start = Position::startpos();
        assert_eq!(start.to_setup(), Setup::startpos());
        assert_eq!(Position::from_setup(&start.to_setup()), Ok(start));
        let late = Setup { halfmove_clock: 70_000, ..Setup::startpos() };
        assert_eq!(refused(&late), SetupError::HalfmoveClock(70_000));
    }
}
