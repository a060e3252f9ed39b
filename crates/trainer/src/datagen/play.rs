//! One game of the engine against itself, in process.

use super::{DatagenSettings, Effort};
use crate::data::game::{GameResult, ScoredGame, is_quiet, plies_before};
use crate::data::thin::is_sampled;
use crate::train::filter::Filter;
use crate::train::record::{Marks, pack};
use anyhow::bail;
use arena::logistic;
use arena::play::adjudicate::AdjudicationTables;
use chess::random::Random;
use chess::{Color, FenStyle, Game, Position};
use nnue::architecture::SCALE;
use nnue::{Accumulators, Network};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, KnownOutcome};
use std::sync::Arc;
use tamarack::commands::genfens::{RandomStarts, read_book};
use tamarack::eval::evaluate_unscaled;
use tamarack::score::Score;
use tamarack::search::{Limits, OneThread, SearchOptions, ThreadResult};

/// Random starts tried for one game.
const START_TRIES: u32 = 2000;

/// The engine that plays games against itself, on one thread.
pub struct SelfPlayer {
    engine: OneThread,
    /// Static evaluation of starts.
    accumulators: Accumulators,
    tables: Option<AdjudicationTables>,
    book: Vec<Position>,
    /// The branches of the games since the caller last took them.
    pub branches: Vec<ScoredGame>,
    /// Nodes of all searches since the caller last took them.
    pub nodes: u64,
}

impl SelfPlayer {
    /// A player with a transposition table of its own, without book and tablebases.
    pub fn new(effort: &Effort, network: Arc<Network>) -> anyhow::Result<SelfPlayer> {
        let mut engine = OneThread::new(effort.hash, &network)?;
        engine.options = SearchOptions { training: true, ..SearchOptions::default() };
        Ok(SelfPlayer {
            engine,
            accumulators: Accumulators::new(network),
            tables: None,
            book: Vec::new(),
            branches: Vec::new(),
            nodes: 0,
        })
    }

    /// A player with the book of the settings, and tablebases that decide games.
    pub fn for_games(
        settings: &DatagenSettings,
        network: Arc<Network>,
        tables: Option<AdjudicationTables>,
    ) -> anyhow::Result<SelfPlayer> {
        let book = settings.book.as_deref().map(read_book).transpose()?.unwrap_or_default();
        Ok(SelfPlayer { tables, book, ..SelfPlayer::new(&settings.effort, network)? })
    }

    /// Plays a game from a random start; the seed alone decides which. An error if no start is balanced.
    pub fn play(&mut self, settings: &DatagenSettings, seed: u64) -> anyhow::Result<ScoredGame> {
        let mut random = Random::new(seed);
        // Once a game: what rejected starts leave in table and histories follows from the seed as well.
        self.engine.clear();
        for _ in 0..START_TRIES {
            let start = self.draw_start(settings, &mut random);
            if let Some(start) = start.filter(|&start| self.is_balanced(start, settings)) {
                return Ok(self.play_from(settings, start, &mut Random::new(!seed)));
            }
        }
        bail!(
            "none of {START_TRIES} starts is within --opening-limit {} centipawns{}",
            settings.opening_limit,
            if self.book.is_empty() { "" } else { ": the positions of the book are decided already" }
        )
    }

    /// A random start, of the usual array, of Chess960, with a different array for each side, or of the book. `None` if the
    /// random moves ended the game.
    fn draw_start(&self, settings: &DatagenSettings, random: &mut Random) -> Option<Position> {
        let DatagenSettings { random_plies: plies, chess960, double_chess960, .. } = *settings;
        RandomStarts { plies, chess960, double_chess960, book: &self.book }.draw(random)
    }

