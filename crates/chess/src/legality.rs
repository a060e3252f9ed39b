//! Legality of single moves, and checks by them.

use super::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, pawn_attacks, piece_attacks, ray_through,
    rook_attacks, rook_rays,
};
use super::bitboard::Bitboard;
use super::castling::CastlingSide;
use super::chess_move::{Move, MoveKind};
use super::piece::PieceType;
use super::position::Position;
use super::square::{Color, Rank, Square};

impl Position {
    /// True if `mv`, which may be any bits, is a legal move here and of the right kind.
    ///
    /// ```
    /// use tamarack_chess::{Move, Position};
    /// let start = Position::startpos();
    /// let from_table = Move::from_bits(0x0FFF).unwrap(); // h8h8
    /// assert!(!start.is_legal(from_table));
    /// assert!(start.legal_moves().into_iter().all(|mv| start.is_legal(mv)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let (Some(kind), Some(piece)) = (mv.kind(), self.piece_on(from)) else { return false };
        if piece.color() != us {
            return false;
        }
        match (kind, piece.piece_type()) {
            (MoveKind::Castling, PieceType::King) => CastlingSide::ALL.into_iter().any(|castling_side| {
                self.castling().rook_square(us, castling_side) == Some(to)
                    && self.can_castle(us, castling_side)
            }),
            (MoveKind::EnPassant, PieceType::Pawn) => {
                self.en_passant() == Some(to)
                    && pawn_attacks(us, from).contains(to)
                    && self.en_passant_is_safe(us, from, to)
            }
            (MoveKind::Castling | MoveKind::EnPassant, _) => false,
            (_, PieceType::Pawn) => {
                self.pawn_can_reach(us, from, to, kind) && self.keeps_king_safe(us, from, to)
            }
            (MoveKind::Quiet | MoveKind::Capture, PieceType::King) => {
                self.matches_target(to, kind)
                    && king_attacks(from).contains(to)
                    && self.king_is_safe_on(us, to)
            }
            (MoveKind::Quiet | MoveKind::Capture, piece) => {
                self.matches_target(to, kind)
                    && piece_attacks(piece, from, self.occupied()).contains(to)
                    && self.keeps_king_safe(us, from, to)
            }
            _ => false,
        }
    }

    /// True if the legal move `mv` gives check, directly or by discovery.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
    /// assert!(position.gives_check(position.parse_uci("a1a8")?));
    /// assert!(!position.gives_check(position.parse_uci("a1a7")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            return self.castling_gives_check(us, from, to);
        }
        let Some(piece) = self.piece_on(from) else { return false };
        let mut occupied = (self.occupied() ^ Bitboard::of(from)) | Bitboard::of(to);
        let mut opened = Bitboard::of(from);
        if mv.is_en_passant() {
            let victim = Bitboard::of(mv.capture_square());
            occupied ^= victim;
            opened |= victim;
        }
        let direct = match mv.promotion().unwrap_or(piece.piece_type()) {
            PieceType::Pawn => pawn_attacks(us, to).contains(king),
            piece_type => piece_attacks(piece_type, to, occupied).contains(king),
        };
        direct
            || (bishop_rays(king) | rook_rays(king)).intersects(opened)
                && !self.slider_attackers_to(us, king, occupied).without(Bitboard::of(from)).is_empty()
    }

    fn castling_gives_check(&self, us: Color, king: Square, rook: Square) -> bool {
        let castling_side = if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
        let target = castling_side.rook_target(us);
        let left = Bitboard::of(king) | Bitboard::of(rook);
        let occupied = self.occupied().without(left)
            | Bitboard::of(target)
            | Bitboard::of(castling_side.king_target(us));
        let enemy = self.king(!us);
        rook_attacks(target, occupied).contains(enemy)
            || !self.slider_attackers_to(us, enemy, occupied).without(Bitboard::of(rook)).is_empty()
    }

    /// The sliders of `color` that attack `square` when the pieces of `occupied` are in the way.
    fn slider_attackers_to(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let reached = bishop_attacks(square, occupied) & self.diagonal_sliders()
            | rook_attacks(square, occupied) & self.straight_sliders();
        reached & self.color(color)
    }

    /// True if a move of `kind` may go to `to`: an enemy piece for captures, an empty square for others.
    fn matches_target(&self, to: Square, kind: MoveKind) -> bool {
        match kind {
            MoveKind::Capture | MoveKind::CapturePromotion(_) => {
                self.color(!self.side_to_move()).contains(to)
            }
            _ => !self.occupied().contains(to),
        }
    }

    /// True if a move of `kind`, en passant apart, is one that a pawn on `from` can make.
    pub(super) fn pawn_can_reach(&self, us: Color, from: Square, to: Square, kind: MoveKind) -> bool {
        let promotes = matches!(kind, MoveKind::Promotion(_) | MoveKind::CapturePromotion(_));
        let last = to.rank() == Rank::R8.relative_to(us);
        let reached = match kind {
            MoveKind::Quiet | MoveKind::Promotion(_) => to == from.forward(us),
            MoveKind::Capture | MoveKind::CapturePromotion(_) => pawn_attacks(us, from).contains(to),
            MoveKind::DoublePush => {
                let passed = from.forward(us);
                from.rank() == Rank::R2.relative_to(us)
                    && to == passed.forward(us)
                    && !self.occupied().contains(passed)
            }
            MoveKind::Castling | MoveKind::EnPassant => false,
        };
        reached && promotes == last && self.matches_target(to, kind)
    }

    /// True if checks and pins allow a piece other than the king to go from `from` to `to`.
    fn keeps_king_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let king = self.king(us);
        let checkers = self.checkers();
        let resolves_check = match checkers.first() {
            None => true,
            Some(checker) => !checkers.more_than_one() && (between(king, checker) | checkers).contains(to),
        };
        resolves_check && (!self.pinned().contains(from) || ray_through(king, from).contains(to))
    }

    /// True if the king of `us` would not be attacked on `to`.
    fn king_is_safe_on(&self, us: Color, to: Square) -> bool {
        let occupied = self.occupied() ^ Bitboard::of(self.king(us));
        !self.attackers_to(to, occupied).intersects(self.color(!us))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::positions::{KIWIPETE, POSITION_3, START};
    use crate::random::splitmix64;
    use crate::{Generate, MoveList};

    /// Plays random games from varied starts and calls `visit` with every position.
    pub(crate) fn random_positions(games: u32, mut visit: impl FnMut(&Position)) {
        let starts = [
            START,
            KIWIPETE,
            POSITION_3,
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "nrkbbnqr/pppppppp/8/8/8/8/PPPPPPPP/RNKRBBQN w DAhb - 0 1",
            "r1k5/8/8/8/8/8/8/rR1K3R w HBa - 0 1",
            "4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1",
        ];
        let mut seed = 0;
        for game in 0..games {
            let mut position: Position = starts[game as usize % starts.len()].parse().expect("legal");
            for _ in 0..120 {
                visit(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[splitmix64(&mut seed) as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn any_bits_are_legal_only_if_generated() {
        let mut nodes = 0;
        random_positions(48, |position| {
            nodes += 1;
            if nodes % 7 != 0 {
                return;
            }
            let moves = position.legal_moves();
            for mv in (1..=u16::MAX).filter_map(Move::from_bits) {
                assert_eq!(
                    position.is_legal(mv),
                    moves.contains(&mv),
                    "{mv:?} ({:#x}) in {position}",
                    mv.bits()
                );
            }
        });
        assert!(nodes > 2000);
    }

    #[test]
    fn checks_are_foreseen() {
        random_positions(400, |position| {
            for mv in position.legal_moves() {
                assert_eq!(position.gives_check(mv), position.after(mv).in_check(), "{mv:?} in {position}");
            }
        });
    }

    #[test]
    fn noisy_and_quiet_moves_share_out_all() {
        random_positions(200, |position| {
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            position.generate(Generate::Noisy, &mut noisy);
            position.generate(Generate::Quiet, &mut quiet);
            assert!(noisy.iter().all(|mv| mv.is_noisy()) && !quiet.iter().any(|mv| mv.is_noisy()));
            let mut both: Vec<u16> = noisy.iter().chain(&quiet).map(|mv| mv.bits()).collect();
            let mut all: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            both.sort_unstable();
            all.sort_unstable();
            assert_eq!(both, all, "{position}");
            all.dedup();
            assert_eq!(both.len(), all.len());
            assert_eq!(position.has_legal_move(), !all.is_empty());
        });
    }

    #[test]
    fn quiet_checks_are_those_quiet_moves_whose_piece_checks() {
        let mut count = 0;
        random_positions(400, |position| {
            let check_squares = position.check_squares();
            let checks = |mv: &Move| {
                let piece = position.piece_on(mv.from()).unwrap();
                mv.is_quiet()
                    && mv.promotion().is_none()
                    && !mv.is_castling()
                    && check_squares[piece.piece_type().index()].contains(mv.to())
            };
            let mut moves = MoveList::new();
            position.generate_quiet_checks(&mut moves);
            assert!(moves.iter().all(|&mv| position.gives_check(mv)), "{position}");
            let mut expected: Vec<u16> =
                position.legal_moves().iter().filter(|mv| checks(mv)).map(|mv| mv.bits()).collect();
            let mut found: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{position}");
            count += found.len();
        });
        assert!(count > 500, "{count}");
    }

    #[test]
    fn keys_are_foreseen_for_plain_moves() {
        random_positions(50, |position| {
            for mv in position.legal_moves() {
                let next = position.after(mv);
                let plain = matches!(mv.kind(), Some(MoveKind::Quiet | MoveKind::Capture));
                if plain && next.castling() == position.castling() {
                    assert_eq!(position.key_after(mv), next.key(), "{mv:?} in {position}");
                }
            }
        });
    }
}
