//! Threats: the squares that a side attacks, and those from which pieces give check or attack others, for move ordering.

use super::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawns_attack, piece_attacks, queen_attacks,
    rook_attacks,
};
use super::bitboard::Bitboard;
use super::piece::PieceType;
use super::position::Position;
use super::square::Color;

/// The squares that one side attacks: see [`Position::threats_of`].
///
/// ```
/// use tamarack_chess::{Color, Position, Square, Threats};
/// let position: Position = "4k3/8/8/8/8/5n2/8/4K3 w - - 0 1".parse()?;
/// let threats: Threats = position.threats_of(Color::Black);
/// assert!(threats.by_minors.contains(Square::E1) && !threats.by_pawns.contains(Square::E1));
/// # Ok::<(), tamarack_chess::FenError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    /// The squares attacked by any piece.
    pub all: Bitboard,
    /// The squares attacked by pawns.
    pub by_pawns: Bitboard,
    /// The squares attacked by pawns or minor pieces.
    pub by_minors: Bitboard,
    /// The squares attacked by pawns, minor pieces or rooks.
    pub by_rooks: Bitboard,
}

impl Threats {
    /// No threats.
    pub const NONE: Threats = Threats {
        all: Bitboard::EMPTY,
        by_pawns: Bitboard::EMPTY,
        by_minors: Bitboard::EMPTY,
        by_rooks: Bitboard::EMPTY,
    };

    /// The threats of White and of Black, from their `pieces` by type. Faster than [`Position::threats_of`] twice.
    ///
    /// ```
    /// use tamarack_chess::{Color, PieceType, Position, Threats};
    /// let start = Position::startpos();
    /// let pieces = Color::ALL.map(|color| PieceType::ALL.map(|piece| start.pieces(color, piece)));
    /// let [white, black] = Threats::of_both(&pieces);
    /// assert_eq!(white.all.flipped(), black.all);
    /// ```
    #[inline(always)]
    pub fn of_both(pieces: &[[Bitboard; 6]; 2]) -> [Threats; 2] {
        let white = pieces[0].iter().fold(Bitboard::EMPTY, |all, set| all | *set);
        let occupied = pieces[1].iter().fold(white, |all, set| all | *set);
        let by_type =
            PieceType::ALL.map(|piece_type| pieces[0][piece_type.index()] | pieces[1][piece_type.index()]);
        // The pieces of both colours in one loop, and no branch in it: which colour comes next cannot be foreseen.
        let with = |[mut by_white, mut by_black]: [Bitboard; 2], piece_type: PieceType| {
            for from in by_type[piece_type.index()] {
                let attacks = piece_attacks(piece_type, from, occupied);
                let whites = Bitboard((white.0 >> from as u32 & 1).wrapping_neg());
                by_white |= attacks & whites;
                by_black |= attacks.without(whites);
            }
            [by_white, by_black]
        };
        let pawns = [Color::White, Color::Black].map(|color| pawns_attack(color, pieces[color.index()][0]));
        let minors = with(with(pawns, PieceType::Knight), PieceType::Bishop);
        let rooks = with(minors, PieceType::Rook);
        let queens = with(rooks, PieceType::Queen);
        Color::ALL.map(|color| {
            let index = color.index();
            let king = king_attacks(pieces[index][PieceType::King.index()].single());
            Threats {
                all: queens[index] | king,
                by_pawns: pawns[index],
                by_minors: minors[index],
                by_rooks: rooks[index],
            }
        })
    }

    /// The squares where a piece of this type can be captured by a less valuable piece.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Color, PieceType, Position, Rank};
    /// let threats = Position::startpos().threats_of(Color::Black);
    /// assert_eq!(threats.by_lesser(PieceType::Knight), Bitboard::rank(Rank::R6)); // by pawns
    /// ```
    #[inline(always)]
    pub fn by_lesser(&self, piece_type: PieceType) -> Bitboard {
        match piece_type {
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
            PieceType::Knight | PieceType::Bishop => self.by_pawns,
            PieceType::Rook => self.by_minors,
            PieceType::Queen => self.by_rooks,
        }
    }
}

