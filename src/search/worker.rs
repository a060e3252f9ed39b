//! What one thread keeps from search to search.

use super::eval_sample::EvalSample;
use super::memory::correction::CorrectionHistory;
use super::memory::history::Histories;
use super::memory::pv::PvTable;
use super::memory::stack::Stack;
use chess::Position;
use nnue::{Accumulators, Network};
use platform::pages::HugeArena;
use std::io;
use std::sync::Arc;

/// The memory of one thread, kept from search to search.
pub struct Worker {
    pub(super) index: usize,
    pub(super) histories: Histories,
    pub(super) correction_history: CorrectionHistory,
    /// True if a search may have filled the histories since they were cleared.
    pub(super) used: bool,
    /// True if a search may have learned corrections since they were cleared.
    pub(super) corrections_used: bool,
    pub(super) accumulators: Accumulators,
    pub(super) stack: Stack,
    pub(super) pv_table: PvTable,
    pub(super) eval_sample: EvalSample,
}

impl Worker {
    /// The worker of thread `index`, 0 for the main thread.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn new(index: usize, network: Arc<Network>) -> io::Result<Worker> {
        let memory = Worker::memory(&network)?;
        Worker::new_in(memory, index, network)
    }

    /// Memory for a worker that evaluates by `network`, not touched yet.
    ///
    /// # Errors
    /// If the system has not enough.
    pub fn memory(network: &Network) -> io::Result<HugeArena> {
        HugeArena::new(
            Histories::BYTES + CorrectionHistory::BYTES + PvTable::BYTES + Accumulators::bytes(network),
        )
    }

    /// The worker of thread `index`, 0 for the main thread, in [`Self::memory`] for a network of this shape. The calling thread,
    /// which should be the one that searches, is the first to touch it.
    ///
    /// # Errors
    /// If the memory is too small.
    pub fn new_in(mut arena: HugeArena, index: usize, network: Arc<Network>) -> io::Result<Worker> {
        Ok(Worker {
            index,
            histories: Histories::new(&mut arena)?,
            correction_history: CorrectionHistory::new(&mut arena)?,
            used: false,
            corrections_used: false,
            pv_table: PvTable::new(&mut arena)?,
            accumulators: Accumulators::new_in(network, &mut arena)?,
            stack: Stack::new(),
            eval_sample: EvalSample::new(0),
        })
    }

    /// Empties histories and corrections as far as a search has used them: a new game begins.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.histories.clear();
        }
        if std::mem::take(&mut self.corrections_used) {
            self.correction_history.clear();
        }
    }

    /// One of the positions that the last search evaluated, at random, if it was one for training
    /// ([`SearchOptions::training`](super::request::SearchOptions::training)).
    pub fn evaluated_position(&self) -> Option<&Position> {
        self.eval_sample.position()
    }
}
