//! Memory, threads and descriptors of a process, from /proc. Elsewhere than on Linux there is nothing to compare.

use std::fs;

/// The maximum growth of a process in KiB of memory between two checkpoints: the allocator keeps that of ended threads
/// for later ones, up to 67 MiB in forty searches with 17 threads, then no more.
const SLACK_KIB: u64 = 96 << 10;

/// The resources of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Memory that belongs to it alone, in KiB.
    pub memory_kib: u64,
    /// Threads.
    pub threads: u64,
    /// Open files.
    pub descriptors: u64,
}

impl Resources {
    /// Those of a running process; `None` where the system does not tell.
    pub fn of(process: u32) -> Option<Resources> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let field = |name: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim_start_matches(':').split_whitespace().next()?.parse().ok()
        };
        let descriptors = fs::read_dir(format!("/proc/{process}/fd")).ok()?.count() as u64;
        let memory_kib = field("RssAnon")? + field("RssShmem")?;
        Some(Resources { memory_kib, threads: field("Threads")?, descriptors })
    }

    /// The growth since `before` as text; `None` within the slack.
    pub fn growth(&self, before: &Resources) -> Option<String> {
        let grown = |what: &str, now: u64, before: u64, slack: u64| {
            (now > before + slack).then(|| format!("{what} grew from {before} to {now}"))
        };
        grown("threads", self.threads, before.threads, 0)
            .or_else(|| grown("descriptors", self.descriptors, before.descriptors, 0))
            .or_else(|| grown("KiB of memory", self.memory_kib, before.memory_kib, SLACK_KIB))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_beyond_the_slack() {
        let before = Resources { memory_kib: 20_000, threads: 5, descriptors: 4 };
        assert_eq!(before.growth(&before), None);
        assert_eq!(Resources { memory_kib: 100_000, threads: 1, ..before }.growth(&before), None);
        let growth = |now: Resources| now.growth(&before).unwrap();
        assert_eq!(growth(Resources { threads: 6, ..before }), "threads grew from 5 to 6");
        assert_eq!(growth(Resources { descriptors: 5, ..before }), "descriptors grew from 4 to 5");
        assert!(growth(Resources { memory_kib: 120_000, ..before }).starts_with("KiB of memory"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_has_memory_threads_and_descriptors() {
        let own = Resources::of(std::process::id()).unwrap();
        assert!(own.memory_kib > 0 && own.threads > 0 && own.descriptors > 0);
    }
}
