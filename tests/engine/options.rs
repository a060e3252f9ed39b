//! The promises of options and commands beside the protocol's own, tried on the real engine: `nodestime`, `Minimal`,
//! `genfens`, limited strength, and all that programs expect at least.

use crate::driver::{Engine, value, variation};
use chess::{FenStyle, Position};
use nnue::file::NetworkFile;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const MIDDLEGAME: &str = "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQkq - 0 8";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tamarack")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn set(engine: &mut Engine, option: &str, value: impl std::fmt::Display) {
    let said = engine.ask(&format!("setoption name {option} value {value}"));
    assert!(said.is_empty(), "{said:?}");
}

/// An engine at a level, in a new game.
fn level(elo: u32) -> Engine {
    let mut engine = Engine::start();
    set(&mut engine, "UCI_LimitStrength", true);
    set(&mut engine, "UCI_Elo", elo);
    engine
}

/// The moves of the engine against itself from the usual array, each search begun by `go`.
fn own_game(engine: &mut Engine, go: &str, plies: usize) -> Vec<String> {
    engine.send("ucinewgame");
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < plies {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        match engine.go(go).best.swap_remove(0) {
            best if best == "(none)" => break,
            best => moves.push(best),
        }
    }
    moves
}

#[test]
fn every_option_that_programs_expect_is_listed_and_takes_its_value() {
    let mut engine = Engine::start();
    let listed = engine.ask("uci");
    for (option, value) in [
        ("Hash", "4"),
        ("Threads", "2"),
        ("Clear Hash", ""),
        ("MultiPV", "2"),
        ("Ponder", "true"),
        ("UCI_Chess960", "false"),
        ("UCI_ShowWDL", "true"),
        ("Move Overhead", "30"),
        ("SyzygyPath", "<empty>"),
        ("SyzygyProbeDepth", "2"),
        ("SyzygyProbeLimit", "6"),
        ("Syzygy50MoveRule", "true"),
        ("EvalFile", "<built-in>"),
        ("UCI_LimitStrength", "false"),
        ("UCI_Elo", "2000"),
        ("Skill Level", "20"),
        ("UCI_Opponent", "GM 2800 human Gary Kasparov"),
        ("nodestime", "0"),
        ("Debug Log File", "<empty>"),
        ("Minimal", "false"),
    ] {
        let line = format!("option name {option} type ");
        assert!(listed.iter().any(|listed| listed.starts_with(&line)), "{option}: {listed:#?}");
        let said = engine.ask(&format!("setoption name {option} value {value}"));
        assert!(said.is_empty(), "{option}: {said:?}");
    }
    let said = engine.ask("setoption name NumaPolicy value none");
    assert!(
        said.iter().all(|line| line.starts_with("info string")) && listed.join("\n").contains("NumaPolicy"),
        "{said:?}"
    );
    let found = engine.go("go depth 4");
    assert!(found.last_line().contains(" wdl ") && found.last_line().contains(" multipv 2 "));
    engine.quit();
}

