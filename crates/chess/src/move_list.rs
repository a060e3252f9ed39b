//! A list of moves on the stack.

use super::chess_move::Move;
use arrayvec::ArrayVec;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Deref, DerefMut};

/// The room of a list. No position has more than 218 legal moves.
const CAPACITY: usize = 256;

/// A list of moves on the stack, with room for the legal moves of any position: none has more than 218. It derefs to a slice.
///
/// ```
/// use tamarack_chess::{Move, MoveList, Position};
/// let mut moves: MoveList = Position::startpos().legal_moves();
/// moves.sort_unstable_by_key(|mv| mv.bits());
/// moves.retain(|mv| mv.is_double_push());
/// assert_eq!(moves.len(), 8);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct MoveList(ArrayVec<Move, CAPACITY>);

impl MoveList {
    /// An empty list.
    ///
    /// ```
    /// use tamarack_chess::MoveList;
    /// assert!(MoveList::new().is_empty());
    /// ```
    #[inline(always)]
    pub fn new() -> MoveList {
        MoveList(ArrayVec::new())
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If 256 moves are in the list.
    ///
    /// ```
    /// use tamarack_chess::{MoveList, Position};
    /// let mut moves = MoveList::new();
    /// moves.push(Position::startpos().parse_uci("e2e4")?);
    /// assert_eq!(moves.len(), 1);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Removes the last move and returns it.
    ///
    /// ```
    /// use tamarack_chess::MoveList;
    /// assert_eq!(MoveList::new().pop(), None);
    /// ```
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Move> {
        self.0.pop()
    }

    /// Removes the move of this index and puts the last one in its place.
    ///
    /// # Panics
    /// If there is no such index.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mut moves = Position::startpos().legal_moves();
    /// let (first, last) = (moves[0], moves[19]);
    /// assert_eq!(moves.swap_remove(0), first);
    /// assert_eq!(moves[0], last);
    /// ```
    #[inline(always)]
    pub fn swap_remove(&mut self, index: usize) -> Move {
        self.0.swap_remove(index)
    }

    /// Keeps the moves for which `is_kept` is true, in their order.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mut moves = Position::startpos().legal_moves();
    /// moves.retain(|mv| mv.is_capture());
    /// assert!(moves.is_empty());
    /// ```
    pub fn retain(&mut self, mut is_kept: impl FnMut(Move) -> bool) {
        self.0.retain(|mv| is_kept(*mv));
    }

    /// Removes all moves.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let mut moves = Position::startpos().legal_moves();
    /// moves.clear();
    /// assert!(moves.is_empty());
    /// ```
    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl FromIterator<Move> for MoveList {
    /// The list of the moves.
    ///
    /// # Panics
    /// If there are more than 256.
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        MoveList(moves.into_iter().collect())
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The moves of a [`MoveList`], by value.
#[derive(Clone, Debug)]
pub struct IntoMoves(arrayvec::IntoIter<Move, CAPACITY>);

impl Iterator for IntoMoves {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for IntoMoves {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Move> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for IntoMoves {}
impl FusedIterator for IntoMoves {}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = IntoMoves;

    #[inline(always)]
    fn into_iter(self) -> IntoMoves {
        IntoMoves(self.0.into_iter())
    }
}

impl<'l> IntoIterator for &'l MoveList {
    type Item = &'l Move;
    type IntoIter = std::slice::Iter<'l, Move>;

    #[inline(always)]
    fn into_iter(self) -> std::slice::Iter<'l, Move> {
        self.0.iter()
    }
}
