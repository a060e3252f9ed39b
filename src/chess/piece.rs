//! Kinds of pieces and coloured pieces.

use super::square::Color;

/// What a piece is, without its colour.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceType {
    /// Every kind, cheapest first.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// 0 for a pawn to 5 for a king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter in lower case.
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

    /// The kind of an English letter of either case.
    pub fn from_letter(letter: char) -> Option<PieceType> {
        PieceType::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }
}

/// The kinds of [`Piece::ALL`]: one load where arithmetic would take five instructions, many times a node.
const KINDS: [PieceType; 12] = {
    let mut kinds = [PieceType::Pawn; 12];
    let mut index = 0;
    while index < kinds.len() {
        kinds[index] = PieceType::ALL[index % PieceType::ALL.len()];
        index += 1;
    }
    kinds
};

/// A piece with its colour.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl Piece {
    /// Every piece: White's six kinds, then Black's.
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

    /// A piece of `kind` and `color`.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece::ALL[color as usize * 6 + kind as usize]
    }

    /// The position in [`Self::ALL`], below 12.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if (self as u8) < 6 { Color::White } else { Color::Black }
    }

    /// What it is.
    #[inline(always)]
    pub const fn piece_type(self) -> PieceType {
        KINDS[self as usize]
    }

    /// The letter of FEN: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.piece_type().letter().to_ascii_uppercase(),
            Color::Black => self.piece_type().letter(),
        }
    }

    /// The piece of a FEN letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        PieceType::from_letter(letter).map(|kind| Piece::new(color, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_colour_times_kind() {
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.piece_type()), (color, kind));
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
                assert_eq!(Piece::ALL[piece.index()], piece);
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
    }
}
