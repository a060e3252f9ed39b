//! Correction history: the error of the static evaluation in earlier positions that share a feature with this one is added
//! to it (Caissa and Stockfish, 2023–24).

use super::history::{PieceTo, gravity};
use crate::score::Score;
use crate::tunables;
use chess::{Color, Position};
use platform::cpu;
use platform::pages::{HugeArena, HugeBox};
use std::io;

tunables! {
    /// Weight of the correction by pawn structure, in 128ths.
    correction_pawn = 75, 0..=200, step 8;
    /// Weight of the correction by each side's pieces, in 128ths.
    correction_non_pawn = 75, 0..=200, step 8;
    /// Weight of the correction by minor pieces, in 128ths.
    correction_minor = 63, 0..=200, step 8;
    /// Weight of the correction by the last two moves, in 128ths.
    correction_continuation = 90, 0..=200, step 8;
    /// Weight of the correction by the last move and ours before the last, in 128ths.
    correction_continuation_4 = 60, 0..=200, step 8;
    /// Rate of learning: 256ths of the error for each ply of depth.
    correction_rate = 4, 1..=16, step 1;
}

/// The number of slots of each hashed table; a power of two.
const SIZE: usize = 1 << 16;
/// The maximum correction, in the tables' unit: 16ths of a centipawn.
const LIMIT: i32 = 16 * 96;

/// By key and side to move.
type Keyed = [[i16; 2]; SIZE];
/// By our move and by the opponent's last one, whose side is the other.
type Continuation = [[i16; PieceTo::COUNT_OF_SIDE]; PieceTo::COUNT];

/// The correction tables of one thread, 2.2 MB.
pub struct CorrectionHistory {
    /// By the keys of [`slots`].
    keyed: [HugeBox<Keyed>; 4],
    continuation: [HugeBox<Continuation>; CONT_CORRECTION_PLIES.len()],
}

/// The plies back of our moves that are looked up together with the opponent's last one.
pub const CONT_CORRECTION_PLIES: [usize; 2] = [2, 4];

/// The moves that led to a node, by which continuation corrections are looked up.
#[derive(Clone, Copy)]
pub struct CorrectionKeys {
    /// The opponent's last move.
    pub last: PieceTo,
    /// Our moves, [`CONT_CORRECTION_PLIES`] back.
    pub ours: [PieceTo; CONT_CORRECTION_PLIES.len()],
}

/// Plies of the halfmove clock that share their corrections, from twice as many on.
const CLOCK_BUCKET: u32 = 8;

/// The slots of a position: by its pawns, by its minor pieces, and by the pieces of White and of Black, each by how long
/// there has been no progress (Reckless 2026): the evaluation sinks towards a draw with the halfmove clock.
#[inline(always)]
fn slots(position: &Position) -> [usize; 4] {
    let [white, black] = Color::ALL.map(|color| position.non_pawn_key(color));
    let bucket = (position.halfmove_clock() / CLOCK_BUCKET).saturating_sub(1);
    let salt = u64::from(bucket).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [position.pawn_key(), position.minor_key(), white, black].map(|key| (key ^ salt) as usize & (SIZE - 1))
}

impl CorrectionHistory {
    /// Bytes of all tables in an arena.
    pub const BYTES: usize = 4 * HugeArena::room_for(size_of::<Keyed>())
        + CONT_CORRECTION_PLIES.len() * HugeArena::room_for(size_of::<Continuation>());

    /// Tables of zeros, written by the calling thread.
    ///
    /// # Errors
    /// If the arena has less than [`Self::BYTES`] left.
    pub fn new(arena: &mut HugeArena) -> io::Result<CorrectionHistory> {
        let mut keyed = || arena.array([0; 2]);
        let keyed = [keyed()?, keyed()?, keyed()?, keyed()?];
        let mut continuation = || arena.array([0; PieceTo::COUNT_OF_SIDE]);
        Ok(CorrectionHistory { keyed, continuation: [continuation()?, continuation()?] })
    }

    /// Sets all corrections to zero.
    pub fn clear(&mut self) {
        for table in &mut self.keyed {
            table.fill([0; 2]);
        }
        for table in &mut self.continuation {
            table.fill([0; PieceTo::COUNT_OF_SIDE]);
        }
    }

