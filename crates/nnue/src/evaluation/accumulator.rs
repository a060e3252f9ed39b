//! The accumulators of the first layer for each ply of the line that is being searched, updated incrementally: a move
//! adds and subtracts two to four rows of weights.
//!
//! A move is only noted when it is made. An evaluation computes the accumulators that it needs, from the nearest ply
//! above that is computed; most nodes are left before that (lazy updates, in most engines since 2021). When a king has
//! gone to another king bucket or crossed between the d and e files, its perspective comes from the [`RefreshTable`]: at
//! the ply of that move, so that all plies after it are updated again.

use super::features::{FeatureDelta, Perspective};
use super::kernels::{self, Kernel};
use super::network::Network;
use super::pawn_pairs::{Pawn, PawnDelta, Pawns, pawns, update_pawn_pairs};
use super::refresh_table::RefreshTable;
use super::threats::{each_threat, pieces};
use super::weights::{Block, Rows};
use crate::architecture::MAX_THREATS;
use arrayvec::ArrayVec;
use chess::{Bitboard, Color, Move, Piece, PieceType, Position, Square};
use platform::pages::{HugeArena, HugeBox};
use std::alloc::{Layout, handle_alloc_error};
use std::io;
use std::sync::Arc;

/// The longest line in plies, its root included.
pub const MAX_PLIES: usize = 256;

/// The refresh_keys of a ply whose position is not known yet: in a new line, until an evaluation or a king's move tells it.
const UNKNOWN: [u8; 2] = [u8::MAX; 2];

/// A ply of the line: its move, and the state of its accumulators.
#[derive(Clone, Copy)]
struct Ply {
    /// The difference that the move makes.
    delta: FeatureDelta<(Piece, Square)>,
    /// The pawns before it.
    pawns: Pawns,
    /// For each colour the refresh_key of its perspective after the move, or [`UNKNOWN`].
    refresh_keys: [u8; 2],
    /// For each colour true once its accumulator is computed.
    computed: [bool; 2],
}

impl Ply {
    /// A ply with nothing computed.
    #[inline(always)]
    fn new(delta: FeatureDelta<(Piece, Square)>, pawns: Pawns, refresh_keys: [u8; 2]) -> Ply {
        Ply { delta, pawns, refresh_keys, computed: [false; 2] }
    }

    /// The ply of a new line.
    #[inline(always)]
    fn unknown() -> Ply {
        Ply::new(FeatureDelta::Nothing, [Bitboard::EMPTY; 2], UNKNOWN)
    }
}

/// The accumulators of both perspectives for each ply of a line, and the evaluation of its last position.
///
/// The caller keeps it in step with the positions: [`Self::reset`] at the root, [`Self::push`] for each move and
/// [`Self::pop`] when it is taken back.
pub struct Accumulators {
    network: Arc<Network>,
    kernel: &'static dyn Kernel,
    plies: HugeBox<[Ply]>,
    /// The position of each ply whose refresh_keys are known and differ from those of the ply before; of other plies nothing.
    /// Such a ply's accumulator cannot be updated from the ply before.
    refresh_positions: HugeBox<[Position]>,
    /// The ply of the present position.
    top: usize,
    /// For each ply White's accumulator, then Black's.
    blocks: HugeBox<[Block]>,
    refresh_table: RefreshTable,
}

