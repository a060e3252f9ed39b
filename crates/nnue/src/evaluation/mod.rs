//! The evaluation of positions.

pub mod accumulator;
pub mod features;
pub mod kernels;
pub mod network;
pub mod pawn_pairs;
pub mod refresh_table;
pub mod threats;
pub mod trace;
pub mod wdl;
pub mod weights;

pub use accumulator::Accumulators;
pub use network::Network;
