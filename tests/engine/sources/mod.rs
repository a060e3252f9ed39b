//! The sources of a crate as modules that name each other, for the house rules.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The path of a file below `folder` without `.rs`, with slashes on every system.
pub fn name_in(folder: &Path, file: &Path) -> String {
    let names: Vec<&str> =
        file.strip_prefix(folder).unwrap().iter().map(|name| name.to_str().unwrap()).collect();
    names.join("/").trim_end_matches(".rs").to_owned()
}

/// A source without comments, and without the tests at its foot.
pub fn code(file: &Path) -> String {
    let source = fs::read_to_string(file).unwrap().replace("\r\n", "\n");
    let tests = source.match_indices("#[cfg(test)]\n").find(|(at, attribute)| {
        let item = source[at + attribute.len()..].lines().next().unwrap_or("");
        item.ends_with('{') && item.split(' ').any(|word| word == "mod")
    });
    let above = tests.map_or(&source[..], |(at, _)| &source[..at]);
    above.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

pub fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A path of modules and items, as `use` has it.
pub type Names = Vec<String>;

/// Appends the paths of the tree at the beginning of `text`, as `a::{b, c::d}`, each behind `front`. Returns the rest.
fn read_tree<'t>(text: &'t str, front: &Names, paths: &mut Vec<Names>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        while !rest.trim_start().is_empty() {
            rest = rest.trim_start();
            if let Some(rest) = rest.strip_prefix('}') {
                return rest;
            }
            let before = rest.len();
            rest = read_tree(rest, front, paths).trim_start().trim_start_matches(',');
            if rest.len() == before {
                break;
            }
        }
        return rest;
    }
    let end = text.find(|letter| !is_word(letter)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut path = front.clone();
    path.extend((!name.is_empty()).then(|| name.to_owned()));
    match rest.strip_prefix("::") {
        Some(rest) if !name.is_empty() => read_tree(rest, &path, paths),
        _ => {
            paths.push(path);
            // Another name for it here makes no difference.
            rest.strip_prefix(" as ").map_or(rest, |alias| alias.trim_start_matches(is_word))
        }
    }
}

/// The paths in a source whose first name `is_first` accepts.
pub fn paths_from(code: &str, is_first: impl Fn(&str) -> bool) -> Vec<Names> {
    let mut paths = Vec::new();
    let mut at = 0;
    while let Some(length) = code[at..].find(is_word) {
        let start = at + length;
        let end = code[start..].find(|letter| !is_word(letter)).map_or(code.len(), |length| start + length);
        at = end;
        let (before, word) = (&code[..start], &code[start..end]);
        let begins = !before.ends_with("::") && !before.ends_with("(in ");
        if begins && code[end..].starts_with("::") && is_first(word) {
            let rest = read_tree(&code[start..], &Names::new(), &mut paths);
            at = code.len() - rest.len();
        }
    }
    paths
}

/// A crate as its files: which module each is, and what each re-exports or imports.
pub struct Sources {
    /// The file of each module.
    pub files: HashMap<Names, PathBuf>,
    /// For each module, the names that its `use` lines bring in, and their paths.
    imports: HashMap<(Names, String), Names>,
}

impl Sources {
    pub fn read(src: &Path) -> Self {
        let mut files = HashMap::new();
        for file in sources(src) {
            let name = name_in(src, &file);
            let mut module: Names = name.split('/').map(str::to_owned).collect();
            if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                module.pop();
            }
            // lib.rs and main.rs are one module here: neither is in a row.
            files.insert(module, file);
        }
        let mut sources = Self { files, imports: HashMap::new() };
        let mut imports = HashMap::new();
        for (module, file) in &sources.files {
            for line in code(file).split("use ").skip(1) {
                let mut paths = Vec::new();
                read_tree(line, &Names::new(), &mut paths);
                paths.retain(|path| path.first().is_some_and(|first| sources.is_inside(module, first)));
                let named = |path: Names| Some(((module.clone(), path.last()?.clone()), path));
                imports.extend(paths.into_iter().filter_map(named));
            }
        }
        sources.imports = imports;
        sources
    }

    /// True if a path in `module` that begins with `first` leads into this crate.
    fn is_inside(&self, module: &Names, first: &str) -> bool {
        matches!(first, "crate" | "super" | "self") || self.files.contains_key(&child(module, first))
    }

    /// The module that a path in `module` leads to, through re-exports too.
    pub fn resolve(&self, module: &Names, path: &Names, steps: u32) -> Names {
        let mut at = module.clone();
        let mut names = path.iter();
        let mut rest = None;
        for name in names.by_ref() {
            match name.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                name if self.files.contains_key(&child(&at, name)) => at.push(name.to_owned()),
                name => {
                    rest = Some(name.to_owned());
                    break;
                }
            }
        }
        let import = rest.and_then(|name| self.imports.get(&(at.clone(), name)));
        match import {
            Some(import) if steps > 0 && at != *module => self.resolve(&at, import, steps - 1),
            _ => at,
        }
    }

    /// The modules that the file of `module` uses.
    pub fn used_by(&self, module: &Names) -> HashSet<Names> {
        let mut code = code(&self.files[module]);
        let is_parent = |other: &Names| other.len() > module.len() && other.starts_with(module);
        if self.files.keys().any(is_parent) {
            // Its re-exports are no uses.
            code = without(&code, "pub use ", ";");
        }
        let paths = paths_from(&code, |first| self.is_inside(module, first));
        paths.iter().map(|path| self.resolve(module, path, 5)).collect()
    }
}

/// A text without the pieces from each `from` to the next `to`.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut parts = text.split(from);
    let first = parts.next().unwrap_or("").to_owned();
    parts.filter_map(|part| part.split_once(to)).fold(first, |kept, (_, rest)| kept + rest)
}

fn child(module: &Names, name: &str) -> Names {
    module.iter().cloned().chain([name.to_owned()]).collect()
}
