//! From games to records: shuffled, without duplicates, some games held out, in bounded memory.

use super::disk::free_bytes;
use super::file;
use super::game::{ScoredGame, is_quiet, plies_before};
use super::partition::{Partitions, RecordOrder, RecordWriter, drop_shared};
use super::thin::Thinning;
use crate::train::filter::Filter;
use crate::train::loader::Source;
use crate::train::record::{Marks, RECORD_BYTES, pack};
use anyhow::Context;
use arena::{logistic, progress, threads};
use bulletformat::ChessBoard;
use chess::Color;
use clap::Args;
use nnue::architecture::SCALE;
use platform::files::with_suffix;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};

/// Games that are worked on at a time.
const BATCH: usize = 512;
/// Larger scores are of mates and tablebases.
const MAX_SCORE: i16 = 10_000;

/// The settings of a conversion.
#[derive(Args, Clone, Debug)]
pub struct ConvertSettings {
    /// The file of records.
    #[arg(long, short)]
    pub output: PathBuf,
    /// Keep all records of a position instead of the newest.
    #[arg(long)]
    pub keep_duplicates: bool,
    /// The order of the records.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Memory in MiB; what does not fit is kept in a folder beside the output meanwhile.
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory: u64,
    /// The records that are kept.
    #[command(flatten)]
    pub filter: Filter,
    /// The parts of them that are kept.
    #[command(flatten)]
    pub thinning: Thinning,
}

impl ConvertSettings {
    /// Whether a record passes the filter and is sampled at rate `fraction`.
    fn keeps(&self, board: &ChessBoard, fraction: f64) -> bool {
        self.filter.keeps(board) && self.thinning.keeps(board, fraction)
    }
}

/// What becomes of games on their way to records: which are held out, how their scores are mixed, how many positions are kept.
#[derive(Args, Clone, Debug)]
pub struct GameSettings {
    /// A file for the records of the games that are held out.
    #[arg(long)]
    pub validation: Option<PathBuf>,
    /// One game in this many is held out.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    pub hold_out: u64,
    /// TD lambda: the part of each score that is the new score of the next position, 0 to 1; behind the last position
    /// comes the game's result.
    #[arg(long, alias = "foresight", default_value_t = 0.5, value_parser = crate::train::fraction)]
    pub td_lambda: f64,
    /// The part kept of the positions of games, whose neighbours are much alike; branches keep theirs.
    #[arg(long, default_value_t = 1.0, value_parser = crate::train::fraction)]
    pub thin_games: f64,
}

