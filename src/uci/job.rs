//! Background jobs: `bench`, `speedtest` and `perft` run on a thread of their own, so that the engine still reads its input.

use super::format;
use super::output::Output;
use crate::commands::speedtest::{self, SpeedtestConfig};
use crate::commands::{bench, genfens, perft};
use crate::search::NumaPolicy;
use chess::{CastlingNotation, Position};
use crossbeam::channel::Sender;
use nnue::Network;
use platform::clock::Instant;
use platform::machine::Interrupt;
use platform::threads::{self, JoinHandle};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of stack of a job.
const STACK: usize = 2 << 20;

/// Sends the time at which it is dropped: at the end of a job, or where its thread does not start.
struct End(Sender<Instant>);

impl Drop for End {
    fn drop(&mut self) {
        // An error means that the engine has quit.
        let _ = self.0.send(Instant::now());
    }
}

/// A running job.
pub struct BackgroundJob {
    abort: Arc<AtomicBool>,
    /// `None` where there are no threads: the job is done.
    thread: Option<JoinHandle>,
}

impl BackgroundJob {
    /// Asks the job to end early; it still tells the engine when it has ended.
    pub fn abort(&self) {
        self.abort.store(true, Ordering::Relaxed);
    }

    /// Waits until the job has printed its result. False if its thread did not start, or has panicked.
    pub fn wait(self) -> bool {
        self.thread.is_none_or(|thread| thread.join().is_ok())
    }

    /// Runs `work` on its own thread and prints the last text, if there is one, or error that it returns.
    fn spawn(
        output: Output,
        finished: Sender<Instant>,
        work: impl FnOnce(&Output, &AtomicBool) -> Result<Option<String>, String> + Send + 'static,
    ) -> std::io::Result<BackgroundJob> {
        let abort = Arc::new(AtomicBool::new(false));
        let aborted = abort.clone();
        let end = End(finished);
        let job = move || {
            let result = work(&output, &aborted);
            // Before the result is printed, as at the end of a search.
            drop(end);
            match result {
                Ok(text) => text.into_iter().for_each(|text| output.line(text)),
                Err(error) => output.error(error),
            }
        };
        let thread = match cfg!(single_threaded) {
            true => {
                job();
                None
            }
            false => Some(threads::spawn("job", STACK, job)?),
        };
        Ok(BackgroundJob { abort, thread })
    }
}

/// What each job needs: a network, and where to print and to tell its end.
pub struct JobStarter {
    /// The network in use.
    pub network: Arc<Network>,
    /// The output to print to.
    pub output: Output,
    /// Receives the time at which the job ended.
    pub finished: Sender<Instant>,
}

/// Each starts a job.
///
/// # Errors
/// If the system has no thread for it.
impl JobStarter {
    /// Starts a bench.
    pub fn bench(self, config: bench::BenchConfig) -> std::io::Result<BackgroundJob> {
        let network = self.network;
        BackgroundJob::spawn(self.output, self.finished, move |output, abort| {
            let each = |result: &bench::PositionResult<'_>| output.line(format::bench_position(result));
            match bench::run(&config, &network, abort, each) {
                Ok(Some(total)) if config.stockfish_style => {
                    output.line(format::bench_total(&total));
                    // Clients of Stockfish read up to its last line.
                    let _ = writeln!(std::io::stderr(), "{}", format::bench_summary(&total));
                    Ok(None)
                }
                Ok(Some(total)) => {
                    // Before the last line of the output, which OpenBench wants to be the last of both streams.
                    let _ = writeln!(std::io::stderr(), "{}", format::bench_summary(&total));
                    Ok(Some(format::bench_total(&total)))
                }
                Ok(None) => Err("bench: stopped".to_string()),
                Err(error) => Err(format!("bench: {error}")),
            }
        })
    }

    /// Starts a speedtest. Its progress is shown on the standard error stream if that is a terminal; a
    /// `stop` or Ctrl-C ends it with what it has.
    pub fn speedtest(self, config: SpeedtestConfig, policy: NumaPolicy) -> std::io::Result<BackgroundJob> {
        let network = self.network;
        BackgroundJob::spawn(self.output, self.finished, move |_, abort| {
            let interrupt = Interrupt::listen();
            let abort = || abort.load(Ordering::Relaxed) || interrupt.is_pressed();
            let mut error_stream = std::io::stderr();
            let on_terminal = error_stream.is_terminal();
            let progress = |text: &str| {
                if on_terminal {
                    let _ = write!(error_stream, "\r{text:<70}");
                }
            };
            let results = speedtest::run(&config, &network, &policy, &abort, progress);
            if on_terminal {
                let _ = write!(std::io::stderr(), "\r{:<70}\r", "");
            }
            match results {
                Ok(results) => Ok(Some(speedtest::report::text(&results, &network))),
                Err(error) => Err(format!("speedtest: {error}")),
            }
        })
    }

    /// Starts a perft of `depth` plies.
    pub fn perft(
        self,
        position: Position,
        depth: u32,
        notation: CastlingNotation,
    ) -> std::io::Result<BackgroundJob> {
        BackgroundJob::spawn(self.output, self.finished, move |_, abort| {
            match perft::divide(&position, depth, abort) {
                Some(counted) => Ok(Some(format::perft(&counted, notation))),
                None => Err("perft: stopped".to_string()),
            }
        })
    }

    /// Starts printing random openings, each in a line as OpenBench reads it.
    pub fn genfens(self, config: genfens::GenFensConfig) -> std::io::Result<BackgroundJob> {
        let network = self.network;
        BackgroundJob::spawn(self.output, self.finished, move |output, abort| {
            let each = |fen: &str| output.info(format_args!("genfens {fen}"));
            let run = genfens::run(&config, &network, abort, each);
            run.map(|()| None).map_err(|error| format!("genfens: {error}"))
        })
    }
}
