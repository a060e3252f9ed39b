//! Shared by the tests: a search in process, and legal lines.
#![allow(dead_code, missing_docs)]

use chess::{Game, Move, Position};
use std::sync::Arc;
use std::time::Instant;
use tamarack::eval::default_network;
use tamarack::search::{
    BestMove, Info, InfoSink, Limits, SearchContext, SearchOptions, SearchRequest, ThreadResult,
    TranspositionTable, Worker,
};
use tamarack::tablebase::Tables;

/// One thread and its table.
pub struct Engine {
    tt: Arc<TranspositionTable>,
    worker: Worker,
    /// The options of the search.
    pub options: SearchOptions,
    /// The tablebases that are asked.
    pub tables: Option<Arc<Tables>>,
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
        let tt = Arc::new(TranspositionTable::new(8).unwrap());
        Engine {
            tt,
            worker: Worker::new(0).unwrap(),
            options: SearchOptions::default(),
            tables: None,
            reports: Infos::default(),
        }
    }

    /// Searches; the nodes as well.
    pub fn search(&mut self, game: Game, limits: Limits) -> (ThreadResult, u64) {
        self.reports.0.clear();
        self.tt.new_search();
        let request = SearchRequest { game, started: Instant::now(), limits, options: self.options };
        let context = SearchContext::new(request, 1, &self.tt, &default_network(), self.tables.as_ref());
        let outcome = self.worker.search(&context, Some(&mut self.reports));
        (outcome, context.shared.nodes())
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
