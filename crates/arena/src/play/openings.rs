//! Openings: EPD, FEN and PGN books, or generated random moves.

use crate::epd;
use anyhow::{Context, Result, ensure};
use chess::PieceType;
use chess::chess960::back_rank;
use chess::random::Random;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// Moves taken from each game of a PGN book unless the user says otherwise.
pub const BOOK_PLIES: usize = 16;

/// The longest random openings: few random games end so early.
pub const MAX_RANDOM_PLIES: u32 = 100;

/// A position and the moves that the book plays from it.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The position before the moves.
    pub start: Chess,
    /// Book moves.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position in which the engines take over.
    pub fn end(&self) -> Chess {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.play_unchecked(mv);
        }
        position
    }

    /// The FEN of the position in which the engines take over.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.end(), EnPassantMode::Legal).to_string()
    }
}

/// Castling rules by variant.
pub fn castling_mode(chess960: bool) -> CastlingMode {
    CastlingMode::from_chess960(chess960)
}

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

/// The position of an EPD or FEN line.
pub fn epd_to_position(line: &str, mode: CastlingMode) -> Result<Chess> {
    let fen: Fen = epd::fen(line).parse()?;
    fen.into_position(mode).or_else(|error| Ok(error.ignore_too_much_material()?))
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
    // A game without moves opens nothing. Text that is no PGN looks like one, too.
    openings.retain(|opening| plies == 0 || !opening.moves.is_empty() || opening.start != Chess::default());
    Ok(openings)
}

/// Reads the games of a PGN file, each up to this many plies.
///
/// # Errors
/// Names the first game with an illegal move or an impossible start, but not the file.
pub fn read_pgn(path: &Path, mode: CastlingMode, plies: usize) -> Result<Vec<Opening>> {
    let mut reader = Reader::new(fs::File::open(path)?);
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut BookReader { mode, plies })? {
        games.push(game.with_context(|| format!("game {}", games.len() + 1))?);
    }
    Ok(games)
}

struct BookReader {
    mode: CastlingMode,
    plies: usize,
}

impl Visitor for BookReader {
    type Tags = Chess;
    type Movetext = (Opening, Chess);
    type Output = Result<Opening>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            match epd_to_position(&String::from_utf8_lossy(value.as_bytes()), self.mode) {
                Ok(position) => *start = position,
                Err(error) => return ControlFlow::Break(Err(error)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((Opening { start: start.clone(), moves: Vec::new() }, start))
    }

    fn san(&mut self, (opening, position): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        if opening.moves.len() >= self.plies {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(position) {
            Ok(mv) => {
                opening.moves.push(mv);
                position.play_unchecked(mv);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.into())),
        }
    }

    fn end_game(&mut self, (opening, _): Self::Movetext) -> Self::Output {
        Ok(opening)
    }
}
