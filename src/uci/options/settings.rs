//! The values that options set, by which searches and their output go.

use crate::search::{self, DEFAULT_ELO, SearchOptions, Strength, TOP_SKILL_LEVEL};
use crate::uci::log::DebugLog;
use chess::CastlingNotation;

/// The largest transposition table in MiB: 32 TiB.
pub const MAX_HASH: i64 = 33_554_432;

/// The default transposition table in MiB.
pub const DEFAULT_HASH: i64 = 16;

/// The greatest number of threads.
pub const MAX_THREADS: i64 = search::MAX_THREADS as i64;

/// The values that options have set.
#[derive(Default)]
pub struct UciSettings {
    /// The options of each search but for its strength, which comes from `level`.
    pub search: SearchOptions,
    /// `UCI_Chess960`.
    pub chess960: bool,
    /// True if the chances of win, draw and loss are printed beside the score.
    pub show_wdl: bool,
    /// True if of each search only the last lines and the best move are printed.
    pub minimal: bool,
    /// `UCI_LimitStrength`, `UCI_Elo` and `Skill LevelOptions`.
    pub level: LevelOptions,
    /// The copy of all input and output.
    pub log: DebugLog,
    /// The file whose table the option `Load Hash` has loaded last.
    pub loaded_hash: String,
}

impl UciSettings {
    /// The notation of castling moves.
    pub fn notation(&self) -> CastlingNotation {
        if self.chess960 { CastlingNotation::KingTakesRook } else { CastlingNotation::KingTarget }
    }
}

/// The options of limited strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelOptions {
    /// True if `elo` holds.
    pub limit_strength: bool,
    /// The strength as Elo.
    pub elo: i32,
    /// The strength as skill level, which holds if it is below [`TOP_SKILL_LEVEL`] and `limit_strength` is false.
    pub skill_level: i32,
    /// The seed of all draws, with which nothing waits on the clock; `None` for another game each time.
    pub seed: Option<u64>,
}

impl Default for LevelOptions {
    fn default() -> LevelOptions {
        LevelOptions { limit_strength: false, elo: DEFAULT_ELO, skill_level: TOP_SKILL_LEVEL, seed: None }
    }
}

impl LevelOptions {
    /// The limits of the search; `None` for full strength. `game_seed` decides the draws of this game if the user has set no seed.
    pub fn strength(&self, game_seed: u64) -> Option<Strength> {
        let strength = match self.limit_strength {
            true => Strength::of_elo(self.elo),
            false => Strength::of_skill_level(self.skill_level)?,
        };
        Some(strength.with_draws(self.seed.unwrap_or(game_seed), self.seed.is_none()))
    }
}
