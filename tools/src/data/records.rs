//! Verbs on files of 32-byte records: shuffle, dedupe, filter.

use crate::random::Random;
use crate::train::data::Source;
use crate::train::filter::Filter;
use crate::train::record::to_bytes;
use anyhow::Context;
use bulletformat::ChessBoard;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tamarack::eval::network::checksum;

/// Reads all sound records of the files that pass the filter.
pub fn read(paths: &[PathBuf], filter: &Filter) -> anyhow::Result<Vec<ChessBoard>> {
    Source::open(paths)?.read_all(filter, usize::MAX)
}

/// Writes records; the file appears only when it is complete.
pub fn write(path: &Path, boards: &[ChessBoard]) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    let mut file =
        BufWriter::new(File::create(&part).with_context(|| format!("cannot write {}", part.display()))?);
    for board in boards {
        file.write_all(&to_bytes(board))?;
    }
    file.into_inner()?.sync_all()?;
    std::fs::rename(part, path)?;
    Ok(())
}

/// Puts the records into random order.
pub fn shuffle(boards: &mut [ChessBoard], seed: u64) {
    Random::new(seed).shuffle(boards);
}

/// Keeps the last record of each position (newer files should come last); returns how many went.
pub fn dedupe(boards: &mut Vec<ChessBoard>) -> usize {
    let before = boards.len();
    let mut seen = HashSet::with_capacity(before);
    boards.reverse();
    boards.retain(|board| seen.insert(position_key(board)));
    boards.reverse();
    before - boards.len()
}

/// Drops the records of `held_out` whose position is in `lessons` too; returns how many went.
pub fn drop_shared(held_out: &mut Vec<ChessBoard>, lessons: &[ChessBoard]) -> usize {
    let before = held_out.len();
    // The keys of the few are collected and the many are looked up, not the other way round.
    let keys: HashSet<u64> = held_out.iter().map(position_key).collect();
    let shared: HashSet<u64> = lessons.iter().map(position_key).filter(|key| keys.contains(key)).collect();
    held_out.retain(|board| !shared.contains(&position_key(board)));
    before - held_out.len()
}

fn position_key(board: &ChessBoard) -> u64 {
    checksum(&to_bytes(board)[..24])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::sample::boards;

    #[test]
    fn only_the_newest_label_of_a_position_stays() {
        let mut all = boards(1000, 3);
        let distinct = {
            let mut copy = all.clone();
            dedupe(&mut copy);
            copy.len()
        };
        let mut newer = all.clone();
        newer.iter_mut().for_each(|board| board.score = 77);
        all.extend(newer);
        dedupe(&mut all);
        assert_eq!(all.len(), distinct);
        assert!(all.iter().all(|board| board.score == 77));
    }

    #[test]
    fn no_position_is_both_trained_on_and_held_out() {
        let mut lessons = boards(1000, 3);
        dedupe(&mut lessons);
        let mut held_out = lessons.split_off(lessons.len() / 2);
        let own = held_out.clone();
        // Another score and result are still the same position.
        held_out.extend(lessons[..100].iter().map(|board| ChessBoard { score: 77, result: 1, ..*board }));
        assert_eq!(drop_shared(&mut held_out, &lessons), 100);
        assert!(held_out == own);
    }

    #[test]
    fn shuffling_loses_nothing() {
        let all = boards(500, 4);
        let mut shuffled = all.clone();
        shuffle(&mut shuffled, 1);
        assert!(shuffled != all);
        let sorted = |boards: &[ChessBoard]| {
            let mut bytes: Vec<_> = boards.iter().map(to_bytes).collect();
            bytes.sort_unstable();
            bytes
        };
        assert_eq!(sorted(&shuffled), sorted(&all));
    }
}
