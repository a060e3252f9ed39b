//! Searches by the calling thread with a table of its own, where no pool is needed: random openings, games for training, tests.

use super::context::SearchContext;
use super::info::{InfoSink, ThreadResult};
use super::memory::tt::TranspositionTable;
use super::request::{Limits, SearchOptions, SearchRequest};
use super::thread::error::PoolError;
use super::worker::Worker;
use crate::tablebase::Tables;
use chess::{Game, Position};
use nnue::Network;
use platform::clock::Instant;
use std::sync::Arc;

/// The memory of one thread and its table, kept from search to search.
pub struct OneThread {
    worker: Worker,
    tt: Arc<TranspositionTable>,
    network: Arc<Network>,
    nodes: u64,
    /// The options of each search.
    pub options: SearchOptions,
    /// The tablebases that searches ask.
    pub tables: Option<Arc<Tables>>,
}

impl OneThread {
    /// A thread with a table of `hash` mebibytes.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn new(hash: usize, network: &Arc<Network>) -> Result<OneThread, PoolError> {
        Ok(OneThread {
            worker: Worker::new(0, Arc::clone(network)).map_err(PoolError::Network)?,
            tt: Arc::new(TranspositionTable::new(hash)?),
            network: Arc::clone(network),
            nodes: 0,
            options: SearchOptions::default(),
            tables: None,
        })
    }

    /// Searches a game's last position. Lines of analysis go to `info_sink`, but not the best move.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        info_sink: Option<&mut dyn InfoSink>,
    ) -> ThreadResult {
        self.tt.new_search();
        let request =
            SearchRequest { game: game.clone(), started: Instant::now(), limits, options: self.options };
        let context = SearchContext::new(request, 1, &self.tt, &self.network, self.tables.as_ref());
        let result = self.worker.search(&context, info_sink);
        self.nodes = context.shared.nodes();
        result
    }

    /// One of the positions that the last search evaluated, at random, if it was one for training
    /// ([`SearchOptions::training`]).
    pub fn evaluated_position(&self) -> Option<&Position> {
        self.worker.evaluated_position()
    }

    /// The nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Clears table and histories: a new game begins.
    pub fn clear(&mut self) {
        self.worker.clear();
        self.tt.clear();
    }
}
