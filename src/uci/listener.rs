//! The listener of a search: prints what the search reports.

use super::format::{self, Style};
use super::output::Output;
use crate::search::{BestMove, CurrentMove, Info, InfoSink};
use crossbeam::channel::Sender;
use std::time::Instant;

/// Prints the reports of a search as UCI, and tells the engine when the search has ended.
pub struct UciListener {
    /// The output to print to.
    pub output: Output,
    /// Receives the time at which the search ended.
    pub finished: Sender<Instant>,
    /// The format of moves and scores.
    pub style: Style,
}

impl InfoSink for UciListener {
    fn info(&mut self, info: &Info) {
        self.output.line(format::info(info, self.style));
    }

    fn current_move(&mut self, current: CurrentMove) {
        self.output.line(format::current_move(current, self.style.notation));
    }

    fn finished(&mut self, answer: BestMove) {
        // Sent before the answer is printed, so that the engine learns of the end before it reads any command that is a
        // reaction to the answer. The engine then waits until the answer is printed. An error means that it has quit.
        let _ = self.finished.send(Instant::now());
        self.output.line(format::best_move(answer, self.style.notation));
    }
}
