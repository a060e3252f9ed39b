//! The threat inputs of the network: each piece but the king on its square that is attacked and not defended, or attacked by
//! a piece that is not more valuable; by the least valuable attacker and by whether it is defended. What a network of pieces
//! and squares has to infer from many examples it is told here (after Monty's inputs of 2024, which mark attacked and
//! defended pieces, and the pairs of attacker and victim in Reckless and others of 2025).
//!
//! There are few of them in a position, and most moves change some. So they are not kept up to date move by move: each
//! evaluation finds them, and their weights are added to the accumulator on the way to the output.

use crate::chess::{Bitboard, Color, Piece, PieceType, Position, Square, Threats, attacks};

/// The pieces of a board by colour and type.
pub type Pieces = [[Bitboard; 6]; 2];

/// A threatened piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
    /// Twice the class of its least valuable attacker (0: pawn; 1: knight or bishop; 2: rook; 3: queen or king), and one
    /// more if it is defended.
    pub class: usize,
}

/// The pieces of a position.
#[inline(always)]
pub fn pieces(position: &Position) -> Pieces {
    Color::ALL.map(|color| PieceType::ALL.map(|kind| position.pieces(color, kind)))
}

/// The squares that each colour attacks; all sliders of a kind slide at once, in all directions and for both colours, without
/// a branch (Kogge and Stone's parallel prefix, on bitboards after Steffan Westcott). Where 64-bit lanes can be rotated, the
/// compiler makes a few vector instructions of each step.
#[inline(always)]
pub fn attacked_squares(pieces: &Pieces) -> [Threats; 2] {
    let of_kind = |kind: PieceType| [0, 1].map(|color| pieces[color][kind.index()].0);
    let occupied = pieces.as_flattened().iter().fold(0, |all, set| all | set.0);
    let by_bishops = slide(of_kind(PieceType::Bishop), occupied, &DIAGONALS);
    let by_rooks = slide(of_kind(PieceType::Rook), occupied, &LINES);
    let by_queens = slide(of_kind(PieceType::Queen), occupied, &DIAGONALS);
    let also_by_queens = slide(of_kind(PieceType::Queen), occupied, &LINES);
    Color::ALL.map(|color| {
        let side = color.index();
        let [pawns, knights, .., kings] = pieces[side];
        let by_pawns = attacks::pawns_attack(color, pawns);
        let by_minors = by_pawns | knights_attack(knights) | Bitboard(by_bishops[side]);
        let by_rooks = by_minors | Bitboard(by_rooks[side]);
        let by_king = kings.first().map_or(Bitboard::EMPTY, attacks::king_attacks);
        let all = by_rooks | Bitboard(by_queens[side] | also_by_queens[side]) | by_king;
        Threats { all, by_pawns, by_minors, by_rooks }
    })
}

