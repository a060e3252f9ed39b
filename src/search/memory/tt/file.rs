//! The transposition table in a file: a header of 64 bytes, the table in blocks of a mebibyte, and the CRC-32 of each block. All
//! numbers are little-endian. Blocks are written and read at their places, in any order, so that threads can share the work.
//!
//! | bytes | header |
//! | --- | --- |
//! | 0..8 | magic, `TAMAHASH` |
//! | 8..12 | version of the format, 1; it changes with the entries and their scores |
//! | 12..16 | age of the table: the number of its last search |
//! | 16..24 | size in mebibytes |
//! | 24..32 | key of the standard starting position: the Zobrist keys that the entries were found by |
//! | 32..40 | identity of the network that the entries were computed with |
//! | 40..60 | zero |
//! | 60..64 | CRC-32 of the header before |
//!
//! The table keeps whole keys, and a key's line is `key * lines / 2^64`, so entries find their places in a table of any other
//! size, in the order of the file. A multiple of the size has room for all of them. Where lines are too short, the entries of the least
//! replacement value are left out.

use super::line::{AGES, Packed, SLOTS};
use super::{LINES_PER_MEBIBYTE, TranspositionTable};
use chess::Position;
use crc32fast::Hasher;
use platform::files::{lock_part, open_regular, read_exact_at, write_all_at};
use platform::pages::CacheLine;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"TAMAHASH";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 64;
const CRC_BYTES: u64 = 4;
/// Bytes of a block, a mebibyte.
pub const BLOCK_BYTES: usize = LINES_PER_MEBIBYTE * size_of::<CacheLine>();

/// The reason why a table cannot be written to a file or read from it.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum TtFileError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it holds no transposition table")]
    Foreign,
    #[error("its format {0} is that of another version, this one reads format {VERSION}")]
    Version(u32),
    #[error("it was written by a version with other position keys")]
    Keys,
    #[error("its header is damaged")]
    Header,
    #[error("it has {found} bytes where a table of {mebibytes} MB needs {expected}")]
    Length { found: u64, expected: u64, mebibytes: u64 },
    #[error("its entries were computed with another network than the one in use")]
    Network,
    #[error("it is damaged in megabyte {0}")]
    Block(usize),
}

/// A file with a table, open for writing or reading.
pub struct TtFile {
    file: File,
    header: [u8; HEADER_BYTES],
    mebibytes: usize,
    age: u8,
}

impl TtFile {
    /// A new file for `table`, whose entries were computed with the network of this identity; the blocks are still to be written.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be made.
    pub fn create(path: &Path, table: &TranspositionTable, network: u64) -> Result<TtFile, TtFileError> {
        let (mebibytes, age) = (table.mebibytes(), table.age.load(Relaxed));
        let header = encode(mebibytes as u64, age, network);
        let file = File::options().write(true).create_new(true).open(path)?;
        lock_part(&file);
        let bytes =
            file_bytes(mebibytes as u64).ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        file.set_len(bytes)?;
        write_all_at(&file, &header, 0)?;
        Ok(TtFile { file, header, mebibytes, age })
    }

    /// Opens a file whose entries were computed with the network of this identity. Header and length are right; the blocks are
    /// still to be checked.
    ///
    /// # Errors
    /// If it is no such file. A pipe or device is not opened.
    pub fn open(path: &Path, network: u64) -> Result<TtFile, TtFileError> {
        let file = open_regular(path)?;
        let found = file.metadata()?.len();
        let mut header = [0; HEADER_BYTES];
        let there = found.min(HEADER_BYTES as u64) as usize;
        read_exact_at(&file, &mut header[..there], 0)?;
        let Header { mebibytes, age } = decode(&header, network)?;
        let expected = file_bytes(mebibytes).ok_or(TtFileError::Header)?;
        if found != expected {
            return Err(TtFileError::Length { found, expected, mebibytes });
        }
        Ok(TtFile { file, header, mebibytes: mebibytes as usize, age })
    }

    /// The size of the table in the file in mebibytes: the number of blocks.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// The age of the table in the file.
    pub fn age(&self) -> u8 {
        self.age
    }

