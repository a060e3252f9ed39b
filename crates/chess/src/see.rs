//! Static exchange evaluation (SEE): the material that a move wins or loses by the captures on its target square.

use super::attacks::{between, bishop_attacks, pawn_attacks, ray_through, rook_attacks};
use super::bitboard::Bitboard;
use super::chess_move::Move;
use super::piece::PieceType;
use super::position::Position;
use super::square::{Color, Rank, Square};

/// The values of the piece types in [`Position::see_ge`], in centipawns, by [`PieceType::index`].
pub const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

const fn value(piece_type: PieceType) -> i32 {
    SEE_VALUES[piece_type.index()]
}

impl Position {
    /// True if the exchange that the legal move `mv` begins on its target square gains at least `threshold` centipawns for
    /// the side to move, when each side takes with its least valuable piece and stops when it likes (swap algorithm).
    ///
    /// Pinned pieces take only along their pin, for as long as the pin is there at that point of the exchange; a king
    /// takes only what is not defended. Castling gains nothing. Other checks and threats are not seen.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1".parse().unwrap();
    /// let mv = position.parse_uci("d1d5").unwrap(); // a rook for a pawn
    /// assert!(position.see_ge(mv, 100 - 500) && !position.see_ge(mv, 0));
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (mut gain, mut at_risk) = self.captured_and_mover_values(mv);
        if let Some(promoted) = mv.promotion() {
            gain += value(promoted) - value(PieceType::Pawn);
            at_risk = value(promoted);
        }
        // Missed even if nobody takes back; or reached even if the mover is lost for nothing.
        let surplus = gain.saturating_sub(threshold);
        if surplus < 0 {
            return false;
        }
        let enemy_pawns = self.pieces(!self.side_to_move(), PieceType::Pawn);
        let balance = surplus - at_risk;
        if balance >= 0 && !self.promoting_pawns(mv.to()).intersects(enemy_pawns) {
            return true;
        }
        let mut occupied = self.occupied().without(Bitboard::of(mv.from()));
        if mv.is_en_passant() {
            occupied = occupied.without(Bitboard::of(mv.capture_square()));
        }
        self.exchange_winner(mv.to(), occupied, balance) == self.side_to_move()
    }

    /// The value of the captured piece, 0 without one, and the value of the moving piece.
    #[inline(always)]
    fn captured_and_mover_values(&self, mv: Move) -> (i32, i32) {
        let worth = |square| self.piece_on(square).map_or(0, |piece| value(piece.piece_type()));
        let gain = if mv.is_en_passant() { value(PieceType::Pawn) } else { worth(mv.to()) };
        (gain, worth(mv.from()))
    }

    /// The pawns that can capture on `target` and promote there.
    #[inline(always)]
    fn promoting_pawns(&self, target: Square) -> Bitboard {
        let side = match target.rank() {
            Rank::R8 => Color::White,
            Rank::R1 => Color::Black,
            _ => return Bitboard::EMPTY,
        };
        pawn_attacks(!side, target) & self.pieces(side, PieceType::Pawn)
    }

    /// The side that wins the exchange on `target`, where the side to move has just put a piece. `balance`: centipawns by
    /// which that side exceeds its threshold if the piece is lost.
    fn exchange_winner(&self, target: Square, mut occupied: Bitboard, mut balance: i32) -> Color {
        let promoting_pawns = self.promoting_pawns(target);
        let mut attackers = self.attackers_to(target, occupied);
        let mut side = !self.side_to_move();
        loop {
            attackers &= occupied;
            let Some((square, piece_type)) = self.least_valuable_attacker(side, attackers, target, occupied)
            else {
                return !side;
            };
            occupied = occupied.without(Bitboard::of(square));
            if matches!(piece_type, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(target, occupied) & self.diagonal_sliders();
            }
            if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(target, occupied) & self.straight_sliders();
            }
            // Even a pinned piece defends against a king.
            if piece_type == PieceType::King && attackers.intersects(self.color(!side) & occupied) {
                return !side;
            }
            let promotes = promoting_pawns.contains(square);
            let surplus =
                -balance - 1 + if promotes { value(PieceType::Queen) - value(PieceType::Pawn) } else { 0 };
            if surplus < 0 {
                return !side;
            }
            balance = surplus - value(if promotes { PieceType::Queen } else { piece_type });
            // Content even if this piece is lost, unless a pawn can win more than the piece by promoting.
            if balance >= 0 && !promoting_pawns.intersects(self.color(!side) & occupied) {
                return side;
            }
            side = !side;
        }
    }

    /// The least valuable piece (LVA) of `side` among `attackers` that may capture on `target`.
    #[inline(always)]
    fn least_valuable_attacker(
        &self,
        side: Color,
        attackers: Bitboard,
        target: Square,
        occupied: Bitboard,
    ) -> Option<(Square, PieceType)> {
        let own = attackers & self.color(side);
        if own.is_empty() {
            return None;
        }
        for piece_type in PieceType::ALL {
            for square in own & self.of_type(piece_type) {
                if piece_type == PieceType::King || !self.is_pinned_against(side, square, target, occupied) {
                    return Some((square, piece_type));
                }
            }
        }
        None
    }

    /// True if a pin to the king of `side`, at this point of the exchange, keeps the piece on `square` from `target`.
    #[inline(always)]
    fn is_pinned_against(&self, side: Color, square: Square, target: Square, occupied: Bitboard) -> bool {
        let king = self.king(side);
        let through = ray_through(king, square);
        if through.is_empty() || through.contains(target) {
            return false;
        }
        let straight = king.file() == square.file() || king.rank() == square.rank();
        let other = if straight { PieceType::Rook } else { PieceType::Bishop };
        let sliders = self.of_type(other) | self.of_type(PieceType::Queen);
        let snipers = through & sliders & self.color(!side) & occupied;
        snipers.iter().any(|sniper| between(king, sniper) & occupied == Bitboard::of(square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;
    use crate::positions::{KIWIPETE, START};
    use crate::random::splitmix64;

    /// A reference: the exchange played out on a board. Slow, and without any code of the real one.
    struct Board {
        pieces: [Option<Piece>; 64],
        target: Square,
    }

    impl Board {
        fn new(position: &Position, mv: Move) -> Board {
            let mut board =
                Board { pieces: Square::ALL.map(|square| position.piece_on(square)), target: mv.to() };
            if mv.is_en_passant() {
                board.pieces[Square::new(mv.to().file(), mv.from().rank()).index()] = None;
            }
            board.move_piece(mv.from(), mv.promotion());
            board
        }

        fn move_piece(&mut self, from: Square, promotion: Option<PieceType>) {
            let piece = self.pieces[from.index()].take();
            self.pieces[self.target.index()] =
                piece.map(|piece| Piece::new(piece.color(), promotion.unwrap_or(piece.piece_type())));
        }

        /// The first occupied square from `from` in steps of `step`.
        fn first_occupied(&self, from: Square, step: (i8, i8)) -> Option<Square> {
            let next = from.offset(step.0, step.1)?;
            if self.pieces[next.index()].is_some() { Some(next) } else { self.first_occupied(next, step) }
        }

        fn step(from: Square, to: Square) -> Option<(i8, i8)> {
            let files = to.file() as i8 - from.file() as i8;
            let ranks = to.rank() as i8 - from.rank() as i8;
            (files == 0 || ranks == 0 || files.abs() == ranks.abs())
                .then_some((files.signum(), ranks.signum()))
        }

        fn slides(piece_type: PieceType, step: (i8, i8)) -> bool {
            piece_type == PieceType::Queen
                || piece_type == if step.0 == 0 || step.1 == 0 { PieceType::Rook } else { PieceType::Bishop }
        }

        fn attacks(&self, from: Square) -> bool {
            let Some(piece) = self.pieces[from.index()] else { return false };
            let files = self.target.file() as i8 - from.file() as i8;
            let ranks = self.target.rank() as i8 - from.rank() as i8;
            let up = if piece.color() == Color::White { 1 } else { -1 };
            match piece.piece_type() {
                PieceType::Pawn => files.abs() == 1 && ranks == up,
                PieceType::Knight => (files * ranks).abs() == 2,
                PieceType::King => files.abs().max(ranks.abs()) == 1,
                piece_type => Board::step(from, self.target).is_some_and(|step| {
                    Board::slides(piece_type, step) && self.first_occupied(from, step) == Some(self.target)
                }),
            }
        }

        fn is_pinned(&self, square: Square, side: Color) -> bool {
            let is_king =
                |square: &&Square| self.pieces[square.index()] == Some(Piece::new(side, PieceType::King));
            let king = *Square::ALL.iter().find(is_king).unwrap();
            let Some(step) = Board::step(king, square) else { return false };
            let along = Board::step(king, self.target);
            if along == Some(step)
                || along == Some((-step.0, -step.1))
                || self.first_occupied(king, step) != Some(square)
            {
                return false;
            }
            let behind = self.first_occupied(square, step).and_then(|square| self.pieces[square.index()]);
            behind.is_some_and(|piece| piece.color() != side && Board::slides(piece.piece_type(), step))
        }

        fn attackers(&self, side: Color) -> Vec<Square> {
            let of_side =
                |square: &Square| self.pieces[square.index()].is_some_and(|piece| piece.color() == side);
            Square::ALL.into_iter().filter(|square| of_side(square) && self.attacks(*square)).collect()
        }

        /// The centipawns that `side` wins by capturing on the target, 0 if it had better not.
        fn best(&self, side: Color) -> i32 {
            let piece_type = |square: Square| self.pieces[square.index()].unwrap().piece_type();
            let free =
                |square: &Square| piece_type(*square) == PieceType::King || !self.is_pinned(*square, side);
            let attackers = self.attackers(side);
            let Some(from) =
                attackers.into_iter().filter(free).min_by_key(|square| (piece_type(*square), *square))
            else {
                return 0;
            };
            let promotes =
                piece_type(from) == PieceType::Pawn && matches!(self.target.rank(), Rank::R1 | Rank::R8);
            let promotion = promotes.then_some(PieceType::Queen);
            let mut next = Board { pieces: self.pieces, ..*self };
            next.move_piece(from, promotion);
            if piece_type(from) == PieceType::King && !next.attackers(!side).is_empty() {
                return 0;
            }
            let gain = value(piece_type(self.target))
                + promotion.map_or(0, |queen| value(queen) - value(PieceType::Pawn));
            (gain - next.best(!side)).max(0)
        }
    }

    fn plain_exchange(position: &Position, mv: Move) -> i32 {
        if mv.is_castling() {
            return 0;
        }
        let captured = if mv.is_en_passant() {
            Some(PieceType::Pawn)
        } else {
            position.piece_on(mv.to()).map(|piece| piece.piece_type())
        };
        let promoted = mv.promotion().map_or(0, |piece_type| value(piece_type) - value(PieceType::Pawn));
        captured.map_or(0, value) + promoted - Board::new(position, mv).best(!position.side_to_move())
    }

    fn assert_exchange(position: &Position, mv: Move, expected: i32) {
        for (threshold, reached) in [
            (i32::MIN, true),
            (expected - 100, true),
            (expected - 1, true),
            (expected, true),
            (expected + 1, false),
            (expected + 330, false),
            (i32::MAX, false),
        ] {
            assert_eq!(
                position.see_ge(mv, threshold),
                reached,
                "{mv:?} {threshold} ({expected}) in {position}"
            );
        }
    }

    #[test]
    fn known_exchanges() {
        let cases = [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5", 320 - 100),
            // Behind the first rook stands a second one, on both sides.
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            // Quiet moves can lose the piece that moves.
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d4", 0),
            // En passant opens the file for the rook behind.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", 100),
            ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            // Promotions.
            ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 850),
            ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", -100),
            ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n", -100),
            ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", 500 + 850),
            // Castling.
            ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", 0),
            // A king takes only what is not defended, be it by a pinned piece.
            ("4k3/8/8/8/8/8/p7/K7 w - - 0 1", "a1a2", 100),
            ("8/8/4k3/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", 100),
            ("8/8/4k3/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", 100 - 950),
            ("8/8/4kr2/3p4/8/8/B2Q4/K7 w - - 0 1", "d2d5", 100),
            // The knight that defends is pinned to its king; when the pin's rook has gone, it is free.
            ("4k3/4n3/8/3p4/4P3/8/8/K3R3 w - - 0 1", "e4d5", 100),
            ("4k3/4n3/8/3p4/4P3/8/8/K7 w - - 0 1", "e4d5", 0),
            // Pinned along the line of capture: it may take.
            ("3k4/3r4/8/3p4/8/8/8/K2R4 w - - 0 1", "d1d5", 100 - 500),
            // White's own second attacker is pinned too.
            ("k3r3/8/2p5/3p4/8/4N3/4K3/3R4 w - - 0 1", "d1d5", 100 - 500),
        ];
        for (fen, mv, expected) in cases {
            let position: Position = fen.parse().unwrap();
            let mv = position.parse_uci(mv).unwrap();
            assert_eq!(plain_exchange(&position, mv), expected, "reference: {mv:?} in {fen}");
            assert_exchange(&position, mv, expected);
        }
    }

    #[test]
    fn random_exchanges_agree_with_playing_them_out() {
        let starts = [
            START,
            KIWIPETE,
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "1k1rr3/1pp2ppp/p1nqbn2/2bpp3/2BPP3/P1NQBN2/1PP2PPP/1K1RR3 w - - 0 1",
            "k2q3r/p5bp/2n1n3/8/3r1R2/2N1N3/PB5P/R2Q3K w - - 0 1",
        ];
        let mut seed = 7u64;
        let mut below = |count: usize| splitmix64(&mut seed) as usize % count;
        let mut captures = 0;
        for game in 0..250 {
            let mut position: Position = starts[game % starts.len()].parse().unwrap();
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    assert_exchange(&position, mv, plain_exchange(&position, mv));
                    captures += usize::from(mv.is_capture());
                }
                position = position.after(moves[below(moves.len())]);
            }
        }
        assert!(captures > 10_000, "{captures} captures are too few to mean anything");
    }
}
