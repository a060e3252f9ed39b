//! The classical evaluation of the first version: material, tapered piece-square tables, mobility, pawns, threats and
//! king safety. It makes the games that a network will learn from.

use super::terms::*;
use crate::chess::attacks::{king_attacks, knight_attacks, pawns_attack, piece_attacks};
use crate::chess::{Bitboard, Color, File, Kind, Position, Rank, Square};
use crate::score::Score;
use std::fmt::Write;

const PIECES: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// The worth of a position for the side to move.
pub fn evaluate(position: &Position) -> Score {
    let boards = Color::ALL.map(|color| Side::new(position, color));
    let white = boards[0].total(position, &boards[1]) - boards[1].total(position, &boards[0]);
    let balance = if position.side_to_move() == Color::White { white } else { -white };
    let blended = blend(position, balance + TEMPO);
    // As the fifty-move limit comes nearer, an advantage is worth less.
    Score::cp(blended * (220 - position.halfmove_clock().min(100) as i32) / 220)
}

/// A table of the terms, for people.
pub fn explain(position: &Position) -> String {
    let boards = Color::ALL.map(|color| Side::new(position, color));
    let mut text = format!("{:<12}{:>15}{:>15}\n", "term", "White mg/eg", "Black mg/eg");
    for (name, term) in TERMS {
        let [white, black] = [term(&boards[0], position, &boards[1]), term(&boards[1], position, &boards[0])];
        let _ = writeln!(
            text,
            "{name:<12}{:>8}{:>7}{:>8}{:>7}",
            white.middle, white.end, black.middle, black.end
        );
    }
    let score = evaluate(position);
    let white = if position.side_to_move() == Color::White { score } else { -score };
    let _ = write!(text, "total {} centipawns from White's view", white.raw());
    text
}

/// Blends middlegame and endgame by the material that is left, and scales drawish endings.
fn blend(position: &Position, balance: Tapered) -> i32 {
    let phase: i32 =
        Kind::ALL.iter().map(|&kind| PHASE[kind.index()] * position.pieces(kind).count() as i32).sum();
    let phase = phase.min(24);
    let end = balance.end * scale(position, balance.end) / 64;
    (balance.middle * phase + end * (24 - phase)) / 24
}

/// How much of an endgame advantage can be kept, in 64ths.
fn scale(position: &Position, end: i32) -> i32 {
    let side = position.side_to_move();
    let stronger = if end > 0 { side } else { !side };
    let pawns = position.men(stronger, Kind::Pawn).count() as i32;
    let bishops = position.pieces(Kind::Bishop);
    let opposite = Color::ALL.iter().all(|&color| position.men(color, Kind::Bishop).count() == 1)
        && (bishops & Bitboard::DARK).count() == 1;
    let pieces =
        (position.occupied().without(position.pieces(Kind::Pawn) | position.pieces(Kind::King))).count();
    let worth = |color| -> i32 {
        PIECES.iter().map(|&kind| MATERIAL[kind.index()].end * position.men(color, kind).count() as i32).sum()
    };
    match pawns {
        // Without pawns a minor piece more does not win.
        0 if worth(stronger) - worth(!stronger) < 400 => 6,
        _ if opposite && pieces == 2 => 24 + 3 * pawns,
        _ if opposite => 40 + 3 * pawns,
        _ => (44 + 6 * pawns).min(64),
    }
}

/// What several terms need to know of one side.
struct Side {
    color: Color,
    pawns: Bitboard,
    pawn_attacks: Bitboard,
    /// Attacks by knights, bishops, rooks, queens.
    attacks: [Bitboard; 4],
    attacked: Bitboard,
    attacked_twice: Bitboard,
    /// King's ring with the squares before it.
    zone: Bitboard,
    mobility: Tapered,
    /// Attack units against the enemy king by pieces near it.
    attack_units: i32,
    attackers: i32,
}

type Term = fn(&Side, &Position, &Side) -> Tapered;

const TERMS: [(&str, Term); 6] = [
    ("material", Side::material),
    ("squares", Side::squares),
    ("mobility", |side, _, _| side.mobility),
    ("pawns", Side::pawns),
    ("pieces", Side::pieces),
    ("king", Side::king),
];

impl Side {
    fn new(position: &Position, color: Color) -> Side {
        let pawns = position.men(color, Kind::Pawn);
        let king = king_attacks(position.king(color));
        let pawn_attacks = pawns_attack(color, pawns);
        let mut side = Side {
            color,
            pawns,
            pawn_attacks,
            attacks: [Bitboard::EMPTY; 4],
            attacked: pawn_attacks | king,
            attacked_twice: pawn_attacks & king,
            zone: zone(position.king(color), color),
            mobility: Tapered::default(),
            attack_units: 0,
            attackers: 0,
        };
        side.look_around(position);
        side
    }

