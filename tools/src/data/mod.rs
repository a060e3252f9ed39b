//! Training data: games in files, records made of games, and what is done to both.

pub mod file;
pub mod fit;
pub mod game;
pub mod records;
pub mod rescore;

use crate::datagen::Effort;
use crate::logistic;
use crate::train::filter::Filter;
use crate::train::record::{Marks, pack};
use anyhow::{Context, ensure};
use bulletformat::ChessBoard;
use clap::{Args, Subcommand};
use game::{Game, Outcome, plies_before};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::path::{Path, PathBuf};
use tamarack::chess::{CastlingNotation, FenStyle};
use tamarack::eval::network::SCALE;

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
        /// The file of records.
        #[arg(long, short)]
        output: PathBuf,
        /// A file for the records of the games that are held out.
        #[arg(long)]
        validation: Option<PathBuf>,
        /// One game in so many is held out.
        #[arg(long, default_value_t = 50)]
        hold_out: usize,
        /// Keep all records of a position instead of the newest.
        #[arg(long)]
        keep_duplicates: bool,
        /// How much of each score is what the game's later scores say, 0 to 1; of that the same part is what comes later still.
        #[arg(long, default_value_t = 0.5, value_parser = share)]
        foresight: f64,
        /// The order of the records.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        filter: Filter,
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
        /// The file of records.
        #[arg(long, short)]
        output: PathBuf,
        /// Keep all records of a position instead of the newest.
        #[arg(long)]
        keep_duplicates: bool,
        /// The order of the records.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        filter: Filter,
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
        Verb::Convert { games, output, validation, hold_out, keep_duplicates, foresight, seed, filter } => {
            let (mut lessons, mut held_out) =
                convert(games, filter, *foresight, validation.as_ref().map(|_| *hold_out))?;
            finish(&mut lessons, output, *keep_duplicates, *seed)?;
            let Some(path) = validation else { return Ok(()) };
            let shared = records::drop_shared(&mut held_out, &lessons);
            println!("{}: {shared} records of positions that are trained on dropped", path.display());
            finish(&mut held_out, path, *keep_duplicates, *seed)
        }
        Verb::Rescore { games, output, threads, effort } => {
            let threads = threads.unwrap_or_else(rayon::current_num_threads);
            rescore::rescore(games, output, effort, threads)
        }
        Verb::Shuffle { records, output, keep_duplicates, seed, filter } => {
            finish(&mut records::read(records, filter)?, output, *keep_duplicates, *seed)
        }
    }
}

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("must be from 0 to 1".into()) }
}

fn finish(boards: &mut Vec<ChessBoard>, path: &Path, keep_duplicates: bool, seed: u64) -> anyhow::Result<()> {
    let dropped = if keep_duplicates { 0 } else { records::dedupe(boards) };
    records::shuffle(boards, seed);
    records::write(path, boards)?;
    println!("{}: {} records, {dropped} duplicates dropped", path.display(), boards.len());
    Ok(())
}

fn count(path: &Path) -> anyhow::Result<()> {
    let (mut games, mut positions, mut results) = (0_u64, 0_u64, [0_u64; 3]);
    for game in file::read(path)? {
        let game = game?;
        games += 1;
        positions += game.moves.len() as u64;
        results[game.outcome as usize] += 1;
    }
    let share = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
    let [black, draws, white] = results.map(share);
    println!(
        "{}: {games} games, {positions} positions, White wins {white:.1}%, draws {draws:.1}%, Black wins {black:.1}%",
        path.display()
    );
    Ok(())
}

