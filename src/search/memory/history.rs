//! Histories: tables of how well moves did before, by which moves are ordered, reduced and pruned. Their `keys` say which
//! counters are a move's.

mod keys;

pub use keys::{
    CONT_HIST_PLIES, ContHistKeys, HistoryContext, NoisyMove, PieceTo, QuietMove, captured_value,
};

use crate::tunables;
use chess::{Move, Piece, PieceType, Position};
use keys::{PAWN_SLOTS, pawn_slot};
use platform::cpu;
use platform::pages::{HugeArena, HugeBox};
use std::io;

tunables! {
    /// Weight of pawn-structure history, in 64ths.
    pawn_history_weight = 64, 0..=160, step 8;
    /// Weight of butterfly history, in 64ths.
    butterfly_weight = 84, 0..=160, step 8;
    /// Weight of continuation history after the last move, in 64ths.
    continuation_weight_1 = 92, 0..=160, step 8;
    /// Weight of continuation history two plies back, in 64ths.
    continuation_weight_2 = 114, 0..=160, step 8;
    /// Weight of continuation history three plies back, in 64ths.
    continuation_weight_3 = 32, 0..=160, step 8;
    /// Weight of continuation history four plies back, in 64ths.
    continuation_weight_4 = 68, 0..=160, step 8;
    /// Weight of continuation history six plies back, in 64ths.
    continuation_weight_6 = 32, 0..=160, step 8;
    /// Updates of pawn-structure history: 64ths of a bonus that it learns.
    pawn_bonus_rate = 52, 16..=160, step 8;
    /// Updates of pawn-structure history: 64ths of a malus that it learns.
    pawn_malus_rate = 40, 16..=160, step 8;
    /// Updates of continuation history after the last move: 64ths of a bonus or malus that it learns.
    continuation_rate_1 = 72, 16..=160, step 8;
    /// Updates of continuation history two plies back, in 64ths.
    continuation_rate_2 = 60, 16..=160, step 8;
    /// Updates of continuation history three plies back, in 64ths.
    continuation_rate_3 = 40, 16..=160, step 8;
    /// Updates of continuation history four plies back, in 64ths.
    continuation_rate_4 = 52, 16..=160, step 8;
    /// Updates of continuation history six plies back, in 64ths.
    continuation_rate_6 = 44, 16..=160, step 8;
    /// Updates of continuation history one and two plies back: units added to each, to bonus and malus.
    continuation_update_offset = 32, -100..=200, step 12;
    /// Updates of pawn-structure history: units added to each, to bonus and malus.
    pawn_update_offset = 32, -100..=200, step 12;
    /// New root: 64ths of its value that each counter of butterfly history keeps.
    butterfly_kept = 48, 0..=64, step 4;
}

/// The gravity formula: `value + bonus - value · |bonus| / limit`, for |bonus| at most `limit`.
#[inline(always)]
pub fn gravity(value: i32, bonus: i32, limit: i32) -> i32 {
    value + bonus - value * bonus.abs() / limit
}

/// One counter, updated by the gravity formula: it approaches its limit ever more slowly and forgets the past as it learns
/// (Bill Henry and others, 2010s).
#[derive(Clone, Copy, Default)]
pub struct HistoryEntry(i16);

impl HistoryEntry {
    /// The maximum absolute value.
    pub const LIMIT: i32 = 16_384;

    /// The value, between `-LIMIT` and `LIMIT`.
    #[inline(always)]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Adds a bonus, or a malus if it is negative; beyond the limit it counts as the limit.
    #[inline(always)]
    pub fn update(&mut self, bonus: i32) {
        self.0 = gravity(self.get(), bonus.clamp(-Self::LIMIT, Self::LIMIT), Self::LIMIT) as i16;
    }
}

#[inline(always)]
fn continuation_weights() -> [i32; CONT_HIST_PLIES.len()] {
    [
        continuation_weight_1(),
        continuation_weight_2(),
        continuation_weight_3(),
        continuation_weight_4(),
        continuation_weight_6(),
    ]
}

/// How fast continuation history learns, by plies back, in 64ths: what is farther away says less about a move, and a slower
/// counter is a steadier one.
#[inline(always)]
fn continuation_rates() -> [i32; CONT_HIST_PLIES.len()] {
    [
        continuation_rate_1(),
        continuation_rate_2(),
        continuation_rate_3(),
        continuation_rate_4(),
        continuation_rate_6(),
    ]
}

/// A counter for each piece and target square.
type PieceToTable = [HistoryEntry; PieceTo::COUNT];

