//! The first layer kept along the line that is being searched: a move changes two to four of its rows.
//!
//! A move is only noted when it is made. What an evaluation needs is worked out when it is asked for, from the nearest
//! ply above that has been worked out; most nodes are left before that (lazy updates, in most engines since 2021).
//! When a king has gone to another area or crossed between the d and e files, its side's view comes from the [`Refresher`].

use super::kernels::{self, Change, Kernel, Rows};
use super::network::Network;
use super::refresh::Refresher;
use super::view::View;
use super::weights::Block;
use crate::chess::{Color, Move, Piece, PieceType, Position, Square, en_passant_victim};
use crate::score::MAX_PLY;
use std::sync::Arc;

/// Plies of room: the deepest line and what a caller may look ahead.
const PLIES: usize = MAX_PLY + 10;

/// What a ply did, and what is known of it.
#[derive(Clone)]
struct Ply {
    /// The men that the move put down and took up.
    change: Change<(Piece, Square)>,
    /// For each colour its view's frame after the move.
    frames: [u8; 2],
    /// For each colour whether its sums are worked out.
    ready: [bool; 2],
}

impl Ply {
    /// After a move of which only this is known.
    #[inline(always)]
    fn new(change: Change<(Piece, Square)>, frames: [u8; 2]) -> Ply {
        Ply { change, frames, ready: [false; 2] }
    }
}

/// The first layer's sums for each ply of a line, and the evaluation of its last position.
///
/// The caller keeps it in step with the positions: [`Self::reset`] at the root, [`Self::push`] for each move and
/// [`Self::pop`] when it is taken back.
pub struct Accumulators {
    network: Arc<Network>,
    kernel: &'static dyn Kernel,
    plies: Vec<Ply>,
    /// The ply of the present position.
    top: usize,
    /// For each ply White's sums, then Black's.
    sums: Vec<Block>,
    refresher: Refresher,
}

