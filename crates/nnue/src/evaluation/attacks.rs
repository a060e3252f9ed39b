//! The attacks of both sides and the mobility of their pieces, found in one loop for the inputs that are made of them.

use super::threats::Pieces;
use chess::attacks::{king_attacks, pawns_attack, piece_attacks};
use chess::{Bitboard, Color, PieceType, Threats};

/// The attacks of one side, and what is counted while they are found.
#[derive(Clone, Copy, Debug)]
pub struct SideAttacks {
    /// The squares that it attacks.
    pub threats: Threats,
    /// Its knights, bishops, rooks and queens.
    pub pieces: [u32; 4],
    /// For each of these types the sum over the pieces of the squares that each attacks, less those on which own pawns stand
    /// or which pawns of the opponent attack.
    pub mobility: [u32; 4],
}

impl SideAttacks {
    /// The attacks of White and of Black.
    #[inline(always)]
    pub fn of_both(pieces: &Pieces) -> [SideAttacks; 2] {
        let white = pieces[0].iter().fold(Bitboard::EMPTY, |all, set| all | *set);
        let occupied = pieces[1].iter().fold(white, |all, set| all | *set);
        let pawns = [pawns_attack(Color::White, pieces[0][0]), pawns_attack(Color::Black, pieces[1][0])];
        let areas = [!(pieces[0][0] | pawns[1]), !(pieces[1][0] | pawns[0])];
        let with = |attacked: [Bitboard; 2], piece_type: PieceType| {
            attacks_with(pieces, occupied, &areas, attacked, piece_type)
        };
        let (knights, knight_counts) = with(pawns, PieceType::Knight);
        let (minors, bishop_counts) = with(knights, PieceType::Bishop);
        let (rooks, rook_counts) = with(minors, PieceType::Rook);
        let (queens, queen_counts) = with(rooks, PieceType::Queen);
        let side = |side: usize| {
            let king = king_attacks(pieces[side][PieceType::King.index()].single());
            SideAttacks {
                threats: Threats {
                    all: queens[side] | king,
                    by_pawns: pawns[side],
                    by_minors: minors[side],
                    by_rooks: rooks[side],
                },
                pieces: [
                    knight_counts.pieces(side),
                    bishop_counts.pieces(side),
                    rook_counts.pieces(side),
                    queen_counts.pieces(side),
                ],
                mobility: [
                    knight_counts.mobility(side),
                    bishop_counts.mobility(side),
                    rook_counts.mobility(side),
                    queen_counts.mobility(side),
                ],
            }
        };
        [side(0), side(1)]
    }
}

/// Four numbers in one, so that one addition counts for either side: the mobility of White and of Black, their pieces.
#[derive(Clone, Copy)]
struct Counts(u64);

impl Counts {
    #[inline(always)]
    fn mobility(self, side: usize) -> u32 {
        (self.0 >> (16 * side)) as u16 as u32
    }

    #[inline(always)]
    fn pieces(self, side: usize) -> u32 {
        (self.0 >> (16 * side + 32)) as u16 as u32
    }
}

/// The squares that White and Black attack when those of the pieces of a type are added, and what is counted of them.
#[inline(always)]
fn attacks_with(
    pieces: &Pieces,
    occupied: Bitboard,
    areas: &[Bitboard; 2],
    [mut by_white, mut by_black]: [Bitboard; 2],
    piece_type: PieceType,
) -> ([Bitboard; 2], Counts) {
    let [whites, blacks] = [pieces[0][piece_type.index()], pieces[1][piece_type.index()]];
    let mut counts = 0;
    // The pieces of both colours in one loop, and no branch in it: which colour comes next cannot be foreseen.
    for from in whites | blacks {
        let attacks = piece_attacks(piece_type, from, occupied);
        let is_white = Bitboard((whites.0 >> from as u32 & 1).wrapping_neg());
        by_white |= attacks & is_white;
        by_black |= attacks.without(is_white);
        let area = (areas[0] & is_white) | areas[1].without(is_white);
        let moves = u64::from((attacks & area).count());
        counts += (1 << 32 | moves) << (16 & !is_white.0);
    }
    ([by_white, by_black], Counts(counts))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::threats::pieces;
    use chess::Position;

    /// Positions of random games.
    pub fn random_positions(mut each: impl FnMut(&Position)) {
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
    fn attacks_are_those_of_the_rules() {
        random_positions(|position| {
            let found = SideAttacks::of_both(&pieces(position));
            for color in Color::ALL {
                let count = |piece_type| position.pieces(color, piece_type).count();
                let counts =
                    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen].map(count);
                assert_eq!(found[color.index()].pieces, counts, "{position}");
            }
            let found = found.map(|attacks| attacks.threats);
            let expected = Color::ALL.map(|color| position.threats_of(color));
            let sets = |of: &Threats| [of.all, of.by_pawns, of.by_minors, of.by_rooks];
            assert_eq!(found.each_ref().map(sets), expected.each_ref().map(sets), "{position}");
        });
    }

    #[test]
    fn mobility_counts_squares_that_a_piece_can_use() {
        let mobility = |fen: &str| {
            let position: Position = fen.parse().unwrap();
            SideAttacks::of_both(&pieces(&position)).map(|attacks| attacks.mobility)
        };
        // The knight has a4, c4, d3 and d1.
        assert_eq!(mobility("4k3/8/2p5/8/8/P7/1N6/4K3 w - - 0 1"), [[4, 0, 0, 0], [0; 4]]);
        // The pawn attacks a4 and c4, an own pawn stands on d3; d1 is left.
        assert_eq!(mobility("4k3/8/8/1p6/8/3P4/1N6/4K3 w - - 0 1"), [[1, 0, 0, 0], [0; 4]]);
        // Two bishops are added up, and squares with pieces of either side count.
        assert_eq!(mobility("4k3/8/8/8/8/8/1P1P4/B1B1K3 w - - 0 1"), [[0; 4]; 2]);
        assert_eq!(mobility("r3k3/p7/8/8/8/8/8/4K2R b - - 0 1"), [[0, 0, 10, 0], [0, 0, 4, 0]]);
    }
}
