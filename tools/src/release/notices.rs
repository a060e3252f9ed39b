//! THIRD-PARTY.md: the crates that are linked into the engine, with their licences.

use super::targets::output;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The platforms whose crates are listed.
const TARGETS: [&str; 3] = ["x86_64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "aarch64-unknown-linux-gnu"];

/// What is linked in besides crates.
const PREAMBLE: &str = "\
# Third-party notices

Tamarack is free software under the GNU General Public License, version 3 or later (`LICENSE`). The program contains the crates
below, unchanged, from https://crates.io. Where a crate has a choice of licences it is used under the MIT licence if that is one of them.
This file is written by `cargo run -p tools -- release --notices`.

It also contains Rust's standard library (Copyright (c) The Rust Project Contributors; MIT or Apache-2.0, the MIT text is as below).
The Linux programs of a release contain the GNU C library and those for Windows the MinGW-w64 runtime with GCC's support library:
the first is under the LGPL 2.1 or later and is used here under the GPL, as its section 3 permits; the second is in the public
domain or under permissive licences, and GCC's library under the GPL with the runtime library exception.

";

/// A crate that is linked into the engine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkedCrate {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The SPDX expression of its licence.
    pub license: String,
    folder: PathBuf,
}

impl LinkedCrate {
    /// Its row in the table of the file.
    pub fn row(&self) -> String {
        format!("| {} | {} | {} |", self.name, self.version, self.license)
    }

    /// The text of its licence; `None` if it is the GPL, which is in `LICENSE`.
    fn text(&self) -> Result<Option<String>> {
        if self.license.starts_with("GPL-3.0") {
            return Ok(None);
        }
        let mut files: Vec<PathBuf> = fs::read_dir(&self.folder)?
            .flatten()
            .map(|file| file.path())
            .filter(|path| is_license(path))
            .collect();
        files.sort_by_key(|path| (!path.to_string_lossy().to_uppercase().contains("MIT"), path.clone()));
        let path = files.first().with_context(|| format!("{} has no licence file", self.folder.display()))?;
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        Ok(Some(lines.join("\n").trim_matches('\n').to_owned()))
    }
}

fn is_license(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    path.is_file() && ["LICENSE", "LICENCE", "COPYING"].iter().any(|start| name.starts_with(start))
}

/// Writes the file anew. Crates of other platforms are fetched for that.
///
/// # Errors
/// If cargo cannot tell the crates, a crate has no licence file, or the file cannot be written.
pub fn write(sources: &Path) -> Result<()> {
    let mut crates = BTreeSet::new();
    for target in TARGETS {
        crates.extend(linked(sources, target)?);
    }
    fs::write(sources.join("THIRD-PARTY.md"), page(&crates)?).context("THIRD-PARTY.md")
}

fn page(crates: &BTreeSet<LinkedCrate>) -> Result<String> {
    let mut page = String::from(PREAMBLE);
    page.push_str("| crate | version | licence |\n| --- | --- | --- |\n");
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for linked in crates {
        let _ = writeln!(page, "{}", linked.row());
        if let Some(text) = linked.text()? {
            texts.entry(text).or_default().push(&linked.name);
        }
    }
    let mut sections: Vec<_> = texts.into_iter().map(|(text, names)| (names.join(", "), text)).collect();
    sections.sort();
    for (names, text) in sections {
        let _ = write!(page, "\n## {names}\n\n```text\n{text}\n```\n");
    }
    Ok(page)
}

/// The crates that are linked into the engine on a platform, by cargo; those that only run while it compiles are left out.
///
/// # Errors
/// If cargo fails or its answer is not understood.
pub fn linked(sources: &Path, target: &str) -> Result<BTreeSet<LinkedCrate>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(sources).args(["metadata", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&output(cargo.args(["--filter-platform", target]))?)?;
    let list = |pointer: &str| metadata.pointer(pointer).and_then(Value::as_array).context("cargo metadata");
    let by_id = |all: &'_ [Value]| -> BTreeMap<String, Value> {
        all.iter().map(|item| (text(&item["id"]), item.clone())).collect()
    };
    let (packages, nodes) = (by_id(list("/packages")?), by_id(list("/resolve/nodes")?));
    let engine = packages.iter().find(|(_, package)| package["name"] == "tamarack").context("no engine")?;
    let (mut open, mut seen, mut crates) = (vec![engine.0.clone()], BTreeSet::new(), BTreeSet::new());
    while let Some(id) = open.pop() {
        let package = packages.get(&id).with_context(|| format!("cargo says nothing about {id}"))?;
        let compiles_only = package["targets"].to_string().contains("\"proc-macro\"");
        if compiles_only || !seen.insert(id.clone()) {
            continue;
        }
        // Crates of this workspace have no source.
        if !package["source"].is_null() {
            let folder = PathBuf::from(text(&package["manifest_path"])).parent().map(Path::to_owned);
            crates.insert(LinkedCrate {
                name: text(&package["name"]),
                version: text(&package["version"]),
                license: text(&package["license"]),
                folder: folder.unwrap_or_default(),
            });
        }
        open.extend(nodes.get(&id).map(normal_dependencies).unwrap_or_default());
    }
    Ok(crates)
}

/// The dependencies of a package that are neither for its build nor for its tests.
fn normal_dependencies(node: &Value) -> Vec<String> {
    let normal = |dependency: &&Value| {
        dependency["dep_kinds"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
    };
    let dependencies = node["deps"].as_array().map(Vec::as_slice).unwrap_or_default();
    dependencies.iter().filter(normal).map(|dependency| text(&dependency["pkg"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::targets::Toolchain;

    #[test]
    fn the_notices_name_exactly_the_crates_that_are_linked_in() {
        let Some(root) = crate::repository() else { return };
        let page = fs::read_to_string(root.join("THIRD-PARTY.md")).unwrap();
        let rows: BTreeSet<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
        let linked = linked(&root, &Toolchain::find().unwrap().host).unwrap();
        assert!(linked.len() > 10);
        for linked in linked {
            let row = linked.row();
            assert!(rows.contains(row.as_str()), "{row}: run cargo run -p tools -- release --notices");
        }
        let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
        for row in rows {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let entry = format!("name = \"{}\"\nversion = \"{}\"\n", cells[1], cells[2]);
            assert!(lock.contains(&entry), "{row} is no longer in Cargo.lock");
        }
    }
}
