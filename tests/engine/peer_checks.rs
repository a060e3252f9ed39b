//! What Stockfish's own checks of its command line and dialog ask of it (its tests/instrumented.py), in our words and positions.

use crate::driver::{Engine, variation};
use std::path::Path;
use std::process::Command;

/// White mates in two by giving the rook.
const MATE_IN_TWO: &str = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - -";

#[test]
fn every_command_line_ends_well() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (net, positions) = (folder.join("checked.nnue"), folder.join("checked.epd"));
    std::fs::write(&positions, format!("{}\n", chess::positions::KIWIPETE)).unwrap();
    let export = format!("export_net {}", net.display());
    let bench_file = format!("bench 16 1 3 {} depth", positions.display());
    for line in [
        "eval",
        "go nodes 1000",
        "go depth 8",
        "go perft 3",
        "go movetime 100",
        "go wtime 1000 btime 1000 winc 50 binc 50",
        "go wtime 500 btime 500 winc 0 binc 0",
        "go wtime 500 btime 500 winc 0 binc 0 movestogo 5",
        "go nodes 5000 searchmoves e2e4 d2d4",
        "bench 16 2 3 default depth",
        &bench_file,
        "d",
        "compiler",
        "license",
        "uci",
        &export,
    ] {
        // Each word is an argument.
        let output = Command::new(env!("CARGO_BIN_EXE_tamarack")).args(line.split(' ')).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{line}: {output:?}");
    }
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/default.nnue");
    assert!(std::fs::read(net).unwrap() == std::fs::read(built_in).unwrap(), "export_net");
}

/// Asserts that a line begins with these words in this order, numbers left out.
fn assert_words(line: &str, words: &[&str]) {
    let found: Vec<&str> = line.split(' ').filter(|word| word.parse::<i64>().is_err()).collect();
    assert_eq!(found[..words.len()], *words, "{line}");
}

#[test]
fn each_iteration_has_a_line_of_the_usual_words() {
    let mut engine = Engine::start();
    let before = ["info", "depth", "seldepth", "multipv", "score", "cp"];
    let behind = ["nodes", "nps", "hashfull", "tbhits", "time", "pv"];
    for wdl in [&[][..], &["wdl"]] {
        engine.send(&format!("setoption name UCI_ShowWDL value {}", !wdl.is_empty()));
        engine.send("ucinewgame");
        engine.send("position startpos");
        let found = engine.go("go depth 9");
        let lines: Vec<&String> = found.info.iter().filter(|line| line.starts_with("info depth")).collect();
        assert_eq!(lines.len(), 9, "{lines:#?}");
        for (depth, line) in (1..).zip(lines) {
            assert!(line.starts_with(&format!("info depth {depth} ")), "{line}");
            assert_words(line, &[&before[..], wdl, &behind].concat());
        }
    }
    engine.quit();
}

#[test]
fn a_mate_is_found_by_every_limit_and_with_chosen_moves() {
    let mut engine = Engine::start();
    for (moves, go, score, first) in [
        ("", "go depth 18 searchmoves a1a6", "mate 2", "a1a6"),
        ("", "go mate 2 searchmoves a1a6", "mate 2", "a1a6"),
        ("", "go nodes 100000 searchmoves a1a6", "mate 2", "a1a6"),
        ("", "go depth 18", "mate 2", "a1a6"),
        (" moves a1a6", "go depth 18 searchmoves b7a6", "mate -1", "b7a6"),
        (" moves a1a6 b7a6", "go depth 18", "mate 1", "b6b7"),
    ] {
        engine.send("ucinewgame");
        engine.send(&format!("{MATE_IN_TWO}{moves}"));
        let found = engine.go(go);
        let line = found.last_line();
        assert!(line.contains(&format!(" score {score} ")), "{moves}, {go}: {line}");
        assert_eq!((variation(line)[0], &*found.best[0]), (first, first), "{moves}, {go}");
    }
    engine.quit();
}

#[test]
fn options_are_changed_between_searches() {
    let net = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exchanged.nnue");
    let mut engine = Engine::start();
    engine.send(&format!("export_net {}", net.display()));
    for line in [
        &*format!("setoption name EvalFile value {}", net.display()),
        "setoption name MultiPV value 4",
        "setoption name Skill Level value 10",
        "setoption name Skill Level value 20",
        "setoption name Clear Hash",
        "flip",
    ] {
        engine.send("position startpos moves e2e4");
        let said: Vec<String> =
            engine.ask(line).into_iter().filter(|line| !line.starts_with("info string")).collect();
        assert!(said.is_empty(), "{line}: {said:?}");
        assert_ne!(engine.go("go depth 5").best[0], "(none)", "{line}");
    }
    engine.quit();
}
