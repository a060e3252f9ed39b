//! What the search has learned about moves: tables that rank moves by how often they failed high before.

use crate::chess::{Color, Move, Piece, PieceType, Position, Threats};
use crate::platform::cpu;
use crate::platform::pages::HugeArray;
use crate::tunables;
use std::ops::Range;

tunables! {
    /// Weight of pawn-structure history, in 64ths.
    pawn_history_weight = 64, 0..=160, step 8;
    /// Weight of butterfly history, in 64ths.
    butterfly_weight = 84, 0..=160, step 8;
    /// Weight of continuation history after the last move, in 64ths.
    continuation_weight_1 = 69, 0..=160, step 8;
    /// Weight of continuation history two plies back, in 64ths.
    continuation_weight_2 = 114, 0..=160, step 8;
    /// Weight of continuation history four plies back, in 64ths.
    continuation_weight_4 = 68, 0..=160, step 8;
    /// Weight of continuation history six plies back, in 64ths.
    continuation_weight_6 = 32, 0..=160, step 8;
}

/// A counter that approaches its limit ever more slowly and forgets the past as it learns ("gravity", Bill Henry and
/// others, 2010s): `value += bonus - value · |bonus| / LIMIT`.
#[derive(Clone, Copy, Default)]
pub struct Gravity(i16);

impl Gravity {
    /// The size that no counter exceeds.
    pub const LIMIT: i32 = 16_384;

    /// The value, between `-LIMIT` and `LIMIT`.
    #[inline(always)]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves towards the sign of `bonus`.
    #[inline(always)]
    pub fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::LIMIT, Self::LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / Self::LIMIT) as i16;
    }
}

/// A piece and the square it moved to: what continuation history knows about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved(u16);

impl Moved {
    /// How many there are.
    pub const COUNT: usize = 12 * 64 + 1;
    /// No move: a null move, or the time before the root.
    pub const NOTHING: Moved = Moved(12 * 64);

    /// The part of `mv` that continuation history looks at.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move) -> Moved {
        position.piece_on(mv.from()).map_or(Moved::NOTHING, |piece| Moved::by(piece, mv))
    }

    /// The same where it is known that `piece` moves.
    #[inline(always)]
    pub fn by(piece: Piece, mv: Move) -> Moved {
        Moved((piece.index() * 64 + mv.lands_on().index()) as u16)
    }

    /// The indices of all that `side` can move.
    #[inline(always)]
    fn of_side(side: Color) -> Range<usize> {
        let first = side.index() * 6 * 64;
        first..first + 6 * 64
    }

    /// Below [`Self::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many plies back continuation history looks: the opponent's last move, and our last three.
pub const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

#[inline(always)]
fn continuation_weights() -> [i32; CONTINUATIONS.len()] {
    [continuation_weight_1(), continuation_weight_2(), continuation_weight_4(), continuation_weight_6()]
}

/// The moves that led to a node, by the distances of [`CONTINUATIONS`].
pub type Preceding = [Moved; CONTINUATIONS.len()];

/// What the histories look at beside the move itself.
#[derive(Clone, Copy)]
pub struct Context {
    /// The moves that led to the node.
    pub preceding: Preceding,
    /// The squares that the opponent attacks.
    pub threats: Threats,
}

impl Context {
    /// Knows of no move before and no threat.
    pub const NOTHING: Context =
        Context { preceding: [Moved::NOTHING; CONTINUATIONS.len()], threats: Threats::NONE };

    /// Whether the move leaves or enters an attacked square. One that does neither loses no material by exchange (but
    /// en passant, which opens a third line).
    #[inline(always)]
    pub fn exposes(&self, mv: Move) -> bool {
        self.danger(mv) != 0 || mv.is_en_passant()
    }

    /// Whether the move leaves and whether it enters an attacked square: a number below 4.
    #[inline(always)]
    fn danger(&self, mv: Move) -> usize {
        usize::from(self.threats.all.contains(mv.from()))
            | usize::from(self.threats.all.contains(mv.to())) << 1
    }
}

/// A quiet move with what its histories are kept under.
#[derive(Clone, Copy)]
pub struct QuietMove {
    mv: Move,
    moved: Moved,
    danger: u8,
    side: Color,
    pawns: u16,
}

