//! The term inputs of the network: what classical evaluations counted and what a network of pieces and squares learns from
//! very many examples only. How many pieces of each type a side has, how mobile they are, which checks it can safely give,
//! how often it attacks the squares around the opponent's king, how many of its pieces hang, and more ([`TERMS`]).
//!
//! A term is a small number of one side. The network has a row of weights for each value of each term of either side, so
//! that it need not be proportional to the number. Of the terms that one evaluation finds in a position several are looked
//! up together, in a [table](TABLES) of the sums of their rows, which is made when a network is loaded.

use super::attacks::SideAttacks;
use super::threats::Pieces;
use crate::architecture::terms::*;
use chess::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attack, rook_attacks};
use chess::{Bitboard, Color, Rank, Square};

/// The terms of one side, by their numbers in [`TERMS`].
pub type TermValues = [u8; TERMS.len()];

/// Light squares.
const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);

/// A side and its opponent.
struct View<'a> {
    color: Color,
    own: &'a [Bitboard; 6],
    other: &'a [Bitboard; 6],
    attacks: &'a SideAttacks,
    defences: &'a SideAttacks,
    occupied: Bitboard,
}

/// The terms of White and of Black, from their pieces and attacks.
#[inline(always)]
pub fn terms_of_both(pieces: &Pieces, attacks: &[SideAttacks; 2]) -> [TermValues; 2] {
    let all = |side: usize| pieces[side].iter().fold(Bitboard::EMPTY, |all, set| all | *set);
    let occupied = all(0) | all(1);
    Color::ALL.map(|color| {
        let (us, them) = (color.index(), 1 - color.index());
        let view = View {
            color,
            own: &pieces[us],
            other: &pieces[them],
            attacks: &attacks[us],
            defences: &attacks[them],
            occupied,
        };
        let mut values = [0; TERMS.len()];
        view.material(&mut values);
        view.mobility(&mut values);
        view.king_danger(&mut values);
        view.weak_pieces(&mut values);
        view.moves(&mut values);
        view.passed_pawn(&mut values);
        values
    })
}

