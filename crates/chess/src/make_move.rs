//! Making moves: the position after a move or null move, and its keys.

use super::attacks::pawn_attacks;
use super::bitboard::Bitboard;
use super::castling::CastlingSide;
use super::chess_move::Move;
use super::piece::{Piece, PieceType};
use super::position::{MAX_FULLMOVE_NUMBER, Position};
use super::square::{Color, Rank, Square};
use super::zobrist;

impl Position {
    /// The position after the legal move `mv`. A copy and [`Self::make`] are faster where that counts: the compiler does
    /// not build a returned position in its final place.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// let next = start.after(start.parse_uci("d2d4")?);
    /// assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// The position after a null move: the side to move passes. It must not be in check.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// let passed = Position::startpos().after_null();
    /// assert_eq!(passed.side_to_move(), Color::Black);
    /// ```
    pub fn after_null(&self) -> Position {
        let mut next = *self;
        let us = self.side_to_move;
        next.keys.position = self.key_after_null();
        next.en_passant = None;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.reversible_plies = 0;
        next.fullmove_number = (self.fullmove_number + us as u32).min(MAX_FULLMOVE_NUMBER);
        next.side_to_move = !us;
        next.update_checks_and_pins(!us);
        next
    }

    /// The key after a null move.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// assert_eq!(start.key_after_null(), start.after_null().key());
    /// ```
    #[inline(always)]
    pub fn key_after_null(&self) -> u64 {
        self.keys.position ^ zobrist::BLACK_TO_MOVE ^ zobrist::en_passant(self.en_passant)
    }

