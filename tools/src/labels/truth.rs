//! The truth about positions: the chances that a strong engine's search gives them, kept in a file.

use crate::epd;
use crate::judge::positions::expected_of_chances;
use crate::play::limits::Clock;
use crate::play::log::SharedLog;
use crate::play::player::{Failure, Patience, Player};
use crate::play::spec::EngineSpec;
use crate::play::think::EngineMove;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tamarack::chess::{Color, FenStyle, Position, Square};

/// Known truths, each written to the file as soon as it is known. The file is EPD, so `judge` can read it too.
#[derive(Debug, Default)]
pub struct Cache {
    known: HashMap<String, f64>,
    file: Option<File>,
}

impl Cache {
    /// Opens or makes the file; without a path, truths are kept for this run only. `engine` describes who finds them: a file
    /// of another one is an error, and so is a damaged one, except that a last line that was cut off is dropped.
    pub fn open(path: Option<&Path>, engine: &str) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let name = || path.display().to_string();
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.with_context(name)?,
        };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let head = format!("# {engine}\n");
        let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(name)?;
        file.set_len(whole.len() as u64)?;
        let mut known = HashMap::new();
        if whole.is_empty() {
            file.write_all(head.as_bytes())?;
        } else {
            let found = whole.lines().next().unwrap_or_default();
            ensure!(found == head.trim_end(), "{} is of {found:?}, not of {:?}", name(), head.trim_end());
            for (number, line) in whole.lines().enumerate().skip(1) {
                let (key, value) =
                    parse(line).with_context(|| format!("{} is damaged at line {}", name(), number + 1))?;
                known.insert(key, value);
            }
        }
        Ok(Self { known, file: Some(file) })
    }

    /// The expected score of the side to move, if it is known.
    pub fn get(&self, position: &Position) -> Option<f64> {
        self.known.get(&key(position)).copied()
    }

    fn add(&mut self, position: &Position, [win, draw, loss]: [u32; 3]) -> Result<()> {
        let line = format!("{} c0 \"{win} {draw} {loss}\";\n", key(position));
        let (key, value) = parse(&line)?;
        if let Some(file) = &mut self.file {
            file.write_all(line.as_bytes())?;
        }
        self.known.insert(key, value);
        Ok(())
    }
}

/// A position as the file names it: what the engine's answer depends on.
fn key(position: &Position) -> String {
    format!("{} hmvc {};", epd::board(&position.fen(FenStyle::Shredder)), position.halfmove_clock())
}

fn parse(line: &str) -> Result<(String, f64)> {
    let value = expected_of_chances(epd::operand(line, "c0").context("without c0")?)?;
    Ok((key(&epd::position_with_clock(line)?), value))
}

/// The engine that knows better.
#[derive(Debug)]
pub struct Oracle {
    spec: EngineSpec,
    /// Its own name, options and limits.
    pub description: String,
}

impl Oracle {
    /// For this engine, which is started once to learn its name; it must offer `UCI_ShowWDL`.
    pub fn new(mut spec: EngineSpec) -> Result<Self> {
        spec.set_option("UCI_ShowWDL", "true");
        let log = SharedLog::default();
        let player = Player::start(&spec, Patience::default(), &log)
            .map_err(|failure| failure.told(&spec.name, &log))?;
        let named = EngineSpec { label: Some(player.identity().to_owned()), ..spec.clone() };
        let description = named.describe();
        player.quit();
        Ok(Self { spec, description })
    }

    /// Fills the cache with what is missing of these positions, by `concurrency` copies of the engine.
    pub fn ask(&self, positions: &[Position], cache: &mut Cache, concurrency: usize) -> Result<()> {
        let missing: Vec<Position> =
            positions.iter().filter(|position| cache.get(position).is_none()).copied().collect();
        let cache = Mutex::new(cache);
        self.search(&missing, concurrency, &|index, answer| {
            let chances = answer.info.wdl.with_context(|| format!("{} showed no chances", self.spec.name))?;
            cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(&missing[index], chances)
        })
    }

