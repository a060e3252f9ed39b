//! Training data from disk: files of 32-byte records, in any number and larger than memory.
//!
//! The files are cut into blocks. Each epoch takes the blocks in a new order, some at a time (a window), and shuffles
//! the records of a window. A file that fits into one window is shuffled as a whole; larger ones should have been
//! shuffled once by `tools data shuffle`. What comes in which order depends on the seed, epoch and window alone, so a
//! run can be resumed exactly. The next window is read while the last one is trained on.

use super::features::is_sound;
use super::filter::Filter;
use super::record::{RECORD_BYTES, from_bytes};
use anyhow::{Context, ensure};
use arena::threads;
use bulletformat::ChessBoard;
use chess::random::Random;
use nnue::network::checksum;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

/// Records of a block.
const BLOCK: u64 = 4096;

/// The files of a run.
#[derive(Clone, Debug)]
pub struct Source {
    paths: Vec<PathBuf>,
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    file: usize,
    first: u64,
    records: usize,
}

impl Source {
    /// Looks at the files; nothing is read yet.
    pub fn open(paths: &[PathBuf]) -> anyhow::Result<Source> {
        let mut blocks = Vec::new();
        for (file, path) in paths.iter().enumerate() {
            let bytes =
                std::fs::metadata(path).with_context(|| format!("no data file {}", path.display()))?.len();
            ensure!(
                bytes.is_multiple_of(RECORD_BYTES as u64),
                "{} is not made of 32-byte records: its size is {bytes}",
                path.display()
            );
            let records = bytes / RECORD_BYTES as u64;
            let cut = (0..records).step_by(BLOCK as usize);
            blocks.extend(cut.map(|first| Block {
                file,
                first,
                records: (records - first).min(BLOCK) as usize,
            }));
        }
        ensure!(!blocks.is_empty(), "the data files are empty");
        Ok(Source { paths: paths.to_vec(), blocks })
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.blocks.iter().map(|block| block.records as u64).sum()
    }

    /// A checksum of all the bytes.
    pub fn checksum(&self) -> anyhow::Result<u64> {
        let mut sums = Vec::new();
        for path in &self.paths {
            let mut file = File::open(path)?;
            let mut piece = vec![0; 1 << 20];
            loop {
                let read = read_up_to(&mut file, &mut piece)?;
                if read == 0 {
                    break;
                }
                sums.extend(checksum(&piece[..read]).to_le_bytes());
            }
        }
        Ok(checksum(&sums))
    }

    /// Hands over every sound record in the order of the files.
    pub fn for_each(&self, mut take: impl FnMut(&ChessBoard) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut boards = Vec::new();
        for block in &self.blocks {
            boards.clear();
            self.read(*block, &Filter::default(), &mut boards)?;
            boards.iter().try_for_each(&mut take)?;
        }
        Ok(())
    }

    /// The first `limit` sound records that pass the filter, in the order of the files.
    pub fn read_all(&self, filter: &Filter, limit: usize) -> anyhow::Result<Vec<ChessBoard>> {
        let mut boards = Vec::new();
        for block in &self.blocks {
            self.read(*block, filter, &mut boards)?;
            if boards.len() >= limit {
                boards.truncate(limit);
                break;
            }
        }
        Ok(boards)
    }

    fn read(&self, block: Block, filter: &Filter, boards: &mut Vec<ChessBoard>) -> anyhow::Result<()> {
        let path: &Path = &self.paths[block.file];
        let mut bytes = vec![0; block.records * RECORD_BYTES];
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(block.first * RECORD_BYTES as u64))?;
        file.read_exact(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
        let records = bytes.as_chunks().0.iter().map(from_bytes);
        boards.extend(records.filter(|board| is_sound(board) && filter.keeps(board)));
        Ok(())
    }
}

