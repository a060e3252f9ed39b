//! The way out: whole lines, one at a time, from whichever thread has something to say.

use parking_lot::Mutex;
use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Longer complaints are cut: they quote what the user wrote, and that can be anything.
const LONGEST_COMPLAINT: usize = 400;

/// Where lines go. Copies write to the same place.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Box<dyn Write + Send>>>,
    complaints: Complaints,
    complained: Arc<AtomicBool>,
}

/// How the user is told what is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Complaints {
    /// As `info string` among the other lines: a program listens.
    InfoStrings,
    /// On the standard error stream: a person has typed a command at the prompt.
    StandardError,
}

impl Output {
    /// Writes to `sink`. Nobody listening any more is no error but the end: the process leaves quietly.
    pub fn new(sink: Box<dyn Write + Send>, complaints: Complaints) -> Output {
        Output { sink: Arc::new(Mutex::new(sink)), complaints, complained: Arc::default() }
    }

    /// Writes to the standard output stream.
    pub fn standard(complaints: Complaints) -> Output {
        Output::new(Box::new(std::io::stdout()), complaints)
    }

    /// Writes one line, or a text of several lines that belong together, and flushes.
    pub fn line(&self, text: impl Display) {
        let text = format!("{text}\n");
        let mut sink = self.sink.lock();
        if sink.write_all(text.as_bytes()).and_then(|()| sink.flush()).is_err() {
            std::process::exit(0);
        }
    }

    /// Writes an `info string`.
    pub fn info(&self, text: impl Display) {
        self.line(format_args!("info string {text}"));
    }

    /// Tells the user what is wrong, on one line without control characters.
    pub fn complain(&self, text: impl Display) {
        self.complained.store(true, Ordering::Relaxed);
        let text = text.to_string();
        let clean = |c: char| if c.is_control() { '?' } else { c };
        let mut shown: String = text.chars().take(LONGEST_COMPLAINT).map(clean).collect();
        if text.chars().nth(LONGEST_COMPLAINT).is_some() {
            shown.push_str("...");
        }
        match self.complaints {
            Complaints::InfoStrings => self.info(shown),
            Complaints::StandardError => {
                let _ = writeln!(std::io::stderr(), "tamarack: {shown}");
            }
        }
    }

    /// Whether there has been a complaint.
    pub fn has_complained(&self) -> bool {
        self.complained.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn complaints_are_one_short_line_whatever_they_quote() {
        let written = Shared::default();
        let output = Output::new(Box::new(written.clone()), Complaints::InfoStrings);
        output.complain(format!("bad\nnews\r\0{}", "x".repeat(100_000)));
        let text = String::from_utf8(written.0.lock().clone()).unwrap();
        assert!(text.starts_with("info string bad?news??xxx") && text.ends_with("xxx...\n"), "{text}");
        assert!(text.lines().count() == 1 && text.len() < 450);
        assert!(output.has_complained());
    }
}