impl QuietMove {
    /// Move `mv` of `position`.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move, context: &Context) -> QuietMove {
        QuietMove {
            mv,
            moved: Moved::new(position, mv),
            danger: context.danger(mv) as u8,
            side: position.side_to_move(),
            pawns: pawn_slot(position) as u16,
        }
    }

    /// Where the butterfly boards keep it.
    #[inline(always)]
    fn butterfly(&self) -> [usize; 4] {
        [self.side.index(), self.danger as usize, self.mv.from().index(), self.mv.to().index()]
    }
}

/// A capture or queen promotion with what its history is kept under.
#[derive(Clone, Copy)]
pub struct NoisyMove {
    piece: usize,
    target: usize,
    taken: usize,
}

impl NoisyMove {
    /// Move `mv` of `position`.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move) -> NoisyMove {
        NoisyMove {
            piece: position.piece_on(mv.from()).map_or(0, Piece::index),
            target: mv.to().index(),
            taken: captured(position, mv).unwrap_or(PieceType::King).index(),
        }
    }
}

/// Pawn structures that are told apart; a power of two.
const PAWN_SLOTS: usize = 512;

#[inline(always)]
fn pawn_slot(position: &Position) -> usize {
    position.pawn_key() as usize & (PAWN_SLOTS - 1)
}

/// A counter for each piece and square.
type ByMoved = [Gravity; Moved::COUNT];

/// Where the counters of a node's quiet moves are: looked up once for all of them.
pub struct Quiets<'a> {
    context: &'a Context,
    butterfly: &'a [[[Gravity; 64]; 64]; 4],
    pawn: &'a ByMoved,
    continuation: [&'a ByMoved; CONTINUATIONS.len()],
}

impl Quiets<'_> {
    /// Asks the processor to bring near the counters of `side`'s pieces that lie together: worth it before the moves are
    /// generated, since they will be spread over most of those lines.
    #[inline(always)]
    pub fn prefetch(&self, side: Color) {
        const PER_LINE: usize = 64 / size_of::<Gravity>();
        for row in self.continuation.iter().chain([&self.pawn]) {
            row[Moved::of_side(side)].iter().step_by(PER_LINE).for_each(cpu::prefetch);
        }
    }

    /// What is known of a quiet move, the sum of its counters.
    #[inline(always)]
    pub fn sum(&self, mv: Move, moved: Moved) -> i32 {
        let butterfly = &self.butterfly[self.context.danger(mv)];
        let mut sum = butterfly[mv.from().index()][mv.to().index()].get() * butterfly_weight();
        sum += self.pawn[moved.index()].get() * pawn_history_weight();
        for (row, weight) in self.continuation.iter().zip(continuation_weights()) {
            sum += row[moved.index()].get() * weight;
        }
        sum / 64
    }
}

/// All histories of one thread.
pub struct Histories {
    /// Quiet moves by colour, by whether they leave and enter attacked squares, from and to ("butterfly boards",
    /// Hartmann 1988; history heuristic, Schaeffer 1983).
    butterfly: Box<[[[[Gravity; 64]; 64]; 4]; 2]>,
    /// Captures by piece, target and what is taken; quiet queen promotions "take" a king.
    capture: Box<[[[Gravity; 6]; 64]; 12]>,
    /// Quiet moves by what was played before ("counter-move history", Stockfish 2015).
    continuation: HugeArray<ByMoved, { Moved::COUNT }>,
    /// Quiet moves by the pawns on the board (Stockfish 2023).
    pawn: HugeArray<ByMoved, PAWN_SLOTS>,
}

/// An array made on the heap: these tables do not fit every stack.
pub(super) fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("the vector has N elements"))
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

