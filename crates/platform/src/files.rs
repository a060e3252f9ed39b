//! Files: the limit of open ones, texts, and bytes at a place.

use std::ffi::OsStr;
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
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    io::read_to_string(open_regular(path.as_ref())?)
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

/// A path as users write it, without the quotes around it if it has some, else without blanks at its ends.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let inside =
        |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|text| !text.contains(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// A path with a suffix at its end, the name of a file that belongs to it: `a.data` and `.part` make `a.data.part`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The file that this process writes before it is put at `path`: `NAME.PID.part` beside it.
pub fn part_of(path: &Path) -> PathBuf {
    with_suffix(path, &format!(".{}.part", std::process::id()))
}

/// Locks a file for as long as it is open, so that [`remove_abandoned_parts`] of other processes leaves it. Where the file system
/// has no locks it stays without.
pub fn lock_part(file: &File) {
    let _ = file.try_lock();
}

/// Removes what killed processes have left of `path`: files `NAME.PID.part` beside it that nobody holds locked, of no process that is
/// there. The numbers alone would not do, since containers and machines that share a folder have their own.
pub fn remove_abandoned_parts(path: &Path) {
    let (Some(name), Some(folder)) = (path.file_name(), path.parent()) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())) {
        let writer = writer_of_part(name, &entry.file_name());
        if writer.is_some_and(|writer| !is_running(writer)) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that wrote `file`, if it is a part of a file of this name.
fn writer_of_part(name: &OsStr, file: &OsStr) -> Option<u32> {
    let rest = file.as_encoded_bytes().strip_prefix(name.as_encoded_bytes())?;
    let digits = std::str::from_utf8(rest.strip_prefix(b".")?.strip_suffix(b".part")?).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// False if there is no process of this number; where that is not known, the lock of its file has to do.
fn is_running(process: u32) -> bool {
    #[cfg(all(unix, not(miri)))]
    {
        let Some(process) = i32::try_from(process).ok().filter(|&process| process > 0) else { return true };
        // SAFETY: signal 0 is not delivered; the call only asks whether the process is there.
        let sent = unsafe { libc::kill(process, 0) } == 0;
        sent || io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
    }
    #[cfg(not(all(unix, not(miri))))]
    {
        process == std::process::id()
    }
}

/// True if no process holds the file locked.
fn is_unlocked(path: &Path) -> bool {
    File::options().write(true).open(path).is_ok_and(|file| file.try_lock().is_ok())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_dead_processes_are_removed_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("tamarack-parts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("my table.hash");
        let beside = |end: &str| with_suffix(&path, end);
        // No system numbers its processes so far.
        let (dead, locked) = (beside(".2000000001.part"), beside(".2000000002.part"));
        let others = [
            part_of(&path),
            locked.clone(),
            beside(".2000000001.part.old"),
            beside(".20000x.part"),
            beside("..part"),
            beside(".+2000000001.part"),
            beside(".99999999999999999999.part"),
            beside(".4294967295.part"),
            beside(".0.part"),
            folder.join("my table.2000000001.part"),
            folder.join("a my table.hash.2000000001.part"),
        ];
        [&dead].into_iter().chain(&others).for_each(|file| fs::write(file, "part").unwrap());
        let writing = File::options().write(true).open(&locked).unwrap();
        lock_part(&writing);
        remove_abandoned_parts(&path);
        assert!(!dead.exists());
        assert!(others.iter().all(|file| file.exists()), "{others:?}");
        drop(writing);
        remove_abandoned_parts(&path);
        assert!(!locked.exists() && part_of(&path).exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_path_keeps_what_stands_in_quotes_and_any_other_space() {
        for (text, path) in [
            (" /a b/c\r\n", "/a b/c"),
            ("\" a  \t\"", " a  \t"),
            ("'it\"s'", "it\"s"),
            ("\u{3000}a\u{a0}", "\u{3000}a\u{a0}"),
            ("\"a\" \"b\"", "\"a\" \"b\""),
            ("\"", "\""),
            ("''", ""),
        ] {
            assert_eq!(unquoted(text), path, "{text:?}");
        }
    }
}
