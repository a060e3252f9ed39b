//! Engines that misbehave lose the game, are named with what they did, and do not disturb the match.

use crate::common::{engine, folder, parse};
use arena::matches::{self, MatchSummary};
use arena::play::player::FaultKind;
use std::time::Duration;

/// The words of the system for a process that has ended with this code.
fn exit_status(code: u32) -> String {
    let words = if cfg!(windows) { "exit code" } else { "exit status" };
    format!("{words}: {code}")
}

/// Two games at once of the bad engine against a sound one, which has all the time in the world: these tests must not
/// depend on how busy the machine is.
fn play(defect: &str, limit: &[&str]) -> MatchSummary {
    let folder = folder(&format!("faults-{defect}"));
    let results = folder.join("r.jsonl");
    let (bad, good) = (engine("bad", defect), engine("good", "none") + ",tc=600");
    let mut words = vec!["--engine", &bad, "--engine", &good, "--games", "2", "--concurrency", "2"];
    words.extend(["--max-moves", "6", "--results", results.to_str().unwrap()]);
    words.extend(limit);
    let arguments = parse(&words);
    let mut setup = arguments.setup().unwrap();
    setup.patience.think = Duration::from_millis(1000);
    setup.patience.stop = Duration::from_millis(500);
    setup.patience.ready = Duration::from_secs(20);
    matches::play_match(&setup, &arguments.play).unwrap()
}

/// The bad engine must have lost all games by this fault, and nobody else be blamed.
fn assert_blamed(summary: &MatchSummary, kind: FaultKind, words: &str) {
    let faults: Vec<_> = summary.results.faults.iter().collect();
    assert_eq!(faults, [(&(0, kind), &2)], "{}", summary.text);
    assert_eq!(summary.results.pentanomials[0].games, [2, 0, 0]);
    for record in &summary.records {
        let fault = record.fault.as_ref().unwrap();
        assert!(fault.detail.contains(words), "{:?} does not say {words:?}", fault.detail);
        assert!(record.pgn.contains(&format!("bad loses by {}", kind.words())), "{}", record.pgn);
    }
    assert!(summary.text.contains(&format!("bad 2× {}", kind.words())), "{}", summary.text);
}

#[test]
fn crash_is_a_loss_and_the_engine_is_started_again() {
    let summary = play("crash", &["--nodes", "10"]);
    assert_blamed(&summary, FaultKind::Crash, &exit_status(3));
    let log = folder_log("faults-crash");
    assert!(log.contains("here are my last words"), "{log}");
    assert!(log.contains("bad > go nodes 10"), "{log}");
}

fn folder_log(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join("r.faults/game-000001.log");
    std::fs::read_to_string(path).unwrap()
}

// Elsewhere the standard library cannot close its standard output.
#[cfg(unix)]
#[test]
fn closed_output_is_a_crash() {
    assert_blamed(&play("close", &["--nodes", "10"]), FaultKind::Crash, "closed its output");
}

#[test]
fn hanging_is_a_stall_with_a_clock_and_without() {
    assert_blamed(&play("hang", &["--nodes", "10"]), FaultKind::Stall, "not even after stop");
    assert_blamed(&play("hang", &["--tc", "0.2+0"]), FaultKind::Stall, "not even after stop");
}

#[test]
fn a_flood_of_lines_is_a_stall() {
    assert_blamed(&play("flood", &["--nodes", "10"]), FaultKind::Stall, "no move in");
}

/// Its moves fill the queue and the pipe, and no memory; where one of them is taken for the next answer it is illegal.
#[test]
fn a_flood_of_moves_hurts_nobody_else() {
    let summary = play("move-flood", &["--nodes", "10"]);
    let faults = [(0, FaultKind::Illegal), (0, FaultKind::Stall)];
    assert!(!summary.results.faults.is_empty(), "{}", summary.text);
    assert!(summary.results.faults.keys().all(|fault| faults.contains(fault)), "{}", summary.text);
}

