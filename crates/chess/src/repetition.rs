//! Repetitions: in the game, in the searched line, and one move ahead (upcoming repetition by cuckoo hashing).

use super::attacks::between;
use super::bitboard::Bitboard;
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::square::Square;
use super::zobrist;

/// The room for positions of a searched line, in plies, so that nothing is allocated while searching.
const SEARCH_ROOM: usize = 320;

/// The largest distance in plies at which a repetition is looked for: the range of [`Position::reversible_plies`].
const MAX_REACH: usize = u16::MAX as usize;

/// A position of the history.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The largest distance in plies to a position that can be the same.
    reversible: u16,
    /// The distance in plies to the last occurrence of the same position; zero without one.
    distance: u16,
    /// True if the same position has occurred twice before.
    third: bool,
}

/// The keys of all positions of the game and of the line that is being searched, the current one last.
///
/// The caller keeps it in step with the positions: [`push`](Self::push) after a move, [`pop`](Self::pop) when the
/// move is taken back. Null moves are pushed too; no repetition is seen across them, because
/// [`Position::reversible_plies`] starts anew there.
///
/// ```
/// use tamarack_chess::{KeyHistory, Position};
/// let mut position = Position::startpos();
/// let mut history = KeyHistory::new(&position);
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
///     position.make(position.parse_uci(text)?);
///     history.push(&position);
/// }
/// assert!(!history.is_threefold() && history.upcoming_repetition(&position)); // f6g8 would repeat
/// position.make(position.parse_uci("f6g8")?);
/// history.push(&position);
/// assert!(history.is_threefold());
/// history.pop();
/// assert!(!history.is_threefold());
/// # Ok::<(), tamarack_chess::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyHistory {
    entries: Vec<Entry>,
    root: usize,
}

impl KeyHistory {
    /// A history of one position, which is also the root.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let start = Position::startpos();
    /// let history = KeyHistory::new(&start);
    /// assert_eq!(history.len(), 1);
    /// ```
    pub fn new(position: &Position) -> KeyHistory {
        let mut line = KeyHistory { entries: Vec::with_capacity(SEARCH_ROOM), root: 0 };
        line.push(position);
        line
    }

