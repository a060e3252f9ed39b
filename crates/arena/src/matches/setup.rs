//! The setup of a match and its schedule.

use super::sprt::Sprt;
use super::variation::{GameConditions, Variation};
use crate::play::game::Rules;
use crate::play::log::SharedLog;
use crate::play::openings::Openings;
use crate::play::player::{Patience, Player};
use crate::play::spec::{EngineSpec, is_same_option};
use anyhow::{Result, anyhow};
use shakmaty::ByColor;
use std::path::PathBuf;
use std::time::Instant;

/// The setup of a match: engines, schedule, rules and the conditions that end it early.
#[derive(Debug)]
pub struct MatchSetup {
    /// The engines; others refer to them by index.
    pub engines: Vec<EngineSpec>,
    /// Pairs of engines that meet; every pairing plays the same openings.
    pub pairings: Vec<(usize, usize)>,
    /// Pairs of games for each pairing.
    pub rounds: usize,
    /// The openings, the same one for both games of a pair.
    pub openings: Openings,
    /// Number of the first opening.
    pub first_opening: usize,
    /// Adjudication, time margins and the variant.
    pub rules: Rules,
    /// Timeouts apart from the clock.
    pub patience: Patience,
    /// Games played at the same time, each by a thread of its own.
    pub concurrency: usize,
    /// Start engines anew for every game.
    pub restart: bool,
    /// End the match at the first fault of an engine.
    pub stop_on_fault: bool,
    /// The test that may end the match early, with two engines.
    pub sprt: Option<Sprt>,
    /// The 95% error in Elo at which the match ends early, with two engines.
    pub precision: Option<f64>,
    /// The source of conditions that change from game to game, in a soak.
    pub variation: Option<Variation>,
    /// The time after which no game is begun.
    pub deadline: Option<Instant>,
    /// Folder for the logs of games with faults.
    pub fault_folder: PathBuf,
    /// Event tag of the PGN.
    pub event: String,
}

/// Random moves from the start position of a Chess960 game among ordinary ones.
const MIXED_PLIES: u32 = 4;

/// Pairs of games for each pairing in a match that only time ends.
pub const ENDLESS: usize = usize::MAX >> 16;

/// A game of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its number, from 0; games 2k and 2k + 1 are a pair.
    pub number: usize,
    /// Index of White.
    pub white: usize,
    /// Index of Black.
    pub black: usize,
    /// Number of the opening.
    pub opening: usize,
}

impl MatchSetup {
    /// The game of this number: pairings take turns, both games of a pair have the same opening.
    pub fn task(&self, number: usize) -> Task {
        let pair = number / 2;
        let (first, second) = self.pairings[pair % self.pairings.len()];
        let (white, black) = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        Task { number, white, black, opening: self.first_opening + pair / self.pairings.len() }
    }

    /// The conditions of a game: the same for all, unless they are drawn.
    pub fn conditions(&self, task: Task) -> GameConditions {
        let (mut opening, mut rules) = (self.openings.get(task.opening), self.rules.clone());
        let Some(variation) = &self.variation else {
            return GameConditions { opening, rules, options: ByColor::default() };
        };
        if !rules.chess960 && variation.is_chess960(task.number) {
            rules.chess960 = true;
            let plies = MIXED_PLIES;
            opening = Openings::Random { plies, seed: variation.seed, chess960: true }.get(task.opening);
        }
        rules.tell_waits = true;
        rules.goes_on = variation.goes_on(task.number);
        let sides = ByColor { white: task.white, black: task.black };
        let drawn = sides.map(|engine| variation.options(task.number, engine, rules.chess960));
        for (side, (_, ponder)) in rules.ponder.iter_mut().zip(drawn.iter()) {
            *side |= ponder;
        }
        GameConditions { opening, rules, options: drawn.map(|(options, _)| options) }
    }

    /// Games of the whole schedule.
    pub fn game_count(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// True if only time ends the match.
    pub fn is_endless(&self) -> bool {
        self.rounds == ENDLESS
    }

    /// The file for the log of a game with a fault.
    pub fn fault_log(&self, number: usize) -> PathBuf {
        self.fault_folder.join(format!("game-{:06}.log", number + 1))
    }

    /// Names in the order of the engines.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Starts every engine once, so that a wrong path or option shows before the first game. Returns the names by
    /// which they introduce themselves, with the kind of the build if it is known.
    pub fn inspect(&self) -> Result<Vec<String>> {
        let identity = |engine: &EngineSpec| {
            let mut player = self.start(engine)?;
            let mut identity = player.identity().to_owned();
            if let Some(build) = build_kind(&mut player) {
                identity += &format!(" ({build})");
            }
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

/// How a build of this engine was made, `plain build` or `guided by a profile`, from its command `compiler`; `None` for other
/// engines, which need not know the command.
fn build_kind(player: &mut Player) -> Option<String> {
    if !player.identity().starts_with("Tamarack ") {
        return None;
    }
    let lines = player.query("compiler").ok()?;
    let extras = lines.iter().find_map(|line| line.strip_prefix("extras:"))?.trim();
    Some(if extras == "none" { "plain build".to_owned() } else { extras.to_owned() })
}

/// Notes defaults of an engine that make a match unfair unless they are meant: an own book, several threads.
fn warn_of_defaults(engine: &EngineSpec, player: &Player) {
    for option in player.options() {
        let name = option.name.to_ascii_lowercase();
        let odd = match name.as_str() {
            "ownbook" => option.default == "true",
            "threads" | "number of threads" => option.default != "1",
            _ => false,
        };
        if odd && !engine.options.iter().any(|(set, _)| is_same_option(set, &option.name)) {
            eprintln!("note: {} plays with {}={}, its default", engine.name, option.name, option.default);
        }
    }
}
