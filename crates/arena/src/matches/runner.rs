//! Plays the games of a match on several threads.

use super::results::Results;
use super::results_file::{GameRecord, ResultsFile};
use super::setup::{MatchSetup, Task};
use super::stop::StopReason;
use super::worker::MatchWorker;
use crate::threads;
use anyhow::Result;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

/// Plays the games of the schedule that are not in `done`. Each finished game is added to `results` and to the file,
/// then given to `watch`. Returns the reason for an early end, `None` after the last game.
///
/// # Errors
/// The first error of the results file or of `watch`, after the games in play have ended.
pub fn play_all(
    setup: &MatchSetup,
    results: &mut Results,
    done: &[GameRecord],
    file: &mut ResultsFile,
    watch: &mut dyn FnMut(&GameRecord, &Results) -> Result<()>,
) -> Result<Option<StopReason>> {
    let played: HashSet<usize> = done.iter().map(|record| record.number).collect();
    let missing = (0..setup.game_count()).filter(|number| !played.contains(number));
    let tasks = Mutex::new(missing.map(|number| setup.task(number)));
    let stop = AtomicBool::new(false);
    let mut reason = StopReason::after(setup, results, None);
    if reason.is_some() {
        return Ok(reason);
    }
    // Without a queue: no thread gets more than one game ahead of a decision to stop.
    let (sender, receiver) = sync_channel(0);
    std::thread::scope(|scope| {
        let worker = |_| {
            let (sender, tasks, stop) = (sender.clone(), &tasks, &stop);
            move || {
                let next = || if stop.load(Ordering::Relaxed) { None } else { tasks.lock().ok()?.next() };
                work(MatchWorker::new(setup), next, &sender);
            }
        };
        threads::spawn_workers(scope, (0..setup.concurrency.max(1)).map(worker))?;
        drop(sender);
        let mut status = Ok(());
        for record in receiver {
            results.add(&record);
            reason = reason.take().or_else(|| StopReason::after(setup, results, Some(&record)));
            status = status.and_then(|()| file.add(&record)).and_then(|()| watch(&record, results));
            if reason.is_some() || status.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        status
    })?;
    Ok(reason)
}

/// Plays games until there are no more tasks or nobody takes the results.
fn work(mut worker: MatchWorker<'_>, next: impl Fn() -> Option<Task>, records: &SyncSender<GameRecord>) {
    while let Some(task) = next() {
        if records.send(worker.play(task)).is_err() {
            break;
        }
    }
    worker.close();
}
