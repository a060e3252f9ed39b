//! Evaluation: what a position is worth when nothing is searched.

pub mod accumulator;
mod classical;
mod file;
pub mod kernels;
pub mod network;
pub mod output;
pub mod picture;
pub mod refresh;
mod terms;
pub mod weights;

pub use classical::{evaluate, explain};