    /// Adds the position after a move.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// assert_eq!(history.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.push_key(position.key(), position.reversible_plies());
    }

    #[inline]
    fn push_key(&mut self, key: u64, reversible_plies: usize) {
        let reach = reversible_plies.min(self.entries.len()).min(MAX_REACH);
        let mut entry = Entry { key, reversible: reach as u16, distance: 0, third: false };
        // The same side is to move every second ply, and each side needs two moves to go and come back.
        for distance in (4..=reach).step_by(2) {
            let earlier = &self.entries[self.entries.len() - distance];
            if earlier.key == key {
                entry.distance = distance as u16;
                entry.third = earlier.distance != 0;
                break;
            }
        }
        self.entries.push(entry);
    }

    /// Removes the last position. The first one stays.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// history.pop();
    /// assert_eq!(history.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.entries.len() > 1);
        if self.entries.len() > 1 {
            self.entries.pop();
        }
    }

    /// The number of positions, at least one.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// assert_eq!(KeyHistory::new(&Position::startpos()).len(), 1);
    /// ```
    #[inline]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Makes the current position the root of a search and reserves room, so that the next 300 plies allocate nothing.
    /// Call it on the copy that the search uses: a clone has no room to spare.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7", "a2a1", "e7e8"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// history.mark_root();
    /// assert!(!history.is_repetition()); // the first time was before the root
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mark_root(&mut self) {
        self.root = self.entries.len() - 1;
        self.entries.reserve(SEARCH_ROOM);
    }

    /// True if a search should score the current position as a draw by repetition: it has occurred once after the root,
    /// for whoever could force that can force it again, or twice in all.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7", "a2a1", "e7e8", "a1a2"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// assert!(history.is_repetition()); // the position after the first move, again
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_repetition(&self) -> bool {
        let present = self.entries.len() - 1;
        let entry = &self.entries[present];
        entry.third || entry.distance != 0 && present - entry.distance as usize > self.root
    }

    /// True if the current position is on the board for the third time: a draw in a game.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7", "a2a1", "e7e8"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// assert!(!history.is_threefold()); // the second time
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_threefold(&self) -> bool {
        self.entries[self.entries.len() - 1].third
    }

    /// The number of times that the current position has been on the board, this one included, as far as it can be the same
    /// since the last irreversible move.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7", "a2a1", "e7e8"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// assert_eq!(history.occurrences(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occurrences(&self) -> usize {
        let (mut count, mut index) = (1, self.entries.len() - 1);
        while self.entries[index].distance != 0 {
            index -= usize::from(self.entries[index].distance);
            count += 1;
        }
        count
    }

    /// True if any position since the last irreversible move has been on the board before.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7", "a2a1", "e7e8", "a1a3"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// assert!(history.has_repeated());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_repeated(&self) -> bool {
        let present = self.entries.len() - 1;
        let reach = self.entries[present].reversible as usize;
        self.entries[present - reach..].iter().any(|entry| entry.distance != 0)
    }

    /// Upcoming repetition: true if the side to move has a legal move after which [`is_repetition`](Self::is_repetition)
    /// will be true. `position` must be the current one. Exact, but for key collisions.
    ///
    /// No moves are generated (Marcel van Kervinck 2013): the keys of two positions of which one comes from
    /// the other by a single reversible move differ by a number that depends on nothing but that move, and all
    /// 3668 of these numbers are in a cuckoo hash table. Legality needs no test beyond a free path: the other position has
    /// been on the board, so the mover's king is safe in it.
    ///
    /// ```
    /// use tamarack_chess::{KeyHistory, Position};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
    /// let mut history = KeyHistory::new(&position);
    /// for text in ["a1a2", "e8e7", "a2a1", "e7e8", "a1a2", "e8e7"] {
    ///     position.make(position.parse_uci(text)?);
    ///     history.push(&position);
    /// }
    /// assert!(history.upcoming_repetition(&position)); // a2a1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn upcoming_repetition(&self, position: &Position) -> bool {
        let present = self.entries.len() - 1;
        let reach = self.entries[present].reversible as usize;
        if reach < 3 {
            return false;
        }
        let key = |distance: usize| self.entries[present - distance].key;
        // The opponent's moves alone: when they cancel out, what remains is the mover's.
        let mut opponent = key(0) ^ key(1) ^ zobrist::BLACK_TO_MOVE;
        for distance in (3..=reach).step_by(2) {
            opponent ^= key(distance - 1) ^ key(distance) ^ zobrist::BLACK_TO_MOVE;
            if opponent == 0
                && is_one_move(key(0) ^ key(distance), position.occupied())
                && (present - distance > self.root || self.entries[present - distance].distance != 0)
            {
                return true;
            }
        }
        false
    }
}

/// True if `difference` is the key difference of a reversible move whose path is free.
#[inline]
fn is_one_move(difference: u64, occupied: Bitboard) -> bool {
    [first_slot(difference), second_slot(difference)].into_iter().any(|slot| {
        CUCKOO.differences[slot] == difference && {
            let (from, to) = CUCKOO.squares[slot];
            !between(from, to).intersects(occupied)
        }
    })
}

const SLOTS: usize = 8192;

/// A cuckoo hash table (Pagh and Rodler 2001) of the key differences of all reversible moves: each is in one of its two
/// slots.
struct Cuckoo {
    differences: [u64; SLOTS],
    squares: [(Square, Square); SLOTS],
}

static CUCKOO: Cuckoo = cuckoo();

const fn first_slot(difference: u64) -> usize {
    difference as usize % SLOTS
}

const fn second_slot(difference: u64) -> usize {
    (difference >> 16) as usize % SLOTS
}

