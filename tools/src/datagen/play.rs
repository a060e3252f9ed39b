//! One game of the engine against itself, in process.

use super::start::{random_start, read_book};
use super::{Effort, Settings};
use crate::data::game::{Game, Outcome, plies_before};
use crate::play::adjudicate::Tables;
use crate::random::Random;
use anyhow::bail;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, KnownOutcome};
use std::sync::Arc;
use std::time::Instant;
use tamarack::chess::{Color, FenStyle, Position};
use tamarack::eval::{Network, default_network};
use tamarack::score::Score;
use tamarack::search::{
    Game as Searched, Limits, Search, SearchOptions as Options, SharedState, Task, ThreadResult as Found,
    TranspositionTable, Worker,
};

/// Starts that are looked at for one game; of random ones about every third is level enough.
const START_TRIES: u32 = 500;

/// The engine of one thread.
pub struct Player {
    worker: Box<Worker>,
    table: Arc<TranspositionTable>,
    network: Arc<Network>,
    tables: Option<Tables>,
    book: Vec<Position>,
    /// Searched for the games so far.
    pub nodes: u64,
}

impl Player {
    /// With a table of its own.
    pub fn new(effort: &Effort) -> anyhow::Result<Player> {
        let table = Arc::new(TranspositionTable::new(effort.hash)?);
        let (worker, network) = (Worker::new(0), default_network());
        Ok(Player { worker, table, network, tables: None, book: Vec::new(), nodes: 0 })
    }

    /// The same with what games need: the book of the settings and tablebases.
    pub fn for_games(settings: &Settings, tables: Option<Tables>) -> anyhow::Result<Player> {
        let book = settings.book.as_deref().map(read_book).transpose()?.unwrap_or_default();
        Ok(Player { tables, book, ..Player::new(&settings.effort)? })
    }

    /// Plays a game from a random start; the seed decides everything. An error if no start is level enough.
    pub fn play(&mut self, settings: &Settings, seed: u64) -> anyhow::Result<Game> {
        let mut random = Random::new(seed);
        for _ in 0..START_TRIES {
            let start = random_start(settings, &self.book, &mut random);
            self.forget();
            let found =
                self.search(&Searched::new(start), settings.opening_nodes, settings.effort.hard_factor);
            if found.score.raw().abs() <= settings.opening_limit {
                self.forget();
                return Ok(self.play_from(settings, start));
            }
        }
        bail!(
            "none of {START_TRIES} starts is within --opening-limit {} centipawns{}",
            settings.opening_limit,
            if self.book.is_empty() { "" } else { ": the positions of the book are decided already" }
        )
    }

    fn play_from(&mut self, settings: &Settings, start: Position) -> Game {
        let mut game = Searched::new(start);
        let mut moves = Vec::new();
        let mut judge = Judge::default();
        let outcome = loop {
            if let Some(outcome) = over(&game).or_else(|| self.known(&game.position)) {
                break outcome;
            }
            let found = self.search(&game, settings.effort.nodes, settings.effort.hard_factor);
            let Some(&mv) = found.pv.first() else { break Outcome::Draw };
            let score = for_white(&found, &game.position);
            moves.push((mv, score.raw() as i16));
            game.play(mv);
            if let Some(outcome) = judge.after(score, plies_before(&game.position), settings) {
                // A game that is decided by its last move on the board has the board's result.
                break over(&game).unwrap_or(outcome);
            }
        };
        Game { start, moves, outcome }
    }

    /// Searches the positions of a game again and replaces their scores.
    pub fn relabel(&mut self, effort: &Effort, game: &mut Game) {
        self.forget();
        let mut searched = Searched::new(game.start);
        for (mv, score) in &mut game.moves {
            let found = self.search(&searched, effort.nodes, effort.hard_factor);
            *score = for_white(&found, &searched.position).raw() as i16;
            searched.play(*mv);
        }
    }

    fn forget(&mut self) {
        self.worker.clear();
        self.table.clear(1);
    }