impl Accumulators {
    /// Accumulators of `network`, with this processor's best kernel. Without memory for them the program is aborted.
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with_kernel(network, kernels::best())
    }

    /// Accumulators of `network`, with this processor's best kernel.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn try_new(network: Arc<Network>) -> io::Result<Accumulators> {
        let mut arena = HugeArena::new(Accumulators::bytes(&network))?;
        Accumulators::in_arena(network, kernels::best(), &mut arena)
    }

    /// Accumulators of `network`, with this processor's best kernel, in `arena` if it has room for [`Self::bytes`].
    ///
    /// # Errors
    /// If the system has not enough memory for the accumulators, where [`Self::new`] aborts the program.
    pub fn new_in(network: Arc<Network>, arena: &mut HugeArena) -> io::Result<Accumulators> {
        let kernel = kernels::best();
        Accumulators::in_arena(Arc::clone(&network), kernel, arena).or_else(|_| {
            let mut own = HugeArena::new(Accumulators::bytes(&network))?;
            Accumulators::in_arena(network, kernel, &mut own)
        })
    }

    /// Accumulators of `network`, computed by `kernel`.
    pub fn with_kernel(network: Arc<Network>, kernel: &'static dyn Kernel) -> Accumulators {
        let bytes = Accumulators::bytes(&network);
        let made =
            HugeArena::new(bytes).and_then(|mut arena| Accumulators::in_arena(network, kernel, &mut arena));
        made.unwrap_or_else(|_| handle_alloc_error(Layout::array::<u8>(bytes).unwrap_or(Layout::new::<u8>())))
    }

    /// Bytes in an arena for the accumulators of `network`.
    pub fn bytes(network: &Network) -> usize {
        let blocks = MAX_PLIES * 2 * network.shape().blocks() + RefreshTable::blocks(network.shape());
        blocks * size_of::<Block>()
            + HugeArena::room_for(MAX_PLIES * size_of::<Ply>())
            + HugeArena::room_for(MAX_PLIES * size_of::<Position>())
    }

    fn in_arena(
        network: Arc<Network>,
        kernel: &'static dyn Kernel,
        arena: &mut HugeArena,
    ) -> io::Result<Accumulators> {
        let blocks = arena.slice(Block::ZERO, MAX_PLIES * 2 * network.shape().blocks())?;
        let refreshed = arena.slice(Block::ZERO, RefreshTable::blocks(network.shape()))?;
        Ok(Accumulators {
            kernel,
            plies: arena.slice(Ply::unknown(), MAX_PLIES)?,
            refresh_positions: arena.slice(Position::startpos(), MAX_PLIES)?,
            top: 0,
            blocks,
            refresh_table: RefreshTable::new(&network, refreshed),
            network,
        })
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a new line, whose first position is told by the first evaluation or move.
    pub fn reset(&mut self) {
        self.top = 0;
        self.plies[0] = Ply::unknown();
    }

    /// Notes a legal move. When there is no room for another ply the line begins anew, which costs time only; but then
    /// [`Self::pop`] must not go further back.
    #[inline]
    pub fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        self.enter(FeatureDelta::of_move(before, mv), pawns(before));
        if before.of_type(PieceType::King).contains(mv.from()) {
            self.set_refresh_keys(after, refresh_keys(Perspective::both(after)));
        }
    }

    /// Notes a null move.
    pub fn push_null(&mut self) {
        self.enter(FeatureDelta::Nothing, [Bitboard::EMPTY; 2]);
    }

    /// Enters a ply with the refresh_keys of the one before.
    #[inline(always)]
    fn enter(&mut self, delta: FeatureDelta<(Piece, Square)>, pawns: Pawns) {
        if self.top + 1 == MAX_PLIES {
            self.reset();
        }
        let refresh_keys = self.plies[self.top].refresh_keys;
        self.top += 1;
        self.plies[self.top] = Ply::new(delta, pawns, refresh_keys);
    }

    /// Sets the refresh_keys of the present ply, whose position is `position`.
    #[inline(always)]
    fn set_refresh_keys(&mut self, position: &Position, refresh_keys: [u8; 2]) {
        if self.plies[self.top].refresh_keys != refresh_keys {
            self.plies[self.top].refresh_keys = refresh_keys;
            self.refresh_positions[self.top] = *position;
        }
    }

    /// Takes the last move back.
    #[inline(always)]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0);
        self.top = self.top.saturating_sub(1);
    }

    /// The evaluation in internal centipawns from the side to move's view. `position` must be the present one, to which
    /// the noted moves led.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let bucket = self.network.shape().bucket(position.occupied().count());
        self.evaluate_bucket(position, bucket)
    }

    /// The same with the output weights of `bucket`.
    pub fn evaluate_bucket(&mut self, position: &Position, bucket: usize) -> i32 {
        let perspectives = self.prepare(position);
        let (side, rows) = (position.side_to_move(), Rows::new(&self.blocks, self.length()));
        let accumulators = [side, !side].map(|color| rows.row(2 * self.top + color.index()));
        let weights = [0, 1].map(|half| self.network.output_row(bucket, half));
        let mut added: [ArrayVec<u16, MAX_THREATS>; 2] = [ArrayVec::new(), ArrayVec::new()];
        let threats = self.network.threat_rows();
        if threats.is_some() {
            let perspectives = [side, !side].map(|color| perspectives[color.index()]);
            each_threat(&pieces(position), |threat| {
                for (added, perspective) in added.iter_mut().zip(perspectives) {
                    added.push(perspective.threat_input(threat) as u16);
                }
            });
        }
        let threats = threats.unwrap_or(Rows::new(&[], 0));
        let sum = self.kernel.output(accumulators, threats, [&added[0], &added[1]], weights);
        self.network.dequantise(sum, bucket)
    }

    /// Computes the accumulators of both perspectives at the present ply, and returns the perspectives.
    #[inline(always)]
    fn prepare(&mut self, position: &Position) -> [Perspective; 2] {
        let perspectives = Perspective::both(position);
        self.set_refresh_keys(position, refresh_keys(perspectives));
        // Mostly both are computed up to the same ply; the plies that one alone lacks come first.
        let [white, black] = Color::ALL.map(|color| self.last_computed(color));
        for ply in white + 1..=black {
            self.advance(ply, [perspectives[0]]);
        }
        for ply in black + 1..=white {
            self.advance(ply, [perspectives[1]]);
        }
        for ply in white.max(black) + 1..=self.top {
            self.advance(ply, perspectives);
        }
        perspectives
    }

    /// The last ply whose accumulator of `color` is computed and can be updated from. Where there is none, that of the ply
    /// whose move changed the refresh_key comes from the refresh table.
    #[inline(always)]
    fn last_computed(&mut self, color: Color) -> usize {
        let index = color.index();
        let refresh_key = self.plies[self.top].refresh_keys[index];
        let mut ply = self.top;
        while !self.plies[ply].computed[index] {
            // An update starts neither above the first ply nor from another refresh_key.
            if ply == 0 || self.plies[ply - 1].refresh_keys[index] != refresh_key {
                self.refresh(ply, color);
                break;
            }
            ply -= 1;
        }
        ply
    }

    #[inline(never)]
    fn refresh(&mut self, ply: usize, color: Color) {
        let (length, position) = (self.length(), &self.refresh_positions[ply]);
        debug_assert_eq!(refresh_keys(Perspective::both(position)), self.plies[ply].refresh_keys);
        let accumulator = self.refresh_table.accumulator(&self.network, self.kernel, position, color);
        self.blocks[(2 * ply + color.index()) * length..][..length].copy_from_slice(accumulator);
        self.plies[ply].computed[color.index()] = true;
    }

    /// Computes the accumulators of a ply from those of the ply before, for one perspective or both.
    #[inline(always)]
    fn advance<const N: usize>(&mut self, ply: usize, perspectives: [Perspective; N]) {
        let length = self.length();
        let first = perspectives[0].color().index() * length;
        let (before, after) = self.blocks.split_at_mut(2 * ply * length);
        let from = &before[2 * (ply - 1) * length + first..][..N * length];
        let to = &mut after[first..][..N * length];
        let entry = &mut self.plies[ply];
        let deltas = perspectives.map(|perspective| {
            entry.computed[perspective.color().index()] = true;
            entry.delta.map(|(piece, square)| perspective.input(piece, square))
        });
        self.kernel.update(self.network.input_rows(), from, to, &deltas);
        if let Some(rows) = self.network.pawn_pair_rows()
            && entry.delta.removed().iter().any(is_pawn)
        {
            let [leaving, coming] = [entry.delta.removed(), entry.delta.added()].map(pawns_among);
            let delta = PawnDelta { pawns: entry.pawns, leaving: &leaving, coming: &coming };
            update_pawn_pairs(self.kernel, rows, to, perspectives, delta);
        }
    }

    /// Blocks of one accumulator.
    #[inline(always)]
    fn length(&self) -> usize {
        self.network.shape().blocks()
    }
}

