//! A position: pieces, side to move, castling rights, en passant, counters, and the checks, pins and keys kept with them.

use super::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks, rook_rays,
};
use super::bitboard::Bitboard;
use super::castling::{CastlingRights, CastlingSide};
use super::piece::{Piece, PieceType};
use super::square::{Color, Square};
use super::zobrist::{self, Keys};
use std::hash::{Hash, Hasher};

/// The largest fullmove number, in FENs and after moves.
pub(super) const MAX_FULLMOVE_NUMBER: u32 = u16::MAX as u32;

/// A legal position of standard chess or Chess960. It has 200 bytes and is `Copy`: a move makes a new one (copy-make),
/// so there is nothing to undo.
///
/// Positions come from [`Position::startpos`], [`Position::chess960`], FEN ([`str::parse`],
/// [`Position::from_fen_lenient`]) and [`Position::from_setup`]. Two positions are equal when their FENs are.
///
/// ```
/// use tamarack_chess::{Color, Position};
/// let start = Position::startpos();
/// let mv = start.parse_uci("e2e4")?;
/// assert!(start.is_legal(mv) && !start.gives_check(mv));
/// let next = start.after(mv);
/// assert_eq!(next.side_to_move(), Color::Black);
/// assert_eq!(next.legal_moves().len(), 20);
/// # Ok::<(), tamarack_chess::MoveError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) by_type: [Bitboard; 6],
    pub(super) by_color: [Bitboard; 2],
    pub(super) board: [Option<Piece>; 64],
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) fullmove_number: u32,
    pub(super) halfmove_clock: u16,
    pub(super) reversible_plies: u16,
    pub(super) castling: CastlingRights,
    pub(super) en_passant: Option<Square>,
    pub(super) side_to_move: Color,
}

