//! The values that options set, and the parts of the engine that they act on.

use super::log::DebugLog;
use crate::search::{self, DEFAULT_ELO, Pool, PoolError, SearchOptions, Strength, TOP_SKILL_LEVEL};
use chess::CastlingNotation;
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
    /// True if of each search only the last lines and the best move are printed.
    pub minimal: bool,
    /// `UCI_LimitStrength`, `UCI_Elo` and `Skill Level`.
    pub level: Level,
    /// The copy of all input and output.
    pub log: DebugLog,
    /// The options that were last set by their full name, not by their alias of one word, and to another value than the
    /// default.
    pub set_by_name: HashSet<&'static str>,
    /// Messages to the user about the option that was set last.
    pub messages: Vec<Message>,
}

/// The options of limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// True if `elo` holds.
    pub limit_strength: bool,
    /// The strength as Elo.
    pub elo: i32,
    /// The strength as skill level, which holds if it is below [`TOP_SKILL_LEVEL`] and `limit_strength` is false.
    pub skill_level: i32,
}

impl Default for Level {
    fn default() -> Level {
        Level { limit_strength: false, elo: DEFAULT_ELO, skill_level: TOP_SKILL_LEVEL }
    }
}

impl Level {
    /// The limits of the search; `None` for full strength.
    pub fn strength(&self) -> Option<Strength> {
        match self.limit_strength {
            true => Some(Strength::of_elo(self.elo)),
            false => Strength::of_skill_level(self.skill_level),
        }
    }
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
            minimal: false,
            level: Level::default(),
            log: DebugLog::default(),
            set_by_name: HashSet::new(),
            messages: Vec::new(),
        })
    }
}
