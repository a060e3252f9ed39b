//! Tools of the engine that are no search of a game. They return what they find; the caller prints.

pub mod bench;
pub mod eval;
pub mod perft;
