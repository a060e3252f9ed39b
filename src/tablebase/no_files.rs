//! No tables, where there are no files.

use super::{Wdl, folders};
use chess::Position;
use std::io::{Error, ErrorKind};

/// No tables.
pub struct Tables(());

impl Tables {
    /// No tables, and for each folder of a list the reason.
    pub fn open(list: &str) -> (Tables, Vec<String>) {
        let reason = Error::from(ErrorKind::Unsupported);
        let problems = folders(list).iter().map(|folder| format!("{}: {reason}", folder.display())).collect();
        (Tables(()), problems)
    }

    /// No files.
    pub fn files(&self) -> [&std::path::Path; 0] {
        []
    }

    /// The numbers of WDL and of DTZ tables.
    pub fn count(&self) -> (usize, usize) {
        (0, 0)
    }

    /// The most pieces of a position that can be looked up.
    pub fn max_pieces(&self) -> u32 {
        0
    }

    /// No result is known.
    pub fn wdl(&self, _position: &Position) -> Option<Wdl> {
        None
    }

    /// No distance is known.
    pub fn dtz(&self, _position: &Position) -> Option<i32> {
        None
    }

    /// Nothing is read.
    pub fn take_read_error(&self) -> Option<String> {
        None
    }
}
