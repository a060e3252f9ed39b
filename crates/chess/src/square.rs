//! Colours, files, ranks and squares.

use super::text::{ParseError, letter_text, named};
use std::fmt;
use std::str::FromStr;

/// A side of the game. `!color` is the other one.
///
/// ```
/// use tamarack_chess::Color;
/// assert_eq!(!Color::White, Color::Black);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first, up the board.
    White,
    /// The side that moves second, down the board.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The index in [`Self::ALL`]: 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of FEN: `w` or `b`.
    ///
    /// ```
    /// use tamarack_chess::Color;
    /// assert_eq!(Color::Black.letter(), 'b');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The colour of a FEN letter, `w` or `b`; `None` for other letters.
    ///
    /// ```
    /// use tamarack_chess::Color;
    /// assert_eq!(Color::from_letter('w'), Some(Color::White));
    /// ```
    pub fn from_letter(letter: char) -> Option<Color> {
        Color::ALL.into_iter().find(|color| color.letter() == letter)
    }

    /// The English name, with a capital.
    ///
    /// ```
    /// use tamarack_chess::Color;
    /// assert_eq!(Color::White.name(), "White");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }
}

letter_text!(Color, "colour");
letter_text!(File, "file");
letter_text!(Rank, "rank");

impl std::ops::Not for Color {
    type Output = Color;
    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// Declares an enum of consecutive unit variants that can be made from an index. The `match` compiles to nothing, since it is
/// on a byte, which the enum is too; on a `usize`, code that used the square was put into each of 64 branches.
macro_rules! indexed_enum {
    ($(#[$doc:meta])* $name:ident, $count:literal: $($variant:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!(stringify!($name), " ", stringify!($variant), ".")] $variant),*
        }

        impl $name {
            /// Every value in order.
            pub const ALL: [$name; $count] = [$($name::$variant),*];

            /// The index in [`Self::ALL`], from 0.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The inverse of [`Self::index`]. Higher bits of `index` are ignored.
            #[inline(always)]
            pub const fn from_index(index: usize) -> $name {
                const MASK: usize = $count - 1;
                $(const $variant: u8 = $name::$variant as u8;)*
                #[allow(non_upper_case_globals)]
                match (index & MASK) as u8 {
                    $($variant => $name::$variant,)*
                    _ => unreachable!(),
                }
            }
        }
    };
}

indexed_enum!(
    /// A file: a column of the board.
    ///
    /// ```
    /// use tamarack_chess::File;
    /// assert_eq!(File::from_index(File::D.index()), File::D);
    /// assert_eq!(File::ALL.len(), 8);
    /// ```
    File, 8: A B C D E F G H
);

indexed_enum!(
    /// A rank: a row of the board.
    ///
    /// ```
    /// use tamarack_chess::Rank;
    /// assert_eq!((Rank::R1.index(), Rank::R8.index()), (0, 7));
    /// ```
    Rank, 8: R1 R2 R3 R4 R5 R6 R7 R8
);

indexed_enum!(
    /// A square of the board: A1 is 0, B1 is 1, H8 is 63.
    ///
    /// ```
    /// use tamarack_chess::Square;
    /// assert_eq!((Square::B1.index(), Square::from_index(63)), (1, Square::H8));
    /// assert_eq!((Square::E4.to_string(), "e4".parse()), ("e4".to_string(), Ok(Square::E4)));
    /// ```
    Square, 64:
    A1 B1 C1 D1 E1 F1 G1 H1 A2 B2 C2 D2 E2 F2 G2 H2 A3 B3 C3 D3 E3 F3 G3 H3 A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5 A6 B6 C6 D6 E6 F6 G6 H6 A7 B7 C7 D7 E7 F7 G7 H7 A8 B8 C8 D8 E8 F8 G8 H8
);

impl File {
    /// The letter, `a` to `h`.
    ///
    /// ```
    /// use tamarack_chess::File;
    /// assert_eq!(File::C.letter(), 'c');
    /// ```
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter `a` to `h` or `A` to `H`.
    ///
    /// ```
    /// use tamarack_chess::File;
    /// assert_eq!(File::from_letter('c'), Some(File::C));
    /// assert_eq!(File::from_letter('x'), None);
    /// ```
    pub fn from_letter(letter: char) -> Option<File> {
        let index = (letter.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
        (index < 8).then(|| File::from_index(index as usize))
    }
}

impl Rank {
    /// The digit, `1` to `8`.
    ///
    /// ```
    /// use tamarack_chess::Rank;
    /// assert_eq!(Rank::R3.letter(), '3');
    /// ```
    pub const fn letter(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit `1` to `8`.
    ///
    /// ```
    /// use tamarack_chess::Rank;
    /// assert_eq!((Rank::from_letter('3'), Rank::from_letter('9')), (Some(Rank::R3), None));
    /// ```
    pub fn from_letter(digit: char) -> Option<Rank> {
        Rank::ALL.into_iter().find(|rank| rank.letter() == digit)
    }

    /// This rank counted from `color`'s own side: `R1` stays for White and becomes `R8` for Black.
    ///
    /// ```
    /// use tamarack_chess::{Color, Rank};
    /// assert_eq!(Rank::R2.relative_to(Color::Black), Rank::R7);
    /// ```
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::from_index(self as usize ^ (color as usize * 7))
    }
}

impl Square {
    /// The square on `file` and `rank`.
    ///
    /// ```
    /// use tamarack_chess::{File, Rank, Square};
    /// assert_eq!(Square::new(File::E, Rank::R4), Square::E4);
    /// ```
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_index(rank as usize * 8 + file as usize)
    }

