//! Games of the engine against itself, for training.
//!
//! One thread plays one game at a time; finished games go to the file at once. What is known about them lies in `NAME.json`
//! beside it. A run that is started again counts the games of the file and goes on with games that were not played yet.
//! In a folder one file follows the other.

mod folder;
pub mod play;

use crate::data::file::{self, GameWriter};
use crate::data::game::{GameResult, ScoredGame};
use anyhow::{Context, ensure};
use arena::play::adjudicate::AdjudicationTables;
use arena::threads;
use chess::random::Random;
use clap::Args;
use folder::FilePlan;
use indicatif::{ProgressBar, ProgressStyle};
use nnue::Network;
use nnue::network::checksum;
use platform::files::with_suffix;
use play::SelfPlayer;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tamarack::commands::genfens::read_book;
use tamarack::eval::default_network;

/// Play games for training.
#[derive(Args, Clone, Debug)]
pub struct DatagenArguments {
    /// The file of games; a run that was interrupted goes on. Or a folder, in which numbered files are played until interrupted
    #[arg(long, short)]
    output: PathBuf,
    /// With a folder: a file of which each line has the options of one file of games, in turn (# begins a comment)
    #[arg(long, conflicts_with_all = ["FileOptions", "DatagenSettings", "Effort"])]
    plan: Option<PathBuf>,
    /// Threads; all processors if not given.
    #[arg(long)]
    threads: Option<usize>,
    /// A folder of Syzygy tablebases that decide games.
    #[arg(long)]
    tablebases: Option<PathBuf>,
    #[command(flatten)]
    file: FileOptions,
}

/// What one file of games holds.
#[derive(Args, Clone, Debug)]
struct FileOptions {
    /// Stop when the file has this many positions; 0 to go on until interrupted, in a folder 4,000,000.
    #[arg(long, default_value_t = 0)]
    positions: u64,
    /// The network that plays; the engine's own if not given
    #[arg(long)]
    network: Option<PathBuf>,
    #[command(flatten)]
    settings: DatagenSettings,
}

impl FileOptions {
    /// The network that plays.
    fn load_network(&self) -> anyhow::Result<Arc<Network>> {
        match &self.network {
            None => Ok(default_network()),
            Some(path) => {
                let network =
                    Network::load(path).with_context(|| format!("cannot use {}", path.display()))?;
                Ok(Arc::new(network))
            }
        }
    }

    /// Says what would end the run when its turn has come.
    fn check(&self) -> anyhow::Result<()> {
        let settings = &self.settings;
        ensure!(
            !settings.only_branches || settings.branches > 0.0 && settings.quick_nodes > 0,
            "--only-branches needs --branches and --quick-nodes"
        );
        self.load_network()?;
        settings.book.as_deref().map(read_book).transpose()?;
        Ok(())
    }

    /// True if a file in this state has the positions that are wanted.
    fn is_enough(&self, state: &DatagenState) -> bool {
        self.positions > 0 && state.positions >= self.positions
    }
}

/// The search of each position.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Effort {
    /// Begin no new iteration after this many nodes.
    #[arg(long, default_value_t = 40)]
    pub nodes: u64,
    /// Break the search off after this many times as many.
    #[arg(long, default_value_t = 6)]
    pub hard_factor: u64,
    /// Mebibytes of hash for each thread.
    #[arg(long, default_value_t = 1)]
    pub hash: usize,
}