    /// Attacks, mobility, and pressure on the enemy king, in one walk over the pieces.
    fn look_around(&mut self, position: &Position) {
        let enemy = !self.color;
        let enemy_pawns = pawns_attack(enemy, position.men(enemy, Kind::Pawn));
        let free = !(position.color(self.color) & (self.pawns | position.pieces(Kind::King)) | enemy_pawns);
        let enemy_zone = zone(position.king(enemy), enemy);
        for (index, kind) in PIECES.into_iter().enumerate() {
            for square in position.men(self.color, kind) {
                let mut occupied = position.occupied();
                if kind != Kind::Knight {
                    occupied = occupied.without(position.men(self.color, Kind::Queen)); // batteries
                }
                let reach = piece_attacks(kind, square, occupied);
                self.attacks[index] |= reach;
                self.attacked_twice |= self.attacked & reach;
                self.attacked |= reach;
                self.mobility += MOBILITY[index] * ((reach & free).count() as i32 - MOBILITY_USUAL[index]);
                if reach.meets(enemy_zone) {
                    self.attackers += 1;
                    self.attack_units += ATTACKER[index];
                }
            }
        }
    }

    fn total(&self, position: &Position, enemy: &Side) -> Tapered {
        TERMS.iter().map(|(_, term)| term(self, position, enemy)).sum()
    }

    fn material(&self, position: &Position, _: &Side) -> Tapered {
        let men = Kind::ALL
            .iter()
            .map(|&kind| MATERIAL[kind.index()] * position.men(self.color, kind).count() as i32);
        let pair = position.men(self.color, Kind::Bishop).several();
        men.sum::<Tapered>() + if pair { BISHOP_PAIR } else { Tapered::default() }
    }

    fn squares(&self, position: &Position, _: &Side) -> Tapered {
        let mut sum = Tapered::default();
        for kind in Kind::ALL {
            let [middle, end] = &SQUARES[kind.index()];
            for square in position.men(self.color, kind) {
                let square = square.relative_to(self.color);
                let (rank, file) = (square.rank().index(), square.file().index());
                let file = file.min(7 - file);
                sum += t(middle[rank][file], end[rank][file]);
            }
        }
        sum
    }

    fn pawns(&self, position: &Position, enemy: &Side) -> Tapered {
        let mut sum = Tapered::default();
        for square in self.pawns {
            let file = Bitboard::file(square.file());
            let beside = file.left() | file.right();
            let ahead = span(square, self.color);
            let neighbours = self.pawns & beside;
            let rank = square.rank().relative_to(self.color).index();
            let own = Bitboard::of(square);
            if neighbours.is_empty() {
                sum += ISOLATED;
            } else if self.pawn_attacks.contains(square) || (own.left() | own.right()).meets(self.pawns) {
                sum += CONNECTED[rank];
            } else if !neighbours.without(ahead).any() && enemy.pawn_attacks.meets(own.forward(self.color)) {
                sum += BACKWARD;
            }
            if (ahead & file).meets(self.pawns) {
                sum += DOUBLED;
            } else if !(ahead & (file | beside)).meets(enemy.pawns) {
                sum += self.passed(position, square, rank);
            }
        }
        sum
    }

    fn passed(&self, position: &Position, square: Square, rank: usize) -> Tapered {
        let front = square.forward(self.color);
        let free = !position.occupied().contains(front);
        let kings = distance(position.king(!self.color), front) - distance(position.king(self.color), front);
        let walk = PASSED_KINGS * (kings * (rank as i32 - 2).max(0));
        PASSED[rank] + walk + if free { PASSED_FREE[rank] } else { Tapered::default() }
    }

