//! Programs under limits of the system, for tests: address space and processes.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The program in an address space of so many kilobytes; arguments are still to be added.
pub fn within_memory(kilobytes: u32, program: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""), program]);
    command
}

/// The program as a user of its own that may have so many processes, threads among them; arguments are still to be added.
/// `None` where such a user cannot be had, without root or util-linux, or where the system does not enforce the limit.
pub fn within_processes(count: u32, program: &str) -> Option<Command> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    static CAN_LIMIT: OnceLock<bool> = OnceLock::new();
    let user = 100_000 + std::process::id() % 10_000 * 1_000 + RUNS.fetch_add(1, Ordering::Relaxed) % 1_000;
    let limited = |count: u32, program: &str| {
        let mut command = Command::new("setpriv");
        command.args([&format!("--reuid={user}"), &format!("--regid={user}"), "--clear-groups", "prlimit"]);
        command.args([&format!("--nproc={count}"), program]);
        command
    };
    let ends_well = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    // Asked of the first program only: those of one test lie in one folder.
    let can_limit = *CAN_LIMIT.get_or_init(|| {
        let runs = ends_well(limited(1, program).arg("--help"));
        runs && !ends_well(limited(1, "sh").args(["-c", ": & wait"]))
    });
    can_limit.then(|| limited(count, program))
}
