//! New scores for old games: the positions that are trained on are searched again by the present engine, results and
//! moves stay.

use super::file::{self, GameWriter};
use super::game::Game;
use super::game_records;
use crate::datagen::Settings;
use crate::datagen::play::Player;
use crate::train::filter::Filter;
use anyhow::Context;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// Games that are worked on before they are written.
const BATCH: usize = 64;

/// Searches the games of `from` again, where the filter keeps the position, and appends them to `to`; an interrupted run
/// goes on behind the games that are there.
pub fn relabel(
    from: &Path,
    to: &Path,
    settings: &Settings,
    filter: &Filter,
    threads: usize,
) -> anyhow::Result<()> {
    let mut writer = GameWriter::open(to)?;
    let done = file::read(to)?.count();
    let mut games = file::read(from)?.skip(done).peekable();
    let players = (0..threads.max(1))
        .map(|_| Player::new(settings, None).map(Mutex::new))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let (begin, mut positions) = (Instant::now(), 0);
    while games.peek().is_some() {
        let mut batch = games.by_ref().take(BATCH).collect::<anyhow::Result<Vec<Game>>>()?;
        let next = Mutex::new(batch.iter_mut());
        std::thread::scope(|scope| {
            for player in &players {
                scope.spawn(|| {
                    let mut player = player.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    loop {
                        let game = next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
                        let Some(game) = game else { break };
                        let wanted: Vec<bool> =
                            game_records(game).map(|record| filter.keeps(&record)).collect();
                        player.relabel(settings, game, &wanted);
                    }
                });
            }
        });
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

    #[test]
    fn scores_are_new_where_asked_and_all_else_is_old() {
        let folder = std::env::temp_dir().join(format!("tamarack-relabel-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (from, to) = (folder.join("old"), folder.join("new"));
        let mut old: Vec<Game> = STARTS
            .iter()
            .enumerate()
            .map(|(seed, fen)| random_game(fen.parse().unwrap(), seed as u64))
            .collect();
        old.iter_mut().for_each(|game| game.moves.truncate(30));
        let settings = Settings { nodes: 50, hash: 1, ..Settings::for_tests() };
        let filter = Filter { min_ply: 10, ..Filter::default() };
        let write = |games: &[Game]| {
            let mut writer = GameWriter::open(&from).unwrap();
            games.iter().for_each(|game| writer.write(game).unwrap());
        };
        write(&old[..2]);
        relabel(&from, &to, &settings, &filter, 2).unwrap();
        write(&old[2..]);
        relabel(&from, &to, &settings, &filter, 2).unwrap();
        let new: Vec<Game> = file::read(&to).unwrap().map(|game| game.unwrap()).collect();
        assert_eq!(new.len(), old.len());
        let without_scores = |game: &Game| {
            let moves: Vec<_> = game.moves.iter().map(|entry| entry.0).collect();
            (game.start, moves, game.outcome)
        };
        for (new, old) in new.iter().zip(&old) {
            assert_eq!(without_scores(new), without_scores(old));
            let left_out = game_records(old).take_while(|record| !filter.keeps(record)).count();
            assert_eq!(new.moves[..left_out], old.moves[..left_out]);
            assert!(new.moves[left_out..] != old.moves[left_out..]);
        }
    }
}
