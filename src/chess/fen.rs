//! Positions as text: FEN (Forsyth, Edwards), with the castling fields of X-FEN (Scharnagl) and Shredder-FEN
//! for Chess960.

use super::castling::{CastlingRights, CastlingSide};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::setup::{Setup, SetupError};
use super::square::{Color, File, Rank, Square};
use std::fmt;
use std::str::FromStr;

/// The places of a FEN where something can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// The pieces, rank 8 first.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// `KQkq`, rook files, or `-`.
    Castling,
    /// The square behind a pawn that has just made two steps, or `-`.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move, from 1.
    FullmoveNumber,
    /// Whatever follows the sixth field.
    End,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Placement => "placement",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "fullmove number",
            FenField::End => "after the fullmove number",
        })
    }
}

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// A field cannot be read.
    #[error("{field}: {reason}")]
    Field {
        /// Which field.
        field: FenField,
        /// What is wrong with it.
        reason: String,
    },
    /// Every field can be read, but no game of chess has such a position.
    #[error("impossible position: {0}")]
    Impossible(#[from] SetupError),
}

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenStyle {
    /// `KQkq`, as in X-FEN: the rook's file only where it is not the outermost rook.
    Standard,
    /// Always the rook's file, as Shredder does for Chess960: `HAha`.
    Shredder,
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads FEN, X-FEN or Shredder-FEN. Side to move must be there; what is missing at the end after it counts as
    /// `- - 0 1`.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let mut words = text.split_whitespace();
        let board = board(words.next().unwrap_or_default())?;
        let side_to_move = side_to_move(words.next())?;
        let setup = Setup {
            castling: castling(words.next().unwrap_or("-"), &board)?,
            en_passant: en_passant(words.next().unwrap_or("-"), side_to_move)?,
            halfmove_clock: number(words.next().unwrap_or("0"), FenField::HalfmoveClock)?,
            // Some programs count from zero; the first move is meant.
            fullmove_number: number(words.next().unwrap_or("1"), FenField::FullmoveNumber)?.max(1),
            board,
            side_to_move,
        };
        match words.next() {
            Some(word) => Err(wrong(FenField::End, format!("unexpected {}", quoted(word)))),
            None => Ok(Position::from_setup(&setup)?),
        }
    }
}

impl Position {
    /// The six fields of FEN. The en passant square is given only when an en passant capture is legal.
    ///
    /// ```
    /// use tamarack::chess::{FenStyle, Position};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K".parse()?;
    /// assert_eq!(position.fen(FenStyle::Shredder), "4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    /// let error = "4k3/8/8/8/8/8/8/4K3 w K".parse::<Position>().unwrap_err();
    /// assert_eq!(error.to_string(), "castling: 'K' in \"K\": no rook to castle with");
    /// # Ok::<(), tamarack::chess::FenError>(())
    /// ```
    pub fn fen(&self, style: FenStyle) -> String {
        let side = match self.side_to_move() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let en_passant = self.en_passant().map_or("-".to_string(), |square| square.to_string());
        let (clock, number) = (self.halfmove_clock(), self.fullmove_number());
        format!("{} {side} {} {en_passant} {clock} {number}", self.placement(), self.castling_field(style))
    }

    fn placement(&self) -> String {
        let mut text = String::with_capacity(72);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    Some(piece) => {
                        push_count(&mut text, empty);
                        empty = 0;
                        text.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            push_count(&mut text, empty);
            if rank != Rank::R1 {
                text.push('/');
            }
        }
        text
    }

    fn castling_field(&self, style: FenStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for wing in CastlingSide::ALL {
                let Some(file) = self.castling().rook_file(color, wing) else { continue };
                let rank = Rank::R1.relative_to(color);
                let rook = Piece::new(color, PieceType::Rook);
                let is_rook = |file: &File| self.piece_on(Square::new(*file, rank)) == Some(rook);
                let letter = match wing {
                    _ if style == FenStyle::Shredder => file.letter(),
                    CastlingSide::King if File::ALL.into_iter().rev().find(is_rook) == Some(file) => 'k',
                    CastlingSide::Queen if File::ALL.into_iter().find(is_rook) == Some(file) => 'q',
                    _ => file.letter(),
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_string() } else { text }
    }
}

impl fmt::Display for Position {
    /// As [`Position::fen`] in the standard style.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(FenStyle::Standard))
    }
}