#[test]
fn an_introduction_without_end_is_refused() {
    let (good, bad) = (engine("good", "none"), engine("bad", "name-flood"));
    let arguments = parse(&["--engine", &good, "--engine", &bad, "--nodes", "1"]);
    let error =
        format!("{:#}", matches::play_match(&arguments.setup().unwrap(), &arguments.play).unwrap_err());
    assert!(error.contains("engine bad: it writes lines without end instead of uciok"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_has_started_ends_with_it() {
    assert_blamed(&play("parent", &["--nodes", "10"]), FaultKind::Crash, &exit_status(4));
    let log = folder_log("faults-parent");
    let started = log.lines().find_map(|line| line.split_once("started ")).unwrap().1;
    // Whose parent is gone it stays in the list of processes for a while, as a zombie.
    let lives = || {
        let status = std::fs::read_to_string(format!("/proc/{started}/status")).unwrap_or_default();
        status.contains("State:") && !status.contains("State:\tZ")
    };
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while lives() {
        assert!(std::time::Instant::now() < deadline, "process {started} lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn late_moves_are_time_losses() {
    assert_blamed(&play("late", &["--tc", "0.2+0"]), FaultKind::Time, "too late");
}

#[test]
fn a_late_move_within_the_margin_is_no_fault() {
    let summary = play("late", &["--tc", "0.1+0", "--margin", "10000"]);
    assert!(summary.results.faults.is_empty(), "{}", summary.text);
}

#[test]
fn a_move_is_not_forgiven_if_the_processor_was_free() {
    let summary = play("late", &["--tc", "0.2+0", "--forgive-waits", "100"]);
    assert_blamed(&summary, FaultKind::Time, "too late");
}

#[test]
fn overrunning_a_fixed_time_is_a_time_loss() {
    let summary = play("late", &["--movetime", "50", "--movetime-margin", "20"]);
    assert_blamed(&summary, FaultKind::Time, "too late");
}

#[test]
fn an_engine_that_moves_only_when_stopped_is_at_fault() {
    assert_blamed(&play("sleepy", &["--tc", "0.1+0"]), FaultKind::Time, "too late");
    assert_blamed(&play("sleepy", &["--depth", "1"]), FaultKind::Stall, "only after stop");
}

#[test]
fn illegal_moves_are_blamed_with_the_position() {
    assert_blamed(
        &play("illegal", &["--nodes", "10"]),
        FaultKind::Illegal,
        "\"a1a1\" is not a legal move in ",
    );
    assert_blamed(&play("gibberish", &["--nodes", "10"]), FaultKind::Illegal, "xyzzy");
    assert_blamed(&play("resigner", &["--nodes", "10"]), FaultKind::Illegal, "(none)");
}

#[test]
fn illegal_lines_are_blamed_when_asked_for() {
    assert_blamed(
        &play("line", &["--nodes", "10", "--check-lines"]),
        FaultKind::Line,
        "is not a legal move there",
    );
    for (defect, more) in [("line", &["--nodes", "10"][..]), ("none", &["--nodes", "10", "--check-lines"])] {
        assert!(play(defect, more).results.faults.is_empty(), "{defect} {more:?}");
    }
}

#[test]
fn not_ready_is_a_stall() {
    let folder = folder("unready");
    let (bad, good) = (engine("bad", "unready"), engine("good", "none"));
    let results = folder.join("r.jsonl");
    let arguments = parse(&[
        "--engine",
        &bad,
        "--engine",
        &good,
        "--games",
        "2",
        "--nodes",
        "1",
        "--results",
        results.to_str().unwrap(),
    ]);
    let mut setup = arguments.setup().unwrap();
    setup.patience.ready = Duration::from_secs(3);
    let error = format!("{:#}", matches::play_match(&setup, &arguments.play).unwrap_err());
    assert!(error.contains("engine bad: no readyok within 3 s"), "{error}");
}

#[test]
fn rubbish_does_not_disturb() {
    let summary = play("rubbish", &["--tc", "600+0"]);
    assert!(summary.results.faults.is_empty(), "{}", summary.text);
    assert_eq!(summary.results.games(), 2);
}

/// The second answer may be dropped or be taken for the next one; in no case may the opponent be blamed for it.
#[test]
fn double_answers_hurt_nobody_else() {
    let summary = play("twice", &["--tc", "600+0"]);
    assert_eq!(summary.results.games(), 2);
    assert!(summary.results.faults.keys().all(|key| *key == (0, FaultKind::Illegal)), "{}", summary.text);
}

#[test]
fn an_engine_that_does_not_start_is_named_before_the_first_game() {
    for (defect, words) in [("stillborn", exit_status(1)), ("mute", "no uciok within".to_owned())] {
        let (good, bad) = (engine("good", "none"), engine("bad", defect));
        let arguments = parse(&["--engine", &good, "--engine", &bad, "--nodes", "1"]);
        let mut setup = arguments.setup().unwrap();
        setup.patience.ready = Duration::from_secs(3);
        let error = format!("{:#}", matches::play_match(&setup, &arguments.play).unwrap_err());
        assert!(error.contains("engine bad: ") && error.contains(&words), "{error}");
    }
}

#[test]
fn wrong_paths_options_and_values_are_named() {
    let good = engine("good", "none");
    for (bad, words) in [
        ("name=x,cmd=/no/such/engine".to_owned(), "/no/such/engine"),
        (engine("x", "none") + ",option.Hsah=16", "x offers no option \"Hsah\""),
        (engine("x", "none") + ",option.Hash=1000", "Hash=1000 is outside 1..64"),
    ] {
        let arguments = parse(&["--engine", &good, "--engine", &bad, "--nodes", "1"]);
        let error = matches::play_match(&arguments.setup().unwrap(), &arguments.play).unwrap_err();
        assert!(format!("{error:#}").contains(words), "{error:#}");
    }
}

#[test]
fn a_match_without_games_is_refused() {
    let (one, two) = (engine("one", "none"), engine("two", "none"));
    let output = std::process::Command::new(crate::common::TOOLS)
        .args(["match", "--engine", &one, "--engine", &two, "--nodes", "1", "--games", "0"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("'--games <GAMES>': 0 is not in 1.."), "{text}");
}