#[test]
fn every_command_that_programs_expect_is_answered() {
    for (command, words) in [
        ("bench 1", " nps"),
        ("perft 2", "400 nodes "),
        ("go perft 2", "400 nodes "),
        ("d", "Fen: rnbqkbnr/"),
        ("eval", "final evaluation "),
        ("compiler", "rustc"),
        ("help", "genfens N seed S book FILE|None"),
        ("license", "GNU General Public License"),
        ("genfens 1 seed 1 book None", "info string genfens "),
        ("speedtest 1 16 nodes 1000", "nodes/s"),
        ("perft 1 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "info string position: FEN: "),
        ("eval 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "info string position: FEN: "),
        ("wait", "info string wait: done"),
    ] {
        let mut engine = Engine::start();
        engine.send(command);
        engine.read_until(command, |line| line.to_lowercase().contains(&words.to_lowercase()));
        engine.quit();
    }
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    let said = engine.ask("flip");
    assert!(said.is_empty() && engine.ask("d").iter().any(|line| line.contains("4p3/8/8/PPPPPPPP")));
    engine.quit();
}

#[test]
fn a_network_file_is_used_and_one_that_is_none_leaves_it_there() {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue");
    let mut bytes = std::fs::read(default).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("network files");
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("a copy.nnue");
    std::fs::write(&copy, &bytes).unwrap();
    let damaged = folder.join("damaged.nnue");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, &bytes).unwrap();
    let mut engine = Engine::start();
    let built_in = engine.ask("eval");
    set(&mut engine, "EvalFile", copy.display());
    assert_eq!(engine.ask("eval"), built_in);
    for file in [&damaged, &folder, &folder.join("missing.nnue")] {
        let said = engine.ask(&format!("setoption name EvalFile value {}", file.display()));
        let named = format!("info string option EvalFile: {}: ", file.display());
        assert!(said.len() == 1 && said[0].starts_with(&named), "{said:?}");
        assert_eq!(engine.ask("eval"), built_in);
    }
    set(&mut engine, "EvalFile", "<built-in>");
    assert_ne!(engine.go("go depth 5").best, ["(none)"]);
    engine.quit();
}

#[test]
fn files_with_any_blanks_in_their_names_are_found_and_written() {
    let tables = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    for name in
        ["two  blanks", "a\ttab", "a no-break\u{a0}blank", "an ideographic\u{3000}blank", "\u{3000}first"]
    {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("blanks").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name).display().to_string();
        for table in ["KPvK.rtbw", "KPvK.rtbz"] {
            std::fs::copy(tables.join(table), folder.join(table)).unwrap();
        }
        let mut engine = Engine::start();
        set(&mut engine, "Debug Log File", file("log"));
        assert_eq!(
            engine.ask(&format!("export_net {}", file("net"))),
            [format!("info string export_net: {} written", file("net").replace('\t', "?"))]
        );
        set(&mut engine, "EvalFile", file("net"));
        let said = engine.ask(&format!("setoption name SyzygyPath value {}", folder.display()));
        assert_eq!(said, ["info string found 1 WDL and 1 DTZ tables"]);
        engine.go("go depth 4");
        let said = [format!("savehash {}", file("hash")), format!("loadhash {}", file("hash"))]
            .map(|command| engine.ask(&command).concat());
        assert!(said[0].contains(" written, ") && said[1].contains(" loaded, "), "{said:?}");
        engine.quit();
        for file in ["net", "hash", "log"] {
            assert!(folder.join(file).is_file(), "{file} in {name:?}");
        }
        let exported = file("from the prompt");
        let output = run(&["export_net", &exported]);
        assert!(output.status.success() && PathBuf::from(exported).is_file());
    }
}

/// `build.rs` prints this sentence as cargo's error.
#[test]
fn a_build_refuses_a_file_that_is_no_network_with_one_sentence() {
    let check = |file: &str| NetworkFile::check(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file));
    let said = check("Cargo.toml").unwrap_err().to_string();
    assert!(said.starts_with("not a network of Tamarack: ") && !said.contains('\n'), "{said}");
    assert!(check("nets/none.nnue").is_err());
    check("nets/default.nnue").unwrap();
}

#[test]
fn a_level_shows_all_its_lines_in_the_order_in_which_it_prefers_them() {
    for (elo, minimal) in [(1300, false), (1300, true), (600, false), (900, true)] {
        let mut engine = level(elo);
        set(&mut engine, "MultiPV", 3);
        set(&mut engine, "Minimal", minimal);
        for first in ["e2e4", "d2d4", "g1f3", "b1c3", "c2c4", "b2b3", "g2g3", "f2f4"] {
            engine.send("ucinewgame");
            engine.send(&format!("position startpos moves {first}"));
            let answer = engine.go("go nodes 3000");
            let lines: Vec<&str> =
                answer.info.iter().filter(|line| line.contains(" pv ")).map(String::as_str).collect();
            let last = &lines[lines.len() - 3..];
            let numbers: Vec<&str> = last.iter().filter_map(|line| value(line, "multipv")).collect();
            assert_eq!(numbers, ["1", "2", "3"], "{last:?}");
            assert_eq!(variation(last[0])[0], answer.best[0], "{last:?}");
            let moves: HashSet<&str> = last.iter().map(|line| variation(line)[0]).collect();
            assert_eq!(moves.len(), 3, "{last:?}");
        }
        engine.quit();
    }
}

#[test]
fn levels_out_of_range_are_clamped_and_said() {
    let mut engine = Engine::start();
    for (option, value) in [
        ("UCI_Elo", "100"),
        ("UCI_Elo", "9999"),
        ("Skill Level", "-1"),
        ("Skill Level", "21"),
        ("nodestime", "-5"),
    ] {
        let said = engine.ask(&format!("setoption name {option} value {value}"));
        assert!(
            said.len() == 1 && said[0].contains(&format!("option {option}: {value} is not from")),
            "{said:?}"
        );
    }
    let said = engine.ask("setoption name UCI_Elo value strong");
    assert!(said.len() == 1 && said[0].contains("is not a whole number"), "{said:?}");
    engine.quit();
}

