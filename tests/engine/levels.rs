//! Levels as people meet them: no game twice, opponents for beginners, and lines that a GUI can show.

use crate::common::Engine;
use chess::Game;
use chess::random::Random;
use std::collections::HashSet;
use tamarack::search::{Limits, Strength};
use testkit::anchor::Anchor;

/// The moves of a level against itself.
fn own_game(engine: &mut Engine, elo: i32, seed: u64, plies: usize) -> Vec<String> {
    let mut game = Game::default();
    let mut moves = Vec::new();
    while moves.len() < plies && game.outcome().is_none() {
        engine.thread.options.strength =
            Some(Strength::of_elo(elo).with_draws(seed, false).at(game.position()));
        let (result, _) = engine.search(game.clone(), Limits::default());
        moves.push(result.pv[0].uci(chess::CastlingNotation::KingTarget));
        game.make(result.pv[0]);
    }
    moves
}

#[test]
fn no_two_games_of_a_level_are_equal() {
    for elo in [600, 900, 1300, 1700, 2100, 2500] {
        let mut engine = Engine::new();
        let games: HashSet<Vec<String>> = (0..10).map(|seed| own_game(&mut engine, elo, seed, 60)).collect();
        assert_eq!(games.len(), 10, "{elo}");
        let second_moves: HashSet<&str> = games.iter().map(|game| game[1].as_str()).collect();
        assert!(second_moves.len() > 1, "{elo}: {second_moves:?}");
    }
}

/// The points of a level in `games` games against an anchor, with either colour, 0 to 1. Games of 200 moves are draws.
fn score(elo: i32, anchor: Anchor, games: u64) -> f64 {
    let mut points = 0.0;
    for seed in 0..games {
        let (mut engine, mut random) = (Engine::new(), Random::new(seed));
        let mut game = Game::default();
        let is_level = |game: &Game| game.position().side_to_move().index() as u64 == seed % 2;
        while game.outcome().is_none() && game.moves().len() < 400 {
            let mv = if is_level(&game) {
                let level = Strength::of_elo(elo).with_draws(seed, false);
                engine.thread.options.strength = Some(level.at(game.position()));
                engine.search(game.clone(), Limits::default()).0.pv[0]
            } else {
                anchor.choose(game.position(), &mut random).expect("the game goes on")
            };
            game.make(mv);
        }
        points += match game.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) => f64::from(u8::from(winner.index() as u64 == seed % 2)),
            None => 0.5,
        };
    }
    points / games as f64
}

#[test]
fn the_lowest_level_is_an_even_match_for_who_takes_what_hangs_and_beats_random_moves() {
    let even = score(600, Anchor::OnePly, 100);
    assert!((0.35..=0.65).contains(&even), "{even}");
    let won = score(600, Anchor::Random, 20);
    assert!(won > 0.9, "{won}");
    let stronger = score(900, Anchor::OnePly, 20);
    assert!(stronger > 0.9, "{stronger}");
}
