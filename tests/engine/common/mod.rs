//! Shared by the tests: a search in process, and legal lines.
#![allow(dead_code, missing_docs)]

use chess::{Game, Move, Position};
use tamarack::eval::default_network;
use tamarack::search::{BestMove, Info, InfoSink, Limits, OneThread, ThreadResult};

/// One thread that keeps what it reports.
pub struct Engine {
    pub thread: OneThread,
    /// The lines of the last search.
    pub reports: Infos,
}

/// Keeps what is reported.
#[derive(Default)]
pub struct Infos(pub Vec<Info>);

impl InfoSink for Infos {
    fn info(&mut self, info: &Info) {
        self.0.push(info.clone());
    }
    fn finished(&mut self, _answer: BestMove) {}
}

impl Engine {
    pub fn new() -> Engine {
        Engine { thread: OneThread::new(8, &default_network()).unwrap(), reports: Infos::default() }
    }

    /// Searches; the nodes as well.
    pub fn search(&mut self, game: Game, limits: Limits) -> (ThreadResult, u64) {
        self.reports.0.clear();
        let result = self.thread.search(&game, limits, Some(&mut self.reports));
        (result, self.thread.nodes())
    }
}

/// The game that begins with `fen`, after these moves.
pub fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(fen.parse().unwrap());
    for text in moves {
        game.make(game.position().parse_uci(text).unwrap());
    }
    game
}

/// The position at the end of a line, which must be legal.
pub fn assert_legal(mut position: Position, pv: &[Move]) -> Position {
    for &mv in pv {
        assert!(position.is_legal(mv), "{mv:?} is not legal in {position}");
        position = position.after(mv);
    }
    position
}