    /// True if a start is within the opening limit by a search, and by static evaluation within two and a half times as
    /// much, which is tested first since it costs next to nothing.
    fn is_balanced(&mut self, start: Position, settings: &DatagenSettings) -> bool {
        let limit = settings.opening_limit;
        self.accumulators.reset();
        if evaluate_unscaled(&mut self.accumulators, &start).raw().abs() > limit.saturating_mul(5) / 2 {
            return false;
        }
        let game = Game::new(start);
        let result = self.search(&game, settings.opening_nodes, settings.effort.hard_factor);
        result.score.raw().abs() <= limit
    }

    /// Plays a game and its branches, whose places are drawn.
    fn play_from(&mut self, settings: &DatagenSettings, start: Position, random: &mut Random) -> ScoredGame {
        let mut game = Game::new(start);
        let mut moves = Vec::new();
        let is_played_out = settings.play_out > 0.0 && random.unit() < settings.play_out;
        let mut adjudicator = Adjudicator { is_played_out, ..Adjudicator::default() };
        let outcome = loop {
            if let Some(outcome) = outcome_by_rules(&game).or_else(|| self.probe_tables(game.position())) {
                break outcome;
            }
            let (result, is_open) = self.search_position(&game, settings, settings.only_branches);
            let Some(&mv) = result.pv.first() else { break GameResult::Draw };
            let score = white_score(&result, game.position());
            moves.push((mv, score.raw() as i16));
            if let Some(&start) = self.engine.evaluated_position()
                && is_open
                && random.unit() < settings.branches
            {
                self.play_branch(settings, start);
            }
            game.make(mv);
            if let Some(outcome) = adjudicator.after(score, plies_before(game.position()), settings) {
                // A game that is decided by its last move on the board has the board's result.
                break outcome_by_rules(&game).unwrap_or(outcome);
            }
        };
        ScoredGame { start, moves, outcome, is_cut_off: false }
    }

    /// Plays a branch from a position, if its score allows.
    fn play_branch(&mut self, settings: &DatagenSettings, start: Position) {
        let mut game = Game::new(start);
        let mut moves = Vec::new();
        let mut end = outcome_by_rules(&game);
        while end.is_none() && moves.len() < settings.branch_plies {
            let (result, _) = self.search_position(&game, settings, false);
            let score = white_score(&result, game.position());
            let Some(&mv) = result.pv.first() else { break };
            if moves.is_empty() && score.raw().abs() > settings.long_score {
                break;
            }
            moves.push((mv, score.raw() as i16));
            game.make(mv);
            end = outcome_by_rules(&game);
        }
        if let Some(&(_, last)) = moves.last() {
            let outcome = end.unwrap_or_else(|| nearest_outcome(last));
            self.branches.push(ScoredGame { start, moves, outcome, is_cut_off: end.is_none() });
        }
    }

    /// The search of a position: a long one, or first a quick one if the settings say so, and a long one only where the position
    /// makes a record whose score is open, and not if a quick one is enough. The second value is true where a long one is worth
    /// its price.
    fn search_position(
        &mut self,
        game: &Game,
        settings: &DatagenSettings,
        quick_is_enough: bool,
    ) -> (ThreadResult, bool) {
        let Effort { nodes, hard_factor, .. } = settings.effort;
        let factor = if has_few_pieces(game.position(), settings) { settings.few_pieces_nodes } else { 1 };
        if settings.quick_nodes > 0 {
            let quick = self.search(game, settings.quick_nodes.saturating_mul(factor), hard_factor);
            let is_open = is_worth_a_long_search(&quick, game.position(), settings);
            if quick_is_enough || !is_open {
                return (quick, is_open);
            }
        }
        (self.search(game, nodes.saturating_mul(factor), hard_factor), true)
    }

    /// Searches the positions of a game again and replaces their scores.
    pub fn relabel(&mut self, effort: &Effort, game: &mut ScoredGame) {
        self.engine.clear();
        let mut replayed = Game::new(game.start);
        for (mv, score) in &mut game.moves {
            let result = self.search(&replayed, effort.nodes, effort.hard_factor);
            *score = white_score(&result, replayed.position()).raw() as i16;
            replayed.make(*mv);
        }
    }

