//! What goes into the archives of a release, and beside them.

use super::archive::{self, ArchiveEntry};
use super::manual;
use super::targets::output;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of the engine and the tools.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The file of the sums.
const SUMS: &str = "SHA256SUMS";

/// Files of the source that go along.
const COPIED: [&str; 4] = ["LICENSE", "THIRD-PARTY.md", "AUTHORS", "CHANGELOG.md"];

/// A program that is built.
#[derive(Debug)]
pub struct Program {
    /// Its platform, as in the name of its archive.
    pub name: &'static str,
    /// The file that was built.
    pub path: PathBuf,
    /// True if it is for Windows.
    pub is_windows: bool,
    /// The users that it is for.
    pub users: &'static str,
    /// True if the build was guided by a profile.
    pub profiled: bool,
    /// The kernels of the evaluation with which its bench was compared.
    pub kernels: Vec<String>,
    /// The program that ran it, an empty text if it ran by itself; `None` if it was only built.
    pub runner: Option<String>,
}

impl Program {
    /// The name of its archive without the extension, and of the folder inside.
    fn stem(&self) -> String {
        format!("tamarack-{VERSION}-{}", self.name)
    }

    /// The name of its archive: a zip for Windows, else a tar.gz.
    fn archive(&self) -> String {
        format!("{}.{}", self.stem(), if self.is_windows { "zip" } else { "tar.gz" })
    }

    /// How it was built and checked, in a line.
    pub fn state(&self) -> String {
        let build = if self.profiled { "profile-guided" } else { "plain" };
        let kernels = self.kernels.join(", ");
        match self.runner.as_deref() {
            None => format!("{build} build, not run"),
            Some("") => format!("{build} build, bench as the source's with {kernels}"),
            Some(runner) => format!("{build} build, bench as the source's with {kernels}, under {runner}"),
        }
    }
}

/// Writes the archives, the source, the table of the archives and the sums into `folder`.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(root: &Path, folder: &Path, programs: &[Program]) -> Result<()> {
    let source = source(root, folder);
    let text = readme(programs, source.as_deref());
    let mut files = Vec::new();
    for program in programs {
        files.push(archive::write(
            folder,
            &program.stem(),
            &contents(root, program, &text)?,
            program.is_windows,
        )?);
    }
    fs::write(folder.join("README.md"), text).context("README.md")?;
    files.push("README.md".to_owned());
    files.extend(source);
    let mut sums = String::new();
    for name in files {
        let bytes = fs::read(folder.join(&name)).with_context(|| name.clone())?;
        let _ = writeln!(sums, "{}  {name}", sum(&bytes));
    }
    fs::write(folder.join(SUMS), sums).context(SUMS)
}

/// What is in the archive of a program: itself, licences, notes, and for shells a manual page and completions.
fn contents(root: &Path, program: &Program, readme: &str) -> Result<Vec<ArchiveEntry>> {
    let file = if program.is_windows { "tamarack.exe" } else { "tamarack" };
    let mut entries =
        vec![ArchiveEntry::read(file, &program.path, true)?, ArchiveEntry::text("README.md", readme)];
    for name in COPIED {
        entries.push(ArchiveEntry::read(name, &root.join(name), false)?);
    }
    entries.extend(manual::entries()?);
    Ok(entries)
}

/// Packs the source of the commit, which the GPL asks for; says in a line why not if git cannot.
fn source(root: &Path, folder: &Path) -> Option<String> {
    let name = format!("tamarack-{VERSION}-source.tar.gz");
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(root).args(arguments));
    let path = folder.join(&name).display().to_string();
    let prefix = format!("--prefix=tamarack-{VERSION}/");
    if let Err(error) = git(&["archive", "--format=tar.gz", &prefix, "--output", &path, "HEAD"]) {
        println!("source: left out, {error:#}");
        return None;
    }
    if git(&["status", "--porcelain", "--untracked-files=no"]).is_ok_and(|changes| !changes.is_empty()) {
        println!("source: of the last commit, but the programs have changes that are not committed");
    }
    Some(name)
}

