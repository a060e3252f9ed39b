//! Known opponents and their reference ratings, from `opponents.toml`.

use crate::play::spec::EngineSpec;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The list that the binary brings along.
const BUILT_IN: &str = include_str!("../../opponents.toml");

/// An opponent of known strength.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// Its name here.
    pub name: String,
    /// Program; without a path it is looked for.
    pub command: PathBuf,
    /// Arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// UCI options that it always has.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Reference rating.
    pub rating: Option<f64>,
    /// The 95% error of the reference, in Elo.
    #[serde(default)]
    pub uncertainty: f64,
    /// The source of the reference.
    #[serde(default)]
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    opponent: Vec<Opponent>,
}

/// Reads a list, or the built-in one.
pub fn read(path: Option<&Path>) -> Result<Vec<Opponent>> {
    let text = match path {
        Some(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
        None => BUILT_IN.to_owned(),
    };
    let list: List = toml::from_str(&text).context("the list of opponents")?;
    Ok(list.opponent)
}

/// Picks opponents by name; without names all whose program is there.
pub fn pick(known: Vec<Opponent>, names: &[String]) -> Result<Vec<Opponent>> {
    let listed: Vec<String> = known.iter().map(|opponent| opponent.name.clone()).collect();
    for name in names {
        if !listed.contains(name) {
            bail!("no opponent {name:?}; known are {}", listed.join(", "));
        }
    }
    let mut picked = Vec::new();
    for mut opponent in known {
        let found = find(&opponent.command);
        if names.is_empty() {
            if found.is_none() {
                eprintln!("{} is not installed and left out", opponent.name);
            }
        } else if !names.contains(&opponent.name) {
            continue;
        } else {
            ensure!(found.is_some(), "{}: {} is not installed", opponent.name, opponent.command.display());
        }
        if let Some(path) = found {
            opponent.command = path;
            picked.push(opponent);
        }
    }
    ensure!(!picked.is_empty(), "no opponent is installed");
    Ok(picked)
}

fn find(command: &Path) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return command.exists().then(|| command.to_owned());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join(command))
        .find(|program| program.is_file())
}

impl Opponent {
    /// The opponent as an engine of a match, with the settings of `each` besides its own.
    pub fn spec(&self, each: &EngineSpec) -> EngineSpec {
        let mut spec = EngineSpec {
            name: self.name.clone(),
            command: self.command.clone(),
            arguments: self.arguments.clone(),
            ..each.clone()
        };
        for (name, value) in &self.options {
            spec.set_option(name, value);
        }
        spec
    }
}
