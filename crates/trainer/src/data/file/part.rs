//! The plain file beside a file of games: what it says about the main file, and whether that is true.

use super::part_path;
use anyhow::{Context, ensure};
use nnue::network::checksum;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// The first bytes of a frame.
pub(super) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Follows the length in parts that have a fingerprint. Older parts have none; there a game begins in its place, whose
/// first eight bytes are the occupied squares and never that many.
const PART_MAGIC: [u8; 8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
/// The last bytes of the main file that its fingerprint is made of.
const FINGERPRINT_BYTES: u64 = 4096;

/// The contents of `NAME.part`.
pub(super) struct Part {
    /// Bytes of the main file when the part was begun.
    pub(super) main_length: u64,
    /// The main file's fingerprint then; `None` in parts of older versions.
    fingerprint: Option<u64>,
    /// The games, the last of which may have been cut off.
    pub(super) games: Vec<u8>,
}

impl Part {
    /// Reads the part of a file of games, if it has one.
    pub(super) fn read(path: &Path) -> anyhow::Result<Option<Part>> {
        let path = part_path(path);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Part::decode(&bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn decode(bytes: &[u8]) -> Option<Part> {
        let (length, rest) = bytes.split_first_chunk()?;
        let marked = rest.strip_prefix(&PART_MAGIC).and_then(|rest| rest.split_first_chunk());
        let (fingerprint, games) = match marked {
            Some((fingerprint, games)) => (Some(u64::from_le_bytes(*fingerprint)), games),
            None => (None, rest),
        };
        Some(Part { main_length: u64::from_le_bytes(*length), fingerprint, games: games.to_vec() })
    }

    /// The first bytes of a part.
    pub(super) fn header(main_length: u64, fingerprint: u64) -> Vec<u8> {
        [main_length.to_le_bytes(), PART_MAGIC, fingerprint.to_le_bytes()].concat()
    }

    /// An error unless this is the main file that the part was begun for, and what has been added to it since is a frame, or
    /// the beginning of one, of the part's games.
    pub(super) fn ensure_matches(&self, path: &Path, main: &mut File) -> anyhow::Result<()> {
        let (name, part) = (path.display(), part_path(path));
        let (part, length) = (part.display(), main.metadata()?.len());
        let remedy = format!("if {name} is whole by itself, move {part} away");
        ensure!(
            length >= self.main_length,
            "{name} has {length} bytes, but had {} when {part} was begun; {remedy}",
            self.main_length
        );
        if let Some(known) = self.fingerprint {
            let belongs = fingerprint(main, self.main_length)? == known;
            ensure!(belongs, "{name} is not the file that {part} was begun for; {remedy}");
        }
        main.seek(SeekFrom::Start(self.main_length))?;
        let mut tail = Vec::new();
        // More than any frame of the games would have is enough to know that it is none.
        main.take(self.games.len() as u64 + FINGERPRINT_BYTES).read_to_end(&mut tail)?;
        ensure!(
            is_frame_of(&tail, &self.games),
            "{name} has {} bytes more than when {part} was begun, and they are not its games; {remedy}",
            length - self.main_length
        );
        Ok(())
    }
}

/// A checksum of the last bytes before `length`.
pub(super) fn fingerprint(file: &mut File, length: u64) -> anyhow::Result<u64> {
    let start = length.saturating_sub(FINGERPRINT_BYTES);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length - start).read_to_end(&mut bytes)?;
    Ok(checksum(&bytes))
}

/// True if the bytes are a zstd frame, or the beginning of one, that holds nothing but the beginning of `games`.
fn is_frame_of(bytes: &[u8], games: &[u8]) -> bool {
    let magic = &ZSTD_MAGIC[..bytes.len().min(ZSTD_MAGIC.len())];
    if !bytes.starts_with(magic) {
        return false;
    }
    let mut content = Vec::new();
    if let Ok(mut decoder) = zstd::stream::read::Decoder::with_buffer(bytes) {
        // A frame that was cut off ends with an error, after what can be had of it.
        let _ = decoder.read_to_end(&mut content);
    }
    games.starts_with(&content)
}