/// True for a pawn.
#[inline(always)]
fn is_pawn((piece, _): &(Piece, Square)) -> bool {
    piece.piece_type() == PieceType::Pawn
}

/// The pawns among the pieces that a move takes from the board, or puts on it.
#[inline(always)]
fn pawns_among(pieces: &[(Piece, Square)]) -> ArrayVec<Pawn, 2> {
    pieces.iter().filter(|piece| is_pawn(piece)).map(|&(piece, square)| (piece.color(), square)).collect()
}

/// The refresh_keys of both perspectives, as a ply keeps them.
#[inline(always)]
fn refresh_keys(perspectives: [Perspective; 2]) -> [u8; 2] {
    perspectives.map(|perspective| perspective.refresh_key() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::SPARSE_EXTRA_NEURONS;
    use crate::network::{Shape, sample};

    /// Walks through the tree and compares each evaluation with the one from scratch; some nodes are not evaluated, so
    /// that updates pile up.
    fn walk(accumulators: &mut Accumulators, position: &Position, depth: u32, count: &mut u64) {
        *count += 1;
        if !count.is_multiple_of(3) {
            let expected = accumulators.network().evaluate(position);
            assert_eq!(accumulators.evaluate(position), expected, "{position}");
        }
        if depth == 0 {
            return;
        }
        if !position.in_check() {
            accumulators.push_null();
            let after = position.after_null();
            assert_eq!(accumulators.evaluate(&after), accumulators.network().evaluate(&after));
            accumulators.pop();
        }
        for mv in position.legal_moves() {
            let after = position.after(mv);
            accumulators.push(position, mv, &after);
            walk(accumulators, &after, depth - 1, count);
            accumulators.pop();
        }
    }

    #[test]
    fn updates_equal_evaluation_from_scratch_on_every_kernel() {
        let positions = [
            chess::positions::KIWIPETE,
            chess::positions::POSITION_3,
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
            "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
        ];
        for (hidden, depth, least) in [(96, 2, 3000), (SPARSE_EXTRA_NEURONS + 160, 1, 100)] {
            let network = Arc::new(sample(Shape { hidden, buckets: 8 }, 11));
            for kernel in kernels::available() {
                let mut accumulators = Accumulators::with_kernel(Arc::clone(&network), kernel);
                let mut count = 0;
                for fen in positions {
                    accumulators.reset();
                    walk(&mut accumulators, &fen.parse().unwrap(), depth, &mut count);
                }
                assert!(count > least);
            }
        }
    }

    #[test]
    fn a_line_longer_than_the_room_goes_on() {
        let network = Arc::new(sample(Shape { hidden: 32, buckets: 1 }, 11));
        let mut accumulators = Accumulators::new(Arc::clone(&network));
        let mut position = Position::startpos();
        for ply in 0..600 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[ply * 7 % moves.len()];
            let after = position.after(mv);
            accumulators.push(&position, mv, &after);
            position = after;
            assert_eq!(accumulators.evaluate(&position), network.evaluate(&position));
        }
    }
}
