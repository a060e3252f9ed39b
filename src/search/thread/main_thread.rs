//! The main thread's work beside searching: it stops the helpers, collects their results, has the vote taken, and sends the
//! best move when it is due.

use super::vote;
use crate::search::context::SearchContext;
use crate::search::info::{BestMove, Info, InfoSink, ThreadResult};
use crate::search::memory::tt::TranspositionTable;
use crate::search::request::SearchRequest;
use crate::search::waits::receive_by;
use crate::search::worker::Worker;
use chess::Move;
use crossbeam::channel::Receiver;
use platform::clock::Instant;
use std::time::Duration;

/// The time that the main thread waits for the helpers' results. They need microseconds; but with more threads than cores a
/// helper may wait long for a processor, and the clock is running.
const PATIENCE: Duration = Duration::from_millis(5);

/// Searches, collects the helpers' results, and sends all lines and, last, the best move.
pub fn run(
    worker: &mut Worker,
    context: SearchContext,
    info_sink: &mut dyn InfoSink,
    helpers: &Receiver<(usize, ThreadResult)>,
) {
    let own = worker.search(&context, Some(&mut *info_sink));
    context.shared.stop();
    let results = collect(own, helpers);
    // Lines and iterations that were asked for by number are the main thread's.
    let (options, time) = (&context.request.options, &context.time);
    let votes = options.multi_pv <= 1 && !time.is_depth_asked();
    let chosen = if votes { vote::best(&results) } else { 0 };
    if results.len() > 1 {
        info_sink.voted(&results, chosen);
    }
    let result = &results[chosen];
    if chosen != 0 {
        // The last line sent begins with the move that is played.
        info_sink.info(&Info::new(&context, 1, result.clone()));
    }
    context.shared.wait_for_release(time.is_infinite());
    let best = result.pv.first().copied();
    wait_as_a_person(&context, best);
    let ponder = result
        .pv
        .get(1)
        .copied()
        .or_else(|| best.and_then(|best| expected_reply(&context.request, &context.tt, best)));
    drop(context);
    info_sink.finished(BestMove { best, ponder });
}

/// Waits a little on the clock before the answer of a level that does so.
fn wait_as_a_person(context: &SearchContext, best: Option<Move>) {
    let SearchRequest { game, options, .. } = &*context.request;
    let (Some(strength), Some(mv)) = (options.strength, best) else { return };
    let share = strength.pause_share(game.position(), game.moves().last().copied(), mv);
    if share > 0.0 {
        context.shared.wait_on_our_clock(context.time.pause(share));
    }
}

/// The main thread's result and after it, by index, those of the helpers that come in time.
fn collect(own: ThreadResult, helpers: &Receiver<(usize, ThreadResult)>) -> Vec<ThreadResult> {
    let mut results = vec![(0, own)];
    let deadline = Instant::now() + PATIENCE;
    while let Some(result) = receive_by(helpers, deadline) {
        results.push(result);
    }
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The reply to `best` in the table, for pondering when the line itself ends there.
fn expected_reply(request: &SearchRequest, tt: &TranspositionTable, best: Move) -> Option<Move> {
    let position = request.game.position().after(best);
    let reply = tt.probe(position.key(), 1, position.halfmove_clock())?.mv?;
    position.is_legal(reply).then_some(reply)
}
