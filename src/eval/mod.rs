//! Evaluation: the static value of a position by an efficiently updatable neural network (NNUE).
//!
//! Each file may use those above it: [`error`] · [`architecture`] (inputs, king buckets, shape, quantisation) ·
//! [`parts`] (weights and their bounds) · `file` (the network's file) · [`weights`] (cache lines) · [`layers`] (the small
//! layers before the output) · [`threats`] (threatened pieces) · [`features`] (perspectives, the difference that a move
//! makes) · [`kernels`] (the loops, for each instruction set) · [`pawn_pairs`] · [`network`] · `embedded` (the built-in
//! network) · `lone_king` (mop-up) · [`refresh_table`] · [`accumulator`] · [`wdl`] (win-rate model) · [`trace`]. The first
//! four use the standard library alone, because `build.rs` compiles them too; the others may use chess, score and platform.

pub mod accumulator;
pub mod architecture;
mod embedded;
pub mod error;
pub mod features;
pub mod file;
pub mod kernels;
pub mod layers;
mod lone_king;
pub mod network;
pub mod parts;
pub mod pawn_pairs;
pub mod refresh_table;
pub mod threats;
pub mod trace;
pub mod wdl;
pub mod weights;

pub use accumulator::Accumulators;
pub use embedded::default_network;
pub use error::NetworkError;
pub use network::Network;

use crate::chess::Position;
use crate::score::Score;

/// The static evaluation of `position`, the last of the line of `accumulators`, in internal centipawns from the side to
/// move's view. It shrinks as the fifty-move limit comes nearer, to 120/220 at the limit. Against a lone king
/// mop-up takes the network's place, without that scaling: it would outweigh the way to the corner.
#[inline]
pub fn evaluate(accumulators: &mut Accumulators, position: &Position) -> Score {
    if let Some(value) = lone_king::lone_king_eval(position) {
        return Score::cp(value);
    }
    let value = evaluate_unscaled(accumulators, position).raw();
    Score::cp(value * (220 - position.halfmove_clock().min(100) as i32) / 220)
}

/// The network's output alone, in internal centipawns from the side to move's view: [`evaluate`] without the fifty-move
/// scaling.
#[inline]
pub fn evaluate_unscaled(accumulators: &mut Accumulators, position: &Position) -> Score {
    let value = accumulators.evaluate(position);
    // In debug builds one position in 64 is evaluated from scratch as well; that is slow.
    debug_assert!(!position.key().is_multiple_of(64) || value == accumulators.network().evaluate(position));
    Score::cp(value)
}
