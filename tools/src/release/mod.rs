//! The folder of a release: an archive for each platform, whose program is checked by `bench` where it can be run, with licences,
//! a manual page and completions; a table of the archives, the source and SHA-256 sums.
//!
//! - `targets`: the programs and what is needed to build and run them; `notices`: the licences of the crates; `manual`: the manual
//!   page and completions; `archive`: zip and tar.gz; `package`: what goes into the archives and beside them; this file builds.

mod archive;
mod manual;
mod notices;
mod package;
mod targets;

use anyhow::{Context, Result, bail, ensure};
use arena::progress;
use clap::Args;
use package::{Program, VERSION};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use targets::{BUILDS, Build, Toolchain, output};

/// Arguments of `release`.
#[derive(Args, Clone, Debug)]
pub struct ReleaseArguments {
    /// Folder to make; target/tamarack-VERSION unless given
    #[arg(long)]
    output: Option<PathBuf>,
    /// Only these programs, e.g. linux-x86-64-v3,windows-x86-64
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Only write THIRD-PARTY.md anew, after a change of crates
    #[arg(long)]
    notices: bool,
    /// The engine's sources
    #[arg(long, default_value = ".")]
    sources: PathBuf,
}

/// The job `release`.
///
/// # Errors
/// If no program can be built, one counts other nodes than bench.txt says, or a file cannot be written.
pub fn run(arguments: &ReleaseArguments) -> Result<()> {
    if arguments.notices {
        return notices::write(&arguments.sources);
    }
    for name in &arguments.only {
        ensure!(BUILDS.iter().any(|build| build.name == name), "there is no program {name:?}");
    }
    let root = arguments.sources.canonicalize().with_context(|| arguments.sources.display().to_string())?;
    let folder = arguments.output.clone().unwrap_or_else(|| root.join(format!("target/tamarack-{VERSION}")));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let folder = folder.canonicalize()?;
    let expected = fs::read_to_string(root.join("bench.txt")).context("bench.txt")?;
    let programs = root.join("target/make/programs");
    fs::create_dir_all(&programs).with_context(|| programs.display().to_string())?;
    let maker = Maker { root, programs, expected: expected.trim().to_owned(), toolchain: Toolchain::find()? };
    let wanted =
        |build: &&Build| arguments.only.is_empty() || arguments.only.iter().any(|name| name == build.name);
    let mut built = Vec::new();
    let bar = progress::bar("building", BUILDS.iter().filter(wanted).count() as u64);
    bar.enable_steady_tick(Duration::from_secs(1));
    for build in BUILDS.iter().filter(wanted) {
        bar.set_message(build.name);
        match maker.program(build)? {
            Ok(program) => {
                bar.suspend(|| println!("{}: {}", program.name, program.state()));
                built.push(program);
            }
            Err(reason) => bar.suspend(|| println!("{}: {reason}", build.name)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    ensure!(!built.is_empty(), "no program could be built");
    package::write(&maker.root, &folder, &built)?;
    println!("{}: {} archives, README.md, SHA256SUMS", folder.display(), built.len());
    Ok(())
}

struct Maker {
    root: PathBuf,
    /// The folder of the programs.
    programs: PathBuf,
    /// The nodes of bench.txt.
    expected: String,
    toolchain: Toolchain,
}

impl Maker {
    /// Builds and checks a program, or says why it cannot be built here.
    ///
    /// # Errors
    /// If it counts other nodes than the source.
    fn program(&self, build: &'static Build) -> Result<Result<Program, String>> {
        let Some(target) = self.toolchain.target(build) else { return Ok(Err(build.missing())) };
        let is_windows = target.contains("windows");
        let path = self.programs.join(format!("{}{}", build.name, if is_windows { ".exe" } else { "" }));
        let runner = self.toolchain.runner(build, target);
        if let Err(error) = self.make(build, target, &path, runner.as_ref()) {
            return Ok(Err(format!("left out, {error:#}")));
        }
        let mut program = Program {
            name: build.name,
            path,
            is_windows,
            users: build.users,
            profiled: false,
            kernels: Vec::new(),
            runner: None,
        };
        if let Some(runner) = runner
            && self.check(&mut program, runner.as_deref())?
        {
            program.runner = Some(runner.as_deref().map_or(String::new(), file_name));
        }
        Ok(Ok(program))
    }

    /// Runs make, whose output goes to a file under target/make.
    fn make(
        &self,
        build: &Build,
        target: &str,
        program: &Path,
        runner: Option<&Option<PathBuf>>,
    ) -> Result<()> {
        let mut make = Command::new("make");
        make.current_dir(&self.root).arg("--no-print-directory");
        make.arg(format!("EXE={}", program.display()));
        make.args([format!("CPU={}", build.cpu), format!("TARGET={target}")]);
        make.arg("FLAGS=-Ctarget-feature=+crt-static -Cstrip=symbols");
        match runner {
            Some(Some(runner)) => make.arg(format!("RUNNER={}", runner.display())),
            Some(None) => &mut make,
            None => make.arg("PGO=no"),
        };
        // Wine tells of much that is none of our business.
        make.env("WINEDEBUG", "-all").envs(targets::linker(target, &self.toolchain.host));
        let log = self.root.join(format!("target/make/{}.log", build.name));
        fs::create_dir_all(self.root.join("target/make"))?;
        let file = fs::File::create(&log).with_context(|| log.display().to_string())?;
        let status = make.stdout(file.try_clone()?).stderr(file).status().context("cannot start make")?;
        ensure!(status.success(), "make failed, see {}", log.display());
        Ok(())
    }

    /// Notes how the program was built and compares its bench, with each kernel that it can run here; false, with a line, if it
    /// does not start.
    ///
    /// # Errors
    /// If a bench counts other nodes, or fails.
    fn check(&self, program: &mut Program, runner: Option<&Path>) -> Result<bool> {
        let path = program.path.clone();
        let command = || {
            let mut command = Command::new(runner.unwrap_or(&path));
            command.env("WINEDEBUG", "-all");
            if runner.is_some() {
                command.arg(&path);
            }
            command
        };
        let about = match output(command().arg("compiler")) {
            Ok(about) => about,
            Err(error) => {
                println!("{}: cannot be run here, {error:#}", program.name);
                return Ok(false);
            }
        };
        program.profiled = about.contains("guided by a profile");
        let kernels = about.lines().find_map(|line| line.strip_prefix("kernels:")).context("no kernels")?;
        for kernel in kernels.split_whitespace() {
            let text = output(command().env("TAMARACK_KERNEL", kernel).arg("bench"))?;
            let counted = text.lines().last().and_then(|line| line.split(' ').next()).unwrap_or_default();
            if counted != self.expected {
                bail!(
                    "{} counts {counted} nodes with the kernel {kernel}, not {}",
                    program.name,
                    self.expected
                );
            }
            program.kernels.push(kernel.to_owned());
        }
        Ok(true)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
