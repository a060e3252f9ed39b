//! One game between two engine processes.

pub mod adjudicate;
pub mod bad_engine;
pub mod game;
pub mod limits;
pub mod log;
pub mod openings;
pub mod pgn;
pub mod player;
pub mod random;
pub mod reader;
pub mod spec;
pub mod think;
