//! Plays the iterations of a tuning run on several threads.

use super::parameters::Parameter;
use super::spsa::Trial;
use super::state::{Iteration, MINUS, PLUS, PairFault, TuneState};
use crate::matches::results_file::ResultsFile;
use crate::matches::setup::MatchSetup;
use crate::matches::worker::MatchWorker;
use crate::threads;
use anyhow::Result;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs with a fault in a row that end the run.
const MAX_FAULTS: u64 = 10;

/// The reason why a run ended before its last iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TuneStopReason {
    /// It was asked to.
    Interrupted,
    /// By faults; the last one in words.
    Faults(String),
}

/// A run while it is played.
struct TuneRun<'a> {
    setup: &'a MatchSetup,
    /// Pairs of games of each iteration.
    pairs: usize,
    state: Mutex<&'a mut TuneState>,
    /// Set from outside or within; no further game is begun.
    stop: &'a AtomicBool,
}

/// Plays the iterations that are not in `done`, as many at once as the setup says. Each is drawn round the parameters
/// as they are when it begins, stored when it ends, and then given to `watch`.
pub fn play_all(
    setup: &MatchSetup,
    pairs: usize,
    state: &mut TuneState,
    (done, store): (&HashSet<u64>, &mut ResultsFile),
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Iteration, &TuneState),
) -> Result<Option<TuneStopReason>> {
    let missing = (1..=state.iterations()).filter(|k| !done.contains(k));
    let missing = Mutex::new(missing);
    let run = TuneRun { setup, pairs, state: Mutex::new(state), stop };
    // Without a queue: a thread hands over its iteration before it draws the next, so that one iteration a thread is the
    // most that is played without knowing the last results, however slow the disk.
    let (sender, receiver) = sync_channel(0);
    let faults = std::thread::scope(|scope| {
        let worker = |_| {
            let (run, missing, sender) = (&run, &missing, sender.clone());
            move || run.work(|| lock(missing).next(), &sender)
        };
        threads::spawn_workers(scope, (0..setup.concurrency.max(1)).map(worker))?;
        drop(sender);
        let (mut result, mut faults) = (Ok(()), None);
        for iteration in receiver {
            let state = &mut *run.state();
            let added = store.add(&iteration).and_then(|()| state.add(&iteration));
            result = result.and(added);
            watch(&iteration, state);
            faults = faults.or_else(|| run.too_many_faults(&iteration, state));
            if faults.is_some() || result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        result.map(|()| faults)
    })?;
    Ok(match faults {
        Some(words) => Some(TuneStopReason::Faults(words)),
        None => {
            let state = run.state();
            (state.finished < state.iterations()).then_some(TuneStopReason::Interrupted)
        }
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> TuneRun<'a> {
    fn state(&self) -> MutexGuard<'_, &'a mut TuneState> {
        lock(&self.state)
    }

    fn too_many_faults(&self, iteration: &Iteration, state: &TuneState) -> Option<String> {
        let limit = if self.setup.stop_on_fault { 1 } else { MAX_FAULTS };
        let last = iteration.faults.last().filter(|_| state.faults_in_a_row >= limit)?;
        let log = self.setup.fault_log(last.game);
        let (words, detail) = (last.fault.kind.words(), &last.fault.detail);
        Some(format!("{limit} pairs with faults in a row; the last: {words}: {detail} ({})", log.display()))
    }

    /// One thread: it keeps its two engines from iteration to iteration.
    fn work(&self, next: impl Fn() -> Option<u64>, results: &SyncSender<Iteration>) {
        let mut worker = MatchWorker::new(self.setup);
        while let Some(k) = next().filter(|_| !self.stopped()) {
            let trial = self.state().perturb(k);
            let Some(iteration) = self.play(&mut worker, trial) else { break };
            if results.send(iteration).is_err() {
                break;
            }
        }
        worker.close();
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// `None` if the run was stopped meanwhile.
    fn play(&self, worker: &mut MatchWorker<'_>, trial: Trial) -> Option<Iteration> {
        {
            let state = self.state();
            worker.set_options(PLUS, options(&state.parameters, &trial.plus));
            worker.set_options(MINUS, options(&state.parameters, &trial.minus));
        }
        let mut iteration = Iteration::new(trial);
        let first = (iteration.k as usize - 1) * self.pairs;
        for pair in first..first + self.pairs {
            self.play_pair(worker, pair, &mut iteration)?;
        }
        Some(iteration)
    }

    /// Both games of a pair, or the first only if it has a fault.
    fn play_pair(&self, worker: &mut MatchWorker<'_>, pair: usize, iteration: &mut Iteration) -> Option<()> {
        let mut points = [0; 2];
        for (game, points) in points.iter_mut().enumerate() {
            if self.stopped() {
                return None;
            }
            let record = worker.play(self.setup.task(2 * pair + game));
            if let Some(fault) = record.fault {
                iteration.faults.push(PairFault { game: record.number, fault });
                return Some(());
            }
            *points = if record.white == PLUS { record.points } else { 2 - record.points };
        }
        iteration.add_pair(points);
        Some(())
    }
}

fn options(parameters: &[Parameter], values: &[i64]) -> Vec<(String, String)> {
    parameters
        .iter()
        .zip(values)
        .map(|(parameter, value)| (parameter.name.clone(), value.to_string()))
        .collect()
}
