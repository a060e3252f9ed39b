//! The errors of the pool.

use crate::search::memory::tt::TtError;
use thiserror::Error;

/// There is nothing to search with.
#[derive(Debug, Error)]
pub enum PoolError {
    /// Not even one thread.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// No table.
    #[error(transparent)]
    TranspositionTable(#[from] TtError),
}

/// The system does not give as many threads as were asked for; the search goes on with those that there are.
#[derive(Debug, Error)]
#[error("cannot start {wanted} threads, using {started}: {reason}")]
pub struct ThreadsError {
    /// The number asked for.
    pub wanted: usize,
    /// The number that there are.
    pub started: usize,
    /// The system's reason.
    pub reason: std::io::Error,
}
