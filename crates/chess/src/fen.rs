//! Reading FEN (Forsyth, Edwards), with the castling fields of X-FEN (Scharnagl) and Shredder-FEN
//! for Chess960.

use super::castling::{CastlingRights, CastlingSide};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::setup::{Setup, SetupError};
use super::square::{Color, File, Rank, Square};
use super::text::quoted;
use super::zobrist;
use std::fmt;
use std::str::FromStr;

/// A field of a FEN.
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
    /// The text after the sixth field.
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
            FenField::End => "after the last field",
        })
    }
}

/// The reason why a text is no position.
///
/// ```
/// use tamarack_chess::{FenError, FenField, Position};
/// let error = "8/8/8/8/8/8/8/9 w - - 0 1".parse::<Position>().unwrap_err();
/// assert!(matches!(error, FenError::Field { field: FenField::Placement, .. }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// A field cannot be read.
    #[error("{field}: {reason}")]
    Field {
        /// The field.
        field: FenField,
        /// The fault, with the text in question.
        reason: String,
    },
    /// Every field can be read, but no game of chess has such a position.
    #[error("impossible position: {0}")]
    Impossible(#[from] SetupError),
}

/// A fault of a FEN that leaves no doubt about the position, and its remedy.
///
/// ```
/// use tamarack_chess::Position;
/// let (position, repairs) = Position::from_fen_lenient("4k3/8/8/8/8/8/8/4K2R w KQ e6 - -")?;
/// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// assert_eq!(repairs[0].to_string(), "castling: 'Q' in \"KQ\": no rook to castle with, dropped");
/// # Ok::<(), tamarack_chess::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}: {reason}, {remedy}")]
pub struct FenRepair {
    /// The field with the fault.
    pub field: FenField,
    /// The fault, with the text in question.
    pub reason: String,
    /// The remedy: `dropped`, `ignored`, `taken as 0`.
    pub remedy: String,
}

impl From<FenRepair> for FenError {
    /// The fault as an error, for readers that repair nothing.
    fn from(FenRepair { field, reason, .. }: FenRepair) -> FenError {
        FenError::Field { field, reason }
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads FEN, X-FEN or Shredder-FEN, or the four fields of EPD. Missing fields after the side to move count as
    /// `- - 0 1`, and move number 0 as 1; a semicolon at the end, as in EPD, is skipped. Every other fault is an error, also
    /// those that [`Position::from_fen_lenient`] repairs. For EPD with operations see [`Epd`](crate::Epd).
    fn from_str(text: &str) -> Result<Position, FenError> {
        let (position, repairs) = Position::from_fen_lenient(text)?;
        repairs.into_iter().next().map_or(Ok(position), |repair| Err(repair.into()))
    }
}

impl Position {
    /// Reads FEN as [`str::parse`] does, and repairs the faults that programs are known for: castling rights without
    /// king or rook at home and impossible en passant squares are dropped, one in capitals is read as if in small letters,
    /// counters that are `-`, negative or above 65535 are replaced, EPD operations are skipped except `hmvc` and `fmvn`,
    /// which are the counters. The repairs are returned, to be reported.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let text = "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;";
    /// assert!(text.parse::<Position>().is_err());
    /// let (_, repairs) = Position::from_fen_lenient(text)?;
    /// assert_eq!(repairs.len(), 1);
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// If a field cannot be read or no game can lead to the position, see [`SetupError`].
    pub fn from_fen_lenient(text: &str) -> Result<(Position, Vec<FenRepair>), FenError> {
        let (position, operations, mut repairs) = read(text)?;
        if !operations.is_empty() {
            let reason = format!("EPD operations {}", quoted(&operations));
            repair(&mut repairs, FenField::End, reason, "ignored");
        }
        Ok((position, repairs))
    }

    /// True if there is a castling right that only Chess960 has: a king that is not on the E file, or a rook that is neither
    /// on the A nor on the H file.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/2KR3R w K - 0 1".parse()?;
    /// assert!(position.has_chess960_rights() && !Position::startpos().has_chess960_rights());
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn has_chess960_rights(&self) -> bool {
        self.chess960_rights().next().is_some()
    }

