//! An engine as the command line names it.

use super::limits::EngineLimits;
use anyhow::{Context, Result, bail, ensure};
use std::path::PathBuf;

/// The settings by which an engine is started and thinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and PGN.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// A name of the program for the record of a match, if its path is another one each time.
    pub label: Option<String>,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder to run it in.
    pub folder: Option<PathBuf>,
    /// UCI options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Its clock, nodes, depth or time for a move.
    pub limits: EngineLimits,
}

impl EngineSpec {
    /// Parses `name=A,cmd=path,args=a b,dir=folder,option.Hash=16,tc=2+0.02,nodes=…,depth=…,movetime=…`;
    /// what the text leaves out comes from `each`, its limits only if the text has none at all. A value is taken as it stands; with
    /// quotes (`"`) around it, it may contain commas.
    pub fn parse(text: &str, each: &Self) -> Result<Self> {
        let mut spec = Self { limits: EngineLimits::default(), ..each.clone() };
        spec.apply(text)?;
        if spec.limits.is_empty() {
            spec.limits = each.limits.clone();
        }
        ensure!(!spec.command.as_os_str().is_empty(), "engine {text:?} has no cmd=");
        if spec.name.is_empty() {
            let stem = spec.command.file_stem().unwrap_or_default();
            spec.name = stem.to_string_lossy().into_owned();
        }
        Ok(spec)
    }

    /// Applies a list of settings.
    pub fn apply(&mut self, text: &str) -> Result<()> {
        let mut in_quotes = false;
        let settings = text.split(|letter| {
            in_quotes ^= letter == '"';
            letter == ',' && !in_quotes
        });
        for setting in settings.filter(|setting| !setting.trim().is_empty()) {
            let (key, value) =
                setting.split_once('=').with_context(|| format!("{setting:?} in {text:?} has no '='"))?;
            let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            self.set(key.trim(), quoted.unwrap_or(value))
                .with_context(|| format!("in the engine {text:?}"))?;
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        if let Some(option) = key.strip_prefix("option.") {
            self.set_option(option, value);
            return Ok(());
        }
        match key {
            "name" => self.name = value.to_owned(),
            "cmd" => (self.command, self.label) = (PathBuf::from(value), None),
            "args" => self.arguments = value.split_whitespace().map(str::to_owned).collect(),
            "dir" => self.folder = Some(PathBuf::from(value)),
            _ => {
                if !self.limits.set(key, value)? {
                    bail!(
                        "unknown setting {key:?}: name, cmd, args, dir, tc, nodes, depth, movetime, option.NAME"
                    )
                }
            }
        }
        Ok(())
    }

    /// Sets an option, replacing an earlier value.
    pub fn set_option(&mut self, name: &str, value: &str) {
        match self.options.iter_mut().find(|(known, _)| is_same_option(known, name)) {
            Some((_, old)) => *old = value.to_owned(),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The program with its arguments.
    pub fn program(&self) -> String {
        let program = self.label.clone().unwrap_or_else(|| self.command.display().to_string());
        format!("{program} {}", self.arguments.join(" ")).trim().to_owned()
    }

    /// The settings in one line, for the record of a match.
    pub fn describe(&self) -> String {
        let mut text = self.program();
        for (name, value) in &self.options {
            text.push_str(&format!(" {name}={value}"));
        }
        format!("{text} [{}]", self.limits.describe())
    }
}

/// True if both are names of the same option: they do not depend on case and blanks.
pub fn is_same_option(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace(' ', "").to_ascii_lowercase();
    letters(one) == letters(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_as_they_stand_and_quotes_keep_commas() {
        let text =
            "cmd=e,option.EvalFile=/My  Nets/a\tb\u{3000}.nnue,option.SyzygyPath=\"/a,b;/c = d\",nodes=7";
        let spec = EngineSpec::parse(text, &EngineSpec::default()).unwrap();
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let options =
            [option("EvalFile", "/My  Nets/a\tb\u{3000}.nnue"), option("SyzygyPath", "/a,b;/c = d")];
        assert_eq!((spec.options, spec.limits.nodes), (options.to_vec(), Some(7)));
    }

    #[test]
    fn an_option_has_one_value_whatever_the_spelling_of_its_name() {
        let mut spec = EngineSpec::default();
        spec.apply("option.Move Overhead=10,option.moveoverhead=20").unwrap();
        assert_eq!(spec.options, [("Move Overhead".to_owned(), "20".to_owned())]);
    }
}
