//! The house rules that can be read from the sources: arrows between the files of the engine, lengths, words. Arrows between
//! crates are kept by the compiler.

use crate::sources::{Names, Sources, code, is_word, name_in, paths_from, sources};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The files of a folder in the order in which they may use each other: each names only files before it. `mod` is the
/// folder's mod.rs, and a re-export of it counts as the file that it comes from; `x/` is x.rs and the folder x, as far as their
/// files have no place of their own.
/// The circle of the search's recursion (alpha_beta, qsearch, pruning, extensions) goes through methods, not through names.
const ORDERS: &[(&str, &str)] = &[
    ("src", "score tunable eval/ tablebase/ search/ commands/ uci/"),
    (
        "src/search",
        "strength/draws strength/attention strength/judgement strength/thinking strength/levels strength/pause strength/mod request waits shared_state time memory/mod memory/history/keys memory/history memory/correction memory/stack memory/pv memory/tt/line \
         memory/tt/model memory/tt memory/tt/file tb context info root_moves node_types eval_sample worker searcher root_info node/move_picker node/update \
         node/static_eval node/reductions node/entry node/extensions node/pruning node/move_pruning node/techniques lab/switches lab/iid lab/extensions lab/reductions \
         lab/standard lab/literature lab/mod node/qsearch node/alpha_beta node/mod \
         resume level iterative_deepening thread/vote thread/main_thread thread/error thread/numa thread/start thread/local thread/running thread/job thread/pool \
         thread/mod one_thread mod",
    ),
    (
        "src/uci",
        "error tokens log options/settings options/option options/mod command parse game output format listener job input queue node_clock engine mod",
    ),
];

/// Lines of the longest function, tests at the foot of a file left out.
const MAX_FUNCTION_LINES: usize = 60;

/// Lines of the longest file in `src/search`, comments included, tests at its foot left out.
const MAX_FILE_LINES: usize = 400;

/// Words that the engine's sources had for things with a common name.
const DEAD_WORDS: &[&str] = &["known_from_table", "late_move_by", "by_lateness", "leave.rs", "learn_"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A row of [`ORDERS`].
struct Row<'r> {
    folder: &'r str,
    order: Vec<&'r str>,
}

impl Row<'_> {
    /// The place of a file of the folder.
    fn place(&self, name: &str) -> Option<usize> {
        let holds = |entry: &&str| {
            let behind = entry.strip_suffix('/').and_then(|folder| name.strip_prefix(folder));
            behind.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let exact = self.order.iter().position(|entry| *entry == name);
        exact.or_else(|| self.order.iter().position(holds))
    }

    /// The name of a module's file in the folder; `None` if it is elsewhere, or the lib.rs or main.rs of the crate.
    fn name(&self, sources: &Sources, module: &Names) -> Option<String> {
        let (folder, file) = (root().join(self.folder), &sources.files[module]);
        (file.starts_with(&folder) && !module.is_empty()).then(|| name_in(&folder, file))
    }

    /// Everything that is wrong with the folder or with its row, in sentences.
    fn faults(&self, sources: &Sources) -> Vec<String> {
        let (mut faults, mut seen, folder) = (Vec::new(), HashSet::new(), self.folder);
        for module in sources.files.keys() {
            let Some(name) = self.name(sources, module) else { continue };
            let Some(own) = self.place(&name) else {
                faults.push(format!(
                    "{folder}/{name}.rs is not in ORDERS of tests/engine/house.rs: add it to the row of {folder}, behind the files \
                     that it uses and before those that use it"
                ));
                continue;
            };
            seen.insert(own);
            let used = sources.used_by(module).into_iter().filter_map(|used| self.name(sources, &used));
            faults.extend(used.filter(|used| self.place(used) > Some(own)).map(|used| {
                format!(
                    "{folder}/{name}.rs uses {used}, which stands behind it in the row of {folder} in tests/engine/house.rs: move \
                     what it needs further down"
                )
            }));
        }
        let gone = self.order.iter().enumerate().filter(|(place, _)| !seen.contains(place));
        let gone = gone.map(|(_, entry)| {
            format!("{folder} has no file {entry}: take it out of ORDERS in tests/engine/house.rs")
        });
        faults.extend(gone);
        faults
    }
}

