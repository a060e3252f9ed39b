//! The threat inputs of the network: each piece but the king on its square that is attacked and not defended, or attacked by
//! a piece that is not more valuable; by the least valuable attacker and by whether it is defended. What a network of pieces
//! and squares has to infer from many examples it is told here (after Monty's inputs of 2024, which mark attacked and
//! defended pieces, and the pairs of attacker and victim in Reckless and others of 2025).
//!
//! There are few of them in a position, and most moves change some. So they are not kept up to date move by move: each
//! evaluation finds them, and their weights are added to the accumulator on the way to the output.

use chess::{Bitboard, Color, Piece, PieceType, Position, Square, Threats};

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

/// Calls `each` for each threat, at most [`MAX_THREATS`](crate::architecture::MAX_THREATS) times.
///
/// It takes part in every evaluation, so the pieces of both colours and of all types go through one loop, in which sets
/// are asked instead of conditions: a processor foresees the end of one loop better than those of ten.
#[inline(always)]
pub fn each_threat(pieces: &Pieces, mut each: impl FnMut(Threat)) {
    let [white, black] = Threats::of_both(pieces);
    let [by_white, by_black] = [victims(&pieces[1], &white, &black), victims(&pieces[0], &black, &white)];
    let either = |set: fn(&Victims) -> Bitboard| set(&by_white) | set(&by_black);
    let (defended, by_pawns) = (either(|victims| victims.defended), either(|victims| victims.by_pawns));
    let (by_minors, by_rooks) = (either(|victims| victims.by_minors), either(|victims| victims.by_rooks));
    let of_type = |piece_type: PieceType| pieces[0][piece_type.index()] | pieces[1][piece_type.index()];
    let [bishops, rooks] = [PieceType::Bishop, PieceType::Rook].map(of_type);
    let (knights_or_rooks, queens) = (of_type(PieceType::Knight) | rooks, of_type(PieceType::Queen));
    for square in by_white.threatened | by_black.threatened {
        let bit = |set: Bitboard| usize::from(set.contains(square));
        let piece_type = bit(knights_or_rooks) + 2 * bit(bishops | rooks) + 4 * bit(queens);
        let piece = Piece::ALL[(6 * bit(by_white.threatened) + piece_type) % 12];
        let attacker = 3 - bit(by_pawns) - bit(by_minors) - bit(by_rooks);
        each(Threat { piece, square, class: 2 * attacker + bit(defended) });
    }
}

/// Pieces of one colour that the other attacks.
struct Victims {
    /// Those that are threatened.
    threatened: Bitboard,
    /// Those that are defended.
    defended: Bitboard,
    /// Those attacked by pawns.
    by_pawns: Bitboard,
    /// Those attacked by pawns or minor pieces.
    by_minors: Bitboard,
    /// Those attacked by pawns, minor pieces or rooks.
    by_rooks: Bitboard,
}

/// The victims among `pieces`, which one side attacks and the other defends.
#[inline(always)]
fn victims(pieces: &[Bitboard; 6], attacks: &Threats, defences: &Threats) -> Victims {
    let [pawns, knights, bishops, rooks, queens, _] = *pieces;
    let minors = knights | bishops;
    let hanging = (pawns | minors | rooks).without(defences.all) & attacks.all;
    let by_equal = (pawns & attacks.by_pawns) | (minors & attacks.by_minors) | (rooks & attacks.by_rooks);
    let all = pawns | minors | rooks | queens;
    Victims {
        threatened: hanging | by_equal | (queens & attacks.all),
        defended: all & defences.all,
        by_pawns: all & attacks.by_pawns,
        by_minors: all & attacks.by_minors,
        by_rooks: all & attacks.by_rooks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::ATTACKERS;

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
            let least = (attackers & position.color(!piece.color())).iter().map(class).min();
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
