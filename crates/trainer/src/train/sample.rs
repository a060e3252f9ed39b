//! Positions of random games, for tests and benches: real pieces on reachable squares, invented scores.

use super::record::{Marks, pack};
use bulletformat::ChessBoard;
use chess::random::Random;
use chess::{Color, PieceType, Position};

/// Random records, the same ones for a seed. The score is the material with some noise; the result follows it.
pub fn boards(count: usize, seed: u64) -> Vec<ChessBoard> {
    let mut random = Random::new(seed);
    let mut boards = Vec::with_capacity(count);
    let mut position = Position::startpos();
    let mut ply = 0_usize;
    while boards.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || ply > 200 || position.halfmove_clock() > 40 || position.occupied().count() < 5
        {
            (position, ply) = (Position::startpos(), 0);
            continue;
        }
        if ply >= 8 {
            let score = material(&position) + random.below(41) as i32 - 20;
            let result = if score > 150 { 2 } else { u8::from(score > -150) };
            let marks = Marks { in_check: position.in_check(), noisy: false, ply: ply.min(255) as u8 };
            boards.push(pack(&position, score as i16, result, marks));
        }
        position = position.after(moves[random.below(moves.len())]);
        ply += 1;
    }
    boards
}

fn material(position: &Position) -> i32 {
    let values = [100, 320, 330, 500, 950, 0];
    let total = |color: Color| -> i32 {
        PieceType::ALL
            .iter()
            .map(|&kind| values[kind.index()] * position.pieces(color, kind).count() as i32)
            .sum()
    };
    total(position.side_to_move()) - total(!position.side_to_move())
}