/// The SHA-256 sum in hexadecimal digits.
fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The text for whoever has downloaded an archive, or looks at the folder.
fn readme(programs: &[Program], source: Option<&str>) -> String {
    let mut text = format!(
        "# Tamarack {VERSION}\n\nA UCI chess engine. It has no window of its own: in a chess program such as Cute Chess, \
         En Croissant, Arena or Banksia choose\n\"add UCI engine\" and the file `tamarack` (`tamarack.exe` on Windows), and set \
         `Hash` (memory in MB) and `Threads` (cores of the machine) there.\n\n\
         ## Which archive for which processor\n\n| archive | for | built and checked |\n| --- | --- | --- |\n"
    );
    for program in programs {
        let _ = writeln!(text, "| `{}` | {} | {} |", program.archive(), program.users, program.state());
    }
    let source =
        source.map_or("in the repository from which you have this".to_owned(), |name| format!("`{name}`"));
    let _ = write!(
        text,
        "\nAll play the same moves; the more special one is only faster. A program for a newer processor than yours says so and ends.\n\
         Nothing has to be installed, and no file is written unless an option asks for it. `tamarack --help` lists what it can do in a \
         terminal;\n`tamarack.1` is its manual page, `completions` has files for bash, fish, PowerShell and zsh.\n\n\
         `{SUMS}`, beside the archives, has their sums: `sha256sum --check {SUMS}`. `tamarack bench` searches 50 positions and ends \
         with\nthe number of nodes, which is the same for every program. What is new is in `CHANGELOG.md`.\n\n\
         ## Licence\n\nGPL-3.0-or-later: `LICENSE`; the crates inside: `THIRD-PARTY.md`; who wrote it: `AUTHORS`. The source is {source}.\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        assert_eq!(sum(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn the_package_of_npm_has_the_same_version() {
        let Some(root) = crate::repository() else { return };
        let package = fs::read_to_string(root.join("web/package/package.json")).unwrap();
        let package: serde_json::Value = serde_json::from_str(&package).unwrap();
        assert_eq!(package["version"], VERSION);
    }

    #[test]
    fn the_table_says_for_whom_a_program_is_and_how_it_was_checked() {
        let program = |name: &'static str, runner: Option<&str>| Program {
            name,
            path: PathBuf::new(),
            is_windows: name.starts_with("windows"),
            users: "old processors",
            profiled: runner.is_some(),
            kernels: vec!["avx2".to_owned(), "portable".to_owned()],
            runner: runner.map(str::to_owned),
        };
        let text = readme(&[program("windows-a", Some("wine")), program("linux-b", None)], Some("s.tar.gz"));
        let row = "-windows-a.zip` | old processors | profile-guided build, bench as the source's with avx2, portable, under wine |";
        assert!(text.contains(row) && text.contains("-linux-b.tar.gz`"), "{text}");
        assert!(text.contains("plain build, not run") && text.contains("`s.tar.gz`"), "{text}");
    }

    #[test]
    fn a_folder_has_archives_with_licences_and_the_sums_of_its_files() {
        let folder = std::env::temp_dir().join(format!("tamarack-release-{}", std::process::id()));
        let (root, package) = (folder.join("source"), folder.join("package"));
        for path in [&root, &package] {
            fs::create_dir_all(path).unwrap();
        }
        COPIED.iter().for_each(|name| fs::write(root.join(name), name).unwrap());
        let path = folder.join("built.exe");
        fs::write(&path, "program").unwrap();
        let program = Program {
            name: "windows-x86-64",
            path,
            is_windows: true,
            users: "everybody",
            profiled: false,
            kernels: Vec::new(),
            runner: None,
        };
        write(&root, &package, std::slice::from_ref(&program)).unwrap();
        let sums = fs::read_to_string(package.join(SUMS)).unwrap();
        let zip = fs::read(package.join(program.archive())).unwrap();
        assert!(sums.contains(&format!("{}  {}\n", sum(&zip), program.archive())), "{sums}");
        assert!(sums.contains("  README.md\n") && !sums.contains("source"), "a folder without git: {sums}");
        let archive = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
        let names: Vec<_> = archive.file_names().map(Result::unwrap).collect();
        for name in ["tamarack.exe", "README.md", "LICENSE", "THIRD-PARTY.md", "AUTHORS", "tamarack.1"] {
            let path = format!("{}/{name}", program.stem());
            assert!(names.iter().any(|found| *found == path), "{name}: {names:?}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
