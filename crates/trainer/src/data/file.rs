//! Files of games: zstd frames one after the other, so that a file can grow and any zstd tool can read it.
//!
//! Games that are not enough for a frame yet lie in a second, plain file beside it, `NAME.part`. Whatever happens, no
//! finished game is lost, hidden or written twice. The part begins with the length that the main file had when it was begun
//! and the fingerprint of its last bytes, by which the two know that they belong together. What follows behind that length
//! can only be a frame, perhaps cut off, that was being made of the part's games. If it is, the part has all of them and
//! the frame does not count; if it is anything else, readers and writers refuse the pair and say so.

mod part;

use super::game::{ScoredGame, games};
use anyhow::{Context, bail, ensure};
use arena::lock::lock;
use part::{Part, ZSTD_MAGIC, fingerprint};
use platform::files::with_suffix;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of games in a frame.
const FRAME_BYTES: usize = 1 << 20;
/// Compression level of frames.
const LEVEL: i32 = 9;

/// Appends games to a file. Only one writer at a time can have it.
pub struct GameWriter {
    path: PathBuf,
    main: File,
    part: File,
    waiting: Vec<u8>,
}

/// The plain file of games that wait for their frame.
pub fn part_path(path: &Path) -> PathBuf {
    with_suffix(path, ".part")
}