type Board = [Option<Piece>; 64];

fn board(text: &str) -> Result<Board, FenError> {
    let placement = |reason| wrong(FenField::Placement, reason);
    if text.is_empty() {
        return Err(placement("there is none".to_string()));
    }
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(placement(format!("{ranks} ranks instead of 8 in {}", quoted(text))));
    }
    let mut board = [None; 64];
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let name = rank.index() + 1;
        let mut file = 0;
        for letter in row.chars() {
            if let Some(count @ 1..=8) = letter.to_digit(10) {
                file += count as usize;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    board[Square::new(File::from_index(file), rank).index()] = Some(piece);
                }
                file += 1;
            } else {
                return Err(placement(format!("{letter:?} in rank {name} is no piece and no count")));
            }
        }
        if file != 8 {
            return Err(placement(format!("rank {name} has {file} squares instead of 8")));
        }
    }
    Ok(board)
}

fn side_to_move(word: Option<&str>) -> Result<Color, FenError> {
    match word {
        Some("w") => Ok(Color::White),
        Some("b") => Ok(Color::Black),
        Some(other) => Err(wrong(FenField::SideToMove, format!("{} is neither w nor b", quoted(other)))),
        None => Err(wrong(FenField::SideToMove, "there is none".to_string())),
    }
}

fn castling(text: &str, board: &Board) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let (color, wing, rook) = castling_right(letter, board).map_err(|reason| {
            wrong(FenField::Castling, format!("{letter:?} in {}: {reason}", quoted(text)))
        })?;
        if rights.rook_file(color, wing).is_some() {
            let reason = format!("{letter:?} in {} gives a second right on the same wing", quoted(text));
            return Err(wrong(FenField::Castling, reason));
        }
        rights.set(color, wing, Some(rook));
    }
    Ok(rights)
}

/// Which right one letter of the castling field gives, and with the rook of which file.
fn castling_right(letter: char, board: &Board) -> Result<(Color, CastlingSide, File), &'static str> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let rank = Rank::R1.relative_to(color);
    let stands = |file: &File, kind| board[Square::new(*file, rank).index()] == Some(Piece::new(color, kind));
    let named = match letter.to_ascii_lowercase() {
        'k' | 'q' => None,
        'a'..='h' => File::from_letter(letter),
        _ => return Err("not one of K, Q, A to H and their lower case"),
    };
    let king =
        File::ALL.into_iter().find(|file| stands(file, PieceType::King)).ok_or("no king on its back rank")?;
    let mut rooks = File::ALL.into_iter().filter(|file| stands(file, PieceType::Rook));
    let rook = match (named, letter.to_ascii_lowercase()) {
        (Some(file), _) => rooks.find(|rook| *rook == file),
        (None, 'k') => rooks.next_back().filter(|rook| *rook > king),
        (None, _) => rooks.next().filter(|rook| *rook < king),
    };
    let rook = rook.ok_or("no rook to castle with")?;
    Ok((color, if rook > king { CastlingSide::King } else { CastlingSide::Queen }, rook))
}

fn en_passant(text: &str, side_to_move: Color) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let Some(square) = Square::parse(text) else {
        return Err(wrong(FenField::EnPassant, format!("{} is no square", quoted(text))));
    };
    if square.rank() != Rank::R6.relative_to(side_to_move) {
        let reason = format!("no pawn that {side_to_move:?} can take has passed {square}");
        return Err(wrong(FenField::EnPassant, reason));
    }
    Ok(Some(square))
}

fn number(text: &str, field: FenField) -> Result<u32, FenError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(number),
        _ if digits => Err(wrong(field, format!("{} is too large", quoted(text)))),
        _ => Err(wrong(field, format!("{} is no number", quoted(text)))),
    }
}

fn push_count(text: &mut String, empty: u32) {
    text.extend(char::from_digit(empty, 10).filter(|digit| *digit != '0'));
}

fn wrong(field: FenField, reason: String) -> FenError {
    FenError::Field { field, reason }
}

/// What the user wrote, in quotes, without control characters and not longer than a line.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
