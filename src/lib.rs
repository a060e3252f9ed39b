//! Tamarack.
pub mod chess;
