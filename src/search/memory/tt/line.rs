//! A cache line of the transposition table: four slots, and the protocol by which threads share them without a lock.
//!
//! The functions are generic over the atomic word, so that `model` runs this very code on the words of loom, which tries
//! orders of threads and all that the language lets a read see.

use crate::score::{Bound, Score};
use chess::Move;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, or the one that failed high. Out of the table: any bits, to be tested for legality.
    pub mv: Option<Move>,
    /// The result of a search of `depth`; means nothing when `bound` is `None`.
    pub score: Score,
    /// The static evaluation, uncorrected; `None` in check.
    pub eval: Option<Score>,
    /// Remaining depth, [`MIN_DEPTH`] to [`MAX_DEPTH`]; 0 and less is quiescence.
    pub depth: i32,
    /// The bound of `score`; `None` if only the evaluation is known.
    pub bound: Option<Bound>,
    /// True if the position has been on a principal variation.
    pub tt_pv: bool,
}

impl TtEntry {
    /// An entry with only a static evaluation.
    pub fn unsearched(eval: Option<Score>) -> TtEntry {
        TtEntry { mv: None, score: Score::DRAW, eval, depth: MIN_DEPTH, bound: None, tt_pv: false }
    }

    /// The part of a result that reductions cannot have missed: a mate. Without one only move and evaluation are left.
    pub fn proven_mate(self) -> TtEntry {
        let unproven = TtEntry { mv: self.mv, tt_pv: self.tt_pv, ..TtEntry::unsearched(self.eval) };
        self.mate_bound().map_or(unproven, |bound| TtEntry { bound: Some(bound), ..self })
    }

    /// The bound of a forced mate, which holds whatever the depth of the search that found it; there may be a shorter mate.
    /// `None` for all other scores.
    #[inline(always)]
    pub fn mate_bound(&self) -> Option<Bound> {
        mate_bound(self.bound?, self.score)
    }
}

#[inline(always)]
fn mate_bound(bound: Bound, score: Score) -> Option<Bound> {
    match bound {
        Bound::Lower | Bound::Exact if score >= Score::MATE_BOUND => Some(Bound::Lower),
        Bound::Upper | Bound::Exact if score <= -Score::MATE_BOUND => Some(Bound::Upper),
        _ => None,
    }
}

/// The minimum depth that can be stored; less is stored as this.
pub const MIN_DEPTH: i32 = -2;
/// The maximum depth that can be stored; more is stored as this.
pub const MAX_DEPTH: i32 = 250;

/// Entries to a cache line, all of which may hold a position that belongs there.
pub const SLOTS: usize = 4;
/// The number of different ages: searches are counted in five bits.
pub const AGES: u8 = 32;
/// Plies of replacement value that an entry loses for each search since it was written.
const AGE_PENALTY: i32 = 4;
/// Plies of replacement value that an exact score gains.
const EXACT_BONUS: i32 = 2;
/// A result for the same position in the same search replaces one that is deeper by less than this many plies.
const REPLACE_MARGIN: i32 = 4;
/// Plies added to this on a principal variation.
const REPLACE_MARGIN_ON_PV: i32 = 2;

/// An atomic word that is read and written in relaxed order.
pub trait Word {
    /// Reads it.
    fn get(&self) -> u64;
    /// Writes it.
    fn set(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Relaxed)
    }

    #[inline(always)]
    fn set(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

/// A cluster: the four slots of a cache line. A slot is two words, the key XORed with the data, and the data.
pub struct Cluster<'a, W = AtomicU64>(pub &'a [W; 8]);

impl<'a, W: Word> Cluster<'a, W> {
    /// The entry of the position with this key.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Option<Packed> {
        for slot in 0..SLOTS {
            let packed = self.data(slot);
            if self.0[2 * slot].get() ^ packed.0 == key && packed.is_used() {
                return Some(packed);
            }
        }
        None
    }

    /// Stores an entry of the position with this key, of the search with number `age`, in the place of the position's old
    /// entry, whose move and evaluation it may keep, or of another position's.
    #[inline(always)]
    pub fn store(&self, key: u64, age: u8, new: Packed) {
        let (slot, old) = self.replacement_slot(key, age);
        let kept = match old {
            None => new,
            Some(old) if old.is_mate() && !new.is_mate() => old.fill_missing_from(new).with_age_of(new),
            Some(old) if old.resists_replacement(new) => old.with_move_of(new).fill_missing_from(new),
            Some(old) => new.fill_missing_from(old),
        };
        self.write(slot, key, kept);
    }

    /// Puts an entry that was kept elsewhere into an empty slot, or in the place of one of less replacement value.
    pub fn restore(&self, key: u64, age: u8, kept: Packed) {
        let (slot, _) = self.replacement_slot(key, age);
        let old = self.data(slot);
        if !old.is_used() || old.replacement_value(age) < kept.replacement_value(age) {
            self.write(slot, key, kept);
        }
    }

    #[inline(always)]
    fn write(&self, slot: usize, key: u64, packed: Packed) {
        self.0[2 * slot].set(key ^ packed.0);
        self.0[2 * slot + 1].set(packed.0);
    }

    /// The data of all slots, used or not.
    pub fn entries(self) -> impl Iterator<Item = Packed> + 'a {
        self.0.iter().skip(1).step_by(2).map(|word| Packed(word.get()))
    }

    #[inline(always)]
    fn data(&self, slot: usize) -> Packed {
        Packed(self.0[2 * slot + 1].get())
    }

    /// The slot to store in and its old entry, if it has one: the slot of the same position, else the first empty one, else
    /// that of the least replacement value, which is shallow or of an old search.
    #[inline(always)]
    fn replacement_slot(&self, key: u64, age: u8) -> (usize, Option<Packed>) {
        let mut least = (i32::MAX, 0);
        for slot in 0..SLOTS {
            let packed = self.data(slot);
            if !packed.is_used() {
                // Places are filled from the first on and never emptied, so the position is not further back.
                return (slot, None);
            }
            if self.0[2 * slot].get() ^ packed.0 == key {
                return (slot, Some(packed));
            }
            least = least.min((packed.replacement_value(age), slot));
        }
        (least.1, None)
    }
}

