//! `savehash` and `loadhash`.

use crate::driver::{Engine, value};
use nnue::network::{Shape, sample};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::folders::empty_folder;

const POSITION: &str = "position fen r1bq1rk1/pp2bppp/2n2n2/2pp4/8/1PN1PN2/PB1PBPPP/R2Q1RK1 w - - 0 9";

fn folder(name: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), name)
}

/// An engine that has searched the position, its last line of analysis, and the table in a file.
fn analysed(file: &Path, nodes: u32) -> (Engine, String) {
    let mut engine = Engine::start();
    engine.send(POSITION);
    let line = engine.go(&format!("go nodes {nodes}")).last_line().to_owned();
    let said = engine.ask(&format!("savehash \"{}\"", file.display()));
    assert_eq!(said, [format!("info string savehash: {} written, 16 MB", file.display())]);
    (engine, line)
}

fn number(line: &str, key: &str) -> i64 {
    value(line, key).unwrap_or_else(|| panic!("no {key} in {line}")).parse().unwrap()
}

/// The depth and score that a search of so few nodes reaches.
fn depth_and_score(engine: &mut Engine, nodes: u32) -> (i64, i64) {
    engine.send(POSITION);
    let found = engine.go(&format!("go nodes {nodes}"));
    (number(found.last_line(), "depth"), number(found.last_line(), "cp"))
}

#[test]
fn an_analysis_goes_on_the_next_day_at_the_depth_where_it_was() {
    let file = folder("next day").join("my analysis.hash");
    let (engine, line) = analysed(&file, 400_000);
    engine.quit();
    let (depth, score) = (number(&line, "depth"), number(&line, "cp"));
    let anew = depth_and_score(&mut Engine::start(), 8_000);
    assert!(anew.0 + 4 < depth, "the position is no test: depth {} anew, {depth} before", anew.0);
    for settings in [&["Hash value 16"][..], &["Hash value 64", "Threads value 3"], &["Hash value 8"]] {
        let mut engine = Engine::start();
        settings.iter().for_each(|setting| engine.send(&format!("setoption name {setting}")));
        let said = engine.ask(&format!("loadhash {}", file.display()));
        let start = format!("info string loadhash: {} loaded, 16 MB", file.display());
        assert!(said.len() == 1 && said[0].starts_with(&start), "{said:?}");
        engine.send("setoption name Threads value 1");
        let loaded = depth_and_score(&mut engine, 8_000);
        assert!(loaded.0 + 1 >= depth, "{settings:?}: depth {} instead of {depth}", loaded.0);
        assert!((loaded.1 - score).abs() <= 15, "{settings:?}: {} instead of {score}", loaded.1);
        engine.quit();
    }
}