/// The rows of the tables that score a node's quiet moves, looked up once for all of them.
pub struct QuietRows<'a> {
    context: &'a HistoryContext,
    butterfly: &'a [[[HistoryEntry; 64]; 64]; 4],
    pawn: &'a PieceToTable,
    continuation: [&'a PieceToTable; CONT_HIST_PLIES.len()],
}

impl QuietRows<'_> {
    /// Prefetches the counters of the pieces of the side to move: worth it before the moves are generated where there are
    /// many, since they will be spread over most of these cache lines.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position) {
        const PER_LINE: usize = 64 / size_of::<HistoryEntry>();
        let us = position.side_to_move();
        let on_board = |piece_type: &PieceType| !position.pieces(us, *piece_type).is_empty();
        for piece_type in PieceType::ALL.into_iter().filter(on_board) {
            let counters = PieceTo::of_piece(Piece::new(us, piece_type));
            for row in self.continuation.iter().chain([&self.pawn]) {
                row[counters.clone()].iter().step_by(PER_LINE).for_each(cpu::prefetch);
            }
        }
    }

    /// The weighted sum of the histories of a quiet move.
    #[inline(always)]
    pub fn score(&self, mv: Move, piece_to: PieceTo) -> i32 {
        let butterfly = &self.butterfly[self.context.threat_index(mv)];
        let mut sum = butterfly[mv.from().index()][mv.to().index()].get() * butterfly_weight();
        sum += self.pawn[piece_to.index()].get() * pawn_history_weight();
        for (row, weight) in self.continuation.iter().zip(continuation_weights()) {
            sum += row[piece_to.index()].get() * weight;
        }
        sum / 64
    }
}

/// By colour, by the threats at both ends, by from and to.
type Butterfly = [[[[HistoryEntry; 64]; 64]; 4]; 2];
/// By piece, target and captured piece.
type Capture = [[[HistoryEntry; 6]; 64]; 12];

/// The histories of one thread, 7.6 MB.
pub struct Histories {
    /// Quiet moves by colour, by whether they leave and enter attacked squares, from and to ("butterfly boards",
    /// Hartmann 1988; history heuristic, Schaeffer 1983).
    butterfly: HugeBox<Butterfly>,
    /// Captures by piece, target and captured piece; quiet queen promotions "capture" a king.
    capture: HugeBox<Capture>,
    /// Quiet moves by what was played before ("counter-move history", Stockfish 2015).
    continuation: HugeBox<[PieceToTable; PieceTo::COUNT]>,
    /// Quiet moves by the pawns on the board (Stockfish 2023).
    pawn: HugeBox<[PieceToTable; PAWN_SLOTS]>,
}

impl Histories {
    /// Bytes of all tables in an arena.
    pub const BYTES: usize = HugeArena::room_for(size_of::<Butterfly>())
        + HugeArena::room_for(size_of::<Capture>())
        + HugeArena::room_for(size_of::<[PieceToTable; PieceTo::COUNT]>())
        + HugeArena::room_for(size_of::<[PieceToTable; PAWN_SLOTS]>());

    /// Tables of zeros, written by the calling thread.
    ///
    /// # Errors
    /// If the arena has less than [`Self::BYTES`] left.
    pub fn new(arena: &mut HugeArena) -> io::Result<Histories> {
        let zero = HistoryEntry::default();
        Ok(Histories {
            butterfly: arena.array([[[zero; 64]; 64]; 4])?,
            capture: arena.array([[zero; 6]; 64])?,
            continuation: arena.array([zero; PieceTo::COUNT])?,
            pawn: arena.array([zero; PieceTo::COUNT])?,
        })
    }

    /// Tables in an arena of their own.
    #[cfg(test)]
    pub fn alone() -> Histories {
        HugeArena::new(Histories::BYTES).and_then(|mut arena| Histories::new(&mut arena)).unwrap()
    }

    /// Sets all counters to zero.
    pub fn clear(&mut self) {
        self.butterfly.fill([[[HistoryEntry::default(); 64]; 64]; 4]);
        self.capture.fill([[HistoryEntry::default(); 6]; 64]);
        self.continuation.fill([HistoryEntry::default(); PieceTo::COUNT]);
        self.pawn.fill([HistoryEntry::default(); PieceTo::COUNT]);
    }

    /// Ages the butterfly history when a search of another root begins: it knows neither pawns nor the moves before, so what
    /// it learned was about the old position (Stockfish 2026).
    pub fn begin_search(&mut self) {
        let kept = butterfly_kept();
        for entry in self.butterfly.as_flattened_mut().as_flattened_mut().as_flattened_mut() {
            entry.0 = (entry.get() * kept / 64) as i16;
        }
    }

