//! `genfens`: random balanced openings, as OpenBench asks for them, and the random starts of `tools datagen`.

use crate::search::{Limits, OneThread, PoolError};
use chess::random::Random;
use chess::{FenStyle, Game, Position, chess960};
use nnue::Network;
use platform::files;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Draws of a random move, each again if it hangs too much.
const MOVE_TRIES: usize = 4;
/// A random move may lose this many centipawns in exchanges.
const MAY_LOSE: i32 = 300;
/// Openings drawn in search of a balanced one.
const OPENING_TRIES: u32 = 2000;
/// Random plies from the usual array; every second opening has one more.
const PLIES: u32 = 8;
/// Random plies from a position of a book.
const PLIES_FROM_BOOK: u32 = 4;
/// Openings whose score, as users see it, is further from 0 are rejected.
const DEFAULT_LIMIT: i32 = 100;
/// Nodes of the search that verifies an opening.
const NODES: u64 = 1000;

/// The arguments of `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFensConfig {
    /// The number of openings.
    pub count: u64,
    /// The same seed gives the same openings.
    pub seed: u64,
    /// A file with a FEN or EPD on each line from which the random moves begin; `None` for the arrays.
    pub book: Option<String>,
    /// The arrays.
    pub arrays: Arrays,
    /// Random plies; `None` for eight, or four from the positions of a book.
    pub plies: Option<u32>,
    /// Openings whose score in centipawns, as users see it, is further from 0 are rejected.
    pub limit: i32,
}

impl Default for GenFensConfig {
    fn default() -> GenFensConfig {
        GenFensConfig {
            count: 1,
            seed: 0,
            book: None,
            arrays: Arrays::Standard,
            plies: None,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// The arrays that openings begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// The usual one, or the positions of the book.
    Standard,
    /// Those of Chess960.
    Chess960,
    /// Those of Chess960, drawn for each side.
    DoubleChess960,
}

/// The reason why there are no openings.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum GenFensError {
    #[error("{0}: {1}")]
    Book(String, io::Error),
    #[error("{book}: line {line}: {reason}")]
    Line { book: String, line: usize, reason: String },
    #[error("{0}: no positions")]
    NoPositions(String),
    #[error("a book and Chess960 arrays exclude each other")]
    TwoSources,
    #[error("none of {OPENING_TRIES} openings is within {0} centipawns")]
    NoneBalanced(i32),
    #[error("{0}")]
    Engine(#[from] PoolError),
}

/// Random starts of games: an array or a position of a book, and random moves from there.
pub struct RandomStarts<'a> {
    /// Random plies; every second start has one more.
    pub plies: u32,
    /// The share of starts from Chess960 arrays, 0 to 1.
    pub chess960: f64,
    /// The share of starts in which each side has a Chess960 array of its own.
    pub double_chess960: f64,
    /// The positions that the others begin with; the usual array if it is empty.
    pub book: &'a [Position],
}

impl RandomStarts<'_> {
    /// A position with a legal move, some random moves after the first one. Moves that hang much are rare. `None` if the
    /// game ended on the way.
    pub fn draw(&self, random: &mut Random) -> Option<Position> {
        let mut position = self.first_position(random);
        for _ in 0..self.plies + random.below(2) as u32 {
            position = random_move(&position, random)?;
        }
        position.has_legal_move().then_some(position)
    }

    fn first_position(&self, random: &mut Random) -> Position {
        let kind = random.unit();
        if kind < self.chess960 {
            Position::chess960(random.below(chess960::COUNT))
        } else if kind < self.chess960 + self.double_chess960 {
            Position::double_chess960(random.below(chess960::COUNT), random.below(chess960::COUNT))
        } else if self.book.is_empty() {
            Position::startpos()
        } else {
            self.book[random.below(self.book.len())]
        }
    }
}

fn random_move(position: &Position, random: &mut Random) -> Option<Position> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let mut mv = moves[random.below(moves.len())];
    for _ in 0..MOVE_TRIES {
        if position.see_ge(mv, -MAY_LOSE) {
            break;
        }
        mv = moves[random.below(moves.len())];
    }
    Some(position.after(mv))
}

