//! Tamarack, a UCI chess engine. Each module uses only modules that stand below it in this list:
//!
//! - [`uci`]: the protocol: commands, options, output, the search or job under way.
//! - [`commands`]: the commands that also work from the command line: `bench`, `speedtest`, `perft`, `eval`.
//! - [`search`]: principal variation search by several threads with a shared transposition table: move ordering, histories,
//!   pruning, reductions, extensions, time management.
//! - [`eval`]: the static evaluation: the built-in network, mop-up, the fifty-move counter.
//! - [`tablebase`]: Syzygy tablebases: outcomes (WDL) and distances (DTZ) of positions with few pieces.
//! - [`score`]: centipawns, mate and tablebase scores; [`tunable`]: the numbers of the search that `tools tune` changes.
//!
//! Below them are crates of their own: [`nnue`], the network; [`chess`], the rules; `platform`, memory pages, processors.

pub use {chess, nnue};

pub mod commands;
pub mod eval;
pub mod score;
pub mod search;
pub mod tablebase;
pub mod tunable;
pub mod uci;
