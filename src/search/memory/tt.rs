//! The transposition table: search results by position, shared by all threads without a lock.
//!
//! An entry is two atomic words: the data, and the key XORed with the data (Hyatt and Mann's lockless hashing, 2002). A
//! probe accepts an entry only when both words together give back the whole 64-bit key. Two threads that write the same
//! place at once can leave one word of each behind; that pair gives some other key and reads as a miss. So a hit is false
//! only when two positions share all 64 bits of their keys, or a torn pair happens to spell the key that is asked for:
//! about one in 2^64 for each entry compared, four a probe, 2^-62 in all. The words are `Relaxed`, which costs nothing on
//! any processor, and there is no data race in the language's sense.
//!
//! Even so what comes out is advice: the move is any sixteen bits and has to be tested for legality.

use crate::chess::Move;
use crate::platform::cpu;
use crate::platform::pages::{CacheLine, Pages};
use crate::score::{Bound, Score};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

/// The memory for a table could not be allocated.
#[derive(Debug, Error)]
#[error("cannot allocate {mebibytes} MB for the transposition table: {reason}")]
pub struct TtError {
    /// The size asked for.
    pub mebibytes: usize,
    /// The system's reason.
    pub reason: std::io::Error,
}

/// The entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, or the one that failed high. Out of the table: any bits, to be tested for legality.
    pub mv: Option<Move>,
    /// The result of a search of `depth`; means nothing when `bound` is `None`.
    pub score: Score,
    /// The static evaluation, uncorrected; `None` in check.
    pub eval: Option<Score>,
    /// Remaining depth, [`DEPTH_MIN`] to [`DEPTH_MAX`]; 0 and less is quiescence.
    pub depth: i32,
    /// The bound of `score`; `None` if only the evaluation is known.
    pub bound: Option<Bound>,
    /// True if the position has been on a principal variation.
    pub tt_pv: bool,
}

impl TtEntry {
    /// The entry of a position that has not been searched: at most the evaluation is known.
    pub fn unsearched(eval: Option<Score>) -> TtEntry {
        TtEntry { mv: None, score: Score::DRAW, eval, depth: DEPTH_MIN, bound: None, tt_pv: false }
    }
}

/// The least depth that can be stored; less is stored as this.
pub const DEPTH_MIN: i32 = -2;
/// The greatest depth that can be stored; more is stored as this.
pub const DEPTH_MAX: i32 = 250;

/// Entries to a cache line, all of which may hold a position that belongs there.
const SLOTS: usize = 4;
/// The number of different ages: searches are counted in five bits.
const AGES: u8 = 32;
/// Plies of replacement value that an entry loses for each search since it was written.
const AGE_PENALTY: i32 = 4;
/// Plies of replacement value that an exact score gains.
const EXACT_BONUS: i32 = 2;
/// A result for the same position in the same search replaces one that is deeper by less than this many plies.
const SHALLOWER_BY: i32 = 4;
/// Plies added to this on a principal variation.
const SHALLOWER_ON_PV: i32 = 2;
/// Cache lines sampled by [`TranspositionTable::hashfull`]: a thousand entries.
const SAMPLE: usize = 1000 / SLOTS;
const LINES_PER_MEBIBYTE: usize = (1 << 20) / size_of::<CacheLine>();

/// The shared table of fixed size.
pub struct TranspositionTable {
    pages: Pages,
    /// The number of the search, 0 to 31, which tells young entries from old ones.
    age: AtomicU8,
    mebibytes: usize,
}

