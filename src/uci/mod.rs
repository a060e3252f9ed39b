//! The Universal Chess Interface (Meyer-Kahlen, Huber), for GUIs and for the command line.
//!
//! A thread reads lines and parses them into [`Command`]s; the [`Engine`] executes them; searches and background jobs
//! print from their own threads. Everything is printed through one [`Output`].
//!
//! A file uses only files further left:
//! error, tokens, log, options (its `mod.rs` names its files), command, parse, game, output, format, listener, job, input, queue, node_clock, engine, mod.
//! From outside: commands, search, tablebase, eval, chess, score, tunable.

mod command;
mod engine;
mod error;
mod format;
mod game;
mod input;
mod job;
mod listener;
mod log;
mod node_clock;
mod options;
mod output;
mod parse;
mod queue;
mod tokens;

pub use command::{Command, Go, Start};
pub use engine::Engine;
pub use error::CommandError;
pub use input::{InputLine, MAX_LINE};
pub use log::DebugLog;
pub use options::{
    DEFAULT_HASH, MAX_HASH, MAX_THREADS, Message, OptionError, Options, UciOption, UciSettings,
};
pub use output::{ErrorStyle, Output};

use crate::search::PoolError;
use crossbeam::channel::bounded;
use nnue::kernels;
use platform::timeslice::request_short_timeslice;
use std::io::IsTerminal;

/// The number of lines that are read before the engine has seen them.
const LINES_AHEAD: usize = 2;

/// The first line for a person at a terminal.
const GREETING: &str = concat!(
    "Tamarack ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine for use in a GUI; 'help' lists its commands, 'quit' ends it"
);

/// Serves the user of the standard input and output streams until `quit` or the end of the input.
///
/// # Errors
/// If the system has no memory for the transposition table, or no threads.
pub fn run() -> Result<(), StartError> {
    let (sender, lines) = bounded(LINES_AHEAD);
    let output = Output::standard(ErrorStyle::InfoString);
    let mut engine = Engine::new(output.clone())?;
    if std::io::stdin().is_terminal() {
        output.line(GREETING);
        engine = engine.at_terminal();
    }
    kernels::choice_problem().into_iter().for_each(|problem| output.error(problem));
    std::thread::Builder::new().name("input".to_string()).spawn(move || {
        request_short_timeslice();
        input::read(std::io::stdin().lock(), &sender);
    })?;
    // `stop` goes from the input to this thread, and both would wait behind the searching ones.
    request_short_timeslice();
    engine.run(&lines);
    Ok(())
}

/// Executes `commands` up to the first `quit`, each after the one before has finished. Returns whether there was no error.
///
/// # Errors
/// If the system has no memory for the transposition table, or no threads.
pub fn run_commands(commands: Vec<Command>) -> Result<bool, StartError> {
    let output = Output::standard(ErrorStyle::StandardError);
    let engine = Engine::new(output.clone())?;
    kernels::choice_problem().into_iter().for_each(|problem| output.error(problem));
    // `quit` would not wait for a search before it.
    let commands = commands.into_iter().take_while(|command| *command != Command::Quit);
    engine.run_commands(commands);
    Ok(!output.had_errors())
}

/// The reason why the engine cannot start.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StartError {
    #[error("{0}")]
    Pool(#[from] PoolError),
    #[error("no thread to read the input: {0}")]
    Thread(#[from] std::io::Error),
}
