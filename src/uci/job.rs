//! Tools that take their time run beside the engine, so that it still listens.

use super::engine::Event;
use super::output::Output;
use super::report;
use crate::chess::{CastlingNotation, Position};
use crate::commands::{bench, perft};
use crate::eval::Network;
use crossbeam::channel::Sender;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// A tool at work.
pub struct Job {
    abort: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Job {
    /// Asks the tool to give up; it still reports that it is over.
    pub fn abort(&self) {
        self.abort.store(true, Ordering::Relaxed);
    }

    /// Waits until the tool has said its last word.
    pub fn wait(self) {
        // One that has panicked has said so itself.
        let _ = self.thread.join();
    }

    /// Runs `work` on its own thread; what it returns is the last thing said.
    fn spawn(
        output: Output,
        events: Sender<Event>,
        work: impl FnOnce(&Output, &AtomicBool) -> Result<String, String> + Send + 'static,
    ) -> std::io::Result<Job> {
        let abort = Arc::new(AtomicBool::new(false));
        let aborted = abort.clone();
        let thread = Builder::new().name("tool".to_string()).spawn(move || {
            let result = work(&output, &aborted);
            // As after a search: before the last word. An engine that has gone away does not care.
            let _ = events.send(Event::Idle(Instant::now()));
            match result {
                Ok(text) => output.line(text),
                Err(complaint) => output.complain(complaint),
            }
        })?;
        Ok(Job { abort, thread })
    }
}

/// Starts the bench, with this network.
///
/// # Errors
/// If there is no thread to be had.
pub fn bench(
    settings: bench::Settings,
    network: Arc<Network>,
    output: Output,
    events: Sender<Event>,
) -> std::io::Result<Job> {
    Job::spawn(output, events, move |output, abort| {
        let each = |result: &bench::Benched<'_>| output.line(report::benched(result));
        match bench::run(&settings, &network, abort, each) {
            Ok(Some(total)) => Ok(report::bench(&total)),
            Ok(None) => Err("bench: stopped".to_string()),
            Err(error) => Err(format!("bench: {error}")),
        }
    })
}

/// Starts counting leaves.
///
/// # Errors
/// If there is no thread to be had.
pub fn perft(
    position: Position,
    depth: u32,
    notation: CastlingNotation,
    output: Output,
    events: Sender<Event>,
) -> std::io::Result<Job> {
    Job::spawn(output, events, move |_, abort| match perft::divide(&position, depth, abort) {
        Some(counted) => Ok(report::perft(&counted, notation)),
        None => Err("perft: stopped".to_string()),
    })
}