    /// The file of the square.
    ///
    /// ```
    /// use tamarack_chess::{File, Square};
    /// assert_eq!(Square::E4.file(), File::E);
    /// ```
    #[inline(always)]
    pub const fn file(self) -> File {
        File::from_index(self as usize & 7)
    }

    /// The rank of the square.
    ///
    /// ```
    /// use tamarack_chess::{Rank, Square};
    /// assert_eq!(Square::E4.rank(), Rank::R4);
    /// ```
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self as usize >> 3)
    }

    /// The square mirrored top to bottom: E2 becomes E7.
    ///
    /// ```
    /// use tamarack_chess::Square;
    /// assert_eq!(Square::E2.flipped(), Square::E7);
    /// ```
    #[inline(always)]
    pub const fn flipped(self) -> Square {
        Square::from_index(self as usize ^ 56)
    }

    /// The square as `color` sees it: unchanged for White, mirrored top to bottom for Black.
    ///
    /// ```
    /// use tamarack_chess::{Color, Square};
    /// assert_eq!(Square::G1.relative_to(Color::Black), Square::G8);
    /// ```
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::from_index(self as usize ^ (color as usize * 56))
    }

    /// The next square up the board as `color` sees it. From its last rank it wraps around to its first.
    ///
    /// ```
    /// use tamarack_chess::{Color, Square};
    /// assert_eq!(Square::E7.forward(Color::Black), Square::E6);
    /// ```
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Square {
        match color {
            Color::White => Square::from_index(self as usize + 8),
            Color::Black => Square::from_index((self as usize).wrapping_sub(8)),
        }
    }

    /// The next square down the board as `color` sees it. From its first rank it wraps around to its last.
    ///
    /// ```
    /// use tamarack_chess::{Color, Square};
    /// assert_eq!(Square::E7.backward(Color::Black), Square::E8);
    /// ```
    #[inline(always)]
    pub const fn backward(self, color: Color) -> Square {
        match color {
            Color::White => Square::from_index((self as usize).wrapping_sub(8)),
            Color::Black => Square::from_index(self as usize + 8),
        }
    }

    /// The square `files` to the right and `ranks` up, `None` if that is off the board.
    ///
    /// ```
    /// use tamarack_chess::Square;
    /// assert_eq!(Square::G1.offset(-1, 2), Some(Square::F3));
    /// assert_eq!(Square::H1.offset(1, 0), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self as i8 & 7) + files;
        let rank = (self as i8 >> 3) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            None
        } else {
            Some(Square::from_index((rank * 8 + file) as usize))
        }
    }
}

impl FromStr for Square {
    type Err = ParseError;

    /// Reads `e4`, in small letters.
    fn from_str(text: &str) -> Result<Square, ParseError> {
        let square = match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Square::from_index(usize::from(rank - b'1') * 8 + usize::from(file - b'a')))
            }
            _ => None,
        };
        named(square, "square", text)
    }
}

impl fmt::Display for Square {
    /// As UCI and FEN spell it: `e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 2];
        self.file().letter().encode_utf8(&mut bytes);
        self.rank().letter().encode_utf8(&mut bytes[1..]);
        f.pad(std::str::from_utf8(&bytes).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_text_and_index() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), square);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for bad in ["", "e", "e9", "i4", "e44", "é4"] {
            assert_eq!(bad.parse::<Square>().unwrap_err().to_string(), format!("{bad:?} is no square"));
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
        assert_eq!(Square::D4.offset(1, 2), Some(Square::E6));
    }
}
