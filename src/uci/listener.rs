//! The listener of a search: prints what the search reports.

use super::format::{self, Style};
use super::output::Output;
use crate::search::{BestMove, CurrentMove, Info, InfoSink, ThreadResult};
use crossbeam::channel::Sender;
use platform::clock::Instant;

/// Prints the reports of a search as UCI, and tells the engine when the search has ended.
pub struct UciListener {
    /// The output to print to.
    pub output: Output,
    /// Receives the time at which the search ended.
    pub finished: Sender<Instant>,
    /// The format of moves and scores.
    pub style: Style,
    /// The last lines, kept back until the search has ended; `None` if lines are printed as they come (`Minimal`).
    pub buffered: Option<Vec<String>>,
    /// True after `debug on`: prints what the threads have voted for.
    pub debug: bool,
}

impl InfoSink for UciListener {
    fn info(&mut self, info: &Info) {
        let line = format::info(info, self.style);
        let Some(buffered) = &mut self.buffered else { return self.output.line(line) };
        if info.multi_pv == 1 {
            buffered.clear();
        }
        buffered.push(line);
    }

    fn current_move(&mut self, current: CurrentMove) {
        if self.buffered.is_none() {
            self.output.line(format::current_move(current, self.style.notation));
        }
    }

    fn voted(&mut self, results: &[ThreadResult], chosen: usize) {
        if self.debug {
            self.output.info(format::vote(results, chosen, self.style.notation));
        }
    }

    fn finished(&mut self, answer: BestMove) {
        // Sent before the answer is printed, so that the engine learns of the end before it reads any command that is a
        // reaction to the answer. The engine then waits until the answer is printed. An error means that it has quit.
        let _ = self.finished.send(Instant::now());
        self.buffered.take().into_iter().flatten().for_each(|line| self.output.line(line));
        self.output.line(format::best_move(answer, self.style.notation));
    }
}
