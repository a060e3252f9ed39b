//! Evaluation: what a position is worth when nothing is searched.

mod classical;
mod file;
pub mod network;
mod terms;
pub mod weights;

pub use classical::{evaluate, explain};