#[test]
fn time_counted_in_nodes_makes_games_on_the_clock_repeatable() {
    let mut engine = Engine::start();
    set(&mut engine, "nodestime", 2);
    let go = "go wtime 4000 btime 4000 winc 20 binc 20";
    let first = own_game(&mut engine, go, 12);
    assert_eq!(first, own_game(&mut engine, go, 12));
    // A fixed time is counted too, and what the GUI says of the real clock is not believed after the first move.
    engine.send("ucinewgame");
    engine.send("position startpos");
    let nodes =
        |found: crate::driver::Searched| value(found.last_line(), "nodes").unwrap().parse::<u64>().unwrap();
    let fixed = nodes(engine.go("go movetime 3000"));
    assert!((4500..=6600).contains(&fixed), "{fixed}");
    let mut later = || nodes(engine.go("go wtime 60000 btime 60000"));
    let spent = (0..30).map(|_| later()).sum::<u64>();
    assert!((20_000..120_000).contains(&spent), "{spent} of 120,000 nodes");
    let said_short = nodes(engine.go("go wtime 1 btime 1"));
    assert!(said_short > 300, "{said_short}");
    engine.quit();
}

#[test]
fn minimal_output_is_the_last_line_and_the_move() {
    let mut engine = Engine::start();
    set(&mut engine, "Minimal", true);
    engine.send(&format!("position fen {MIDDLEGAME}"));
    let found = engine.go("go depth 7");
    assert_eq!(found.info.len(), 1, "{:?}", found.info);
    assert_eq!(value(&found.info[0], "depth"), Some("7"));
    assert_eq!(variation(&found.info[0])[0], found.best[0]);
    set(&mut engine, "MultiPV", 3);
    let found = engine.go("go depth 5");
    assert_eq!(found.values("multipv").collect::<Vec<_>>(), ["1", "2", "3"]);
    set(&mut engine, "Minimal", false);
    assert!(engine.go("go depth 5").info.len() > 10);
    engine.quit();
}

