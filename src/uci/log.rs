//! The debug log: a copy of all input and output in a file.

use parking_lot::Mutex;
use platform::files::check_regular_or_new;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// A log that is closed or open. Clones write to the same file.
#[derive(Clone, Default)]
pub struct DebugLog(Arc<Mutex<Option<File>>>);

impl DebugLog {
    /// Appends from now on to the file at `path`.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a regular file. Then the log stays as it was.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        check_regular_or_new(path)?;
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        *self.0.lock() = Some(file);
        Ok(())
    }

    /// Closes the file.
    pub fn close(&self) {
        *self.0.lock() = None;
    }

    /// Writes each line of `text` after `mark`, which is `>>` for input and `<<` for output.
    ///
    /// # Errors
    /// If that fails, because the disk is full. Then the log is closed.
    pub fn write(&self, mark: &str, text: &str) -> io::Result<()> {
        let mut log = self.0.lock();
        let Some(file) = log.as_mut() else { return Ok(()) };
        let lines: String = text.lines().map(|line| format!("{mark} {line}\n")).collect();
        file.write_all(lines.as_bytes()).inspect_err(|_| *log = None)
    }
}
