//! SAN (Standard Algebraic Notation), the notation of PGN: written, and read strictly.

use super::castling::CastlingSide;
use super::chess_move::Move;
use super::move_error::MoveError;
use super::piece::PieceType;
use super::position::Position;
use super::square::{File, Rank, Square};

/// What a text says of a move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pattern {
    /// Castling.
    Castling(CastlingSide),
    /// Any other move.
    Piece(PiecePattern),
}

/// What a text says of a move other than castling.
#[derive(Clone, Copy, Debug)]
pub(super) struct PiecePattern {
    piece_type: PieceType,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    is_capture: bool,
    to: Square,
    /// The new piece of a promotion; `None` for moves that promote nothing.
    promotion: Option<PieceType>,
}

impl PiecePattern {
    fn fits_source(&self, from: Square) -> bool {
        self.from_file.is_none_or(|file| from.file() == file)
            && self.from_rank.is_none_or(|rank| from.rank() == rank)
    }
}

impl Position {
    /// The legal move `mv` in SAN: `e4`, `Nbd2`, `exd6`, `e8=Q+`, `O-O`, `Qxf7#`.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// assert_eq!(position.san(position.parse_uci("e1g1")?), "O-O");
    /// assert_eq!(position.san(position.parse_uci("a7a8q")?), "a8=Q+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let next = self.after(mv);
        let check = match (next.in_check(), next.has_legal_move()) {
            (false, _) => "",
            (true, true) => "+",
            (true, false) => "#",
        };
        self.san_without_check(mv) + check
    }

    fn san_without_check(&self, mv: Move) -> String {
        let Some(piece) = self.piece_on(mv.from()) else { return mv.to_string() };
        let (from, to) = (mv.from(), mv.to());
        let capture = if mv.is_capture() { "x" } else { "" };
        match piece.piece_type() {
            _ if mv.is_castling() => mv.castling_side().to_string(),
            PieceType::Pawn => {
                let file = if mv.is_capture() { from.file().to_string() } else { String::new() };
                let promotion =
                    mv.promotion().map(|piece_type| format!("={}", piece_type.letter().to_ascii_uppercase()));
                format!("{file}{capture}{to}{}", promotion.unwrap_or_default())
            }
            piece_type => {
                let origin = self.disambiguation(mv, piece_type);
                format!("{}{origin}{capture}{to}", piece_type.letter().to_ascii_uppercase())
            }
        }
    }

    /// What tells the source of a move from those of other pieces of its type that may go to the same square: the file if that
    /// is enough, else the rank, else both.
    fn disambiguation(&self, mv: Move, piece_type: PieceType) -> String {
        let from = mv.from();
        let same_piece = self.pieces(self.side_to_move(), piece_type);
        let legal = self.legal_moves();
        let rivals = legal.iter().filter(|other| other.to() == mv.to() && !other.is_castling());
        let sources =
            rivals.map(|other| other.from()).filter(|&other| other != from && same_piece.contains(other));
        let (mut any, mut on_file, mut on_rank) = (false, false, false);
        for other in sources {
            any = true;
            on_file |= other.file() == from.file();
            on_rank |= other.rank() == from.rank();
        }
        match (any, on_file, on_rank) {
            (false, ..) => String::new(),
            (_, false, _) => from.file().to_string(),
            (_, true, false) => from.rank().to_string(),
            (_, true, true) => from.to_string(),
        }
    }

    /// The legal move that `text` spells in SAN, as PGN files have it: the marks of check and mate may be missing or wrong, and
    /// `!` and `?` may follow; more of the source may be told than is needed. Everything else must be right. For what people
    /// type see [`Self::parse_move`].
    ///
    /// # Errors
    /// If the text is not SAN, or the move is ambiguous or not legal here: see [`MoveError`].
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let start = Position::startpos();
    /// assert_eq!(start.parse_san("Nf3")?, start.parse_uci("g1f3")?);
    /// let error = start.parse_san("Nf6").unwrap_err().to_string();
    /// assert!(error.ends_with(": no knight of White can go to f6"), "{error}");
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1".parse().unwrap();
    /// let error = position.parse_san("Nd2").unwrap_err();
    /// assert_eq!(error.to_string(), "\"Nd2\" is ambiguous: Nbd2 or Nfd2");
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let pattern = read(text).ok_or_else(|| MoveError::Syntax(text.to_string()))?;
        let mut moves = self.legal_moves();
        moves.retain(|mv| self.fits(mv, &pattern));
        match &moves[..] {
            &[mv] => Ok(mv),
            [] => Err(self.illegal(text, self.why_not_pattern(&pattern))),
            several => Err(self.ambiguous(text, several)),
        }
    }

    /// The error of a text that fits several legal moves.
    pub(super) fn ambiguous(&self, text: &str, moves: &[Move]) -> MoveError {
        let mut moves: Vec<String> = moves.iter().map(|&mv| self.san(mv)).collect();
        moves.sort_unstable();
        MoveError::Ambiguous { text: text.to_string(), moves }
    }

    fn fits(&self, mv: Move, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Castling(side) => mv.is_castling() && mv.castling_side() == *side,
            Pattern::Piece(pattern) => {
                !mv.is_castling()
                    && mv.to() == pattern.to
                    && mv.promotion() == pattern.promotion
                    && pattern.is_capture == mv.is_capture()
                    && pattern.fits_source(mv.from())
                    && self.of_type(pattern.piece_type).contains(mv.from())
            }
        }
    }

    /// The rule that forbids the moves of a pattern, none of which is legal.
    pub(super) fn why_not_pattern(&self, pattern: &Pattern) -> String {
        let pattern = match pattern {
            Pattern::Castling(side) => return self.why_not_castle(*side),
            Pattern::Piece(pattern) => pattern,
        };
        let (us, name, to) = (self.side_to_move(), pattern.piece_type.name(), pattern.to);
        let of_type = self.pieces(us, pattern.piece_type);
        let sources = of_type.into_iter().filter(|&from| pattern.fits_source(from)).collect();
        if of_type.is_empty() {
            return format!("{} has no {name}", us.name());
        }
        if let Some(reason) = self.why_not(pattern.piece_type, sources, to) {
            return reason;
        }
        let promotes = pattern.piece_type == PieceType::Pawn && to.rank() == Rank::R8.relative_to(us);
        match (promotes, pattern.promotion) {
            (true, None) => {
                format!("a pawn that reaches {to} becomes a queen, rook, bishop or knight: {to}=Q")
            }
            (false, Some(_)) => format!("no piece promotes on {to}"),
            _ if pattern.is_capture => format!("there is nothing to take on {to}"),
            _ => format!("it is a capture, which is written with x: x{to}"),
        }
    }
}

