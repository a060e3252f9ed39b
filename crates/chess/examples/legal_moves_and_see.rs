//! Every legal move of a position with its static exchange evaluation, the best first.
//!
//!     cargo run --release --example legal_moves_and_see -- [FEN]

use std::error::Error;
use tamarack_chess::{CastlingNotation, Move, Position, positions};

/// The greatest threshold, in centipawns, that the exchange reaches. `see_ge` answers for one threshold, which is all that
/// a search asks; the value is found by bisection.
fn see(position: &Position, mv: Move) -> i32 {
    let (mut reached, mut missed) = (-2000, 4000);
    while missed - reached > 1 {
        let middle = (reached + missed) / 2;
        if position.see_ge(mv, middle) { reached = middle } else { missed = middle }
    }
    reached
}

fn main() -> Result<(), Box<dyn Error>> {
    let fen = std::env::args().nth(1).unwrap_or_else(|| positions::KIWIPETE.to_string());
    let position: Position = fen.parse()?;
    println!("{position}: {:?} to move", position.side_to_move());

    let mut moves: Vec<(i32, Move)> =
        position.legal_moves().into_iter().map(|mv| (see(&position, mv), mv)).collect();
    moves.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    for (value, mv) in moves {
        let capture = if mv.is_capture() { " capture" } else { "" };
        let check = if position.gives_check(mv) { " check" } else { "" };
        println!("{:6} {value:+5}{capture}{check}", mv.uci(CastlingNotation::KingTarget));
    }
    if !position.has_legal_move() {
        println!("{}", if position.in_check() { "checkmate" } else { "stalemate" });
    }
    Ok(())
}
