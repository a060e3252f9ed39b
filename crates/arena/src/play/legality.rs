//! The referee's judgement of moves and lines that engines write.

use super::player::{Failure, FaultKind};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Move, Position};

/// The move that an engine writes like this, if it is legal.
pub fn legal_move(position: &Chess, word: &str) -> Option<Move> {
    word.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// The failure of an engine that shows or plays what is no legal move in `position`.
pub fn illegal(kind: FaultKind, position: &Chess, what: &str) -> Failure {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    Failure { kind, detail: format!("{what} is not a legal move in {fen}") }
}

/// Plays the moves of a line that an engine shows.
pub fn check_line(start: &Chess, line: &str) -> Result<(), Failure> {
    let Some((_, moves)) = line.split_once(" pv ") else { return Ok(()) };
    let mut position = start.clone();
    for word in moves.split_ascii_whitespace() {
        let Some(mv) = legal_move(&position, word) else {
            let fen = Fen::from_position(start, EnPassantMode::Legal);
            let detail = format!("{word:?} of {line:?} is not a legal move there, in {fen}");
            return Err(Failure { kind: FaultKind::Line, detail });
        };
        position.play_unchecked(mv);
    }
    Ok(())
}