impl View<'_> {
    /// How many pieces there are of each type; of bishops also whether they are one of each side, on unlike squares.
    #[inline(always)]
    fn material(&self, values: &mut TermValues) {
        for (term, set) in [PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS].into_iter().zip(self.own) {
            set_value(values, term, set.count());
        }
        let [ours, theirs] = [self.own[2], self.other[2]];
        if ours.count() == 1 && theirs.count() == 1 && ours.intersects(LIGHT) != theirs.intersects(LIGHT) {
            values[BISHOPS] = OPPOSITE_BISHOPS;
        }
    }

    /// The squares that the pieces of each type attack, less those that own pawns stand on or the opponent's attack.
    #[inline(always)]
    fn mobility(&self, values: &mut TermValues) {
        for (kind, &count) in self.attacks.mobility.iter().enumerate() {
            set_value(values, MOBILITY + kind, count);
        }
    }

    /// The checks of each piece type on squares where the piece cannot be captured for nothing; attacks on the squares around
    /// the opponent's king, and how many of these only the king defends.
    #[inline(always)]
    fn king_danger(&self, values: &mut TermValues) {
        let king = self.other[5].single();
        let own = self.own.iter().fold(Bitboard::EMPTY, |all, set| all | *set);
        let by_king_alone = self.attacks.twice & self.defences.by_type[5] & !self.defences.twice;
        let safe = (!self.defences.all | by_king_alone).without(own);
        let (diagonal, straight) = (bishop_attacks(king, self.occupied), rook_attacks(king, self.occupied));
        let lines = [knight_attacks(king), diagonal, straight, diagonal | straight];
        for (kind, line) in lines.into_iter().enumerate() {
            set_value(values, SAFE_CHECKS + kind, (self.attacks.by_type[kind + 1] & line & safe).count());
        }
        let ring = king_attacks(king) | Bitboard::of(king);
        for kind in 0..5 {
            set_value(values, KING_ATTACKS + kind, (self.attacks.by_type[kind] & ring).count());
        }
        set_value(values, WEAK_RING, (ring & self.attacks.all & !self.defences.twice).count());
    }

    /// Own pieces that are attacked and undefended, attacked more often than defended, attacked by a less valuable piece, or
    /// undefended.
    #[inline(always)]
    fn weak_pieces(&self, values: &mut TermValues) {
        let [pawns, knights, bishops, rooks, queens, _] = *self.own;
        let minors = knights | bishops;
        let all = pawns | minors | rooks | queens;
        let (defences, attacks) = (&self.attacks, &self.defences);
        set_value(values, HANGING, (all & attacks.all).without(defences.all).count());
        let outnumbered = all & attacks.twice & defences.all & !defences.twice;
        set_value(values, OUTNUMBERED, outnumbered.count());
        let by_minors = attacks.by_type[0] | attacks.by_type[1] | attacks.by_type[2];
        let by_lesser = (minors & attacks.by_type[0]) | ((rooks | queens) & by_minors) | (queens & attacks.by_type[3]);
        set_value(values, BY_LESSER, by_lesser.count());
        set_value(values, LOOSE, all.without(defences.all | pawns).count());
    }

    /// Pieces that a safe push of a pawn would attack, blocked pawns, and pawns that can be captured by pawns;
    /// safe squares that the king can go to.
    #[inline(always)]
    fn moves(&self, values: &mut TermValues) {
        let third = Bitboard::rank(Rank::ALL[if self.color == Color::White { 2 } else { 5 }]);
        let once = self.own[0].forward(self.color).without(self.occupied);
        let twice = (once & third).forward(self.color).without(self.occupied);
        let safe = !self.defences.by_type[0] & (self.attacks.all | !self.defences.all);
        let [_, knights, bishops, rooks, queens, _] = *self.other;
        let targets = knights | bishops | rooks | queens;
        let hits = pawns_attack(self.color, (once | twice) & safe) & targets;
        set_value(values, PUSH_THREATS, hits.count());
        set_value(values, BLOCKED_PAWNS, (self.own[0].forward(self.color) & self.occupied).count());
        set_value(values, LEVERS, (self.attacks.by_type[0] & self.other[0]).count());
        let own = self.own.iter().fold(Bitboard::EMPTY, |all, set| all | *set);
        let flights = self.attacks.by_type[5].without(own | self.defences.all);
        set_value(values, KING_MOBILITY, flights.count());
    }

    /// The most advanced passed pawn, one of a file that is nearest to promotion if there are several: 4 for each rank behind
    /// the second, and 1 if the square before it is free and not attacked, 2 if it is free and attacked, 3 if an own piece
    /// stands there, 4 if one of the opponent.
    #[inline(always)]
    fn passed_pawn(&self, values: &mut TermValues) {
        let theirs = self.other[0];
        let guarded = theirs | theirs.left() | theirs.right();
        let passed = self.own[0].without(behind(guarded, self.color));
        let turned = if self.color == Color::White { passed } else { passed.flipped() };
        let Some(highest) = 63_u32.checked_sub(turned.0.leading_zeros()) else { return };
        let square = Square::from_index(highest as usize).relative_to(self.color);
        let stop = Bitboard::of(square).forward(self.color);
        let other = self.other.iter().fold(Bitboard::EMPTY, |all, set| all | *set);
        let obstacle = if stop.intersects(other) {
            4
        } else if stop.intersects(self.occupied) {
            3
        } else {
            1 + u8::from(stop.intersects(self.defences.all))
        };
        values[PASSED_PAWN] = 4 * (highest as u8 / 8 - 1) + obstacle;
    }
}

/// The squares of the same files that lie behind those of a set, as `color` sees them.
#[inline(always)]
fn behind(set: Bitboard, color: Color) -> Bitboard {
    let mut behind = set.backward(color);
    behind |= behind.backward(color);
    behind |= behind.backward(color).backward(color);
    behind | behind.backward(color).backward(color).backward(color).backward(color)
}

/// Calls `each` for each term input of both perspectives, White's and Black's, of which some value is not 0.
pub fn each_term_input(values: &[TermValues; 2], mut each: impl FnMut([usize; 2])) {
    for (side, values) in values.iter().enumerate() {
        for (term, &value) in values.iter().enumerate() {
            let input = |is_opponent| input_of(Operand { term, is_opponent }, value.into());
            if let (Some(own), Some(other)) = (input(false), input(true)) {
                each(if side == 0 { [own, other] } else { [other, own] });
            }
        }
    }
}