    /// Writes a block of `table`, of which the file was made.
    pub fn write_block(
        &self,
        table: &TranspositionTable,
        block: usize,
        buffer: &mut [u8],
    ) -> Result<(), TtFileError> {
        let words = table.block(block).iter().flat_map(|line| &line.0);
        for (bytes, word) in buffer.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.load(Relaxed).to_le_bytes();
        }
        write_all_at(&self.file, buffer, self.place(block))?;
        let crc = self.crc(block, buffer).to_le_bytes();
        Ok(write_all_at(&self.file, &crc, self.place_of_crc(block))?)
    }

    /// Has the system write all to the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Reads a block into `buffer`.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn read_block(&self, block: usize, buffer: &mut [u8]) -> Result<(), TtFileError> {
        let mut crc = [0; CRC_BYTES as usize];
        read_exact_at(&self.file, buffer, self.place(block))?;
        read_exact_at(&self.file, &mut crc, self.place_of_crc(block))?;
        match u32::from_le_bytes(crc) == self.crc(block, buffer) {
            true => Ok(()),
            false => Err(TtFileError::Block(block)),
        }
    }

    fn place(&self, block: usize) -> u64 {
        HEADER_BYTES as u64 + block as u64 * BLOCK_BYTES as u64
    }

    fn place_of_crc(&self, block: usize) -> u64 {
        self.place(self.mebibytes) + block as u64 * CRC_BYTES
    }

    /// The CRC-32 of a block. Header and number are part of it: a block is only right in its place.
    fn crc(&self, block: usize, bytes: &[u8]) -> u32 {
        let mut hasher = Hasher::new();
        hasher.update(&self.header);
        hasher.update(&(block as u64).to_le_bytes());
        hasher.update(bytes);
        hasher.finalize()
    }
}

impl TranspositionTable {
    /// Puts the entries of a block of a file into the table, whose age is that of the file. What no search can have written
    /// is left out. Not to be used while a search is on.
    pub fn restore_block(&self, bytes: &[u8]) {
        let age = self.age.load(Relaxed);
        let words = bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
        let mut check = 0;
        for (index, word) in words.enumerate() {
            let packed = Packed(word);
            match index % 2 {
                0 => check = word,
                _ if packed.is_possible() => self.cluster(check ^ word).restore(check ^ word, age, packed),
                _ => {}
            }
        }
    }

    /// Sets the age to that of the entries that are going to be restored.
    pub fn begin_restoring(&self, age: u8) {
        self.age.store(age % AGES, Relaxed);
        self.is_restored.store(true, Relaxed);
    }

    fn block(&self, block: usize) -> &[CacheLine] {
        self.pages.chunks(LINES_PER_MEBIBYTE).nth(block).unwrap_or_default()
    }
}

/// What a header says.
struct Header {
    mebibytes: u64,
    age: u8,
}

/// Bytes of the file of a table of this size; `None` if no file is as large.
fn file_bytes(mebibytes: u64) -> Option<u64> {
    mebibytes.checked_mul(BLOCK_BYTES as u64 + CRC_BYTES)?.checked_add(HEADER_BYTES as u64)
}

fn encode(mebibytes: u64, age: u8, network: u64) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&u32::from(age).to_le_bytes());
    header[16..24].copy_from_slice(&mebibytes.to_le_bytes());
    header[24..32].copy_from_slice(&keys().to_le_bytes());
    header[32..40].copy_from_slice(&network.to_le_bytes());
    let crc = crc32fast::hash(&header[..60]);
    header[60..].copy_from_slice(&crc.to_le_bytes());
    header
}

fn decode(header: &[u8; HEADER_BYTES], network: u64) -> Result<Header, TtFileError> {
    let half = |at: usize| u32::from_le_bytes(std::array::from_fn(|index| header[at + index]));
    let word = |at: usize| u64::from(half(at)) | u64::from(half(at + 4)) << 32;
    let (age, mebibytes) = (half(12), word(16));
    if header[..8] != MAGIC {
        return Err(TtFileError::Foreign);
    }
    if half(8) != VERSION {
        return Err(TtFileError::Version(half(8)));
    }
    if half(60) != crc32fast::hash(&header[..60]) || age >= u32::from(AGES) || mebibytes == 0 {
        return Err(TtFileError::Header);
    }
    if word(24) != keys() {
        return Err(TtFileError::Keys);
    }
    if word(32) != network {
        return Err(TtFileError::Network);
    }
    Ok(Header { mebibytes, age: age as u8 })
}

