//! The fuzzer finds each fault of an engine that has one, and none where there is none.

use crate::common::TOOLS;
use arena::play::spec::EngineSpec;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::fuzz::script::{ScriptStep, from_text};
use testkit::fuzz::{generate, session};

/// A short match with the engine of this defect, and the fault that the fuzzer finds.
fn fault(defect: &str, patience: f64) -> Option<String> {
    let spec = EngineSpec {
        command: PathBuf::from(TOOLS),
        arguments: vec!["bad-engine".to_owned(), defect.to_owned()],
        ..EngineSpec::default()
    };
    let game = "> position startpos\n> go depth 1\nawait\n";
    let script = format!("> uci\n> isready\nawait\n{}> isready\nawait\n> quit\n", game.repeat(4));
    let steps = from_text(&script).unwrap();
    let outcome = session::play(&spec, &steps, Duration::from_secs_f64(patience)).unwrap();
    assert!(outcome.sent > 2 || outcome.fault.is_some());
    outcome.fault.map(|fault| fault.detail)
}

/// Patience with an engine that will answer, however busy the machine is.
const PATIENT: f64 = 60.0;

#[test]
fn a_sound_engine_has_no_fault() {
    assert_eq!(fault("none", PATIENT), None);
}

#[test]
fn illegal_and_doubled_moves_are_found() {
    for defect in ["illegal", "gibberish", "resigner"] {
        assert!(fault(defect, PATIENT).unwrap().contains("is not legal in"), "{defect}");
    }
    assert!(fault("twice", PATIENT).unwrap().contains("instead of"));
    assert!(fault("line", PATIENT).unwrap().contains("is not legal there"));
}

#[test]
fn lost_answers_are_found() {
    let faults =
        [("hang", "the bestmove in"), ("flood", "much talk"), ("mute", "uciok"), ("unready", "readyok")];
    // At once, since each only waits.
    std::thread::scope(|scope| {
        for (kind, said) in faults {
            scope.spawn(move || assert!(fault(kind, 3.0).unwrap().contains(said), "{kind}"));
        }
    });
}

#[test]
fn crashes_are_found_with_their_status() {
    assert!(fault("crash", PATIENT).unwrap().contains("it ended: exit"));
    assert!(fault("stillborn", PATIENT).unwrap().contains("it ended: exit"));
}

#[test]
fn a_random_session_finds_a_bad_engine() {
    let spec = EngineSpec {
        command: PathBuf::from(TOOLS),
        arguments: vec!["bad-engine".to_owned(), "twice".to_owned()],
        ..EngineSpec::default()
    };
    let fault = session::play(&spec, &generate::session(1), Duration::from_secs(3)).unwrap().fault;
    assert!(fault.is_some_and(|fault| fault.step > 1));
}

#[test]
fn scripts_of_old_faults_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in files {
        let steps = from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert!(steps.iter().any(|step| matches!(step, ScriptStep::Line(_))), "{}", file.display());
    }
}
