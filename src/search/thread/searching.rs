//! Whether a search is on, for those who wait for its end.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::Duration;

/// True while a search is on, with a signal for its end.
#[derive(Default)]
pub struct SearchState {
    searching: Mutex<bool>,
    changed: Condvar,
}

impl SearchState {
    /// True while a search is on.
    pub fn is_searching(&self) -> bool {
        *self.searching.lock()
    }

    /// Waits until no search is on.
    pub fn wait(&self) {
        let mut searching = self.searching.lock();
        while *searching {
            self.changed.wait(&mut searching);
        }
    }

    /// Waits until no search is on, but no longer than that; true if none is on.
    pub fn wait_for(&self, time: Duration) -> bool {
        let mut searching = self.searching.lock();
        if *searching {
            self.changed.wait_for(&mut searching, time);
        }
        !*searching
    }
}

/// A search is on as long as one of its threads holds this, however it ends.
pub struct Searching(Arc<SearchState>);

impl Searching {
    /// A search begins.
    pub fn begin(state: &Arc<SearchState>) -> Searching {
        *state.searching.lock() = true;
        Searching(Arc::clone(state))
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        *self.0.searching.lock() = false;
        self.0.changed.notify_all();
    }
}
