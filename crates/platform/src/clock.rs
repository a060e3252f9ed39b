//! Points in time, and turns of others.
//!
//! In WebAssembly without a system (`wasm32-unknown-unknown`) the host tells the time. Without the feature `threads` there
//! is one thread alone: while it searches, nobody would read `stop`. So the search gives the host a turn every few milliseconds, in
//! which other functions of the engine may be called (see `web/engine`).

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use host::Instant;
#[cfg(all(target_family = "wasm", feature = "threads"))]
pub use std::thread::sleep;
#[cfg(all(target_family = "wasm", not(feature = "threads")))]
pub use turns::{give_turn, sleep, with_turns};

/// True where the host gets turns.
pub const HAS_TURNS: bool = cfg!(all(target_family = "wasm", not(feature = "threads")));

/// Gives nobody a turn: others have threads of their own.
#[cfg(not(all(target_family = "wasm", not(feature = "threads"))))]
#[inline(always)]
pub fn give_turn() {}

#[cfg(target_family = "wasm")]
mod host {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "tamarack")]
    unsafe extern "C" {
        /// Milliseconds since a point that is the same for all threads, never falling.
        safe fn now() -> f64;
    }

    /// A point in time, as [`std::time::Instant`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present.
        pub fn now() -> Instant {
            Instant(Duration::from_micros(microseconds()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from `earlier` on; zero if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    pub(super) fn microseconds() -> u64 {
        (now() * 1000.0) as u64
    }
}

#[cfg(all(target_family = "wasm", not(feature = "threads")))]
mod turns {
    use super::host::microseconds;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
    use std::time::Duration;

    /// Microseconds between turns of the host: short enough that a `stop` is answered at once.
    const TURN_EVERY: u64 = 12_000;

    #[link(wasm_import_module = "tamarack")]
    unsafe extern "C" {
        /// Returns after the host's events of at least so many milliseconds.
        safe fn pause(milliseconds: f64);
    }

    /// True while the caller has made sure that [`pause`] can return to the host.
    static TURNS: AtomicBool = AtomicBool::new(false);

    /// The end of the host's last turn, in microseconds.
    static LAST_TURN: AtomicU64 = AtomicU64::new(0);

    /// Does `work`, in which the host gets turns. There must be no function between the host and [`pause`] that is called through
    /// a pointer.
    #[inline(always)]
    pub fn with_turns(work: impl FnOnce()) {
        TURNS.store(true, Relaxed);
        LAST_TURN.store(microseconds(), Relaxed);
        work();
        TURNS.store(false, Relaxed);
    }

    /// Gives the host a turn if one is due.
    #[inline(always)]
    pub fn give_turn() {
        if TURNS.load(Relaxed) && microseconds() >= LAST_TURN.load(Relaxed) + TURN_EVERY {
            sleep(Duration::ZERO);
        }
    }

    /// Leaves the host alone for a time, if it gets turns.
    #[inline(always)]
    pub fn sleep(time: Duration) {
        if TURNS.load(Relaxed) {
            pause(time.as_secs_f64() * 1000.0);
            LAST_TURN.store(microseconds(), Relaxed);
        }
    }
}
