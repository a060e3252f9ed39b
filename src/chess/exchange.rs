//! Static exchange evaluation: what a move wins or loses by the captures that follow on its target square.

use super::attacks::{between, bishop_attacks, line, rook_attacks};
use super::bitboard::Bitboard;
use super::chess_move::{Move, en_passant_victim};
use super::piece::Kind;
use super::position::Position;
use super::square::{Color, Square};

/// What each kind of man is worth in an exchange, in centipawns, from pawn to king. Apart from the evaluation's
/// values on purpose: they decide which captures are tried, and are best tuned for that.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

const fn value(kind: Kind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

impl Position {
    /// Whether the exchange that the legal move `mv` begins on its target square gains at least `threshold`
    /// centipawns for the side to move, when each side takes with its least valuable man and stops when it likes.
    ///
    /// Pinned men take only along their pin, for as long as the pin is there at that point of the exchange; a king
    /// takes only what is not defended. Castling gains nothing. Other checks and threats are not seen.
    pub fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (mut gain, mut at_risk) = self.first_step(mv);
        if let Some(promoted) = mv.promotion() {
            gain += value(promoted) - value(Kind::Pawn);
            at_risk = value(promoted);
        }
        // Not even when nobody takes back; or even if the mover is lost for nothing.
        let surplus = gain.saturating_sub(threshold);
        if surplus < 0 || surplus >= at_risk {
            return surplus >= 0;
        }
        let mut occupied = self.occupied().without(Bitboard::of(mv.from()));
        if mv.is_en_passant() {
            occupied = occupied.without(Bitboard::of(en_passant_victim(mv.to())));
        }
        self.wins_exchange(mv.to(), occupied, surplus - at_risk) == self.side_to_move()
    }

    /// What the move takes, and what the man that moves is worth.
    #[inline(always)]
    fn first_step(&self, mv: Move) -> (i32, i32) {
        let worth = |square| self.piece_on(square).map_or(0, |piece| value(piece.kind()));
        let gain = if mv.is_en_passant() { value(Kind::Pawn) } else { worth(mv.to()) };
        (gain, worth(mv.from()))
    }

    /// Who has the better of the captures on `target`, where the side to move has just put a man.
    /// `balance`, below zero: what that side has beyond its aim, should the man be lost.
    ///
    /// Invariant: the last mover would miss its aim by losing the man, so the other side is content as soon as
    /// it can take without loss. Whether a pawn becomes a queen by taking back makes no difference: it gains as
    /// much as it then puts at risk.
    fn wins_exchange(&self, target: Square, mut occupied: Bitboard, mut balance: i32) -> Color {
        let diagonal = self.pieces(Kind::Bishop) | self.pieces(Kind::Queen);
        let straight = self.pieces(Kind::Rook) | self.pieces(Kind::Queen);
        let mut attackers = self.attackers_to(target, occupied);
        let mut side = !self.side_to_move();
        loop {
            attackers &= occupied;
            let Some((square, kind)) = self.least_attacker(side, attackers, target, occupied) else {
                return !side;
            };
            occupied = occupied.without(Bitboard::of(square));
            if matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Queen) {
                attackers |= bishop_attacks(target, occupied) & diagonal;
            }
            if matches!(kind, Kind::Rook | Kind::Queen) {
                attackers |= rook_attacks(target, occupied) & straight;
            }
            if kind == Kind::King {
                // Even a pinned man defends against a king.
                return if attackers.meets(self.color(!side) & occupied) { !side } else { side };
            }
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                return side;
            }
            side = !side;
        }
    }

    /// The cheapest man of `side` among `attackers` that may take on `target`.
    #[inline(always)]
    fn least_attacker(
        &self,
        side: Color,
        attackers: Bitboard,
        target: Square,
        occupied: Bitboard,
    ) -> Option<(Square, Kind)> {
        let own = attackers & self.color(side);
        if own.is_empty() {
            return None;
        }
        for kind in Kind::ALL {
            for square in own & self.pieces(kind) {
                if kind == Kind::King || !self.is_held(side, square, target, occupied) {
                    return Some((square, kind));
                }
            }
        }
        None
    }

    /// Whether the man on `square` is pinned to its king, at this point of the exchange, against going to `target`.
    #[inline(always)]
    fn is_held(&self, side: Color, square: Square, target: Square, occupied: Bitboard) -> bool {
        let king = self.king(side);
        let through = line(king, square);
        if through.is_empty() || through.contains(target) {
            return false;
        }
        let straight = king.file() == square.file() || king.rank() == square.rank();
        let other = if straight { Kind::Rook } else { Kind::Bishop };
        let sliders = self.pieces(other) | self.pieces(Kind::Queen);
        let mut snipers = through & sliders & self.color(!side) & occupied;
        Iterator::any(&mut snipers, |sniper| between(king, sniper) & occupied == Bitboard::of(square))
    }
}
