//! The static evaluation: the built-in network, mop-up against a lone king, and the scaling by the fifty-move counter.

#[cfg(not(target_family = "wasm"))]
mod embedded;
#[cfg(target_family = "wasm")]
mod given;
mod lone_king;

#[cfg(not(target_family = "wasm"))]
pub use embedded::default_network;
#[cfg(target_family = "wasm")]
pub use given::{default_network, give_network};
pub use lone_king::mates_lone_king;

use crate::score::{MAX_PLY, Score};
use chess::Position;
use nnue::Accumulators;

/// The deepest line of the search, and some plies that a caller may look ahead, fit into the accumulators.
const _: () = assert!(MAX_PLY + 10 <= nnue::accumulator::MAX_PLIES);

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
