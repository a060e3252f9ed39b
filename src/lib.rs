//! Tamarack, a UCI chess engine. Each module uses only modules that stand below it in this list:
//!
//! - [`uci`]: the protocol: commands, options, output, the search or job under way.
//! - [`commands`]: the commands that also work from the command line: `bench`, `speedtest`, `perft`, `eval`.
//! - [`search`]: principal variation search by several threads with a shared transposition table: move ordering, histories,
//!   pruning, reductions, extensions, time management.
//! - [`eval`]: the network (NNUE): features, weights, SIMD kernels, the accumulator updated move by move, the trace of `eval`.
//! - [`tablebase`]: Syzygy tablebases: outcomes (WDL) and distances (DTZ) of positions with few pieces.
//! - [`chess`]: positions, moves, attacks, move generation, static exchange evaluation, repetitions, FEN.
//! - [`score`]: centipawns, mate and tablebase scores; [`tunable`]: the numbers of the search that `tools tune` changes;
//!   [`platform`]: processor features and memory pages; [`random`]: pseudo-random numbers.

pub mod chess;
pub mod commands;
pub mod eval;
pub mod platform;
pub mod random;
pub mod score;
pub mod search;
pub mod tablebase;
pub mod tunable;
pub mod uci;
