//! Internal to Tamarack: the interface follows the engine and may change with every version.
//!
//! Tamarack's efficiently updatable neural network (NNUE, Yu Nasu 2018): positions in, centipawns out. It knows the rules of
//! chess and nothing of the search; weights come from a file ([`mod@file`]), which `tools train` writes.
//!
//! Each file uses those above it: [`error`] · [`architecture`] (inputs, king buckets, shape, quantisation) · [`parts`]
//! (weights and their bounds) · [`mod@file`] (the network's file). The rest, the feature `evaluation`, is in the folder of that
//! name: [`weights`] (cache lines) · [`threats`] (threatened pieces) ·
//! [`features`] (perspectives, the difference that a move makes) · [`kernels`] (the loops, for each instruction set) ·
//! [`pawn_pairs`] · [`network`] · [`refresh_table`] · [`accumulator`] · [`wdl`] (win-rate model) · [`trace`].

pub mod architecture;
pub mod error;
#[cfg(feature = "evaluation")]
mod evaluation;
pub mod file;
pub mod parts;

pub use error::NetworkError;
#[cfg(feature = "evaluation")]
pub use evaluation::*;