impl Accumulators {
    /// For this network, with this processor's best kernel.
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with_kernel(network, kernels::best())
    }

    /// For this network and kernel.
    pub fn with_kernel(network: Arc<Network>, kernel: &'static dyn Kernel) -> Accumulators {
        let blocks = network.shape().blocks();
        Accumulators {
            kernel,
            plies: vec![Ply::new(Change::Nothing, [0; 2]); PLIES],
            top: 0,
            sums: vec![Block::ZERO; PLIES * 2 * blocks],
            refresher: Refresher::new(&network),
            network,
        }
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a new line, whose first position is told by the first evaluation or move.
    pub fn reset(&mut self) {
        self.top = 0;
        self.plies[0].ready = [false; 2];
    }

    /// Notes a legal move. When there is no room for another ply the line begins anew, which costs time only; but then
    /// [`Self::pop`] must not go further back.
    #[inline]
    pub fn push(&mut self, before: &Position, mv: Move, after: &Position) {
        self.enter(Ply::new(change(before, mv), frames(views(after))));
    }

    /// Notes that the side to move passed.
    pub fn push_null(&mut self) {
        self.enter(Ply::new(Change::Nothing, self.plies[self.top].frames));
    }

    #[inline(always)]
    fn enter(&mut self, ply: Ply) {
        if self.top + 1 == PLIES {
            self.reset();
        }
        self.top += 1;
        self.plies[self.top] = ply;
    }

    /// Takes the last move back.
    #[inline(always)]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0);
        self.top = self.top.saturating_sub(1);
    }

    /// The evaluation of the present position, which must be the one that the moves led to, from the side to move's
    /// view.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let bucket = self.network.shape().bucket(position.occupied().count());
        self.evaluate_bucket(position, bucket)
    }

    /// The same with the output weights of `bucket`.
    pub fn evaluate_bucket(&mut self, position: &Position, bucket: usize) -> i32 {
        self.prepare(position);
        let (side, rows) = (position.side_to_move(), Rows::new(&self.sums, self.length()));
        let sums = [side, !side].map(|color| rows.row(2 * self.top + color.index()));
        let weights = [0, 1].map(|half| self.network.output_row(bucket, half));
        self.network.finish(self.kernel.output(sums, weights), bucket)
    }

    /// Works out the sums of both views at the present ply.
    #[inline(always)]
    fn prepare(&mut self, position: &Position) {
        let views = views(position);
        self.plies[self.top].frames = frames(views);
        let ready = Color::ALL.map(|color| self.last_ready(position, color));
        // Mostly both are as old; what one alone lacks comes first.
        let [white, black] = ready;
        for ply in white + 1..=black {
            self.advance(ply, &views[..1]);
        }
        for ply in black + 1..=white {
            self.advance(ply, &views[1..]);
        }
        for ply in white.max(black) + 1..=self.top {
            self.advance(ply, &views);
        }
    }

    /// The last ply whose sums of a view are worked out. If none is of use, those of the present ply come from the
    /// refresher.
    #[inline(always)]
    fn last_ready(&mut self, position: &Position, color: Color) -> usize {
        let index = color.index();
        let frame = self.plies[self.top].frames[index];
        let mut ready = self.top;
        while !self.plies[ready].ready[index] {
            // No use above a ply at which the view was another, nor above the first.
            if ready == 0 || self.plies[ready - 1].frames[index] != frame {
                self.refresh(position, color);
                return self.top;
            }
            ready -= 1;
        }
        ready
    }

    #[inline(never)]
    fn refresh(&mut self, position: &Position, color: Color) {
        let length = self.length();
        let sums = self.refresher.sums(&self.network, self.kernel, position, color);
        self.sums[(2 * self.top + color.index()) * length..][..length].copy_from_slice(sums);
        self.plies[self.top].ready[color.index()] = true;
    }

    /// The sums of a ply from those of the ply before, for one view or both.
    #[inline(always)]
    fn advance(&mut self, ply: usize, views: &[View]) {
        let length = self.length();
        let first = views[0].color().index() * length;
        let (before, after) = self.sums.split_at_mut(2 * ply * length);
        let from = &before[2 * (ply - 1) * length + first..][..views.len() * length];
        let to = &mut after[first..][..views.len() * length];
        let entry = &mut self.plies[ply];
        let mut changes = [Change::Nothing; 2];
        for (change, view) in changes.iter_mut().zip(views) {
            entry.ready[view.color().index()] = true;
            *change = entry.change.map(|(piece, square)| view.input(piece, square));
        }
        self.kernel.update(self.network.input_rows(), from, to, &changes[..views.len()]);
    }

    /// Blocks of one view's sums.
    #[inline(always)]
    fn length(&self) -> usize {
        self.network.shape().blocks()
    }
}

/// The men that a legal move puts down and takes up.
#[inline(always)]
fn change(before: &Position, mv: Move) -> Change<(Piece, Square)> {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = before.piece_on(from) else { return Change::Nothing };
    if mv.is_castling() {
        let rook = Piece::new(piece.color(), PieceType::Rook);
        let down = [(piece, mv.lands_on()), (rook, mv.castling_side().rook_target(piece.color()))];
        return Change::Castling { down, up: [(piece, from), (rook, to)] };
    }
    let down = (mv.promotion().map_or(piece, |kind| Piece::new(piece.color(), kind)), to);
    let up = (piece, from);
    if !mv.is_capture() {
        return Change::Move { down, up };
    }
    let square = if mv.is_en_passant() { en_passant_victim(to) } else { to };
    match before.piece_on(square) {
        Some(victim) => Change::Capture { down, up: [up, (victim, square)] },
        None => Change::Move { down, up },
    }
}

/// Both views of a position.
#[inline(always)]
fn views(position: &Position) -> [View; 2] {
    Color::ALL.map(|color| View::new(color, position.king(color)))
}

/// The frames of both views, as a ply keeps them.
#[inline(always)]
fn frames(views: [View; 2]) -> [u8; 2] {
    views.map(|view| view.frame() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{Shape, sample};

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
        let network = Arc::new(sample(Shape { hidden: 96, buckets: 8 }, 11));
        let positions = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
            "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
        ];
        for kernel in kernels::available() {
            let mut accumulators = Accumulators::with_kernel(Arc::clone(&network), kernel);
            let mut count = 0;
            for fen in positions {
                accumulators.reset();
                walk(&mut accumulators, &fen.parse().unwrap(), 2, &mut count);
            }
            assert!(count > 3000);
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