fn keys() -> u64 {
    Position::startpos().key()
}

const _: () = assert!(2 * size_of::<u64>() * SLOTS == size_of::<CacheLine>());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Bound, Score};
    use crate::search::memory::tt::TtEntry;
    use chess::Move;
    use chess::random::{Random, mix};
    use std::fs;
    use std::path::PathBuf;

    const NETWORK: u64 = 0x1234_5678_9ABC_DEF0;

    /// A file in the folder of temporary ones, removed at the end.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str) -> Temporary {
            let path = std::env::temp_dir().join(format!("tamarack-{}-{name}", std::process::id()));
            let _ = fs::remove_file(&path);
            Temporary(path)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn entry(key: u64) -> TtEntry {
        TtEntry {
            mv: Move::from_bits(1 + (key % 60_000) as u16),
            score: Score::cp((key >> 20 & 0xFFF) as i32 - 2000),
            eval: Some(Score::cp((key >> 32 & 0xFFF) as i32 - 2000)),
            depth: (key & 0x1F) as i32,
            bound: Some(Bound::Exact),
            tt_pv: key >> 5 & 1 == 1,
        }
    }

    fn table(mebibytes: usize, keys: u64) -> TranspositionTable {
        let table = TranspositionTable::new(mebibytes).unwrap();
        table.begin_restoring(7);
        (0..keys).map(mix).for_each(|key| table.store(key, 0, &entry(key)));
        table
    }

    /// The keys of `table` that are found, with what was stored.
    fn found(table: &TranspositionTable, keys: u64) -> Vec<u64> {
        let found: Vec<u64> = (0..keys).map(mix).filter(|&key| table.probe(key, 0, 0).is_some()).collect();
        assert!(found.iter().all(|&key| table.probe(key, 0, 0) == Some(entry(key))));
        found
    }

    fn save(table: &TranspositionTable, path: &Path) {
        let file = TtFile::create(path, table, NETWORK).unwrap();
        let mut buffer = vec![0; BLOCK_BYTES];
        (0..table.mebibytes()).for_each(|block| file.write_block(table, block, &mut buffer).unwrap());
    }

    fn load(path: &Path, mebibytes: usize) -> Result<TranspositionTable, TtFileError> {
        let (file, mut buffer) = (TtFile::open(path, NETWORK)?, vec![0; BLOCK_BYTES]);
        let table = TranspositionTable::new(mebibytes).unwrap();
        table.begin_restoring(file.age());
        for block in 0..file.mebibytes() {
            file.read_block(block, &mut buffer)?;
            table.restore_block(&buffer);
        }
        Ok(table)
    }

    #[test]
    fn a_table_of_the_same_size_comes_back_word_for_word() {
        let path = Temporary::new("same.hash");
        let saved = table(2, 100_000);
        save(&saved, &path.0);
        let loaded = load(&path.0, 2).unwrap();
        let words = |table: &TranspositionTable| {
            table.pages.iter().flat_map(|line| &line.0).map(|word| word.load(Relaxed)).collect::<Vec<_>>()
        };
        assert!(words(&saved) == words(&loaded) && loaded.age.load(Relaxed) == 7);
    }

    #[test]
    fn a_larger_table_takes_the_entries_and_a_smaller_one_the_deepest() {
        const KEYS: u64 = 100_000;
        let path = Temporary::new("sizes.hash");
        let saved = table(3, KEYS);
        save(&saved, &path.0);
        let before = found(&saved, KEYS);
        // Where the sizes are no multiples, a line takes from two lines, and may be too short for both.
        for (larger, share) in [(6, 100), (9, 100), (4, 98), (10, 98)] {
            let kept = found(&load(&path.0, larger).unwrap(), KEYS).len();
            assert!(kept * 100 >= before.len() * share, "{larger} MB: {kept} of {}", before.len());
        }
        let smaller = load(&path.0, 1).unwrap();
        let kept = found(&smaller, KEYS);
        // It has 65,536 places, some of which nobody wants.
        assert!(kept.len() > 55_000, "{} entries", kept.len());
        let deep = |key: &&u64| entry(**key).depth >= 24;
        let after = kept.iter().filter(deep).count();
        assert!(after * 100 >= before.iter().filter(deep).count() * 95, "{after} deep entries");
    }

    #[test]
    fn no_damage_is_overlooked() {
        let path = Temporary::new("damaged.hash");
        save(&table(1, 20_000), &path.0);
        let good = fs::read(&path.0).unwrap();
        assert!(load(&path.0, 1).is_ok() && good.len() == HEADER_BYTES + BLOCK_BYTES + CRC_BYTES as usize);
        let error = |bytes: &[u8]| {
            fs::write(&path.0, bytes).unwrap();
            load(&path.0, 1).err().expect("it is damaged").to_string()
        };
        let mut random = Random::new(1);
        let lengths = (0..200).chain([1 << 10, BLOCK_BYTES, good.len() - 1]);
        for length in lengths.chain((0..50).map(|_| random.below(good.len()))) {
            error(&good[..length]);
        }
        error(&[&good[..], b"\0"].concat());
        let places = (0..good.len()).take(HEADER_BYTES).chain(good.len() - CRC_BYTES as usize..good.len());
        for place in places.chain((0..100).map(|_| random.below(good.len()))) {
            let mut bytes = good.clone();
            bytes[place] ^= 1 << (place % 8);
            error(&bytes);
        }
        assert_eq!(error(b""), "it holds no transposition table");
        assert_eq!(error(&[0xFE; 5000]), "it holds no transposition table");
        assert_eq!(error(&good[..40]), "its header is damaged");
        assert!(error(&good[..70_000]).starts_with("it has 70000 bytes where a table of 1 MB needs "));
        let mut bytes = good.clone();
        bytes[300_000] ^= 4;
        assert_eq!(error(&bytes), "it is damaged in megabyte 0");
    }

    #[test]
    fn headers_of_other_versions_keys_networks_and_sizes_are_refused() {
        let refused = |header: &[u8; HEADER_BYTES]| decode(header, NETWORK).map(|_| ()).unwrap_err();
        let signed = |place: usize, byte: u8| {
            let mut header = encode(16, 3, NETWORK);
            header[place] = byte;
            let crc = crc32fast::hash(&header[..60]);
            header[60..].copy_from_slice(&crc.to_le_bytes());
            header
        };
        assert!(decode(&encode(16, 3, NETWORK), NETWORK).is_ok());
        assert!(matches!(refused(&signed(8, 2)), TtFileError::Version(2)));
        assert!(matches!(refused(&signed(12, 32)), TtFileError::Header));
        assert!(matches!(refused(&signed(16, 0)), TtFileError::Header));
        assert!(matches!(refused(&signed(24, 1)), TtFileError::Keys));
        assert!(matches!(refused(&signed(32, 1)), TtFileError::Network));
        // A size that no file has.
        assert!(file_bytes(u64::MAX).is_none() && file_bytes(1 << 45).is_none());
    }

    /// Whoever signs them himself can put any words into a file.
    #[test]
    fn words_that_no_search_writes_are_left_out() {
        let table = TranspositionTable::new(1).unwrap();
        let mut random = Random::new(2);
        let mut block = vec![0; BLOCK_BYTES];
        for pair in block.as_chunks_mut::<16>().0 {
            let (key, data) = (random.bits(), random.bits());
            pair[..8].copy_from_slice(&(key ^ data).to_le_bytes());
            pair[8..].copy_from_slice(&data.to_le_bytes());
        }
        table.restore_block(&block);
        let entries = table.pages.iter().flat_map(|line| super::super::Cluster(&line.0).entries());
        let used: Vec<Packed> = entries.filter(|packed| packed.is_used()).collect();
        assert!(used.len() > 30_000 && used.iter().all(|packed| packed.is_possible()), "{}", used.len());
        for packed in used {
            let entry = packed.unpack(3, 10);
            assert!(
                entry.depth <= crate::search::MAX_DEPTH && entry.score.raw().abs() <= Score::INFINITE.raw()
            );
        }
    }
}