/// The data word of an entry, from the low bits up: move 16, score 16, evaluation 16, depth 8, bound 2, on a principal
/// variation 1, age 5. Zero, the depth of no entry, where nothing has been stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed(pub u64);

impl Packed {
    const MOVE: u64 = 0xFFFF;
    const SCORE: u32 = 16;
    const EVAL: u32 = 32;
    const DEPTH: u32 = 48;
    const BOUND: u32 = 56;
    const PV: u32 = 58;
    const AGE: u32 = 59;
    /// Added to a depth, so that the least one is 1.
    const DEPTH_OFFSET: i32 = 1 - MIN_DEPTH;
    /// Stands for no evaluation; no score is as low.
    const NO_EVAL: i16 = i16::MIN;

    #[inline(always)]
    pub fn pack(entry: &TtEntry, ply: usize, age: u8) -> Packed {
        let depth = (entry.depth.clamp(MIN_DEPTH, MAX_DEPTH) + Packed::DEPTH_OFFSET) as u64;
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
    pub fn unpack(self, ply: usize, halfmove_clock: u32) -> TtEntry {
        let eval = (self.0 >> Packed::EVAL) as i16;
        TtEntry {
            mv: Move::from_bits(self.0 as u16),
            score: self.score(ply, halfmove_clock),
            eval: (eval != Packed::NO_EVAL).then(|| Score::from_raw(i32::from(eval))),
            depth: self.depth(),
            bound: self.bound(),
            tt_pv: self.tt_pv(),
        }
    }

    #[inline(always)]
    pub fn is_used(self) -> bool {
        self.0 >> Packed::DEPTH & 0xFF != 0
    }

    /// True if a search can have written it. Bits from a file can be any.
    pub fn is_possible(self) -> bool {
        let [score, eval] = [Packed::SCORE, Packed::EVAL].map(|at| (self.0 >> at) as i16);
        let is_eval = eval == Packed::NO_EVAL || i32::from(eval).abs() <= Score::EVAL_LIMIT.raw();
        self.is_used()
            && self.depth() <= MAX_DEPTH
            && i32::from(score).abs() <= Score::INFINITE.raw()
            && is_eval
    }

    #[inline(always)]
    fn depth(self) -> i32 {
        (self.0 >> Packed::DEPTH & 0xFF) as i32 - Packed::DEPTH_OFFSET
    }

    #[inline(always)]
    fn score(self, ply: usize, halfmove_clock: u32) -> Score {
        Score::from_table((self.0 >> Packed::SCORE) as i16, ply, halfmove_clock as usize)
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
    pub fn age(self) -> u8 {
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
    fn resists_replacement(self, new: Packed) -> bool {
        match new.bound() {
            None => self.bound().is_some(),
            Some(Bound::Exact) => false,
            Some(_) => {
                let on_pv = if new.tt_pv() { REPLACE_MARGIN_ON_PV } else { 0 };
                self.age() == new.age() && new.depth() + REPLACE_MARGIN + on_pv <= self.depth()
            }
        }
    }

    /// True if the entry proves a mate, which no other result for the same position replaces.
    #[inline(always)]
    fn is_mate(self) -> bool {
        self.bound().and_then(|bound| mate_bound(bound, self.score(0, 0))).is_some()
    }

    /// This, written in the search in which `other` was.
    #[inline(always)]
    fn with_age_of(self, other: Packed) -> Packed {
        let age = u64::MAX << Packed::AGE;
        Packed(self.0 & !age | other.0 & age)
    }

    /// This, with the move and evaluation of `other` where this has none.
    #[inline(always)]
    fn fill_missing_from(self, other: Packed) -> Packed {
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