    /// The six corrections of a position for its side to move.
    #[inline(always)]
    fn entries(&self, position: &Position, last: CorrectionKeys) -> [&i16; 6] {
        let side = position.side_to_move().index();
        let [pawn, minor, white, black] = slots(position);
        let keyed = |n: usize, slot: usize| &self.keyed[n][slot][side];
        let continued = |n: usize| &self.continuation[n][last.ours[n].index()][last.last.index_of_side()];
        [keyed(0, pawn), keyed(1, minor), keyed(2, white), keyed(3, black), continued(0), continued(1)]
    }

    /// Prefetches what [`Self::apply`] reads: worth it before the network evaluates, which takes longer than memory.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position, last: CorrectionKeys) {
        self.entries(position, last).into_iter().for_each(cpu::prefetch);
    }

    /// The evaluation with the weighted sum of its corrections added.
    #[inline(always)]
    pub fn apply(&self, position: &Position, last: CorrectionKeys, eval: Score) -> Score {
        let weights = [
            correction_pawn(),
            correction_minor(),
            correction_non_pawn(),
            correction_non_pawn(),
            correction_continuation(),
            correction_continuation_4(),
        ];
        let weighted = self.entries(position, last).into_iter().zip(weights);
        let sum: i32 = weighted.map(|(&entry, weight)| i32::from(entry) * weight).sum();
        (eval + sum / (128 * 16)).clamp_eval()
    }

    /// Learns that a search to `depth` scored `error` centipawns more than the corrected evaluation.
    pub fn update(&mut self, position: &Position, last: CorrectionKeys, depth: i32, error: i32) {
        let side = position.side_to_move().index();
        let step = (error * depth * correction_rate() / 16).clamp(-LIMIT / 4, LIMIT / 4);
        let update = |entry: &mut i16| *entry = gravity(i32::from(*entry), step, LIMIT) as i16;
        for (table, slot) in self.keyed.iter_mut().zip(slots(position)) {
            update(&mut table[slot][side]);
        }
        for (table, ours) in self.continuation.iter_mut().zip(last.ours) {
            if last.last != PieceTo::NONE && ours != PieceTo::NONE {
                update(&mut table[ours.index()][last.last.index_of_side()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_shared_over_some_plies_without_progress_but_not_over_many() {
        let slots_at = |clock: u32| {
            slots(&format!("r3k3/8/8/8/8/8/P7/R3K2N w - - {clock} 60").parse::<Position>().unwrap())
        };
        assert_eq!(slots_at(0), slots_at(15));
        let differ = |one: u32, other: u32| slots_at(one).iter().zip(slots_at(other)).all(|(a, b)| *a != b);
        assert!(differ(0, 16) && differ(16, 24) && differ(0, 90));
    }

    #[test]
    #[cfg_attr(miri, ignore = "megabytes of counters take the interpreter too long")]
    fn errors_are_learned_within_limits_and_for_the_side_that_made_them() {
        let position = Position::startpos();
        let last = CorrectionKeys { last: PieceTo::NONE, ours: [PieceTo::NONE; CONT_CORRECTION_PLIES.len()] };
        let mut correction_history = HugeArena::new(CorrectionHistory::BYTES)
            .and_then(|mut arena| CorrectionHistory::new(&mut arena))
            .unwrap();
        assert_eq!(correction_history.apply(&position, last, Score::cp(20)), Score::cp(20));
        for _ in 0..1000 {
            correction_history.update(&position, last, 10, 3000);
        }
        let corrected = correction_history.apply(&position, last, Score::cp(20));
        assert!((60..400).contains(&corrected.raw()), "{corrected}");
        assert_eq!(correction_history.apply(&position.after_null(), last, Score::cp(20)), Score::cp(20));
        // All six are forgotten.
        let piece_to = PieceTo::new(&position, position.legal_moves()[0]);
        let last = CorrectionKeys { last: piece_to, ours: [piece_to; CONT_CORRECTION_PLIES.len()] };
        correction_history.update(&position, last, 10, 3000);
        assert!(correction_history.entries(&position, last).iter().all(|&&entry| entry > 0));
        correction_history.clear();
        assert!(correction_history.entries(&position, last).iter().all(|&&entry| entry == 0));
    }
}
