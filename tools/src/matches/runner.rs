//! Plays the games of a match on several threads.

use super::elo::judge;
use super::results::{Record, Store};
use super::sprt::{Decision, Sprt};
use super::standing::Standing;
use super::table::Table;
use crate::play::game::Rules;
use crate::play::log::SharedLog;
use crate::play::openings::Openings;
use crate::play::player::{Patience, Player};
use crate::play::spec::EngineSpec;
use anyhow::{Result, anyhow};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

/// Everything that a match needs to know.
#[derive(Debug)]
pub struct Setup {
    /// The players.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom; every pairing plays the same openings.
    pub pairings: Vec<(usize, usize)>,
    /// Pairs of games for each pairing.
    pub rounds: usize,
    /// Where games begin.
    pub openings: Openings,
    /// Number of the first opening.
    pub first_opening: usize,
    /// Rules of the contest.
    pub rules: Rules,
    /// Patience with engines.
    pub patience: Patience,
    /// Games at once.
    pub concurrency: usize,
    /// Start engines anew for every game.
    pub restart: bool,
    /// End at the first fault.
    pub stop_on_fault: bool,
    /// The test that may end the match early; for two engines.
    pub sprt: Option<Sprt>,
    /// The match ends when the 95% error is at most this many Elo; for two engines.
    pub precision: Option<f64>,
    /// Where the logs of games with faults go.
    pub fault_folder: PathBuf,
    /// Event tag of the PGN.
    pub event: String,
}

/// One game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its number.
    pub number: usize,
    /// Index of White.
    pub white: usize,
    /// Index of Black.
    pub black: usize,
    /// Number of the opening.
    pub opening: usize,
}

impl Setup {
    /// The game of this number: pairings take turns, both games of a pair have the same opening.
    pub fn task(&self, number: usize) -> Task {
        let pair = number / 2;
        let (first, second) = self.pairings[pair % self.pairings.len()];
        let (white, black) = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        Task { number, white, black, opening: self.first_opening + pair / self.pairings.len() }
    }

    /// All games.
    pub fn game_count(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// Where the log of a game with a fault is kept.
    pub fn fault_log(&self, number: usize) -> PathBuf {
        self.fault_folder.join(format!("game-{:06}.log", number + 1))
    }

    /// Names in the order of the engines.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Starts every engine once, so that a wrong path or option shows before the first game. Returns how they
    /// introduce themselves.
    pub fn inspect(&self) -> Result<Vec<String>> {
        let identity = |engine| {
            let player = self.start(engine)?;
            let identity = player.identity().to_owned();
            player.quit();
            Ok(identity)
        };
        self.engines.iter().map(identity).collect()
    }

    /// Starts one engine, ready for a game.
    pub fn start(&self, engine: &EngineSpec) -> Result<Player> {
        let log = SharedLog::default();
        let player = Player::start(engine, self.patience, &log)
            .and_then(|mut player| player.new_game(self.rules.chess960).map(|()| player))
            .map_err(|failure| anyhow!("engine {}: {}\n{}", engine.name, failure.detail, log.tail(20)))?;
        warn_of_defaults(engine, &player);
        Ok(player)
    }
}

/// Says which defaults make a match unfair without being asked for: books of their own, several threads, pondering.
fn warn_of_defaults(engine: &EngineSpec, player: &Player) {
    for option in player.options() {
        let name = option.name.to_ascii_lowercase();
        let odd = match name.as_str() {
            "ownbook" => option.default == "true",
            "threads" | "number of threads" => option.default != "1",
            _ => false,
        };
        if odd && !engine.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(&option.name)) {
            eprintln!("note: {} plays with {}={}, its default", engine.name, option.name, option.default);
        }
    }
}

/// Why a match ended before its last game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The test has decided.
    Sprt(Decision),
    /// The error is small enough.
    Precise,
    /// This engine cannot be started.
    Hopeless(usize),
    /// A fault, and `stop_on_fault`.
    Fault,
}

/// Plays what is missing. `watch` sees every finished game with the standing after it, and stores what it wants.
pub fn play_all(
    setup: &Setup,
    standing: &mut Standing,
    done: &[Record],
    store: &mut Store,
    watch: &mut dyn FnMut(&Record, &Standing) -> Result<()>,
) -> Result<Option<Stopped>> {
    let played: std::collections::HashSet<usize> = done.iter().map(|record| record.number).collect();
    let missing = (0..setup.game_count()).filter(|number| !played.contains(number));
    let tasks = Mutex::new(missing.map(|number| setup.task(number)));
    let stop = AtomicBool::new(false);
    let mut stopped = reason_to_stop(setup, standing, None);
    if stopped.is_some() {
        return Ok(stopped);
    }
    // Without a queue: no thread gets more than one game ahead of a decision to stop.
    let (sender, receiver) = sync_channel(0);
    std::thread::scope(|scope| {
        for _ in 0..setup.concurrency.max(1) {
            let (sender, tasks, stop) = (sender.clone(), &tasks, &stop);
            scope.spawn(move || {
                let next = || if stop.load(Ordering::Relaxed) { None } else { tasks.lock().ok()?.next() };
                play_on(Table::new(setup), next, &sender);
            });
        }
        drop(sender);
        let mut result = Ok(());
        for record in receiver {
            standing.add(&record);
            stopped = stopped.take().or_else(|| reason_to_stop(setup, standing, Some(&record)));
            result = result.and_then(|()| store.add(&record)).and_then(|()| watch(&record, standing));
            if stopped.is_some() || result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        result
    })?;
    Ok(stopped)
}

fn reason_to_stop(setup: &Setup, standing: &Standing, last: Option<&Record>) -> Option<Stopped> {
    if let Some(engine) = standing.hopeless().filter(|_| last.is_some()) {
        return Some(Stopped::Hopeless(engine));
    }
    if setup.stop_on_fault && last.is_some_and(|record| record.fault.is_some()) {
        return Some(Stopped::Fault);
    }
    let tally = standing.tallies.first()?;
    // Errors estimated from few games are themselves too uncertain to stop by.
    const LEAST_PAIRS: u64 = 50;
    let error = judge(tally).elo.error();
    if setup.precision.is_some_and(|precision| error <= precision) && tally.pair_count() >= LEAST_PAIRS {
        return Some(Stopped::Precise);
    }
    Some(Stopped::Sprt(setup.sprt.as_ref()?.decide(tally)?))
}

fn play_on(mut table: Table<'_>, next: impl Fn() -> Option<Task>, results: &SyncSender<Record>) {
    while let Some(task) = next() {
        if results.send(table.play(task)).is_err() {
            break;
        }
    }
    table.close();
}
