//! The threads (lazy SMP): the pool that keeps them, the main thread's work, and the vote on the move to play.
//!
//! Arrows: pool → job → main_thread → vote; {pool, job} → running; pool → start (where there are no threads, local) → numa;
//! pool → error. All use iterative deepening and what stands below it.

pub mod error;
mod job;
mod main_thread;
pub mod numa;
pub mod pool;
mod running;
#[cfg_attr(single_threaded, path = "local.rs")]
mod start;
mod vote;
