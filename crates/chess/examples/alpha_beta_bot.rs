//! A bot to start from, in seventy lines: alpha-beta, captures searched to their end, and as much of UCI as a GUI or a match needs.
//!
//!     cargo run --release --example alpha_beta_bot

use std::io::stdin;
use tamarack_chess::{Color, Game, KeyHistory, Move, PieceType, Position, SEE_VALUES, Square};

const MATE: i32 = 30_000;
const DEPTH: i32 = 5;

/// Material and the pieces' nearness to the centre, in centipawns, for the side to move.
fn evaluate(position: &Position) -> i32 {
    let from_edge = |square: Square| [square.file().index(), square.rank().index()].map(|i| i.min(7 - i));
    let side = |color: Color| -> i32 {
        let value =
            |piece: PieceType| position.pieces(color, piece).count() as i32 * SEE_VALUES[piece.index()];
        let centre: usize = position.color(color).iter().flat_map(from_edge).sum();
        PieceType::ALL.into_iter().map(value).sum::<i32>() + 5 * centre as i32
    };
    side(position.side_to_move()) - side(!position.side_to_move())
}

/// The score of a position for the side to move, and its best move; none if the game is over.
pub fn search(
    position: &Position,
    keys: &mut KeyHistory,
    alpha: i32,
    beta: i32,
    depth: i32,
) -> (i32, Option<Move>) {
    let is_good = |mv: Move| mv.is_noisy() && position.see_ge(mv, 0);
    let (mut alpha, mut best, mut moves) = (alpha, None, position.legal_moves());
    if moves.is_empty() {
        return (if position.in_check() { -MATE - depth } else { 0 }, None);
    }
    if depth <= 0 && !position.in_check() {
        alpha = alpha.max(evaluate(position));
        moves.retain(is_good);
    }
    moves.sort_by_key(|&mv| !is_good(mv));
    for mv in moves {
        if alpha >= beta {
            break;
        }
        let next = position.after(mv);
        keys.push(&next);
        let is_draw =
            keys.is_repetition() || next.is_drawn_by_fifty_moves() || next.is_insufficient_material();
        let score = if is_draw { 0 } else { -search(&next, keys, -beta, -alpha, depth - 1).0 };
        keys.pop();
        if score > alpha {
            (alpha, best) = (score, Some(mv));
        }
    }
    (alpha, best)
}

/// The best move of a game; `None` if it is over.
pub fn best_move(game: &Game, depth: i32) -> Option<Move> {
    let mut keys = game.history().clone();
    keys.mark_root();
    search(game.position(), &mut keys, -2 * MATE, 2 * MATE, depth).1
}

/// The game of a line such as `position startpos moves e2e4`.
fn set_up(line: &str) -> Result<Game, Box<dyn std::error::Error>> {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let start = start.strip_prefix("position fen ").map_or(Ok(Position::startpos()), str::parse)?;
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        game.make(game.position().parse_uci(text)?);
    }
    Ok(game)
}

fn main() {
    let mut game = Game::default();
    for line in stdin().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("uci") => println!("id name Seventy Lines\nid author you\nuciok"),
            Some("isready") => println!("readyok"),
            Some("position") => match set_up(&line) {
                Ok(set_up) => game = set_up,
                Err(error) => println!("info string {error}"),
            },
            Some("go") => match best_move(&game, DEPTH) {
                Some(mv) => println!("bestmove {mv}"),
                None => println!("bestmove 0000"),
            },
            Some("quit") => break,
            _ => {}
        }
    }
}
