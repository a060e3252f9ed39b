//! Openings: EPD, FEN and PGN books, or generated random moves.

pub use super::opening::{Opening, castling_mode, epd_to_position};
use super::pgn_book::read_pgn;
use crate::epd;
use anyhow::{Context, Result, ensure};
use chess::PieceType;
use chess::chess960::back_rank;
use chess::random::Random;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::path::Path;

/// Moves taken from each game of a PGN book unless the user says otherwise.
pub const BOOK_PLIES: usize = 16;

/// The longest random openings: few random games end so early.
pub const MAX_RANDOM_PLIES: u32 = 100;

/// A supply of openings that gives the same one for the same number.
#[derive(Clone, Debug)]
pub enum Openings {
    /// From a file, in the order of play.
    Book(Vec<Opening>),
    /// Random legal moves from the start position, or from random Chess960 positions.
    Random {
        /// Number of moves, at most [`MAX_RANDOM_PLIES`].
        plies: u32,
        /// Seed of the series.
        seed: u64,
        /// Random Chess960 start positions instead of the usual one.
        chess960: bool,
    },
}

impl Openings {
    /// Reads a book by its extension: `.pgn`, else one EPD or FEN a line. `plies` bounds the moves taken from a PGN.
    pub fn load(path: &Path, chess960: bool, plies: usize) -> Result<Self> {
        let mode = castling_mode(chess960);
        let openings = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            load_pgn(path, mode, plies)
        } else {
            load_epd(path, mode)
        };
        let openings = openings.with_context(|| format!("the book {}", path.display()))?;
        ensure!(!openings.is_empty(), "the book {} has no openings", path.display());
        Ok(Self::Book(openings))
    }

    /// Puts a book into random order.
    pub fn shuffle(&mut self, seed: u64) {
        if let Self::Book(openings) = self {
            Random::new(seed).shuffle(openings);
        }
    }

    /// The number of different openings, `None` without a bound.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Book(openings) => Some(openings.len()),
            Self::Random { .. } => None,
        }
    }

    /// The opening of this number; a book begins again when it is used up.
    pub fn get(&self, number: usize) -> Opening {
        match self {
            Self::Book(openings) => openings[number % openings.len()].clone(),
            Self::Random { plies, seed, chess960 } => {
                // The seed is mixed first: the series of neighbouring seeds have nothing in common.
                let number = (number as u64).wrapping_mul(0x2545_f491_4f6c_dd1d);
                let mut random = Random::new(Random::new(*seed).bits() ^ number);
                loop {
                    if let Some(opening) = try_random(*plies, *chess960, &mut random) {
                        return opening;
                    }
                }
            }
        }
    }
}

/// `None` if the game ends on the way, or nearly so: each side must have a few moves left.
fn try_random(plies: u32, chess960: bool, random: &mut Random) -> Option<Opening> {
    let start = if chess960 { chess960_start(random.below(960)) } else { Chess::default() };
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let mv = legal[random.below(legal.len())];
        position.play_unchecked(mv);
        moves.push(mv);
    }
    (!position.is_game_over() && position.legal_moves().len() > 3).then_some(Opening { start, moves })
}

/// The start position of this number in Scharnagl's order (518 is the usual one).
pub fn chess960_start(number: usize) -> Chess {
    let black: String = back_rank(number).map(PieceType::letter).iter().collect();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase());
    fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()).unwrap_or_default()
}

fn load_epd(path: &Path, mode: CastlingMode) -> Result<Vec<Opening>> {
    epd::lines(&epd::read(path)?, |_, line| {
        let start = epd_to_position(line, mode)?;
        ensure!(!start.is_game_over(), "the game is over");
        Ok(Opening { start, moves: Vec::new() })
    })
}

fn load_pgn(path: &Path, mode: CastlingMode, plies: usize) -> Result<Vec<Opening>> {
    let mut openings = read_pgn(path, mode, plies)?;
    for (number, opening) in (1..).zip(&openings) {
        ensure!(!opening.end().is_game_over(), "game {number}: the game is over within {plies} plies");
    }
    // A game without moves opens nothing.
    openings.retain(|opening| plies == 0 || !opening.moves.is_empty() || opening.start != Chess::default());
    Ok(openings)
}
