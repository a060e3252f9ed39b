//! Training data: games in files, records made of games, and what is done to both.

pub mod convert;
pub mod file;
pub mod fit;
pub mod game;
pub mod partition;
pub mod rescore;
pub mod statistics;
pub mod thin;

use crate::datagen::Effort;
use anyhow::{Context, ensure};
use chess::{CastlingNotation, FenStyle};
use clap::{Args, Subcommand};
use game::{Game, Outcome};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use statistics::Statistics;
use std::path::{Path, PathBuf};

/// Work on training data.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    /// Count games, positions and results.
    Count {
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Replay every game with an independent library.
    Check {
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Fit the engine's win/draw/loss curve to games.
    Fit {
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Make records of games, shuffled, and hold some games out for validation.
    Convert {
        /// Files of games, oldest first.
        #[arg(required = true)]
        games: Vec<PathBuf>,
        #[command(flatten)]
        of_games: convert::OfGames,
        #[command(flatten)]
        settings: convert::Settings,
    },
    /// Search the positions of old games again with the present engine; results stay. An interrupted run goes on.
    #[command(alias = "relabel")]
    Rescore {
        /// The file of games.
        games: PathBuf,
        /// The file for the games with new scores.
        #[arg(long, short)]
        output: PathBuf,
        /// Threads; all processors if not given.
        #[arg(long)]
        threads: Option<usize>,
        #[command(flatten)]
        effort: Effort,
    },
    /// Put records into random order, without duplicates, in one file.
    Shuffle {
        /// Files of records, oldest first.
        #[arg(required = true)]
        records: Vec<PathBuf>,
        #[command(flatten)]
        settings: convert::Settings,
    },
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.verb {
        Verb::Count { games } => games.iter().try_for_each(|path| count(path)),
        Verb::Check { games } => games.iter().try_for_each(|path| check(path)),
        Verb::Fit { games } => {
            let (curve, positions) = fit::fit(games)?;
            println!("{positions} positions: {curve:.1?}");
            Ok(())
        }
        Verb::Convert { games, of_games, settings } => convert::convert(games, of_games, settings),
        Verb::Rescore { games, output, threads, effort } => {
            let threads = threads.unwrap_or_else(rayon::current_num_threads);
            rescore::rescore(games, output, effort, threads)
        }
        Verb::Shuffle { records, settings } => convert::shuffle(records, settings),
    }
}

fn count(path: &Path) -> anyhow::Result<()> {
    let (mut games, mut positions, mut results) = (0_u64, 0_u64, [0_u64; 3]);
    let mut damage = Ok(());
    for game in file::read(path)? {
        match game {
            Ok(game) => {
                games += 1;
                positions += game.moves.len() as u64;
                results[game.outcome as usize] += 1;
            }
            Err(error) => damage = Err(error),
        }
    }
    let share = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
    let [black, draws, white] = results.map(share);
    println!(
        "{}: {games} games, {positions} positions, White wins {white:.1}%, draws {draws:.1}%, Black wins {black:.1}%",
        path.display()
    );
    damage
}

fn check(path: &Path) -> anyhow::Result<()> {
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
    let Statistics { games, positions, .. } = statistics;
    println!("{}: {games} games, {positions} positions, all legal", path.display());
    println!("{statistics}");
    damage
}

/// Plays the game with shakmaty: every move legal, every position the same, a decided end decided rightly.
fn replay(game: &Game) -> anyhow::Result<()> {
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
        let winner =
            if theirs.turn() == shakmaty::Color::White { Outcome::BlackWins } else { Outcome::WhiteWins };
        ensure!(game.outcome == winner, "the game ends in mate but has another result");
    }
    if theirs.is_stalemate() || theirs.is_insufficient_material() {
        ensure!(game.outcome == Outcome::Draw, "the game ends drawn but has another result");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{STARTS, random_game};

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
