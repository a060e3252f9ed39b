//! Correction history: how wrong the static evaluation has been before in positions that share some feature (Caissa and
//! Stockfish, 2023–24).

use super::history::{Moved, boxed};
use crate::chess::{Color, Position};
use crate::platform::cpu;
use crate::platform::pages::HugeArray;
use crate::score::Score;
use crate::tunables;

tunables! {
    /// Weight of the correction by pawn structure, in 128ths.
    correction_pawn = 75, 0..=200, step 8;
    /// Weight of the correction by each side's pieces, in 128ths.
    correction_non_pawn = 75, 0..=200, step 8;
    /// Weight of the correction by minor pieces and kings, in 128ths.
    correction_minor = 63, 0..=200, step 8;
    /// Weight of the correction by the last two moves, in 128ths.
    correction_continuation = 90, 0..=200, step 8;
    /// Weight of the correction by the last move and ours before the last, in 128ths.
    correction_continuation_4 = 60, 0..=200, step 8;
    /// How fast a correction is learned: 256ths of the error for each ply of depth.
    correction_rate = 4, 1..=16, step 1;
}

/// The size of each table of keys; a power of two.
const SIZE: usize = 1 << 14;
/// Corrections are kept in 16ths of a centipawn, up to this.
const LIMIT: i32 = 16 * 96;

type Keyed = Box<[[i16; 2]; SIZE]>;

/// Tables of evaluation errors of one thread.
pub struct Corrections {
    /// By the keys of [`slots`].
    keyed: [Keyed; 4],
    continuation: [HugeArray<[i16; Moved::COUNT], { Moved::COUNT }>; CORRECTION_DISTANCES.len()],
}

/// How many plies back the moves of ours are that are looked at together with the opponent's last one.
pub const CORRECTION_DISTANCES: [usize; 2] = [2, 4];

/// The moves that led to a node, as far as corrections look at them.
#[derive(Clone, Copy)]
pub struct LastMoves {
    /// The last one.
    pub last: Moved,
    /// Ours before it, by the distances of [`CORRECTION_DISTANCES`].
    pub ours: [Moved; CORRECTION_DISTANCES.len()],
}

/// Where a position is kept: by its pawns, by its minor pieces and kings, and by each side's pieces.
#[inline(always)]
fn slots(position: &Position) -> [usize; 4] {
    let [white, black] = Color::ALL.map(|color| position.non_pawn_key(color));
    [position.pawn_key(), position.minor_key(), white, black].map(|key| key as usize & (SIZE - 1))
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections::new()
    }
}

impl Corrections {
    /// Knows nothing.
    pub fn new() -> Corrections {
        Corrections {
            keyed: std::array::from_fn(|_| boxed([0; 2])),
            continuation: CORRECTION_DISTANCES.map(|_| HugeArray::filled([0; Moved::COUNT])),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for table in &mut self.keyed {
            table.fill([0; 2]);
        }
        for table in &mut self.continuation {
            table.fill([0; Moved::COUNT]);
        }
    }

    /// What is known for the side to move under each feature of a position.
    #[inline(always)]
    fn entries(&self, position: &Position, last: LastMoves) -> [&i16; 6] {
        let side = position.side_to_move().index();
        let [pawn, minor, white, black] = slots(position);
        let keyed = |n: usize, slot: usize| &self.keyed[n][slot][side];
        let continued = |n: usize| &self.continuation[n][last.ours[n].index()][last.last.index()];
        [keyed(0, pawn), keyed(1, minor), keyed(2, white), keyed(3, black), continued(0), continued(1)]
    }

    /// Asks the processor to bring near what [`Self::apply`] will read: worth it before the network is asked, which takes
    /// longer than the way from memory.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position, last: LastMoves) {
        self.entries(position, last).into_iter().for_each(cpu::prefetch);
    }

    /// The evaluation with what is known of its errors added.
    #[inline(always)]
    pub fn apply(&self, position: &Position, last: LastMoves, eval: Score) -> Score {
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

    /// Learns that a search to `depth` came to a score `error` centipawns above the corrected evaluation.
    pub fn learn(&mut self, position: &Position, last: LastMoves, depth: i32, error: i32) {
        let side = position.side_to_move().index();
        let step = (error * depth * correction_rate() / 16).clamp(-LIMIT / 4, LIMIT / 4);
        let update = |entry: &mut i16| {
            let value = i32::from(*entry);
            *entry = (value + step - value * step.abs() / LIMIT) as i16;
        };
        for (table, slot) in self.keyed.iter_mut().zip(slots(position)) {
            update(&mut table[slot][side]);
        }
        for (table, ours) in self.continuation.iter_mut().zip(last.ours) {
            if last.last != Moved::NOTHING && ours != Moved::NOTHING {
                update(&mut table[ours.index()][last.last.index()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_learned_within_limits_and_for_the_side_that_made_them() {
        let position = Position::startpos();
        let last = LastMoves { last: Moved::NOTHING, ours: [Moved::NOTHING; CORRECTION_DISTANCES.len()] };
        let mut corrections = Corrections::new();
        assert_eq!(corrections.apply(&position, last, Score::cp(20)), Score::cp(20));
        for _ in 0..1000 {
            corrections.learn(&position, last, 10, 3000);
        }
        let corrected = corrections.apply(&position, last, Score::cp(20));
        assert!((60..400).contains(&corrected.raw()), "{corrected}");
        assert_eq!(corrections.apply(&position.after_null(), last, Score::cp(20)), Score::cp(20));
        // All six are forgotten.
        let moved = Moved::new(&position, position.legal_moves()[0]);
        let last = LastMoves { last: moved, ours: [moved; CORRECTION_DISTANCES.len()] };
        corrections.learn(&position, last, 10, 3000);
        assert!(corrections.entries(&position, last).iter().all(|&&entry| entry > 0));
        corrections.clear();
        assert!(corrections.entries(&position, last).iter().all(|&&entry| entry == 0));
    }
}
