//! What the search has learned about moves: tables that rank moves by how often they failed high before.

use crate::chess::{Bitboard, Kind, Move, Piece, Position};

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

/// A man and the square it moved to: what continuation history knows about a move.
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
        match position.piece_on(mv.from()) {
            Some(piece) => Moved((piece.index() * 64 + mv.lands_on().index()) as u16),
            None => Moved::NOTHING,
        }
    }

    /// Below [`Self::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many plies back continuation history looks: the opponent's last move, our move before, our move before that.
pub const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// What the histories look at beside the move itself.
#[derive(Clone, Copy)]
pub struct Context {
    /// The moves that led to the node, by the distances of [`CONTINUATIONS`].
    pub preceding: [Moved; CONTINUATIONS.len()],
    /// The squares that the opponent attacks.
    pub threats: Bitboard,
}

impl Context {
    /// Knows of no move before and no threat.
    pub const NOTHING: Context =
        Context { preceding: [Moved::NOTHING; CONTINUATIONS.len()], threats: Bitboard::EMPTY };

    /// Whether the move leaves and whether it enters an attacked square: a number below 4.
    #[inline(always)]
    fn danger(&self, mv: Move) -> usize {
        usize::from(self.threats.contains(mv.from())) | usize::from(self.threats.contains(mv.to())) << 1
    }
}

/// All histories of one thread.
pub struct Histories {
    /// Quiet moves by colour, by whether they leave and enter attacked squares, from and to ("butterfly boards",
    /// Hartmann 1988; history heuristic, Schaeffer 1983).
    butterfly: Box<[[[[Gravity; 64]; 64]; 4]; 2]>,
    /// Captures by man, target and what is taken; quiet queen promotions "take" a king.
    capture: Box<[[[Gravity; 6]; 64]; 12]>,
    /// Quiet moves by what was played before ("counter-move history", Stockfish 2015).
    continuation: Box<[[Gravity; Moved::COUNT]; Moved::COUNT]>,
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
            continuation: boxed([Gravity::default(); Moved::COUNT]),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::new();
    }

    /// What is known of a quiet move, the sum of its counters.
    #[inline(always)]
    pub fn quiet(&self, position: &Position, mv: Move, context: &Context) -> i32 {
        let moved = Moved::new(position, mv);
        let side = position.side_to_move();
        let mut sum =
            self.butterfly[side.index()][context.danger(mv)][mv.from().index()][mv.to().index()].get();
        for earlier in &context.preceding {
            sum += self.continuation[earlier.index()][moved.index()].get();
        }
        sum
    }

    /// What is known of a capture or queen promotion.
    #[inline(always)]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        let (piece, target, taken) = noisy_index(position, mv);
        self.capture[piece][target][taken].get()
    }

    /// Learns about a quiet move.
    pub fn update_quiet(&mut self, position: &Position, mv: Move, context: &Context, bonus: i32) {
        let moved = Moved::new(position, mv);
        let side = position.side_to_move();
        self.butterfly[side.index()][context.danger(mv)][mv.from().index()][mv.to().index()].update(bonus);
        for &earlier in &context.preceding {
            if earlier != Moved::NOTHING {
                self.continuation[earlier.index()][moved.index()].update(bonus);
            }
        }
    }

    /// Learns about a capture or queen promotion.
    pub fn update_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let (piece, target, taken) = noisy_index(position, mv);
        self.capture[piece][target][taken].update(bonus);
    }
}

/// The kind of man that a noisy move takes, if it takes one.
#[inline(always)]
pub fn captured(position: &Position, mv: Move) -> Option<Kind> {
    match mv.is_en_passant() {
        true => Some(Kind::Pawn),
        false if mv.is_capture() => position.piece_on(mv.to()).map(Piece::kind),
        false => None,
    }
}

#[inline(always)]
fn noisy_index(position: &Position, mv: Move) -> (usize, usize, usize) {
    let piece = position.piece_on(mv.from()).map_or(0, Piece::index);
    (piece, mv.to().index(), captured(position, mv).unwrap_or(Kind::King).index())
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
        let context = Context { preceding: [Moved(7), Moved::NOTHING, Moved(9)], threats: Bitboard::EMPTY };
        histories.update_quiet(&position, mv, &context, 1_000);
        assert_eq!(histories.quiet(&position, mv, &context), 3_000);
        assert_eq!(histories.quiet(&position, mv, &Context::NOTHING), 1_000);
        assert_eq!(histories.quiet(&position, mv, &Context { threats: mv.to().into(), ..context }), 2_000);
        histories.clear();
        assert_eq!(histories.quiet(&position, mv, &context), 0);
    }
}
