//! The memory of the engine: what options take they give back.
#![cfg(target_os = "linux")]

use crate::driver::Engine;

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
