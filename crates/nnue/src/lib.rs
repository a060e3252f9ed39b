//! Tamarack's efficiently updatable neural network (NNUE, Yu Nasu 2018): positions in, centipawns out. It knows the rules of
//! chess and nothing of the search; weights come from a file ([`mod@file`]), which `tools train` writes.
//!
//! Each file uses those above it: [`error`] · [`architecture`] (inputs, king buckets, shape, quantisation) · [`parts`]
//! (weights and their bounds) · [`mod@file`] (the network's file) · [`weights`] (cache lines) · [`layers`] (the small layers
//! before the output) · [`threats`] (threatened pieces) · [`features`] (perspectives, the difference that a move makes) ·
//! [`kernels`] (the loops, for each instruction set) · [`pawn_pairs`] · [`network`] · [`refresh_table`] · [`accumulator`] ·
//! [`wdl`] (win-rate model) · [`trace`]. Without the feature `evaluation` there is the file and what it needs.

#[cfg(feature = "evaluation")]
pub mod accumulator;
pub mod architecture;
pub mod error;
#[cfg(feature = "evaluation")]
pub mod features;
pub mod file;
#[cfg(feature = "evaluation")]
pub mod kernels;
#[cfg(feature = "evaluation")]
pub mod layers;
#[cfg(feature = "evaluation")]
pub mod network;
pub mod parts;
#[cfg(feature = "evaluation")]
pub mod pawn_pairs;
#[cfg(feature = "evaluation")]
pub mod refresh_table;
#[cfg(feature = "evaluation")]
pub mod threats;
#[cfg(feature = "evaluation")]
pub mod trace;
#[cfg(feature = "evaluation")]
pub mod wdl;
#[cfg(feature = "evaluation")]
pub mod weights;

#[cfg(feature = "evaluation")]
pub use accumulator::Accumulators;
pub use error::NetworkError;
#[cfg(feature = "evaluation")]
pub use network::Network;
