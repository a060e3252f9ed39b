//! The programs of a release: platforms and processors, and what is needed to build and to run them here.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A program of the release.
#[derive(Debug)]
pub struct Build {
    /// Its name behind that of the version.
    pub name: &'static str,
    /// The processors, as `-C target-cpu` takes them. The kernels of the evaluation are chosen at start in every build.
    pub cpu: &'static str,
    /// The users that it is for.
    pub users: &'static str,
    /// The platforms that it can be built for, best first.
    targets: &'static [&'static str],
    /// Programs that run it on another platform.
    runners: &'static [&'static str],
}

const LINUX: &[&str] = &["x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl"];
const WINDOWS: &[&str] = &["x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc"];
const WINDOWS_ARM: &[&str] = &["aarch64-pc-windows-gnullvm", "aarch64-pc-windows-msvc"];
const V3: &str = "x86-64-v3";
const V3_USERS: &str =
    "with AVX2 and BMI2: Intel since Haswell (2013), AMD since Excavator (2015) and all Ryzen";
const V1_USERS: &str = "any 64-bit Intel or AMD processor; the right one if the other does not start";

/// All programs, in the order of the package's table.
pub const BUILDS: [Build; 8] = [
    Build { name: "windows-x86-64-v3", cpu: V3, users: V3_USERS, targets: WINDOWS, runners: &["wine"] },
    Build { name: "windows-x86-64", cpu: "x86-64", users: V1_USERS, targets: WINDOWS, runners: &["wine"] },
    Build {
        name: "windows-aarch64",
        cpu: "generic",
        users: "Windows 11 on a 64-bit ARM processor",
        targets: WINDOWS_ARM,
        runners: &[],
    },
    Build { name: "linux-x86-64-v3", cpu: V3, users: V3_USERS, targets: LINUX, runners: &["qemu-x86_64"] },
    Build { name: "linux-x86-64", cpu: "x86-64", users: V1_USERS, targets: LINUX, runners: &["qemu-x86_64"] },
    Build {
        name: "linux-aarch64",
        cpu: "generic",
        users: "any 64-bit ARM processor, such as Raspberry Pi 3 to 5 with a 64-bit system",
        targets: &["aarch64-unknown-linux-gnu"],
        runners: &["qemu-aarch64", "qemu-aarch64-static"],
    },
    Build {
        name: "macos-aarch64",
        cpu: "apple-m1",
        users: "Macs with a processor of Apple",
        targets: &["aarch64-apple-darwin"],
        runners: &[],
    },
    Build {
        name: "macos-x86-64",
        cpu: "x86-64",
        users: "Macs with a processor of Intel",
        targets: &["x86_64-apple-darwin"],
        runners: &[],
    },
];

/// The compiler of this machine.
#[derive(Debug)]
pub struct Toolchain {
    /// The platform of this machine, as a target triple.
    pub host: String,
}

impl Toolchain {
    /// Asks rustc.
    ///
    /// # Errors
    /// If there is no rustc.
    pub fn find() -> Result<Self> {
        let text = output(Command::new("rustc").arg("-vV"))?;
        let host =
            text.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
        Ok(Self { host: host.to_owned() })
    }

    /// The first platform of a program whose standard library is installed.
    pub fn target(&self, build: &Build) -> Option<&'static str> {
        build.targets.iter().copied().find(|target| has_standard_library(target))
    }

    /// The command of a program for `target`: itself, or under a runner; `None` if it cannot be run here.
    pub fn runner(&self, build: &Build, target: &str) -> Option<Option<PathBuf>> {
        if is_native(target, &self.host) {
            return Some(None);
        }
        build.runners.iter().find_map(|name| in_path(name)).map(Some)
    }
}

impl Build {
    /// The sentence about a missing standard library.
    pub fn missing(&self) -> String {
        let target = self.targets[0];
        format!("left out, the standard library of {target} is not installed (rustup target add {target})")
    }
}

/// The variable of cargo that names a linker, and the linker, where the default of the target does not fit.
pub fn linker(target: &str, host: &str) -> Option<(&'static str, &'static str)> {
    const VARIABLE: &str = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER";
    let foreign = target == "aarch64-unknown-linux-gnu" && !is_native(target, host);
    (foreign && env::var_os(VARIABLE).is_none()).then_some((VARIABLE, "aarch64-linux-gnu-gcc"))
}

/// The standard output of a command that succeeds.
pub fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name}: {}: {}", output.status, errors.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn has_standard_library(target: &str) -> bool {
    let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
    let files = folder.ok().and_then(|folder| fs::read_dir(folder.trim()).ok());
    files.is_some_and(|files| {
        files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

/// True if both have the same processor and system.
fn is_native(target: &str, host: &str) -> bool {
    let system = |triple: &str| ["linux", "windows", "apple"].into_iter().find(|name| triple.contains(name));
    target.split('-').next() == host.split('-').next() && system(target) == system(host)
}

fn in_path(name: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    let file = |folder: PathBuf| folder.join(name);
    env::split_paths(&paths).map(file).find(|path| Path::is_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_same_processor_and_system_are_native() {
        let host = "x86_64-unknown-linux-gnu";
        assert!(is_native("x86_64-unknown-linux-musl", host));
        assert!(!is_native("aarch64-unknown-linux-gnu", host) && !is_native("x86_64-pc-windows-gnu", host));
        assert!(is_native("aarch64-apple-darwin", "aarch64-apple-darwin"));
        assert!(!is_native("aarch64-apple-darwin", "aarch64-unknown-linux-gnu"));
    }

    #[test]
    fn the_names_of_the_programs_are_different() {
        let mut names: Vec<_> = BUILDS.iter().map(|build| build.name).collect();
        names.dedup();
        assert_eq!(names.len(), BUILDS.len());
        assert!(BUILDS[0].missing().contains("rustup target add x86_64-pc-windows-gnu"));
    }
}
