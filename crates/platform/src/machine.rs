//! The machine: its name, memory and processors, and Ctrl-C.

use super::affinity;
use super::topology::SystemInfo;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The machine that the program runs on.
pub struct ThisMachine;

impl SystemInfo for ThisMachine {
    fn file(&self, path: &str) -> Option<String> {
        if cfg!(miri) { None } else { std::fs::read_to_string(path).ok() }
    }

    fn allowed(&self) -> Option<Vec<usize>> {
        affinity::allowed()
    }

    fn nodes(&self) -> Option<Vec<Vec<usize>>> {
        affinity::nodes()
    }

    fn count(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// The processor's name as its maker wrote it.
pub fn processor_name() -> String {
    let name = brand();
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.is_empty() { std::env::consts::ARCH.to_string() } else { words.join(" ") }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn brand() -> String {
    use std::arch::x86_64::__cpuid;
    if __cpuid(0x8000_0000).eax < 0x8000_0004 {
        return String::new();
    }
    let leaves = (0x8000_0002..=0x8000_0004).map(__cpuid);
    let bytes: Vec<u8> = leaves
        .flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx])
        .flat_map(u32::to_le_bytes)
        .take_while(|&byte| byte != 0)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn brand() -> String {
    let text = ThisMachine.file("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name") || line.starts_with("Model"));
    line.and_then(|line| line.split_once(':')).map_or(String::new(), |(_, name)| name.to_string())
}

/// Mebibytes of memory that programs can still take; `None` if the system does not say.
pub fn available_mebibytes() -> Option<usize> {
    let text = ThisMachine.file("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<usize>().ok()? / 1024)
}

/// The folder of Linux's control groups (version 2).
const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

/// Mebibytes that the control groups of this process may use, as containers limit it; `None` if there is no limit.
pub fn memory_limit_mebibytes(system: &dyn SystemInfo) -> Option<usize> {
    let groups = system.file("/proc/self/cgroup")?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let limit = |folder: &Path| {
        let file = format!("{CONTROL_GROUPS}{}/memory.max", folder.to_str()?.trim_end_matches('/'));
        // `max` is no limit.
        system.file(&file)?.trim().parse::<usize>().ok()
    };
    Path::new(group).ancestors().filter_map(limit).min().map(|bytes| bytes >> 20)
}

/// Kilobytes of this process's memory: on huge pages, and in all; `None` if the system does not say.
pub fn memory_on_huge_pages() -> Option<(usize, usize)> {
    let text = ThisMachine.file("/proc/self/smaps_rollup")?;
    let of = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches(" kB").parse::<usize>().ok()
    };
    Some((of("AnonHugePages:")?, of("Anonymous:")?))
}

/// True once Ctrl-C has been pressed while an [`Interrupt`] was there.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// As long as this lives, the first Ctrl-C is noted and the second ends the program; where the system is not a Unix, so does
/// the first.
pub struct Interrupt {
    before: signal::Handler,
}

impl Interrupt {
    /// Begins to note Ctrl-C.
    pub fn listen() -> Interrupt {
        INTERRUPTED.store(false, Ordering::Relaxed);
        Interrupt { before: signal::listen() }
    }

    /// True once it has been pressed.
    pub fn is_pressed(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        signal::set(self.before);
    }
}

#[cfg(all(unix, not(miri)))]
mod signal {
    use super::{INTERRUPTED, Ordering};

    pub(super) type Handler = libc::sighandler_t;

    extern "C" fn note(_signal: libc::c_int) {
        INTERRUPTED.store(true, Ordering::Relaxed);
        set(libc::SIG_DFL);
    }

    /// Notes the next Ctrl-C; returns what was done before.
    pub(super) fn listen() -> Handler {
        set(note as extern "C" fn(libc::c_int) as Handler)
    }

    pub(super) fn set(handler: Handler) -> Handler {
        // SAFETY: the handler is `note` or one that the system has told; `note` stores to an atomic and calls `signal`, both of
        // which may be done in a handler.
        unsafe { libc::signal(libc::SIGINT, handler) }
    }
}

#[cfg(not(all(unix, not(miri))))]
mod signal {
    #[derive(Clone, Copy)]
    pub(super) struct Handler;

    pub(super) fn listen() -> Handler {
        Handler
    }

    pub(super) fn set(_handler: Handler) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Topology;

    #[test]
    fn the_least_limit_of_the_control_groups_counts() {
        struct Container(&'static str);
        impl SystemInfo for Container {
            fn file(&self, path: &str) -> Option<String> {
                let text = match path {
                    "/proc/self/cgroup" => self.0,
                    "/sys/fs/cgroup/pod/memory.max" => "536870912\n",
                    "/sys/fs/cgroup/pod/engine/memory.max" => "max\n",
                    "/sys/fs/cgroup/memory.max" => "8589934592\n",
                    _ => return None,
                };
                Some(text.to_string())
            }

            fn allowed(&self) -> Option<Vec<usize>> {
                None
            }

            fn count(&self) -> usize {
                1
            }
        }
        assert_eq!(memory_limit_mebibytes(&Container("1:cpu:/x\n0::/pod/engine\n")), Some(512));
        assert_eq!(memory_limit_mebibytes(&Container("0::/\n")), Some(8192));
        assert_eq!(memory_limit_mebibytes(&Container("0::/../other\n")), Some(8192));
        assert_eq!(memory_limit_mebibytes(&Container("1:cpu:/x\n")), None);
    }

    #[test]
    fn this_machine_is_known() {
        let topology = Topology::read(&ThisMachine, true);
        assert!(topology.processors() >= topology.cores && topology.cores >= 1);
        assert!(!processor_name().is_empty());
    }
}
