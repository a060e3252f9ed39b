//! The commands beside UCI: `bench`, `eval`, `perft`, `genfens`, `speedtest`, `export_net`, `savehash`, `loadhash`, `help`,
//! `license` and `compiler`. They return their results; the caller prints them.
//!
//! The files do not use each other. From outside: search, tablebase, eval, chess, score, platform, random.

pub mod about;
pub mod bench;
pub mod eval;
pub mod export;
pub mod genfens;
pub mod hash_file;
pub mod perft;
pub mod speedtest;
