//! The flag that a search is running, and waiting for its end.

use crate::search::waits::wait_for;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::Duration;

/// True while a search is on, with a signal for its end.
#[derive(Default)]
pub struct RunningFlag {
    running: Mutex<bool>,
    changed: Condvar,
}

impl RunningFlag {
    /// True while a search is on.
    pub fn is_searching(&self) -> bool {
        *self.running.lock()
    }

    /// Waits until no search is on.
    pub fn wait(&self) {
        let mut running = self.running.lock();
        while *running {
            self.changed.wait(&mut running);
        }
    }

    /// Waits until no search is on, but no longer than that; true if none is on. May return early.
    pub fn wait_for(&self, time: Duration) -> bool {
        let mut running = self.running.lock();
        if *running {
            wait_for(&self.changed, &mut running, time);
        }
        !*running
    }
}

/// RAII guard: the search counts as running until the last clone is dropped.
pub struct RunningGuard(Arc<RunningFlag>);

impl RunningGuard {
    /// A search begins.
    pub fn begin(state: &Arc<RunningFlag>) -> RunningGuard {
        *state.running.lock() = true;
        RunningGuard(Arc::clone(state))
    }
}

impl Drop for RunningGuard {
    fn drop(&mut self) {
        *self.0.running.lock() = false;
        self.0.changed.notify_all();
    }
}