/// The files of games at these paths: a file is itself, a folder is its files `*.games` in the order of their names.
///
/// # Errors
/// If a folder cannot be read or has no such file.
pub fn expand(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
        inside.retain(|file| file.extension().is_some_and(|extension| extension == "games"));
        ensure!(!inside.is_empty(), "{} has no files of games (*.games)", path.display());
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

impl GameWriter {
    /// Opens or makes the file; an interrupted one is put in order. An error if another writer has it, or if file and
    /// part do not belong together: then nothing is changed.
    pub fn open(path: &Path) -> anyhow::Result<GameWriter> {
        let name = path.display();
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).read(true).append(true).open(path);
            file.with_context(|| format!("cannot open {}", path.display()))
        };
        let mut main = open(path)?;
        match lock(&main) {
            Err(TryLockError::WouldBlock) => bail!("{name} is being written by another run"),
            // Where the file system knows no locks, the user has to take care.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut waiting = Vec::new();
        if let Some(part) = Part::read(path)? {
            part.ensure_matches(path, &mut main)?;
            main.set_len(part.main_length)?;
            waiting = whole_games(&part.games).to_vec();
        }
        let mut magic = Vec::new();
        main.seek(SeekFrom::Start(0))?;
        Read::by_ref(&mut main).take(ZSTD_MAGIC.len() as u64).read_to_end(&mut magic)?;
        ensure!(
            magic.is_empty() || magic == ZSTD_MAGIC,
            "{name} is damaged or not compressed: nothing can be appended"
        );
        let mut writer = GameWriter { path: path.to_owned(), main, part: open(&part_path(path))?, waiting };
        // Games that waited become a frame before the part is begun anew: at no moment are they nowhere.
        writer.close_frame()?;
        writer.begin_part()?;
        Ok(writer)
    }

    /// Adds a game.
    pub fn write(&mut self, game: &ScoredGame) -> anyhow::Result<()> {
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

    /// Puts an empty part in the place of the old one, at once, so that whoever reads sees the one or the other.
    fn begin_part(&mut self) -> anyhow::Result<()> {
        let length = self.main.metadata()?.len();
        let header = Part::header(length, fingerprint(&mut self.main, length)?);
        let path = with_suffix(&self.path, ".part.new");
        let _ = std::fs::remove_file(&path);
        self.part = OpenOptions::new().create_new(true).append(true).open(&path)?;
        self.part.write_all(&header)?;
        std::fs::rename(&path, part_path(&self.path))
            .with_context(|| format!("cannot write {}", part_path(&self.path).display()))
    }
}

/// The games that are complete: the last one may have been cut off.
fn whole_games(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    loop {
        let before = rest;
        match ScoredGame::decode(&mut rest) {
            Ok(Some(_)) => {}
            _ => return &bytes[..bytes.len() - before.len()],
        }
    }
}

/// A file of games, the length that counts, and the games that wait beside it.
fn open_pair(path: &Path) -> anyhow::Result<(File, u64, Vec<u8>)> {
    // First the part, then the main file, which a writer may meanwhile have lengthened by a frame of the part's games.
    let part = Part::read(path)?;
    let mut file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let Some(part) = part else {
        let length = file.metadata()?.len();
        return Ok((file, length, Vec::new()));
    };
    part.ensure_matches(path, &mut file)?;
    Ok((file, part.main_length, whole_games(&part.games).to_vec()))
}

/// Reads the games of a file, compressed or plain, and those that still wait beside it. Where the file is damaged or cut
/// off, an error that names it follows the last game that is whole, and nothing after it.
pub fn read(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<ScoredGame>> + use<>> {
    let name = path.display().to_string();
    // Once more, since a writer may have added a game and made a frame between two looks.
    let (mut file, limit, waiting) = open_pair(path).or_else(|_| open_pair(path))?;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file.take(limit));
    let is_compressed = reader.fill_buf()?.starts_with(&ZSTD_MAGIC);
    let reader: Box<dyn BufRead> = if is_compressed {
        Box::new(BufReader::with_capacity(1 << 16, zstd::stream::read::Decoder::with_buffer(reader)?))
    } else {
        Box::new(reader)
    };
    let (mut number, mut failed) = (0_u64, false);
    let all = games(reader).chain(games(Cursor::new(waiting))).take_while(move |game| {
        let goes_on = !failed;
        failed |= game.is_err();
        goes_on
    });
    Ok(all.map(move |game| {
        number += 1;
        game.with_context(|| format!("{name} is damaged behind game {}", number - 1))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{STARTS, random_game};
    use crate::scratch::folder;

    fn some(count: u64) -> Vec<ScoredGame> {
        (0..count).map(|seed| random_game(STARTS[seed as usize % 5].parse().unwrap(), seed)).collect()
    }

    fn path(name: &str) -> PathBuf {
        folder(name).join("x")
    }

    fn all(path: &Path) -> Vec<ScoredGame> {
        read(path).unwrap().map(|game| game.unwrap()).collect()
    }

    fn append(path: &Path, bytes: &[u8]) {
        OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
    }

    fn frame(games: &[ScoredGame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.encode(&mut bytes).unwrap());
        zstd::encode_all(bytes.as_slice(), LEVEL).unwrap()
    }

    /// A file of three games in frames of their own, and a copy of the part that was beside it when it had only one.
    fn stale(name: &str) -> (PathBuf, Vec<u8>, Vec<ScoredGame>) {
        let (path, games) = (path(name), some(3));
        let mut part = Vec::new();
        for (number, game) in games.iter().enumerate() {
            let mut writer = GameWriter::open(&path).unwrap();
            writer.write(game).unwrap();
            writer.close_frame().unwrap();
            if number == 0 {
                part = std::fs::read(part_path(&path)).unwrap();
            }
        }
        (path, part, games)
    }

    #[test]
    fn a_part_older_than_its_file_hides_no_game_and_cuts_none_off() {
        let (path, part, games) = stale("stale");
        assert_eq!(all(&path), games);
        let whole = std::fs::read(&path).unwrap();
        // A part as it is written today, and one without a fingerprint.
        for part in [part.clone(), part[..8].to_vec()] {
            std::fs::write(part_path(&path), part).unwrap();
            let refused = read(&path).err().expect("it must not be read in part").to_string();
            assert!(refused.contains("move") && refused.contains(".part"), "{refused}");
            assert!(GameWriter::open(&path).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::remove_file(part_path(&path)).unwrap();
        assert_eq!(all(&path), games);
    }

    #[test]
    fn a_part_of_another_file_is_refused() {
        let (path, _, games) = stale("mixed");
        let other = self::path("other");
        std::fs::write(&other, frame(&games[1..])).unwrap();
        let length = std::fs::metadata(&other).unwrap().len();
        let known = fingerprint(&mut File::open(&other).unwrap(), length).unwrap();
        let mut main = std::fs::read(&path).unwrap();
        main.truncate(length as usize);
        std::fs::write(&path, &main).unwrap();
        std::fs::write(part_path(&path), Part::header(main.len() as u64, known)).unwrap();
        assert!(GameWriter::open(&path).err().unwrap().to_string().contains("is not the file"));
        std::fs::write(part_path(&path), (main.len() as u64 + 1).to_le_bytes()).unwrap();
        assert!(read(&path).err().unwrap().to_string().contains("bytes, but had"));
        assert_eq!(std::fs::read(&path).unwrap(), main);
    }

    #[test]
    fn a_folder_is_its_files_of_games_by_name() {
        let folder = folder("games");
        assert!(expand(std::slice::from_ref(&folder)).unwrap_err().to_string().contains("*.games"));
        for name in ["b.games", "a.games", "a.games.json", "a.games.part", "c.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let single = folder.join("c.txt");
        let expected = [single.clone(), folder.join("a.games"), folder.join("b.games")];
        assert_eq!(expand(&[single, folder]).unwrap(), expected);
    }

    #[test]
    fn parts_of_older_versions_are_read_and_continued() {
        let (path, games) = (path("older"), some(6));
        std::fs::write(&path, frame(&games[..2])).unwrap();
        let mut part = std::fs::metadata(&path).unwrap().len().to_le_bytes().to_vec();
        games[2..4].iter().for_each(|game| game.encode(&mut part).unwrap());
        std::fs::write(part_path(&path), &part).unwrap();
        assert_eq!(all(&path), games[..4]);
        let mut writer = GameWriter::open(&path).unwrap();
        assert!(GameWriter::open(&path).err().unwrap().to_string().contains("another run"));
        games[4..].iter().for_each(|game| writer.write(game).unwrap());
        assert_eq!(all(&path), games);
    }

    #[test]
    fn a_file_that_is_cut_off_is_read_up_to_the_damage_and_named() {
        let (path, games) = (path("cut"), some(400));
        let whole = frame(&games);
        let length = whole.len() * 9 / 10;
        std::fs::write(&path, &whole[..length]).unwrap();
        let mut found: Vec<_> = read(&path).unwrap().collect();
        let error = format!("{:#}", found.pop().unwrap().unwrap_err());
        assert!(
            error.contains(path.to_str().unwrap()) && error.contains(&format!("game {}", found.len())),
            "{error}"
        );
        let found: Vec<ScoredGame> = found.into_iter().map(|game| game.unwrap()).collect();
        assert!(found.len() > 100 && found == games[..found.len()], "{} games", found.len());
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
                append(&part_path(&path), &[1; 37]);
            }
            if number == 30 {
                // ... and while a frame was being written.
                append(&path, &frame(&expected[25..=30])[..60]);
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