/// The rules by which games are begun, searched and adjudicated. Scores are in centipawns.
#[derive(Args, Clone, Debug, Serialize)]
pub struct DatagenSettings {
    /// The search of each position.
    #[command(flatten)]
    #[serde(flatten)]
    pub effort: Effort,
    /// Nodes of a quick search, which is all that a position gets unless a long search of it is worth its price. 0: each
    /// position is searched with --nodes
    #[arg(long, default_value_t = 0)]
    pub quick_nodes: u64,
    /// With --quick-nodes: positions whose score is further from 0 are not searched for long
    #[arg(long, default_value_t = 500)]
    pub long_score: i32,
    /// With --quick-nodes: nor are positions with fewer pieces, kings and pawns counted
    #[arg(long, default_value_t = 6)]
    pub long_pieces: u32,
    /// The share of long searches after which a branch is played too: a short game from one of the positions that the search
    /// evaluated, if its score is within --long-score
    #[arg(long, default_value_t = 0.0, value_parser = crate::train::fraction)]
    pub branches: f64,
    /// Plies of a branch
    #[arg(long, default_value_t = 6)]
    pub branch_plies: usize,
    /// Search the games themselves with --quick-nodes alone, and keep their branches, not the games: positions that have less in
    /// common
    #[arg(long)]
    pub only_branches: bool,
    /// Random plies at the start; every second game has one more.
    #[arg(long, default_value_t = 8)]
    pub random_plies: u32,
    /// A file of positions (EPD or FEN lines) to begin the random plies from, instead of the usual array.
    #[arg(long)]
    pub book: Option<PathBuf>,
    /// Share of games from Chess960 arrays.
    #[arg(long, default_value_t = 0.1)]
    pub chess960: f64,
    /// Share of games in which each side has an array of its own.
    #[arg(long, default_value_t = 0.1)]
    pub double_chess960: f64,
    /// Nodes of the search that verifies a start.
    #[arg(long, default_value_t = 400)]
    pub opening_nodes: u64,
    /// Starts whose score is further from 0 are rejected.
    #[arg(long, default_value_t = 100)]
    pub opening_limit: i32,
    /// A game is won when both sides' scores have been beyond this for --win-plies plies
    #[arg(long, default_value_t = 900)]
    pub win_score: i32,
    /// Plies beyond --win-score after which a game is won; a proven mate ends it at once
    #[arg(long, default_value_t = 4)]
    pub win_plies: u32,
    /// A game is drawn when both sides' scores have been within this for --draw-plies plies
    #[arg(long, default_value_t = 10)]
    pub draw_score: i32,
    /// Plies within --draw-score after which a game is drawn
    #[arg(long, default_value_t = 8)]
    pub draw_plies: u32,
    /// Plies of the game before which none is drawn by score
    #[arg(long, default_value_t = 40)]
    pub draw_from: u32,
    /// The share of games that scores do not end, but the rules, tablebases or --longest
    #[arg(long, default_value_t = 0.0, value_parser = crate::train::fraction)]
    pub play_out: f64,
    /// Positions with this many pieces or fewer, kings and pawns counted, have --few-pieces-nodes times the nodes. With
    /// --quick-nodes only half of them are searched for long: those that `data convert --thin-pieces 2-N:0.5` keeps
    #[arg(long, default_value_t = 0)]
    pub few_pieces: u32,
    /// The factor of all nodes, quick ones too, with --few-pieces
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub few_pieces_nodes: u64,
    /// A game of this many plies is drawn.
    #[arg(long, default_value_t = 500)]
    pub longest: u32,
    /// Another seed gives other games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl DatagenSettings {
    /// The defaults of the command line.
    #[cfg(test)]
    pub fn for_tests() -> DatagenSettings {
        #[derive(clap::Parser)]
        struct CommandLine {
            #[command(flatten)]
            settings: DatagenSettings,
        }
        <CommandLine as clap::Parser>::parse_from(["datagen"]).settings
    }
}

/// What is known about a file of games, kept beside it for people and for `net install`. Its counts may lag behind the file.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
pub struct DatagenState {
    /// Starts of the run; each draws games from a range of seeds of its own.
    starts: u64,
    /// The networks that played, each by its name and checksum.
    #[serde(default)]
    pub players: Vec<String>,
    games: u64,
    /// Branches that were cut off.
    #[serde(default)]
    branches: u64,
    positions: u64,
    /// Black wins, draws, White wins.
    results: [u64; 3],
    /// Seconds of all starts.
    pub seconds: f64,
    nodes: u64,
    /// The settings of the last start.
    settings: serde_json::Value,
}

impl DatagenState {
    /// The state of a file of games: the counts are of the file itself, all else is from `NAME.json`, if that is there.
    fn of(games: &Path) -> anyhow::Result<DatagenState> {
        let known = DatagenState::read(games)?.unwrap_or_default();
        let mut state = DatagenState { games: 0, branches: 0, positions: 0, results: [0; 3], ..known };
        if games.exists() {
            file::read(games)?.try_for_each(|game| game.map(|game| state.add(&game)))?;
        }
        Ok(state)
    }

