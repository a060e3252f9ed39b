//! A small generator with a fixed output for a seed.

pub use crate::play::random::Random;
