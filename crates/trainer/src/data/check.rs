//! Games replayed with an independent library, and what the files of games hold.

use super::disk::Disk;
use super::file;
use super::game::{GameResult, ScoredGame};
use super::statistics::Statistics;
use anyhow::{Context, ensure};
use arena::progress;
use chess::{CastlingNotation, FenStyle};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::path::{Path, PathBuf};

/// Replays the games of all files, several at once, and prints a line about each and the statistics of all.
///
/// # Errors
/// If a game is not legal or a file is damaged; what is before the damage is counted.
pub fn check(files: &[PathBuf]) -> anyhow::Result<()> {
    let bar = progress::bar("checking", files.len() as u64);
    let check = |path: &PathBuf| {
        let checked = check_file(path);
        bar.inc(1);
        checked
    };
    let checked: Vec<_> = files.par_iter().map(check).collect();
    bar.finish_and_clear();
    let (mut all, mut damage) = (Statistics::default(), Ok(()));
    for (path, checked) in files.iter().zip(checked) {
        let (statistics, damaged) = checked?;
        let Statistics { games, positions, .. } = statistics;
        println!("{}: {games} games, {positions} positions, all legal", path.display());
        all += statistics;
        damage = damage.and(damaged);
    }
    if files.len() > 1 {
        println!("{} files: {} games, {} positions", files.len(), all.games, all.positions);
    }
    println!("{all}\n{}", Disk::of(files)?);
    damage
}

/// The statistics of a file up to where it is damaged, and the damage.
fn check_file(path: &Path) -> anyhow::Result<(Statistics, anyhow::Result<()>)> {
    let (mut statistics, mut damage) = (Statistics::default(), Ok(()));
    for game in file::read(path)? {
        match game {
            Ok(game) => {
                replay(&game).with_context(|| {
                    format!("game {} of {}", statistics.games + statistics.branches, path.display())
                })?;
                statistics.add(&game);
            }
            Err(error) => damage = Err(error),
        }
    }
    Ok((statistics, damage))
}

/// Plays the game with shakmaty: every move legal, every position the same, a decided end decided rightly.
fn replay(game: &ScoredGame) -> anyhow::Result<()> {
    let fen: Fen = game.start.fen(FenStyle::Shredder).parse()?;
    let mut theirs: Chess = fen.into_position(CastlingMode::Chess960)?;
    for (ours, mv, _) in game.positions() {
        let board = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
        let placement = |fen: &str| fen.split(' ').next().unwrap_or_default().to_owned();
        ensure!(placement(&board) == placement(&ours.fen(FenStyle::Standard)), "{board} is not {ours}");
        let text = mv.uci(CastlingNotation::KingTakesRook);
        let mv = text.parse::<shakmaty::uci::UciMove>()?.to_move(&theirs);
        theirs.play_unchecked(mv.with_context(|| format!("{text} is not legal in {board}"))?);
    }
    if theirs.is_checkmate() {
        let winner = if theirs.turn() == shakmaty::Color::White {
            GameResult::BlackWins
        } else {
            GameResult::WhiteWins
        };
        ensure!(game.outcome == winner, "the game ends in mate but has another result");
    }
    if theirs.is_stalemate() || theirs.is_insufficient_material() {
        ensure!(game.outcome == GameResult::Draw, "the game ends drawn but has another result");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{STARTS, random_game};

    #[test]
    fn stored_games_replay() {
        for (seed, fen) in STARTS.iter().enumerate() {
            let mut game = random_game(fen.parse().unwrap(), seed as u64);
            // Cut off before the end, any result will do.
            game.moves.truncate(30);
            replay(&game).unwrap();
        }
    }
}
