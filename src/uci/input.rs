//! The input stream: bytes -> lines -> parsed commands, from a thread of its own.

use super::command::Command;
use super::error::CommandError;
use crossbeam::channel::Sender;
use platform::clock::Instant;
use std::io::{self, BufRead, ErrorKind, Read};
use std::thread::sleep;
use std::time::Duration;

/// The longest line in bytes; longer ones are refused. A game of six thousand plies takes thirty thousand bytes.
pub const MAX_LINE: usize = 1 << 20;

/// The first bytes of a line that is too long, of which the command's name is read and which the debug log shows.
const MAX_SHOWN: usize = 1000;

/// The pause before another try where the input has nothing yet and does not wait (`O_NONBLOCK`).
const RETRY: Duration = Duration::from_millis(1);

/// A line from the user.
pub struct InputLine {
    /// The text for the debug log.
    pub text: String,
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
        let (text, command) = match line {
            Ok(text) => {
                let command = Command::parse(&text).transpose();
                (text, command)
            }
            Err(error) => (String::new(), Some(Err(error))),
        };
        Some(InputLine { command: command?, arrived, bytes: text.len(), text })
    }
}

/// Parses every line of `input` and sends it on; returns at the end of the input, or when nobody receives any more.
pub fn read(mut input: impl BufRead, lines: &Sender<InputLine>) {
    while let Some(line) = read_line(&mut input) {
        let line = match line {
            Ok(text) => InputLine::new(Ok(text)),
            Err(TooLong { start, bytes }) => {
                let command = Command::name_in(&start).unwrap_or_default();
                let line = InputLine::new(Err(CommandError::TooLong { command, limit: MAX_LINE }));
                line.map(|line| InputLine { text: format!("{start}... ({bytes} bytes)"), ..line })
            }
        };
        let Some(line) = line else { continue };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// A line longer than [`MAX_LINE`].
#[derive(Debug, PartialEq, Eq)]
struct TooLong {
    /// Its first [`MAX_SHOWN`] bytes.
    start: String,
    /// Its length; less where the input came in pieces to a program that did not wait for them.
    bytes: usize,
}

/// The next line, of which never more than [`MAX_LINE`] bytes are held in memory; `None` at the end of the input.
/// Bytes that are not UTF-8 are replaced, which makes the line an unknown command.
fn read_line(input: &mut impl BufRead) -> Option<Result<String, TooLong>> {
    let mut bytes = Vec::new();
    patiently(|| {
        let room = (MAX_LINE + 1).saturating_sub(bytes.len());
        input.take(room as u64).read_until(b'\n', &mut bytes)
    })?;
    if bytes.is_empty() {
        return None;
    }
    if bytes.len() > MAX_LINE && bytes.last() != Some(&b'\n') {
        let skipped = patiently(|| input.skip_until(b'\n'))?;
        let start = String::from_utf8_lossy(&bytes[..MAX_SHOWN]).into_owned();
        return Some(Err(TooLong { start, bytes: bytes.len() + skipped }));
    }
    Some(Ok(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The result of `read`, which is tried again while the input has nothing yet; `None` if it fails.
fn patiently(mut read: impl FnMut() -> io::Result<usize>) -> Option<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(RETRY),
            result => return result.ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Result<String, TooLong>> {
        let mut input = io::BufReader::with_capacity(64, input);
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
        let long = [b"x".repeat(3 * MAX_LINE), b"\nuci\n".to_vec()].concat();
        let cut = TooLong { start: "x".repeat(MAX_SHOWN), bytes: 3 * MAX_LINE + 1 };
        assert_eq!(lines(&long), [Err(cut), Ok("uci\n".into())]);
        let limit = [b"x".repeat(MAX_LINE), b"\nuci\n".to_vec()].concat();
        assert!(lines(&limit).iter().all(Result::is_ok));
    }

    /// Gives a byte at every second try, and at the others says that there is nothing yet.
    struct Hesitant<'a>(&'a [u8], bool);

    impl Read for Hesitant<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::WouldBlock.into()) } else { self.0.read(&mut buffer[..1]) }
        }
    }

    #[test]
    fn an_input_that_has_nothing_yet_is_not_at_its_end() {
        let mut input = io::BufReader::new(Hesitant(b"uci\nisready\n", false));
        let read: Vec<_> = std::iter::from_fn(|| read_line(&mut input)).collect();
        assert_eq!(read, [Ok("uci\n".into()), Ok("isready\n".into())]);
    }
}
