//! The commands beside UCI: `bench`, `eval`, `perft`, `speedtest`, `help`, `license` and `compiler`. They return their results; the caller prints them.
//!
//! The files do not use each other. From outside: search, eval, platform, chess, score.

pub mod about;
pub mod bench;
pub mod eval;
pub mod perft;
pub mod speedtest;