    /// Removes the castling rights that only Chess960 has, for standard chess, where they would be taken for moves of the
    /// king. The repairs are returned, to be reported.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mut position: Position = "4k3/8/8/8/8/8/8/2KR3R w K - 0 1".parse()?;
    /// let repairs = position.remove_chess960_rights();
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/2KR3R w - - 0 1");
    /// assert_eq!(repairs[0].to_string(), "castling: c1 with the rook on h1 is of Chess960 only, dropped");
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn remove_chess960_rights(&mut self) -> Vec<FenRepair> {
        let mut repairs = Vec::new();
        let mut castling = self.castling;
        for (color, castling_side, rook) in self.chess960_rights() {
            let reason = format!("{} with the rook on {rook} is of Chess960 only", self.king(color));
            repair(&mut repairs, FenField::Castling, reason, "dropped");
            castling.set(color, castling_side, None);
        }
        self.keys.position ^= zobrist::castling(&self.castling) ^ zobrist::castling(&castling);
        self.castling = castling;
        repairs
    }

    fn chess960_rights(&self) -> impl Iterator<Item = (Color, CastlingSide, Square)> {
        let all = Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        let rooks = all.filter_map(|(color, castling_side)| {
            let rook = self.castling().rook_square(color, castling_side)?;
            Some((color, castling_side, rook))
        });
        rooks.filter(|&(color, _, rook)| {
            self.king(color).file() != File::E || !matches!(rook.file(), File::A | File::H)
        })
    }
}

/// Reads FEN or EPD: the position, the text of the operations behind it, and the repairs of the fields.
pub(super) fn read(text: &str) -> Result<(Position, String, Vec<FenRepair>), FenError> {
    let mut repairs = Vec::new();
    let (fields, operations) = split(text);
    let mut words = fields.into_iter();
    let board = board(words.next().unwrap_or_default())?;
    let mut setup = Setup {
        side_to_move: side_to_move(words.next())?,
        castling: castling(words.next().unwrap_or("-"), &board, &mut repairs)?,
        en_passant: en_passant(words.next().unwrap_or("-"), &mut repairs)?,
        board,
        ..Setup::empty()
    };
    if let Err(error) = setup.check_en_passant() {
        repair(&mut repairs, FenField::EnPassant, error.to_string(), "dropped");
        setup.en_passant = None;
    }
    if let Some(word) = words.next() {
        setup.halfmove_clock = counter(word, FenField::HalfmoveClock, 0, &mut repairs)?;
    }
    if let Some(word) = words.next() {
        setup.fullmove_number = counter(word, FenField::FullmoveNumber, 1, &mut repairs)?.max(1);
    }
    if let Some(word) = words.next() {
        return Err(wrong(FenField::End, format!("unexpected {}", quoted(word))));
    }
    read_counter_operations(&operations, &mut setup, &mut repairs)?;
    Ok((Position::from_setup(&setup)?, operations, repairs))
}

/// The words of the fields, and the operations behind them as one text. These begin with the first letter behind four fields
/// if there is a `;` after it, or else with the first `;`, which alone counts as nothing.
fn split(text: &str) -> (Vec<&str>, String) {
    let mut fields = Vec::new();
    let mut words = text.split_whitespace();
    let mut operations = Vec::new();
    // A word behind the six fields of FEN is an error, and nothing behind it counts.
    while let Some(word) = words.next().filter(|_| fields.len() <= 6) {
        let begins = fields.len() >= 4 && word.starts_with(|letter: char| letter.is_ascii_alphabetic());
        let (field, operation) = match word.split_once(';') {
            _ if begins && (word.contains(';') || words.clone().any(|word| word.contains(';'))) => ("", word),
            Some((field, operation)) => (field, operation),
            None => {
                fields.push(word);
                continue;
            }
        };
        fields.extend(Some(field).filter(|field| !field.is_empty()));
        operations.extend(Some(operation).filter(|operation| !operation.is_empty()));
        operations.extend(words.by_ref());
    }
    (fields, operations.join(" "))
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
    let word = word.ok_or_else(|| wrong(FenField::SideToMove, "there is none".to_string()))?;
    let reason = |_| format!("{} is neither w nor b", quoted(word));
    word.parse().map_err(|error| wrong(FenField::SideToMove, reason(error)))
}

fn castling(text: &str, board: &Board, repairs: &mut Vec<FenRepair>) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    if text.chars().count() > 4 {
        return Err(wrong(FenField::Castling, format!("more than four rights in {}", quoted(text))));
    }
    for letter in text.chars() {
        let fault = |reason| format!("{letter:?} in {}: {reason}", quoted(text));
        if !matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h') {
            return Err(wrong(FenField::Castling, fault("not one of K, Q, A to H and their lower case")));
        }
        let right = castling_right(letter, board).and_then(|right| {
            let is_new = rights.rook_file(right.0, right.1).is_none();
            is_new.then_some(right).ok_or("a second right on the same side")
        });
        match right {
            Ok((color, castling_side, rook)) => rights.set(color, castling_side, Some(rook)),
            Err(reason) => repair(repairs, FenField::Castling, fault(reason), "dropped"),
        }
    }
    Ok(rights)
}

