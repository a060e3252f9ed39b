//! Bitboards: sets of squares, one bit each.

use super::square::{Color, File, Rank, Square};
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// A set of squares, one bit each, A1 lowest.
///
/// ```
/// use tamarack_chess::{Bitboard, Square};
/// let set = Bitboard::of(Square::E4) | Bitboard::of(Square::A1);
/// assert_eq!(set.count(), 2);
/// for square in set {
///     println!("{square}"); // from A1 to H8
/// }
/// assert_eq!(set - Bitboard::of(Square::A1), Bitboard::of(Square::E4));
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

    /// True if every square of this set is in `other`.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank, Square};
    /// assert!(Bitboard::of(Square::E1).is_subset(Bitboard::rank(Rank::R1)));
    /// ```
    #[inline(always)]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// True if every square of `other` is in this set.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank, Square};
    /// assert!(Bitboard::rank(Rank::R1).is_superset(Bitboard::of(Square::E1)));
    /// ```
    #[inline(always)]
    pub const fn is_superset(self, other: Bitboard) -> bool {
        other.is_subset(self)
    }

    /// The squares of the set, from A1 to H8.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Rank, Square};
    /// assert!(Bitboard::rank(Rank::R1).iter().all(|square| square.rank() == Rank::R1));
    /// ```
    #[inline(always)]
    pub fn iter(self) -> Squares {
        Squares(self)
    }

    /// Removes the lowest square and returns it.
    ///
    /// ```
    /// use tamarack_chess::{Bitboard, Square};
    /// let mut set = Bitboard::of(Square::E4) | Bitboard::of(Square::A1);
    /// assert_eq!(set.pop_first(), Some(Square::A1));
    /// assert_eq!(set, Bitboard::of(Square::E4));
    /// ```
    #[inline(always)]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
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

    /// The squares of this set that are not in `other`; also written `a - b`.
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

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], from A1 to H8.
///
/// ```
/// use tamarack_chess::{Bitboard, Rank, Square};
/// let mut squares = Bitboard::rank(Rank::R2).iter();
/// assert_eq!((squares.next(), squares.next_back(), squares.len()), (Some(Square::A2), Some(Square::H2), 6));
/// ```
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Square> {
        let square = Square::from_index(self.0.0.checked_ilog2()? as usize);
        self.0 ^= Bitboard::of(square);
        Some(square)
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

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

impl Sub for Bitboard {
    type Output = Bitboard;
    /// As [`Bitboard::without`].
    #[inline(always)]
    fn sub(self, other: Bitboard) -> Bitboard {
        self.without(other)
    }
}

impl SubAssign for Bitboard {
    #[inline(always)]
    fn sub_assign(&mut self, other: Bitboard) {
        *self = self.without(other);
    }
}

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
        for (count, square) in self.iter().enumerate() {
            write!(f, "{}{square}", if count == 0 { "" } else { " " })?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Bitboard {
    /// The board in eight lines, rank 8 first: `X` for a square of the set, `.` for another.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) { 'X' } else { '.' };
                write!(f, "{mark}{}", if file == File::H { '\n' } else { ' ' })?;
            }
        }
        Ok(())
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
        assert_eq!(Bitboard::FULL.iter().collect::<Vec<_>>(), Square::ALL);
        let set: Bitboard = [Square::C3, Square::H8].into_iter().collect();
        assert_eq!(format!("{set:?}"), "{c3 h8}");
        assert_eq!(
            Bitboard::FULL.iter().rev().collect::<Vec<_>>(),
            Square::ALL.into_iter().rev().collect::<Vec<_>>()
        );
        assert!(set.more_than_one() && set.contains(Square::C3) && !set.contains(Square::C4));
    }

    #[test]
    fn a_set_is_shown_as_a_board() {
        let set = Bitboard::of(Square::A1) | Bitboard::of(Square::H8) | Bitboard::of(Square::D4);
        let board = set.to_string();
        let lines: Vec<&str> = board.lines().collect();
        assert_eq!(lines.len(), 8);
        assert_eq!(lines[0], ". . . . . . . X");
        assert_eq!(lines[4], ". . . X . . . .");
        assert_eq!(lines[7], "X . . . . . . .");
    }

    #[test]
    fn sets_are_compared_and_taken_away() {
        let (rank, file) = (Bitboard::rank(Rank::R1), Bitboard::file(File::A));
        assert!(!rank.is_subset(file) && !rank.is_superset(file) && Bitboard::EMPTY.is_subset(file));
        assert!((rank & file).is_subset(rank) && rank.is_superset(rank & file) && rank.is_subset(rank));
        let mut rest = rank - file;
        assert_eq!(rest.count(), 7);
        rest -= rank;
        assert!(rest.is_empty());
    }
}
