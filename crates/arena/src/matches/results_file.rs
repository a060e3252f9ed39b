//! The results file: JSON lines, the first describes the match, each other one is a finished game (in a file of
//! `tune`, an iteration).
//!
//! A line is written in one piece when its game ends, so that a killed run loses only the games that were being played.
//! A last line that was cut off, in the middle of a character too, is dropped. One run at a time has the file open for
//! writing; others may read it.

use super::pentanomial::HalfPoints;
use super::session::Session;
use crate::differences::differences;
use crate::play::game::Termination;
use crate::play::player::FaultKind;
use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first line of a match's file; a match is continued only if it is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchHeader {
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
    /// Versions, machine and conditions for reports; another one is no other match.
    #[serde(default)]
    pub session: Session,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game, from 0; 2k and 2k + 1 are a pair.
    pub number: usize,
    /// Index of White.
    pub white: usize,
    /// Index of Black.
    pub black: usize,
    /// White's half points: 0, 1, 2.
    pub points: HalfPoints,
    /// The kind of its end.
    #[serde(rename = "ending")]
    pub termination: Termination,
    /// The fault that lost it, if there was one.
    pub fault: Option<GameFault>,
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
    /// Options that were drawn for White and for Black, as `Name=value` words, and `no ucinewgame` if none was sent; empty
    /// unless it is a game of a soak.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Milliseconds by which White's and Black's slowest answers in time were longer than the time left on the clock less the
    /// engine's Move Overhead; negative if none was longer. Without one in games that are not of a soak.
    #[serde(default, skip_serializing_if = "has_no_overrun")]
    pub overruns: [Option<f64>; 2],
}

fn has_no_overrun(overruns: &[Option<f64>; 2]) -> bool {
    *overruns == [None; 2]
}

/// A fault of an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameFault {
    /// Index of the engine.
    pub engine: usize,
    /// Its kind.
    pub kind: FaultKind,
    /// The circumstances, for people.
    pub detail: String,
}

/// A results file that is open for writing, `None` if the user wants none.
#[derive(Debug)]
pub struct ResultsFile(Option<File>);

impl ResultsFile {
    /// Opens or creates the file, locks it against other runs, and returns the records that it holds.
    ///
    /// # Errors
    /// If another run has it open, if it cannot be read or written, if it is no results file, or if its header is another
    /// one than `header`; `kind` names such a run in the message ("match").
    pub fn open<H, R>(path: Option<&Path>, header: &H, kind: &str) -> Result<(Self, Vec<R>)>
    where
        H: Serialize + DeserializeOwned + PartialEq,
        R: DeserializeOwned,
    {
        let Some(path) = path else { return Ok((Self(None), Vec::new())) };
        let context = || format!("the results file {}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(context)?;
        }
        let mut file = open_locked(path).with_context(context)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(context)?;
        let lines = whole_lines(&bytes);
        let records = if lines.is_empty() {
            let first = serde_json::to_string(header)?;
            // A first line that was cut off is written again; anything else is somebody's file.
            let is_ours = first.as_bytes().starts_with(&bytes);
            ensure!(is_ours, "{} is not a results file; give a new name", path.display());
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            writeln!(file, "{first}")?;
            Vec::new()
        } else {
            let (found, records): (H, Vec<R>) = parse(lines).with_context(context)?;
            ensure!(
                found == *header,
                "{} holds another {kind}; give a new name{}",
                path.display(),
                differences(&compared(&found)?, &compared(header)?)
            );
            file.set_len(lines.len() as u64)?;
            file.seek(SeekFrom::End(0))?;
            records
        };
        Ok((Self(Some(file)), records))
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If it cannot be written.
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

/// The parts of a header that must not change.
fn compared(header: &impl Serialize) -> Result<serde_json::Value> {
    let mut value = serde_json::to_value(header)?;
    if let Some(parts) = value.as_object_mut() {
        parts.remove("session");
    }
    Ok(value)
}

/// Opens or creates a file for one writer: by a lock of the system, which ends with the process.
fn open_locked(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        /// Others may read meanwhile, not write. (A lock of Windows would keep readers out too.)
        const FILE_SHARE_READ: u32 = 1;
        options.share_mode(FILE_SHARE_READ);
    }
    let file = options.open(path)?;
    #[cfg(not(windows))]
    {
        use crate::lock::lock;
        use std::fs::TryLockError;
        match lock(&file) {
            Err(TryLockError::WouldBlock) => anyhow::bail!("another run is writing it"),
            // Some network file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() != std::io::ErrorKind::Unsupported => {
                return Err(error.into());
            }
            _ => {}
        }
    }
    Ok(file)
}

/// Reads the file of a match, finished or not.
///
/// # Errors
/// If it cannot be read, or holds a line that is none of a match.
pub fn read(path: &Path) -> Result<(MatchHeader, Vec<GameRecord>)> {
    let context = || path.display().to_string();
    let bytes = fs::read(path).with_context(context)?;
    let (header, records) = parse(whole_lines(&bytes)).with_context(context)?;
    check(&header, &records).with_context(context)?;
    Ok((header, records))
}

/// The lines up to the last line feed, which a killed run leaves whole.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    &bytes[..end]
}

fn parse<H: DeserializeOwned, R: DeserializeOwned>(lines: &[u8]) -> Result<(H, Vec<R>)> {
    let mut lines = lines.strip_suffix(b"\n").unwrap_or(lines).split(|&byte| byte == b'\n');
    let header = serde_json::from_slice(lines.next().unwrap_or(b"")).context("its first line")?;
    let record = |(index, line)| serde_json::from_slice(line).with_context(|| format!("line {}", index + 2));
    Ok((header, lines.enumerate().map(record).collect::<Result<_>>()?))
}

/// Checks that the games are ones of the match: that their engines exist and meet in these games, that no game is there
/// twice.
///
/// # Errors
/// Names the first game that is not.
pub fn check(header: &MatchHeader, records: &[GameRecord]) -> Result<()> {
    let (engines, pairings) = (header.names.len(), &header.pairings);
    ensure!(header.engines.len() == engines, "{engines} names for {} engines", header.engines.len());
    let known = |&(first, second): &(usize, usize)| first < engines && second < engines && first != second;
    ensure!(!pairings.is_empty() && pairings.iter().all(known), "its pairings are impossible");
    let mut numbers = HashSet::new();
    for record in records {
        let number = record.number;
        let (first, second) = pairings[number / 2 % pairings.len()];
        let expected = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        let (white, black) = (record.white, record.black);
        ensure!((white, black) == expected, "game {number}: engines {white} and {black} do not meet in it");
        ensure!(record.points <= 2, "game {number}: {} half points", record.points);
        if let Some(fault) = &record.fault {
            let plays = fault.engine == white || fault.engine == black;
            ensure!(plays, "game {number}: the engine at fault, {}, does not play in it", fault.engine);
        }
        ensure!(numbers.insert(number), "game {number} is there twice");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_empty_file_or_a_cut_off_first_line_is_begun_anew() {
        let path = std::env::temp_dir().join(format!("tamarack-results-{}", std::process::id()));
        let header = vec!["one".to_owned(), "two".to_owned()];
        let open = || {
            ResultsFile::open::<Vec<String>, u32>(Some(&path), &header, "list").map(|(_, records)| records)
        };
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