    /// Rooks' files, outposts and threats.
    fn pieces(&self, position: &Position, enemy: &Side) -> Tapered {
        let mut sum = Tapered::default();
        for square in position.men(self.color, Kind::Rook) {
            let file = Bitboard::file(square.file());
            if !file.meets(self.pawns) {
                sum += if file.meets(enemy.pawns) { ROOK_HALF_OPEN_FILE } else { ROOK_OPEN_FILE };
            }
        }
        let minors = position.men(self.color, Kind::Knight) | position.men(self.color, Kind::Bishop);
        for square in minors & self.pawn_attacks & advanced(self.color) {
            let file = Bitboard::file(square.file());
            let beside = file.left() | file.right();
            if !(span(square, self.color) & beside).meets(enemy.pawns) {
                sum += OUTPOST;
            }
        }
        let theirs = position.color(!self.color).without(enemy.pawns | position.pieces(Kind::King));
        let heavy = theirs & (position.pieces(Kind::Rook) | position.pieces(Kind::Queen));
        let hanging = position.color(!self.color) & self.attacked & !enemy.attacked;
        sum += PAWN_THREAT * (self.pawn_attacks & theirs).count() as i32;
        sum += MINOR_THREAT * ((self.attacks[0] | self.attacks[1]) & heavy).count() as i32;
        sum + HANGING * hanging.count() as i32
    }

    /// Shelter, and the danger from the enemy's pieces.
    fn king(&self, position: &Position, enemy: &Side) -> Tapered {
        let king = position.king(self.color);
        let file = Bitboard::file(king.file());
        let near = file | file.left() | file.right();
        let mut sum = Tapered::default();
        if king.rank().relative_to(self.color) <= Rank::R2 {
            for (rank, bonus) in [Rank::R2, Rank::R3].into_iter().zip(SHELTER) {
                let shelter = self.pawns & near & Bitboard::rank(rank.relative_to(self.color));
                sum += bonus * shelter.count() as i32;
            }
        }
        let open =
            File::ALL.iter().filter(|&&file| near.meets(Bitboard::file(file) & Bitboard::rank(king.rank())));
        sum += KING_OPEN_FILE * open.filter(|&&file| !Bitboard::file(file).meets(self.pawns)).count() as i32;
        sum + self.danger(position, enemy, king)
    }

    fn danger(&self, position: &Position, enemy: &Side, king: Square) -> Tapered {
        let weak =
            enemy.attacked & (!self.attacked | !self.attacked_twice & (king_attacks(king) | self.attacks[3]));
        let mut units = enemy.attack_units + WEAK_ZONE * (weak & self.zone).count() as i32;
        let safe = !position.color(enemy.color) & (!self.attacked | weak & enemy.attacked_twice);
        let occupied = position.occupied();
        let lines = [
            knight_attacks(king),
            piece_attacks(Kind::Bishop, king, occupied),
            piece_attacks(Kind::Rook, king, occupied),
            piece_attacks(Kind::Queen, king, occupied),
        ];
        for (index, line) in lines.into_iter().enumerate() {
            if (line & safe).meets(enemy.attacks[index]) {
                units += SAFE_CHECK[index];
            }
        }
        if enemy.attackers < 2 || position.men(enemy.color, Kind::Queen).is_empty() {
            units /= 2;
        }
        -t(units * units / 22, units / 3)
    }
}

/// The king's ring with the squares before it.
fn zone(king: Square, color: Color) -> Bitboard {
    let ring = king_attacks(king) | Bitboard::of(king);
    ring | ring.forward(color)
}

/// The squares ahead of `square` on its own and the neighbouring files.
fn span(square: Square, color: Color) -> Bitboard {
    let own = Bitboard::of(square);
    let mut ahead = (own | own.left() | own.right()).forward(color);
    ahead |= ahead.forward(color);
    ahead |= ahead.forward(color).forward(color);
    ahead | ahead.forward(color).forward(color).forward(color)
}

/// Fourth to sixth rank.
fn advanced(color: Color) -> Bitboard {
    [Rank::R4, Rank::R5, Rank::R6]
        .iter()
        .fold(Bitboard::EMPTY, |set, rank| set | Bitboard::rank(rank.relative_to(color)))
}

/// In king's steps.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(fen: &str) -> i32 {
        evaluate(&fen.parse().unwrap()).raw()
    }

    #[test]
    fn colours_are_treated_alike() {
        let pairs = [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b - - 0 1",
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"),
        ];
        for (white, black) in pairs {
            assert_eq!(eval(white), eval(black));
        }
    }

    #[test]
    fn material_and_danger_count() {
        assert!((0..60).contains(&eval("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")));
        assert!(eval("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 800);
        assert!(eval("4k3/8/8/8/8/8/8/4KB2 w - - 0 1") < 100, "a bishop alone does not win");
        assert!(eval("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") > 60);
    }

    #[test]
    fn the_explanation_names_every_term() {
        let text = explain(&Position::startpos());
        assert!(TERMS.iter().all(|(name, _)| text.contains(name)) && text.contains("centipawns"));
    }
}
