//! The arrows of the design: which module may use which, read from the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// For each module of the engine, the modules it may name with `crate::`.
const ARROWS: &[(&str, &[&str])] = &[
    ("random", &[]),
    ("chess", &["random"]),
    ("score", &[]),
    ("tunable", &[]),
    ("platform", &[]),
    ("eval", &["chess", "score", "platform", "tunable"]),
    ("tablebase", &["chess"]),
    ("search", &["chess", "score", "eval", "platform", "tunable", "tablebase"]),
    ("commands", &["chess", "score", "eval", "platform", "search"]),
    ("uci", &["chess", "score", "eval", "platform", "tunable", "search", "commands", "tablebase"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The modules of the engine that a source names, tests at its foot left out.
fn named(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod ").next().unwrap();
    let code =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    code.split("crate::").skip(1).map(word).filter(|name| !name.is_empty()).collect()
}

#[test]
fn modules_point_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&src) {
        let inside = path.strip_prefix(&src).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else { continue };
        for name in named(&fs::read_to_string(&path).unwrap()) {
            let known = ARROWS.iter().any(|(module, _)| *module == name);
            let fine = !known || name == module || allowed.contains(&name.as_str());
            assert!(fine, "{} must not use {name}", inside.display());
        }
    }
}
