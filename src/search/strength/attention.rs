//! The attention of a weak player: which moves are overlooked, on either side.
//!
//! Nobody overlooks the recapture on the square just played to; long diagonals, steps back, knights and lines just opened are missed more
//! often than what stands side by side. What is overlooked is overlooked in every line of thought, and for a move or two: the draw
//! belongs to the piece, its square and its goal, not to the position.

use super::draws::{Draws, Subject};
use chess::attacks::between;
use chess::{Color, Move, Piece, PieceType, Position, Square};

/// The attention during one move of the game.
#[derive(Clone, Copy, Debug)]
pub struct Attention {
    /// The draws.
    pub draws: Draws,
    /// The chance of overlooking an ordinary capture, 0 to 1.
    pub misses: f64,
    /// The number of the move in the game.
    pub move_number: u32,
}

/// The moves before a move that may be overlooked, the last one first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    /// The last move.
    pub last: Option<Move>,
    /// The move before the last one.
    pub previous: Option<Move>,
}

impl Before {
    /// What is before the move after `mv`.
    pub fn then(self, mv: Move) -> Before {
        Before { last: Some(mv), previous: self.last }
    }
}

/// The greatest chance of overlooking anything.
const MAX_MISS: f64 = 0.9;

impl Attention {
    /// True if `mv`, a legal move of `position` at `ply` of the line of thought (0 for the move to be made), is overlooked.
    pub fn overlooks(&self, position: &Position, mv: Move, before: Before, ply: usize) -> bool {
        let chance = (self.misses * difficulty(position, mv, before, ply)).min(MAX_MISS);
        chance > 0.0 && self.draws.unit(Subject::Oversight, self.matter(position, mv)) < chance
    }

    /// The number of what is looked at: a piece, where it stands and where it can go, for two moves of the game.
    fn matter(&self, position: &Position, mv: Move) -> u64 {
        let (from, to) = (mv.from().index() as u64, mv.to().index() as u64);
        let piece = position.piece_on(mv.from()).map_or(0, Piece::index) as u64;
        let span = (u64::from(self.move_number) + (from & 1)) / 2;
        span << 32 | piece << 16 | from << 8 | to
    }
}

/// How hard a move is to see: 0 for one that nobody overlooks, 1 for an ordinary capture.
fn difficulty(position: &Position, mv: Move, before: Before, ply: usize) -> f64 {
    let last_square = before.last.map(Move::to);
    if mv.is_castling() {
        return 0.0;
    }
    let is_capture = mv.is_capture();
    if is_capture && last_square == Some(mv.capture_square()) {
        // The piece that has just moved is looked at; but whether it was safe there is asked less carefully before it moves.
        let guarded = 0.3 * value_of_victim(position, mv) * geometry(position, mv);
        return if ply.is_multiple_of(2) { 0.0 } else { guarded };
    }
    let kind = match (is_capture, mv.promotion()) {
        (_, Some(PieceType::Queen)) => 0.4,
        (true, _) => value_of_victim(position, mv),
        (false, _) => 0.5,
    };
    // What oneself can do is seen more readily than what the opponent can, and what is near sooner than what is far.
    let side = if ply.is_multiple_of(2) { 1.0 } else { 1.2 };
    let far = 1.0 + 0.15 * ply as f64;
    kind * side * far * geometry(position, mv) * surroundings(mv, before)
}

/// Great pieces are looked after.
fn value_of_victim(position: &Position, mv: Move) -> f64 {
    match position.piece_on(mv.capture_square()).map(Piece::piece_type) {
        Some(PieceType::Queen) => 0.6,
        Some(PieceType::Rook) => 0.85,
        Some(PieceType::Knight | PieceType::Bishop) => 1.0,
        _ => 1.2,
    }
}

/// The moving piece and its way.
fn geometry(position: &Position, mv: Move) -> f64 {
    let (from, to) = (mv.from(), mv.to());
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    let steps = files.max(ranks);
    let is_diagonal = files == ranks;
    let way = match position.piece_on(from).map(Piece::piece_type) {
        Some(PieceType::Knight) => 1.25,
        Some(PieceType::Pawn | PieceType::King) | None => 0.6,
        Some(_) if steps <= 1 => 0.6,
        Some(_) if is_diagonal => {
            if steps >= 4 {
                1.6
            } else {
                1.15
            }
        }
        Some(_) => {
            if steps >= 4 {
                1.2
            } else {
                0.8
            }
        }
    };
    let us = position.side_to_move();
    let rank = |square: Square| square.relative_to(us).rank().index();
    if rank(to) < rank(from) { way * 1.4 } else { way }
}