    /// The key after `mv`, for prefetching: exact for quiet moves and captures that change neither castling rights nor the
    /// en passant square, approximate for others.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// let mv = start.parse_uci("g1f3")?;
    /// assert_eq!(start.key_after(mv), start.after(mv).key());
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.key_after_null();
        if let Some(piece) = self.piece_on(mv.from()) {
            key ^= zobrist::piece_key(piece, mv.from()) ^ zobrist::piece_key(piece, mv.to());
        }
        if let Some(victim) = self.piece_on(mv.to()) {
            key ^= zobrist::piece_key(victim, mv.to());
        }
        key
    }

    /// Makes the legal move `mv` in place. Keep a copy to take it back.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mut position = Position::startpos();
    /// let before = position;
    /// position.make(position.parse_uci("d2d4")?);
    /// position = before;
    /// assert_eq!(position, Position::startpos());
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(never)]
    pub fn make(&mut self, mv: Move) {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        self.fullmove_number = (self.fullmove_number + us as u32).min(MAX_FULLMOVE_NUMBER);
        self.keys.position ^= zobrist::BLACK_TO_MOVE ^ zobrist::en_passant(self.en_passant);
        self.en_passant = None;
        self.side_to_move = !us;
        if mv.is_castling() {
            self.castle(us, from, to);
        } else if let Some(piece) = self.piece_on(from) {
            self.move_piece(mv, us, piece);
        }
        self.update_checks_and_pins(!us);
        if mv.is_double_push() {
            self.set_en_passant(us, from.forward(us));
        }
    }

    /// Moves a piece, with capture and promotion: every move but castling.
    #[inline(always)]
    fn move_piece(&mut self, mv: Move, us: Color, piece: Piece) {
        let (from, to) = (mv.from(), mv.to());
        let piece_type = piece.piece_type();
        if mv.is_capture() {
            let square = mv.capture_square();
            if let Some(victim) = self.piece_on(square) {
                self.remove_piece(victim, square);
            }
        }
        self.remove_piece(piece, from);
        self.put_piece(mv.promotion().map_or(piece, |promoted| Piece::new(us, promoted)), to);
        if mv.is_capture() || piece_type == PieceType::Pawn {
            self.halfmove_clock = 0;
            self.reversible_plies = 0;
        }
        let ends = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
        if !self.castling.is_empty() && ends.intersects(Bitboard::of(from) | Bitboard::of(to)) {
            self.update_castling_rights(us, piece_type, from, to);
        }
    }

    /// Removes the castling rights that a move of a king or rook, or a capture of a rook, ends.
    fn update_castling_rights(&mut self, us: Color, piece_type: PieceType, from: Square, to: Square) {
        let before = self.castling;
        match piece_type {
            PieceType::King => self.castling.clear(us),
            PieceType::Rook => self.castling.clear_rook(us, from),
            _ => {}
        }
        // A right means that its rook still stands there, so whatever arrives on the square has taken it.
        self.castling.clear_rook(!us, to);
        if self.castling != before {
            self.keys.position ^= zobrist::castling(&before) ^ zobrist::castling(&self.castling);
            self.reversible_plies = 0;
        }
    }

    #[inline(never)]
    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let castling_side = if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
        // Both leave before either arrives: in Chess960 one may land where the other stood.
        self.remove_piece(Piece::new(us, PieceType::King), king);
        self.remove_piece(Piece::new(us, PieceType::Rook), rook);
        self.put_piece(Piece::new(us, PieceType::King), castling_side.king_target(us));
        self.put_piece(Piece::new(us, PieceType::Rook), castling_side.rook_target(us));
        self.update_castling_rights(us, PieceType::King, king, rook);
    }

    /// Sets the en passant square to `target`, which a pawn has just passed, if a capture there is legal.
    #[inline(always)]
    fn set_en_passant(&mut self, us: Color, target: Square) {
        let capturers = pawn_attacks(us, target) & self.pieces(!us, PieceType::Pawn);
        if !capturers.is_empty() && self.en_passant_is_possible(!us, target) {
            self.en_passant = Some(target);
            self.keys.position ^= zobrist::en_passant(Some(target));
        }
    }

    #[inline(always)]
    fn put_piece(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = Some(piece);
        self.toggle_piece(piece, square);
    }

    #[inline(always)]
    fn remove_piece(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = None;
        self.toggle_piece(piece, square);
    }

    #[inline(always)]
    fn toggle_piece(&mut self, piece: Piece, square: Square) {
        self.by_type[piece.piece_type().index()] ^= Bitboard::of(square);
        self.by_color[piece.color().index()] ^= Bitboard::of(square);
        self.keys.toggle_piece(piece, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveKind;
    use crate::positions::START;

    fn play(fen: &str, moves: &[&str]) -> Position {
        let mut position: Position = fen.parse().expect("a legal position");
        for text in moves {
            let mv = position.parse_uci(text).expect("a legal move");
            position = position.after(mv);
            position.assert_consistent();
        }
        position
    }

    #[test]
    fn the_same_position_by_another_way_has_the_same_key() {
        let one = play(START, &["g1f3", "g8f6", "b1c3"]);
        let other = play(START, &["b1c3", "g8f6", "g1f3"]);
        assert_eq!((one, one.key(), one.pawn_key()), (other, other.key(), other.pawn_key()));
        assert_ne!(one.minor_key(), Position::startpos().minor_key());
        assert_eq!(one.pawn_key(), Position::startpos().pawn_key());
        let back = play(START, &["g1f3", "g8f6", "f3g1", "f6g8"]);
        assert_eq!(back.key(), Position::startpos().key());
        assert_eq!((back.halfmove_clock(), back.reversible_plies(), back.fullmove_number()), (4, 4, 3));
    }

    #[test]
    fn counters_stop_where_a_fen_can_still_be_read() {
        let late = play("3k4/8/8/8/8/8/8/3K4 b - - 65535 65535", &["d8e8"]);
        assert_eq!(late.to_string(), "4k3/8/8/8/8/8/8/3K4 w - - 65535 65535");
        assert_eq!(late.to_string().parse(), Ok(late));
        assert_eq!(late.after_null().after_null().fullmove_number(), 65535);
    }

    #[test]
    fn en_passant_is_offered_only_when_legal() {
        assert_eq!(play(START, &["e2e4"]).en_passant(), None);
        assert_eq!(play(START, &["e2e4", "a7a6", "e4e5", "d7d5"]).en_passant(), Some(Square::D6));
        let pinned = play("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", &["d2d4"]);
        assert_eq!(pinned.en_passant(), None);
    }

    #[test]
    fn castling_rights_go_with_king_and_rooks() {
        let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let rights = |moves: &[&str]| play(rooks, moves).castling().mask();
        assert_eq!(rights(&["e1g1"]), 0b1100);
        assert_eq!(rights(&["a1b1"]), 0b1101);
        assert_eq!(rights(&["h1h8"]), 0b1010);
        let lost = play(rooks, &["a1b1", "h8g8"]);
        assert_eq!((lost.halfmove_clock(), lost.reversible_plies()), (2, 0));
    }

    #[test]
    fn chess960_castling_may_swap_or_keep_squares() {
        let swapped = play("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", &["f1g1"]);
        let on = |square| swapped.piece_on(square);
        assert_eq!((on(Square::G1), on(Square::F1)), (Some(Piece::WhiteKing), Some(Piece::WhiteRook)));
        let kept = play("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", &["c1a1"]);
        assert_eq!((kept.king(Color::White), kept.piece_on(Square::A1)), (Square::C1, None));
    }

    #[test]
    fn a_null_move_only_passes_the_turn() {
        let before = play(START, &["e2e4", "a7a6", "e4e5", "d7d5"]);
        let passed = before.after_null();
        passed.assert_consistent();
        assert_eq!((passed.en_passant(), passed.reversible_plies()), (None, 0));
        assert_eq!((passed.side_to_move(), passed.occupied()), (Color::Black, before.occupied()));
        let mv = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
        assert_eq!(before.key_after(mv), before.after(mv).key());
    }
}