impl Position {
    /// The side to move.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// assert_eq!(Position::startpos().side_to_move(), Color::White);
    /// ```
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The piece on `square`.
    ///
    /// ```
    /// use tamarack_chess::{Piece, Position, Square};
    /// assert_eq!(Position::startpos().piece_on(Square::E1), Some(Piece::WhiteKing));
    /// ```
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The pieces of a type, of both colours.
    ///
    /// ```
    /// use tamarack_chess::{PieceType, Position};
    /// assert_eq!(Position::startpos().of_type(PieceType::Pawn).count(), 16);
    /// ```
    #[inline(always)]
    pub const fn of_type(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type.index()]
    }

    /// The pieces of a colour, of all types.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// assert_eq!(Position::startpos().color(Color::White).count(), 16);
    /// ```
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of a colour and type.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Color, PieceType, Position, Rank};
    /// let start = Position::startpos();
    /// assert_eq!(start.pieces(Color::White, PieceType::Pawn), Bitboard::rank(Rank::R2));
    /// ```
    #[inline(always)]
    pub const fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        Bitboard(self.by_color[color.index()].0 & self.by_type[piece_type.index()].0)
    }

    /// Every square with a piece on it.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// assert_eq!(Position::startpos().occupied().count(), 32);
    /// ```
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.by_color[0].0 | self.by_color[1].0)
    }

    /// The square of the king of `color`.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position, Square};
    /// assert_eq!(Position::startpos().king(Color::Black), Square::E8);
    /// ```
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).single()
    }

    /// The pieces that give check to the side to move.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/K3R3 b - - 0 1".parse()?;
    /// assert_eq!(position.checkers(), Bitboard::of(Square::E1));
    /// assert!(position.in_check());
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// True if the side to move is in check.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// assert!(!Position::startpos().in_check());
    /// ```
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The side to move's own pieces that are pinned to its king.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Position, Square};
    /// let position: Position = "4k3/4n3/8/8/8/8/8/K3R3 b - - 0 1".parse()?;
    /// assert_eq!(position.pinned(), Bitboard::of(Square::E7));
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The castling rights of both sides.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// assert!(!Position::startpos().castling().is_empty());
    /// ```
    #[inline(always)]
    pub const fn castling(&self) -> &CastlingRights {
        &self.castling
    }

    /// The en passant square: the square that a pawn has just passed; `None` when no capture there is legal.
    ///
    /// ```
    /// use tamarack_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1".parse()?;
    /// let next = position.after(position.parse_uci("e2e4")?);
    /// assert_eq!(next.en_passant(), Some(Square::E3)); // d4e3 is legal
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The number of plies since the last capture or pawn move, 0 to 65535.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// let next = start.after(start.parse_uci("g1f3")?);
    /// assert_eq!(next.halfmove_clock(), 1);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock as u32
    }

    /// The number of the move to be made, from 1 to 65535; it goes up after Black's move.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// let next = start.after(start.parse_uci("g1f3")?);
    /// assert_eq!((next.fullmove_number(), next.after_null().fullmove_number()), (1, 2));
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The number of plies since the last irreversible move: capture, pawn move, loss of a castling right, null move. No
    /// position before it can be repeated. Counted from the set-up, so it is at most the halfmove clock.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mut position = Position::startpos();
    /// for text in ["g1f3", "g8f6"] {
    ///     position.make(position.parse_uci(text)?);
    /// }
    /// assert_eq!(position.reversible_plies(), 2);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn reversible_plies(&self) -> usize {
        self.reversible_plies as usize
    }

    /// The Zobrist key of pieces, side to move, castling rights and en passant.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// // A transposition: the same position by another order of moves.
    /// let play = |moves: [&str; 3]| {
    ///     moves.iter().fold(Position::startpos(), |position, text| {
    ///         position.after(position.parse_uci(text).unwrap())
    ///     })
    /// };
    /// assert_eq!(play(["g1f3", "g8f6", "b1c3"]).key(), play(["b1c3", "g8f6", "g1f3"]).key());
    /// ```
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.keys.position
    }

    /// The Zobrist key of the pawns.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// let next = start.after(start.parse_uci("g1f3")?);
    /// assert_eq!(next.pawn_key(), start.pawn_key());
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn pawn_key(&self) -> u64 {
        self.keys.groups[zobrist::PAWNS]
    }

    /// The Zobrist key of knights and bishops.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// let next = start.after(start.parse_uci("g1f3")?);
    /// assert_ne!(next.minor_key(), start.minor_key());
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn minor_key(&self) -> u64 {
        self.keys.groups[zobrist::MINOR_PIECES]
    }

    /// The Zobrist key of the pieces of `color` other than pawns.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// let start = Position::startpos();
    /// let next = start.after(start.parse_uci("g1f3")?);
    /// assert_ne!(next.non_pawn_key(Color::White), start.non_pawn_key(Color::White));
    /// assert_eq!(next.non_pawn_key(Color::Black), start.non_pawn_key(Color::Black));
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub const fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.groups[zobrist::NON_PAWNS + color.index()]
    }

    /// Every piece of either colour that attacks `square` when the pieces of `occupied` are in the way.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Position, Square};
    /// let start = Position::startpos();
    /// let attackers = start.attackers_to(Square::F3, start.occupied());
    /// assert_eq!(attackers, [Square::E2, Square::G2, Square::G1].into_iter().collect::<Bitboard>());
    /// ```
    #[inline(always)]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn)
            | pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn)
            | knight_attacks(square) & self.of_type(PieceType::Knight)
            | king_attacks(square) & self.of_type(PieceType::King)
            | bishop_attacks(square, occupied) & self.diagonal_sliders()
            | rook_attacks(square, occupied) & self.straight_sliders()
    }

    /// The number of pieces of `color` other than king and pawns.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// let position: Position = "4k3/4p3/8/8/8/8/8/4K2R w - - 0 1".parse()?;
    /// assert_eq!((position.non_pawn_count(Color::White), position.non_pawn_count(Color::Black)), (1, 0));
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    #[inline(always)]
    pub const fn non_pawn_count(&self, color: Color) -> u32 {
        let others = self.by_type[PieceType::Pawn.index()].0 | self.by_type[PieceType::King.index()].0;
        (self.color(color).0 & !others).count_ones()
    }

    /// True if no sequence of legal moves leads to mate: bare kings, one minor piece, or bishops of one square colour only.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/4KB2 w - - 0 1".parse()?;
    /// assert!(position.is_insufficient_material());
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub const fn is_insufficient_material(&self) -> bool {
        let mating = self.by_type[PieceType::Pawn.index()].0
            | self.by_type[PieceType::Rook.index()].0
            | self.by_type[PieceType::Queen.index()].0;
        if mating != 0 {
            return false;
        }
        let bishops = self.of_type(PieceType::Bishop).0;
        let one_color = bishops & Bitboard::DARK.0 == 0 || bishops & !Bitboard::DARK.0 == 0;
        self.occupied().count() <= 3 || self.of_type(PieceType::Knight).is_empty() && one_color
    }

    /// The position with colours exchanged and the board mirrored top to bottom: the same chances for the other side.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 3 9".parse()?;
    /// assert_eq!(position.flipped().to_string(), "r3k3/4p3/8/8/8/8/8/4K3 b q - 3 9");
    /// assert_eq!(position.flipped().flipped(), position);
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn flipped(&self) -> Position {
        let mut flipped = *self;
        flipped.by_type = self.by_type.map(Bitboard::flipped);
        flipped.by_color = Color::ALL.map(|color| self.color(!color).flipped());
        flipped.board = Square::ALL.map(|square| {
            self.piece_on(square.flipped()).map(|piece| Piece::new(!piece.color(), piece.piece_type()))
        });
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                flipped.castling.set(color, side, self.castling.rook_file(!color, side));
            }
        }
        flipped.en_passant = self.en_passant.map(Square::flipped);
        flipped.side_to_move = !self.side_to_move;
        flipped.keys = flipped.compute_keys();
        flipped.update_checks_and_pins(flipped.side_to_move);
        flipped
    }

    /// Bishops and queens of both colours.
    #[inline(always)]
    pub(super) const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.by_type[PieceType::Bishop.index()].0 | self.by_type[PieceType::Queen.index()].0)
    }

    /// Rooks and queens of both colours.
    #[inline(always)]
    pub(super) const fn straight_sliders(&self) -> Bitboard {
        Bitboard(self.by_type[PieceType::Rook.index()].0 | self.by_type[PieceType::Queen.index()].0)
    }

    /// Computes the pieces that give check to `us`, the side to move, and its pinned pieces.
    #[inline(always)]
    pub(super) fn update_checks_and_pins(&mut self, us: Color) {
        let (own, enemies) = (self.color(us), self.color(!us));
        let occupied = own | enemies;
        let king = self.king(us);
        let mut checkers = knight_attacks(king) & self.of_type(PieceType::Knight)
            | pawn_attacks(us, king) & self.of_type(PieceType::Pawn);
        let snipers = bishop_rays(king) & self.diagonal_sliders() | rook_rays(king) & self.straight_sliders();
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers & enemies {
            let shield = between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= Bitboard::of(sniper);
            } else if !shield.more_than_one() {
                pinned |= shield;
            }
        }
        self.checkers = checkers & enemies;
        self.pinned = pinned & own;
    }

    /// True if the pawn of `us` on `from` may take en passant on `to` without exposing its king: the captured pawn vanishes
    /// too, which can open a rank or a diagonal that no pin covers.
    pub(super) fn en_passant_is_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let victim = Bitboard::of(to.backward(us));
        let occupied = (self.occupied() ^ Bitboard::of(from) ^ victim) | Bitboard::of(to);
        (self.attackers_to(self.king(us), occupied) & self.color(!us)).without(victim).is_empty()
    }

    /// True if some pawn of `us` may take en passant on `target`.
    pub(super) fn en_passant_is_possible(&self, us: Color, target: Square) -> bool {
        let capturers = pawn_attacks(!us, target) & self.pieces(us, PieceType::Pawn);
        capturers.iter().any(|from| self.en_passant_is_safe(us, from, target))
    }

    /// The Zobrist keys, computed from scratch.
    pub(super) fn compute_keys(&self) -> Keys {
        let mut keys = Keys::NONE;
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                keys.toggle_piece(piece, square);
            }
        }
        keys.position ^= zobrist::castling(&self.castling) ^ zobrist::en_passant(self.en_passant);
        if self.side_to_move == Color::Black {
            keys.position ^= zobrist::BLACK_TO_MOVE;
        }
        keys
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let state = |position: &Position| {
            let counters = (position.halfmove_clock, position.fullmove_number);
            (position.side_to_move, position.castling, position.en_passant, counters)
        };
        self.board == other.board && state(self) == state(other)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.keys.position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::KIWIPETE;

    #[test]
    fn a_position_flipped_twice_is_the_same() {
        for fen in [
            KIWIPETE,
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "1nb2k1r/4r3/1pqp1pnp/p1p1p1p1/P1P1P1P1/1PQPRP1P/3BB3/1N4KR w H - 0 16",
        ] {
            let position: Position = fen.parse().unwrap();
            let once = position.flipped();
            once.assert_consistent();
            assert_ne!(once, position);
            assert_eq!(once.perft(3), position.perft(3), "{fen}");
            assert_eq!(once.flipped(), position, "{fen}");
        }
    }
}
