//! Files: the limit of open ones, texts, and bytes at a place.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

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
    io::read_to_string(open_regular(Path::new(name))?)
}

/// Opens a regular file to read it. What it is, is asked before, since to open a pipe is to wait for its other end, and again
/// of what was opened: a device may never end.
///
/// # Errors
/// If there is nothing or something else, or it cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    regular(fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(file.metadata()?)?;
    Ok(file)
}

/// Checks that there is a regular file or nothing yet, before it is written.
///
/// # Errors
/// If there is something else.
pub fn check_regular_or_new(path: &Path) -> io::Result<()> {
    fs::metadata(path).map_or(Ok(()), regular)
}

fn regular(metadata: Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// A path with a suffix at its end, the name of a file that belongs to it: `a.data` and `.part` make `a.data.part`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Fills `buffer` with the bytes of a file from `place` on. Threads may read and write at the same time.
///
/// # Errors
/// If it cannot be read or ends before.
pub fn read_exact_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, buffer, place);
    #[cfg(windows)]
    {
        let mut read = 0;
        while read < buffer.len() {
            match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[read..], place + read as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                bytes => read += bytes,
            }
        }
        Ok(())
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, buffer, place);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Writes `bytes` to a file from `place` on.
///
/// # Errors
/// If the system takes not all of them, as on a full disk.
pub fn write_all_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, place);
    #[cfg(windows)]
    {
        let mut written = 0;
        while written < bytes.len() {
            match std::os::windows::fs::FileExt::seek_write(file, &bytes[written..], place + written as u64)?
            {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => written += count,
            }
        }
        Ok(())
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, bytes, place);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The lines of a text with something in them and their numbers, from 1. A byte order mark, blanks at the ends, and comments,
/// which begin with `#`, are left out.
pub fn filled_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    (1..).zip(lines).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