impl TranspositionTable {
    /// An empty table of that many mebibytes, at least one. The memory is taken from the system page by page as it is used.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TtError> {
        let error = |reason| TtError { mebibytes, reason };
        let lines = match mebibytes.checked_mul(LINES_PER_MEBIBYTE) {
            Some(0) => return Err(error(std::io::Error::other("it needs at least 1 MB"))),
            Some(lines) => lines,
            None => return Err(error(std::io::Error::other("more than any address can reach"))),
        };
        let pages = Pages::zeroed(lines).map_err(error)?;
        Ok(TranspositionTable { pages, age: AtomicU8::new(0), mebibytes })
    }

    /// The size.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// The entry of the position with this key, for a node at `ply` whose fifty-move counter stands at
    /// `halfmove_clock`: mates are counted from the root, and those beyond the fifty-move limit are no mates.
    #[inline(always)]
    pub fn probe(&self, key: u64, ply: usize, halfmove_clock: u32) -> Option<TtEntry> {
        let line = self.line(key);
        for slot in 0..SLOTS {
            let data = line.0[2 * slot + 1].load(Relaxed);
            if line.0[2 * slot].load(Relaxed) ^ data == key && Packed(data).is_used() {
                return Some(Packed(data).unpack(ply, halfmove_clock));
            }
        }
        None
    }

    /// Keeps what is known of the position with this key, found at `ply`. A move or evaluation that is known already is
    /// not lost, and a much deeper result of the same search stays.
    #[inline(always)]
    pub fn store(&self, key: u64, ply: usize, entry: &TtEntry) {
        let line = self.line(key);
        let age = self.age.load(Relaxed);
        let (slot, old) = replacement_slot(line, key, age);
        let new = Packed::pack(entry, ply, age);
        let kept = match old {
            None => new,
            Some(old) if old.stays_against(new) => old.with_move_of(new).or_from(new),
            Some(old) => new.or_from(old),
        };
        line.0[2 * slot].store(key ^ kept.0, Relaxed);
        line.0[2 * slot + 1].store(kept.0, Relaxed);
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
        let entries =
            sample.flat_map(|line| (0..SLOTS).map(|slot| Packed(line.0[2 * slot + 1].load(Relaxed))));
        entries.filter(|packed| packed.is_used() && packed.age() == age).count() as u32
    }

    /// A new search begins: what is in the table grows older by one.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Forgets everything, with so many threads at work at once. Not to be used while a search is on.
    pub fn clear(&self, threads: usize) {
        self.age.store(0, Relaxed);
        // A thread is not worth starting for less than a mebibyte.
        let threads = threads.clamp(1, self.mebibytes);
        let mut chunks = self.pages.chunks(self.pages.len().div_ceil(threads));
        let first = chunks.next();
        std::thread::scope(|scope| {
            for chunk in chunks {
                // When the system gives no more threads, this one does the work.
                if std::thread::Builder::new().spawn_scoped(scope, || wipe(chunk)).is_err() {
                    wipe(chunk);
                }
            }
            first.into_iter().for_each(wipe);
        });
    }

    /// Keys are evenly spread, so the high half of key times size is an even choice of line for any size.
    #[inline(always)]
    fn line(&self, key: u64) -> &CacheLine {
        &self.pages[((u128::from(key) * self.pages.len() as u128) >> 64) as usize]
    }
}

fn wipe(lines: &[CacheLine]) {
    for word in lines.iter().flat_map(|line| &line.0) {
        word.store(0, Relaxed);
    }
}

/// The slot to store in and its old entry, if it has one: the slot of the same position, else the first empty one, else that
/// of the least replacement value, which is shallow or of an old search.
#[inline(always)]
fn replacement_slot(line: &CacheLine, key: u64, age: u8) -> (usize, Option<Packed>) {
    let mut least = (i32::MAX, 0);
    for slot in 0..SLOTS {
        let data = line.0[2 * slot + 1].load(Relaxed);
        let packed = Packed(data);
        if !packed.is_used() {
            // Places are filled from the first on and never emptied, so the position is not further back.
            return (slot, None);
        }
        if line.0[2 * slot].load(Relaxed) ^ data == key {
            return (slot, Some(packed));
        }
        least = least.min((packed.replacement_value(age), slot));
    }
    (least.1, None)
}

