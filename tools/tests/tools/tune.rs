//! Tuning runs with the built-in engine, which plays at random and has one number to tune: its Hash.

use crate::common::{TOOLS, engine, folder, wait_until};
use arena::tune::state::Iteration;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A run of the engine with this defect, short games, two at once.
fn command(defect: &str, more: &[&str]) -> Command {
    let mut command = Command::new(TOOLS);
    command.args(["tune", "--engine", &engine("x", defect), "--nodes", "1", "--max-moves", "20"]);
    command.args(["--concurrency", "2"]).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Standard output and standard error of a run, and whether all was well.
fn run(defect: &str, more: &[&str]) -> (String, String, bool) {
    let output = command(defect, more).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.success())
}

fn lines(results: &Path) -> Vec<String> {
    fs::read_to_string(results).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn iterations(results: &Path) -> Vec<Iteration> {
    lines(results).iter().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Starts a run without end and returns it once it has played a little.
fn begin(results: &Path, more: &[&str]) -> Child {
    let words = [&["--iterations", "3000", "--results", results.to_str().unwrap()], more].concat();
    let mut child = command("none", &words).spawn().unwrap();
    wait_until(&mut child, || lines(results).len() >= 8);
    child
}

#[test]
fn a_run_ends_with_table_lines_and_picture() {
    let folder = folder("tune-run");
    let (results, plot) = (folder.join("t.jsonl"), folder.join("t.svg"));
    let more = ["--iterations", "30", "--pairs", "2", "--results", results.to_str().unwrap(), "--plot"];
    let more = [&more[..], &[plot.to_str().unwrap()]].concat();
    let (out, err, well) = run("none", &more);
    assert!(well, "{err}");
    assert!(out.contains("30 of 30 iterations, 120 games\nFaults: none\n120 games in "), "{out}");
    let row: Vec<&str> = out.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((row[0], row[1], row[5]), ("Hash", "16", "1..64"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("Hash, int, ") && line.ends_with(", 1, 64, 4, 0.02")));
    assert!(fs::read_to_string(&plot).unwrap().contains("30 of 30 iterations"));
    for iteration in iterations(&results) {
        assert_eq!((iteration.pentanomial.count(), iteration.pentanomial.pair_count()), (4, 2));
        assert!([&iteration.plus, &iteration.minus].iter().all(|values| (1..=64).contains(&values[0])));
        assert_ne!(iteration.plus, iteration.minus);
    }
    // The same command has nothing more to play and tells the same.
    let (again, err, well) = run("none", &more);
    assert!(well && err.contains("continuing after 30 iterations"), "{err}");
    let table = |text: &str| text.lines().take(6).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(table(&again), table(&out));
    assert!(again.contains("\n0 games in "), "{again}");
}

#[test]
fn a_killed_run_goes_on_and_loses_nothing() {
    let folder = folder("tune-resume");
    let results = folder.join("t.jsonl");
    let mut child = begin(&results, &[]);
    child.kill().unwrap();
    child.wait().unwrap();

    // As if it were near its end, and the kill had come in the middle of a line.
    let text = fs::read_to_string(&results).unwrap();
    let whole = text.rfind('\n').unwrap() + 1;
    let kept: Vec<String> = text[..whole]
        .replace("\"iterations\":3000", "\"iterations\":40")
        .lines()
        .map(str::to_owned)
        .collect();
    let kept = &kept[..kept.len().min(30)];
    fs::write(&results, kept.join("\n") + "\n" + &kept[1][..20]).unwrap();

    let (out, err, well) = run("none", &["--iterations", "40", "--results", results.to_str().unwrap()]);
    assert!(well && err.contains(&format!("continuing after {} iterations", kept.len() - 1)), "{err}");
    assert!(out.contains("40 of 40 iterations, 80 games"), "{out}");
    assert_eq!(lines(&results)[..kept.len()], *kept, "earlier iterations stand as they were");
    let numbers: BTreeSet<u64> = iterations(&results).iter().map(|iteration| iteration.k).collect();
    assert_eq!((lines(&results).len(), numbers), (41, (1..=40).collect()), "every iteration once");
}

#[test]
fn another_run_is_not_continued() {
    let folder = folder("tune-other");
    let results = folder.join("t.jsonl");
    let file = results.to_str().unwrap();
    assert!(run("none", &["--iterations", "2", "--results", file]).2);
    let before = lines(&results);
    for (more, words) in [
        (&["--iterations", "3"][..], "iterations: 2 there, 3 here"),
        (&["--iterations", "2", "--seed", "5"], "settings: "),
        (&["--iterations", "2", "--pairs", "2"], "pairs: 1 there, 2 here"),
        (&["--iterations", "2", "--depth", "3"], "engine: "),
    ] {
        let (_, err, well) = run("none", &[more, &["--results", file]].concat());
        assert!(!well && err.contains("holds another tuning run") && err.contains(words), "{err}");
    }
    fs::write(&results, before.join("\n") + "\n" + &before[1] + "\n").unwrap();
    let (_, err, well) = run("none", &["--iterations", "2", "--results", file]);
    assert!(!well && err.contains("is there twice"), "{err}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_tells_where_it_is() {
    use rustix::process::{Pid, Signal, kill_process};
    let results = folder("tune-interrupt").join("t.jsonl");
    let child = begin(&results, &[]);
    // Twice at once is once, as timeout(1) has it.
    for _ in 0..2 {
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let done = iterations(&results).len();
    assert!(!output.status.success());
    assert!(err.contains(&format!("interrupted after {done} of 3000 iterations; the same command")), "{err}");
    assert!(out.contains(&format!("{done} of 3000 iterations")) && out.contains("Hash, int, "), "{out}");
}

#[test]
fn faults_move_no_parameter_and_end_the_run() {
    let folder = folder("tune-faults");
    let results = folder.join("t.jsonl");
    let (out, err, well) = run("crash", &["--iterations", "100", "--results", results.to_str().unwrap()]);
    assert!(!well && err.contains("10 pairs with faults in a row; the last: crash: "), "{err}");
    assert!(out.contains("Faults: ") && out.contains("× crash (logs in "), "{out}");
    assert!(out.contains("\nHash, int, 16, 1, 64, 4, 0.02\n"), "no value moves: {out}");
    let played = iterations(&results);
    assert!(
        (10..=12).contains(&played.len()),
        "{} played: at most one more by each of two threads",
        played.len()
    );
    // The engines were told the values of their side.
    let first = &played[0];
    let log = results.with_extension("faults").join(format!("game-{:06}.log", first.faults[0].game + 1));
    let log = fs::read_to_string(log).unwrap();
    for (side, values) in [("plus", &first.plus), ("minus", &first.minus)] {
        let told = format!("{side} > setoption name Hash value {}\n", values[0]);
        assert!(log.contains(&told), "no {told:?} in {log}");
    }
    let (_, err, well) = run("crash", &["--iterations", "100", "--stop-on-fault"]);
    assert!(!well && err.contains("1 pairs with faults in a row"), "{err}");
}

#[test]
fn wrong_input_is_named() {
    let folder = folder("tune-wrong");
    let file = folder.join("parameters");
    for (text, words) in [
        ("Hash, int, 16, 1, 65, 4, 0.02", "option Hash takes 1..64, not 1..65"),
        ("Hsah, int, 16, 1, 64, 4, 0.02", "no option \"Hsah\""),
        ("Hash, int, 16, 1, 64, 4", "is not of the form"),
        ("", "names no tunables"),
    ] {
        fs::write(&file, text).unwrap();
        let (_, err, well) = run("none", &["--parameters", file.to_str().unwrap()]);
        assert!(!well && err.contains(words) && !err.contains("panicked"), "{err}");
    }
    for (more, words) in [
        (&["--parameters", "/no/such/file"][..], "/no/such/file"),
        (&["--only", "Hush"], "no parameter \"Hush\"; there are Hash"),
        (&["--each", "option.Hash=3"], "option Hash is set and tuned"),
        (&["--iterations", "0"], "0 is not in 1.."),
        (&["--revision", "HEAD"], "cannot be used with"),
        (&["--plot", "/no/such/folder/x.svg"], "the picture /no/such/folder/x.svg"),
    ] {
        let (_, err, well) = run("none", more);
        assert!(!well && err.contains(words) && !err.contains("panicked"), "{err}");
    }
    let (_, err, well) = run("stillborn", &[]);
    assert!(!well && err.contains("engine plus: "), "{err}");
}
