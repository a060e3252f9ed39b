//! Piece types, and pieces with colour.

use super::square::Color;
use super::text::letter_text;

/// The type of a piece.
///
/// ```
/// use tamarack_chess::PieceType;
/// assert_eq!(PieceType::ALL[PieceType::Rook.index()], PieceType::Rook);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl PieceType {
    /// Every piece type, cheapest first.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// The types that a pawn can become, dearest first.
    pub const PROMOTIONS: [PieceType; 4] =
        [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];

    /// The index in [`Self::ALL`]: 0 for a pawn to 5 for a king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of FEN in lower case.
    ///
    /// ```
    /// use tamarack_chess::PieceType;
    /// assert_eq!(PieceType::Knight.letter(), 'n');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            PieceType::Pawn => 'p',
            PieceType::Knight => 'n',
            PieceType::Bishop => 'b',
            PieceType::Rook => 'r',
            PieceType::Queen => 'q',
            PieceType::King => 'k',
        }
    }

    /// The English name in small letters.
    ///
    /// ```
    /// use tamarack_chess::PieceType;
    /// assert_eq!(PieceType::Knight.name(), "knight");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            PieceType::Pawn => "pawn",
            PieceType::Knight => "knight",
            PieceType::Bishop => "bishop",
            PieceType::Rook => "rook",
            PieceType::Queen => "queen",
            PieceType::King => "king",
        }
    }

    /// The piece type of a FEN letter of either case, `None` for other letters.
    ///
    /// ```
    /// use tamarack_chess::PieceType;
    /// assert_eq!(PieceType::from_letter('N'), Some(PieceType::Knight));
    /// ```
    pub fn from_letter(letter: char) -> Option<PieceType> {
        PieceType::ALL.into_iter().find(|piece_type| piece_type.letter() == letter.to_ascii_lowercase())
    }
}

letter_text!(PieceType, "piece type");
letter_text!(Piece, "piece");

/// The types of [`Piece::ALL`]: one load where arithmetic would take five instructions, many times a node.
const PIECE_TYPES: [PieceType; 12] = {
    let mut types = [PieceType::Pawn; 12];
    let mut index = 0;
    while index < types.len() {
        types[index] = PieceType::ALL[index % PieceType::ALL.len()];
        index += 1;
    }
    types
};

/// A piece: a colour and a piece type.
///
/// ```
/// use tamarack_chess::Piece;
/// assert_eq!(Piece::ALL[Piece::BlackKing.index()], Piece::BlackKing);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    /// A pawn of White.
    WhitePawn,
    /// A knight of White.
    WhiteKnight,
    /// A bishop of White.
    WhiteBishop,
    /// A rook of White.
    WhiteRook,
    /// A queen of White.
    WhiteQueen,
    /// A king of White.
    WhiteKing,
    /// A pawn of Black.
    BlackPawn,
    /// A knight of Black.
    BlackKnight,
    /// A bishop of Black.
    BlackBishop,
    /// A rook of Black.
    BlackRook,
    /// A queen of Black.
    BlackQueen,
    /// A king of Black.
    BlackKing,
}

impl Piece {
    /// Every piece: White's pawn to king, then Black's.
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::WhiteKnight,
        Piece::WhiteBishop,
        Piece::WhiteRook,
        Piece::WhiteQueen,
        Piece::WhiteKing,
        Piece::BlackPawn,
        Piece::BlackKnight,
        Piece::BlackBishop,
        Piece::BlackRook,
        Piece::BlackQueen,
        Piece::BlackKing,
    ];

    /// A piece of `piece_type` and `color`.
    ///
    /// ```
    /// use tamarack_chess::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::White, PieceType::Rook), Piece::WhiteRook);
    /// ```
    #[inline(always)]
    pub const fn new(color: Color, piece_type: PieceType) -> Piece {
        Piece::ALL[color as usize * 6 + piece_type as usize]
    }

    /// The index in [`Self::ALL`], below 12.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The colour.
    ///
    /// ```
    /// use tamarack_chess::{Color, Piece};
    /// assert_eq!(Piece::BlackRook.color(), Color::Black);
    /// ```
    #[inline(always)]
    pub const fn color(self) -> Color {
        if (self as u8) < 6 { Color::White } else { Color::Black }
    }

    /// The piece type.
    ///
    /// ```
    /// use tamarack_chess::{Piece, PieceType};
    /// assert_eq!(Piece::BlackRook.piece_type(), PieceType::Rook);
    /// ```
    #[inline(always)]
    pub const fn piece_type(self) -> PieceType {
        PIECE_TYPES[self as usize]
    }

    /// The letter of FEN, upper case for White.
    ///
    /// ```
    /// use tamarack_chess::Piece;
    /// assert_eq!((Piece::WhiteRook.letter(), Piece::BlackRook.letter()), ('R', 'r'));
    /// ```
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.piece_type().letter().to_ascii_uppercase(),
            Color::Black => self.piece_type().letter(),
        }
    }

    /// The piece of a FEN letter, `None` for other letters.
    ///
    /// ```
    /// use tamarack_chess::Piece;
    /// assert_eq!(Piece::from_letter('R'), Some(Piece::WhiteRook));
    /// ```
    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        PieceType::from_letter(letter).map(|piece_type| Piece::new(color, piece_type))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_colour_times_type() {
        for color in Color::ALL {
            for piece_type in PieceType::ALL {
                let piece = Piece::new(color, piece_type);
                assert_eq!((piece.color(), piece.piece_type()), (color, piece_type));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
                assert_eq!(Piece::ALL[piece.index()], piece);
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
    }
}
