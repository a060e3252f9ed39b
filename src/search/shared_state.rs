//! The state that the threads of one search share: stop flag, ponderhit, node counts.
//!
//! Made anew for each search, so that a `stop` for the last one can never end the next.

use super::waits::wait_for;
use crossbeam::utils::CachePadded;
use parking_lot::{Condvar, Mutex};
use platform::clock::Instant;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

/// The state of one search, shared by its threads and whoever may end it.
pub struct SharedState {
    /// On a cache line of its own: every thread reads it in every node.
    stop: CachePadded<AtomicBool>,
    pondering: AtomicBool,
    started: Instant,
    ponderhit: OnceLock<Instant>,
    /// The reasons for which the best move may be sent: see [`Self::wait_for_release`].
    released: Mutex<Released>,
    changed: Condvar,
    /// One cache line for each thread, so that counting disturbs nobody.
    counters: Box<[CachePadded<Counters>]>,
}

/// The counts of one thread.
#[derive(Default)]
struct Counters {
    nodes: AtomicU64,
    /// Positions found in tablebases.
    tb_hits: AtomicU64,
}

#[derive(Default)]
struct Released {
    by_stop: bool,
    by_ponderhit: bool,
}

/// The two clocks of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Since `go`.
    pub since_go: Duration,
    /// The time that our clock runs: since `go` or since `ponderhit`; `None` while pondering.
    pub on_our_clock: Option<Duration>,
}

impl SharedState {
    /// The state of a search by `threads` threads that began at `started`.
    pub fn new(threads: usize, started: Instant, pondering: bool) -> SharedState {
        SharedState {
            stop: CachePadded::new(AtomicBool::new(false)),
            pondering: AtomicBool::new(pondering),
            started,
            ponderhit: OnceLock::new(),
            released: Mutex::default(),
            changed: Condvar::new(),
            counters: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// True if the threads have to stop now.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Stops all threads, because a limit has been reached or there is nothing left to search. With `infinite` or while
    /// pondering the best move is still held back.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The user's `stop`: stops all threads, and the best move is sent at once.
    pub fn stop_and_answer(&self) {
        self.stop();
        self.released.lock().by_stop = true;
        self.changed.notify_all();
    }

    /// True while pondering.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// The opponent has played the move that was expected: our clock runs from now. No effect when not pondering.
    pub fn ponderhit(&self) {
        if self.is_pondering() && self.ponderhit.set(Instant::now()).is_ok() {
            self.pondering.store(false, Release);
            self.released.lock().by_ponderhit = true;
            self.changed.notify_all();
        }
    }

    /// Waits until the best move may be sent: after `stop`, or, unless the search is infinite, when not pondering.
    pub fn wait_for_release(&self, infinite: bool) {
        let mut released = self.released.lock();
        while !released.by_stop && (infinite || self.is_pondering() && !released.by_ponderhit) {
            wait_for(&self.changed, &mut released, Duration::MAX);
        }
    }

    /// Waits until our clock has run for `time`, or for `stop`.
    pub fn wait_on_our_clock(&self, time: Duration) {
        let mut released = self.released.lock();
        while !released.by_stop {
            let left = time.saturating_sub(self.timing().on_our_clock.unwrap_or_default());
            if left.is_zero() {
                return;
            }
            wait_for(&self.changed, &mut released, left);
        }
    }

    /// The time so far.
    pub fn timing(&self) -> Timing {
        let now = Instant::now();
        let from =
            if self.is_pondering() { None } else { Some(*self.ponderhit.get().unwrap_or(&self.started)) };
        Timing {
            since_go: now.saturating_duration_since(self.started),
            on_our_clock: from.map(|from| now.saturating_duration_since(from)),
        }
    }

    /// Publishes the nodes of thread `index`.
    #[inline(always)]
    pub fn set_nodes(&self, index: usize, nodes: u64) {
        if let Some(counters) = self.counters.get(index) {
            counters.nodes.store(nodes, Relaxed);
        }
    }

    /// Publishes the tablebase hits of thread `index`.
    #[inline(always)]
    pub fn set_tb_hits(&self, index: usize, tb_hits: u64) {
        if let Some(counters) = self.counters.get(index) {
            counters.tb_hits.store(tb_hits, Relaxed);
        }
    }

    /// The published nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Relaxed)).sum()
    }

    /// The published tablebase hits of all threads.
    pub fn tbhits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tb_hits.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_all_threads() {
        let shared = SharedState::new(3, Instant::now(), false);
        shared.set_nodes(0, 10);
        shared.set_nodes(2, 5);
        shared.set_nodes(2, 7);
        shared.set_nodes(3, 1000);
        shared.set_tb_hits(1, 4);
        shared.set_tb_hits(2, 2);
        assert_eq!((shared.nodes(), shared.tbhits()), (17, 6));
    }

    #[test]
    fn our_clock_stands_still_until_ponderhit() {
        let long_ago =
            Instant::now().checked_sub(Duration::from_millis(100)).expect("the machine is up as long");
        let shared = SharedState::new(1, long_ago, true);
        assert!(shared.is_pondering());
        assert_eq!(shared.timing().on_our_clock, None);
        shared.ponderhit();
        let timing = shared.timing();
        assert!(!shared.is_pondering() && !shared.is_stopped());
        assert!(timing.on_our_clock.expect("it runs") < timing.since_go);
        assert!(timing.since_go >= Duration::from_millis(100));
    }

    #[test]
    fn without_pondering_our_clock_runs_from_go() {
        let shared = SharedState::new(1, Instant::now(), false);
        shared.ponderhit();
        let timing = shared.timing();
        assert_eq!(timing.on_our_clock, Some(timing.since_go));
    }

    #[test]
    fn the_answer_waits_for_the_user_only_where_it_must() {
        SharedState::new(1, Instant::now(), false).wait_for_release(false);
        let hit = SharedState::new(1, Instant::now(), true);
        hit.ponderhit();
        hit.wait_for_release(false);
        let stopped = SharedState::new(1, Instant::now(), true);
        stopped.stop_and_answer();
        stopped.wait_for_release(true);

        let held = SharedState::new(1, Instant::now(), false);
        let answered = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                held.wait_for_release(true);
                answered.store(true, Relaxed);
            });
            held.stop();
            held.ponderhit();
            std::thread::sleep(Duration::from_millis(20));
            assert!(!answered.load(Relaxed));
            held.stop_and_answer();
        });
        assert!(answered.load(Relaxed));
    }
}
