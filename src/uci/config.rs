//! The values that options set, and the parts of the engine that they act on.

use super::log::DebugLog;
use crate::chess::CastlingNotation;
use crate::search::{self, Pool, PoolError, SearchOptions};
use std::collections::HashSet;

/// The largest transposition table in MiB: 32 TiB.
pub const MAX_HASH: i64 = 33_554_432;

/// The default transposition table in MiB.
pub const DEFAULT_HASH: i64 = 16;

/// The greatest number of threads.
pub const MAX_THREADS: i64 = search::MAX_THREADS as i64;

/// The configuration of the engine.
pub struct Config {
    /// The search threads and the transposition table.
    pub pool: Pool,
    /// The options of each search.
    pub search_options: SearchOptions,
    /// The notation of castling moves.
    pub notation: CastlingNotation,
    /// True if the chances of win, draw and loss are printed beside the score.
    pub show_wdl: bool,
    /// The copy of all input and output.
    pub log: DebugLog,
    /// The options that were set by their full name, not by their alias of one word.
    pub set_by_name: HashSet<&'static str>,
    /// Messages to the user about the option that was set last.
    pub messages: Vec<Message>,
}

/// A message about an option that has been set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Information.
    Info(String),
    /// Something that did not work as the user may have wanted.
    Error(String),
}

impl Config {
    /// The default configuration.
    ///
    /// # Errors
    /// If the system has no memory for the transposition table, or no thread.
    pub fn new() -> Result<Config, PoolError> {
        Ok(Config {
            pool: Pool::new(DEFAULT_HASH as usize)?,
            search_options: SearchOptions::default(),
            notation: CastlingNotation::KingTarget,
            show_wdl: false,
            log: DebugLog::default(),
            set_by_name: HashSet::new(),
            messages: Vec::new(),
        })
    }
}
