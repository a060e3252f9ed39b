//! The conversation with the engines of one game, kept so that a fault can be shown.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The size in bytes at which the older half is dropped.
const CAPACITY: usize = 1 << 20;

/// Lines, each with its time and its direction.
#[derive(Debug)]
pub struct Log {
    start: Instant,
    text: Vec<u8>,
}

/// A log that the threads of one game share.
#[derive(Clone, Debug)]
pub struct SharedLog(Arc<Mutex<Log>>);

impl Default for SharedLog {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Log { start: Instant::now(), text: Vec::new() })))
    }
}

impl SharedLog {
    fn lock(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Empties the log and sets its clock to 0: a new game begins.
    pub fn restart(&self) {
        let mut log = self.lock();
        log.start = Instant::now();
        log.text.clear();
    }

    /// Adds a line. `arrow` is its direction: `<` from the engine, `>` to it, `!` its standard error.
    pub fn note(&self, name: &str, arrow: char, line: &[u8]) {
        let mut log = self.lock();
        if log.text.len() + line.len() > CAPACITY {
            let half = log.text.len() / 2;
            let cut =
                log.text[half..].iter().position(|&byte| byte == b'\n').map_or(half, |at| half + at + 1);
            log.text.drain(..cut);
        }
        let time = log.start.elapsed().as_secs_f64();
        let _ = write!(log.text, "{time:10.4} {name} {arrow} ");
        log.text.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
        log.text.push(b'\n');
    }

    /// The whole log as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock().text).into_owned()
    }

    /// The last few lines.
    pub fn tail(&self, lines: usize) -> String {
        let text = self.text();
        let all: Vec<&str> = text.lines().collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}