/// Sets a term to a number, or to its largest value if that is less.
#[inline(always)]
fn set_value(values: &mut TermValues, term: usize, number: u32) {
    values[term] = number.min(TERMS[term].values as u32 - 1) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threats::pieces;
    use chess::Position;

    /// The terms of White and of Black.
    fn terms(position: &Position) -> [TermValues; 2] {
        let pieces = pieces(position);
        terms_of_both(&pieces, &SideAttacks::of_both(&pieces))
    }

    fn terms_of(fen: &str) -> [TermValues; 2] {
        terms(&fen.parse().unwrap())
    }

    fn random_positions(mut each: impl FnMut(&Position)) {
        let mut position = Position::startpos();
        for ply in 0..5000_usize {
            let moves = position.legal_moves();
            if moves.is_empty() || ply % 150 == 149 {
                position = Position::startpos();
                continue;
            }
            position = position.after(moves[ply * 7919 % moves.len()]);
            each(&position);
        }
    }

    #[test]
    fn both_colours_count_alike_and_no_value_is_too_large() {
        let mut largest = [0; TERMS.len()];
        random_positions(|position| {
            let sets = pieces(position);
            let turned = [1, 0].map(|side: usize| sets[side].map(Bitboard::flipped));
            let [white, black] = terms(position);
            assert_eq!(terms_of_both(&turned, &SideAttacks::of_both(&turned)), [black, white], "{position}");
            for values in [white, black] {
                largest.iter_mut().zip(values).for_each(|(largest, value)| *largest = value.max(*largest));
            }
        });
        for (largest, term) in largest.into_iter().zip(TERMS) {
            assert!(largest > 0 && usize::from(largest) < term.values, "{}: {largest}", term.name);
        }
    }

    #[test]
    fn pieces_are_counted_and_opposite_bishops_are_told() {
        let [white, black] = terms_of("2b1k3/ppp5/8/8/8/8/PP6/RN2KB1R w KQ - 0 1");
        assert_eq!([PAWNS, KNIGHTS, ROOKS, QUEENS].map(|term| white[term]), [2, 1, 2, 0]);
        assert_eq!([white[BISHOPS], black[BISHOPS]], [1, 1]);
        let [white, black] = terms_of("5bk1/8/8/8/8/8/8/4KB2 w - - 0 1");
        assert_eq!([white[BISHOPS], black[BISHOPS]], [OPPOSITE_BISHOPS; 2]);
    }

    #[test]
    fn a_check_is_safe_where_the_piece_cannot_be_taken_for_nothing() {
        // The rook can check on e1 (safe) and d8 (the king takes it); no other piece gives check.
        let [white, _] = terms_of("4k3/8/8/8/8/8/7K/3R4 w - - 0 1");
        assert_eq!([0, 1, 2, 3].map(|kind| white[SAFE_CHECKS + kind]), [0, 0, 1, 0]);
        // With a bishop that protects d8 both are.
        let [white, _] = terms_of("4k3/8/8/6B1/8/8/7K/3R4 w - - 0 1");
        assert_eq!(white[SAFE_CHECKS + 2], 2);
    }

    #[test]
    fn weak_pieces_and_pushes_are_counted() {
        let [white, black] = terms_of("4k3/8/8/3n1p2/4P3/8/3P4/4K3 w - - 0 1");
        // The knight and the pawn are attacked and undefended, the knight by a pawn; White's pawn on e4 too.
        assert_eq!([HANGING, BY_LESSER, LOOSE].map(|term| black[term]), [2, 1, 1]);
        assert_eq!([white[HANGING], white[LEVERS], black[LEVERS]], [1, 1, 1]);
        let [white, _] = terms_of("4k3/8/8/4n3/8/3P4/8/4K3 w - - 0 1");
        assert_eq!(white[PUSH_THREATS], 1);
    }

    #[test]
    fn the_most_advanced_passed_pawn_is_told_with_what_stands_before_it() {
        let passed = |fen: &str| terms_of(fen)[0][PASSED_PAWN];
        assert_eq!(passed("4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1"), 0);
        assert_eq!(passed("4k3/8/8/8/4P3/8/P7/4K3 w - - 0 1"), 4 * 2 + 1);
        assert_eq!(passed("8/8/4k3/8/4P3/8/8/4K3 w - - 0 1"), 4 * 2 + 2);
        assert_eq!(passed("k7/8/8/4N3/4P3/8/8/4K3 w - - 0 1"), 4 * 2 + 3);
        assert_eq!(passed("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1"), 4 * 5 + 4);
    }
}
