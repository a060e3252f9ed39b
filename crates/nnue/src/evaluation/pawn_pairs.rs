//! The pawn pair inputs of the network: any two pawns on one file or on neighbouring ones, by colour and square. Chains,
//! duos, doubled, backward and isolated pawns and rams are pairs, or pairs that are missing; a network of pieces and squares
//! has to infer them (after the pawn pairs of Integral and Viridithas, 2025).
//!
//! Only moves of pawns and captures of pawns change them, so they are part of the accumulator and updated with it. (A table of
//! pawn structures with their sums, looked up for each evaluation, was no faster.)

use super::features::Perspective;
use super::kernels::Kernel;
use super::weights::{Block, ByteBlock, Rows};
use crate::architecture::MAX_PAWN_PAIRS;
use arrayvec::ArrayVec;
use chess::{Bitboard, Color, PieceType, Position, Square};

/// The pawns of a board, White's and Black's.
pub type Pawns = [Bitboard; 2];

/// A pawn: its colour and square.
pub type Pawn = (Color, Square);

/// The pawns of a position.
#[inline(always)]
pub fn pawns(position: &Position) -> Pawns {
    Color::ALL.map(|color| position.pieces(color, PieceType::Pawn))
}

/// Calls `each` for each of the pawns with which one on `square` is a pair.
#[inline(always)]
pub fn each_partner(square: Square, pawns: &Pawns, mut each: impl FnMut(Pawn)) {
    let own = Bitboard::file(square.file());
    let near = (own | own.left() | own.right()).without(Bitboard::of(square));
    let [white, black] = *pawns;
    for partner in (white | black) & near {
        each((Color::ALL[usize::from(black.contains(partner))], partner));
    }
}

/// Calls `each` for each pair, at most [`MAX_PAWN_PAIRS`] times.
#[inline(always)]
pub fn each_pawn_pair(pawns: &Pawns, mut each: impl FnMut(Pawn, Pawn)) {
    let mut seen = [Bitboard::EMPTY; 2];
    for color in Color::ALL {
        for square in pawns[color.index()] {
            each_partner(square, &seen, |partner| each((color, square), partner));
            seen[color.index()] |= Bitboard::of(square);
        }
    }
}

/// A change of the pawns on a board.
#[derive(Clone, Copy, Debug)]
pub struct PawnDelta<'a> {
    /// The pawns before it.
    pub pawns: Pawns,
    /// The pawns that leave.
    pub leaving: &'a [Pawn],
    /// The pawns that come.
    pub coming: &'a [Pawn],
}

/// The numbers of the rows of weights that a perspective gains and loses.
#[derive(Default)]
struct PairDelta {
    added: ArrayVec<u16, MAX_PAWN_PAIRS>,
    removed: ArrayVec<u16, MAX_PAWN_PAIRS>,
}

/// Changes the accumulators of these perspectives, which follow each other, as `delta` changes the board; `rows` are all
/// weights.
#[inline(always)]
pub fn update_pawn_pairs<const N: usize>(
    kernel: &dyn Kernel,
    rows: Rows<'_, ByteBlock>,
    accumulators: &mut [Block],
    perspectives: [Perspective; N],
    delta: PawnDelta<'_>,
) {
    let mut changes: [PairDelta; N] = std::array::from_fn(|_| PairDelta::default());
    let PawnDelta { mut pawns, leaving, coming } = delta;
    for &pawn in leaving {
        pawns[pawn.0.index()] ^= Bitboard::of(pawn.1);
        each_pair_input(perspectives, pawn, &pawns, |side, input| changes[side].removed.push(input));
    }
    for &pawn in coming {
        each_pair_input(perspectives, pawn, &pawns, |side, input| changes[side].added.push(input));
        pawns[pawn.0.index()] ^= Bitboard::of(pawn.1);
    }
    let length = accumulators.len() / N;
    for (accumulator, change) in accumulators.chunks_exact_mut(length).zip(&changes) {
        kernel.refresh_bytes(rows, &mut accumulator[..rows.length()], &change.added, &change.removed);
    }
}

