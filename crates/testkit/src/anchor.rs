//! Two very weak engines of known habits, by which the lowest levels of play are measured: [`Anchor::Random`] and [`Anchor::OnePly`].

use chess::random::Random;
use chess::{CastlingNotation, Move, PieceType, Position, SEE_VALUES};
use clap::{Args, ValueEnum};
use platform::random::system_seed;
use std::io::{BufRead, Write, stdin, stdout};

/// The way in which it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Anchor {
    /// Any legal move.
    Random,
    /// Looks one ply ahead: mates if it can, takes what wins the most by static exchange, promotes, and otherwise plays any legal move.
    OnePly,
}

/// Arguments of `anchor`.
#[derive(Args, Clone, Copy, Debug)]
pub struct AnchorArguments {
    /// The way in which it plays.
    #[arg(value_enum)]
    pub anchor: Anchor,
    /// Seed of its moves; without it every run is another.
    #[arg(long)]
    pub seed: Option<u64>,
}

/// Plays by UCI until `quit` or the end of the input. It answers every `go` at once.
///
/// # Errors
/// If nobody reads its output any more.
pub fn run(arguments: &AnchorArguments) -> anyhow::Result<()> {
    let mut random = Random::new(arguments.seed.unwrap_or_else(system_seed));
    let mut position = Position::startpos();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let mut out = stdout().lock();
        match line.split_whitespace().next().unwrap_or("") {
            "uci" => writeln!(
                out,
                "id name anchor ({:?})\noption name UCI_Chess960 type check default false\nuciok",
                arguments.anchor
            )?,
            "isready" => writeln!(out, "readyok")?,
            "position" => match set_up(&line) {
                Some(set) => position = set,
                None => writeln!(out, "info string cannot be set up: {line}")?,
            },
            "go" => match arguments.anchor.choose(&position, &mut random) {
                Some(mv) => writeln!(out, "bestmove {}", mv.uci(CastlingNotation::KingTarget))?,
                None => writeln!(out, "bestmove (none)")?,
            },
            "quit" => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

/// The position of a `position` command.
fn set_up(line: &str) -> Option<Position> {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let position = match start.trim_start_matches("position").trim().strip_prefix("fen ") {
        Some(fen) => Position::from_fen_lenient(fen).ok()?.0,
        None => Position::startpos(),
    };
    moves
        .split_whitespace()
        .try_fold(position, |position, mv| Some(position.after(position.parse_uci(mv).ok()?)))
}

impl Anchor {
    /// Its move; `None` in mate and stalemate.
    pub fn choose(self, position: &Position, random: &mut Random) -> Option<Move> {
        let moves = position.legal_moves();
        let best = match self {
            Anchor::Random => 0,
            Anchor::OnePly => moves.iter().map(|&mv| gain(position, mv)).max().unwrap_or(0),
        };
        let wanted: Vec<Move> =
            moves.into_iter().filter(|&mv| best == 0 || gain(position, mv) == best).collect();
        wanted.get(random.below(wanted.len())).copied()
    }
}

/// The centipawns that a capture or promotion wins by static exchange, much for mate; 0 for a move that wins nothing.
fn gain(position: &Position, mv: Move) -> i32 {
    let after = position.after(mv);
    if after.in_check() && !after.has_legal_move() {
        return i32::MAX;
    }
    if !mv.is_noisy() {
        return 0;
    }
    // The exchange's value is the greatest one that it reaches: at most a queen captured and another one made.
    let most = 2 * SEE_VALUES[PieceType::Queen.index()];
    (0..=most).rev().step_by(10).find(|&value| position.see_ge(mv, value)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plays(anchor: Anchor, fen: &str) -> Vec<String> {
        let position = fen.parse().unwrap();
        let mut random = Random::new(1);
        let moves = (0..50).filter_map(|_| anchor.choose(&position, &mut random));
        let mut moves: Vec<String> = moves.map(|mv| mv.uci(CastlingNotation::KingTarget)).collect();
        moves.sort();
        moves.dedup();
        moves
    }

    #[test]
    fn the_one_ply_player_takes_what_hangs_and_nothing_that_is_guarded() {
        // The knight on d5 is guarded, the rook on h4 is not.
        assert_eq!(plays(Anchor::OnePly, "4k3/2p5/1p6/3n4/7r/8/8/3QK2R w - - 0 1"), ["h1h4"]);
        assert_eq!(plays(Anchor::OnePly, "6k1/5ppp/8/8/8/8/8/R3K2r w Q - 0 1"), ["e1d2", "e1e2", "e1f2"]);
        assert_eq!(plays(Anchor::OnePly, "6k1/5ppp/8/n7/8/8/8/R3K3 w Q - 0 1"), ["a1a5"]);
        assert!(!plays(Anchor::OnePly, "4k3/2p5/1p6/3n4/8/8/8/3QK3 w - - 0 1").is_empty());
        assert_eq!(
            plays(Anchor::OnePly, "6k1/5ppp/n7/8/8/8/4R3/R3K3 w Q - 0 1"),
            ["e2e8"],
            "mate before material"
        );
    }

    #[test]
    fn the_random_player_plays_anything_and_nobody_plays_in_mate() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(plays(Anchor::Random, start).len() > 12, "of twenty moves");
        assert!(plays(Anchor::Random, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").is_empty());
    }

    #[test]
    fn positions_are_set_up_as_they_are_sent() {
        let position = set_up("position startpos moves e2e4 e7e5").unwrap();
        assert_eq!(position.fullmove_number(), 2);
        assert!(set_up("position startpos moves e2e5").is_none());
        assert!(set_up("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1").is_some());
    }
}
