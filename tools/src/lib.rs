//! Tamarack's laboratory: matches between engines and the statistics that judge them.
//!
//! - [`play`]: one game: engine processes, clocks, openings, the referee, PGN.
//! - [`matches`]: many games: schedule, runner, statistics, reports.
//! - [`magics`]: the multipliers of the engine's magic bitboards.
//!
//! The rules are refereed by shakmaty, so that an error in our own move generator cannot hide here.

pub mod magics;
pub mod matches;
pub mod play;
