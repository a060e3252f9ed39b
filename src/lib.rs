//! Tamarack, a UCI chess engine. From the front to the ground, each using only what stands below it:
//!
//! - [`uci`]: the protocol: lines in, lines out, options, what is under way.
//! - [`commands`]: what can also be asked from the command line: `bench`, `perft`, `eval`.
//! - [`search`]: principal variation search by several threads: the table they share, histories, pruning, reductions, clock.
//! - [`eval`]: the network: inputs, weights, the vector kernels, the sums kept from move to move, what users are shown.
//! - [`chess`]: positions, moves, attacks, exchanges, repetitions, FEN and SAN.
//! - [`tablebase`]: Syzygy tables: what perfect play comes to when few pieces are left.
//! - [`score`]: what a position is worth, mates included; [`tunable`]: the numbers of the search that `tools tune` changes;
//!   [`platform`]: processors, memory pages.

pub mod chess;
pub mod commands;
pub mod eval;
pub mod platform;
pub mod score;
pub mod search;
pub mod tablebase;
pub mod tunable;
pub mod uci;
