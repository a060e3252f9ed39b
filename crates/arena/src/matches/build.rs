//! Builds git revisions of the engine side by side, outside the checkout.

use crate::play::spec::EngineSpec;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Name of the working tree with its changes.
const WORK: &str = "work";

/// Builds a revision and returns it as an engine `role-commit`.
pub fn engine(
    revision: &str,
    features: &str,
    role: &str,
    with: &str,
    each: &EngineSpec,
) -> Result<EngineSpec> {
    let root = PathBuf::from(git(Path::new("."), &["rev-parse", "--show-toplevel"])?);
    let built = if revision == WORK {
        let command = build_work(&root, features)?;
        // Its binary has another name each time; a match with it goes on all the same.
        let label = Some(dashed(WORK, features));
        EngineSpec { name: format!("{role}-{WORK}"), command, label, ..each.clone() }
    } else {
        let commit = git(&root, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
        let command = build_commit(&root, &commit, features)?;
        let short: String = commit.chars().take(8).collect();
        EngineSpec { name: format!("{role}-{short}"), command, ..each.clone() }
    };
    EngineSpec::parse(with, &built)
}

/// The engine that is `given` by its settings, else the one that is built from `revision` under the name `role`.
///
/// # Errors
/// If neither is there, or it cannot be read or built.
pub fn given_or_built(
    given: Option<&str>,
    revision: Option<&str>,
    (features, role): (&str, &str),
    each: &EngineSpec,
) -> Result<EngineSpec> {
    match given {
        Some(text) => EngineSpec::parse(text, each),
        None => engine(revision.context("no engine")?, features, role, "", each),
    }
}

/// The folder of the builds: `$TAMARACK_CACHE`, else the user's cache folder.
fn cache() -> PathBuf {
    let user = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/tamarack"));
    env::var_os("TAMARACK_CACHE")
        .map(PathBuf::from)
        .or_else(user)
        .unwrap_or_else(|| env::temp_dir().join("tamarack"))
}

fn binary_name(label: &str, features: &str) -> String {
    format!("tamarack-{}{}", dashed(label, features), env::consts::EXE_SUFFIX)
}

/// A label with the features behind it.
fn dashed(label: &str, features: &str) -> String {
    let suffix = features.replace([',', ' '], "-");
    let dash = if suffix.is_empty() { "" } else { "-" };
    format!("{label}{dash}{suffix}")
}

/// Builds a commit in a work tree of its own, or finds it built.
fn build_commit(root: &Path, commit: &str, features: &str) -> Result<PathBuf> {
    let target = cache().join("bin").join(binary_name(commit, features));
    if target.exists() {
        return Ok(target);
    }
    let tree = cache().join(format!("tree-{commit}-{}", std::process::id()));
    let tree_text = tree.to_string_lossy().into_owned();
    git(root, &["worktree", "add", "--detach", "--force", &tree_text, commit])?;
    let built = cargo(&tree, features).and_then(|binary| install(&binary, &target));
    let removed = git(root, &["worktree", "remove", "--force", &tree_text]);
    built?;
    removed?;
    Ok(target)
}

fn build_work(root: &Path, features: &str) -> Result<PathBuf> {
    // A name of its own for every run: another match may be playing with the last one.
    let target = cache().join("bin").join(binary_name(&format!("{WORK}-{}", std::process::id()), features));
    install(&cargo(root, features)?, &target)?;
    Ok(target)
}

fn cargo(tree: &Path, features: &str) -> Result<PathBuf> {
    eprintln!(
        "building {}{}",
        tree.display(),
        if features.is_empty() { String::new() } else { format!(" with {features}") }
    );
    let target = cache().join("target");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(tree).args([
        "build",
        "--release",
        "--quiet",
        "--package",
        "tamarack",
        "--bin",
        "tamarack",
    ]);
    command.arg("--target-dir").arg(&target).args(["--features", features]);
    let status = command.status().context("cargo")?;
    ensure!(status.success(), "cargo build failed in {}: {status}", tree.display());
    Ok(target.join("release").join(format!("tamarack{}", env::consts::EXE_SUFFIX)))
}

fn install(binary: &Path, target: &Path) -> Result<()> {
    let context = || format!("{} to {}", binary.display(), target.display());
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).with_context(context)?;
    }
    // Copied beside and renamed: another run must never see half a file.
    let beside = target.with_extension(format!("part{}", std::process::id()));
    fs::copy(binary, &beside).with_context(context)?;
    fs::rename(&beside, target).with_context(context)
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().context("git")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {}: {}", arguments.join(" "), errors.trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
