//! Games between UCI engines and what is learned from them. It knows the rules of chess and nothing of Tamarack: any UCI
//! engine can play.
//!
//! - [`mod@tune`]: SPSA tuning of an engine's numbers by games; [`mod@matches`]: many games, Elo, SPRT, reports;
//! - [`speed`], [`scaling`], [`suite`]: nodes a second of two versions, the gain by threads, positions with known best moves;
//! - [`play`]: one game between engine processes: UCI, clocks, openings, the referee, PGN;
//! - [`plot`]: charts as SVG; [`epd`]: EPD files; [`logistic`], [`statistics`], [`lock`] (locked files), [`machine`] (its
//!   description), [`differences`] (of descriptions), [`mod@progress`] (bars), [`threads`].
//!
//! The rules are refereed by shakmaty, so that an error in our own move generator cannot hide here.

pub mod differences;
pub mod epd;
pub mod lock;
pub mod logistic;
pub mod machine;
pub mod matches;
pub mod play;
pub mod plot;
pub mod progress;
pub mod scaling;
pub mod speed;
pub mod statistics;
pub mod suite;
pub mod threads;
pub mod tune;