/// The pattern of a text in SAN.
pub(super) fn read(text: &str) -> Option<Pattern> {
    let text = text.trim_end_matches(['!', '?']);
    let text = text.strip_suffix(['+', '#']).unwrap_or(text);
    match text {
        "O-O" => return Some(Pattern::Castling(CastlingSide::King)),
        "O-O-O" => return Some(Pattern::Castling(CastlingSide::Queen)),
        _ => {}
    }
    let capital = PieceType::ALL
        .into_iter()
        .find(|piece_type| text.starts_with(piece_type.letter().to_ascii_uppercase()));
    let piece_type = match capital {
        Some(PieceType::Pawn) => return None,
        Some(piece_type) => piece_type,
        None => PieceType::Pawn,
    };
    let text = if capital.is_some() { &text[1..] } else { text };
    let (text, promotion) = match text.split_once('=') {
        Some((text, letter)) if piece_type == PieceType::Pawn => (text, Some(promotion(letter)?)),
        Some(_) => return None,
        None => (text, None),
    };
    let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let (origin, is_capture) = match origin.strip_suffix('x') {
        Some(origin) => (origin, true),
        None => (origin, false),
    };
    let (from_file, from_rank) = source(origin)?;
    // A pawn is named by its file where it takes, and by nothing else.
    if piece_type == PieceType::Pawn && (from_rank.is_some() || from_file.is_some() != is_capture) {
        return None;
    }
    let to = to.parse().ok()?;
    Some(Pattern::Piece(PiecePattern { piece_type, from_file, from_rank, is_capture, to, promotion }))
}

/// The piece type of the capital of a promotion.
fn promotion(letter: &str) -> Option<PieceType> {
    PieceType::PROMOTIONS
        .into_iter()
        .find(|piece_type| letter.chars().eq([piece_type.letter().to_ascii_uppercase()]))
}

/// The file and rank that a text names: both, one of them, or none.
fn source(text: &str) -> Option<(Option<File>, Option<Rank>)> {
    if let Ok(square) = text.parse::<Square>() {
        return Some((Some(square.file()), Some(square.rank())));
    }
    let is_small = |file: &File| text.starts_with(file.letter());
    match text {
        "" => Some((None, None)),
        _ if text.len() > 1 => None,
        _ => match (text.parse::<File>().ok().filter(is_small), text.parse::<Rank>().ok()) {
            (None, None) => None,
            found => Some(found),
        },
    }
}