    fn search(&mut self, game: &Game, nodes: u64, hard_factor: u64) -> ThreadResult {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(hard_factor)),
            ..Limits::default()
        };
        let result = self.engine.search(game, limits, None);
        self.nodes += self.engine.nodes();
        result
    }

    /// The result with best play, if the tablebases have the position.
    fn probe_tables(&self, position: &Position) -> Option<GameResult> {
        let tables = self.tables.as_ref()?;
        if position.occupied().count() > 7 {
            return None;
        }
        let fen: Fen = position.fen(FenStyle::Shredder).parse().ok()?;
        let theirs: Chess = fen.into_position(CastlingMode::Chess960).ok()?;
        Some(match tables.outcome(&theirs)? {
            KnownOutcome::Draw => GameResult::Draw,
            KnownOutcome::Decisive { winner: shakmaty::Color::White } => GameResult::WhiteWins,
            KnownOutcome::Decisive { winner: shakmaty::Color::Black } => GameResult::BlackWins,
        })
    }
}

/// True if a position makes a record (it is quiet and not one of the first plies) that a long search can say more about than
/// this quick one did.
fn is_worth_a_long_search(quick: &ThreadResult, position: &Position, settings: &DatagenSettings) -> bool {
    quick.pv.first().is_some_and(|&mv| is_quiet(position, mv))
        && quick.score.raw().abs() <= settings.long_score
        && position.occupied().count() >= settings.long_pieces
        && plies_before(position) >= u32::from(Filter::STANDARD.min_ply)
        && (!has_few_pieces(position, settings) || is_record_of_few(position))
}

/// True if a position is searched with `--few-pieces-nodes` times the nodes.
fn has_few_pieces(position: &Position, settings: &DatagenSettings) -> bool {
    position.occupied().count() <= settings.few_pieces
}

/// True for the half of the positions that stays when `data convert` is told to keep half of them.
fn is_record_of_few(position: &Position) -> bool {
    is_sampled(&pack(position, 0, 1, Marks::default()), 0.5)
}

/// The score of a search of `position` from White's view.
fn white_score(result: &ThreadResult, position: &Position) -> Score {
    match position.side_to_move() {
        Color::White => result.score,
        Color::Black => -result.score,
    }
}

/// The result that is nearest to a score from White's view, as a share of the points.
fn nearest_outcome(score: i16) -> GameResult {
    match logistic::sigmoid(score.into(), SCALE.into()) {
        0.75.. => GameResult::WhiteWins,
        ..0.25 => GameResult::BlackWins,
        _ => GameResult::Draw,
    }
}

/// The result by the rules of chess.
fn outcome_by_rules(game: &Game) -> Option<GameResult> {
    game.outcome().map(|outcome| outcome.winner().map_or(GameResult::Draw, GameResult::win))
}

/// Ends games whose result is clear from the scores of both sides.
#[derive(Default)]
struct Adjudicator {
    /// True if scores do not end the game.
    is_played_out: bool,
    /// Plies in a row with a winning score, for White and for Black.
    winning: [u32; 2],
    /// Plies in a row with a drawn score.
    drawn: u32,
}

