//! What the tests share: a search in process, and legal lines.
#![allow(dead_code, missing_docs)]

use std::sync::Arc;
use std::time::Instant;
use tamarack::chess::{Move, Position};
use tamarack::eval::default_network;
use tamarack::search::{
    Answer, Endgame, Game, Limits, Listener, Outcome, Report, Search, Settings, Signals, Table, Task, Worker,
};
use tamarack::tablebase::Tables;

/// One thread and its table.
pub struct Engine {
    table: Arc<Table>,
    worker: Box<Worker>,
    /// What the user has set.
    pub settings: Settings,
    /// The tablebases that are asked.
    pub tables: Option<Arc<Tables>>,
    /// What the last search reported.
    pub reports: Reports,
}

/// Keeps what is reported.
#[derive(Default)]
pub struct Reports(pub Vec<Report>);

impl Listener for Reports {
    fn report(&mut self, report: &Report) {
        self.0.push(report.clone());
    }
    fn finished(&mut self, _answer: Answer) {}
}

impl Engine {
    pub fn new() -> Engine {
        let table = Arc::new(Table::new(8).unwrap());
        Engine {
            table,
            worker: Worker::new(0),
            settings: Settings::default(),
            tables: None,
            reports: Reports::default(),
        }
    }

    /// Searches; the nodes as well.
    pub fn search(&mut self, game: Game, limits: Limits) -> (Outcome, u64) {
        self.reports.0.clear();
        let task = Task { game, started: Instant::now(), limits, settings: self.settings };
        let endgame = self.tables.as_ref().and_then(|tables| Endgame::new(tables, &task)).map(Arc::new);
        let signals = Arc::new(Signals::new(1, Instant::now(), false));
        let search = Search {
            task: Arc::new(task),
            table: Arc::clone(&self.table),
            signals: Arc::clone(&signals),
            network: default_network(),
            endgame,
        };
        let outcome = self.worker.search(&search, Some(&mut self.reports));
        (outcome, signals.nodes())
    }
}

/// The game that begins with `fen`, after these moves.
pub fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(fen.parse().unwrap());
    for text in moves {
        game.play(game.position.parse_uci(text).unwrap());
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
