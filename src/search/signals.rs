//! What the threads of one search tell each other: stop, the opponent has moved, how many nodes.
//!
//! Made anew for each search, so that a `stop` for the last one can never end the next.

use crossbeam::utils::CachePadded;
use parking_lot::{Condvar, Mutex};
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// The signals of one search, shared by its threads and whoever may end it.
pub struct Signals {
    /// On a cache line of its own: every node of every thread reads it.
    stop: CachePadded<AtomicBool>,
    pondering: AtomicBool,
    started: Instant,
    ponderhit: OnceLock<Instant>,
    /// Whether the answer may be given: see [`Self::wait_for_release`].
    released: Mutex<Released>,
    changed: Condvar,
    /// One cache line for each thread, so that counting disturbs nobody.
    counters: Box<[CachePadded<Counters>]>,
}

/// What one thread has counted.
#[derive(Default)]
struct Counters {
    nodes: AtomicU64,
    /// Positions that tablebases have known.
    hits: AtomicU64,
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
    /// What our clock is charged: since `go` or since `ponderhit`; `None` while the opponent is thinking.
    pub charged: Option<Duration>,
}

impl Signals {
    /// For a search by so many threads that began at `started`, while the opponent thinks or not.
    pub fn new(threads: usize, started: Instant, pondering: bool) -> Signals {
        Signals {
            stop: CachePadded::new(AtomicBool::new(false)),
            pondering: AtomicBool::new(pondering),
            started,
            ponderhit: OnceLock::new(),
            released: Mutex::default(),
            changed: Condvar::new(),
            counters: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// Whether the threads have to come to an end now. To be asked at every node.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search of all threads, because a limit has been reached or there is nothing left to search. With
    /// `infinite` or while pondering the answer is still held back.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The user's `stop`: ends the search, and the answer is given at once.
    pub fn stop_and_answer(&self) {
        self.stop();
        self.released.lock().by_stop = true;
        self.changed.notify_all();
    }

    /// Whether the opponent is still thinking about the position before.
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

    /// Waits until the answer may be given: after `stop`, or, unless the search is infinite, when not pondering.
    pub fn wait_for_release(&self, infinite: bool) {
        let mut released = self.released.lock();
        while !released.by_stop && (infinite || self.is_pondering() && !released.by_ponderhit) {
            self.changed.wait(&mut released);
        }
    }

    /// The time so far.
    pub fn timing(&self) -> Timing {
        let now = Instant::now();
        let from =
            if self.is_pondering() { None } else { Some(*self.ponderhit.get().unwrap_or(&self.started)) };
        Timing {
            since_go: now.saturating_duration_since(self.started),
            charged: from.map(|from| now.saturating_duration_since(from)),
        }
    }

    /// Thread `index` has searched so many nodes. Every thousand nodes is often enough.
    #[inline(always)]
    pub fn set_nodes(&self, index: usize, nodes: u64) {
        if let Some(counters) = self.counters.get(index) {
            counters.nodes.store(nodes, Relaxed);
        }
    }

    /// Tablebases have known so many positions of thread `index`.
    #[inline(always)]
    pub fn set_hits(&self, index: usize, hits: u64) {
        if let Some(counters) = self.counters.get(index) {
            counters.hits.store(hits, Relaxed);
        }
    }

    /// The nodes of all threads, as far as they have been told.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Relaxed)).sum()
    }

    /// Positions that tablebases have known, of all threads, as far as they have been told.
    pub fn tbhits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.hits.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_all_threads() {
        let signals = Signals::new(3, Instant::now(), false);
        signals.set_nodes(0, 10);
        signals.set_nodes(2, 5);
        signals.set_nodes(2, 7);
        signals.set_nodes(3, 1000);
        signals.set_hits(1, 4);
        signals.set_hits(2, 2);
        assert_eq!((signals.nodes(), signals.tbhits()), (17, 6));
    }

    #[test]
    fn our_clock_stands_still_until_ponderhit() {
        let long_ago =
            Instant::now().checked_sub(Duration::from_millis(100)).expect("the machine is up as long");
        let signals = Signals::new(1, long_ago, true);
        assert!(signals.is_pondering());
        assert_eq!(signals.timing().charged, None);
        signals.ponderhit();
        let timing = signals.timing();
        assert!(!signals.is_pondering() && !signals.is_stopped());
        assert!(timing.charged.expect("it runs") < timing.since_go);
        assert!(timing.since_go >= Duration::from_millis(100));
    }

    #[test]
    fn without_pondering_our_clock_runs_from_go() {
        let signals = Signals::new(1, Instant::now(), false);
        signals.ponderhit();
        let timing = signals.timing();
        assert_eq!(timing.charged, Some(timing.since_go));
    }

    #[test]
    fn the_answer_waits_for_the_user_only_where_it_must() {
        Signals::new(1, Instant::now(), false).wait_for_release(false);
        let hit = Signals::new(1, Instant::now(), true);
        hit.ponderhit();
        hit.wait_for_release(false);
        let stopped = Signals::new(1, Instant::now(), true);
        stopped.stop_and_answer();
        stopped.wait_for_release(true);

        let held = Signals::new(1, Instant::now(), false);
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
