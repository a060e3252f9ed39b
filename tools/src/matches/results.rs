//! The results file: JSON lines, the first describes the match, each other one is a finished game (in a file of
//! `tune`, an iteration).
//!
//! A line is written in one piece when its game ends, so that a killed run loses only what was being played.
//! A last line that was cut off is dropped.

use crate::differences::differences;
use crate::play::game::Ending;
use crate::play::player::FaultKind;
use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// What must be equal for a match to be continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of this format.
    pub format: u32,
    /// Names of the engines.
    pub names: Vec<String>,
    /// Command, options and limits of each.
    pub engines: Vec<String>,
    /// Pairs of engines that meet.
    pub pairings: Vec<(usize, usize)>,
    /// Book, seed, rules.
    pub settings: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the game, from 0; 2k and 2k + 1 are a pair.
    pub number: usize,
    /// Index of White.
    pub white: usize,
    /// Index of Black.
    pub black: usize,
    /// White's half points: 0, 1, 2.
    pub points: u8,
    /// Why it ended.
    pub ending: Ending,
    /// Who is to blame, if anybody.
    pub fault: Option<Fault>,
    /// Number of the opening.
    pub opening: usize,
    /// FEN in which the engines took over.
    pub fen: String,
    /// Milliseconds of every move, the side to move in `fen` first.
    pub times: Vec<u32>,
    /// Nominal depth of every move.
    pub depths: Vec<u32>,
    /// The whole game.
    pub pgn: String,
}

/// A fault of an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Index of the engine.
    pub engine: usize,
    /// What it did.
    pub kind: FaultKind,
    /// The circumstances.
    pub detail: String,
}

/// The open file, if there is one.
#[derive(Debug)]
pub struct Store(Option<File>);

impl Store {
    /// Opens or creates the file and returns the records that it holds. Fails if its header is another; `what` says
    /// of what it is.
    pub fn open<H, R>(path: Option<&Path>, header: &H, what: &str) -> Result<(Self, Vec<R>)>
    where
        H: Serialize + DeserializeOwned + PartialEq,
        R: DeserializeOwned,
    {
        let Some(path) = path else { return Ok((Self(None), Vec::new())) };
        let context = || format!("the results file {}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(context)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(context)?;
        let text = fs::read_to_string(path).with_context(context)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let records = if whole == 0 {
            let first = serde_json::to_string(header)?;
            // A first line that was cut off is written again; anything else is somebody's file.
            ensure!(first.starts_with(&text), "{} is not a results file; give a new name", path.display());
            file.set_len(0)?;
            writeln!(file, "{first}")?;
            Vec::new()
        } else {
            let (found, records): (H, Vec<R>) = parse(&text[..whole]).with_context(context)?;
            ensure!(
                found == *header,
                "{} holds another {what}; give a new name{}",
                path.display(),
                differences(&serde_json::to_value(&found)?, &serde_json::to_value(header)?)
            );
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            records
        };
        Ok((Self(Some(file)), records))
    }

    /// Writes a record.
    pub fn add(&mut self, record: &impl Serialize) -> Result<()> {
        if let Some(file) = &mut self.0 {
            let mut line = serde_json::to_string(record)?;
            line.push('\n');
            file.write_all(line.as_bytes()).context("writing the results file")?;
            file.flush()?;
        }
        Ok(())
    }
}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<(Header, Vec<Record>)> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    parse(&text[..whole]).with_context(|| path.display().to_string())
}

fn parse<H: DeserializeOwned, R: DeserializeOwned>(text: &str) -> Result<(H, Vec<R>)> {
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next().unwrap_or("")).context("its first line")?;
    let record = |(index, line)| serde_json::from_str(line).with_context(|| format!("line {}", index + 2));
    Ok((header, lines.enumerate().map(record).collect::<Result<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_empty_file_or_a_cut_off_first_line_is_begun_anew() {
        let path = std::env::temp_dir().join(format!("tamarack-results-{}", std::process::id()));
        let header = vec!["one".to_owned(), "two".to_owned()];
        let open =
            || Store::open::<Vec<String>, u32>(Some(&path), &header, "list").map(|(_, records)| records);
        for text in ["", "[\"one\",", "[\"one\",\"two\"]", "[\"one\",\"two\"]\n"] {
            fs::write(&path, text).unwrap();
            assert!(open().unwrap().is_empty());
            assert_eq!(fs::read_to_string(&path).unwrap(), "[\"one\",\"two\"]\n");
        }
        for (text, words) in [
            ("my notes", "is not a results file"),
            ("[\"other\"", "is not a results file"),
            ("my notes\n", "its first line"),
            ("[\"other\"]\n", "holds another list"),
        ] {
            fs::write(&path, text).unwrap();
            let error = format!("{:#}", open().unwrap_err());
            assert!(error.contains(words), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(path).unwrap();
    }
}
