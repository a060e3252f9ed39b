//! Tamarack.
pub mod chess;
pub mod commands;
pub mod eval;
pub mod platform;
pub mod score;
pub mod search;
pub mod tunable;
pub mod uci;
