//! Evaluation: what a position is worth when nothing is searched. One small network says it.

pub mod accumulator;
mod embedded;
mod file;
pub mod kernels;
pub mod network;
pub mod output;
pub mod picture;
pub mod refresh;
pub mod view;
pub mod weights;

pub use accumulator::Accumulators;
pub use embedded::default_network;
pub use network::{Network, NetworkError};

use crate::chess::Position;
use crate::score::Score;

/// The static evaluation of `position`, the last of the accumulators' line, in centipawns from the side to move's view.
/// As the fifty-move limit comes nearer, an advantage is worth less.
#[inline]
pub fn evaluate(accumulators: &mut Accumulators, position: &Position) -> Score {
    let value = evaluate_unscaled(accumulators, position).raw();
    Score::cp(value * (220 - position.halfmove_clock().min(100) as i32) / 220)
}

/// The output of the network alone, without the fifty-move scaling of [`evaluate`]; in centipawns from the side to move's
/// view.
#[inline]
pub fn evaluate_unscaled(accumulators: &mut Accumulators, position: &Position) -> Score {
    let value = accumulators.evaluate(position);
    // In debug builds one position in 64 is evaluated from scratch as well; that is slow.
    debug_assert!(!position.key().is_multiple_of(64) || value == accumulators.network().evaluate(position));
    Score::cp(value)
}