/// The move beside what has just happened.
fn surroundings(mv: Move, before: Before) -> f64 {
    let mut factor = 1.0;
    if let Some(last) = before.last {
        // A line that the last move has opened.
        if between(mv.from(), mv.to()).contains(last.from()) {
            factor *= 1.5;
        }
        let steps = distance(last.to(), mv.to());
        factor *= if steps <= 1 {
            0.85
        } else if steps >= 4 {
            1.15
        } else {
            1.0
        };
    }
    // The piece that made the move before is being watched: why has it gone there?
    if before.previous.is_some_and(|previous| previous.to() == mv.from()) {
        factor *= 0.6;
    }
    factor
}

/// King moves between two squares.
pub fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}

/// The relative rank of a square, 0 to 7, as `color` sees it.
pub fn relative_rank(square: Square, color: Color) -> usize {
    square.relative_to(color).rank().index()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of 1,000 seeds with which a player who overlooks half of the ordinary captures overlooks this move.
    fn overlooked(fen: &str, mv: &str, before: &[(&str, &str)], ply: usize) -> usize {
        let position: Position = fen.parse().unwrap();
        let mv = position.parse_uci(mv).unwrap();
        let parse = |&(fen, mv): &(&str, &str)| fen.parse::<Position>().unwrap().parse_uci(mv).unwrap();
        let before = before.iter().map(parse).fold(Before::default(), Before::then);
        let attention = |seed| Attention { draws: Draws::new(seed), misses: 0.5, move_number: 20 };
        (0..1000).filter(|&seed| attention(seed).overlooks(&position, mv, before, ply)).count()
    }

    #[test]
    fn a_piece_that_has_just_come_or_taken_is_never_overlooked() {
        let before = "4k3/8/8/3n4/8/4p3/3P4/4K3 b - - 0 20";
        assert_eq!(overlooked("4k3/8/8/3n4/8/8/3p4/4K3 w - - 0 21", "e1d2", &[(before, "e3d2")], 0), 0);
    }

    #[test]
    fn what_is_far_is_overlooked_more_often_than_what_is_near() {
        // A bishop takes a knight across the board, from the next square, and going back.
        let far = overlooked("4k3/6n1/8/8/8/8/1B6/4K3 w - - 0 20", "b2g7", &[], 0);
        let near = overlooked("4k3/8/8/8/8/2n5/1B6/4K3 w - - 0 20", "b2c3", &[], 0);
        let back = overlooked("4k3/6B1/8/8/8/8/1n6/4K3 w - - 0 20", "g7b2", &[], 0);
        assert!(near > 100 && near + 200 < far && far < back, "{near} {far} {back}");
        // The opponent's captures are overlooked more often than one's own, and a hanging queen less often than a knight.
        assert!(overlooked("4k3/6n1/8/8/8/8/1B6/4K3 w - - 0 20", "b2g7", &[], 1) > far);
        assert!(overlooked("4k3/6q1/8/8/8/8/1B6/4K3 w - - 0 20", "b2g7", &[], 0) < far);
    }

    #[test]
    fn what_is_overlooked_is_overlooked_for_a_move_or_two_in_every_position() {
        let see = |fen: &str, move_number| {
            let position: Position = fen.parse().unwrap();
            let mv = position.parse_uci("b2g7").unwrap();
            let attention = |seed| Attention { draws: Draws::new(seed), misses: 0.5, move_number };
            (0..100)
                .map(|seed| attention(seed).overlooks(&position, mv, Before::default(), 0))
                .collect::<Vec<_>>()
        };
        let (one, other) = ("4k3/6n1/8/8/8/8/1B6/4K3 w - - 0 20", "3k4/6n1/8/8/8/7P/1B6/4K3 w - - 0 20");
        assert_eq!(see(one, 20), see(other, 20));
        assert_ne!(see(one, 20), see(one, 22));
    }
}
