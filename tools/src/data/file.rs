//! Files of games: zstd frames one after the other, so that a file can grow and any zstd tool can read it.
//!
//! Games that are not enough for a frame yet lie in a second, plain file beside it, `NAME.part`. Whatever happens, no
//! finished game is lost or written twice: the part says how long the main file was when it was begun, and whatever
//! follows there when the tool starts again was a frame made of the part.

use super::game::{Game, games};
use anyhow::{Context, ensure};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of games in a frame.
const FRAME_BYTES: usize = 1 << 20;
const LEVEL: i32 = 9;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Appends games to a file.
pub struct GameWriter {
    main: File,
    part: File,
    waiting: Vec<u8>,
}

/// The plain file of games that wait for their frame.
pub fn part_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl GameWriter {
    /// Opens or makes the file; an interrupted one is put in order.
    pub fn open(path: &Path) -> anyhow::Result<GameWriter> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).read(true).append(true).open(path);
            file.with_context(|| format!("cannot open {}", path.display()))
        };
        let main = open(path)?;
        let mut part = open(&part_path(path))?;
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes)?;
        let waiting = match bytes.split_first_chunk() {
            Some((length, games)) => {
                let length = u64::from_le_bytes(*length);
                ensure!(length <= main.metadata()?.len(), "{} is shorter than it was", path.display());
                main.set_len(length)?;
                whole_games(games).to_vec()
            }
            None => Vec::new(),
        };
        let mut writer = GameWriter { main, part, waiting };
        // Games that waited become a frame before the part is begun anew: at no moment are they nowhere.
        writer.close_frame()?;
        writer.begin_part()?;
        Ok(writer)
    }

    /// Adds a game.
    pub fn write(&mut self, game: &Game) -> anyhow::Result<()> {
        let before = self.waiting.len();
        game.encode(&mut self.waiting)?;
        self.part.write_all(&self.waiting[before..])?;
        if self.waiting.len() >= FRAME_BYTES {
            self.close_frame()?;
        }
        Ok(())
    }

    /// Makes a frame of the games that wait.
    pub fn close_frame(&mut self) -> anyhow::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(&self.waiting)?;
        self.main.write_all(&encoder.finish()?)?;
        self.main.sync_data()?;
        self.waiting.clear();
        self.begin_part()
    }

    fn begin_part(&mut self) -> anyhow::Result<()> {
        self.part.set_len(0)?;
        self.part.write_all(&self.main.metadata()?.len().to_le_bytes())?;
        Ok(())
    }
}

/// The games that are complete: the last one may have been cut off.
fn whole_games(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    loop {
        let before = rest;
        match Game::decode(&mut rest) {
            Ok(Some(_)) => {}
            _ => return &bytes[..bytes.len() - before.len()],
        }
    }
}

/// Reads the games of a file, compressed or plain, and those that still wait beside it.
pub fn read(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Game>> + use<>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if let Ok(mut part) = File::open(part_path(path)) {
        part.read_to_end(&mut bytes)?;
    }
    let (limit, waiting) = match bytes.split_first_chunk() {
        Some((length, games)) => (u64::from_le_bytes(*length), whole_games(games).to_vec()),
        None => (length, Vec::new()),
    };
    let mut reader = BufReader::new(file.take(limit));
    let is_compressed = reader.fill_buf()?.starts_with(&ZSTD_MAGIC);
    let reader: Box<dyn BufRead> = if is_compressed {
        Box::new(BufReader::with_capacity(1 << 16, zstd::stream::read::Decoder::with_buffer(reader)?))
    } else {
        Box::new(reader)
    };
    let all = games(reader).chain(games(std::io::Cursor::new(waiting)));
    Ok(all.map(move |game| game.with_context(|| format!("{name} is damaged"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{STARTS, random_game};

    fn some(count: u64) -> Vec<Game> {
        (0..count).map(|seed| random_game(STARTS[seed as usize % 5].parse().unwrap(), seed)).collect()
    }

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tamarack-games-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let _ = std::fs::remove_file(part_path(&path));
        path
    }

    fn all(path: &Path) -> Vec<Game> {
        read(path).unwrap().map(|game| game.unwrap()).collect()
    }

    #[test]
    fn every_finished_game_is_there_whenever_it_is_interrupted() {
        let path = path("interrupted");
        let expected = some(40);
        for (number, game) in expected.iter().enumerate() {
            // Opened anew for each game, as if the last run had been killed.
            let mut writer = GameWriter::open(&path).unwrap();
            writer.write(game).unwrap();
            if number % 7 == 3 {
                writer.close_frame().unwrap();
            }
            drop(writer);
            if number == 20 {
                // Killed while a game was being written, ...
                OpenOptions::new().append(true).open(part_path(&path)).unwrap().write_all(&[1; 37]).unwrap();
            }
            if number == 30 {
                // ... and while a frame was being written.
                OpenOptions::new().append(true).open(&path).unwrap().write_all(&[2; 99]).unwrap();
            }
            assert_eq!(all(&path), expected[..=number]);
        }
    }

    #[test]
    fn plain_files_are_read_and_damage_is_reported() {
        let path = path("plain");
        let expected = some(10);
        let mut bytes = Vec::new();
        expected.iter().for_each(|game| game.encode(&mut bytes).unwrap());
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(all(&path), expected);
        std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        assert!(read(&path).unwrap().last().unwrap().unwrap_err().to_string().contains("is damaged"));
    }
}
