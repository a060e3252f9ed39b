//! Tamarack's efficiently updatable neural network (NNUE, Yu Nasu 2018): positions in, centipawns out. It knows the rules of
//! chess and nothing of the search; weights come from a file ([`mod@file`]), which `tools train` writes.
//!
//! Each file uses those above it: [`error`] · [`architecture`] (inputs, king buckets, shape, quantisation) · [`parts`]
//! (weights and their bounds) · [`mod@file`] (the network's file) · [`weights`] (cache lines) · [`layers`] (the small layers
//! before the output) · [`threats`] (threatened pieces) · [`features`] (perspectives, the difference that a move makes) ·
//! [`kernels`] (the loops, for each instruction set) · [`pawn_pairs`] · [`network`] · [`refresh_table`] · [`accumulator`] ·
//! [`wdl`] (win-rate model) · [`trace`].

pub mod accumulator;
pub mod architecture;
pub mod error;
pub mod features;
pub mod file;
pub mod kernels;
pub mod layers;
pub mod network;
pub mod parts;
pub mod pawn_pairs;
pub mod refresh_table;
pub mod threats;
pub mod trace;
pub mod wdl;
pub mod weights;

pub use accumulator::Accumulators;
pub use error::NetworkError;
pub use network::Network;
