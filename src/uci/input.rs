//! The input stream: bytes -> lines -> parsed commands, from a thread of its own.

use super::command::Command;
use super::error::CommandError;
use super::log::DebugLog;
use crossbeam::channel::Sender;
use platform::clock::Instant;
use std::io::{BufRead, Read};

/// The longest line in bytes; longer ones are refused. A game of six thousand plies takes thirty thousand bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// The bytes at the start of a line that is too long in which the command's name is looked for.
const LONGEST_NAME: usize = 100;

/// A line from the user.
pub struct InputLine {
    /// The parsed line.
    pub command: Result<Command, CommandError>,
    /// The time at which it was read.
    pub arrived: Instant,
    /// The length of the line.
    pub bytes: usize,
}

impl InputLine {
    /// A line that arrives now, or the reason why it could not be read; `None` if it is empty.
    pub fn new(line: Result<String, CommandError>) -> Option<InputLine> {
        let arrived = Instant::now();
        let bytes = line.as_ref().map_or(0, String::len);
        let command = match line {
            Ok(text) => Command::parse(&text).transpose(),
            Err(error) => Some(Err(error)),
        };
        Some(InputLine { command: command?, arrived, bytes })
    }
}

/// Parses every line of `input`, writes it to the log, and sends it on; returns at the end of the input, or when nobody receives any more.
pub fn read(mut input: impl BufRead, lines: &Sender<InputLine>, log: &DebugLog) {
    while let Some(line) = read_line(&mut input) {
        if let Ok(text) = &line {
            log.write(">>", text);
        }
        let Some(line) = InputLine::new(line) else { continue };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// The next line, of which never more than [`LONGEST_LINE`] bytes are held in memory; `None` at the end of the input.
/// Bytes that are not UTF-8 are replaced, which makes the line an unknown command.
fn read_line(input: &mut impl BufRead) -> Option<Result<String, CommandError>> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes);
    if bytes.is_empty() && read.is_ok() || read.is_err() {
        return None;
    }
    if bytes.len() > LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_NAME)]);
        let command = Command::name_in(&start).unwrap_or_default();
        return Some(Err(CommandError::TooLong { command, limit: LONGEST_LINE }));
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
        assert_eq!(
            lines(&long),
            [Err(CommandError::TooLong { command: "", limit: LONGEST_LINE }), Ok("uci\n".into())]
        );
        let limit = [b"x".repeat(LONGEST_LINE), b"\nuci\n".to_vec()].concat();
        assert!(lines(&limit).iter().all(Result::is_ok));
    }
}