const fn cuckoo() -> Cuckoo {
    let mut table = Cuckoo { differences: [0; SLOTS], squares: [(Square::A1, Square::A1); SLOTS] };
    let mut count = 0;
    let mut from = 0usize;
    while from < 64 {
        let mut to = from + 1;
        while to < 64 {
            let files = (from % 8).abs_diff(to % 8);
            let ranks = to / 8 - from / 8;
            let mut piece = 0;
            while piece < Piece::ALL.len() {
                if reaches(Piece::ALL[piece].piece_type(), files, ranks) {
                    insert(&mut table, Piece::ALL[piece], Square::from_index(from), Square::from_index(to));
                    count += 1;
                }
                piece += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(count == 3668, "the number of reversible moves, there and back counted once");
    table
}

/// Puts a move in one of its slots; a move found there goes to its other slot, and so on.
const fn insert(table: &mut Cuckoo, piece: Piece, a: Square, b: Square) {
    let mut difference = zobrist::piece_key(piece, a) ^ zobrist::piece_key(piece, b) ^ zobrist::BLACK_TO_MOVE;
    let mut squares = (a, b);
    let mut slot = first_slot(difference);
    let mut steps = 0;
    loop {
        (table.differences[slot], difference) = (difference, table.differences[slot]);
        (table.squares[slot], squares) = (squares, table.squares[slot]);
        if difference == 0 {
            return;
        }
        slot = first_slot(difference) ^ second_slot(difference) ^ slot;
        steps += 1;
        assert!(steps < 1000, "the keys do not fit in the table");
    }
}

/// True if a piece that can move back, so no pawn, goes so many `files` and `ranks` on an empty board.
const fn reaches(piece_type: PieceType, files: usize, ranks: usize) -> bool {
    let (straight, diagonal) = (files == 0 || ranks == 0, files == ranks);
    match piece_type {
        PieceType::Pawn => false,
        PieceType::Knight => files * ranks == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => straight || diagonal,
        PieceType::King => files <= 1 && ranks <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use crate::positions::START;
    use crate::random::splitmix64;

    /// A line of positions with its key history, and the same answers by comparing every position with every other.
    struct Line {
        positions: Vec<Position>,
        /// The first position after the last null move up to each position: nothing is repeated across it.
        since_null: Vec<usize>,
        root: usize,
        keys: KeyHistory,
    }

    impl Line {
        fn new(fen: &str) -> Line {
            let position: Position = fen.parse().unwrap();
            let keys = KeyHistory::new(&position);
            Line { positions: vec![position], since_null: vec![0], root: 0, keys }
        }

        fn last(&self) -> &Position {
            self.positions.last().unwrap()
        }

        fn push(&mut self, mv: Option<Move>) {
            let next = mv.map_or_else(|| self.last().after_null(), |mv| self.last().after(mv));
            let since = if mv.is_some() { *self.since_null.last().unwrap() } else { self.positions.len() };
            self.keys.push(&next);
            self.positions.push(next);
            self.since_null.push(since);
        }

        fn pop(&mut self) {
            self.keys.pop();
            self.positions.pop();
            self.since_null.pop();
        }

        fn mark_root(&mut self) {
            self.root = self.positions.len() - 1;
            self.keys.mark_root();
        }

        fn earlier(&self) -> Vec<usize> {
            let present = self.positions.len() - 1;
            (self.since_null[present]..present)
                .filter(|&index| same(&self.positions[index], self.last()))
                .collect()
        }

        fn is_repetition(&self) -> bool {
            let earlier = self.earlier();
            earlier.len() >= 2 || earlier.iter().any(|&index| index > self.root)
        }

        fn upcoming_repetition(&mut self) -> bool {
            self.last().legal_moves().into_iter().any(|mv| {
                self.push(Some(mv));
                let repeats = self.is_repetition();
                self.pop();
                repeats
            })
        }

        fn check(&mut self) {
            let position = *self.last();
            assert_eq!(self.keys.len(), self.positions.len());
            assert_eq!(self.keys.is_repetition(), self.is_repetition(), "{position}");
            assert_eq!(self.keys.is_threefold(), self.earlier().len() >= 2, "{position}");
            assert_eq!(self.keys.occurrences(), self.earlier().len() + 1, "{position}");
            assert_eq!(self.keys.upcoming_repetition(&position), self.upcoming_repetition(), "{position}");
        }

        fn play(&mut self, moves: &str) {
            for text in moves.split_whitespace() {
                self.push(Some(self.last().parse_uci(text).unwrap()));
            }
        }
    }

    /// The same position by the rules: pieces, side to move, castling rights, en passant.
    fn same(a: &Position, b: &Position) -> bool {
        let state =
            |position: &Position| (position.side_to_move(), *position.castling(), position.en_passant());
        state(a) == state(b) && Square::ALL.into_iter().all(|square| a.piece_on(square) == b.piece_on(square))
    }

    #[test]
    fn random_walks_agree_with_comparing_all_positions() {
        let starts = [
            "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
            "k7/8/8/1p6/1P6/8/8/K6R w - - 0 1",
            "4k3/p6p/8/8/8/8/P6P/R3K2R w KQ - 0 1",
            "1nb1k3/8/8/8/8/8/8/3QK1N1 b - - 0 1",
            START,
        ];
        let mut seed = 1u64;
        let mut below = |count: usize| splitmix64(&mut seed) as usize % count;
        for game in 0..150 {
            let mut line = Line::new(starts[game % starts.len()]);
            for _ in 0..80 {
                line.check();
                if below(15) == 0 && line.positions.len() > 1 {
                    line.pop();
                    line.root = line.root.min(line.positions.len() - 1);
                    line.keys.root = line.root;
                    continue;
                }
                match below(25) {
                    0 => line.mark_root(),
                    1 if !line.last().in_check() => line.push(None),
                    _ => {}
                }
                let moves = line.last().legal_moves();
                // Going back where one came from, as often as not: else hardly anything would be repeated.
                let back = line.positions.len().checked_sub(3).map(|index| line.positions[index]);
                let undo = moves.iter().copied().find(|mv| {
                    back.is_some_and(|back| back.piece_on(mv.to()) == line.last().piece_on(mv.from()))
                });
                match undo.filter(|_| below(2) == 0) {
                    _ if moves.is_empty() => break,
                    Some(mv) => line.push(Some(mv)),
                    None => line.push(Some(moves[below(moves.len())])),
                }
            }
        }
    }

    #[test]
    fn once_is_enough_inside_the_search_and_twice_before() {
        let mut line = Line::new("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1");
        line.play("a1a2 h8h7");
        line.mark_root();
        line.play("a2a1");
        assert!(!line.keys.upcoming_repetition(line.last()), "back at the start for the second time only");
        line.play("h7h8");
        assert!(!line.keys.is_repetition() && !line.keys.is_threefold());
        line.play("a1a2 h8h7");
        assert!(!line.keys.is_repetition(), "the root itself does not count");
        line.play("a2a1");
        assert!(line.keys.is_repetition() && !line.keys.is_threefold());
        assert!(line.keys.upcoming_repetition(line.last()));
        line.play("h7h8");
        assert!(line.keys.is_threefold());
    }

    #[test]
    fn a_blocked_path_or_the_other_sides_move_repeats_nothing() {
        // The rook has gone from a1 to a3 by way of b1 and b3; straight back is possible only without the pawn on a2.
        for (fen, free) in
            [("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", true), ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", false)]
        {
            let mut line = Line::new(fen);
            line.play("e1e2 e8d8 a1b1 d8d7 b1b3 d7e7 b3a3 e7e8");
            assert_eq!(line.keys.upcoming_repetition(line.last()), free);
        }
        // The king's three moves end beside its start: Black is not the one who could repeat.
        let mut triangle = Line::new("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        triangle.play("e1d1 e8d8 d1d2 d8e8 d2e2");
        assert!(!triangle.keys.upcoming_repetition(triangle.last()));
    }

    #[test]
    fn long_games_are_kept_and_searching_does_not_allocate() {
        let mut line = KeyHistory::new(&Position::startpos());
        for ply in 1..100_000usize {
            line.push_key(ply as u64, if ply % 90 == 0 { 0 } else { ply % 90 });
        }
        let mut copy = line.clone();
        copy.mark_root();
        let capacity = copy.entries.capacity();
        for ply in 0..300 {
            copy.push_key(!ply, 1);
        }
        assert_eq!(copy.entries.capacity(), capacity);
        assert_eq!((line.len(), copy.len()), (100_000, 100_300));
    }
}
