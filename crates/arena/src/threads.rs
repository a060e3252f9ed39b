//! Threads of the tools: where the system gives none that is an error, at which the standard library's functions panic.

use anyhow::{Context, Result, anyhow};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, available_parallelism};

const REFUSED: &str = "the system gives no thread";

/// As many as wanted, at least one; without a wish one for each processor.
pub fn count(wanted: Option<usize>) -> usize {
    wanted.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)).max(1)
}

/// Starts a thread.
///
/// # Errors
/// If the system has none.
pub fn spawn<T: Send + 'static>(main: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>> {
    Builder::new().spawn(main).context(REFUSED)
}

/// Starts a thread of a scope.
///
/// # Errors
/// If the system has none.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    main: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, main).context(REFUSED)
}

/// Starts a thread of a scope for each worker, fewer where the system gives fewer, which is said on standard error.
///
/// # Errors
/// If it gives none.
pub fn spawn_workers<'scope, T: Send + 'scope, Worker: FnOnce() -> T + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    workers: impl IntoIterator<Item = Worker>,
) -> Result<Vec<ScopedJoinHandle<'scope, T>>> {
    let mut threads = Vec::new();
    for worker in workers {
        match spawn_scoped(scope, worker) {
            Ok(thread) => threads.push(thread),
            Err(error) if threads.is_empty() => return Err(error),
            Err(error) => {
                eprintln!("{error:#}: going on with {}", threads.len());
                break;
            }
        }
    }
    Ok(threads)
}

/// Waits for the end of a thread.
///
/// # Errors
/// If it panicked.
pub fn join<T>(thread: ScopedJoinHandle<'_, T>) -> Result<T> {
    thread.join().map_err(|_| anyhow!("a thread has died"))
}
