//! The threads (lazy SMP): the pool that keeps them, the main thread's work, and the vote on the move to play.
//!
//! Arrows: pool → main_thread → vote; all use iterative deepening and what lies below it.

mod main_thread;
pub mod pool;
mod vote;
