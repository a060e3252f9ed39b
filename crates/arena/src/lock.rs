//! Files that one run at a time may write, by a lock of the system that ends with the process.

use std::fs::{File, TryLockError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A program that is being started holds copies of all open files of its parent, locks included, until it runs; so does a
/// run that has just been killed. So long a lock is tried.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks a file as [`File::try_lock`] does, but [`TryLockError::WouldBlock`] only if another run holds it for two seconds.
///
/// # Errors
/// Those of [`File::try_lock`], at once.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => sleep(Duration::from_millis(10)),
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env::temp_dir;
    use std::fs::remove_file;
    use std::thread::scope;

    #[test]
    fn a_lock_is_waited_for() {
        let path = temp_dir().join(format!("tamarack-lock-{}", std::process::id()));
        let (first, second) = (File::create(&path).unwrap(), File::open(&path).unwrap());
        lock(&first).unwrap();
        assert!(matches!(lock(&second), Err(TryLockError::WouldBlock)));
        scope(|scope| {
            let waiting = scope.spawn(|| lock(&second));
            sleep(Duration::from_millis(50));
            drop(first);
            waiting.join().unwrap().unwrap();
        });
        remove_file(path).unwrap();
    }
}
