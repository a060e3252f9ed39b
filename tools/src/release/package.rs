//! The files beside the programs of a release.

use super::targets::output;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::Path;
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
    /// Its file.
    pub file: String,
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

/// Writes everything but the programs.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(root: &Path, folder: &Path, programs: &[Program]) -> Result<()> {
    for name in COPIED {
        fs::copy(root.join(name), folder.join(name)).context(name)?;
    }
    let source = archive(root, folder);
    fs::write(folder.join("README.md"), readme(programs, source.as_deref())).context("README.md")?;
    let files = COPIED.into_iter().chain(["README.md"]).chain(source.as_deref());
    let mut sums = String::new();
    for name in programs.iter().map(|program| program.file.as_str()).chain(files) {
        let bytes = fs::read(folder.join(name)).with_context(|| name.to_owned())?;
        let _ = writeln!(sums, "{}  {name}", sum(&bytes));
    }
    fs::write(folder.join(SUMS), sums).context(SUMS)
}

/// Packs the source of the commit, which the GPL asks for; says in a line why not if git cannot.
fn archive(root: &Path, folder: &Path) -> Option<String> {
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

/// The text for whoever has downloaded the folder.
fn readme(programs: &[Program], source: Option<&str>) -> String {
    let mut text = format!(
        "# Tamarack {VERSION}\n\nA UCI chess engine. It has no window of its own: add it to a chess program such as Cute Chess, \
         En Croissant, Arena or Banksia\nas a UCI engine, and set `Hash` (memory in MB) and `Threads` (cores of the machine) there.\n\n\
         ## Which file for which processor\n\n| file | for | built and checked |\n| --- | --- | --- |\n"
    );
    for program in programs {
        let _ = writeln!(text, "| `{}` | {} | {} |", program.file, program.users, program.state());
    }
    let source =
        source.map_or("in the repository from which you have this".to_owned(), |name| format!("`{name}`"));
    let _ = write!(
        text,
        "\nAll play the same moves; the more special one is only faster. A program for a newer processor than yours says so and ends.\n\
         Nothing has to be installed, and no file is written unless an option asks for it. On Linux and macOS make the file executable \
         first (`chmod +x`).\n\n`{SUMS}` has the sums of all files: `sha256sum --check {SUMS}`. `FILE bench` searches 50 positions and ends with \
         the number of\nnodes, which is the same for every file. What is new is in `CHANGELOG.md`.\n\n\
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
    fn the_table_says_for_whom_a_program_is_and_how_it_was_checked() {
        let program = |file: &str, runner: Option<&str>| Program {
            file: file.to_owned(),
            users: "old processors",
            profiled: runner.is_some(),
            kernels: vec!["avx2".to_owned(), "portable".to_owned()],
            runner: runner.map(str::to_owned),
        };
        let text = readme(&[program("a.exe", Some("wine")), program("b", None)], Some("s.tar.gz"));
        let row = "| `a.exe` | old processors | profile-guided build, bench as the source's with avx2, portable, under wine |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("plain build, not run") && text.contains("`s.tar.gz`"), "{text}");
    }

    #[test]
    fn a_package_has_licences_and_the_sums_of_its_files() {
        let folder = std::env::temp_dir().join(format!("tamarack-release-{}", std::process::id()));
        let (root, package) = (folder.join("source"), folder.join("package"));
        for path in [&root, &package] {
            fs::create_dir_all(path).unwrap();
        }
        COPIED.iter().for_each(|name| fs::write(root.join(name), name).unwrap());
        write(&root, &package, &[]).unwrap();
        let sums = fs::read_to_string(package.join(SUMS)).unwrap();
        assert!(sums.contains(&format!("{}  LICENSE\n", sum(b"LICENSE"))), "{sums}");
        assert!(
            sums.contains("  README.md\n") && !sums.contains("source.tar.gz"),
            "a folder without git: {sums}"
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