impl Position {
    /// The squares that the pieces of `color` attack.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Color, Position, Rank};
    /// let threats = Position::startpos().threats_of(Color::White);
    /// assert_eq!(threats.by_pawns, Bitboard::rank(Rank::R3));
    /// ```
    pub fn threats_of(&self, color: Color) -> Threats {
        let with = |before: Bitboard, piece_type: PieceType| {
            let attackers = self.pieces(color, piece_type);
            attackers.iter().fold(before, |all, from| all | piece_attacks(piece_type, from, self.occupied()))
        };
        let by_pawns = pawns_attack(color, self.pieces(color, PieceType::Pawn));
        let by_minors = with(with(by_pawns, PieceType::Knight), PieceType::Bishop);
        let by_rooks = with(by_minors, PieceType::Rook);
        let all = with(with(by_rooks, PieceType::Queen), PieceType::King);
        Threats { all, by_pawns, by_minors, by_rooks }
    }

    /// True if a piece of the side to move can be captured by a less valuable one.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1".parse()?;
    /// assert!(position.is_threatened()); // the pawn attacks the knight
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn is_threatened(&self) -> bool {
        let us = self.side_to_move();
        let threats = self.threats_of(!us);
        PieceType::ALL
            .iter()
            .any(|&piece_type| self.pieces(us, piece_type).intersects(threats.by_lesser(piece_type)))
    }

    /// For each piece type (by [`PieceType::index`]) the squares from which such a piece of the side to move gives check.
    ///
    /// ```
    /// use tamarack_chess::{PieceType, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
    /// let rook_checks = position.check_squares()[PieceType::Rook.index()];
    /// assert!(rook_checks.contains(Square::A8) && rook_checks.contains(Square::E2));
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    #[inline]
    pub fn check_squares(&self) -> [Bitboard; 6] {
        let (us, occupied) = (self.side_to_move(), self.occupied());
        let king = self.king(!us);
        PieceType::ALL.map(|piece_type| match piece_type {
            PieceType::Pawn => pawn_attacks(!us, king),
            PieceType::King => Bitboard::EMPTY,
            piece_type => piece_attacks(piece_type, king, occupied),
        })
    }

