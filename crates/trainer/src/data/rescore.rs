//! New scores for old games: every position is searched again by the present engine, results and moves stay.
//!
//! Those that are not trained on are searched too: their scores are what `convert --td-lambda` mixes into earlier ones.

use super::file::{self, GameWriter};
use super::game::ScoredGame;
use crate::datagen::Effort;
use crate::datagen::play::SelfPlayer;
use anyhow::Context;
use arena::threads;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;
use tamarack::eval::default_network;

/// Games that are worked on before they are written.
const BATCH: usize = 64;

/// Searches the games of `from` again and appends them to `to`; an interrupted run goes on behind the games that are there.
pub fn rescore(from: &Path, to: &Path, effort: &Effort, threads: usize) -> anyhow::Result<()> {
    let games = file::read(from)?;
    let mut writer = GameWriter::open(to)?;
    let done = file::read(to)?.try_fold(0, |count, game| game.map(|_| count + 1))?;
    let mut games = games.skip(done).peekable();
    let players = (0..threads.max(1))
        .map(|_| SelfPlayer::new(effort, default_network()).map(Mutex::new))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let (begin, mut positions) = (Instant::now(), 0);
    while games.peek().is_some() {
        let mut batch = games.by_ref().take(BATCH).collect::<anyhow::Result<Vec<ScoredGame>>>()?;
        let next = Mutex::new(batch.iter_mut());
        let worker = |player: &Mutex<SelfPlayer>| {
            let mut player = player.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            loop {
                let game = next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
                let Some(game) = game else { break };
                player.relabel(effort, game);
            }
        };
        std::thread::scope(|scope| {
            threads::spawn_workers(scope, players.iter().map(|player| || worker(player))).map(|_| ())
        })?;
        for game in &batch {
            positions += game.moves.len();
            writer.write(game).with_context(|| format!("cannot write {}", to.display()))?;
        }
        let speed = positions as f64 / begin.elapsed().as_secs_f64();
        eprint!("\r{positions} positions, {speed:.0}/s   ");
    }
    eprintln!();
    writer.close_frame()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{STARTS, random_game};
    use crate::datagen::DatagenSettings;
    use crate::scratch::folder;

    const STALE: i16 = 12_345;

    /// Games with a score that no search finds.
    fn old_games() -> Vec<ScoredGame> {
        let starts = STARTS.iter().enumerate();
        let mut old: Vec<ScoredGame> =
            starts.map(|(seed, fen)| random_game(fen.parse().unwrap(), seed as u64)).collect();
        for game in &mut old {
            game.moves.truncate(30);
            game.moves.iter_mut().for_each(|(_, score)| *score = STALE);
        }
        old
    }

    fn write(path: &Path, games: &[ScoredGame]) {
        let mut writer = GameWriter::open(path).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
    }

    fn effort() -> Effort {
        Effort { nodes: 50, hash: 1, ..DatagenSettings::for_tests().effort }
    }

    #[test]
    fn every_score_is_new_and_all_else_is_old() {
        let folder = folder("scores");
        let (from, to) = (folder.join("old"), folder.join("new"));
        let old = old_games();
        write(&from, &old[..2]);
        rescore(&from, &to, &effort(), 2).unwrap();
        write(&from, &old[2..]);
        rescore(&from, &to, &effort(), 2).unwrap();
        let new: Vec<ScoredGame> = file::read(&to).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!(new.len(), old.len());
        let without_scores = |game: &ScoredGame| {
            let moves: Vec<_> = game.moves.iter().map(|entry| entry.0).collect();
            (game.start, moves, game.outcome, game.is_cut_off)
        };
        for (new, old) in new.iter().zip(&old) {
            assert_eq!(without_scores(new), without_scores(old));
            assert!(new.moves.iter().all(|&(_, score)| score != STALE), "{new:?}");
        }
    }

    #[test]
    fn a_damaged_file_is_not_continued() {
        let folder = folder("damage");
        let (from, to) = (folder.join("old"), folder.join("new"));
        write(&from, &old_games()[..1]);
        std::fs::write(&to, [7; 50]).unwrap();
        let error = rescore(&from, &to, &effort(), 1).unwrap_err().to_string();
        assert!(error.contains("new is damaged"), "{error}");
    }
}
