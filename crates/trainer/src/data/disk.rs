//! The files of games on the disk: their size, their players, and how long there is room for more.

use super::file::part_path;
use crate::datagen::DatagenState;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file whose last write is no longer ago than this is taken to be in work.
const RECENT: Duration = Duration::from_secs(600);

/// What the disk tells of files of games.
#[derive(Default, Debug)]
pub struct Disk {
    /// Bytes of the files and of the games that wait beside them.
    bytes: u64,
    /// Files by player, as `NAME.json` has it.
    players: BTreeMap<String, usize>,
    /// Bytes a second of the files that are being written.
    pace: f64,
    /// Bytes that are free.
    free: Option<u64>,
}

impl Disk {
    /// What the disk tells of these files.
    ///
    /// # Errors
    /// If a file or its `NAME.json` cannot be read.
    pub fn of(files: &[PathBuf]) -> anyhow::Result<Disk> {
        let mut disk = Disk::default();
        for path in files {
            let about = std::fs::metadata(path)?;
            let part = std::fs::metadata(part_path(path)).ok();
            let bytes = about.len() + part.as_ref().map_or(0, std::fs::Metadata::len);
            let state = DatagenState::read(path)?.unwrap_or_default();
            let modified = part.iter().chain([&about]).filter_map(|file| file.modified().ok()).max();
            let is_recent = modified.is_some_and(|at| at.elapsed().is_ok_and(|age| age < RECENT));
            disk.add(bytes, &state.players, state.seconds, is_recent);
            disk.free = free_bytes(path);
        }
        Ok(disk)
    }

    /// Adds a file that took `seconds` to play.
    fn add(&mut self, bytes: u64, players: &[String], seconds: f64, is_recent: bool) {
        self.bytes += bytes;
        let player = if players.is_empty() { "not recorded".into() } else { players.join(", ") };
        *self.players.entry(player).or_default() += 1;
        if is_recent && seconds > 0.0 {
            self.pace += bytes as f64 / seconds;
        }
    }
}

impl fmt::Display for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = self.players.iter().map(|(player, files)| format!("{player} ({files} files)"));
        writeln!(f, "players: {}", players.collect::<Vec<_>>().join("; "))?;
        write!(f, "disk: {:.3} GB", self.bytes as f64 / 1e9)?;
        if let Some(free) = self.free {
            write!(f, ", {:.1} GB free", free as f64 / 1e9)?;
            if self.pace > 0.0 {
                let days = free as f64 / self.pace / 86_400.0;
                write!(f, ", which last {days:.0} days at {:.2} GB a day", self.pace * 86_400.0 / 1e9)?;
            }
        }
        Ok(())
    }
}

/// The bytes that are free where a file lies or is to lie; `None` where the system does not tell.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    free_in(folder.unwrap_or(Path::new(".")))
}

#[cfg(unix)]
fn free_in(folder: &Path) -> Option<u64> {
    rustix::fs::statvfs(folder).ok().map(|stat| stat.f_bavail * stat.f_frsize)
}

#[cfg(not(unix))]
fn free_in(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_lasts_as_long_as_the_files_that_are_written_let_it() {
        let mut disk = Disk { free: Some(40_000_000_000), ..Disk::default() };
        let [old, new] = ["gen22", "gen23"].map(|name| [name.to_owned()]);
        disk.add(1_000_000_000, &[], 0.0, false);
        disk.add(1_500_000_000, &old, 86_400.0, true);
        disk.add(500_000_000, &old, 86_400.0, true);
        disk.add(500_000_000, &new, 1.0, false);
        let text = disk.to_string();
        for part in [
            "gen22 (2 files); gen23 (1 files); not recorded (1 files)",
            "3.500 GB, 40.0 GB free, which last 20 days at 2.00 GB a day",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
