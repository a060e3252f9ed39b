//! Bitboards: sets of squares, one bit each.

use super::square::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares, one bit each, A1 lowest.
///
/// ```
/// use tamarack_chess::{Bitboard, Square};
/// let mut set = Bitboard::of(Square::E4) | Bitboard::of(Square::A1);
/// assert_eq!(set.count(), 2);
/// assert_eq!(set.next(), Some(Square::A1)); // iterates from A1 to H8
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The squares of A1's colour.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);
    const FILE_A: u64 = 0x0101_0101_0101_0101;

    /// The set of one square.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Square};
    /// assert_eq!(Bitboard::of(Square::C1), Bitboard(0b100));
    /// ```
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// The squares of a file.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, File, Square};
    /// assert!(Bitboard::file(File::E).contains(Square::E4));
    /// ```
    #[inline(always)]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(Self::FILE_A << file as u32)
    }

    /// The squares of a rank.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank, Square};
    /// assert!(Bitboard::rank(Rank::R4).contains(Square::E4));
    /// ```
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (rank as u32 * 8))
    }

    /// True for the empty set.
    ///
    /// ```
    /// use tamarack_chess::Bitboard;
    /// assert!(Bitboard::EMPTY.is_empty() && !Bitboard::FULL.is_empty());
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set has two squares or more.
    ///
    /// ```
    /// use tamarack_chess::Bitboard;
    /// assert!(Bitboard(0b101).more_than_one() && !Bitboard(0b100).more_than_one());
    /// ```
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    ///
    /// ```
    /// use tamarack_chess::Bitboard;
    /// assert_eq!(Bitboard::FULL.count(), 64);
    /// ```
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// True if `square` is in the set.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Square};
    /// assert!(Bitboard::DARK.contains(Square::A1) && !Bitboard::DARK.contains(Square::B1));
    /// ```
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// True if the two sets share a square.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, File, Rank};
    /// assert!(Bitboard::file(File::A).intersects(Bitboard::rank(Rank::R1)));
    /// ```
    #[inline(always)]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest square, if there is one.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank, Square};
    /// assert_eq!(Bitboard::rank(Rank::R2).first(), Some(Square::A2));
    /// assert_eq!(Bitboard::EMPTY.first(), None);
    /// ```
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The square of a set of exactly one; the lowest square of a larger set, A1 for the empty one.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Square};
    /// assert_eq!(Bitboard::of(Square::E4).single(), Square::E4);
    /// ```
    #[inline(always)]
    pub const fn single(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as usize)
    }

    /// The squares of this set that are not in `other`.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank, Square};
    /// let rank = Bitboard::rank(Rank::R1).without(Bitboard::of(Square::A1));
    /// assert_eq!(rank.first(), Some(Square::B1));
    /// ```
    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The set moved one rank up the board as `color` sees it; squares of its last rank fall off.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Color, Square};
    /// assert_eq!(Bitboard::of(Square::E2).forward(Color::White), Bitboard::of(Square::E3));
    /// ```
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The set moved one rank down the board as `color` sees it; squares of its first rank fall off.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Color, Square};
    /// assert_eq!(Bitboard::of(Square::E2).backward(Color::Black), Bitboard::of(Square::E3));
    /// ```
    #[inline(always)]
    pub const fn backward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 >> 8),
            Color::Black => Bitboard(self.0 << 8),
        }
    }

    /// The set moved one file towards the H file, whose squares fall off.
    ///
    /// ```
    /// use tamarack_chess::Bitboard;
    /// assert_eq!(Bitboard(0b11).right(), Bitboard(0b110));
    /// ```
    #[inline(always)]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !(Self::FILE_A << 7)) << 1)
    }

    /// The set moved one file towards the A file, whose squares fall off.
    ///
    /// ```
    /// use tamarack_chess::Bitboard;
    /// assert_eq!(Bitboard(0b11).left(), Bitboard(0b1));
    /// ```
    #[inline(always)]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_A) >> 1)
    }

    /// The set mirrored top to bottom: rank 1 becomes rank 8.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank};
    /// assert_eq!(Bitboard::rank(Rank::R1).flipped(), Bitboard::rank(Rank::R8));
    /// ```
    #[inline(always)]
    pub const fn flipped(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Bitboard {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (count, square) in self.enumerate() {
            write!(f, "{}{square}", if count == 0 { "" } else { " " })?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_do_not_wrap() {
        assert_eq!(Bitboard::file(File::H).right(), Bitboard::EMPTY);
        assert_eq!(Bitboard::file(File::A).left(), Bitboard::EMPTY);
        assert_eq!(Bitboard::rank(Rank::R8).forward(Color::White), Bitboard::EMPTY);
        assert_eq!(Bitboard::rank(Rank::R2).forward(Color::Black), Bitboard::rank(Rank::R1));
    }

    #[test]
    fn iteration_gives_each_square_once() {
        assert_eq!(Bitboard::FULL.collect::<Vec<_>>(), Square::ALL);
        let set: Bitboard = [Square::C3, Square::H8].into_iter().collect();
        assert_eq!(format!("{set:?}"), "{c3 h8}");
        assert!(set.more_than_one() && set.contains(Square::C3) && !set.contains(Square::C4));
    }
}