    /// For each piece type (by [`PieceType::index`]) the squares from which such a piece of the side to move attacks a more
    /// valuable one, the king not counted, or a queen an undefended piece. `threats` are those of the other side.
    ///
    /// ```
    /// use tamarack_chess::{Color, PieceType, Position, Square};
    /// let position: Position = "4k3/8/3r4/8/8/8/8/4K1N1 w - - 0 1".parse()?;
    /// let attack_squares = position.attack_squares(&position.threats_of(Color::Black));
    /// assert!(attack_squares[PieceType::Knight.index()].contains(Square::E4)); // a knight there attacks the rook
    /// assert!(attack_squares[PieceType::Queen.index()].contains(Square::G3)); // and so does a queen there
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    #[inline]
    pub fn attack_squares(&self, threats: &Threats) -> [Bitboard; 6] {
        let (them, occupied) = (!self.side_to_move(), self.occupied());
        let mut squares = [Bitboard::EMPTY; 6];
        let [pawn, knight, bishop, rook, queen, _] = &mut squares;
        let minors = self.pieces(them, PieceType::Knight) | self.pieces(them, PieceType::Bishop);
        minors.into_iter().for_each(|square| *pawn |= pawn_attacks(them, square));
        for square in self.pieces(them, PieceType::Rook) | self.pieces(them, PieceType::Queen) {
            *pawn |= pawn_attacks(them, square);
            *knight |= knight_attacks(square);
            *bishop |= bishop_attacks(square, occupied);
        }
        for square in self.pieces(them, PieceType::Queen) {
            *rook |= rook_attacks(square, occupied);
        }
        for square in (minors | self.pieces(them, PieceType::Rook)).without(threats.all) {
            *queen |= queen_attacks(square, occupied);
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use crate::legality::tests::random_positions;

    #[test]
    fn a_square_is_threatened_when_some_piece_attacks_it() {
        random_positions(40, |position| {
            for color in Color::ALL {
                let threats = position.threats_of(color);
                for square in !Bitboard::EMPTY {
                    let attackers =
                        position.attackers_to(square, position.occupied()) & position.color(color);
                    let by = |types: &[PieceType]| {
                        types.iter().any(|&piece_type| attackers.intersects(position.of_type(piece_type)))
                    };
                    assert_eq!(threats.all.contains(square), !attackers.is_empty(), "{square} in {position}");
                    let lesser: [(PieceType, &[PieceType]); 5] = [
                        (PieceType::Pawn, &[]),
                        (PieceType::Knight, &[PieceType::Pawn]),
                        (PieceType::Bishop, &[PieceType::Pawn]),
                        (PieceType::Rook, &[PieceType::Pawn, PieceType::Knight, PieceType::Bishop]),
                        (
                            PieceType::Queen,
                            &[PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook],
                        ),
                    ];
                    for (piece_type, types) in lesser {
                        let found = threats.by_lesser(piece_type).contains(square);
                        assert_eq!(found, by(types), "{piece_type:?} on {square} in {position}");
                    }
                }
            }
        });
    }

    #[test]
    fn attack_squares_are_those_from_which_a_piece_attacks_a_more_valuable_or_a_queen_an_undefended_one() {
        random_positions(40, |position| {
            let (us, occupied) = (position.side_to_move(), position.occupied());
            let threats = position.threats_of(!us);
            let found = position.attack_squares(&threats);
            let worth = |piece_type: PieceType| match piece_type {
                PieceType::Knight | PieceType::Bishop => 1,
                piece_type => piece_type.index(),
            };
            for piece_type in PieceType::ALL {
                let targets = PieceType::ALL
                    .into_iter()
                    .filter(|&other| other != PieceType::King && worth(other) > worth(piece_type))
                    .fold(Bitboard::EMPTY, |targets, other| targets | position.pieces(!us, other));
                let pieces = position.color(!us)
                    & !(position.of_type(PieceType::Pawn)
                        | position.of_type(PieceType::King)
                        | position.of_type(PieceType::Queen));
                let targets = match piece_type {
                    PieceType::Queen => pieces & !threats.all,
                    _ => targets,
                };
                for from in !Bitboard::EMPTY {
                    let attacked = match piece_type {
                        PieceType::Pawn => pawn_attacks(us, from),
                        piece_type => piece_attacks(piece_type, from, occupied),
                    };
                    let expected = attacked.intersects(targets);
                    assert_eq!(found[piece_type.index()].contains(from), expected, "{from} in {position}");
                }
            }
        });
    }

    #[test]
    fn a_side_is_threatened_when_a_piece_can_be_taken_by_a_lesser_one() {
        for (fen, threatened) in [
            ("4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/3p4/4N3/8/8/4K3 b - - 0 1", false),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", false),
            ("4k3/8/5b2/8/3N4/8/8/4K3 w - - 0 1", false),
            ("4k3/8/5b2/8/3R4/8/8/4K3 w - - 0 1", true),
            ("3rk3/8/8/8/3Q4/8/8/4K3 w - - 0 1", true),
            ("3rk3/8/8/8/3Q4/8/8/4K3 b - - 0 1", false),
        ] {
            assert_eq!(fen.parse::<Position>().unwrap().is_threatened(), threatened, "{fen}");
        }
    }

    #[test]
    fn quiet_moves_to_check_squares_give_check() {
        let direct = |position: &Position, mv: Move| {
            let piece_type = position.piece_on(mv.from()).unwrap().piece_type();
            position.check_squares()[piece_type.index()].contains(mv.to())
        };
        let mut checks = 0;
        random_positions(40, |position| {
            for mv in position.legal_moves() {
                if mv.is_quiet() && !mv.is_castling() && mv.promotion().is_none() && direct(position, mv) {
                    assert!(position.gives_check(mv), "{mv:?} in {position}");
                    checks += 1;
                }
            }
        });
        assert!(checks > 100);
    }
}
