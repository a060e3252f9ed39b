//! The worker of one thread: starts engines, plays games between two of them, and records the games.

use super::results_file::{GameFault, GameRecord};
use super::setup::{MatchSetup, Task};
use super::variation::GameConditions;
use crate::play::game::{self, PlayedGame};
use crate::play::log::SharedLog;
use crate::play::pgn::{self, PgnTags};
use crate::play::player::{Failure, FaultKind, Player};
use crate::play::spec::is_same_option;
use anyhow::{Context, Result};
use shakmaty::{ByColor, Color, Position};
use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// One thread's worker. It keeps its engines running from game to game.
#[derive(Debug)]
pub struct MatchWorker<'a> {
    setup: &'a MatchSetup,
    players: HashMap<usize, Player>,
    options: HashMap<usize, Vec<(String, String)>>,
    log: SharedLog,
}

impl<'a> MatchWorker<'a> {
    /// No engines are started yet.
    pub fn new(setup: &'a MatchSetup) -> Self {
        Self { setup, players: HashMap::new(), options: HashMap::new(), log: SharedLog::default() }
    }

    /// Sets options of an engine besides its own ones, from the next game on.
    pub fn set_options(&mut self, engine: usize, options: Vec<(String, String)>) {
        self.options.insert(engine, options);
    }

    /// Ends the engines.
    pub fn close(self) {
        for (_, player) in self.players {
            player.quit();
        }
    }

    /// Plays a game. A fault of an engine is in the record, and the log of the game is kept then.
    pub fn play(&mut self, task: Task) -> GameRecord {
        self.log.restart();
        let conditions = self.setup.conditions(task);
        for (engine, options) in [task.white, task.black].into_iter().zip(conditions.options.clone()) {
            if !options.is_empty() {
                self.set_options(engine, options);
            }
        }
        let opening = &conditions.opening;
        let (game, mut players) = match self.take_both(task) {
            Ok(mut players) => {
                let limits = ByColor { white: task.white, black: task.black }
                    .map(|index| &self.setup.engines[index].limits);
                let game = game::play(players.as_mut(), limits, opening, &conditions.rules);
                (game, players.into_iter().map(Some).collect::<Vec<_>>())
            }
            Err((color, failure)) => {
                let (outcome, termination, fault) = game::blame(color, failure);
                (
                    PlayedGame { opening: opening.clone(), plies: Vec::new(), outcome, termination, fault },
                    Vec::new(),
                )
            }
        };
        for (index, player) in [task.white, task.black].into_iter().zip(players.drain(..)) {
            self.players.extend(player.map(|player| (index, player)));
        }
        let record = self.record(task, &conditions, &game);
        self.clear_up(&record);
        record
    }

    /// Takes both players from the last game or starts them.
    fn take_both(&mut self, task: Task) -> Result<ByColor<Player>, (Color, Failure)> {
        let white = self.take(task.white).map_err(|failure| (Color::White, failure))?;
        match self.take(task.black) {
            Ok(black) => Ok(ByColor { white, black }),
            Err(failure) => {
                self.players.insert(task.white, white);
                Err((Color::Black, failure))
            }
        }
    }

    fn take(&mut self, index: usize) -> Result<Player, Failure> {
        let mut player = match self.players.remove(&index) {
            Some(player) => player,
            None => Player::start(&self.setup.engines[index], self.setup.patience, &self.log)?,
        };
        if let Some(options) = self.options.get(&index) {
            player.set_options(options)?;
        }
        Ok(player)
    }

    /// Keeps the log of a fault; an engine that has shown itself unsound is started anew.
    fn clear_up(&mut self, record: &GameRecord) {
        if let Some(fault) = &record.fault {
            if fault.kind != FaultKind::Time {
                self.players.remove(&fault.engine);
            }
            if let Err(error) = self.save_log(record) {
                eprintln!("the log of game {}: {error:#}", record.number + 1);
            }
        }
        if self.setup.restart {
            for (_, player) in self.players.drain() {
                player.quit();
            }
        }
    }

    fn save_log(&self, record: &GameRecord) -> Result<()> {
        fs::create_dir_all(&self.setup.fault_folder)?;
        let path = self.setup.fault_log(record.number);
        fs::write(&path, format!("{}\n{}", record.pgn, self.log.text()))
            .with_context(|| path.display().to_string())
    }

    fn record(&self, task: Task, conditions: &GameConditions, game: &PlayedGame) -> GameRecord {
        let engines = &self.setup.engines;
        let (white, black) = (&engines[task.white], &engines[task.black]);
        let tags = PgnTags {
            event: self.setup.event.clone(),
            date: super::date::today(),
            round: format!("{}.{}", task.number / 2 + 1, task.number % 2 + 1),
            white: white.name.clone(),
            black: black.name.clone(),
            controls: [white.limits.describe(), black.limits.describe()],
        };
        let index = |color: Color| color.fold_wb(task.white, task.black);
        GameRecord {
            number: task.number,
            white: task.white,
            black: task.black,
            points: game.outcome.winner().map_or(1, |winner| winner.fold_wb(2, 0)),
            termination: game.termination,
            fault: game.fault.as_ref().map(|(color, failure)| GameFault {
                engine: index(*color),
                kind: failure.kind,
                detail: failure.detail.clone(),
            }),
            opening: task.opening,
            fen: game.opening.fen(),
            times: game.plies.iter().map(|ply| ply.time.as_millis() as u32).collect(),
            depths: game.plies.iter().map(|ply| ply.info.depth).collect(),
            pgn: pgn::write(game, &tags, conditions.rules.chess960),
            conditions: conditions.words(),
            overruns: [Color::White, Color::Black].map(|color| self.overrun(color, task, conditions, game)),
        }
    }

    /// Milliseconds by which the slowest answer of a side was longer than its engine may think: see
    /// [`GameRecord::overruns`].
    fn overrun(
        &self,
        color: Color,
        task: Task,
        conditions: &GameConditions,
        game: &PlayedGame,
    ) -> Option<f64> {
        self.setup.variation.as_ref()?;
        let own = &self.setup.engines[color.fold_wb(task.white, task.black)].options;
        let mut options = conditions.options[color].iter().chain(own);
        let overhead = options.find(|(name, _)| is_same_option(name, "Move Overhead"));
        let overhead = overhead.and_then(|(_, value)| value.parse().ok()).map_or(0.0, |value: f64| value);
        let first = game.opening.end().turn();
        let plies = game.plies.iter().skip(usize::from(color != first)).step_by(2);
        let milliseconds = |time: Duration| (time.as_secs_f64() * 1e4).round() / 10.0;
        let overruns = plies.filter_map(|ply| {
            let allotted = (milliseconds(ply.allowed?) - overhead).max(0.0);
            Some(milliseconds(ply.time) - allotted)
        });
        overruns.reduce(f64::max)
    }
}