impl Histories {
    /// Knows nothing.
    pub fn new() -> Histories {
        Histories {
            butterfly: boxed([[[Gravity::default(); 64]; 64]; 4]),
            capture: boxed([[Gravity::default(); 6]; 64]),
            continuation: HugeArray::filled([Gravity::default(); Moved::COUNT]),
            pawn: HugeArray::filled([Gravity::default(); Moved::COUNT]),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill([[[Gravity::default(); 64]; 64]; 4]);
        self.capture.fill([[Gravity::default(); 6]; 64]);
        self.continuation.fill([Gravity::default(); Moved::COUNT]);
        self.pawn.fill([Gravity::default(); Moved::COUNT]);
    }

    /// What is known of a quiet move, the sum of its counters.
    #[cfg(test)]
    pub fn quiet(&self, position: &Position, mv: Move, context: &Context) -> i32 {
        self.quiets(position, context).sum(mv, Moved::new(position, mv))
    }

    /// The counters of a node's quiet moves.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, position: &Position, context: &'a Context) -> Quiets<'a> {
        Quiets {
            context,
            butterfly: &self.butterfly[position.side_to_move().index()],
            pawn: &self.pawn[pawn_slot(position)],
            continuation: context.preceding.map(|earlier| &self.continuation[earlier.index()]),
        }
    }

    /// What is known of a capture or queen promotion.
    #[inline(always)]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let NoisyMove { piece, target, taken } = NoisyMove::new(position, mv);
        self.capture[piece][target][taken].get()
    }

    /// Learns about a quiet move.
    pub fn update_quiet(&mut self, position: &Position, mv: Move, context: &Context, bonus: i32) {
        self.update_played(&QuietMove::new(position, mv, context), &context.preceding, bonus);
    }

    /// Learns about a quiet move that was played after `preceding`.
    pub fn update_played(&mut self, quiet: &QuietMove, preceding: &Preceding, bonus: i32) {
        self.update_butterfly(quiet, bonus);
        self.pawn[quiet.pawns as usize][quiet.moved.index()].update(bonus);
        self.update_continuation(quiet.moved, preceding, bonus);
    }

    /// Learns about a quiet move whatever came before it.
    pub fn update_butterfly(&mut self, quiet: &QuietMove, bonus: i32) {
        let [side, danger, from, to] = quiet.butterfly();
        self.butterfly[side][danger][from][to].update(bonus);
    }

    /// Learns about a quiet move as an answer to those before it.
    pub fn update_continuation(&mut self, moved: Moved, preceding: &Preceding, bonus: i32) {
        for &earlier in preceding {
            if earlier != Moved::NOTHING {
                self.continuation[earlier.index()][moved.index()].update(bonus);
            }
        }
    }

    /// Learns about a capture or queen promotion.
    pub fn update_noisy(&mut self, NoisyMove { piece, target, taken }: NoisyMove, bonus: i32) {
        self.capture[piece][target][taken].update(bonus);
    }
}

/// The kind of piece that a noisy move takes, if it takes one.
#[inline(always)]
pub fn captured(position: &Position, mv: Move) -> Option<PieceType> {
    match mv.is_en_passant() {
        true => Some(PieceType::Pawn),
        false if mv.is_capture() => position.piece_on(mv.to()).map(Piece::piece_type),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_approach_their_limit_and_never_pass_it() {
        let mut counter = Gravity::default();
        for _ in 0..1000 {
            counter.update(30_000);
            assert!(counter.get() <= Gravity::LIMIT);
        }
        assert_eq!(counter.get(), Gravity::LIMIT);
        counter.update(-1_000);
        assert!(counter.get() < Gravity::LIMIT - 1_000, "what is well known is forgotten fast");
    }

    #[test]
    fn what_is_learned_is_recalled_only_after_the_same_moves() {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        let mut histories = Histories::new();
        let preceding = [Moved(7), Moved::NOTHING, Moved(9), Moved::NOTHING];
        let context = Context { preceding, threats: Threats::NONE };
        histories.update_quiet(&position, mv, &context, 1_000);
        let known = histories.quiet(&position, mv, &context);
        let after_other_moves = histories.quiet(&position, mv, &Context::NOTHING);
        let threats = Threats { all: mv.to().into(), ..Threats::NONE };
        let into_danger = histories.quiet(&position, mv, &Context { threats, ..context });
        assert!(0 < after_other_moves && after_other_moves < known, "{after_other_moves} of {known}");
        assert!(0 < into_danger && into_danger < known, "{into_danger} of {known}");
        histories.clear();
        assert_eq!(histories.quiet(&position, mv, &context), 0);
    }
}
