//! Moves as text: standard algebraic notation, and the notation of UCI.

use super::castling::CastlingSide;
use super::chess_move::{CastlingNotation, Move};
use super::fen::quoted;
use super::piece::PieceType;
use super::position::Position;
use super::square::{File, Rank, Square};

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// It cannot be read.
    #[error("{} is not a move", quoted(.0))]
    Syntax(String),
    /// `0000`, the move of a side that passes.
    #[error("{} is a null move, which is not allowed here", quoted(.0))]
    Null(String),
    /// It can be read, but the move is not legal here.
    #[error("{} is not legal in {position}", quoted(.text))]
    Illegal {
        /// The move as given.
        text: String,
        /// The position as FEN.
        position: String,
    },
    /// More than one legal move can be meant.
    #[error("{} is ambiguous: {}", quoted(.text), .candidates.join(" or "))]
    Ambiguous {
        /// The move as given.
        text: String,
        /// The moves that can be meant, as UCI spells them.
        candidates: Vec<String>,
    },
}

impl Position {
    /// The legal move `mv` in standard algebraic notation: no more of the origin than needed, `+` for check and
    /// `#` for mate, castling as `O-O` and `O-O-O`.
    ///
    /// ```
    /// use tamarack::chess::Position;
    /// let position = Position::startpos();
    /// let mv = position.parse_uci("g1f3")?;
    /// assert_eq!(position.san(mv), "Nf3");
    /// assert_eq!(position.parse_san("Ng1-f3")?, mv);
    /// # Ok::<(), tamarack::chess::MoveError>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let mut text =
            if mv.is_castling() { castling_text(mv.castling_side()).to_string() } else { self.plain_san(mv) };
        let after = self.after(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn plain_san(&self, mv: Move) -> String {
        let kind = self.kind_of(mv);
        let mut text = String::with_capacity(8);
        if kind == PieceType::Pawn {
            if mv.is_capture() {
                text.push(mv.from().file().letter());
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            text.push_str(&self.origin_needed(mv, kind));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(promoted) = mv.promotion() {
            text.push('=');
            text.push(promoted.letter().to_ascii_uppercase());
        }
        text
    }

    /// As much of the square that `mv` leaves as tells it from the other legal moves: the file if that will do,
    /// else the rank, else both.
    fn origin_needed(&self, mv: Move, kind: PieceType) -> String {
        let (mut others, mut same_file, mut same_rank) = (false, false, false);
        for other in self.legal_moves() {
            let rival = other.to() == mv.to() && other.from() != mv.from() && !other.is_castling();
            if rival && self.kind_of(other) == kind {
                others = true;
                same_file |= other.from().file() == mv.from().file();
                same_rank |= other.from().rank() == mv.from().rank();
            }
        }
        match (others, same_file, same_rank) {
            (false, ..) => String::new(),
            (_, false, _) => mv.from().file().letter().to_string(),
            (_, _, false) => mv.from().to_string()[1..].to_string(),
            _ => mv.from().to_string(),
        }
    }

    fn kind_of(&self, mv: Move) -> PieceType {
        self.piece_on(mv.from()).map_or(PieceType::Pawn, |piece| piece.piece_type())
    }

    /// Reads a move in algebraic notation, as people and programs write it: castling with letters or zeros;
    /// `x`, `+`, `#`, `=`, `e.p.` and marks like `!?` may be there or not; more of the origin than needed may be
    /// given, up to `Ng1-f3` and `e2-e4`. A capture sign where nothing is taken is an error.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let wanted = Wanted::parse(text).ok_or_else(|| MoveError::Syntax(text.to_string()))?;
        let legal = self.legal_moves();
        let mut candidates = legal.iter().copied().filter(|mv| wanted.fits(self, *mv));
        let Some(mv) = candidates.next() else { return Err(self.illegal(text)) };
        let rest: Vec<Move> = candidates.collect();
        if rest.is_empty() {
            return Ok(mv);
        }
        let candidates = std::iter::once(mv).chain(rest).map(|mv| mv.uci(CastlingNotation::KingTakesRook));
        Err(MoveError::Ambiguous { text: text.to_string(), candidates: candidates.collect() })
    }

    /// Reads a move as UCI spells it, castling as `e1g1` or, king takes rook, as `e1h1`. Where `f1g1` could be
    /// both, a plain king move is meant, and not castling.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        if text == "0000" {
            return Err(MoveError::Null(text.to_string()));
        }
        let syntax = || MoveError::Syntax(text.to_string());
        let (from, rest) = text.split_at_checked(2).ok_or_else(syntax)?;
        let (to, promotion) = rest.split_at_checked(2).ok_or_else(syntax)?;
        let from = Square::parse(from).ok_or_else(syntax)?;
        let to = Square::parse(to).ok_or_else(syntax)?;
        let promotion = match promotion {
            "" => None,
            letter => Some(promotion_piece(letter).ok_or_else(syntax)?),
        };
        let legal = self.legal_moves();
        let leaves = |mv: &&Move| mv.from() == from && mv.promotion() == promotion;
        legal
            .iter()
            .filter(leaves)
            .find(|mv| mv.to() == to)
            .or_else(|| legal.iter().filter(leaves).find(|mv| mv.is_castling() && mv.lands_on() == to))
            .copied()
            .ok_or_else(|| self.illegal(text))
    }

