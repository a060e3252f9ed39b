//! One opening, and positions and moves of books as the referee has them.

use anyhow::Result;
use chess::{Epd, FenStyle};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

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

/// The position of an EPD or FEN line, by the engine's judge of positions.
///
/// # Errors
/// What the engine would refuse, in its words.
pub fn epd_to_position(line: &str, mode: CastlingMode) -> Result<Chess> {
    Ok(fen_to_position(line, mode)?.1)
}

/// The position of an EPD or FEN line as ours and as the referee's.
pub(super) fn fen_to_position(line: &str, mode: CastlingMode) -> Result<(chess::Position, Chess)> {
    let (Epd { mut position, .. }, _) = Epd::from_lenient(line)?;
    if mode == CastlingMode::Standard {
        position.remove_chess960_rights();
    }
    let style = if mode == CastlingMode::Standard { FenStyle::Standard } else { FenStyle::Shredder };
    let fen: Fen = position.fen(style).parse()?;
    // What is too much material is for our judge to say.
    let referee = fen.into_position(mode).or_else(|error| anyhow::Ok(error.ignore_too_much_material()?))?;
    Ok((position, referee))
}

/// The referee's move for one in UCI notation.
pub(super) fn referee_move(position: &Chess, mv: &str) -> Result<Move> {
    Ok(mv.parse::<UciMove>()?.to_move(position)?)
}
