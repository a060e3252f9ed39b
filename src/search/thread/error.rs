//! The errors of the pool.

use crate::search::memory::tt::TtError;
use thiserror::Error;

/// The pool cannot be made.
#[derive(Debug, Error)]
pub enum PoolError {
    /// No thread could be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// No memory for a network.
    #[error("no memory for the network: {0}")]
    Network(std::io::Error),
    /// No memory for the table.
    #[error(transparent)]
    TranspositionTable(#[from] TtError),
}

/// The system gives fewer threads than were asked for; the pool uses those that have started.
#[derive(Debug, Error)]
#[error("cannot start {wanted} threads, using {started}: {reason}")]
pub struct ThreadsError {
    /// The number asked for.
    pub wanted: usize,
    /// The number started.
    pub started: usize,
    /// The system's reason.
    pub reason: std::io::Error,
}
