//! Tamarack's tools: matches, their statistics, tuning, training data, the trainer. Each module uses only modules further
//! down in this list (the files of `data` that search old games again, and its command line, also use `datagen`):
//!
//! - [`release`]: makes the folder of a release; [`net`]: puts a network in its place; [`mod@positions`]: positions for judging; [`judge`],
//!   [`labels`]: compare networks and labels with a stronger engine;
//! - [`datagen`]: games of the engine against itself; [`data`]: files of games and records;
//! - [`average`]: makes one network of several; [`train`]: the network's trainer, records in, weights out;
//! - [`mod@tune`]: SPSA tuning of the search's numbers by games; [`mod@matches`]: many games, Elo, SPRT, reports;
//! - [`fuzz`]: random sessions with the engine, judged by an independent referee;
//! - [`speed`], [`scaling`], [`suite`]: nodes a second of two versions, the gain by threads, positions with known best moves;
//! - [`play`]: one game between engine processes: UCI, clocks, openings, the referee, PGN;
//! - [`magics`]: the multipliers of the engine's magic bitboards; [`plot`]: charts as SVG; [`epd`]: EPD files; the
//!   logistic function, medians, locked files, the machine in words, differences of descriptions.
//!
//! The order of the files is in tests/house.rs. The rules are refereed by shakmaty, so that an error in our own move
//! generator cannot hide here.

pub mod average;
pub mod data;
pub mod datagen;
mod differences;
pub mod epd;
pub mod fuzz;
pub mod judge;
pub mod labels;
mod lock;
mod logistic;
mod machine;
pub mod magics;
pub mod matches;
pub mod net;
pub mod play;
pub mod plot;
pub mod positions;
pub mod release;
pub mod scaling;
pub mod speed;
mod statistics;
pub mod suite;
pub mod train;
pub mod tune;