#[test]
fn files_point_one_way() {
    let mut faults = Vec::new();
    let sources = Sources::read(&root().join("src"));
    for (folder, order) in ORDERS {
        faults.extend(Row { folder, order: order.split_whitespace().collect() }.faults(&sources));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn arrows_are_found_through_braces_and_re_exports() {
    let paths = paths_from(
        "use crate::a::{B, c::{D, E as F}};\npub(in crate::g) fn h() { super::i::j() }",
        |first| matches!(first, "crate" | "super"),
    );
    let paths: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["crate::a::B", "crate::a::c::D", "crate::a::c::E", "super::i::j"]);

    let names = |path: &str| path.split("::").map(str::to_owned).collect::<Names>();
    let sources = Sources::read(&root().join("src"));
    let resolved = sources.resolve(&names("search::node::pruning"), &names("crate::search::TtEntry"), 5);
    assert_eq!(resolved.join("::"), "search::memory::tt::line", "search/mod.rs and tt.rs re-export it");
    let row = |order| Row { folder: "src/search", order };
    assert!(
        row(vec!["memory/", "time"]).place("memory/tt") == Some(0) && row(vec!["tb"]).place("time").is_none()
    );
    let missing = row(vec!["searcher", "memory/"]).faults(&sources).join("\n");
    assert!(missing.contains("src/search/tb.rs is not in ORDERS"), "{missing}");
    assert!(missing.contains("src/search/searcher.rs uses memory/tt, which stands behind it"), "{missing}");
}

/// The functions of a source with the number of their lines, by the indentation that rustfmt gives.
fn functions(code: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut functions = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let declaration = line.trim_start();
        let Some(at) = declaration.find("fn ").filter(|&at| at == 0 || declaration[..at].ends_with(' '))
        else {
            continue;
        };
        if line.ends_with(';') || line.ends_with('}') {
            continue;
        }
        let indent = &line[..line.len() - declaration.len()];
        let end = format!("{indent}}}");
        let body = lines[first..]
            .iter()
            .find(|line| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with(')')));
        if body.is_some_and(|line| line.ends_with(';')) && !line.ends_with('{') {
            // A declaration in a trait.
            continue;
        }
        if let Some(length) = lines[first..].iter().position(|line| **line == end) {
            let name = declaration[at + 3..].split(|letter| !is_word(letter)).next().unwrap();
            functions.push((name, length + 1));
        }
    }
    functions
}

/// The places that a map in a file's documentation names: a file in backquotes, and the functions after it.
fn places(map: &str) -> Vec<(&str, &str)> {
    let mut places = Vec::new();
    for row in map.lines().filter(|line| line.starts_with("//! |") && line.contains('`')) {
        let mut file = "";
        for name in row.split('`').skip(1).step_by(2) {
            match name.ends_with(".rs") {
                true => file = name,
                false => places.push((file, name)),
            }
        }
    }
    places
}

#[test]
fn the_map_of_the_search_leads_to_each_technique() {
    let search = root().join("src/search");
    let map = fs::read_to_string(search.join("mod.rs")).unwrap();
    let places = places(&map);
    assert!(places.len() > 30, "only {} places found", places.len());
    for (file, function) in places {
        let there = fs::read_to_string(search.join(file))
            .unwrap_or_else(|error| panic!("the map in src/search/mod.rs names {file}: {error}"));
        assert!(
            declares(&there, function),
            "the map in src/search/mod.rs: {file} has no function {function}"
        );
    }
}

/// True if a source declares a function, constant or type of this name.
fn declares(source: &str, name: &str) -> bool {
    let declarations =
        [format!("fn {name}("), format!("fn {name}<"), format!("const {name}:"), format!("struct {name} ")];
    declarations.iter().any(|declaration| source.contains(declaration))
}

#[test]
fn the_tables_of_experiments_name_what_exists() {
    let table = fs::read_to_string(root().join("docs/experiments.md")).unwrap();
    let src = root().join("src");
    let files: Vec<_> = sources(&src).into_iter().map(|file| (name_in(&src, &file), file)).collect();
    let mut count = 0;
    for (module, name) in table.split('`').skip(1).step_by(2).filter_map(|place| place.split_once("::")) {
        count += 1;
        let (_, file) = files
            .iter()
            .find(|(path, _)| path.rsplit('/').next() == Some(module))
            .unwrap_or_else(|| panic!("docs/experiments.md: there is no {module}.rs"));
        let source = fs::read_to_string(file).unwrap();
        assert!(declares(&source, name), "docs/experiments.md: {module}.rs declares no {name}");
    }
    assert!(count > 50, "only {count} names found");
}

#[test]
fn the_laboratory_keeps_to_its_folder() {
    let src = root().join("src");
    for file in sources(&src).into_iter().filter(|file| !file.starts_with(src.join("search/lab"))) {
        let attribute = "feature = \"lab\"";
        assert!(!code(&file).contains(attribute), "{} asks for the feature lab", file.display());
    }
}

#[test]
fn functions_fit_a_screen() {
    // Of a packed crate only the first folder is there.
    let folders = ["src", "crates", "tools", "fuzz/src", "web/engine/src"].map(|folder| root().join(folder));
    let mut count = 0;
    for file in folders.iter().filter(|folder| folder.exists()).flat_map(|folder| sources(folder)) {
        for (function, lines) in functions(&code(&file)) {
            count += 1;
            let fits = lines <= MAX_FUNCTION_LINES;
            let file = file.display();
            assert!(fits, "{function} in {file} has {lines} lines, more than {MAX_FUNCTION_LINES}: split it");
        }
    }
    assert!(count > 500, "only {count} functions found");
}

#[test]
fn files_of_the_search_fit_a_head() {
    let search = root().join("src/search");
    for file in sources(&search) {
        let (name, lines) = (name_in(&search, &file), code(&file).lines().count());
        let fits = lines <= MAX_FILE_LINES;
        assert!(fits, "src/search/{name}.rs has {lines} lines, more than {MAX_FILE_LINES}: split it");
    }
}

#[test]
fn dead_words_stay_dead() {
    for file in sources(&root().join("src")) {
        let source = fs::read_to_string(&file).unwrap();
        for word in DEAD_WORDS {
            assert!(!source.contains(word), "{} says {word}", file.display());
        }
        let men = source.split(|letter| !is_word(letter)).any(|word| word.eq_ignore_ascii_case("men"));
        assert!(!men, "{} says men where chess programmers say pieces", file.display());
    }
}
