//! The data that a search keeps: the shared transposition table, and each thread's histories, corrections, stack and
//! principal variations. Histories learn in [`super::node::update`].
//!
//! Arrows: {correction, stack} → history; tt and pv stand alone.

pub mod correction;
pub mod history;
pub mod pv;
pub mod stack;
pub mod tt;