fn read_up_to(file: &mut File, piece: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match file.read(&mut piece[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// The place of a run in its data: the next window to train on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamPosition {
    /// Whole passes over the data.
    pub epoch: u64,
    /// Windows of the epoch that are done.
    pub window: u64,
}

/// The records that are trained on from a place on, or why they cannot be read.
pub type LoadedWindow = anyhow::Result<(StreamPosition, Vec<ChessBoard>)>;

/// What loads the records of a run, window by window, in an order that the seed decides.
#[derive(Clone, Debug)]
pub struct DataLoader {
    /// Where the records are.
    pub source: Arc<Source>,
    /// The filter of the records.
    pub filter: Filter,
    /// Records of a window, about.
    pub window: u64,
    /// Records that the run takes, repetitions counted.
    pub samples: u64,
    /// Another seed gives another order.
    pub seed: u64,
}

impl DataLoader {
    fn blocks_per_window(&self) -> usize {
        (self.window / BLOCK).max(1) as usize
    }

    /// The number of windows of an epoch.
    pub fn windows(&self) -> u64 {
        self.source.blocks.len().div_ceil(self.blocks_per_window()) as u64
    }

    /// Records of the run before `place`, were all windows of one size.
    fn samples_before(&self, place: StreamPosition) -> f64 {
        (place.epoch as f64 + place.window as f64 / self.windows() as f64) * self.source.records() as f64
    }

    /// The fraction of the run that is done at `place`, 0 to 1.
    pub fn progress(&self, place: StreamPosition) -> f64 {
        (self.samples_before(place) / self.samples as f64).min(1.0)
    }

    /// The place after the window at `place`, even at the end of the run.
    pub fn after(&self, place: StreamPosition) -> StreamPosition {
        if place.window + 1 < self.windows() {
            StreamPosition { window: place.window + 1, ..place }
        } else {
            StreamPosition { epoch: place.epoch + 1, window: 0 }
        }
    }

    /// True if nothing is left to do at `place`.
    pub fn is_end(&self, place: StreamPosition) -> bool {
        self.samples_before(place) + 0.5 > self.samples as f64
    }

    /// The records of a window in the order in which they are used; of the run's last one as many as are still wanted.
    pub fn load(&self, place: StreamPosition) -> anyhow::Result<Vec<ChessBoard>> {
        let mut blocks = self.source.blocks.clone();
        Random::new(self.seed ^ (place.epoch + 1) << 32).shuffle(&mut blocks);
        // Windows of one size, but for a block.
        let [first, last] = [place.window, place.window + 1]
            .map(|window| (window * blocks.len() as u64 / self.windows()) as usize);
        let mut boards = Vec::new();
        for block in &blocks[first..last] {
            self.source.read(*block, &self.filter, &mut boards)?;
        }
        Random::new(self.seed ^ (place.epoch + 1) << 32 ^ (place.window + 1)).shuffle(&mut boards);
        let of_window = self.samples_before(self.after(place)) - self.samples_before(place);
        let wanted = (self.samples as f64 - self.samples_before(place)) / of_window;
        boards.truncate((boards.len() as f64 * wanted).round() as usize);
        Ok(boards)
    }

    /// Windows from `place` to the end of the run, read ahead by one.
    ///
    /// # Errors
    /// If the system has no thread that reads.
    pub fn stream(self, place: StreamPosition) -> anyhow::Result<Receiver<LoadedWindow>> {
        // Without room in the channel: one window is trained on, one waits, no third is read yet.
        let (sender, receiver) = sync_channel(0);
        threads::spawn(move || {
            let mut place = place;
            while !self.is_end(place) {
                let window = self.load(place).map(|boards| (place, boards));
                let failed = window.is_err();
                if sender.send(window).is_err() || failed {
                    break;
                }
                place = self.after(place);
            }
        })?;
        Ok(receiver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::folder;
    use crate::train::record::to_bytes;
    use crate::train::sample::boards;

    fn loader(name: &str, count: usize) -> (DataLoader, Vec<ChessBoard>) {
        let folder = folder(name);
        let all = boards(count, 4);
        let (left, right) = all.split_at(count / 3);
        let paths = ["a", "b"].map(|file| folder.join(file));
        for (path, boards) in paths.iter().zip([left, right]) {
            std::fs::write(path, boards.iter().flat_map(to_bytes).collect::<Vec<u8>>()).unwrap();
        }
        let source = Arc::new(Source::open(&paths).unwrap());
        (
            DataLoader {
                source,
                filter: Filter::default(),
                window: 8192,
                samples: 2 * count as u64,
                seed: 5,
            },
            all,
        )
    }

    /// The windows of a run from a place on.
    fn windows_from(loader: &DataLoader, place: StreamPosition) -> Vec<(StreamPosition, Vec<ChessBoard>)> {
        loader.clone().stream(place).unwrap().into_iter().map(|window| window.unwrap()).collect()
    }

    fn keys(boards: &[ChessBoard]) -> Vec<[u8; 32]> {
        let mut keys: Vec<_> = boards.iter().map(to_bytes).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn every_epoch_has_every_record_once_in_another_order() {
        let (loader, all) = loader("epochs", 30_000);
        assert_eq!(loader.source.records(), 30_000);
        let windows = windows_from(&loader, StreamPosition::default());
        assert_eq!(windows.len() as u64, 2 * loader.windows());
        let epoch = |epoch| -> Vec<ChessBoard> {
            windows
                .iter()
                .filter(|(place, _)| place.epoch == epoch)
                .flat_map(|(_, boards)| boards.clone())
                .collect()
        };
        let (first, second) = (epoch(0), epoch(1));
        assert_eq!(keys(&first), keys(&all));
        assert_eq!(keys(&second), keys(&all));
        assert!(first != second && first != all);
    }

    #[test]
    fn a_run_takes_as_many_records_as_were_asked_for() {
        let (loader, all) = loader("samples", 30_000);
        for samples in [5_000, 29_999, 30_000, 41_000] {
            let loader = DataLoader { samples, ..loader.clone() };
            let windows = windows_from(&loader, StreamPosition::default());
            let taken = windows.iter().map(|(_, boards)| boards.len() as u64).sum::<u64>();
            assert!(taken.abs_diff(samples) <= 1500, "{taken} of {samples}");
            assert_eq!(loader.progress(loader.after(windows[windows.len() - 1].0)), 1.0);
            assert!(all.contains(&windows[0].1[0]));
        }
    }

    #[test]
    fn a_resumed_stream_goes_on_where_it_was() {
        let (loader, _) = loader("resume", 30_000);
        let all = windows_from(&loader, StreamPosition::default());
        let middle = all[5].0;
        let rest = windows_from(&loader, middle);
        assert_eq!(rest, all[5..]);
    }

    #[test]
    fn files_that_are_no_data_are_named() {
        let path = folder("odd").join("data");
        std::fs::write(&path, [0; 33]).unwrap();
        let error = Source::open(std::slice::from_ref(&path)).unwrap_err().to_string();
        assert!(error.contains(path.to_str().unwrap()) && error.contains("33"), "{error}");
        assert!(Source::open(&["/no/such".into()]).is_err());
    }
}