fn check(path: &Path) -> anyhow::Result<()> {
    let (mut games, mut positions) = (0_u64, 0_u64);
    for game in file::read(path)? {
        let game = game?;
        replay(&game).with_context(|| format!("game {games} of {}", path.display()))?;
        games += 1;
        positions += game.moves.len() as u64;
    }
    println!("{}: {games} games, {positions} positions, all legal", path.display());
    Ok(())
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

/// The records of all games: those to train on, and of one game in `hold_out` those to validate with.
pub fn convert(
    paths: &[PathBuf],
    filter: &Filter,
    foresight: f64,
    hold_out: Option<usize>,
) -> anyhow::Result<(Vec<ChessBoard>, Vec<ChessBoard>)> {
    let (mut lessons, mut held_out) = (Vec::new(), Vec::new());
    let mut number = 0;
    for path in paths {
        for game in file::read(path)? {
            let mut game = game?;
            foresee(&mut game, foresight);
            number += 1;
            let is_held_out = hold_out.is_some_and(|every| number % every.max(1) == 0);
            let boards = if is_held_out { &mut held_out } else { &mut lessons };
            boards.extend(game_records(&game).filter(|board| filter.keeps(board)));
        }
    }
    Ok((lessons, held_out))
}

/// Mixes what the later scores say into each, all as shares of the points: `foresight` of a new score is the new one of the
/// next position (temporal differences, Sutton 1988). A search of few nodes is a noisy judge, and what comes of a position
/// shows in the moves after it.
fn foresee(game: &mut Game, foresight: f64) {
    if foresight == 0.0 {
        return;
    }
    let scale = f64::from(SCALE);
    let mut later = None;
    for (_, score) in game.moves.iter_mut().rev() {
        let now = logistic::share(f64::from(*score), scale);
        let mixed = later.map_or(now, |later| now + foresight * (later - now));
        later = Some(mixed);
        *score = ((mixed / (1.0 - mixed)).ln() * scale).round() as i16;
    }
}

/// A record of each position of a game.
pub fn game_records(game: &Game) -> impl Iterator<Item = ChessBoard> {
    game.positions().map(|(position, mv, score)| {
        let side = position.side_to_move();
        let score = if side == tamarack::chess::Color::White { score } else { score.saturating_neg() };
        let marks = Marks {
            in_check: position.in_check(),
            noisy: mv.is_capture() || mv.promotion().is_some(),
            ply: plies_before(&position).min(255) as u8,
        };
        pack(&position, score, game.outcome.points(side), marks)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::record::marks;
    use game::{STARTS, random_game};

    #[test]
    fn earlier_scores_take_half_of_what_is_later() {
        let mut game = random_game(STARTS[0].parse().unwrap(), 3);
        let scores = |game: &Game| game.moves.iter().map(|&(_, score)| score).collect::<Vec<_>>();
        game.moves.truncate(3);
        for ((_, score), new) in game.moves.iter_mut().zip([0, 400, -31_000]) {
            *score = new;
        }
        let mut same = game.clone();
        foresee(&mut same, 0.0);
        assert_eq!(scores(&same), [0, 400, -31_000]);
        foresee(&mut game, 0.5);
        // The shares 0.5, 0.731 and nearly 0 become 0.433, 0.366 and the same.
        assert_eq!(scores(&game), [-108, -221, -31_000]);
        // What a file may hold though no search says it.
        game.moves.iter_mut().for_each(|(_, score)| *score = i16::MIN);
        foresee(&mut game, 0.5);
        assert_eq!(scores(&game), [i16::MIN; 3]);
    }

    #[test]
    fn stored_games_replay_and_become_records() {
        for (seed, fen) in STARTS.iter().enumerate() {
            let mut game = random_game(fen.parse().unwrap(), seed as u64);
            game.outcome = Outcome::WhiteWins;
            let records: Vec<_> = game_records(&game).collect();
            assert_eq!(records.len(), game.moves.len());
            for ((position, mv, score), record) in game.positions().zip(&records) {
                let is_white = position.side_to_move() == tamarack::chess::Color::White;
                assert_eq!(record.score, if is_white { score } else { -score });
                assert_eq!(record.result, if is_white { 2 } else { 0 });
                assert_eq!(marks(record).noisy, mv.is_capture() || mv.promotion().is_some());
            }
            // Cut off before the end, any result will do.
            game.moves.truncate(30);
            replay(&game).unwrap();
        }
    }
}
