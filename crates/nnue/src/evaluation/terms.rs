//! The term inputs of the network: what classical evaluations counted, and what a network of pieces and squares learns from
//! very many examples only. How many pieces of each type a side has, and how mobile they are ([`TERMS`]).
//!
//! A term is a small number of one side. The network has a row of weights for each value of each term of either side, so
//! that it need not be proportional to the number. Of the terms that one evaluation finds in a position several are looked
//! up together, in a [table](TABLES) of the sums of their rows, which is made when a network is loaded.

use super::attacks::SideAttacks;
use super::threats::Pieces;
use crate::architecture::terms::*;
use chess::{Bitboard, PieceType};

/// The terms of one side, by their numbers in [`TERMS`].
pub type TermValues = [u16; TERMS.len()];

/// Light squares.
const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);

/// The terms of White and of Black, from their pieces and attacks.
#[inline(always)]
pub fn terms_of_both(pieces: &Pieces, attacks: &[SideAttacks; 2]) -> [TermValues; 2] {
    let [white, black] = attacks;
    let are_single = (white.pieces[1] == 1) & (black.pieces[1] == 1);
    let is_light = |side: usize| pieces[side][PieceType::Bishop.index()].intersects(LIGHT);
    let are_opposite = are_single & (is_light(0) != is_light(1));
    [terms_of(white, are_opposite), terms_of(black, are_opposite)]
}

/// The terms of a side with these attacks, which has one of two opposite bishops or not.
#[inline(always)]
fn terms_of(attacks: &SideAttacks, has_opposite_bishop: bool) -> TermValues {
    let SideAttacks { pieces: [knights, bishops, rooks, queens], mobility, .. } = *attacks;
    let bishops = bishops.min(OPPOSITE_BISHOPS - 1);
    let mut values = [0; TERMS.len()];
    for (term, number) in [
        (KNIGHTS, knights),
        (BISHOPS, if has_opposite_bishop { OPPOSITE_BISHOPS } else { bishops }),
        (ROOKS, rooks),
        (QUEENS, queens),
        (KNIGHT_MOBILITY, mobility[0]),
        (BISHOP_MOBILITY, mobility[1]),
        (ROOK_MOBILITY, mobility[2]),
    ] {
        values[term] = number.min(TERMS[term].values as u32 - 1) as u16;
    }
    values
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

#[cfg(test)]
mod tests {
    use super::super::attacks::tests::random_positions;
    use super::*;
    use crate::threats::pieces;
    use chess::Position;

    /// The terms of White and of Black.
    fn terms(position: &Position) -> [TermValues; 2] {
        let pieces = pieces(position);
        terms_of_both(&pieces, &SideAttacks::of_both(&pieces))
    }

    fn terms_in(fen: &str) -> [TermValues; 2] {
        terms(&fen.parse().unwrap())
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
            assert!(largest > 1 && usize::from(largest) < term.values, "{}: {largest}", term.name);
        }
    }

    #[test]
    fn pieces_are_counted_and_opposite_bishops_are_told() {
        let [white, black] = terms_in("2b1k3/ppp5/8/8/8/8/PP6/RN2KB1R w KQ - 0 1");
        assert_eq!([KNIGHTS, ROOKS, QUEENS].map(|term| white[term]), [1, 2, 0]);
        assert_eq!([white[BISHOPS], black[BISHOPS]], [1, 1]);
        let [white, black] = terms_in("5bk1/8/8/8/8/8/8/4KB2 w - - 0 1");
        assert_eq!([white[BISHOPS], black[BISHOPS]], [OPPOSITE_BISHOPS as u16; 2]);
    }
}