/// Calls `each` for each pair of a pawn with one of `pawns` and each perspective, with its number and the input.
#[inline(always)]
fn each_pair_input<const N: usize>(
    perspectives: [Perspective; N],
    pawn: Pawn,
    pawns: &Pawns,
    mut each: impl FnMut(usize, u16),
) {
    let inputs = perspectives.map(|perspective| perspective.pawn_pair_inputs(pawn));
    each_partner(pawn.1, pawns, |partner| {
        for side in 0..N {
            each(side, inputs[side][perspectives[side].relative(partner)]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::PAWN_PAIR_INPUTS;
    use std::collections::{BTreeMap, BTreeSet};

    /// Every pawn that can be on the board.
    fn all_pawns() -> Vec<Pawn> {
        let squares = Square::ALL.into_iter().filter(|square| (1..7).contains(&square.rank().index()));
        squares.flat_map(|square| Color::ALL.map(|color| (color, square))).collect()
    }

    fn is_pair(a: Pawn, b: Pawn) -> bool {
        a.1 != b.1 && a.1.file().index().abs_diff(b.1.file().index()) <= 1
    }

    #[test]
    fn each_pair_has_an_input_of_its_own_whichever_pawn_is_named_first() {
        for king in [Square::G1, Square::B1] {
            let perspective = Perspective::new(Color::White, king);
            let mut inputs = BTreeMap::new();
            for a in all_pawns() {
                for b in all_pawns().into_iter().filter(|&b| is_pair(a, b)) {
                    let input = perspective.pawn_pair_input(a, b);
                    let pair = BTreeSet::from([a, b].map(|(color, square)| (color.index(), square.index())));
                    assert!(input < PAWN_PAIR_INPUTS);
                    assert_eq!(inputs.entry(input).or_insert_with(|| pair.clone()), &pair);
                }
            }
            assert_eq!(inputs.len(), 8 * 60 + 7 * 144);
        }
    }

    #[test]
    fn a_pair_is_the_same_input_seen_from_the_other_side_and_in_the_mirror() {
        let white = Perspective::new(Color::White, Square::G1);
        let input = white.pawn_pair_input((Color::White, Square::E4), (Color::Black, Square::D5));
        let black = Perspective::new(Color::Black, Square::G8);
        assert_eq!(black.pawn_pair_input((Color::Black, Square::E5), (Color::White, Square::D4)), input);
        let mirrored = Perspective::new(Color::White, Square::B1);
        assert_eq!(mirrored.pawn_pair_input((Color::White, Square::D4), (Color::Black, Square::E5)), input);
    }

    #[test]
    fn pairs_are_pawns_on_one_file_or_on_neighbours() {
        let position: Position = "4k3/p6p/8/2pP4/3P4/8/P5P1/4K3 w - - 0 1".parse().unwrap();
        let mut found = BTreeSet::new();
        each_pawn_pair(&pawns(&position), |a, b| {
            assert!(found.insert(BTreeSet::from([a.1, b.1].map(|square| square.to_string()))));
        });
        let pairs = [["a2", "a7"], ["c5", "d4"], ["c5", "d5"], ["d4", "d5"], ["g2", "h7"]];
        let expected: BTreeSet<_> =
            pairs.into_iter().map(|pair| BTreeSet::from(pair.map(str::to_owned))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn no_board_has_more_pairs_than_there_is_room_for() {
        // The most crowded: three neighbouring files.
        let count = |fen: &str| {
            let mut count = 0;
            each_pawn_pair(&pawns(&fen.parse().unwrap()), |_, _| count += 1);
            count
        };
        assert_eq!(count("k7/3pp3/2ppp3/2ppp3/2PPP3/2PPP3/3PP3/7K w - - 0 1"), MAX_PAWN_PAIRS);
        assert_eq!(count("k7/2p1p3/2ppp3/2ppp3/2PPP3/2PPP3/2P1P3/7K w - - 0 1"), 84);
    }
}
