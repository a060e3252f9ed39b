//! The transposition table: search results by position, shared by all threads without a lock.
//!
//! An entry is two atomic words: the data, and the key XORed with the data (Hyatt and Mann's lockless hashing, 2002). A
//! probe accepts an entry only when both words together give back the whole 64-bit key. Two threads that write the same
//! place at once can leave one word of each behind; that pair gives some other key and reads as a miss. So a hit is false
//! only when two positions share all 64 bits of their keys, or a torn pair happens to spell the key that is asked for:
//! about one in 2^64 for each entry compared, four a probe, 2^-62 in all. The words are `Relaxed`, which costs nothing on
//! any processor, and there is no data race in the language's sense. The protocol is in `line`; `model` tries it under loom;
//! `file` keeps a table on disk.
//!
//! Even so what comes out is advice: the move is any sixteen bits and has to be tested for legality.

mod file;
mod line;
#[cfg(all(test, feature = "loom"))]
mod model;

use line::{AGES, Cluster, Packed, SLOTS};
use platform::cpu;
use platform::pages::{CacheLine, Pages};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8};
use thiserror::Error;

pub use file::{BLOCK_BYTES, TtFile, TtFileError};
pub use line::{MAX_DEPTH, MIN_DEPTH, TtEntry};

/// The memory for a table could not be allocated.
#[derive(Debug, Error)]
#[error("cannot allocate {mebibytes} MB for the transposition table: {reason}")]
pub struct TtError {
    /// The size asked for.
    pub mebibytes: usize,
    /// The system's reason.
    pub reason: std::io::Error,
}

/// Cache lines sampled by [`TranspositionTable::hashfull`]: a thousand entries.
const SAMPLE: usize = 1000 / SLOTS;
const LINES_PER_MEBIBYTE: usize = (1 << 20) / size_of::<CacheLine>();
/// Cache lines of the smallest page of memory.
const LINES_PER_PAGE: usize = (4 << 10) / size_of::<CacheLine>();

/// The shared table of fixed size.
pub struct TranspositionTable {
    pages: Pages,
    /// The number of the search, 0 to 31, which tells young entries from old ones.
    age: AtomicU8,
    /// True if the entries come from a file, or have been found since such entries were put here.
    is_restored: AtomicBool,
    mebibytes: usize,
}

impl TranspositionTable {
    /// An empty table of that many mebibytes, at least one. The system gives the memory page by page as it is used, or
    /// beforehand by [`Self::prefault_part`].
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TtError> {
        let error = |reason| TtError { mebibytes, reason };
        let lines = match mebibytes.checked_mul(LINES_PER_MEBIBYTE) {
            Some(0) => return Err(error(std::io::Error::other("it needs at least 1 MB"))),
            Some(lines) => lines,
            None => return Err(error(std::io::Error::other("more than any address can reach"))),
        };
        let pages = Pages::zeroed(lines).map_err(error)?;
        Ok(TranspositionTable {
            pages,
            age: AtomicU8::new(0),
            is_restored: AtomicBool::new(false),
            mebibytes,
        })
    }

    /// Has the memory spread over these NUMA nodes.
    pub fn spread(&self, nodes: &[usize]) {
        self.pages.spread(nodes);
    }

    /// The size.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// The entry of the position with this key, for a node at `ply` whose fifty-move counter stands at
    /// `halfmove_clock`: mates are counted from the root, and those beyond the fifty-move limit are no mates.
    #[inline(always)]
    pub fn probe(&self, key: u64, ply: usize, halfmove_clock: u32) -> Option<TtEntry> {
        self.cluster(key).find(key).map(|packed| packed.unpack(ply, halfmove_clock))
    }

    /// Stores an entry of the position with this key, found at `ply`. Keeps the old move or evaluation if the new entry has
    /// none; does not replace a much deeper entry of the same age.
    #[inline(always)]
    pub fn store(&self, key: u64, ply: usize, entry: &TtEntry) {
        let age = self.age.load(Relaxed);
        self.cluster(key).store(key, age, Packed::pack(entry, ply, age));
    }

