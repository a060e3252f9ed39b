//! Files: the limit of open ones, and texts.

use std::{fs, io};

/// Raises the soft limit of open files to the hard limit. Each tablebase file in use stays open, a full set of six pieces has
/// more than seven hundred, and many systems begin with a soft limit of 1024 or 256. Where it cannot be raised, it stays.
pub fn raise_open_file_limit() {
    #[cfg(all(unix, not(miri)))]
    {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call writes to the structure it is given, which is of the type that it expects.
        if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) } != 0 {
            return;
        }
        limit.rlim_cur = limit.rlim_max;
        // macOS names no hard limit but refuses more than OPEN_MAX.
        if cfg!(target_os = "macos") {
            limit.rlim_cur = limit.rlim_cur.min(10_240);
        }
        // SAFETY: the call only reads the structure.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) };
    }
}

/// Has a write beyond the limit of a file's size fail, as on a full disk, where the system would end the program.
pub fn outlive_file_size_limit() {
    #[cfg(all(unix, not(miri)))]
    // SAFETY: ignoring a signal runs no code.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// The text of a regular file.
///
/// # Errors
/// If it cannot be read, is not UTF-8, or is not a regular file: a pipe would be waited for.
pub fn read_text(name: &str) -> io::Result<String> {
    match fs::metadata(name)?.is_file() {
        true => fs::read_to_string(name),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// The lines of a text with something in them and their numbers, from 1. A byte order mark, blanks at the ends, and comments,
/// which begin with `#`, are left out.
pub fn filled_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    (1..).zip(lines).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
