//! The Universal Chess Interface (Meyer-Kahlen, Huber), and the same commands from the prompt.
//!
//! A thread reads lines and makes [`Command`]s of them; the [`Engine`] obeys; the search and the tools report from
//! their own threads. All that is said goes through one [`Output`].

mod command;
mod engine;
mod game;
mod job;
mod options;
mod output;
mod report;
mod words;

pub use command::{Command, CommandError, Go, Start};
pub use engine::{Engine, Event, Line};
pub use options::{
    Configuration, DEFAULT_HASH, Kind, MAX_HASH, MAX_THREADS, Note, OptionError, Options, SetNumber,
    UciOption,
};
pub use output::{Complaints, Output};

use crate::chess::CastlingNotation;
use crate::search::{Pool, PoolError, SearchOptions};
use crossbeam::channel::{Sender, unbounded};
use std::io::{BufRead, Read};
use std::time::Instant;

/// Longer lines are refused. A game of six thousand plies has thirty thousand bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// Serves the user who writes to the standard input stream, until they leave.
///
/// # Errors
/// If the system gives no memory for the transposition table, or no threads.
pub fn run() -> Result<(), StartError> {
    let (sender, receiver) = unbounded();
    let engine = Engine::new(Output::standard(Complaints::InfoStrings), sender.clone(), configuration()?);
    std::thread::Builder::new()
        .name("input".to_string())
        .spawn(move || read(std::io::stdin().lock(), &sender))?;
    engine.run(&receiver);
    Ok(())
}

/// Obeys `commands`, each when the one before is done. Whether all of them could be obeyed.
///
/// # Errors
/// If the system gives no memory for the transposition table, or no threads.
pub fn run_commands(commands: Vec<Command>) -> Result<bool, StartError> {
    let (sender, receiver) = unbounded();
    let output = Output::standard(Complaints::StandardError);
    let engine = Engine::new(output.clone(), sender.clone(), configuration()?).in_order();
    // `quit` would not wait for a search before it.
    for command in commands.into_iter().take_while(|command| *command != Command::Quit) {
        let _ = sender.send(Event::Line(Box::new(Line { command: Ok(command), arrived: Instant::now() })));
    }
    let _ = sender.send(Event::EndOfInput);
    engine.run(&receiver);
    Ok(!output.has_complained())
}

/// Why the engine cannot start.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StartError {
    #[error("{0}")]
    Pool(#[from] PoolError),
    #[error("no thread to read the input: {0}")]
    Thread(#[from] std::io::Error),
}

fn configuration() -> Result<Configuration, PoolError> {
    let pool = Pool::new(DEFAULT_HASH as usize)?;
    Ok(Configuration {
        pool,
        settings: SearchOptions::default(),
        notation: CastlingNotation::KingTarget,
        show_chances: false,
        notes: Vec::new(),
    })
}

/// Sends every line of `input` on, and then its end.
fn read(mut input: impl BufRead, events: &Sender<Event>) {
    while let Some(line) = read_line(&mut input) {
        let arrived = Instant::now();
        let command = match line {
            Ok(text) => Command::parse(&text).transpose(),
            Err(error) => Some(Err(error)),
        };
        let Some(command) = command else { continue };
        if events.send(Event::Line(Box::new(Line { command, arrived }))).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// The next line, never more than [`LONGEST_LINE`] of it in memory; `None` at the end of the input.
/// What is no UTF-8 is replaced, which makes it no command.
fn read_line(input: &mut impl BufRead) -> Option<Result<String, CommandError>> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes);
    if bytes.is_empty() && read.is_ok() || read.is_err() {
        return None;
    }
    if bytes.len() > LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
        return Some(Err(CommandError::TooLong(LONGEST_LINE)));
    }
    Some(Ok(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Result<String, CommandError>> {
        let mut input = std::io::BufReader::with_capacity(64, input);
        std::iter::from_fn(|| read_line(&mut input)).collect()
    }

    #[test]
    fn lines_of_any_bytes() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"uci\r\n\nquit"), [Ok("uci\r\n".into()), Ok("\n".into()), Ok("quit".into())]);
        assert_eq!(lines(b"a\xff\0b\n"), [Ok("a\u{fffd}\0b\n".into())]);
    }

    #[test]
    fn a_line_too_long_is_skipped_as_a_whole() {
        let long = [b"x".repeat(3 * LONGEST_LINE), b"\nuci\n".to_vec()].concat();
        assert_eq!(lines(&long), [Err(CommandError::TooLong(LONGEST_LINE)), Ok("uci\n".into())]);
        let limit = [b"x".repeat(LONGEST_LINE), b"\nuci\n".to_vec()].concat();
        assert!(lines(&limit).iter().all(Result::is_ok));
    }
}