    /// Asks the processor to bring the line of this key near, to be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        cpu::prefetch(self.line(key));
    }

    /// The fill of the table with entries of the present search, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.pages.iter().take(SAMPLE);
        sample
            .flat_map(|line| Cluster(&line.0).entries())
            .filter(|packed| packed.is_used() && packed.age() == age)
            .count() as u32
    }

    /// A new search begins: the age of the table's entries grows by one.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Empties the table. Not to be used while a search is on.
    pub fn clear(&self) {
        self.reset_age();
        self.clear_part(0, 1);
    }

    /// Clears part `part` of `parts`, for threads that share the work. Not to be used while a search is on.
    pub fn clear_part(&self, part: usize, parts: usize) {
        let words = self.part(part, parts).iter().flat_map(|line| &line.0);
        words.for_each(|word| word.store(0, Relaxed));
    }

    /// Touches the pages of part `part` of `parts`, for threads that share the work. Entries stay.
    pub fn prefault_part(&self, part: usize, parts: usize) {
        for line in self.part(part, parts).iter().step_by(LINES_PER_PAGE) {
            // A write that changes nothing; where the word is not zero there has been one. (Compilers make `fetch_or(0)` a read.)
            let _ = line.0[0].compare_exchange(0, 0, Relaxed, Relaxed);
        }
    }

    /// Sets the age to 0: the table is empty.
    pub fn reset_age(&self) {
        self.age.store(0, Relaxed);
        self.is_restored.store(false, Relaxed);
    }

    /// True if the entries come from a file, or have been found since.
    pub fn is_restored(&self) -> bool {
        self.is_restored.load(Relaxed)
    }

    /// The lines of part `part` of `parts` equal ones; the last ones may be shorter or empty.
    fn part(&self, part: usize, parts: usize) -> &[CacheLine] {
        let length = self.pages.len().div_ceil(parts.max(1));
        self.pages.chunks(length).nth(part).unwrap_or_default()
    }

    /// The slots of the position with this key.
    #[inline(always)]
    fn cluster(&self, key: u64) -> Cluster<'_> {
        Cluster(&self.line(key).0)
    }

    /// Keys are evenly spread, so the high half of key times size is an even choice of line for any size.
    #[inline(always)]
    fn line(&self, key: u64) -> &CacheLine {
        &self.pages[((u128::from(key) * self.pages.len() as u128) >> 64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Bound, Score};
    use chess::Move;

    #[test]
    #[cfg_attr(miri, ignore = "a megabyte of table takes the interpreter too long")]
    fn a_table_in_use_keeps_its_entries_when_prefaulted() {
        let table = TranspositionTable::new(1).expect("1 MB");
        let entry = TtEntry {
            mv: None,
            score: Score::DRAW,
            eval: Some(Score::cp(7)),
            depth: 3,
            bound: None,
            tt_pv: false,
        };
        let keys = (0..1000_u64).map(chess::random::mix);
        keys.clone().for_each(|key| table.store(key, 0, &entry));
        let probe = || keys.clone().map(|key| table.probe(key, 0, 0)).collect::<Vec<_>>();
        let before = probe();
        assert!(before.iter().any(Option::is_some));
        (0..3).for_each(|part| table.prefault_part(part, 3));
        assert_eq!(probe(), before);
    }

    /// The remains of two threads that write the same slot at once.
    #[test]
    fn a_torn_pair_is_a_miss_for_every_key() {
        let entry = |depth| TtEntry {
            mv: Move::from_bits(0x0123),
            score: Score::cp(depth),
            eval: None,
            depth,
            bound: Some(Bound::Exact),
            tt_pv: false,
        };
        for (first_key, second_key) in [(1, 2), (7, 7), (0, 1)] {
            let halves = [(first_key, entry(5)), (second_key, entry(6))].map(|(key, entry)| {
                let table = TranspositionTable::new(1).expect("1 MB");
                table.store(key, 0, &entry);
                [0, 1].map(|word| table.line(key).0[word].load(Relaxed))
            });
            let torn = TranspositionTable::new(1).expect("1 MB");
            for (check, data) in [(halves[0][0], halves[1][1]), (halves[1][0], halves[0][1])] {
                torn.line(0).0[0].store(check, Relaxed);
                torn.line(0).0[1].store(data, Relaxed);
                for key in [first_key, second_key] {
                    assert_eq!(torn.probe(key, 0, 0), None, "{first_key} and {second_key}");
                }
            }
        }
    }
}