#[test]
fn openings_are_printed_as_openbench_reads_them() {
    let openings = |command: &str| -> Vec<String> {
        let output = run(&[command, "quit"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
        let fen = |line: &str| line.strip_prefix("info string genfens ").expect("the mark").to_string();
        text(&output.stdout).lines().map(fen).collect()
    };
    let fens = openings("genfens 6 seed 12345 book None ");
    assert_eq!(fens.len(), 6);
    for fen in &fens {
        let position: Position = fen.parse().unwrap();
        assert!(fen.split(' ').count() == 6 && position.has_legal_move(), "{fen}");
    }
    assert_eq!(fens, openings("genfens 6 seed 12345 book None"));
    assert_ne!(fens, openings("genfens 6 seed 12346 book None"));
    for fen in openings("genfens 3 seed 1 book None dfrc") {
        assert_eq!(fen.parse::<Position>().unwrap().fen(FenStyle::Shredder), fen);
    }
    let book = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("genfens.epd");
    std::fs::write(&book, "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - id \"pawns\";\n").unwrap();
    for fen in openings(&format!("genfens 2 seed 9 book {} limit 300", book.display())) {
        let position: Position = fen.parse().unwrap();
        assert!(position.occupied().count() <= 10, "{fen}");
    }
}

#[test]
fn openings_that_cannot_be_had_are_a_clear_error() {
    let book = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bad.epd");
    std::fs::write(&book, "nonsense\n").unwrap();
    let bad_book = format!("genfens 1 seed 1 book {}", book.display());
    for (command, words) in [
        ("genfens x seed 1 book None", "'count' needs a whole number, not 'x'"),
        ("genfens 0 seed 1 book None", "count 0 is not from 1"),
        ("genfens 1 seed one book None", "'seed' needs a whole number"),
        ("genfens 1 seed 1 book", "'book' needs a value"),
        ("genfens 1 seed 1 book None quickly", "found 'quickly'"),
        ("genfens 1 seed 1 book /nowhere/at.all", "/nowhere/at.all: "),
        (&bad_book, "bad.epd: line 1: "),
    ] {
        let output = run(&[command, "quit"]);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let said = text(&output.stderr);
        assert!(said.starts_with("tamarack: genfens: ") && said.contains(words), "{command}: {said}");
    }
    let mut engine = Engine::start();
    engine.send("genfens 1000000 seed 1 book None");
    engine.read_until("an opening", |line| line.starts_with("info string genfens "));
    engine.send("stop");
    engine.ready();
    engine.quit();
}

#[test]
fn a_level_with_a_seed_plays_the_same_game_again_with_any_number_of_threads() {
    let mut engine = level(1500);
    set(&mut engine, "Level Seed", 5);
    let game = own_game(&mut engine, "go movetime 60000", 20);
    assert_eq!(game, own_game(&mut engine, "go depth 50", 20));
    set(&mut engine, "Threads", 3);
    assert_eq!(game, own_game(&mut engine, "go nodes 1000000", 20));
    set(&mut engine, "Level Seed", 6);
    assert_ne!(game, own_game(&mut engine, "go nodes 1000000", 20));
    engine.quit();
}

#[test]
fn a_level_spends_few_nodes_and_says_the_line_that_it_plays() {
    for elo in [600, 1200, 1300, 1700, 2100, 2900] {
        let mut engine = level(elo);
        engine.send(&format!("position fen {MIDDLEGAME}"));
        let begun = Instant::now();
        let found = engine.go("go wtime 10000 btime 10000");
        assert!(begun.elapsed() > Duration::from_millis(10), "it is not answered at once");
        let nodes: u64 = value(found.last_line(), "nodes").unwrap().parse().unwrap();
        assert!(nodes < 60_000, "{elo}: {nodes}");
        assert_eq!(variation(found.last_line())[0], found.best[0]);
        assert!(found.values("multipv").all(|line| line == "1"));
        engine.quit();
    }
}

#[test]
fn weak_levels_vary_their_moves_and_strong_ones_do_not() {
    let openings =
        ["e2e4", "d2d4", "c2c4", "g1f3", "b2b3", "g2g3", "f2f4", "b1c3", "e2e3", "d2d3", "a2a3", "c2c3"];
    let differing = |option: &str, value: u32| {
        let (mut weak, mut strong) = (Engine::start(), Engine::start());
        set(&mut weak, "Level Seed", 1);
        set(&mut weak, "UCI_LimitStrength", option == "UCI_Elo");
        set(&mut weak, option, value);
        let count = openings.into_iter().filter(|first| {
            let answer = |engine: &mut Engine| {
                engine.send("ucinewgame");
                engine.send(&format!("position startpos moves {first}"));
                engine.go("go nodes 3000").best.swap_remove(0)
            };
            answer(&mut weak) != answer(&mut strong)
        });
        count.count()
    };
    assert!(differing("UCI_Elo", 1300) >= 5);
    assert!(differing("Skill Level", 0) >= 5);
    assert_eq!(differing("Skill Level", 20), 0);
}

/// Positions in which the queen is attacked, or goes to an attacked square where she seems to win something.
const QUEENS_IN_DANGER: [&str; 8] = [
    "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5NP1/PPPP1P1P/RNBQKB1R b KQkq - 0 3",
    "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3",
    "rnbqkb1r/pppp1ppp/5n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3",
    "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
    "r1b1kbnr/pppp1ppp/2n5/8/3NP2q/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
    "r2qkb1r/ppp2ppp/2np1n2/4p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2QK2R b KQkq - 0 6",
    "rnb1kb1r/ppp1pppp/5n2/q7/3P4/2N2N2/PPPB1PPP/R2QKB1R b KQkq - 2 6",
    "rn2kbnr/pp2pppp/1qp5/3p1b2/2PP4/1QN5/PP2PPPP/R1B1KBNR w KQkq - 3 5",
];

#[test]
fn a_level_of_2000_does_not_hang_its_queen() {
    use chess::PieceType;
    let mut engine = level(2000);
    set(&mut engine, "Level Seed", 1);
    let mut questions = 0;
    for fen in QUEENS_IN_DANGER {
        // Other numbers of the move are other draws.
        for number in 10..20 {
            let fen = format!("{} {number}", fen.rsplit_once(' ').unwrap().0);
            let position: Position = fen.parse().unwrap();
            engine.send("ucinewgame");
            engine.send(&format!("position fen {fen}"));
            let best = engine.go("go movetime 60000").best.swap_remove(0);
            let after = position.after(position.parse_uci(&best).unwrap());
            let is_queen =
                |at| after.piece_on(at).is_some_and(|piece| piece.piece_type() == PieceType::Queen);
            let trades = position.piece_on(position.parse_uci(&best).unwrap().to()).is_some();
            for reply in after.legal_moves() {
                let loses = is_queen(reply.to()) && after.see_ge(reply, 500);
                assert!(trades || !loses, "{best} in {fen} hangs the queen");
            }
            assert!(
                position.see_ge(position.parse_uci(&best).unwrap(), -400),
                "{best} in {fen} loses too much"
            );
            questions += 1;
        }
    }
    assert_eq!(questions, 80);
    engine.quit();
}