    /// Reads `NAME.json` beside a file of games; `None` without one.
    pub fn read(games: &Path) -> anyhow::Result<Option<DatagenState>> {
        let path = state_path(games);
        match std::fs::read(&path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn write(&self, games: &Path) -> anyhow::Result<()> {
        let path = state_path(games);
        let part = with_suffix(&path, ".part");
        std::fs::write(&part, serde_json::to_vec_pretty(self)?)
            .and_then(|()| std::fs::rename(&part, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Notes a start of the run.
    fn begin(&mut self, network: &Network, settings: &DatagenSettings) -> anyhow::Result<()> {
        self.starts += 1;
        self.settings = serde_json::to_value(settings)?;
        let player = player(network);
        if !self.players.contains(&player) {
            self.players.push(player);
        }
        Ok(())
    }

    fn add(&mut self, game: &ScoredGame) {
        self.positions += game.moves.len() as u64;
        if game.is_cut_off {
            self.branches += 1;
        } else {
            self.games += 1;
            self.results[game.outcome as usize] += 1;
        }
    }

    /// The seed of the next start's first game. With the number of games in it, no start repeats an earlier one whose number
    /// was lost with `NAME.json`.
    fn first_seed(&self, seed: u64) -> u64 {
        let games = (self.games + self.branches).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Random::new(seed ^ self.starts << 40 ^ games).bits()
    }
}

/// Runs the subcommand.
pub fn run(arguments: &DatagenArguments) -> anyhow::Result<()> {
    let tables = arguments.tablebases.as_deref().map(AdjudicationTables::open).transpose()?;
    let threads = threads::count(arguments.threads);
    if !arguments.output.is_dir() {
        ensure!(
            arguments.plan.is_none(),
            "--plan needs a folder, and {} is none",
            arguments.output.display()
        );
        arguments.file.check()?;
        return play_file(&arguments.output, &arguments.file, threads, tables.as_ref());
    }
    let plan = match &arguments.plan {
        Some(path) => FilePlan::read(path)?,
        None => FilePlan::of(&arguments.file)?,
    };
    let mut number = plan.first_number(&arguments.output)?;
    loop {
        let path = folder::path(&arguments.output, number)?;
        println!("{}", path.display());
        play_file(&path, &plan.options(number), threads, tables.as_ref())?;
        number += 1;
    }
}

/// Plays games until the file has enough of them.
fn play_file(
    path: &Path,
    options: &FileOptions,
    threads: usize,
    tables: Option<&AdjudicationTables>,
) -> anyhow::Result<()> {
    let settings = &options.settings;
    let mut state = DatagenState::of(path)?;
    if options.is_enough(&state) {
        println!("{}", line(&state, 0.0));
        return Ok(());
    }
    let mut writer = GameWriter::open(path)?;
    let network = options.load_network()?;
    state.begin(&network, settings)?;
    state.write(path)?;
    let players = (0..threads)
        .map(|_| SelfPlayer::for_games(settings, Arc::clone(&network), tables.cloned()))
        .collect::<anyhow::Result<Vec<SelfPlayer>>>()?;
    let first_seed = state.first_seed(settings.seed);
    let (next, enough) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // Handed over without a queue, so that no thread plays on for long when it is enough.
        let (sender, receiver) = sync_channel(0);
        let worker = |player| {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            move || play_games(player, settings, first_seed, next, enough, &sender)
        };
        threads::spawn_workers(scope, players.into_iter().map(worker))?;
        drop(sender);
        let collected = collect(path, options, &mut writer, &mut state, &receiver, &enough);
        enough.store(true, Ordering::Relaxed);
        collected
    })?;
    writer.close_frame()?;
    state.write(path)
}

/// Plays one game after the other until it is enough.
fn play_games(
    mut player: SelfPlayer,
    settings: &DatagenSettings,
    first_seed: u64,
    next: &AtomicU64,
    enough: &AtomicBool,
    sender: &SyncSender<anyhow::Result<(Vec<ScoredGame>, u64)>>,
) {
    while !enough.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let game = player.play(settings, first_seed.wrapping_add(number.wrapping_mul(0x9E37_79B9)));
        let failed = game.is_err();
        let played = game.map(|game| {
            let mut games = std::mem::take(&mut player.branches);
            if !settings.only_branches {
                games.push(game);
            }
            (games, std::mem::take(&mut player.nodes))
        });
        if sender.send(played).is_err() || failed {
            break;
        }
    }
}

/// Writes the games as they come and reports progress.
fn collect(
    path: &Path,
    options: &FileOptions,
    writer: &mut GameWriter,
    state: &mut DatagenState,
    played: &Receiver<anyhow::Result<(Vec<ScoredGame>, u64)>>,
    enough: &AtomicBool,
) -> anyhow::Result<()> {
    let bar = ProgressBar::new(options.positions);
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {wide_msg}")?);
    let (begin, before, seconds) = (Instant::now(), state.positions, state.seconds);
    let (mut told, mut logged) = (Instant::now(), Instant::now());
    for entry in played {
        let (games, nodes) = entry?;
        for game in games {
            writer.write(&game)?;
            state.add(&game);
        }
        state.nodes += nodes;
        if options.is_enough(state) {
            enough.store(true, Ordering::Relaxed);
        }
        if told.elapsed() > Duration::from_secs(1) {
            told = Instant::now();
            state.seconds = seconds + begin.elapsed().as_secs_f64();
            let speed = (state.positions - before) as f64 / begin.elapsed().as_secs_f64();
            bar.set_message(line(state, speed));
            // Where no bar can be drawn, a line now and then for the log.
            if bar.is_hidden() && logged.elapsed() > Duration::from_secs(60) {
                logged = Instant::now();
                println!("{}", line(state, speed));
            }
            state.write(path)?;
        }
    }
    state.seconds = seconds + begin.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let speed = (state.positions - before) as f64 / begin.elapsed().as_secs_f64().max(1e-9);
    println!("{}", line(state, speed));
    Ok(())
}

fn line(state: &DatagenState, speed: f64) -> String {
    let share =
        |outcome: GameResult| 100.0 * state.results[outcome as usize] as f64 / state.games.max(1) as f64;
    format!(
        "{} games, {} positions, {speed:.0} positions/s, {:.0} nodes/position, White {:.1}% draws {:.1}% Black {:.1}%",
        state.games,
        state.positions,
        state.nodes as f64 / state.positions.max(1) as f64,
        share(GameResult::WhiteWins),
        share(GameResult::Draw),
        share(GameResult::BlackWins),
    )
}

/// A network's name and checksum.
fn player(network: &Network) -> String {
    format!("{} {:016x}", network.name(), checksum(&network.to_bytes()))
}

fn state_path(games: &Path) -> PathBuf {
    with_suffix(games, ".json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::folder;
    use std::fs;

    fn output(name: &str) -> PathBuf {
        folder(name).join("x.games")
    }

    /// The games of the file after a run until it has this many positions.
    fn play(output: &Path, positions: u64) -> Vec<ScoredGame> {
        let effort = Effort { nodes: 100, hash: 1, ..DatagenSettings::for_tests().effort };
        let settings = DatagenSettings { effort, opening_nodes: 200, ..DatagenSettings::for_tests() };
        let file = FileOptions { positions, network: None, settings };
        run(&DatagenArguments {
            output: output.to_owned(),
            plan: None,
            threads: Some(2),
            tablebases: None,
            file,
        })
        .unwrap();
        file::read(output).unwrap().map(|game| game.unwrap()).collect()
    }

    fn positions(games: &[ScoredGame]) -> usize {
        games.iter().map(|game| game.moves.len()).sum()
    }

    #[test]
    fn a_second_start_adds_other_games_to_the_file() {
        let output = output("second");
        let first = play(&output, 200);
        // The games that are on when there are enough are played to their ends.
        let more = positions(&first) as u64 + 200;
        let second = play(&output, more);
        assert!(positions(&first) >= 200 && positions(&second) as u64 >= more);
        assert_eq!(second[..first.len()], first);
        assert!(second[first.len()..].iter().all(|game| !first.contains(game)));
        let state = DatagenState::read(&output).unwrap().unwrap();
        assert_eq!((state.starts, state.games), (2, second.len() as u64));
        assert!(matches!(&state.players[..], [player] if player.starts_with(default_network().name())));
        // The settings lie flat in the file, as they always have.
        assert_eq!((&state.settings["nodes"], &state.settings["opening_nodes"]), (&100.into(), &200.into()));
    }

    /// A run that is killed leaves counts of a moment before; the file of games has all of them.
    #[test]
    fn a_run_that_was_killed_goes_on_from_what_the_file_has() {
        let output = output("killed");
        let first = play(&output, 300);
        let mut state = DatagenState::read(&output).unwrap().unwrap();
        (state.games, state.positions, state.results) = (0, 0, [0; 3]);
        state.write(&output).unwrap();
        assert_eq!(play(&output, 300), first, "it has enough");
        let second = play(&output, 1 + positions(&first) as u64);
        let state = DatagenState::read(&output).unwrap().unwrap();
        assert_eq!((state.games, state.positions), (second.len() as u64, positions(&second) as u64));
        assert!(second.len() - first.len() <= 4, "{} games for one position", second.len() - first.len());
    }

    #[test]
    fn no_game_is_played_twice_when_the_state_is_lost() {
        let output = output("lost");
        let first = play(&output, 300);
        fs::remove_file(state_path(&output)).unwrap();
        let second = play(&output, 1 + positions(&first) as u64);
        assert!(second.len() > first.len() && second[..first.len()] == first);
        assert!(second[first.len()..].iter().all(|game| !first.contains(game)));
        let state = DatagenState::read(&output).unwrap().unwrap();
        assert_eq!(state.games, second.len() as u64);
    }
}