/// The data word of an entry, from the low bits up: move 16, score 16, evaluation 16, depth 8, bound 2, on a principal
/// variation 1, age 5. Zero, the depth of no entry, where nothing has been stored.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    const MOVE: u64 = 0xFFFF;
    const SCORE: u32 = 16;
    const EVAL: u32 = 32;
    const DEPTH: u32 = 48;
    const BOUND: u32 = 56;
    const PV: u32 = 58;
    const AGE: u32 = 59;
    /// Added to a depth, so that the least one is 1.
    const DEPTH_OFFSET: i32 = 1 - DEPTH_MIN;
    /// Stands for no evaluation; no score is as low.
    const NO_EVAL: i16 = i16::MIN;

    #[inline(always)]
    fn pack(entry: &TtEntry, ply: usize, age: u8) -> Packed {
        let depth = (entry.depth.clamp(DEPTH_MIN, DEPTH_MAX) + Packed::DEPTH_OFFSET) as u64;
        let eval = entry.eval.map_or(Packed::NO_EVAL, |eval| eval.raw() as i16);
        let bound = match entry.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        Packed(
            entry.mv.map_or(0, |mv| u64::from(mv.bits()))
                | u64::from(entry.score.to_table(ply) as u16) << Packed::SCORE
                | u64::from(eval as u16) << Packed::EVAL
                | depth << Packed::DEPTH
                | bound << Packed::BOUND
                | u64::from(entry.tt_pv) << Packed::PV
                | u64::from(age) << Packed::AGE,
        )
    }

    #[inline(always)]
    fn unpack(self, ply: usize, halfmove_clock: u32) -> TtEntry {
        let stored = (self.0 >> Packed::SCORE) as i16;
        let eval = (self.0 >> Packed::EVAL) as i16;
        TtEntry {
            mv: Move::from_bits(self.0 as u16),
            score: Score::from_table(stored, ply, halfmove_clock as usize),
            eval: (eval != Packed::NO_EVAL).then(|| Score::from_raw(i32::from(eval))),
            depth: self.depth(),
            bound: self.bound(),
            tt_pv: self.tt_pv(),
        }
    }

    #[inline(always)]
    fn is_used(self) -> bool {
        self.0 >> Packed::DEPTH & 0xFF != 0
    }

    #[inline(always)]
    fn depth(self) -> i32 {
        (self.0 >> Packed::DEPTH & 0xFF) as i32 - Packed::DEPTH_OFFSET
    }

    #[inline(always)]
    fn bound(self) -> Option<Bound> {
        match self.0 >> Packed::BOUND & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        }
    }

    #[inline(always)]
    fn tt_pv(self) -> bool {
        self.0 >> Packed::PV & 1 != 0
    }

    #[inline(always)]
    fn age(self) -> u8 {
        (self.0 >> Packed::AGE) as u8
    }

    /// The value of keeping the entry, in plies of depth.
    #[inline(always)]
    fn replacement_value(self, age: u8) -> i32 {
        let searches_ago = age.wrapping_sub(self.age()) % AGES;
        let exact = if self.bound() == Some(Bound::Exact) { EXACT_BONUS } else { 0 };
        self.depth() + exact - AGE_PENALTY * i32::from(searches_ago)
    }

    /// True if this result is kept although there is a newer one for the same position: nothing but an evaluation
    /// replaces no search, and a shallow search that is not exact replaces no much deeper one of the same age.
    #[inline(always)]
    fn stays_against(self, new: Packed) -> bool {
        match new.bound() {
            None => self.bound().is_some(),
            Some(Bound::Exact) => false,
            Some(_) => {
                let on_pv = if new.tt_pv() { SHALLOWER_ON_PV } else { 0 };
                self.age() == new.age() && new.depth() + SHALLOWER_BY + on_pv <= self.depth()
            }
        }
    }

    /// This, with the move and evaluation of `other` where this has none.
    #[inline(always)]
    fn or_from(self, other: Packed) -> Packed {
        let mut joined = self.0;
        if joined & Packed::MOVE == 0 {
            joined |= other.0 & Packed::MOVE;
        }
        let eval = 0xFFFF << Packed::EVAL;
        if (joined >> Packed::EVAL) as i16 == Packed::NO_EVAL {
            joined = joined & !eval | other.0 & eval;
        }
        Packed(joined)
    }

    /// This, with the move of `other` if it has one.
    #[inline(always)]
    fn with_move_of(self, other: Packed) -> Packed {
        if other.0 & Packed::MOVE == 0 {
            self
        } else {
            Packed(self.0 & !Packed::MOVE | other.0 & Packed::MOVE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