#[test]
fn what_cannot_be_loaded_gets_a_sentence_and_the_table_stays() {
    let folder = folder("refused hash files");
    let file = folder.join("good.hash");
    let (mut engine, _) = analysed(&file, 20_000);
    let good = fs::read(&file).unwrap();
    let wrong = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let mut flipped = good.clone();
    flipped[9_000_000] ^= 16;
    let network = folder.join("other.nnue");
    fs::write(&network, sample(Shape { hidden: 32, buckets: 1 }, 3).to_bytes()).unwrap();
    let mut other = Engine::start();
    other.send(&format!("setoption name EvalFile value {}", network.display()));
    other.go("go nodes 1000");
    let foreign = folder.join("other.hash").display().to_string();
    assert!(other.ask(&format!("savehash {foreign}"))[0].ends_with(" written, 16 MB"));
    other.quit();
    for (path, sentence) in [
        (wrong("flipped", &flipped), "it is damaged in megabyte 8"),
        (wrong("cut", &good[..good.len() / 2]), "it has 8388672 bytes where a table of 16 MB needs 16777344"),
        (wrong("text", b"Dear diary"), "it holds no transposition table"),
        (foreign, "its entries were computed with another network than the one in use"),
        (folder.display().to_string(), "it is not a regular file"),
        ("/nowhere/at.all".to_owned(), "No such file or directory (os error 2)"),
        #[cfg(unix)]
        ("/dev/zero".to_owned(), "it is not a regular file"),
    ] {
        let said = engine.ask(&format!("loadhash {path}"));
        assert_eq!(said, [format!("info string loadhash: {path}: {sentence}")]);
        let said = engine.ask(&format!("setoption name Load Hash value {path}"));
        assert_eq!(said, [format!("info string option Load Hash: {path}: {sentence}")]);
    }
    assert_eq!(engine.ask("loadhash"), ["info string loadhash: expected a file, found the end of the line"]);
    let again = folder.join("again.hash");
    engine.ask(&format!("savehash {}", again.display()));
    assert!(fs::read(&again).unwrap() == good, "the table is no longer what it was");
    engine.quit();
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one_and_no_other() {
    let folder = folder("unwritable hash files");
    let file = folder.join("old.hash");
    fs::write(&file, b"old").unwrap();
    // The limit of a file's size stands for a full disk.
    let program = format!("ulimit -f 8192; exec {}", env!("CARGO_BIN_EXE_tamarack"));
    let mut engine = Engine::start_command(Command::new("sh").args(["-c", &program]));
    let save = |path: &Path| format!("savehash {}", path.display());
    let said = engine.ask(&save(&file));
    assert!(said.len() == 1 && said[0].ends_with("the table is empty, no file is written"), "{said:?}");
    engine.go("go nodes 5000");
    for path in [&file, &folder, Path::new("/nowhere/at.all"), Path::new("/dev/full")] {
        let said = engine.ask(&save(path));
        assert!(
            said.len() == 1
                && said[0].starts_with(&format!("info string {}", save(path).replacen(' ', ": ", 1))),
            "{said:?}"
        );
        assert!(!said[0].contains("written,"), "{said:?}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    assert_ne!(engine.go("go nodes 1000").best, ["(none)"]);
    engine.quit();
}

#[test]
fn savehash_waits_for_the_search_and_quit_for_savehash() {
    let folder = folder("saved at quit");
    let [first, second] = ["first.hash", "second.hash"].map(|name| folder.join(name));
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send(&format!("savehash {}", first.display()));
    assert_ne!(engine.answer().best, ["(none)"]);
    engine.ready();
    assert!(first.is_file());
    engine.send("go depth 200");
    engine.send(&format!("setoption name Save Hash value {}", first.display()));
    engine.send(&format!("savehash {}", second.display()));
    engine.quit();
    assert!(second.is_file());
}

/// Loads a table into an engine; nothing else is said.
fn load(engine: &mut Engine, command: &str, file: &Path) {
    let said = engine.ask(&format!("{command} {}", file.display()));
    assert!(said.len() == 1 && said[0].contains(" loaded, 16 MB"), "{said:?}");
}

/// Scid sends all options again before each search, each with the value that it has.
#[test]
fn options_sent_again_as_they_are_leave_a_loaded_table() {
    let folder = folder("sent again");
    let (file, network) = (folder.join("table.hash"), folder.join("copy.nnue"));
    let (mut engine, line) = analysed(&file, 400_000);
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue"), &network).unwrap();
    let listed = engine.ask("uci");
    let defaults = listed.iter().filter_map(|line| line.strip_prefix("option name ")?.split_once(" type "));
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    engine.ask(&format!("setoption name SyzygyPath value {tables}"));
    load(&mut engine, "setoption name Load Hash value", &file);
    for (name, description) in defaults.filter(|(_, description)| description.contains(" default ")) {
        let default = description.split_once(" default ").unwrap().1;
        let value = match (name, description.starts_with("string ")) {
            ("SyzygyPath", _) => tables,
            (_, true) => default,
            (_, false) => default.split(' ').next().unwrap(),
        };
        let said = engine.ask(&format!("setoption name {name} value {value}"));
        assert!(!said.iter().any(|line| line.contains("cleared")), "{name}: {said:?}");
    }
    engine.ask(&format!("setoption name EvalFile value {}", network.display()));
    engine.go("go nodes 100");
    let said = engine.ask(&format!("setoption name Load Hash value {}", file.display()));
    assert!(said.is_empty(), "what has been found since is kept: {said:?}");
    let (depth, _) = depth_and_score(&mut engine, 8_000);
    assert!(depth + 1 >= number(&line, "depth"), "depth {depth} after {line}");
    engine.quit();
}

#[test]
fn what_clears_a_loaded_table_says_so() {
    let folder = folder("cleared tables");
    let (file, network) = (folder.join("table.hash"), folder.join("other.nnue"));
    let (mut engine, _) = analysed(&file, 5_000);
    fs::write(&network, sample(Shape { hidden: 32, buckets: 1 }, 3).to_bytes()).unwrap();
    let tables = concat!("SyzygyPath value ", env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let [network, tables] = [format!("EvalFile value {}", network.display()), tables.to_string()];
    for option in ["Hash value 17", "Clear Hash", "Syzygy50MoveRule value false", &tables, &network, ""] {
        engine.ask("setoption name EvalFile value <built-in>");
        engine.ask("setoption name Hash value 16");
        load(&mut engine, "loadhash", &file);
        let name = option.split(" value ").next().unwrap();
        let (command, name) = match option {
            "" => ("ucinewgame".to_string(), "ucinewgame".to_string()),
            _ => (format!("setoption name {option}"), format!("option {name}")),
        };
        let sentence = format!("info string {name}: the table that was loaded from a file is cleared");
        let said = engine.ask(&command);
        assert!(said.contains(&sentence), "{command}: {said:?}");
        assert!(!engine.ask(&command).contains(&sentence), "it is said once");
    }
    engine.quit();
}

#[cfg(unix)]
#[test]
fn a_save_removes_what_killed_processes_have_left_of_the_same_file() {
    let folder = folder("left behind");
    let file = folder.join("a  table.hash");
    let mut killed = Command::new("sleep").arg("60").spawn().unwrap();
    let part = |process: u32| PathBuf::from(format!("{}.{process}.part", file.display()));
    let (left, running) = (part(killed.id()), part(std::process::id()));
    let other = folder.join(format!("other.hash.{}.part", killed.id()));
    [&left, &running, &other].into_iter().for_each(|file| fs::write(file, "part").unwrap());
    let (mut engine, _) = analysed(&file, 5_000);
    assert!(left.exists(), "its process is still there");
    killed.kill().and_then(|()| killed.wait()).unwrap();
    engine.ask(&format!("savehash {}", file.display()));
    assert_eq!([&left, &running, &other, &file].map(|file| file.exists()), [false, true, true, true]);
    engine.quit();
}

/// With little address space either command is done or refused in a sentence.
#[cfg(target_os = "linux")]
#[test]
fn no_hash_file_ends_the_program_where_memory_is_short() {
    let file = folder("short of memory").join("table.hash");
    let (mut done, mut refused) = (0, 0);
    for kilobytes in [195_000, 200_000, 210_000, 230_000, 260_000, 400_000] {
        let commands = [format!("savehash {}", file.display()), format!("loadhash {}", file.display())];
        let output = testkit::limits::within_memory(kilobytes, env!("CARGO_BIN_EXE_tamarack"))
            .args([
                "setoption name Threads value 2",
                "go nodes 500",
                &commands[0],
                &commands[1],
                "go nodes 500",
            ])
            .output()
            .unwrap();
        let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat();
        assert!(output.status.code().is_some(), "{kilobytes} kB: {} {said}", output.status);
        assert!(
            said.matches("bestmove ").count() == 2 && !said.contains("panicked"),
            "{kilobytes} kB: {said}"
        );
        done += said.matches(" loaded, 16 MB").count();
        refused += said.matches("hash: ").count() - said.matches(", 16 MB").count();
    }
    println!("{done} loaded, {refused} refused");
    assert!(done > 0);
}
