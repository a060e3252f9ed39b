//! Positions for judging networks: quiet ones of games between other engines, each with what a strong engine's search says of it.

mod oracle;

use anyhow::{Context, Result, ensure};
use arena::epd;
use arena::play::openings::{Opening, castling_mode};
use arena::play::pgn_book::read_pgn;
use arena::play::spec::EngineSpec;
use arena::play::think::{EngineMove, UciScore};
use chess::Position;
use chess::random::Random;
use clap::Args;
use oracle::Oracle;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Move, Position as _};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// Positions this near to the fifty-move limit (in plies since the last capture or pawn move) are left out.
const MAX_HALFMOVE_CLOCK: u32 = 40;
/// Positions with no more pieces are left out: tablebases know them.
const FEW_PIECES: usize = 4;

/// Arguments of `positions`.
#[derive(Args, Clone, Debug)]
pub struct PositionsArguments {
    /// PGN files, best of games that the networks to be judged had no part in
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The strong engine: cmd=path,option.Hash=16; it must offer UCI_ShowWDL
    #[arg(long, value_name = "SETTINGS")]
    engine: String,
    /// Nodes of its search of each position, unless --engine names a limit
    #[arg(long, default_value = "15000")]
    nodes: String,
    /// Positions of each game, at most
    #[arg(long, default_value_t = 11)]
    per_game: usize,
    /// Copies of the engine
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// The choice of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The EPD file, which must not be there yet
    #[arg(long, short)]
    output: PathBuf,
}

/// The job `positions`.
pub fn run(arguments: &PositionsArguments) -> Result<()> {
    let mut each = EngineSpec::default();
    each.limits.set("nodes", &arguments.nodes)?;
    let oracle = Oracle::new(EngineSpec::parse(&arguments.engine, &each)?)?;
    let chosen = choose(arguments)?;
    ensure!(!chosen.is_empty(), "the games have no quiet position");
    let ours: Vec<Position> =
        chosen.iter().map(|position| Ok(fen(position).parse()?)).collect::<Result<_>>()?;
    let name = || arguments.output.display().to_string();
    let mut file = File::create_new(&arguments.output).with_context(name)?;
    writeln!(file, "# {}", oracle.description).with_context(name)?;
    let written = Mutex::new((file, 0));
    oracle.search(&ours, arguments.concurrency, &|index, answer| {
        let Some(line) = line(&chosen[index], &answer) else { return Ok(()) };
        let mut written = written.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        written.1 += 1;
        writeln!(written.0, "{line}").with_context(name)
    })?;
    let count = written.into_inner().map_or(0, |(_, count)| count);
    println!("{count} positions of {} that were searched", chosen.len());
    Ok(())
}

/// Quiet positions of all games, each once, in random order.
fn choose(arguments: &PositionsArguments) -> Result<Vec<Chess>> {
    let mut random = Random::new(arguments.seed);
    let (mut chosen, mut seen) = (Vec::new(), HashSet::new());
    for path in &arguments.games {
        let games =
            read_pgn(path, castling_mode(false), usize::MAX).with_context(|| path.display().to_string())?;
        for game in games {
            let mut quiet = quiet_positions(&game);
            random.shuffle(&mut quiet);
            quiet.truncate(arguments.per_game);
            chosen.extend(quiet.into_iter().filter(|position| seen.insert(epd::board(&fen(position)))));
        }
    }
    random.shuffle(&mut chosen);
    Ok(chosen)
}

/// Positions that are not in check, whose move in the game is quiet, and which are no matter of tablebases or fifty moves.
fn quiet_positions(game: &Opening) -> Vec<Chess> {
    let mut position = game.start.clone();
    let mut quiet = Vec::new();
    for &mv in &game.moves {
        let is_live =
            position.halfmoves() < MAX_HALFMOVE_CLOCK && position.board().occupied().count() > FEW_PIECES;
        if is_live && !position.is_check() && is_quiet(mv) {
            quiet.push(position.clone());
        }
        position.play_unchecked(mv);
    }
    quiet
}

fn is_quiet(mv: Move) -> bool {
    !mv.is_capture() && !mv.is_promotion()
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The EPD line of a position; `None` if the engine sees a mate or shows no chances, or its move is not quiet.
fn line(position: &Chess, answer: &EngineMove) -> Option<String> {
    let Some(UciScore::Centipawns(centipawns)) = answer.info.score else { return None };
    let [win, draw, loss] = answer.info.wdl?;
    let best = answer.mv.parse::<UciMove>().ok()?.to_move(position).ok()?;
    let (clock, number) = (position.halfmoves(), position.fullmoves());
    is_quiet(best).then(|| {
        format!(
            "{} hmvc {clock}; fmvn {number}; ce {centipawns}; c0 \"{win} {draw} {loss}\"; bm {};",
            epd::board(&fen(position)),
            San::from_move(position, best),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::labelled::{LabelledPositions, Truth};
    use arena::play::think::UciInfo;
    use std::time::Duration;

    fn game(moves: &[&str]) -> Opening {
        let (mut position, mut opening) = (Chess::default(), Opening::default());
        for text in moves {
            let mv = text.parse::<San>().unwrap().to_move(&position).unwrap();
            opening.moves.push(mv);
            position.play_unchecked(mv);
        }
        opening
    }

    #[test]
    fn captures_and_checks_are_left_out() {
        let quiet = quiet_positions(&game(&["e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5+", "Be2"]));
        let shown: Vec<String> =
            quiet.iter().map(|position| fen(position).split(' ').skip(1).collect()).collect();
        // Before e4, d5, Nc3 and Qe5; after the check White is in check.
        assert_eq!(shown, ["wKQkq-01", "bKQkq-01", "wKQkq-03", "bKQkq-13"]);
    }

    #[test]
    fn lines_can_be_judged() {
        let position = game(&["e4", "e5"]).end();
        let answer = |mv: &str, score| EngineMove {
            mv: mv.to_string(),
            ponder: None,
            info: UciInfo { score: Some(score), wdl: Some([100, 850, 50]), ..UciInfo::default() },
            time: Duration::ZERO,
        };
        let text = line(&position, &answer("g1f3", UciScore::Centipawns(25))).unwrap();
        assert!(text.ends_with("w KQkq - hmvc 0; fmvn 2; ce 25; c0 \"100 850 50\"; bm Nf3;"), "{text}");
        let judged = LabelledPositions::parse(&text, None).unwrap();
        assert_eq!((judged.truth, judged.labelled[0].expected), (Truth::Wdl, 0.525));
        assert_eq!(line(&position, &answer("g1f3", UciScore::Mate(3))), None, "a mate");
        assert_eq!(line(&position, &answer("e4e5", UciScore::Centipawns(25))), None, "an illegal move");
        assert_eq!(
            line(&game(&["e4", "d5"]).end(), &answer("e4d5", UciScore::Centipawns(25))),
            None,
            "a capture"
        );
    }
}
