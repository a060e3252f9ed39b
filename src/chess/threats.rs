//! What is attacked, and from where a check would come: what move ordering looks at.

use super::attacks::{king_attacks, pawn_attacks, pawns_attack, piece_attacks};
use super::bitboard::Bitboard;
use super::piece::Kind;
use super::position::Position;
use super::square::Color;

/// The squares that one side attacks.
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    /// With any man.
    pub all: Bitboard,
    /// With pawns.
    pub by_pawns: Bitboard,
    /// With pawns or minor pieces.
    pub by_minors: Bitboard,
    /// With pawns, minor pieces or rooks.
    pub by_rooks: Bitboard,
}

impl Threats {
    /// No square.
    pub const NONE: Threats = Threats {
        all: Bitboard::EMPTY,
        by_pawns: Bitboard::EMPTY,
        by_minors: Bitboard::EMPTY,
        by_rooks: Bitboard::EMPTY,
    };

    /// The squares where a man of `kind` can be taken by one of less value.
    #[inline(always)]
    pub fn by_lesser(&self, kind: Kind) -> Bitboard {
        match kind {
            Kind::Pawn | Kind::King => Bitboard::EMPTY,
            Kind::Knight | Kind::Bishop => self.by_pawns,
            Kind::Rook => self.by_minors,
            Kind::Queen => self.by_rooks,
        }
    }
}

impl Position {
    /// The squares that the men of `color` attack.
    pub fn threats_of(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let by_pawns = pawns_attack(color, self.men(color, Kind::Pawn));
        let with = |before: Bitboard, kind: Kind| {
            self.men(color, kind)
                .into_iter()
                .fold(before, |all, from| all | piece_attacks(kind, from, occupied))
        };
        let by_minors = with(with(by_pawns, Kind::Knight), Kind::Bishop);
        let by_rooks = with(by_minors, Kind::Rook);
        let all = with(by_rooks, Kind::Queen) | king_attacks(self.king(color));
        Threats { all, by_pawns, by_minors, by_rooks }
    }

    /// Whether a man of the side to move may be taken by one of less value.
    pub fn is_threatened(&self) -> bool {
        let us = self.side_to_move();
        let threats = self.threats_of(!us);
        Kind::ALL.iter().any(|&kind| self.men(us, kind).meets(threats.by_lesser(kind)))
    }

    /// The squares from which a man of each kind (by [`Kind::index`]) of the side to move would give check.
    #[inline]
    pub fn check_squares(&self) -> [Bitboard; 6] {
        let (us, occupied) = (self.side_to_move(), self.occupied());
        let king = self.king(!us);
        Kind::ALL.map(|kind| match kind {
            Kind::Pawn => pawn_attacks(!us, king),
            Kind::King => Bitboard::EMPTY,
            kind => piece_attacks(kind, king, occupied),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;
    use crate::chess::legality::tests::random_positions;

    #[test]
    fn a_square_is_threatened_when_some_man_attacks_it() {
        random_positions(40, |position| {
            for color in Color::ALL {
                let threats = position.threats_of(color);
                for square in !Bitboard::EMPTY {
                    let attackers =
                        position.attackers_to(square, position.occupied()) & position.color(color);
                    let by =
                        |kinds: &[Kind]| kinds.iter().any(|&kind| attackers.meets(position.pieces(kind)));
                    assert_eq!(threats.all.contains(square), attackers.any(), "{square} in {position}");
                    let lesser: [(Kind, &[Kind]); 5] = [
                        (Kind::Pawn, &[]),
                        (Kind::Knight, &[Kind::Pawn]),
                        (Kind::Bishop, &[Kind::Pawn]),
                        (Kind::Rook, &[Kind::Pawn, Kind::Knight, Kind::Bishop]),
                        (Kind::Queen, &[Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook]),
                    ];
                    for (kind, kinds) in lesser {
                        let found = threats.by_lesser(kind).contains(square);
                        assert_eq!(found, by(kinds), "{kind:?} on {square} in {position}");
                    }
                }
            }
        });
    }

    #[test]
    fn a_side_is_threatened_when_a_man_can_be_taken_by_a_lesser_one() {
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
            let kind = position.piece_on(mv.from()).unwrap().kind();
            position.check_squares()[kind.index()].contains(mv.to())
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
