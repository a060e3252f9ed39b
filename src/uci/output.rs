//! The output: whole lines from any thread, one at a time.

use super::log::DebugLog;
use parking_lot::Mutex;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// The longest message in characters. Longer ones are cut: they quote what the user wrote, which can be anything.
const MAX_MESSAGE: usize = 400;

/// The pause before another try where a reader is slow and the stream does not wait.
const RETRY: Duration = Duration::from_millis(1);

/// A stream of lines. Clones write to the same stream.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Box<dyn Write + Send>>>,
    error_style: ErrorStyle,
    had_errors: Arc<AtomicBool>,
    log: DebugLog,
}

/// The place of error messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorStyle {
    /// `info string` lines in the output, for GUIs.
    InfoString,
    /// The standard error stream, for commands given as arguments.
    StandardError,
}

impl Output {
    /// Writes to `sink`. When that fails the process exits: with status 0 where nobody reads any more, else with 1 and a word on
    /// the standard error stream.
    pub fn new(sink: Box<dyn Write + Send>, error_style: ErrorStyle) -> Output {
        Output {
            sink: Arc::new(Mutex::new(sink)),
            error_style,
            had_errors: Arc::default(),
            log: DebugLog::default(),
        }
    }

    /// Writes to the standard output stream.
    pub fn standard(error_style: ErrorStyle) -> Output {
        Output::new(Box::new(io::stdout()), error_style)
    }

    /// The log, which gets a copy of all lines while it is open.
    pub fn log(&self) -> &DebugLog {
        &self.log
    }

    /// Writes one line, or several that belong together, and flushes.
    pub fn line(&self, text: impl Display) {
        let mut text = format!("{text}\n");
        let mut sink = self.sink.lock();
        if let Err(error) = self.log.write("<<", &text) {
            text.push_str(&format!("info string {}\n", log_closed(&error)));
        }
        if let Err(error) = write(&mut **sink, text.as_bytes()) {
            if error.kind() == ErrorKind::BrokenPipe {
                std::process::exit(0);
            }
            let _ = writeln!(io::stderr(), "tamarack: cannot write to the standard output: {error}");
            std::process::exit(1);
        }
    }

    /// Writes a line of the input to the log alone.
    pub fn log_input(&self, text: &str) {
        if let Err(error) = self.log.write(">>", text) {
            self.error(log_closed(&error));
        }
    }

    /// Writes an `info string` without control characters.
    pub fn info(&self, text: impl Display) {
        self.line(format_args!("info string {}", message(text)));
    }

    /// Writes an error message as one line without control characters.
    pub fn error(&self, text: impl Display) {
        self.had_errors.store(true, Ordering::Relaxed);
        match self.error_style {
            ErrorStyle::InfoString => self.info(text),
            ErrorStyle::StandardError => {
                let _ = writeln!(io::stderr(), "tamarack: {}", message(text));
            }
        }
    }

    /// True if an error message has been written.
    pub fn had_errors(&self) -> bool {
        self.had_errors.load(Ordering::Relaxed)
    }
}

fn log_closed(error: &io::Error) -> String {
    format!("Debug Log File: closed, {error}")
}

/// Writes all bytes and flushes. Waits where the reader is slow, also where the stream does not (`O_NONBLOCK`).
fn write(sink: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
    loop {
        let done = match bytes {
            [] => sink.flush().map(|()| true),
            _ => match sink.write(bytes) {
                Ok(0) => Err(ErrorKind::WriteZero.into()),
                written => written.map(|count| bytes = &bytes[count..]).map(|()| false),
            },
        };
        match done {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(RETRY),
            Err(error) => return Err(error),
        }
    }
}

/// The text as one line of a limited length.
fn message(text: impl Display) -> String {
    let text = text.to_string();
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let mut shown: String = text.chars().take(MAX_MESSAGE).map(clean).collect();
    if text.chars().nth(MAX_MESSAGE).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn messages_are_one_short_line_whatever_they_quote() {
        let written = Shared::default();
        let output = Output::new(Box::new(written.clone()), ErrorStyle::InfoString);
        let news = format!("bad\nnews\r\0{}", "x".repeat(100_000));
        output.info(&news);
        assert!(!output.had_errors());
        output.error(&news);
        assert!(output.had_errors());
        let text = String::from_utf8(written.0.lock().clone()).unwrap();
        assert_eq!(text.lines().count(), 2);
        for line in text.lines() {
            assert!(line.starts_with("info string bad?news??xxx") && line.ends_with("xxx..."), "{line}");
            assert!(line.len() < 450);
        }
    }
}
