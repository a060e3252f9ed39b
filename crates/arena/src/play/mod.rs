//! One game between two engine processes.
//!
//! Each file uses only files before it in this list:
//!
//! - [`log`]: the conversation with the engines; [`limits`]: clocks and other limits; [`spec`]: an engine as the command
//!   line names it;
//! - [`waits`]: waiting for a processor; [`reader`]: an engine's output; [`player`]: the process; [`think`]: one move of it;
//! - [`opening`]: one opening; [`pgn_book`]: those of PGN files; [`openings`]: books and random openings; [`adjudicate`]: early ends by scores and tablebases;
//!   [`legality`]: the referee's judgement of moves and lines;
//! - [`game`]: one game under the referee shakmaty; [`pgn`]: games as text;
//!
//! From outside they use the small tools ([`crate::epd`]), and the engine's rules of chess and random numbers.

pub mod adjudicate;
pub mod game;
pub mod legality;
pub mod limits;
pub mod log;
pub mod opening;
pub mod openings;
pub mod pgn;
pub mod pgn_book;
pub mod player;
pub mod reader;
pub mod spec;
pub mod think;
pub mod waits;
