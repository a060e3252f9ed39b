//! The length of a thread's time slice on a processor that it shares with others.

/// Nanoseconds of the shortest slice that Linux grants.
#[cfg(all(target_os = "linux", not(miri)))]
const MIN_SLICE: u64 = 100_000;

/// Asks the system for short time slices of the calling thread, which then come early: where there are more threads than processors, a
/// thread that mostly waits (for input, for a command) is scheduled before those that search, instead of after a slice of each.
/// Its share of the processor stays the same, and threads that it starts have ordinary slices. Linux from 6.12 on (the
/// slices of EEVDF); without effect elsewhere.
pub fn request_short_timeslice() {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        const SIZE: u32 = size_of::<libc::sched_attr>() as u32;
        const RESET_ON_FORK: u64 = 1;
        // SAFETY: all fields are numbers, for which zero is a value.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        // SAFETY: the call writes at most SIZE bytes to the structure, which is as large. Thread 0 is the calling one.
        let read = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &mut attributes, SIZE, 0) };
        // Where the user has asked for something special it stays; started threads would lose a negative nice value.
        let is_ordinary = attributes.sched_policy == libc::SCHED_OTHER as u32 && attributes.sched_nice >= 0;
        if read != 0 || !is_ordinary {
            return;
        }
        attributes.size = SIZE;
        attributes.sched_flags |= RESET_ON_FORK;
        attributes.sched_runtime = MIN_SLICE;
        // SAFETY: the call only reads the structure, which says its own size.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &attributes, 0) };
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn nice_values_stay_and_started_threads_are_ordinary() {
        // SAFETY: the call takes and returns numbers.
        let nice = || unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        let flags = || {
            // SAFETY: as in `request_short_timeslice`.
            unsafe {
                let mut attributes: libc::sched_attr = std::mem::zeroed();
                let size = size_of::<libc::sched_attr>() as u32;
                libc::syscall(libc::SYS_sched_getattr, 0, &mut attributes, size, 0);
                attributes.sched_flags
            }
        };
        let before = nice();
        request_short_timeslice();
        assert_eq!(nice(), before);
        assert_eq!(std::thread::spawn(flags).join().unwrap(), 0);
    }
}
