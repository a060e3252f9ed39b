//! A soak plays on the clock under options that change, and keeps every fault with what is needed to replay it.

use crate::common::{engine, folder};
use arena::matches::MatchSummary;
use arena::matches::results_file::read;
use arena::matches::soak::{SoakArguments, soak};
use arena::play::player::FaultKind;
use clap::Parser;
use std::fs;
use std::path::Path;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    arguments: SoakArguments,
}

/// A soak of short games against a sound engine, with all the time in the world.
fn play(defect: &str, folder: &Path, more: &[&str]) -> MatchSummary {
    let (first, second) = (engine("first", defect), engine("second", "none"));
    let results = folder.join("s.jsonl");
    let mut words = vec!["soak", "--engine", &first, "--engine", &second, "--tc", "600", "--max-moves", "8"];
    words.extend(["--results", results.to_str().unwrap()]);
    words.extend(more);
    soak(&CommandLine::parse_from(words).arguments).unwrap()
}

#[test]
fn sound_engines_play_under_changing_options_without_a_fault_and_go_on_where_they_stopped() {
    let folder = folder("soak-sound");
    let summary = play("none", &folder, &["--games", "8"]);
    assert!(summary.results.faults.is_empty(), "{}", summary.text);
    assert_eq!(summary.results.games(), 8);
    assert!(summary.text.contains("before the end of its allotment"), "{}", summary.text);
    let (_, records) = read(&folder.join("s.jsonl")).unwrap();
    let all: Vec<String> = records.iter().map(|record| record.conditions.join(" / ")).collect();
    for words in
        ["Hash=", "Ponder=true", "Ponder=false", "UCI_Chess960=true", "UCI_Chess960=false", "no ucinew"]
    {
        assert!(all.iter().any(|conditions| conditions.contains(words)), "{words}: {all:?}");
    }
    let again = play("none", &folder, &["--games", "10"]);
    assert_eq!((again.results.games(), again.records[..8].to_vec()), (10, summary.records));
}

#[test]
fn a_fault_is_kept_with_the_options_and_the_whole_conversation() {
    let folder = folder("soak-crash");
    let summary = play("crash", &folder, &["--games", "2"]);
    assert_eq!(summary.results.faults[&(0, FaultKind::Crash)], 2, "{}", summary.text);
    let log = fs::read_to_string(folder.join("s.faults/game-000001.log")).unwrap();
    for words in
        ["[Event \"Tamarack soak\"]", "first > setoption name Hash value", "first > go wtime", "last words"]
    {
        assert!(log.contains(words), "{words}: {log}");
    }
}

#[test]
fn engines_ponder_and_one_that_moves_before_it_is_told_to_is_at_fault() {
    let folder = folder("soak-eager");
    let summary = play("eager", &folder, &["--games", "16", "--ponder"]);
    // Where its opponent was quicker nobody can tell that it did not wait; but not in every move of every game.
    let kinds: Vec<_> = summary.results.faults.keys().copied().collect();
    assert_eq!(kinds, [(0, FaultKind::Illegal)], "{}", summary.text);
    let record = summary.records.iter().find(|record| record.fault.is_some()).unwrap();
    let detail = &record.fault.as_ref().unwrap().detail;
    assert!(detail.contains("while pondering"), "{detail}");
    let log = format!("s.faults/game-{:06}.log", record.number + 1);
    let log = fs::read_to_string(folder.join(log)).unwrap();
    assert!(log.contains("first > go ponder wtime"), "{log}");
}

#[test]
fn a_soak_ends_when_its_time_is_over() {
    let summary = play("none", &folder("soak-time"), &["--hours", "1e-9"]);
    assert!(summary.results.games() == 0 && summary.text.contains("the time is over"), "{}", summary.text);
}
