//! Training data: games in files, records made of games, and what is done to both.

pub mod check;
pub mod convert;
pub mod disk;
pub mod file;
pub mod fit;
pub mod game;
pub mod partition;
pub mod rescore;
pub mod statistics;
pub mod thin;

use crate::datagen::Effort;
use crate::pool;
use arena::threads;
use clap::{Args, Subcommand};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Work on training data.
#[derive(Args, Clone, Debug)]
pub struct DataArguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    /// Count games, positions and results.
    Count {
        /// Files of games, or folders of them (*.games).
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Replay every game with an independent library, and tell what the files hold.
    Check {
        /// Files of games, or folders of them (*.games).
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Fit the engine's win/draw/loss curve to games.
    Fit {
        /// Files of games, or folders of them (*.games).
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Make records of games, shuffled, and hold some games out for validation.
    Convert {
        /// Files of games, oldest first, or folders of them (*.games, by name).
        #[arg(required = true)]
        games: Vec<PathBuf>,
        #[command(flatten)]
        game_settings: convert::GameSettings,
        #[command(flatten)]
        settings: convert::ConvertSettings,
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
        settings: convert::ConvertSettings,
    },
}

/// Runs the subcommand.
pub fn run(arguments: &DataArguments) -> anyhow::Result<()> {
    match &arguments.verb {
        Verb::Count { games } => {
            let games = file::expand(games)?;
            pool(None)?.install(|| count(&games))
        }
        Verb::Check { games } => {
            let games = file::expand(games)?;
            pool(None)?.install(|| check::check(&games))
        }
        Verb::Fit { games } => {
            let (curve, positions) = fit::fit(&file::expand(games)?)?;
            println!("{positions} positions: {curve:.1?}");
            Ok(())
        }
        Verb::Convert { games, game_settings, settings } => {
            let games = file::expand(games)?;
            pool(None)?.install(|| convert::convert(&games, game_settings, settings))
        }
        Verb::Rescore { games, output, threads, effort } => {
            rescore::rescore(games, output, effort, threads::count(*threads))
        }
        Verb::Shuffle { records, settings } => pool(None)?.install(|| convert::shuffle(records, settings)),
    }
}

/// Counts several files at once and prints a line about each, up to the first that is damaged.
fn count(files: &[PathBuf]) -> anyhow::Result<()> {
    let counted: Vec<_> = files.par_iter().map(|path| count_file(path)).collect();
    counted.into_iter().try_for_each(|counted| {
        let (line, damage) = counted?;
        println!("{line}");
        damage
    })
}

/// A line about the games of a file up to where it is damaged, and the damage.
fn count_file(path: &Path) -> anyhow::Result<(String, anyhow::Result<()>)> {
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
    let line = format!(
        "{}: {games} games, {positions} positions, White wins {white:.1}%, draws {draws:.1}%, Black wins {black:.1}%",
        path.display()
    );
    Ok((line, damage))
}
