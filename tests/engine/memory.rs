//! The memory of the engine: what options take they give back.
#![cfg(target_os = "linux")]

use crate::driver::Engine;
use nnue::network::{Shape, sample};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A thread and 16 MB, after a short search: what the engine holds then, in kilobytes.
fn at_rest(engine: &mut Engine) -> u64 {
    engine.send("setoption name Threads value 1");
    engine.send("setoption name Hash value 16");
    engine.send("position startpos");
    engine.go("go nodes 20000");
    engine.ready();
    engine.resident_kilobytes()
}

#[test]
fn threads_and_hash_changed_twenty_times_lose_nothing_and_leak_nothing() {
    let mut engine = Engine::start();
    // What the C library keeps once there were threads, a few heaps, is no leak.
    engine.send("setoption name Threads value 40");
    let before = at_rest(&mut engine);
    let counts = [2, 40, 1, 7, 100, 3, 1, 128, 5, 1, 60, 2, 9, 1, 30, 4, 3, 64, 1, 2];
    for (round, threads) in counts.into_iter().enumerate() {
        let during_search = round % 2 == 1;
        if during_search {
            engine.send("go infinite");
        }
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name Hash value {}", 1 << (round % 9)));
        if during_search {
            assert_ne!(engine.answer().best[0], "(none)", "round {round}");
        }
        assert_ne!(engine.go("go nodes 1000").best[0], "(none)", "round {round}");
    }
    let after = at_rest(&mut engine);
    assert!(after <= before + before / 20, "{before} kB before, {after} kB after");
    engine.send("quit");
}

#[test]
fn isready_waits_until_the_table_has_its_memory() {
    let mut engine = Engine::start();
    engine.ready();
    let before = engine.resident_kilobytes();
    engine.send("setoption name Threads value 3");
    engine.send("setoption name Hash value 160");
    engine.ready();
    let after = engine.resident_kilobytes();
    assert!(after >= before + (140 << 10), "{before} kB before, {after} kB after");
    engine.send("quit");
}

/// A network file of a temporary folder, wider than the built-in one.
fn wide_network() -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wide.nnue");
    std::fs::write(&file, sample(Shape { hidden: 1024, buckets: 8 }, 3).to_bytes()).unwrap();
    file
}

/// Whatever address space there is, what takes memory is done or refused with a sentence, and the engine plays on.
#[test]
fn no_option_ends_the_program_where_memory_is_short() {
    let wide = wide_network();
    let wide = format!("setoption name EvalFile value {}", wide.display());
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue");
    let default = format!("setoption name EvalFile value {default}");
    let nodes: Vec<String> = (0..64).map(|node| node.to_string()).collect();
    let nodes = format!("setoption name NumaPolicy value {}", nodes.join(":"));
    let exported = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short of memory.nnue");
    let export = format!("export_net {}", exported.display());
    let scripts: [&[&str]; 4] = [
        &[&default, "go nodes 500", "eval", &export],
        &[&wide, "go nodes 500", &default, "go nodes 500", "eval"],
        &[
            "setoption name Threads value 16",
            &wide,
            "go nodes 2000",
            "setoption name EvalFile value <built-in>",
        ],
        &["setoption name Threads value 64", &nodes, "go nodes 2000", &wide],
    ];
    // All scripts at once: under load threads come to their memory in many an order.
    let refused: usize = std::thread::scope(|scope| {
        scripts
            .map(|script| scope.spawn(move || refusals(script)))
            .map(|thread| thread.join().unwrap())
            .iter()
            .sum()
    });
    assert!(refused > 0, "every network was loaded");
}

/// Runs a script under ten limits of the address space. Returns how often a network was refused.
fn refusals(script: &[&str]) -> usize {
    let mut refused = 0;
    for kilobytes in
        [190_000, 200_000, 204_800, 220_000, 250_000, 300_000, 400_000, 550_000, 800_000, 1_100_000]
    {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_tamarack"))
            .args(script)
            .args(["go nodes 1000", "d"])
            .output()
            .unwrap();
        let [said, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.code().is_some(), "{kilobytes} kB, {script:?}: {} {errors}", output.status);
        assert!(
            said.contains("bestmove ") && !said.contains("(none)"),
            "{kilobytes} kB, {script:?}: {said} {errors}"
        );
        assert!(
            said.contains("legal moves") && !errors.contains("panicked"),
            "{kilobytes} kB, {script:?}: {errors}"
        );
        refused += usize::from(errors.contains("option EvalFile: "));
    }
    refused
}
