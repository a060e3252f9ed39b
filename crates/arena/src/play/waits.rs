//! The time for which the threads of an engine wait for a processor, as far as the system tells (Linux): what a busy machine
//! takes from a clock is no fault of the engine.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// The waits of each thread of a process since it began; of none where the system does not tell.
#[derive(Debug, Default)]
pub struct Waits(HashMap<String, Duration>);

impl Waits {
    /// The waits of a process so far.
    pub fn of(process: u32) -> Self {
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Self::default() };
        let wait = |thread: fs::DirEntry| {
            // Nanoseconds on a processor, nanoseconds waiting for one, number of turns.
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let waited = text.split_whitespace().nth(1)?.parse().ok()?;
            Some((thread.file_name().into_string().ok()?, Duration::from_nanos(waited)))
        };
        Self(threads.flatten().filter_map(wait).collect())
    }

    /// The longest wait of a thread since `before`, `None` if nobody knows.
    pub fn longest_since(&self, before: &Self) -> Option<Duration> {
        let earlier = |thread| before.0.get(thread).copied().unwrap_or_default();
        self.0.iter().map(|(thread, &now)| now.saturating_sub(earlier(thread))).max()
    }
}

/// The threads of a process, a line each: name, state and times. `None` where the system does not tell.
pub fn threads(process: u32) -> Option<Vec<String>> {
    let line = |thread: fs::DirEntry| {
        let status = fs::read_to_string(thread.path().join("status")).ok()?;
        let value = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("").trim();
        let times = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let mut times = times.split_whitespace().map(|time| time.parse().unwrap_or(0.0) / 1e9);
        let (ran, waited) = (times.next().unwrap_or(0.0), times.next().unwrap_or(0.0));
        let (name, state) = (value("Name:"), value("State:"));
        Some(format!("thread {name}: {state}, {ran:.3} s on a processor, {waited:.3} s waiting for one"))
    };
    Some(fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten().filter_map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_of_the_slowest_thread_counts_from_the_first_look_on() {
        let waits = |list: &[(&str, u64)]| {
            Waits(list.iter().map(|&(name, ms)| (name.to_owned(), Duration::from_millis(ms))).collect())
        };
        let (before, after) = (waits(&[("1", 50), ("2", 7)]), waits(&[("1", 51), ("2", 19), ("3", 4)]));
        assert_eq!(after.longest_since(&before), Some(Duration::from_millis(12)));
        assert_eq!(Waits::default().longest_since(&before), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_of_this_process() {
        assert!(Waits::of(std::process::id()).longest_since(&Waits::default()).is_some());
        assert!(threads(std::process::id()).unwrap().iter().any(|thread| thread.contains("R (running)")));
        assert!(Waits::of(0).longest_since(&Waits::default()).is_none());
    }
}