/// Four directions, once for each colour: by how many bits a board is rotated for one step, and the squares that such a
/// step can reach.
struct Directions {
    steps: [u32; 8],
    reach: [u64; 8],
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_1: u64 = !0xFF;
const NOT_8: u64 = !(0xFF << 56);

const DIAGONALS: Directions = Directions {
    steps: [9, 7, 57, 55, 9, 7, 57, 55],
    reach: twice([NOT_A & NOT_1, NOT_H & NOT_1, NOT_A & NOT_8, NOT_H & NOT_8]),
};

const LINES: Directions =
    Directions { steps: [8, 56, 1, 63, 8, 56, 1, 63], reach: twice([NOT_1, NOT_8, NOT_A, NOT_H]) };

const fn twice([a, b, c, d]: [u64; 4]) -> [u64; 8] {
    [a, b, c, d, a, b, c, d]
}

/// The squares that each colour's sliders reach.
#[inline(always)]
fn slide(sliders: [u64; 2], occupied: u64, directions: &Directions) -> [u64; 2] {
    let Directions { steps, reach } = directions;
    let mut reached: [u64; 8] = std::array::from_fn(|lane| sliders[lane / 4]);
    let mut free: [u64; 8] = std::array::from_fn(|lane| reach[lane] & !occupied);
    for times in [1, 2, 4] {
        for lane in 0..8 {
            reached[lane] |= free[lane] & reached[lane].rotate_left(times * steps[lane]);
            free[lane] &= free[lane].rotate_left(times * steps[lane]);
        }
    }
    for lane in 0..8 {
        reached[lane] = reached[lane].rotate_left(steps[lane]) & reach[lane];
    }
    let [a, b, c, d, e, f, g, h] = reached;
    [a | b | c | d, e | f | g | h]
}

/// The squares that knights attack.
#[inline(always)]
fn knights_attack(Bitboard(knights): Bitboard) -> Bitboard {
    let one = (knights << 1 & NOT_A) | (knights >> 1 & NOT_H);
    let two = (knights << 2 & NOT_A & NOT_A << 1) | (knights >> 2 & NOT_H & NOT_H >> 1);
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The pieces of each colour that are threatened.
#[inline(always)]
fn threatened(pieces: &Pieces, attacked: &[Threats; 2]) -> [Bitboard; 2] {
    [0, 1].map(|side| {
        let (by, defended) = (&attacked[1 - side], attacked[side].all);
        let [pawns, knights, bishops, rooks, queens, _] = pieces[side];
        let (majors, minors) = (rooks | queens, knights | bishops);
        let hanging = (pawns | minors | majors) & by.all.without(defended);
        hanging
            | (pawns | minors | majors) & by.by_pawns
            | (minors | majors) & by.by_minors
            | majors & by.by_rooks
            | queens & by.all
    })
}

/// Calls `each` for each threat, at most [`MAX_THREATS`](super::architecture::MAX_THREATS) times. `attacked` is
/// [`attacked_squares`] of the same pieces, `piece_on` tells which piece stands on a square.
#[inline(always)]
pub fn each_threat(
    pieces: &Pieces,
    attacked: &[Threats; 2],
    piece_on: impl Fn(Square) -> Option<Piece>,
    mut each: impl FnMut(Threat),
) {
    let [white, black] = threatened(pieces, attacked);
    for square in white | black {
        let Some(piece) = piece_on(square) else { continue };
        let side = usize::from(black.contains(square));
        let by = &attacked[1 - side];
        let spared = |by: Bitboard| usize::from(!by.contains(square));
        let attacker = spared(by.by_pawns) + spared(by.by_minors) + spared(by.by_rooks);
        let class = 2 * attacker + usize::from(attacked[side].all.contains(square));
        each(Threat { piece, square, class });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::architecture::ATTACKERS;

    /// The threats by trying each piece against each.
    fn expected(position: &Position) -> Vec<Threat> {
        let mut threats = Vec::new();
        for square in position.occupied() {
            let piece = position.piece_on(square).unwrap();
            let attackers = position.attackers_to(square, position.occupied());
            let class = |square: Square| match position.piece_on(square).unwrap().piece_type() {
                PieceType::Pawn => 0,
                PieceType::Knight | PieceType::Bishop => 1,
                PieceType::Rook => 2,
                PieceType::Queen | PieceType::King => 3,
            };
            let least = (attackers & position.color(!piece.color())).map(class).min();
            let is_defended = attackers.intersects(position.color(piece.color()));
            let is_threat = |least| !is_defended || least <= class(square);
            if let (Some(least), true) =
                (least.filter(|&least| is_threat(least)), piece.piece_type() != PieceType::King)
            {
                threats.push(Threat { piece, square, class: 2 * least + usize::from(is_defended) });
            }
        }
        threats
    }

    #[test]
    fn every_attacked_piece_is_told_with_its_least_attacker() {
        let mut position = Position::startpos();
        let mut seen = std::collections::BTreeSet::new();
        for ply in 0..20_000_usize {
            let moves = position.legal_moves();
            if moves.is_empty() || ply % 150 == 149 {
                position = Position::startpos();
                continue;
            }
            position = position.after(moves[ply * 7919 % moves.len()]);
            let mut found = Vec::new();
            let pieces = pieces(&position);
            each_threat(
                &pieces,
                &attacked_squares(&pieces),
                |square| position.piece_on(square),
                |threat| {
                    found.push(threat);
                },
            );
            assert_eq!(attacked_squares(&pieces), Color::ALL.map(|color| position.threats_of(color)));
            found.sort_by_key(|threat| threat.square.index());
            assert_eq!(found, expected(&position), "{position}");
            seen.extend(found.iter().map(|threat| threat.class));
        }
        assert!(seen.into_iter().eq(0..2 * ATTACKERS));
    }
}