impl Adjudicator {
    /// The result, if it is clear, after a move with this score from White's view; `plies` were played in the game.
    fn after(&mut self, score: Score, plies: u32, settings: &DatagenSettings) -> Option<GameResult> {
        let in_row = |count: &mut u32, holds: bool| *count = if holds { *count + 1 } else { 0 };
        in_row(&mut self.winning[0], score.raw() >= settings.win_score);
        in_row(&mut self.winning[1], score.raw() <= -settings.win_score);
        in_row(&mut self.drawn, score.raw().abs() <= settings.draw_score && plies >= settings.draw_from);
        if self.is_played_out {
            return (plies >= settings.longest).then_some(GameResult::Draw);
        }
        if self.winning[0] >= settings.win_plies || score.is_win() {
            Some(GameResult::WhiteWins)
        } else if self.winning[1] >= settings.win_plies || score.is_loss() {
            Some(GameResult::BlackWins)
        } else if self.drawn >= settings.draw_plies || plies >= settings.longest {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::thin::Thinning;
    use tamarack::eval::default_network;

    #[test]
    fn games_end_when_both_sides_agree() {
        let settings = DatagenSettings::for_tests();
        let ends = |score: i32, plies: u32| {
            let mut adjudicator = Adjudicator::default();
            (1..=50).find_map(|count| {
                adjudicator.after(Score::cp(score), plies, &settings).map(|end| (count, end))
            })
        };
        assert_eq!(ends(settings.win_score, 20), Some((settings.win_plies, GameResult::WhiteWins)));
        assert_eq!(ends(-settings.win_score, 20), Some((settings.win_plies, GameResult::BlackWins)));
        assert_eq!(ends(0, settings.draw_from), Some((settings.draw_plies, GameResult::Draw)));
        assert_eq!(ends(0, 20), None);
        assert_eq!(ends(500, settings.longest), Some((1, GameResult::Draw)));
        let mut adjudicator = Adjudicator::default();
        assert_eq!(adjudicator.after(Score::mated_in(3), 20, &settings), Some(GameResult::BlackWins));
    }

    #[test]
    fn no_score_ends_a_game_that_is_played_out() {
        let settings = DatagenSettings::for_tests();
        let mut adjudicator = Adjudicator { is_played_out: true, ..Adjudicator::default() };
        for score in [Score::cp(0), Score::cp(9999), Score::mated_in(3)] {
            assert!((0..50).all(|_| adjudicator.after(score, settings.longest - 1, &settings).is_none()));
        }
        assert_eq!(adjudicator.after(Score::cp(0), settings.longest, &settings), Some(GameResult::Draw));
        let moves = |play_out| {
            let effort = Effort { nodes: 50, ..settings.effort.clone() };
            let settings = DatagenSettings { play_out, effort, opening_nodes: 200, ..settings.clone() };
            let mut player = SelfPlayer::new(&settings.effort, default_network()).unwrap();
            (0..4).map(|seed| player.play(&settings, seed).unwrap().moves.len()).sum::<usize>()
        };
        assert!(moves(1.0) > moves(0.0), "{} {}", moves(1.0), moves(0.0));
    }

    #[test]
    fn few_pieces_are_searched_for_longer_and_half_of_them_are_records() {
        let settings = DatagenSettings {
            quick_nodes: 200,
            long_pieces: 0,
            few_pieces: 4,
            ..DatagenSettings::for_tests()
        };
        let settings = DatagenSettings { effort: Effort { nodes: 200, ..settings.effort }, ..settings };
        let mut player = SelfPlayer::new(&settings.effort, default_network()).unwrap();
        let game = Game::new("8/5k2/4p3/8/8/3P4/2K5/8 w - - 0 60".parse().unwrap());
        let mut nodes = |few_pieces_nodes| {
            player.engine.clear();
            player.nodes = 0;
            player.search_position(&game, &DatagenSettings { few_pieces_nodes, ..settings.clone() }, true);
            player.nodes
        };
        assert!(nodes(16) > 4 * nodes(1), "{} {}", nodes(16), nodes(1));
        let pawns = ["4p3", "3p4", "2p5", "1p6", "p7"].into_iter();
        let kings = ["K7", "1K6", "2K5", "3K4", "4K3", "5K2", "6K1", "7K"];
        let fens = pawns.flat_map(|pawn| kings.map(|king| format!("7k/8/8/{pawn}/8/8/8/{king} w - - 0 60")));
        let positions: Vec<Position> = fens.map(|fen| fen.parse().unwrap()).collect();
        let records = positions.iter().filter(|position| is_record_of_few(position)).count();
        assert!((positions.len() / 4..positions.len() * 3 / 4).contains(&records), "{records}");
        let thinning = Thinning { thin_pieces: vec!["2-4:0.5".parse().unwrap()], ..Thinning::default() };
        for position in &positions {
            let board = pack(position, 55, 2, Marks::default());
            assert_eq!(thinning.keeps(&board, 1.0), is_record_of_few(position), "{position}");
        }
    }

    #[test]
    fn only_quiet_positions_that_are_open_are_searched_for_long() {
        let settings = DatagenSettings { quick_nodes: 50, ..DatagenSettings::for_tests() };
        let mut player = SelfPlayer::new(&settings.effort, default_network()).unwrap();
        let mut is_worth = |fen: &str| {
            let game = Game::new(fen.parse().unwrap());
            let quick = player.search(&game, settings.quick_nodes, 10);
            is_worth_a_long_search(&quick, game.position(), &settings)
        };
        assert!(is_worth("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 13"));
        for (fen, why) in [
            ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "the game has just begun"),
            ("r1b1kbnr/pppp1ppp/2n5/4p1q1/4P3/3P1N2/PPP2PPP/RNBQKB1R w KQkq - 1 14", "a queen can be taken"),
            ("rnbqk1nr/pppp1ppp/8/4p3/1b2P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 13", "check"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 13", "a queen is missing"),
            ("8/5k2/4p3/8/8/3P4/2K5/8 w - - 0 60", "few pieces"),
        ] {
            assert!(!is_worth(fen), "{why}");
        }
    }

    #[test]
    fn a_quick_search_decides_if_a_long_one_follows() {
        let settings = |quick_nodes, nodes| DatagenSettings {
            effort: Effort { nodes, ..DatagenSettings::for_tests().effort },
            quick_nodes,
            opening_nodes: 200,
            ..DatagenSettings::for_tests()
        };
        let nodes = |settings: &DatagenSettings| {
            let mut player = SelfPlayer::new(&settings.effort, default_network()).unwrap();
            let positions: usize = (0..4).map(|seed| player.play(settings, seed).unwrap().moves.len()).sum();
            player.nodes / positions as u64
        };
        let [quick, mixed, long] =
            [settings(0, 30), settings(30, 600), settings(0, 600)].map(|settings| nodes(&settings));
        assert!(2 * quick < mixed && 5 * mixed < 4 * long, "{quick} {mixed} {long}");
    }

    #[test]
    fn the_seed_decides_the_game() {
        let effort = Effort { nodes: 200, ..DatagenSettings::for_tests().effort };
        let settings = DatagenSettings { effort, opening_nodes: 400, ..DatagenSettings::for_tests() };
        let play = |seed| {
            SelfPlayer::for_games(&settings, default_network(), None).unwrap().play(&settings, seed).unwrap()
        };
        let game = play(5);
        assert!(game.moves.len() > 10);
        assert_eq!(game, play(5));
        assert_ne!(game, play(6));
        let mut player = SelfPlayer::for_games(&settings, default_network(), None).unwrap();
        player.play(&settings, 6).unwrap();
        assert_eq!(player.play(&settings, 5).unwrap(), game, "an earlier game must leave no trace");
    }

    #[test]
    fn starts_are_balanced_by_the_search_that_verifies_them() {
        let effort = Effort { nodes: 50, hash: 1, ..DatagenSettings::for_tests().effort };
        let settings =
            DatagenSettings { effort, opening_nodes: 200, opening_limit: 40, ..DatagenSettings::for_tests() };
        let mut player = SelfPlayer::for_games(&settings, default_network(), None).unwrap();
        for seed in 0..20 {
            let game = player.play(&settings, seed).unwrap();
            player.engine.clear();
            let result = player.search(&Game::new(game.start), 200, settings.effort.hard_factor);
            assert!(result.score.raw().abs() <= 100, "{} has {}", game.start, result.score);
        }
    }

    #[test]
    fn branches_begin_where_searches_have_been_and_not_the_game() {
        let settings = DatagenSettings {
            branches: 1.0,
            branch_plies: 3,
            opening_nodes: 200,
            ..DatagenSettings::for_tests()
        };
        let play = || {
            let mut player = SelfPlayer::for_games(&settings, default_network(), None).unwrap();
            let game = player.play(&settings, 5).unwrap();
            (game, player.branches)
        };
        let (game, branches) = play();
        assert_eq!((&game, &branches), (&play().0, &play().1), "the seed decides");
        assert!(branches.len() > game.moves.len() / 4 && branches.len() <= game.moves.len());
        let keys: Vec<u64> = game.positions().map(|(position, ..)| position.key()).collect();
        let outside = branches.iter().filter(|branch| !keys.contains(&branch.start.key())).count();
        assert!(outside > branches.len() / 2, "{outside} of {}", branches.len());
        for branch in &branches {
            let last = branch.positions().last().map(|(position, mv, _)| position.after(mv)).unwrap();
            assert_eq!(branch.is_cut_off, outcome_by_rules(&Game::new(last)).is_none());
            assert!(!branch.is_cut_off || branch.moves.len() == 3);
            assert!(branch.moves[0].1.abs() <= settings.long_score as i16);
        }
        let none = DatagenSettings { branches: 0.0, ..settings.clone() };
        let mut player = SelfPlayer::for_games(&none, default_network(), None).unwrap();
        player.play(&none, 5).unwrap();
        assert!(player.branches.is_empty() && [-500, 0, 500].map(nearest_outcome) == GameResult::ALL);
    }

    #[test]
    fn games_whose_branches_alone_are_kept_are_searched_quickly() {
        let settings = DatagenSettings {
            effort: Effort { nodes: 2000, ..DatagenSettings::for_tests().effort },
            quick_nodes: 40,
            branches: 1.0,
            branch_plies: 2,
            only_branches: true,
            opening_nodes: 200,
            ..DatagenSettings::for_tests()
        };
        let play = |settings: &DatagenSettings| {
            let mut player = SelfPlayer::for_games(settings, default_network(), None).unwrap();
            let game = player.play(settings, 5).unwrap();
            (player, game.moves.len() as u64)
        };
        let (with_branches, its_plies) = play(&settings);
        let (without, plies) = play(&DatagenSettings { branches: 0.0, ..settings });
        let branch_plies: usize = with_branches.branches.iter().map(|branch| branch.moves.len()).sum();
        let [all, quick] = [with_branches.nodes / its_plies, without.nodes / plies];
        let long = (with_branches.nodes - without.nodes) / branch_plies as u64;
        assert!(
            quick < 500 && all > 5 * quick && long > 1000,
            "{quick} nodes a position of the game, {all} with its branches, {long} a position of these"
        );
    }

    #[test]
    fn a_book_of_decided_positions_is_refused() {
        let (chess960, double_chess960, random_plies) = (0.0, 0.0, 0);
        let settings =
            DatagenSettings { chess960, double_chess960, random_plies, ..DatagenSettings::for_tests() };
        let mut player = SelfPlayer::for_games(&settings, default_network(), None).unwrap();
        player.book = vec!["4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1".parse().unwrap()];
        let refused = |player: &mut SelfPlayer, random_plies| {
            let settings = DatagenSettings { random_plies, ..settings.clone() };
            let error = player.play(&settings, 1).unwrap_err().to_string();
            assert!(error.contains("--opening-limit") && error.contains("book"), "{error}");
        };
        refused(&mut player, 0);
        // The only move ends the game.
        player.book = vec!["7k/7P/6qK/4P3/8/5P2/8/8 w - - 0 1".parse().unwrap()];
        refused(&mut player, 1);
    }
}
