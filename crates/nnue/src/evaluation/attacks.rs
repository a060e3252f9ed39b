//! The attacks of both sides, found in one loop over the pieces for all inputs that are made of them.

use super::threats::Pieces;
use chess::attacks::{king_attacks, pawns_attack, piece_attacks};
use chess::{Bitboard, Color, PieceType, Threats};

/// The attacks of one side.
#[derive(Clone, Copy, Debug)]
pub struct SideAttacks {
    /// The squares that its pieces of each type attack, by [`PieceType::index`].
    pub by_type: [Bitboard; 6],
    /// The squares that it attacks.
    pub all: Bitboard,
    /// The squares that two of its pieces or more attack.
    pub twice: Bitboard,
    /// For each type from knight to queen the sum over its pieces of the squares that each attacks, less those on which own
    /// pawns stand or which pawns of the opponent attack.
    pub mobility: [u32; 4],
}

impl SideAttacks {
    /// No attacks but those of the pawns of `color`.
    #[inline(always)]
    fn of_pawns(color: Color, pawns: Bitboard) -> SideAttacks {
        let forward = pawns.forward(color);
        let all = pawns_attack(color, pawns);
        let mut by_type = [Bitboard::EMPTY; 6];
        by_type[PieceType::Pawn.index()] = all;
        SideAttacks { by_type, all, twice: forward.left() & forward.right(), mobility: [0; 4] }
    }

    /// Adds what a piece attacks.
    #[inline(always)]
    fn add(&mut self, piece_type: PieceType, attacks: Bitboard) {
        self.by_type[piece_type.index()] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }

    /// The attacks of White and of Black.
    #[inline(always)]
    pub fn of_both(pieces: &Pieces) -> [SideAttacks; 2] {
        let all = |side: usize| pieces[side].iter().fold(Bitboard::EMPTY, |all, set| all | *set);
        let occupied = all(0) | all(1);
        let [mut white, mut black] =
            Color::ALL.map(|color| SideAttacks::of_pawns(color, pieces[color.index()][0]));
        let areas = [!(pieces[0][0] | black.all), !(pieces[1][0] | white.all)];
        for (kind, piece_type) in
            [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen].into_iter().enumerate()
        {
            let index = piece_type.index();
            // The pieces of both colours in one loop, and no branch in it: which colour comes next cannot be foreseen.
            for from in pieces[0][index] | pieces[1][index] {
                let attacks = piece_attacks(piece_type, from, occupied);
                let whites = Bitboard((pieces[0][index].0 >> from as u32 & 1).wrapping_neg());
                let (by_white, by_black) = (attacks & whites, attacks.without(whites));
                white.add(piece_type, by_white);
                black.add(piece_type, by_black);
                white.mobility[kind] += (by_white & areas[0]).count();
                black.mobility[kind] += (by_black & areas[1]).count();
            }
        }
        for (side, attacks) in [&mut white, &mut black].into_iter().enumerate() {
            attacks.add(PieceType::King, king_attacks(pieces[side][PieceType::King.index()].single()));
        }
        [white, black]
    }

    /// The squares attacked by the less valuable pieces.
    #[inline(always)]
    pub fn threats(&self) -> Threats {
        let [pawns, knights, bishops, rooks, ..] = self.by_type;
        let by_minors = pawns | knights | bishops;
        Threats { all: self.all, by_pawns: pawns, by_minors, by_rooks: by_minors | rooks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threats::pieces;
    use chess::Position;

    #[test]
    fn attacks_are_those_of_the_rules() {
        let mut position = Position::startpos();
        for ply in 0..3000_usize {
            let moves = position.legal_moves();
            if moves.is_empty() || ply % 150 == 149 {
                position = Position::startpos();
                continue;
            }
            position = position.after(moves[ply * 7919 % moves.len()]);
            let found = SideAttacks::of_both(&pieces(&position));
            for color in Color::ALL {
                let attacks = &found[color.index()];
                for square in chess::Square::ALL {
                    let attackers = position.attackers_to(square, position.occupied()) & position.color(color);
                    assert_eq!(attacks.all.contains(square), !attackers.is_empty(), "{square} in {position}");
                    assert_eq!(attacks.twice.contains(square), attackers.more_than_one(), "{square} in {position}");
                    for piece_type in PieceType::ALL {
                        let by = attackers.intersects(position.pieces(color, piece_type));
                        assert_eq!(attacks.by_type[piece_type.index()].contains(square), by, "{square} in {position}");
                    }
                }
                let threats = position.threats_of(color);
                let own = attacks.threats();
                let sets = |threats: &Threats| [threats.all, threats.by_pawns, threats.by_minors, threats.by_rooks];
                assert_eq!(sets(&own), sets(&threats));
            }
        }
    }

    #[test]
    fn mobility_counts_squares_that_a_piece_can_use() {
        // The knight has a3 and d2 (not f6, g5 and so on): of its six squares a pawn stands on one and one is attacked.
        let position: Position = "4k3/8/2p5/8/8/P7/1N6/4K3 w - - 0 1".parse().unwrap();
        let [white, _] = SideAttacks::of_both(&pieces(&position));
        // a4, c4, d3 and d1; no pawn in the way.
        assert_eq!(white.mobility, [4, 0, 0, 0]);
        let position: Position = "4k3/8/8/1p6/8/3P4/1N6/4K3 w - - 0 1".parse().unwrap();
        let [white, _] = SideAttacks::of_both(&pieces(&position));
        // a4 and c4 are attacked by the pawn, an own pawn stands on d3; d1 is left.
        assert_eq!(white.mobility, [1, 0, 0, 0]);
    }
}
