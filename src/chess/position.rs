//! A position: what stands where, who moves, and what follows from it at once.

use super::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks, rook_rays,
};
use super::bitboard::Bitboard;
use super::castling::CastlingRights;
use super::piece::{Piece, PieceType};
use super::setup::Setup;
use super::square::{Color, Square};
use super::zobrist::Keys;

/// A legal position of standard chess or Chess960. It is small and `Copy`: a move makes a new one, so there is
/// nothing to undo.
///
/// Two positions are equal when their FENs are.
///
/// ```
/// use tamarack::chess::{Color, Position};
/// let start = Position::startpos();
/// let mv = start.parse_uci("e2e4")?;
/// assert!(start.is_legal(mv) && !start.gives_check(mv));
/// let next = start.after(mv);
/// assert_eq!(next.side_to_move(), Color::Black);
/// assert_eq!(next.legal_moves().len(), 20);
/// # Ok::<(), tamarack::chess::MoveError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
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
    /// The start of a game of standard chess.
    pub fn startpos() -> Position {
        Position::from_setup(&Setup::startpos()).expect("the start position is legal")
    }

    /// Whose turn it is.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// What stands on `square`.
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The pieces of a kind, of both colours.
    #[inline(always)]
    pub const fn of_type(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of a colour, of all kinds.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of a colour and kind.
    #[inline(always)]
    pub const fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        Bitboard(self.colors[color.index()].0 & self.kinds[kind.index()].0)
    }

    /// Every square with a piece on it.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// Where the king of `color` stands.
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).single()
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The side to move's own pieces that are pinned to its king.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Who may still castle, and with which rooks.
    #[inline(always)]
    pub const fn castling(&self) -> &CastlingRights {
        &self.castling
    }

    /// The square on which a pawn can be taken en passant; `None` when no such capture is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock as u32
    }

    /// The number of the move that is to be made, counted from 1 in steps after Black's.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Known plies since the last move that cannot be taken back: capture, pawn move, loss of a castling right,
    /// null move. No earlier position can come again. Counts from the set-up, so it is at most the halfmove clock.
    #[inline(always)]
    pub const fn reversible_plies(&self) -> usize {
        self.reversible_plies as usize
    }

    /// The Zobrist key of pieces, side to move, castling rights and en passant.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.keys.all
    }

    /// The Zobrist key of the pawns.
    #[inline(always)]
    pub const fn pawn_key(&self) -> u64 {
        self.keys.groups[0]
    }

    /// The Zobrist key of knights and bishops.
    #[inline(always)]
    pub const fn minor_key(&self) -> u64 {
        self.keys.groups[3]
    }

    /// The Zobrist key of the pieces of `color` other than pawns.
    #[inline(always)]
    pub const fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.groups[1 + color.index()]
    }

    /// Every piece of either colour that attacks `square` when the pieces of `occupied` stand in the way.
    #[inline(always)]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn)
            | pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn)
            | knight_attacks(square) & self.of_type(PieceType::Knight)
            | king_attacks(square) & self.of_type(PieceType::King)
            | bishop_attacks(square, occupied) & self.diagonal_sliders()
            | rook_attacks(square, occupied) & self.straight_sliders()
    }

    /// Whether `color` has a piece beside king and pawns.
    #[inline(always)]
    pub const fn has_non_pawns(&self, color: Color) -> bool {
        self.color(color).0 & !(self.kinds[PieceType::Pawn.index()].0 | self.kinds[PieceType::King.index()].0)
            != 0
    }

    /// Whether fifty moves of each side without capture or pawn move make a draw: they do unless the last of them mates.
    #[inline(always)]
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Whether no sequence of legal moves leads to mate: bare kings, one minor piece, or bishops of one square colour only.
    pub const fn is_insufficient_material(&self) -> bool {
        let mating = self.kinds[PieceType::Pawn.index()].0
            | self.kinds[PieceType::Rook.index()].0
            | self.kinds[PieceType::Queen.index()].0;
        if mating != 0 {
            return false;
        }
        let bishops = self.of_type(PieceType::Bishop).0;
        let one_color = bishops & Bitboard::DARK.0 == 0 || bishops & !Bitboard::DARK.0 == 0;
        self.occupied().count() <= 3 || self.of_type(PieceType::Knight).is_empty() && one_color
    }

    /// Bishops and queens of both colours.
    #[inline(always)]
    pub(super) const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.kinds[PieceType::Bishop.index()].0 | self.kinds[PieceType::Queen.index()].0)
    }

    /// Rooks and queens of both colours.
    #[inline(always)]
    pub(super) const fn straight_sliders(&self) -> Bitboard {
        Bitboard(self.kinds[PieceType::Rook.index()].0 | self.kinds[PieceType::Queen.index()].0)
    }

    /// Finds out anew who gives check to the side to move and which of its pieces are pinned.
    #[inline(always)]
    pub(super) fn find_checks(&mut self, us: Color) {
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

    /// Whether the pawn of `us` on `from` may take en passant on `to`: the taken pawn vanishes too, which can open a
    /// rank or a diagonal on the king that no pin covers.
    pub(super) fn en_passant_is_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let victim = Bitboard::of(to.backward(us));
        let occupied = (self.occupied() ^ Bitboard::of(from) ^ victim) | Bitboard::of(to);
        (self.attackers_to(self.king(us), occupied) & self.color(!us)).without(victim).is_empty()
    }

    /// Whether some pawn of `us` may take en passant on `target`.
    pub(super) fn en_passant_is_possible(&self, us: Color, target: Square) -> bool {
        let mut takers = pawn_attacks(!us, target) & self.pieces(us, PieceType::Pawn);
        Iterator::any(&mut takers, |from| self.en_passant_is_safe(us, from, target))
    }

    /// Checks everything that is kept up to date move by move against the same worked out afresh.
    ///
    /// # Panics
    /// When something differs: then make_move has an error.
    pub fn assert_consistent(&self) {
        let fresh = Position::from_setup(&self.to_setup()).expect("a legal move leads to a legal position");
        assert_eq!(self.kinds, fresh.kinds, "kinds: {self:?}");
        assert_eq!(self.colors, fresh.colors, "colours: {self:?}");
        assert_eq!(self.keys, fresh.keys, "keys: {self:?}");
        assert_eq!((self.checkers, self.pinned), (fresh.checkers, fresh.pinned), "checks and pins: {self:?}");
        assert_eq!(self, &fresh);
        assert!(self.reversible_plies <= self.halfmove_clock);
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