/// Makes records of the games of files, oldest first. A damaged file is named and used up to the damage.
pub fn convert(
    games: &[PathBuf],
    game_settings: &GameSettings,
    settings: &ConvertSettings,
) -> anyhow::Result<()> {
    // Four bytes are a move; starts and ends of games only make the true number smaller.
    let positions = games.iter().map(|path| decompressed_bytes(path)).sum::<anyhow::Result<u64>>()? / 4;
    let mut work = Conversion::begin(settings, positions)?;
    std::thread::scope(|scope| {
        let (sender, batches) = sync_channel(4);
        let reader = threads::spawn_scoped(scope, move || read_batches(games, sender))?;
        let bar = progress::bar("reading games", positions);
        let mut number = 0;
        for batch in batches {
            bar.inc(batch.iter().map(|game| game.moves.len() as u64).sum());
            let boards: Vec<Vec<ChessBoard>> =
                batch.into_par_iter().map(|game| kept_records(game, game_settings, settings)).collect();
            for boards in boards {
                number += 1;
                let is_held_out = game_settings.validation.is_some() && number % game_settings.hold_out == 0;
                let partitions = if is_held_out { &mut work.held_out } else { &mut work.training };
                boards.iter().try_for_each(|board| partitions.push(board))?;
            }
        }
        bar.finish_and_clear();
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    work.finish(settings, game_settings.validation.as_deref())
}

/// Puts the records of files, oldest first, into random order in one file.
pub fn shuffle(records: &[PathBuf], settings: &ConvertSettings) -> anyhow::Result<()> {
    let source = Source::open(records)?;
    let mut work = Conversion::begin(settings, source.records())?;
    source.for_each(|board| if settings.keeps(board, 1.0) { work.training.push(board) } else { Ok(()) })?;
    work.finish(settings, None)
}

/// Reads games in batches and sends them.
fn read_batches(paths: &[PathBuf], sender: SyncSender<Vec<ScoredGame>>) -> anyhow::Result<()> {
    let mut batch = Vec::new();
    for path in paths {
        for (count, game) in file::read(path)?.enumerate() {
            match game {
                Ok(game) => batch.push(game),
                Err(error) => eprintln!("warning: {error:#}; {count} games before that are used"),
            }
            // An error here means that the other side has failed and says so.
            if batch.len() == BATCH && sender.send(std::mem::take(&mut batch)).is_err() {
                return Ok(());
            }
        }
    }
    let _ = sender.send(batch);
    Ok(())
}

/// The bytes of a file of games without compression, up to where it is damaged, and of those that wait beside it.
fn decompressed_bytes(path: &Path) -> anyhow::Result<u64> {
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let plain = file.metadata()?.len();
    let waiting = std::fs::metadata(file::part_path(path)).map_or(0, |part| part.len());
    let mut decoder = zstd::stream::read::Decoder::new(file)?;
    let mut buffer = vec![0; 1 << 17];
    let mut total = 0;
    while let Ok(read @ 1..) = std::io::Read::read(&mut decoder, &mut buffer) {
        total += read as u64;
    }
    // A file without compression decompresses to nothing.
    Ok(waiting + if total == 0 { plain } else { total })
}

fn kept_records(
    mut game: ScoredGame,
    game_settings: &GameSettings,
    settings: &ConvertSettings,
) -> Vec<ChessBoard> {
    mix_later_scores(&mut game, game_settings.td_lambda);
    let fraction = if game.is_cut_off { 1.0 } else { game_settings.thin_games };
    game_records(&game).filter(|board| settings.keeps(board, fraction)).collect()
}

/// Partitions and the folder of their files.
struct Conversion {
    folder: PathBuf,
    training: Partitions,
    held_out: Partitions,
}

impl Conversion {
    fn begin(settings: &ConvertSettings, records: u64) -> anyhow::Result<Conversion> {
        let folder = with_suffix(&settings.output, ".partitions");
        let order = RecordOrder { seed: settings.seed, keep_duplicates: settings.keep_duplicates };
        let new = |name| Partitions::new(order, records, settings.memory << 20, &folder, name);
        let (training, held_out) = (new("training"), new("held-out"));
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        // The files of the partitions are deleted one by one while the output grows.
        let needed = records * RECORD_BYTES as u64 / training.count() as u64 * (training.count() as u64 + 1);
        let free = free_bytes(&settings.output)
            .map_or(String::new(), |free| format!(", {:.2} GB free", gigabytes(free)));
        println!("at most {records} records and {:.2} GB of disk{free}", gigabytes(needed));
        // What a run that was killed has left behind.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Conversion { folder, training, held_out })
    }

    fn finish(mut self, settings: &ConvertSettings, validation: Option<&Path>) -> anyhow::Result<()> {
        let mut output = RecordWriter::create(&settings.output)?;
        let mut second = validation.map(RecordWriter::create).transpose()?;
        let mut dropped = [0; 3];
        let bar = progress::bar("writing records", self.training.count() as u64);
        for number in 0..self.training.count() {
            let (training, duplicates) = self.training.take(number)?;
            dropped[0] += duplicates;
            output.write(&training)?;
            if let Some(second) = &mut second {
                let (mut held_out, duplicates) = self.held_out.take(number)?;
                dropped[1] += duplicates;
                dropped[2] += drop_shared(&mut held_out, &training);
                second.write(&held_out)?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let name = settings.output.display();
        println!("{name}: {} records, {} duplicates dropped", output.finish()?, dropped[0]);
        if let (Some(second), Some(path)) = (second, validation) {
            println!(
                "{}: {} records, {} duplicates and {} positions that are trained on dropped",
                path.display(),
                second.finish()?,
                dropped[1],
                dropped[2]
            );
        }
        Ok(())
    }
}

impl Drop for Conversion {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Mixes into each score what comes later, all as shares of the points: `td_lambda` of a new score is the new one of the
/// next quiet position, behind the last one the game's result, or again the last score of a branch that was cut off
/// (temporal differences, Sutton 1988). Positions that are not quiet make no records, may have been searched but quickly,
/// and hand on nothing of their own. Scores of mates stay.
fn mix_later_scores(game: &mut ScoredGame, td_lambda: f64) {
    if td_lambda == 0.0 {
        return;
    }
    let scale = f64::from(SCALE);
    let quiet: Vec<bool> = game.positions().map(|(position, mv, _)| is_quiet(&position, mv)).collect();
    let mut later = match game.moves.last() {
        Some(&(_, score)) if game.is_cut_off => logistic::sigmoid(f64::from(score), scale),
        _ => f64::from(game.outcome.points(Color::White)) / 2.0,
    };
    for ((_, score), is_quiet) in game.moves.iter_mut().zip(quiet).rev() {
        let now = logistic::sigmoid(f64::from(*score), scale);
        let new = now + td_lambda * (later - now);
        if score.unsigned_abs() <= MAX_SCORE as u16 {
            let mixed = ((new / (1.0 - new)).ln() * scale).round() as i16;
            *score = mixed.clamp(-MAX_SCORE, MAX_SCORE);
        }
        if is_quiet {
            later = new;
        }
    }
}

/// A record of each position of a game.
pub fn game_records(game: &ScoredGame) -> impl Iterator<Item = ChessBoard> {
    game.positions().map(|(position, mv, score)| {
        let side = position.side_to_move();
        let score = if side == Color::White { score } else { score.saturating_neg() };
        let marks = Marks {
            in_check: position.in_check(),
            noisy: mv.is_capture() || mv.promotion().is_some(),
            ply: plies_before(&position).min(255) as u8,
        };
        pack(&position, score, game.outcome.points(side), marks)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::file::GameWriter;
    use crate::data::game::{GameResult, STARTS, random_game};
    use crate::scratch::folder;
    use crate::train::record::{marks, to_bytes};
    use clap::Parser;
    use std::collections::{BTreeMap, BTreeSet};

    fn scores(game: &ScoredGame) -> Vec<i16> {
        game.moves.iter().map(|&(_, score)| score).collect()
    }

    #[test]
    fn earlier_scores_take_half_of_what_is_later_and_the_last_half_of_the_result() {
        let mut game = random_game(STARTS[0].parse().unwrap(), 3);
        game.moves.truncate(3);
        game.is_cut_off = false;
        game.outcome = GameResult::BlackWins;
        game.moves.iter_mut().zip([0, 400, -31_000]).for_each(|((_, score), new)| *score = new);
        let mut same = game.clone();
        mix_later_scores(&mut same, 0.0);
        assert_eq!(scores(&same), [0, 400, -31_000]);
        mix_later_scores(&mut game, 0.5);
        // The shares 0.5 and 0.731 become 0.433 and 0.366: lost for certain is 0.
        assert_eq!(scores(&game), [-108, -221, -31_000]);
        // A draw by repetition at +300: the last share of 0.679 becomes 0.590.
        game.outcome = GameResult::Draw;
        game.moves.iter_mut().for_each(|(_, score)| *score = 300);
        mix_later_scores(&mut game, 0.5);
        assert_eq!(scores(&game)[2], 145);
        // The result alone, and what a file may hold though no search says it.
        game.outcome = GameResult::WhiteWins;
        game.moves[0].1 = i16::MIN;
        mix_later_scores(&mut game, 1.0);
        assert_eq!(scores(&game), [i16::MIN, 10_000, 10_000]);
    }

    #[test]
    fn a_branch_that_is_cut_off_has_no_result() {
        let mut game = random_game(STARTS[0].parse().unwrap(), 3);
        game.moves.truncate(2);
        game.outcome = GameResult::WhiteWins;
        game.is_cut_off = true;
        game.moves.iter_mut().zip([0, 400]).for_each(|((_, score), new)| *score = new);
        mix_later_scores(&mut game, 0.5);
        // The shares 0.5 and 0.731 become 0.616 and 0.731.
        assert_eq!(scores(&game), [188, 400]);
    }

    #[test]
    fn a_capture_hands_on_what_comes_after_it() {
        let start: chess::Position = STARTS[0].parse().unwrap();
        let mut game = ScoredGame { start, moves: Vec::new(), outcome: GameResult::Draw, is_cut_off: false };
        let mut position = start;
        for (name, score) in [("e2e4", 0), ("d7d5", 0), ("e4d5", 1000), ("g8f6", 400)] {
            let mv = position.parse_uci(name).unwrap();
            game.moves.push((mv, score));
            position = position.after(mv);
        }
        mix_later_scores(&mut game, 0.5);
        // g8f6: half of 0.731 and half of the draw's 0.5; d7d5: half of 0.5 and half of that, as if nothing had been taken.
        assert_eq!(scores(&game), [46, 93, 483, 188]);
    }

    #[test]
    fn stored_games_become_records() {
        for (seed, fen) in STARTS.iter().enumerate() {
            let mut game = random_game(fen.parse().unwrap(), seed as u64);
            game.outcome = GameResult::WhiteWins;
            let records: Vec<_> = game_records(&game).collect();
            assert_eq!(records.len(), game.moves.len());
            for ((position, mv, score), record) in game.positions().zip(&records) {
                let is_white = position.side_to_move() == Color::White;
                assert_eq!(record.score, if is_white { score } else { -score });
                assert_eq!(record.result, if is_white { 2 } else { 0 });
                assert_eq!(marks(record).noisy, mv.is_capture() || mv.promotion().is_some());
            }
        }
    }

    #[test]
    fn of_games_the_asked_part_of_the_positions_stays_and_of_branches_all() {
        let kept = |part: &str, is_cut_off| -> usize {
            let line = format!("x -o y --min-ply 0 --thin-games {part}");
            let line = CommandLine::parse_from(line.split(' '));
            let games = (0..60)
                .map(|seed| ScoredGame { is_cut_off, ..random_game(STARTS[0].parse().unwrap(), seed) });
            games.map(|game| kept_records(game, &line.game_settings, &line.settings).len()).sum()
        };
        let all = kept("1", false);
        for quarter in ["0.25", "0.5 --thin-scores 0:0.5"] {
            assert!((all / 5..all / 3).contains(&kept(quarter, false)), "{all} {}", kept(quarter, false));
        }
        assert_eq!([kept("0", false), kept("0", true)], [0, all]);
    }

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        game_settings: GameSettings,
        #[command(flatten)]
        settings: ConvertSettings,
    }

    /// A folder with two files of games, the second damaged; the games that can be read.
    fn files(name: &str) -> (PathBuf, Vec<ScoredGame>) {
        let folder = folder(name);
        let mut games: Vec<ScoredGame> =
            (0..60).map(|seed| random_game(STARTS[seed % 5].parse().unwrap(), seed as u64 % 40)).collect();
        let mut writer = GameWriter::open(&folder.join("a")).unwrap();
        games[..20].iter().for_each(|game| writer.write(game).unwrap());
        writer.close_frame().unwrap();
        games[20..30].iter().for_each(|game| writer.write(game).unwrap());
        let mut bytes = Vec::new();
        games[30..].iter().for_each(|game| game.encode(&mut bytes).unwrap());
        std::fs::write(folder.join("b"), &bytes[..bytes.len() - 9]).unwrap();
        games.pop();
        (folder, games)
    }

    fn run(folder: &Path, more: &str) -> [Vec<[u8; RECORD_BYTES]>; 2] {
        let path = |name: &str| folder.join(name).display().to_string();
        let mut words = vec!["convert".into(), "-o".into(), path("out"), "--validation".into(), path("held")];
        words.extend(more.split_whitespace().map(String::from));
        let line = CommandLine::parse_from(words);
        convert(&["a", "b"].map(|name| folder.join(name)), &line.game_settings, &line.settings).unwrap();
        assert!(!folder.join("out.partitions").exists() && !folder.join("out.part").exists());
        ["out", "held"].map(|name| std::fs::read(folder.join(name)).unwrap().as_chunks().0.to_vec())
    }

    #[test]
    fn a_conversion_is_what_it_would_be_in_memory() {
        let (folder, games) = files("whole");
        let found = run(&folder, "--hold-out 7 --td-lambda 0.7 --max-score 900 --thin-scores 500:0.5");
        let line = CommandLine::parse_from(
            "x -o y --td-lambda 0.7 --max-score 900 --thin-scores 500:0.5".split(' '),
        );
        let mut newest = [BTreeMap::new(), BTreeMap::new()];
        for (number, game) in games.into_iter().enumerate() {
            for record in kept_records(game, &line.game_settings, &line.settings).iter().map(to_bytes) {
                newest[usize::from((number + 1) % 7 == 0)].insert(record[..24].to_vec(), record);
            }
        }
        let [training, mut held_out] = newest;
        held_out.retain(|position, _| !training.contains_key(position));
        for (found, expected) in found.iter().zip([training, held_out]) {
            assert_eq!(found.len(), expected.len());
            assert!(found.len() > 100);
            let [found, expected] =
                [found.iter().copied().collect::<BTreeSet<_>>(), expected.into_values().collect()];
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_files_in_any_memory() {
        let (folder, _) = files("seed");
        let one = run(&folder, "--memory 1000");
        assert!(run(&folder, "--memory 1") == one);
        assert!(run(&folder, "--memory 1000 --seed 2") != one);
    }
}
