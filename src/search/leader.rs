//! What the leading thread does beside searching: it ends the search of the others, hears what they have found, has the
//! vote taken, and gives the answer when it is due.

use super::signals::Signals;
use super::table::Table;
use super::vote;
use super::worker::{Outcome, Worker};
use super::{Answer, Listener, Report, Search, Task};
use crate::chess::Move;
use crossbeam::channel::Receiver;
use std::time::{Duration, Instant};

/// How long the leader waits for what the others have found. They need microseconds; but where there are more threads than
/// cores one may not get its turn for long, and the clock is running.
const PATIENCE: Duration = Duration::from_millis(5);

/// Searches, hears the others, and tells the listener all, the answer last.
pub(super) fn lead(
    worker: &mut Worker,
    search: Search,
    listener: &mut dyn Listener,
    others: &Receiver<(usize, Outcome)>,
) {
    let own = worker.search(&search, Some(&mut *listener));
    let Search { task, table, signals, .. } = search;
    signals.stop();
    let outcomes = gather(own, others);
    // Lines and iterations that were asked for by number are the leader's.
    let votes = task.settings.multi_pv <= 1 && task.limits.depth.is_none();
    let chosen = if votes { vote::best(&outcomes) } else { 0 };
    let outcome = &outcomes[chosen];
    if chosen != 0 {
        listener.report(&report(outcome, &task, &table, &signals));
    }
    signals.wait_for_release(task.limits.infinite);
    let best = outcome.pv.first().copied();
    let ponder =
        outcome.pv.get(1).copied().or_else(|| best.and_then(|best| expected_reply(&task, &table, best)));
    drop((table, signals));
    listener.finished(Answer { best, ponder });
}

/// The leader's outcome and after it, by index, those of the others who are back in time.
fn gather(own: Outcome, others: &Receiver<(usize, Outcome)>) -> Vec<Outcome> {
    let deadline = Instant::now() + PATIENCE;
    let mut outcomes = vec![(0, own)];
    while let Ok(outcome) = others.recv_deadline(deadline) {
        outcomes.push(outcome);
    }
    outcomes.sort_by_key(|&(index, _)| index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The line of a helper whose move is played, so that the last line told is the one that the answer begins.
fn report(outcome: &Outcome, task: &Task, table: &Table, signals: &Signals) -> Report {
    Report {
        depth: outcome.depth,
        seldepth: outcome.seldepth,
        multi_pv: 1,
        score: outcome.score,
        bound: outcome.bound,
        nodes: signals.nodes(),
        elapsed: task.started.elapsed(),
        hashfull: table.hashfull(),
        tbhits: signals.tbhits(),
        pv: outcome.pv.clone(),
    }
}

/// What the table expects after `best`, when the line itself ends there.
fn expected_reply(task: &Task, table: &Table, best: Move) -> Option<Move> {
    let position = task.game.position.after(best);
    let reply = table.probe(position.key(), 1, position.halfmove_clock())?.mv?;
    position.is_legal(reply).then_some(reply)
}
