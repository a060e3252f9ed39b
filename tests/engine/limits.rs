//! Limits of the address space and of processes: the engine plays on with what it gets, and says what it does not.

use nnue::network::{Shape, sample};
use std::path::{Path, PathBuf};
use std::process::Output;
use testkit::limits;

const ENGINE: &str = env!("CARGO_BIN_EXE_tamarack");

fn within_memory(kilobytes: u32, commands: &[&str]) -> Output {
    limits::within_memory(kilobytes, ENGINE).args(commands).output().unwrap()
}

fn within_processes(count: u32, commands: &[&str]) -> Option<Output> {
    limits::within_processes(count, ENGINE).map(|mut engine| engine.args(commands).output().unwrap())
}

/// The engine has ended by itself, without a panic, with a move for each `go` and a board for each `d`. Returns what it said of
/// its errors.
fn assert_played(output: &Output, commands: &[&str], limit: &str) -> String {
    let [said, errors] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    let told = || format!("{limit}, {commands:?}: {} {said} {errors}", output.status);
    assert!(output.status.code().is_some() && !errors.contains("panicked"), "{}", told());
    let searches = commands.iter().filter(|command| command.starts_with("go ")).count();
    assert_eq!(said.matches("bestmove ").count(), searches, "{}", told());
    assert!(!said.contains("bestmove (none)"), "{}", told());
    let boards = commands.iter().filter(|&&command| command == "d").count();
    assert_eq!(said.matches(" legal moves").count(), boards, "{}", told());
    errors
}

/// The threads that were started of so many, by what was said of it.
fn threads_started(errors: &str, wanted: usize) -> usize {
    match errors.split_once(&format!("cannot start {wanted} threads, using ")) {
        Some((_, rest)) => rest.split(':').next().unwrap().parse().expect(errors),
        None => wanted,
    }
}

/// How many are wanted decides nothing about how many there can be.
#[test]
fn when_the_system_gives_fewer_threads_all_that_it_gives_are_used() {
    const WANTED: [usize; 7] = [8, 16, 32, 48, 64, 100, 1024];
    for kilobytes in [700_000, 1_300_000, 2_500_000] {
        let counts = WANTED.map(|wanted| {
            let commands = [&*format!("setoption name Threads value {wanted}"), "go nodes 1000"];
            let output = within_memory(kilobytes, &commands);
            threads_started(&assert_played(&output, &commands, &format!("{kilobytes} kB")), wanted)
        });
        // A little depends on the order in which threads take and give back their memory.
        let most = counts.into_iter().max().unwrap();
        for (wanted, count) in WANTED.into_iter().zip(counts) {
            assert!(count + 2 >= most.min(wanted), "{kilobytes} kB, {wanted} wanted: {counts:?}");
        }
        assert!(most < 1024, "{counts:?}");
    }
}

/// All threads that may be started are, but one, which listens.
#[test]
fn a_limit_of_processes_costs_only_the_threads_beyond_it() {
    let commands = ["setoption name Threads value 64", "go nodes 1000"];
    for limit in [2, 3, 5, 8, 12, 20, 33, 40, 64, 65] {
        let Some(output) = within_processes(limit, &commands) else {
            eprintln!("skipped: no limit of processes can be set");
            return;
        };
        let errors = assert_played(&output, &commands, &format!("{limit} processes"));
        assert_eq!(threads_started(&errors, 64), limit as usize - 1, "{limit} processes: {errors}");
    }
}

#[test]
fn no_limit_of_memory_ends_the_program() {
    let commands = ["setoption name Threads value 4", "go nodes 2000"];
    for kilobytes in (190_000..=580_000).step_by(10_000) {
        assert_played(&within_memory(kilobytes, &commands), &commands, &format!("{kilobytes} kB"));
    }
}

/// Commands that take memory or threads.
fn scripts() -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let wide = PathBuf::from(file("wide.nnue"));
    std::fs::write(&wide, sample(Shape { hidden: 2048, buckets: 8 }, 3).to_bytes()).unwrap();
    let wide = &*format!("setoption name EvalFile value {}", wide.display());
    let default = &*format!("setoption name EvalFile value {}/nets/default.nnue", env!("CARGO_MANIFEST_DIR"));
    let nodes: Vec<String> = (0..64).map(|node| node.to_string()).collect();
    let nodes = &*format!("setoption name NumaPolicy value {}", nodes.join(":"));
    let built_in = "setoption name EvalFile value <built-in>";
    let scripts: [&[&str]; 6] = [
        &[default, "go nodes 500", "eval", &format!("export_net {}", file("exported.nnue"))],
        &[wide, "go nodes 500", default, "go nodes 500", "eval"],
        &["setoption name Threads value 16", wide, "go nodes 2000", built_in],
        &["setoption name Threads value 64", nodes, "go nodes 2000", wide],
        &[
            &format!("setoption name Debug Log File value {}", file("log.txt")),
            "setoption name Hash value 200",
            &format!("savehash {}", file("table.hash")),
            "setoption name Hash value 1",
            &format!("loadhash {}", file("table.hash")),
            "setoption name Clear Hash",
        ],
        &[
            "setoption name MultiPV value 500",
            "go nodes 2000",
            "perft 3",
            "speedtest 8 64 nodes 2000",
            "bench 2",
        ],
    ];
    let ending = ["go nodes 1000", "d"];
    scripts.map(|script| script.iter().chain(&ending).map(|&command| command.to_owned()).collect()).to_vec()
}

/// Runs each script under each of these limits of the address space, in kilobytes. Returns how often a network was refused.
fn refusals(limits: &[u32]) -> usize {
    // All scripts at once: under load threads come to their memory in many an order.
    std::thread::scope(|scope| {
        let refused = |script: Vec<String>| {
            let commands: Vec<&str> = script.iter().map(String::as_str).collect();
            let refused = limits.iter().filter(|&&kilobytes| {
                let output = within_memory(kilobytes, &commands);
                let errors = assert_played(&output, &commands, &format!("{kilobytes} kB"));
                errors.contains("option EvalFile: ")
            });
            refused.count()
        };
        let threads: Vec<_> =
            scripts().into_iter().map(|script| scope.spawn(move || refused(script))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// Whatever address space there is, what takes memory is done or refused with a sentence, and the engine plays on.
#[test]
fn no_option_ends_the_program_where_memory_is_short() {
    let limits = [190_000, 200_000, 204_800, 220_000, 250_000, 300_000, 400_000, 550_000, 800_000, 1_100_000];
    assert!(refusals(&limits) > 0, "every network was loaded");
}

/// The same under forty limits of the address space, and ten of processes.
#[test]
#[ignore = "minutes (crates/testkit/proofs limits)"]
fn no_command_ends_the_program_under_any_limit() {
    let limits: Vec<u32> = (0..40).map(|step| 188_000 + step * step * 900).collect();
    assert!(refusals(&limits) > 0, "every network was loaded");
    for script in scripts() {
        let commands: Vec<&str> = script.iter().map(String::as_str).collect();
        for limit in [2, 3, 4, 6, 8, 12, 20, 33, 50, 64] {
            if let Some(output) = within_processes(limit, &commands) {
                assert_played(&output, &commands, &format!("{limit} processes"));
            }
        }
    }
}