    /// Has the positions searched by `concurrency` copies of the engine, each as in a new game, and calls `each` with the index
    /// and the answer as they come; its error ends the work.
    pub fn search(
        &self,
        positions: &[Position],
        concurrency: usize,
        each: &(impl Fn(usize, EngineMove) -> Result<()> + Sync),
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<()> {
            let log = SharedLog::default();
            let told = |failure: Failure| failure.told(&self.spec.name, &log);
            let mut player = None;
            let take = || {
                let index = next.fetch_add(1, Ordering::Relaxed);
                positions.get(index).map(|position| (index, position))
            };
            while let Some((index, position)) = take() {
                let player = match &mut player {
                    Some(player) => player,
                    none => none.insert(Player::start(&self.spec, Patience::default(), &log).map_err(told)?),
                };
                log.restart();
                each(index, self.answer(player, position).map_err(told)?)?;
            }
            player.into_iter().for_each(Player::quit);
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..concurrency.max(1)).map(|_| scope.spawn(work)).collect();
            for thread in threads {
                match thread.join() {
                    Ok(result) => result?,
                    Err(_) => bail!("a thread has died"),
                }
            }
            Ok(())
        })
    }

    fn answer(&self, player: &mut Player, position: &Position) -> Result<EngineMove, Failure> {
        let is_chess960 = is_chess960(position);
        let style = if is_chess960 { FenStyle::Shredder } else { FenStyle::Standard };
        player.new_game(is_chess960)?;
        let clock = Clock::new(&self.spec.limits);
        let mut question = format!("position fen {}\n", position.fen(style));
        clock.append_go(&clock, &clock, &mut question);
        player.think(&question, None)
    }
}

/// True if a king or rook that may castle stands elsewhere than in standard chess.
fn is_chess960(position: &Position) -> bool {
    let fen = position.fen(FenStyle::Shredder);
    let rights = fen.split(' ').nth(2).unwrap_or_default();
    let is_usual = |right: char| match right {
        'A' | 'H' => position.king(Color::White) == Square::E1,
        'a' | 'h' => position.king(Color::Black) == Square::E8,
        right => right == '-',
    };
    !rights.chars().all(is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tamarack-truth-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn truths_are_found_again_in_their_file() {
        let path = path("found");
        let positions: Vec<Position> = crate::data::game::STARTS.map(|fen| fen.parse().unwrap()).to_vec();
        let mut cache = Cache::open(Some(&path), "A [nodes=1]").unwrap();
        cache.add(&positions[0], [200, 700, 100]).unwrap();
        cache.add(&positions[2], [0, 10, 990]).unwrap();
        // Killed while it wrote.
        cache.file.unwrap().write_all(b"4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; c0 \"5").unwrap();
        let mut cache = Cache::open(Some(&path), "A [nodes=1]").unwrap();
        cache.add(&positions[4], [1000, 0, 0]).unwrap();
        let cache = Cache::open(Some(&path), "A [nodes=1]").unwrap();
        let found: Vec<Option<f64>> = positions.iter().map(|position| cache.get(position)).collect();
        assert_eq!(found, [Some(0.55), None, Some(0.005), None, Some(1.0)]);
    }

    #[test]
    fn truths_of_another_engine_are_refused() {
        let path = path("other");
        Cache::open(Some(&path), "A [nodes=1]").unwrap();
        assert!(Cache::open(Some(&path), "A [nodes=2]").is_err());
        fs::write(&path, "# A [nodes=1]\nrubbish\n").unwrap();
        let error = format!("{:#}", Cache::open(Some(&path), "A [nodes=1]").unwrap_err());
        assert!(error.contains("damaged at line 2"), "{error}");
    }

    #[test]
    fn the_clock_is_part_of_the_question() {
        let position =
            |clock: u32| format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clock} 9").parse::<Position>().unwrap();
        assert_ne!(key(&position(3)), key(&position(60)));
    }

    #[test]
    fn chess960_is_told_by_its_castling_rights() {
        let told = crate::data::game::STARTS.map(|fen| is_chess960(&fen.parse().unwrap()));
        assert_eq!(told, [false, false, true, false, false]);
        assert!(is_chess960(&"4k2r/8/8/8/8/8/8/R2K4 w A - 0 1".parse().unwrap()));
    }
}