/// The right that a letter of the castling field gives, with the file of its rook, or the reason why there is none.
fn castling_right(letter: char, board: &Board) -> Result<(Color, CastlingSide, File), &'static str> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let rank = Rank::R1.relative_to(color);
    let files_of = |piece_type| {
        let piece = Some(Piece::new(color, piece_type));
        File::ALL.into_iter().filter(move |&file| board[Square::new(file, rank).index()] == piece)
    };
    let king = files_of(PieceType::King).next().ok_or("no king on its back rank")?;
    let mut rooks = files_of(PieceType::Rook);
    let rook = match letter.to_ascii_lowercase() {
        'k' => rooks.next_back().filter(|rook| *rook > king),
        'q' => rooks.next().filter(|rook| *rook < king),
        _ => rooks.find(|rook| Some(*rook) == File::from_letter(letter)),
    };
    let rook = rook.ok_or("no rook to castle with")?;
    Ok((color, if rook > king { CastlingSide::King } else { CastlingSide::Queen }, rook))
}

/// The en passant square; one in capitals is read, one beyond the board, such as `e9`, dropped.
fn en_passant(text: &str, repairs: &mut Vec<FenRepair>) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let reason = format!("{} is no square", quoted(text));
    let small = text.to_ascii_lowercase();
    let square = small.parse().ok();
    let remedy = match (square, small.as_bytes()) {
        (Some(_), _) if small == text => return Ok(square),
        (Some(square), _) => format!("taken as {square}"),
        (None, [b'a'..=b'z', b'0'..=b'9']) => "dropped".to_string(),
        (None, _) => return Err(wrong(FenField::EnPassant, reason)),
    };
    repair(repairs, FenField::EnPassant, reason, &remedy);
    Ok(square)
}

/// The number of a counter field, at most 65535.
fn counter(text: &str, field: FenField, default: u32, repairs: &mut Vec<FenRepair>) -> Result<u32, FenError> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (reason, number) = match text.parse::<u16>() {
        Ok(number) if is_digits(text) => return Ok(number.into()),
        _ if is_digits(text) && !text.is_empty() => {
            (format!("{} is too large", quoted(text)), u16::MAX.into())
        }
        _ => (format!("{} is no number", quoted(text)), default),
    };
    if !is_digits(text.strip_prefix('-').unwrap_or(text)) {
        return Err(wrong(field, reason));
    }
    repair(repairs, field, reason, &format!("taken as {number}"));
    Ok(number)
}

/// Sets the counters that the EPD operations `hmvc` (halfmove clock) and `fmvn` (fullmove number) give.
fn read_counter_operations(
    text: &str,
    setup: &mut Setup,
    repairs: &mut Vec<FenRepair>,
) -> Result<(), FenError> {
    for (code, operand) in operations(text) {
        match code {
            "hmvc" => setup.halfmove_clock = counter(operand, FenField::HalfmoveClock, 0, repairs)?,
            "fmvn" => setup.fullmove_number = counter(operand, FenField::FullmoveNumber, 1, repairs)?.max(1),
            _ => {}
        }
    }
    Ok(())
}

/// The operations of a text, apart at `;` outside of quotation marks: code and operand, which may be empty.
pub(super) fn operations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut is_quoted = false;
    let operations = text.split(move |letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    });
    operations.map(str::trim).filter(|operation| !operation.is_empty()).map(|operation| {
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        (code, operand.trim_start())
    })
}

fn wrong(field: FenField, reason: String) -> FenError {
    FenError::Field { field, reason }
}

fn repair(repairs: &mut Vec<FenRepair>, field: FenField, reason: String, remedy: &str) {
    repairs.push(FenRepair { field, reason, remedy: remedy.to_string() });
}
