//! The examples do what they say.
#![allow(dead_code)]

use pgn_reader::Reader;
use std::io::Cursor;
use tamarack_chess::{Color, Game, Outcome};

#[path = "../examples/alpha_beta_bot.rs"]
mod alpha_beta_bot;
#[path = "../examples/play_through.rs"]
mod play_through;

fn play(pgn: &str) -> Vec<Result<Game, String>> {
    let mut reader = Reader::new(Cursor::new(pgn));
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut play_through::Player).unwrap() {
        games.push(game.map_err(|error| error.to_string()));
    }
    games
}

#[test]
fn the_bot_mates_and_takes() {
    let best = |fen: &str, depth| {
        let game = Game::new(fen.parse().unwrap());
        alpha_beta_bot::best_move(&game, depth).map(|mv| game.position().san(mv))
    };
    assert_eq!(best("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 2).as_deref(), Some("Ra8#"));
    assert_eq!(best("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 4).as_deref(), Some("Kf7"), "mate in two");
    assert_eq!(best("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", 2).as_deref(), Some("Nxd5"));
    assert_eq!(best("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", 2), None);
}

#[test]
fn games_of_a_pgn_are_played_through() {
    let games = play(
        "1. f3 e5 2. g4 (2. e4) Qh4# 0-1\n\n\
         [FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O *\n\n\
         1. e4 e5 2. Nf6 *\n",
    );
    let outcome = games[0].as_ref().unwrap().outcome();
    assert_eq!(outcome, Some(Outcome::Checkmate { winner: Color::Black }));
    let castled = games[1].as_ref().unwrap();
    assert_eq!(
        (castled.position().to_string().as_str(), castled.outcome()),
        ("4k3/8/8/8/8/8/8/2KR4 b - - 1 1", None)
    );
    assert!(games[2].as_ref().unwrap_err().starts_with("ply 3: \"Nf6\" is not legal"));
}
