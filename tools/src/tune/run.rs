//! Plays the iterations of a tuning run on several threads.

use super::parameters::Parameter;
use super::spsa::Trial;
use super::state::{Iteration, MINUS, PLUS, PairFault, State};
use crate::matches::results::Store;
use crate::matches::runner::Setup;
use crate::matches::table::Table;
use anyhow::Result;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many pairs with a fault, one after the other, and the run makes no sense.
const PATIENCE: u64 = 10;

/// How a run ended before its last iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It was asked to.
    Interrupted,
    /// By faults; the last one in words.
    Faults(String),
}

/// A run while it is played.
struct Run<'a> {
    setup: &'a Setup,
    /// Pairs of games of each iteration.
    pairs: usize,
    state: Mutex<&'a mut State>,
    /// Set from outside or within; no further game is begun.
    stop: &'a AtomicBool,
}

/// Plays the iterations that are not in `done`, as many at once as the setup says. Each is drawn round the parameters
/// as they are when it begins, stored when it ends, and then given to `watch`.
pub fn play_all(
    setup: &Setup,
    pairs: usize,
    state: &mut State,
    (done, store): (&HashSet<u64>, &mut Store),
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Iteration, &State),
) -> Result<Option<Stopped>> {
    let missing = (1..=state.iterations()).filter(|k| !done.contains(k));
    let missing = Mutex::new(missing);
    let run = Run { setup, pairs, state: Mutex::new(state), stop };
    // Without a queue: a thread hands over its iteration before it draws the next, so that one iteration a thread is the
    // most that is played without knowing the last results, however slow the disk.
    let (sender, receiver) = sync_channel(0);
    let faults = std::thread::scope(|scope| {
        for _ in 0..setup.concurrency.max(1) {
            let (run, missing, sender) = (&run, &missing, sender.clone());
            scope.spawn(move || run.work(|| lock(missing).next(), &sender));
        }
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
        Some(words) => Some(Stopped::Faults(words)),
        None => {
            let state = run.state();
            (state.finished < state.iterations()).then_some(Stopped::Interrupted)
        }
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Run<'a> {
    fn state(&self) -> MutexGuard<'_, &'a mut State> {
        lock(&self.state)
    }

    fn too_many_faults(&self, iteration: &Iteration, state: &State) -> Option<String> {
        let patience = if self.setup.stop_on_fault { 1 } else { PATIENCE };
        let last = iteration.faults.last().filter(|_| state.faults_in_a_row >= patience)?;
        let log = self.setup.fault_log(last.game);
        let (words, detail) = (last.fault.kind.words(), &last.fault.detail);
        Some(format!(
            "{patience} pairs with faults in a row; the last: {words}: {detail} ({})",
            log.display()
        ))
    }

    /// One thread: it keeps its two engines from iteration to iteration.
    fn work(&self, next: impl Fn() -> Option<u64>, results: &SyncSender<Iteration>) {
        let mut table = Table::new(self.setup);
        while let Some(k) = next().filter(|_| !self.stopped()) {
            let trial = self.state().draw(k);
            let Some(iteration) = self.play(&mut table, trial) else { break };
            if results.send(iteration).is_err() {
                break;
            }
        }
        table.close();
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// `None` if the run was stopped meanwhile.
    fn play(&self, table: &mut Table<'_>, trial: Trial) -> Option<Iteration> {
        {
            let state = self.state();
            table.set(PLUS, options(&state.parameters, &trial.plus));
            table.set(MINUS, options(&state.parameters, &trial.minus));
        }
        let mut iteration = Iteration::new(trial);
        let first = (iteration.k as usize - 1) * self.pairs;
        for pair in first..first + self.pairs {
            self.play_pair(table, pair, &mut iteration)?;
        }
        Some(iteration)
    }

    /// Both games of a pair, or the first only if it has a fault.
    fn play_pair(&self, table: &mut Table<'_>, pair: usize, iteration: &mut Iteration) -> Option<()> {
        let mut points = [0; 2];
        for (game, points) in points.iter_mut().enumerate() {
            if self.stopped() {
                return None;
            }
            let record = table.play(self.setup.task(2 * pair + game));
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