    /// The weighted sum of the histories of a quiet move.
    #[cfg(test)]
    pub fn quiet(&self, position: &Position, mv: Move, context: &HistoryContext) -> i32 {
        self.quiets(position, context).score(mv, PieceTo::new(position, mv))
    }

    /// The rows of a node's quiet moves.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, position: &Position, context: &'a HistoryContext) -> QuietRows<'a> {
        QuietRows {
            context,
            butterfly: &self.butterfly[position.side_to_move().index()],
            pawn: &self.pawn[pawn_slot(position)],
            continuation: context.cont_hist_keys.map(|earlier| &self.continuation[earlier.index()]),
        }
    }

    /// The history of a capture or queen promotion.
    #[inline(always)]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let NoisyMove { piece, target, captured } = NoisyMove::new(position, mv);
        self.capture[piece][target][captured].get()
    }

    /// Updates all histories of a quiet move.
    pub fn update_quiet(&mut self, position: &Position, mv: Move, context: &HistoryContext, bonus: i32) {
        self.update_prior_quiet(&QuietMove::new(position, mv, context), &context.cont_hist_keys, bonus);
    }

    /// Updates all histories of a quiet move made after `cont_hist_keys`.
    pub fn update_prior_quiet(&mut self, quiet: &QuietMove, cont_hist_keys: &ContHistKeys, bonus: i32) {
        self.update_butterfly(quiet, bonus);
        let rate = if bonus > 0 { pawn_bonus_rate() } else { pawn_malus_rate() };
        let learned = bonus * rate / 64 + pawn_update_offset();
        self.pawn[quiet.pawns as usize][quiet.piece_to.index()].update(learned);
        self.update_continuation(quiet.piece_to, cont_hist_keys, bonus);
    }

    /// Updates the butterfly history of a quiet move.
    pub fn update_butterfly(&mut self, quiet: &QuietMove, bonus: i32) {
        let [side, threat_index, from, to] = quiet.butterfly();
        self.butterfly[side][threat_index][from][to].update(bonus);
    }

    /// Updates the continuation history of a quiet move made after `cont_hist_keys`.
    pub fn update_continuation(&mut self, piece_to: PieceTo, cont_hist_keys: &ContHistKeys, bonus: i32) {
        let learned = cont_hist_keys.iter().zip(CONT_HIST_PLIES).zip(continuation_rates());
        for ((&earlier, plies), rate) in learned {
            if earlier != PieceTo::NONE {
                let offset = if plies <= 2 { continuation_update_offset() } else { 0 };
                self.continuation[earlier.index()][piece_to.index()].update(bonus * rate / 64 + offset);
            }
        }
    }

    /// Updates the history of a capture or queen promotion.
    pub fn update_noisy(&mut self, NoisyMove { piece, target, captured }: NoisyMove, bonus: i32) {
        self.capture[piece][target][captured].update(bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Threats;

    #[test]
    fn counters_approach_their_limit_and_never_pass_it() {
        let mut counter = HistoryEntry::default();
        for _ in 0..1000 {
            counter.update(30_000);
            assert!(counter.get() <= HistoryEntry::LIMIT);
        }
        assert_eq!(counter.get(), HistoryEntry::LIMIT);
        counter.update(-1_000);
        assert!(counter.get() < HistoryEntry::LIMIT - 1_000, "what is well known is forgotten fast");
    }

    #[test]
    #[cfg_attr(miri, ignore = "megabytes of counters take the interpreter too long")]
    fn what_is_learned_is_recalled_only_after_the_same_moves() {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        let mut histories = Histories::alone();
        let mut cont_hist_keys = [PieceTo::NONE; CONT_HIST_PLIES.len()];
        (cont_hist_keys[0], cont_hist_keys[2]) = (PieceTo(7), PieceTo(9));
        let context = HistoryContext { cont_hist_keys, threats: Threats::NONE };
        histories.update_quiet(&position, mv, &context, 1_000);
        let known = histories.quiet(&position, mv, &context);
        let after_other_moves = histories.quiet(&position, mv, &HistoryContext::NONE);
        let threats = Threats { all: mv.to().into(), ..Threats::NONE };
        let into_danger = histories.quiet(&position, mv, &HistoryContext { threats, ..context });
        assert!(0 < after_other_moves && after_other_moves < known, "{after_other_moves} of {known}");
        assert!(0 < into_danger && into_danger < known, "{into_danger} of {known}");
        histories.begin_search();
        let at_the_next_root = histories.quiet(&position, mv, &context);
        assert!(0 < at_the_next_root && at_the_next_root < known, "{at_the_next_root} of {known}");
        histories.clear();
        assert_eq!(histories.quiet(&position, mv, &context), 0);
    }
}
