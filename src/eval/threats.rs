//! The threat inputs of the network: each piece but the king on its square that is attacked and not defended, or attacked by
//! a piece that is not more valuable; by the least valuable attacker and by whether it is defended. What a network of pieces
//! and squares has to infer from many examples it is told here (after Monty's inputs of 2024, which mark attacked and
//! defended pieces, and the pairs of attacker and victim in Reckless and others of 2025).
//!
//! There are few of them in a position, and most moves change some. So they are not kept up to date move by move: each
//! evaluation finds them, and their weights are added to the accumulator on the way to the output.

use crate::chess::{Bitboard, Color, Piece, PieceType, Position, Square, Threats};

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

/// Calls `each` for each threat, at most [`MAX_THREATS`](super::architecture::MAX_THREATS) times.
#[inline(always)]
pub fn each_threat(pieces: &Pieces, mut each: impl FnMut(Threat)) {
    let occupied = pieces.as_flattened().iter().fold(Bitboard::EMPTY, |all, set| all | *set);
    let attacks = Color::ALL.map(|color| Threats::of_pieces(color, &pieces[color.index()], occupied));
    for color in Color::ALL {
        let (theirs, defended) = (&attacks[(!color).index()], attacks[color.index()].all);
        let hanging = theirs.all.without(defended);
        for piece_type in PieceType::ALL.into_iter().filter(|&piece_type| piece_type != PieceType::King) {
            let threatened = hanging | theirs.by_lesser_or_equal(piece_type);
            for square in pieces[color.index()][piece_type.index()] & threatened {
                let spared = |by: Bitboard| usize::from(!by.contains(square));
                let attacker = spared(theirs.by_pawns) + spared(theirs.by_minors) + spared(theirs.by_rooks);
                let class = 2 * attacker + usize::from(defended.contains(square));
                each(Threat { piece: Piece::new(color, piece_type), square, class });
            }
        }
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
            each_threat(&pieces(&position), |threat| found.push(threat));
            found.sort_by_key(|threat| threat.square.index());
            assert_eq!(found, expected(&position), "{position}");
            seen.extend(found.iter().map(|threat| threat.class));
        }
        assert!(seen.into_iter().eq(0..2 * ATTACKERS));
    }
}
