//! Tamarack's laboratory: matches between engines and the statistics that judge them.
//!
//! - [`play`]: one game: engine processes, clocks, openings, the referee, PGN.
//! - [`suite`]: positions with known best moves; [`epd`]: their files.
//! - [`scaling`]: what more threads bring; [`speed`]: which of two versions is faster.
//! - [`plot`]: curves and bars as SVG.
//! - [`magics`]: the multipliers of the engine's magic bitboards.
//! - [`mod@matches`]: many games: schedule, runner, statistics, reports.
//! - [`datagen`]: games of the engine against itself; [`data`]: files of games and records.
//! - [`train`]: the network's trainer: records in, weights out; [`average`] makes one network of several, [`judge`] tells
//!   them apart, [`labels`] tells what they are taught is worth, [`net`] puts one in its place.
//! - [`tune`]: the search's numbers, tuned by games.
//!
//! The rules are refereed by shakmaty, so that an error in our own move generator cannot hide here.

pub mod average;
mod chess960;
pub mod data;
pub mod datagen;
mod differences;
pub mod epd;
pub mod judge;
pub mod labels;
mod logistic;
pub mod magics;
pub mod matches;
pub mod net;
pub mod play;
pub mod plot;
pub mod random;
pub mod scaling;
pub mod speed;
mod statistics;
pub mod suite;
pub mod train;
pub mod tune;