    fn search(&mut self, game: &Searched, nodes: u64, hard_factor: u64) -> Found {
        let started = Instant::now();
        let task = Arc::new(Task {
            game: game.clone(),
            started,
            limits: Limits {
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(hard_factor)),
                ..Limits::default()
            },
            options: Options::default(),
        });
        let signals = Arc::new(SharedState::new(1, started, false));
        self.table.new_search();
        let search = Search {
            task,
            tt: Arc::clone(&self.table),
            shared: Arc::clone(&signals),
            network: Arc::clone(&self.network),
            tb: None,
        };
        let found = self.worker.search(&search, None);
        self.nodes += signals.nodes();
        found
    }

    fn known(&self, position: &Position) -> Option<Outcome> {
        let tables = self.tables.as_ref()?;
        if position.occupied().count() > 7 {
            return None;
        }
        let fen: Fen = position.fen(FenStyle::Shredder).parse().ok()?;
        let theirs: Chess = fen.into_position(CastlingMode::Chess960).ok()?;
        Some(match tables.outcome(&theirs)? {
            KnownOutcome::Draw => Outcome::Draw,
            KnownOutcome::Decisive { winner: shakmaty::Color::White } => Outcome::WhiteWins,
            KnownOutcome::Decisive { winner: shakmaty::Color::Black } => Outcome::BlackWins,
        })
    }
}

/// The score of a search of `position` from White's view.
fn for_white(found: &Found, position: &Position) -> Score {
    match position.side_to_move() {
        Color::White => found.score,
        Color::Black => -found.score,
    }
}

/// The result by the rules of chess.
fn over(game: &Searched) -> Option<Outcome> {
    let position = &game.position;
    if !position.has_legal_move() {
        let is_mate = position.in_check();
        return Some(if is_mate { Outcome::win(!position.side_to_move()) } else { Outcome::Draw });
    }
    let is_draw =
        position.is_drawn_by_fifty_moves() || game.keys.is_threefold() || position.is_insufficient_material();
    is_draw.then_some(Outcome::Draw)
}

/// Ends games whose result is clear from the scores of both sides.
#[derive(Default)]
struct Judge {
    winning: [u32; 2],
    level: u32,
}

impl Judge {
    /// After a move with this score, from White's view; `plies` were played in the game.
    fn after(&mut self, score: Score, plies: u32, settings: &Settings) -> Option<Outcome> {
        let in_row = |count: &mut u32, holds: bool| *count = if holds { *count + 1 } else { 0 };
        in_row(&mut self.winning[0], score.raw() >= settings.win_score);
        in_row(&mut self.winning[1], score.raw() <= -settings.win_score);
        in_row(&mut self.level, score.raw().abs() <= settings.draw_score && plies >= settings.draw_from);
        if self.winning[0] >= settings.win_plies || score.is_win() {
            Some(Outcome::WhiteWins)
        } else if self.winning[1] >= settings.win_plies || score.is_loss() {
            Some(Outcome::BlackWins)
        } else if self.level >= settings.draw_plies || plies >= settings.longest {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_end_when_both_sides_agree() {
        let settings = Settings::for_tests();
        let ends = |score: i32, plies: u32| {
            let mut judge = Judge::default();
            (1..=50).find_map(|count| judge.after(Score::cp(score), plies, &settings).map(|end| (count, end)))
        };
        assert_eq!(ends(settings.win_score, 20), Some((settings.win_plies, Outcome::WhiteWins)));
        assert_eq!(ends(-settings.win_score, 20), Some((settings.win_plies, Outcome::BlackWins)));
        assert_eq!(ends(0, settings.draw_from), Some((settings.draw_plies, Outcome::Draw)));
        assert_eq!(ends(0, 20), None);
        assert_eq!(ends(500, settings.longest), Some((1, Outcome::Draw)));
        let mut judge = Judge::default();
        assert_eq!(judge.after(Score::mated_in(3), 20, &settings), Some(Outcome::BlackWins));
    }

    #[test]
    fn the_seed_decides_the_game() {
        let effort = Effort { nodes: 200, ..Settings::for_tests().effort };
        let settings = Settings { effort, opening_nodes: 400, ..Settings::for_tests() };
        let play = |seed| Player::for_games(&settings, None).unwrap().play(&settings, seed).unwrap();
        let game = play(5);
        assert!(game.moves.len() > 10);
        assert_eq!(game, play(5));
        assert_ne!(game, play(6));
        let mut player = Player::for_games(&settings, None).unwrap();
        player.play(&settings, 6).unwrap();
        assert_eq!(player.play(&settings, 5).unwrap(), game, "an earlier game must leave no trace");
    }

    #[test]
    fn a_book_of_decided_positions_is_refused() {
        let settings =
            Settings { opening_nodes: 50, random_plies: 0, opening_limit: 300, ..Settings::for_tests() };
        let mut player = Player::for_games(&settings, None).unwrap();
        player.book = vec!["4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1".parse().unwrap()];
        let error = player.play(&settings, 1).unwrap_err().to_string();
        assert!(error.contains("--opening-limit") && error.contains("book"), "{error}");
    }
}