    fn illegal(&self, text: &str) -> MoveError {
        MoveError::Illegal { text: text.to_string(), position: self.to_string() }
    }
}

const fn castling_text(wing: CastlingSide) -> &'static str {
    match wing {
        CastlingSide::King => "O-O",
        CastlingSide::Queen => "O-O-O",
    }
}

/// The piece of a promotion, by one letter of either case.
fn promotion_piece(text: &str) -> Option<PieceType> {
    let mut letters = text.chars();
    let kind = PieceType::from_letter(letters.next()?)?;
    (letters.next().is_none() && !matches!(kind, PieceType::Pawn | PieceType::King)).then_some(kind)
}

/// What an algebraic text says of a move.
enum Wanted {
    Castling(CastlingSide),
    Plain(Plain),
}

struct Plain {
    kind: PieceType,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    takes: bool,
    promotion: Option<PieceType>,
}

impl Wanted {
    fn parse(text: &str) -> Option<Wanted> {
        let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
        let text = ["e.p.", "ep"].iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text).trim_end();
        match text.replace(['0', 'o'], "O").as_str() {
            "O-O" => Some(Wanted::Castling(CastlingSide::King)),
            "O-O-O" => Some(Wanted::Castling(CastlingSide::Queen)),
            _ => Plain::parse(text).map(Wanted::Plain),
        }
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        match self {
            Wanted::Castling(wing) => mv.is_castling() && mv.castling_side() == *wing,
            Wanted::Plain(plain) => !mv.is_castling() && plain.fits(position, mv),
        }
    }
}

impl Plain {
    fn parse(text: &str) -> Option<Plain> {
        let kind = text.chars().next().filter(char::is_ascii_uppercase);
        let (kind, rest) = match kind {
            Some(letter) => (PieceType::from_letter(letter)?, &text[1..]),
            None => (PieceType::Pawn, text),
        };
        let (rest, promotion) = if kind == PieceType::Pawn { split_promotion(rest)? } else { (rest, None) };
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = Square::parse(to)?;
        let takes = origin.ends_with(['x', ':']);
        let mut origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin).chars().peekable();
        let file = origin.next_if(|letter| ('a'..='h').contains(letter)).and_then(File::from_letter);
        let rank = origin.next_if(|digit| ('1'..='8').contains(digit)).and_then(|digit| digit.to_digit(10));
        let rank = rank.map(|number| Rank::from_index(number as usize - 1));
        origin.next().is_none().then_some(Plain { kind, file, rank, to, takes, promotion })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        // A pawn's text without a file is a push, even where a capture on the same square is legal too.
        let file = if self.kind == PieceType::Pawn { self.file.or(Some(self.to.file())) } else { self.file };
        mv.to() == self.to
            && position.kind_of(mv) == self.kind
            && mv.promotion() == self.promotion
            && file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
            && (mv.is_capture() || !self.takes)
    }
}

/// Splits `e8=Q`, `e8Q`, `e8q`, `e8(Q)` or `e8/Q` before the promotion. `None` for a promotion that cannot be.
fn split_promotion(text: &str) -> Option<(&str, Option<PieceType>)> {
    if text.ends_with(|last: char| last.is_ascii_digit()) {
        return Some((text, None));
    }
    let text = text.strip_suffix(')').unwrap_or(text);
    let (rest, letter) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let kind = promotion_piece(letter)?;
    Some((rest.strip_suffix(['=', '(', '/']).unwrap_or(rest), Some(kind)))
}
