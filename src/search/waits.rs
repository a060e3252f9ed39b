//! Waits that end after some time. In WebAssembly, where the standard library has no clock, they look again and again.

use crossbeam::channel::Receiver;
#[cfg(target_family = "wasm")]
use crossbeam::channel::TryRecvError;
use parking_lot::{Condvar, MutexGuard};
use platform::clock::Instant;
#[cfg(target_family = "wasm")]
use platform::clock::sleep;
use std::time::Duration;

/// The interval between looks.
#[cfg(target_family = "wasm")]
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Waits for a change, but no longer than `time`. May return early.
#[cfg(not(target_family = "wasm"))]
pub fn wait_for<T>(changed: &Condvar, guard: &mut MutexGuard<'_, T>, time: Duration) {
    changed.wait_for(guard, time);
}

#[cfg(target_family = "wasm")]
#[inline(always)]
pub fn wait_for<T>(_changed: &Condvar, guard: &mut MutexGuard<'_, T>, time: Duration) {
    MutexGuard::unlocked(guard, || sleep(time.min(LOOK_EVERY)));
}

/// The next message; `None` if none has come by `deadline`, or none can come.
#[cfg(not(target_family = "wasm"))]
pub fn receive_by<T>(messages: &Receiver<T>, deadline: Instant) -> Option<T> {
    messages.recv_deadline(deadline).ok()
}

#[cfg(target_family = "wasm")]
#[inline(always)]
pub fn receive_by<T>(messages: &Receiver<T>, deadline: Instant) -> Option<T> {
    loop {
        match messages.try_recv() {
            Err(TryRecvError::Empty) if Instant::now() < deadline => sleep(LOOK_EVERY),
            received => return received.ok(),
        }
    }
}
