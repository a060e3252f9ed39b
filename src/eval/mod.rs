//! Evaluation: what a position is worth when nothing is searched.

mod classical;
mod terms;

pub use classical::{evaluate, explain};