/// Calls `each` with the FEN of each opening, six fields, with the rooks' files as castling rights where the array is one of
/// Chess960. Stops early if `abort` becomes true.
///
/// # Errors
/// If the book cannot be read or has a line that is no position, no opening is balanced, or memory is short.
pub fn run(
    config: &GenFensConfig,
    network: &Arc<Network>,
    abort: &AtomicBool,
    mut each: impl FnMut(&str),
) -> Result<(), GenFensError> {
    let book = config.book.as_deref().map(|name| read_book(Path::new(name))).transpose()?.unwrap_or_default();
    if !book.is_empty() && config.arrays != Arrays::Standard {
        return Err(GenFensError::TwoSources);
    }
    let share = |arrays| if config.arrays == arrays { 1.0 } else { 0.0 };
    let starts = RandomStarts {
        plies: config.plies.unwrap_or(if book.is_empty() { PLIES } else { PLIES_FROM_BOOK }),
        chess960: share(Arrays::Chess960),
        double_chess960: share(Arrays::DoubleChess960),
        book: &book,
    };
    let style = if config.arrays == Arrays::Standard { FenStyle::Standard } else { FenStyle::Shredder };
    let (mut random, mut engine) = (Random::new(config.seed), OneThread::new(1, network)?);
    for _ in 0..config.count {
        let mut balanced = || {
            let start = starts.draw(&mut random)?;
            is_balanced(start, config.limit, &mut engine).then_some(start)
        };
        let mut tries = (0..OPENING_TRIES).take_while(|_| !abort.load(Ordering::Relaxed));
        match tries.find_map(|_| balanced()) {
            Some(start) => each(&start.fen(style)),
            None if abort.load(Ordering::Relaxed) => return Ok(()),
            None => return Err(GenFensError::NoneBalanced(config.limit)),
        }
    }
    Ok(())
}

/// The positions of a file of FENs or EPDs; empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// If the file cannot be read, a line is no position or one in which the game is over, or there is none.
pub fn read_book(path: &Path) -> Result<Vec<Position>, GenFensError> {
    let name = || path.display().to_string();
    let text = files::read_text(path).map_err(|error| GenFensError::Book(name(), error))?;
    let positions = files::filled_lines(&text).map(|(number, line)| {
        let wrong = |reason: String| GenFensError::Line { book: name(), line: number, reason };
        let (position, _) = Position::from_fen_lenient(line).map_err(|error| wrong(error.to_string()))?;
        if position.has_legal_move() { Ok(position) } else { Err(wrong("the game is over".to_string())) }
    });
    let positions: Vec<Position> = positions.collect::<Result<_, _>>()?;
    if positions.is_empty() { Err(GenFensError::NoPositions(name())) } else { Ok(positions) }
}

/// True if the score of a start is within `limit` centipawns, by a search from nothing, so that it depends on the start alone.
fn is_balanced(start: Position, limit: i32, engine: &mut OneThread) -> bool {
    engine.clear();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let score = engine.search(&Game::new(start), limits, None).score;
    score.normalised(start.occupied().count()).raw().abs() <= limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;
    use std::collections::HashSet;

    fn openings(config: &GenFensConfig) -> Vec<String> {
        let mut fens = Vec::new();
        run(config, &default_network(), &AtomicBool::new(false), |fen| fens.push(fen.to_string())).unwrap();
        fens
    }

    #[test]
    fn books_are_read_and_their_errors_have_a_line() {
        let path = std::env::temp_dir().join(format!("tamarack-book-{}.epd", std::process::id()));
        let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";";
        std::fs::write(&path, format!("# two of a kind\n{epd}\n\n{epd}\n")).unwrap();
        let book = read_book(&path).unwrap();
        assert_eq!(book.len(), 2);
        let starts = RandomStarts { plies: 8, chess960: 0.0, double_chess960: 0.0, book: &book };
        let start = (0..).find_map(|seed| starts.draw(&mut Random::new(seed))).unwrap();
        assert!(start.occupied().count() <= 3);
        for wrong in ["nonsense", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            std::fs::write(&path, format!("{epd}\n{wrong}\n")).unwrap();
            let error = read_book(&path).unwrap_err().to_string();
            assert!(error.contains("line 2"), "{error}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_seed_decides_the_openings() {
        let config = |seed| GenFensConfig { count: 5, seed, ..GenFensConfig::default() };
        let fens = openings(&config(7));
        assert_eq!(fens, openings(&config(7)));
        assert_ne!(fens, openings(&config(8)));
        assert_eq!(fens.iter().collect::<HashSet<_>>().len(), 5);
        assert_eq!(fens[..3], openings(&GenFensConfig { count: 3, ..config(7) }));
    }

    #[test]
    fn starts_are_playable_and_differ() {
        let starts = RandomStarts { plies: 8, chess960: 0.3, double_chess960: 0.3, book: &[] };
        let mut random = Random::new(3);
        let starts: Vec<Position> = (0..200).filter_map(|_| starts.draw(&mut random)).collect();
        assert!(starts.len() > 190 && starts.iter().all(Position::has_legal_move));
        assert!(starts.iter().map(Position::key).collect::<HashSet<_>>().len() > 185);
        let white = starts.iter().filter(|start| start.side_to_move() == chess::Color::White).count();
        assert!((50..150).contains(&white), "{white}");
    }
}
