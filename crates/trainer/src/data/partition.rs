//! Records put into random order and freed of duplicates on disk, in as much memory as is given.
//!
//! The order is that of a hash of position and seed, and the highest bits of the same hash choose a partition. So each
//! partition can be sorted by itself, records of the same position meet in it, and the whole is the same for a seed
//! however many partitions there are.

use crate::train::record::{RECORD_BYTES, from_bytes, to_bytes};
use anyhow::Context;
use bulletformat::ChessBoard;
use chess::random::splitmix64;
use platform::files::with_suffix;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Memory of a record while its partition is sorted: itself before and after, its hash and its place.
const SORTING_BYTES: u64 = 2 * RECORD_BYTES as u64 + 16;
/// The maximum number of partitions, each an open file, of training and of held-out records.
const MAX_PARTITIONS: u64 = 256;

/// A hash of the position of a record, whatever its score and result.
pub fn position_hash(board: &ChessBoard, seed: u64) -> u64 {
    let mut words = [board.occ, 0, 0];
    for (word, bytes) in words[1..].iter_mut().zip(board.pcs.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    let mixed = |mut bits: u64| splitmix64(&mut bits);
    words.iter().fold(mixed(seed), |hash, word| mixed(hash ^ word))
}

/// The order that is wanted. Duplicates that are kept lie side by side.
#[derive(Clone, Copy, Debug)]
pub struct RecordOrder {
    /// Another seed gives another order.
    pub seed: u64,
    /// Keep all records of a position instead of the newest.
    pub keep_duplicates: bool,
}

/// Records on their way to partitions: in memory until there are too many, then in files.
pub struct Partitions {
    order: RecordOrder,
    folder: PathBuf,
    name: &'static str,
    /// Bits of the hash that choose a partition.
    bits: u32,
    buffer_bytes: usize,
    parts: Vec<Partition>,
}

#[derive(Default)]
struct Partition {
    buffer: Vec<u8>,
    file: Option<File>,
}

impl Partitions {
    /// For at most `records` in `memory` bytes; what does not fit goes to files of this name in the folder, which must
    /// exist by then.
    pub fn new(
        order: RecordOrder,
        records: u64,
        memory: u64,
        folder: &Path,
        name: &'static str,
    ) -> Partitions {
        // Half for the partition that is sorted, with room for uneven ones and what is written; a quarter for buffers.
        let wanted = (records * SORTING_BYTES).div_ceil((memory / 2).max(1)).clamp(1, MAX_PARTITIONS);
        let bits = wanted.next_power_of_two().trailing_zeros();
        let parts = (0..1 << bits).map(|_| Partition::default()).collect();
        let buffer_bytes =
            if bits == 0 { usize::MAX } else { ((memory / 4) >> bits).clamp(4096, 1 << 22) as usize };
        Partitions { order, folder: folder.to_owned(), name, bits, buffer_bytes, parts }
    }

    /// Takes a record; of several of a position the one that comes last is the newest.
    pub fn push(&mut self, board: &ChessBoard) -> anyhow::Result<()> {
        let number = position_hash(board, self.order.seed).checked_shr(64 - self.bits).unwrap_or(0) as usize;
        let part = &mut self.parts[number];
        part.buffer.extend(to_bytes(board));
        if part.buffer.len() >= self.buffer_bytes {
            let path = path_of(&self.folder, self.name, number);
            part.spill(&path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// The number of partitions.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// The records of a partition in order, and how many duplicates went; its file is gone then.
    pub fn take(&mut self, number: usize) -> anyhow::Result<(Vec<ChessBoard>, usize)> {
        let part = std::mem::take(&mut self.parts[number]);
        let mut bytes = Vec::new();
        if part.file.is_some() {
            let path = path_of(&self.folder, self.name, number);
            bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            std::fs::remove_file(&path)?;
        }
        bytes.extend(part.buffer);
        Ok(sorted(&bytes, self.order))
    }
}

impl Partition {
    fn spill(&mut self, path: &Path) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(path)?),
        };
        file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

fn path_of(folder: &Path, name: &str, number: usize) -> PathBuf {
    folder.join(format!("{name}.{number}"))
}

/// The records in order, and how many duplicates went.
fn sorted(bytes: &[u8], order: RecordOrder) -> (Vec<ChessBoard>, usize) {
    let records = bytes.as_chunks::<RECORD_BYTES>().0;
    let entry = |(place, record)| (position_hash(&from_bytes(record), order.seed), place as u32);
    let mut entries: Vec<(u64, u32)> = records.par_iter().enumerate().map(entry).collect();
    entries.par_sort_unstable();
    let is_kept =
        |at: usize| order.keep_duplicates || entries.get(at + 1).is_none_or(|next| next.0 != entries[at].0);
    let kept = (0..entries.len()).filter(|&at| is_kept(at));
    let boards: Vec<ChessBoard> = kept.map(|at| from_bytes(&records[entries[at].1 as usize])).collect();
    let dropped = records.len() - boards.len();
    (boards, dropped)
}

/// Drops the records of `held_out` whose position is in `training` too; returns how many went.
pub fn drop_shared(held_out: &mut Vec<ChessBoard>, training: &[ChessBoard]) -> usize {
    let before = held_out.len();
    // The keys of the few are collected and the many are looked up, not the other way round.
    let key = |board: &ChessBoard| position_hash(board, 0);
    let keys: HashSet<u64> = held_out.iter().map(key).collect();
    let shared: HashSet<u64> = training.iter().map(key).filter(|key| keys.contains(key)).collect();
    held_out.retain(|board| !shared.contains(&key(board)));
    before - held_out.len()
}

/// A file of records that appears only when it is complete.
pub struct RecordWriter {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    /// Records written.
    pub records: u64,
}

impl RecordWriter {
    /// Begins the file.
    pub fn create(path: &Path) -> anyhow::Result<RecordWriter> {
        let part = with_suffix(path, ".part");
        let file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(RecordWriter { path: path.to_owned(), part, file, records: 0 })
    }

    /// Appends records.
    pub fn write(&mut self, boards: &[ChessBoard]) -> anyhow::Result<()> {
        for board in boards {
            let written = self.file.write_all(&to_bytes(board));
            written.with_context(|| format!("cannot write {}", self.part.display()))?;
        }
        self.records += boards.len() as u64;
        Ok(())
    }

    /// Puts the file in its place.
    pub fn finish(self) -> anyhow::Result<u64> {
        self.file.into_inner()?.sync_all()?;
        std::fs::rename(&self.part, &self.path)?;
        Ok(self.records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::folder;
    use crate::train::sample::boards;
    use std::collections::HashMap;

    /// All records in order, and the number of partitions.
    fn through(all: &[ChessBoard], order: RecordOrder, memory: u64) -> (Vec<ChessBoard>, usize) {
        let folder = folder(&memory.to_string());
        let mut partitions = Partitions::new(order, all.len() as u64, memory, &folder, "test");
        all.iter().for_each(|board| partitions.push(board).unwrap());
        let count = partitions.count();
        let boards = (0..count).flat_map(|number| partitions.take(number).unwrap().0).collect();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        (boards, count)
    }

    #[test]
    fn the_newest_record_of_each_position_stays_whatever_the_memory() {
        let mut all = boards(3000, 3);
        let newer = all[..1000].iter().map(|board| ChessBoard { score: 7777, ..*board }).collect::<Vec<_>>();
        all.extend(newer);
        let order = RecordOrder { seed: 1, keep_duplicates: false };
        let (found, count) = through(&all, order, 1 << 30);
        assert_eq!(count, 1);
        let expected: HashMap<[u8; 24], ChessBoard> =
            all.iter().map(|board| (to_bytes(board)[..24].try_into().unwrap(), *board)).collect();
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().all(|board| expected[&to_bytes(board)[..24]] == *board));
        let (again, count) = through(&all, order, 40_000);
        assert!(count >= 16 && again == found, "{count} partitions");
        let (other, _) = through(&all, RecordOrder { seed: 2, ..order }, 40_000);
        assert!(other.len() == found.len() && other != found);
    }

    #[test]
    fn nothing_is_lost_with_duplicates() {
        let mut all = boards(2000, 4);
        all.extend_from_within(..500);
        let (mut found, _) = through(&all, RecordOrder { seed: 1, keep_duplicates: true }, 50_000);
        let key = |board: &ChessBoard| to_bytes(board);
        assert_ne!(found, all);
        found.sort_unstable_by_key(key);
        all.sort_unstable_by_key(key);
        assert_eq!(found, all);
    }

    #[test]
    fn the_order_has_nothing_to_do_with_the_positions() {
        let all = boards(20_000, 6);
        let (found, _) = through(&all, RecordOrder { seed: 1, keep_duplicates: true }, 1 << 30);
        let pieces = |board: &ChessBoard| f64::from(board.occ.count_ones());
        let mean = |boards: &[ChessBoard]| boards.iter().map(pieces).sum::<f64>() / boards.len() as f64;
        for part in found.chunks(5000) {
            assert!((mean(part) - mean(&all)).abs() < 0.5, "{} of {}", mean(part), mean(&all));
        }
    }

    #[test]
    fn no_position_is_both_trained_on_and_held_out() {
        let order = RecordOrder { seed: 1, keep_duplicates: false };
        let (mut training, _) = through(&boards(1000, 3), order, 1 << 29);
        let mut held_out = training.split_off(training.len() / 2);
        let own = held_out.clone();
        // Another score and result are still the same position.
        held_out.extend(training[..100].iter().map(|board| ChessBoard { score: 77, result: 1, ..*board }));
        assert_eq!(drop_shared(&mut held_out, &training), 100);
        assert!(held_out == own);
    }
}
