//! The promises to programs and people at the other end of UCI, tried on the real engine.

use crate::driver::{Engine, Searched, value, variation};
use chess::Position;
use chess::positions::{KIWIPETE, START};
use std::collections::HashSet;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

fn run(arguments: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamarack"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // With a command as its argument it does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The position after the moves of a principal variation, all of which have to be legal.
fn play(fen: &str, moves: &[&str]) -> Position {
    moves.iter().fold(fen.parse().unwrap(), |position: Position, mv| {
        position.after(position.parse_uci(mv).unwrap_or_else(|error| panic!("{moves:?} in {fen}: {error}")))
    })
}

fn position_of(engine: &mut Engine) -> String {
    let lines = engine.ask("d");
    lines.iter().find_map(|line| line.strip_prefix("Fen: ")).expect("a FEN").to_string()
}

#[test]
fn the_handshake_lists_every_option() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok", |line| line == "uciok");
    assert_eq!(lines[0], concat!("id name Tamarack ", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("id author "));
    for option in [
        "Hash type spin default 16 min 1",
        "Threads type spin default 1 min 1 max 1024",
        "Clear Hash type button",
        "MultiPV type spin default 1 min 1",
        "Ponder type check default false",
        "Move Overhead type spin",
        "UCI_Chess960 type check default false",
        "UCI_Opponent type string default <empty>",
        "UCI_EngineAbout type string default Tamarack",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("option name {option}"))),
            "{option}: {lines:#?}"
        );
    }
    for (name, times) in [("Move Overhead", 1), ("MoveOverhead", 0), ("Load Hash", 0)] {
        let named = lines.iter().filter(|line| line.starts_with(&format!("option name {name} ")));
        assert_eq!(named.count(), times, "{name}");
    }
    for line in lines.iter().filter(|line| line.contains(" type spin ")) {
        let number = |key| value(line, key).unwrap().parse::<i32>().expect(line);
        assert!((number("min")..=number("max")).contains(&number("default")), "{line}");
    }
    engine.quit();
}

#[test]
fn analysis_lines_have_all_that_programs_read() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let found = engine.go("go depth 6");
    let line = found.last_line();
    for key in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
        value(line, key)
            .and_then(|word| word.parse::<u64>().ok())
            .unwrap_or_else(|| panic!("{key} in {line}"));
    }
    assert_eq!((value(line, "depth"), value(line, "multipv")), (Some("6"), Some("1")));
    assert!(line.contains(" score cp ") || line.contains(" score mate "));
    let pv = variation(line);
    play(KIWIPETE, &pv);
    assert_eq!(found.best[0], pv[0]);
    if let [best, word, ponder] = &found.best[..] {
        assert_eq!(word, "ponder");
        play(KIWIPETE, &[best, ponder]);
    }
    engine.quit();
}

#[test]
fn it_listens_while_it_searches() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..20 {
        assert!(engine.ready().iter().all(|line| !line.starts_with("bestmove")));
    }
    engine.send("stop");
    let found = engine.answer();
    play(&Position::startpos().to_string(), &[&found.best[0]]);
    assert!(engine.ready().is_empty());
    engine.quit();
}

#[test]
fn readyok_says_that_all_before_it_is_done() {
    let mut engine = Engine::start();
    for before in [&["ucinewgame"][..], &["stop", "ucinewgame"], &["wait", "position startpos"]] {
        engine.send("go movetime 400");
        before.iter().for_each(|line| engine.send(line));
        let said = engine.ready();
        assert!(said.iter().any(|line| line.starts_with("bestmove ")), "{before:?}: {said:?}");
    }
    // A search alone, or one with `wait`, does not keep it.
    for before in [&["go infinite"][..], &["go infinite", "wait"]] {
        before.iter().for_each(|line| engine.send(line));
        let said = engine.ready();
        assert!(said.iter().all(|line| !line.starts_with("bestmove ")), "{before:?}: {said:?}");
        engine.send("stop");
        engine.answer();
    }
    engine.quit();
}

/// An endless search that had to wait itself is not ended by an `isready` that stands behind its `wait`.
#[test]
fn an_isready_behind_wait_ends_no_search() {
    let mut engine = Engine::start();
    engine.send("go nodes 200000\ngo infinite\nwait\nisready");
    engine.read_until("the first answer", |line| line.starts_with("bestmove "));
    let lines = engine.read_until("readyok", |line| line == "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    engine.send("stop");
    engine.read_until("the end of wait", |line| line == "info string wait: done");
    engine.quit();
}

#[test]
fn after_a_refused_position_nothing_is_said_about_the_one_before() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    let said = engine.ask("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(said.len() == 1 && said[0].starts_with("info string position: "), "{said:?}");
    for command in ["go perft 1", "perft 1", "eval", "flip"] {
        let name = command.split(' ').find(|word| *word != "go" && word.parse::<u32>().is_err()).unwrap();
        let said = engine.ask(command);
        assert_eq!(said, [format!("info string {name}: the last position was invalid")]);
    }
    engine.send(&format!("perft 1 {KIWIPETE}"));
    engine.read_until("the sum", |line| line == "Nodes searched: 48");
    engine.send("position startpos");
    engine.send("go perft 1");
    engine.read_until("the sum", |line| line == "Nodes searched: 20");
    engine.quit();
}

#[test]
fn an_infinite_search_answers_only_when_stopped() {
    let mut engine = Engine::start();
    for (fen, go) in [(MATED, "go infinite"), (STALEMATED, "go infinite"), (KIWIPETE, "go infinite depth 1")]
    {
        engine.send(&format!("position fen {fen}"));
        engine.send(go);
        assert!(
            !engine.says_within(Duration::from_millis(100), |line| line.starts_with("bestmove")),
            "{fen}"
        );
        engine.send("stop");
        assert_eq!(engine.answer().best[0] == "(none)", fen != KIWIPETE, "{fen}");
    }
    engine.quit();
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = Engine::start();
    for (fen, score) in [(MATED, "mate 0"), (STALEMATED, "cp 0")] {
        for go in ["go depth 5", "go wtime 1000 btime 1000", "go nodes 1000", "go mate 3", "go movetime 10"] {
            engine.send(&format!("position fen {fen}"));
            let found = engine.go(go);
            assert_eq!(found.best, ["(none)"], "{go} in {fen}");
            assert!(
                found.info.iter().any(|line| line.contains(&format!(" score {score}"))),
                "{:?}",
                found.info
            );
        }
    }
    engine.quit();
}

#[test]
fn pondering_lasts_until_the_move_or_stop() {
    let mut engine = Engine::start();
    for (go, end) in [
        ("go ponder wtime 200 btime 200", "ponderhit"),
        ("go ponder wtime 200 btime 200", "stop"),
        ("go ponder depth 1", "ponderhit"),
        ("go ponder movetime 20", "ponderhit"),
        ("go ponder depth 1", "stop"),
    ] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send(go);
        assert!(!engine.says_within(Duration::from_millis(150), |line| line.starts_with("bestmove")), "{go}");
        engine.send(end);
        assert!(engine.answer().best[0] != "(none)", "{go}, {end}");
        assert!(engine.ready().is_empty());
    }
    // Neither means anything now.
    assert!(engine.ask("ponderhit").is_empty() && engine.ask("stop").is_empty());
    assert!(engine.go("go depth 2").best[0] != "(none)");
    engine.quit();
}

/// The lines of the last iteration that is complete.
fn last_lines(found: &Searched, depth: &str) -> Vec<String> {
    let of_depth = |line: &&String| value(line, "depth") == Some(depth) && line.contains(" pv ");
    let exact = |line: &&String| !line.contains("bound ");
    found.info.iter().filter(of_depth).filter(exact).cloned().collect()
}

#[test]
fn several_lines_are_different_legal_and_ordered() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    engine.send(&format!("position fen {KIWIPETE}"));
    let found = engine.go("go depth 5");
    let lines = last_lines(&found, "5");
    let last: Vec<&String> = lines[lines.len() - 4..].iter().collect();
    assert_eq!(
        last.iter().map(|line| value(line, "multipv").unwrap()).collect::<Vec<_>>(),
        ["1", "2", "3", "4"]
    );
    let firsts: HashSet<&str> = last.iter().map(|line| variation(line)[0]).collect();
    assert_eq!(firsts.len(), 4);
    for line in &last {
        play(KIWIPETE, &variation(line));
    }
    let scores: Vec<i32> = last.iter().map(|line| value(line, "cp").unwrap().parse().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(found.best[0], variation(last[0])[0]);
    engine.quit();
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen 8/8/8/8/8/1k6/7r/K7 w - - 0 1");
    let only = engine.go("go depth 4");
    assert_eq!(only.values("multipv").collect::<HashSet<_>>(), HashSet::from(["1"]));
    engine.send("position fen 8/8/8/8/8/2k5/8/K7 w - - 0 1");
    let two = engine.go("go depth 4");
    assert_eq!(two.values("multipv").collect::<HashSet<_>>(), HashSet::from(["1", "2"]));
    engine.quit();
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    let found = engine.go("go depth 5 searchmoves a2a3 h2h4");
    assert!(["a2a3", "h2h4"].contains(&found.best[0].as_str()));
    assert!(
        found
            .info
            .iter()
            .filter(|line| line.contains(" pv "))
            .all(|line| { ["a2a3", "h2h4"].contains(&variation(line)[0]) })
    );
    engine.send("setoption name MultiPV value 5");
    let found = engine.go("go searchmoves a2a3 h2h4 a2a3 depth 3");
    assert_eq!(found.values("multipv").collect::<HashSet<_>>(), HashSet::from(["1", "2"]));
    // Illegal ones are left out with a word about it. A program waits for an answer even when none is left.
    for (go, best) in
        [("go depth 3 searchmoves e2e5 a2a3", "a2a3"), ("go depth 3 searchmoves e2e5", "(none)")]
    {
        let found = engine.go(go);
        assert!(found.info[0].starts_with("info string go: searchmoves:"), "{:?}", found.info);
        assert_eq!(found.best[0], best);
    }
    // How python-chess asks for nothing at all.
    assert_eq!(engine.go("go infinite searchmoves 0000").best, ["(none)"]);
    engine.quit();
}

#[test]
fn a_mate_ends_the_search_for_it() {
    let mut engine = Engine::start();
    let back_rank = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1";
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    for (fen, go, mate) in [(back_rank, "go mate 1", 1), (morphy, "go mate 2", 2), (morphy, "go mate 5", 5)] {
        engine.send("ucinewgame");
        engine.send(&format!("position fen {fen}"));
        let found = engine.go(go);
        let line = found.last_line();
        let moves: i32 = value(line, "mate").expect(line).parse().unwrap();
        assert!((1..=mate).contains(&moves), "{line}");
        let pv = variation(line);
        assert_eq!(pv.len() as i32, 2 * moves - 1, "{line}");
        let last = play(fen, &pv);
        assert!(last.in_check() && !last.has_legal_move(), "{line}");
    }
    engine.quit();
}

#[test]
fn a_search_for_a_mate_that_is_not_there_ends() {
    for (fen, go) in [(KIWIPETE, "go mate 2"), ("8/8/8/8/8/2k5/8/K7 w - - 0 1", "go mate 7")] {
        let output = run(&[], &format!("position fen {fen}\n{go}\nposition startpos\ngo depth 1\n"));
        assert!(output.status.success());
        assert_eq!(text(&output.stdout).matches("bestmove ").count(), 2);
    }
}

#[test]
fn one_thread_does_the_same_again_in_a_new_game() {
    let mut engine = Engine::start();
    let mut search = |go: &str| {
        engine.send("ucinewgame");
        engine.send(&format!("position fen {KIWIPETE}"));
        let found = engine.go(go);
        let nodes: Vec<u64> = found.values("nodes").map(|word| word.parse().unwrap()).collect();
        (found.best, nodes)
    };
    for go in ["go nodes 5000", "go depth 6", "go nodes 20000"] {
        let first = search(go);
        search("go nodes 3000");
        assert_eq!(search(go), first, "{go}");
    }
    let (_, nodes) = search("go nodes 10000");
    assert!(nodes.iter().all(|nodes| *nodes <= 11_000), "{nodes:?}");
}

#[test]
fn castling_is_spelt_as_the_user_wants() {
    let fen = "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let mut engine = Engine::start();
    // Both spellings are understood at all times.
    for option in ["false", "true"] {
        engine.send(&format!("setoption name UCI_Chess960 value {option}"));
        for castling in ["e1g1", "e1h1"] {
            engine.send(&format!("position fen {fen} moves {castling}"));
            assert!(position_of(&mut engine).starts_with("4k3/8/8/8/8/8/5PPP/5RK1 b"), "{castling}");
        }
    }
    engine.send(&format!("position fen {fen}"));
    assert_eq!(engine.go("go depth 2 searchmoves e1g1").best[0], "e1h1");
    engine.send("setoption name UCI_Chess960 value false");
    assert_eq!(engine.go("go depth 2 searchmoves e1h1").best[0], "e1g1");
    engine.quit();
}

#[test]
fn chess960_games_are_played() {
    let fen = "bqrbknnr/pppppppp/8/8/8/8/PPPPPPPP/BQRBKNNR w HChc - 0 1";
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    engine.send(&format!("position fen {fen} moves d2d4 d7d5"));
    let found = engine.go("go depth 5");
    let pv = variation(found.last_line()).into_iter();
    play(fen, &["d2d4", "d7d5"].into_iter().chain(pv).collect::<Vec<_>>());
    engine.send("position fen 4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    assert_eq!(engine.go("go depth 2 searchmoves b1a1").best[0], "b1a1");
    // The king stands on its target already: only the spelling as king takes rook is clear.
    let fen = "6kr/8/8/8/8/8/8/1R4KR w H - 0 1";
    engine.send(&format!("position fen {fen} moves g1h1"));
    assert!(position_of(&mut engine).contains("/1R3RK1 b"));
    engine.quit();
}

#[test]
fn a_gui_of_standard_chess_gets_no_castling_that_only_chess960_has() {
    let mut engine = Engine::start();
    for (fen, castling) in
        [("4k3/8/8/8/8/8/8/2KR3R w K - 0 1", "c1h1"), ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1")]
    {
        let said = engine.ask(&format!("position fen {fen}"));
        assert!(
            said.len() == 1 && said[0].ends_with("of Chess960 only, dropped without UCI_Chess960"),
            "{said:?}"
        );
        assert_eq!(engine.go(&format!("go depth 2 searchmoves {castling}")).best, ["(none)"]);
        engine.send("go perft 1");
        let counted = engine.read_until("perft", |line| line.contains(" nodes "));
        assert!(!counted.iter().any(|line| line.starts_with(castling)), "{counted:?}");
        assert!(position_of(&mut engine).ends_with(" w - - 0 1"));
        let said = engine.ask(&format!("position fen {fen} moves {castling}"));
        assert!(said.iter().any(|line| line.contains("is not legal")), "{said:?}");
    }
    engine.quit();
}

#[test]
fn what_is_wrong_changes_nothing_and_is_told_once() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    let before = position_of(&mut engine);
    for line in [
        "xyzzy",
        "position",
        "position endpos",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e? 0 1",
        "position fen k7/1Q6/8/8/8/8/8/7K w - - 0 1",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 e7e5 banana",
        "position startpos e2e4",
        "setoption",
        "setoption name",
        "setoption name Nonsense value 3",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value many",
        "setoption name UCI_Chess960 value perhaps",
        "setoption name Move Overhead value 1.5",
        "debug",
        "perft",
        "perft x",
        "perft 2 nonsense",
        "eval nonsense",
        "bench x",
    ] {
        let said = engine.ask(line);
        assert!(said.len() == 1 && said[0].starts_with("info string "), "{line}: {said:?}");
    }
    assert_eq!(position_of(&mut engine), before);
    engine.quit();
}

#[test]
fn values_out_of_range_are_clamped_and_said() {
    let mut engine = Engine::start();
    for (option, set) in [("Hash value 0", 1), ("Threads value -5", 1), ("Move Overhead value 999999", 5000)]
    {
        let said = engine.ask(&format!("setoption name {option}"));
        assert!(said.len() == 1 && said[0].ends_with(&format!(", set to {set}")), "{said:?}");
    }
    engine.quit();
}

#[test]
fn a_fen_with_plain_faults_is_repaired_and_said() {
    let mut engine = Engine::start();
    let cases = [
        ("4k3/8/8/8/8/8/8/4K2R w KQ e6 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 2),
        ("4k3/8/8/8/8/8/8/4K2R w K - bm O-O;", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 0),
        ("4k3/8/8/8/8/8/8/4K2R w K - 150 0", "4k3/8/8/8/8/8/8/4K2R w K - 150 1", 0),
        ("4k3/8/8/8/8/8/8/4K2R w K - 99999 99999999999", "4k3/8/8/8/8/8/8/4K2R w K - 65535 65535", 2),
    ];
    for (fen, expected, repairs) in cases {
        let said = engine.ask(&format!("position fen {fen}"));
        assert_eq!(said.len(), repairs, "{fen}: {said:?}");
        assert!(said.iter().all(|line| line.starts_with("info string position: FEN: ")), "{fen}: {said:?}");
        assert_eq!(position_of(&mut engine), expected, "{fen}");
        engine.send("go depth 4");
        engine.read_until("a move", |line| line.starts_with("bestmove ") && !line.contains("none"));
        engine.send("go wtime 100 btime 100");
        engine.read_until("a move on the clock", |line| {
            line.starts_with("bestmove ") && !line.contains("none")
        });
    }
    engine.quit();
}

#[test]
fn unknown_words_and_a_byte_order_mark_before_a_command_are_ignored() {
    let mut engine = Engine::start();
    engine.send("\u{feff}uci");
    engine.read_until("uciok", |line| line == "uciok");
    assert_ne!(engine.go("joho go depth 1").best, ["(none)"]);
    engine.quit();
}

#[test]
fn no_move_is_said_for_a_position_that_was_refused() {
    let mut engine = Engine::start();
    let too_long = "startpos moves ".to_string() + &"g1f3 g8f6 f3g1 f6g8 ".repeat(60_000);
    for refused in [
        "fen k7/1Q6/8/8/8/8/8/7K w - - 0 1",
        "startpos moves e2e4 e7e5 e2e4",
        "startpos e2e4",
        "endpos",
        "fen",
        &too_long,
    ] {
        engine.send("position startpos moves e2e4");
        engine.ask(&format!("position {refused}"));
        assert_eq!(engine.go("go depth 3").best, ["(none)"]);
        engine.send("position startpos moves d2d4");
        assert_ne!(engine.go("go depth 3").best, ["(none)"]);
    }
    // Nor for the `position` before one that waits for the end of a search.
    for line in ["go depth 8", "position", "go depth 2", "position startpos", "go depth 2"] {
        engine.send(line);
    }
    let answers = [(); 3].map(|()| engine.answer().best[0] == "(none)");
    assert_eq!(answers, [false, true, false]);
    engine.quit();
}

#[test]
fn a_search_that_is_stopped_at_once_has_found_something() {
    let mut engine = Engine::start();
    for (threads, lines) in [(1, 1), (1, 4), (4, 1)] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for _ in 0..20 {
            engine.send("ucinewgame");
            engine.send("go infinite");
            engine.send("stop");
            let found = engine.answer();
            let first = found.info.iter().rfind(|line| line.contains(" multipv 1 ")).expect("a line");
            assert_eq!(variation(first)[0], found.best[0]);
        }
    }
    engine.quit();
}

#[test]
fn the_opponents_clock_ends_a_search_too() {
    let mut engine = Engine::start();
    // Not endless, so that what comes next waits for it.
    engine.send("position startpos");
    engine.send("go btime 8000");
    engine.send("ucinewgame");
    let found = engine.answer();
    assert!(found.values("depth").any(|depth| depth.parse::<u32>().unwrap() > 3), "{:?}", found.info);
    engine.quit();
}

#[test]
fn words_beside_a_limit_are_ignored() {
    let mut engine = Engine::start();
    let found = engine.go("go quickly depth 3 please");
    assert_eq!(found.info[0], "info string go: ignored quickly please");
    assert_eq!(value(found.last_line(), "depth"), Some("3"));
    engine.quit();
}

#[test]
fn a_go_that_cannot_be_read_is_answered() {
    let mut engine = Engine::start();
    for (go, said) in [
        ("go depth x", "go: 'depth' needs a whole number, not 'x'"),
        ("go depth", "go: 'depth' needs a value"),
        ("go depht 5", "go: ignored depht 5"),
        ("go nodes 1e3 depth 2", "go: 'nodes' needs a whole number, not '1e3'"),
        ("go perft", "go perft: 'depth' needs a value"),
        ("go perft x", "go perft: 'depth' needs a whole number, not 'x'"),
    ] {
        let found = engine.go(go);
        assert_eq!(found.info[0], format!("info string {said}"), "{go}");
        assert_ne!(found.best, ["(none)"], "{go}");
    }
    engine.quit();
}

#[test]
fn a_table_that_cannot_be_had_leaves_the_old_one() {
    let mut engine = Engine::start();
    let said = engine.ask("setoption name Hash value 33554432");
    assert!(said.len() == 1 && said[0].starts_with("info string option Hash: "), "{said:?}");
    assert!(engine.go("go depth 5").best[0] != "(none)");
    assert!(engine.ask("setoption name Hash value 3").is_empty());
    assert!(engine.ask("setoption name Clear Hash").is_empty());
    assert!(engine.go("go depth 5").best[0] != "(none)");
    engine.quit();
}

#[test]
fn threads_come_and_go() {
    let mut engine = Engine::start();
    for threads in [4, 2, 7, 1] {
        assert!(engine.ask(&format!("setoption name Threads value {threads}")).is_empty());
        assert!(engine.go("go depth 5").best[0] != "(none)");
        engine.send("go infinite");
        engine.ready();
        engine.send("stop");
        assert!(engine.answer().best[0] != "(none)");
    }
    engine.quit();
}

#[test]
fn every_search_has_one_answer() {
    let mut engine = Engine::start();
    let mut expected = 0;
    for go in
        ["go depth 2", "go infinite", "go movetime 5", "go wtime 50 btime 50", "go nodes 200", "go ponder"]
    {
        for other in ["stop", "isready", "ponderhit", "stop"] {
            engine.send(go);
            engine.send(other);
            engine.send("stop");
            engine.send("stop");
            expected += 1;
        }
    }
    let lines = engine.close_input();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), expected);
    assert!(engine.exit_status().success());
}

#[test]
fn what_comes_during_a_search_waits_for_its_end() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    engine.send("go depth 6");
    engine.send("position startpos moves e2e4");
    engine.send("setoption name UCI_Chess960 value true");
    engine.send("go depth 6");
    let white = engine.answer();
    assert_eq!(value(white.last_line(), "depth"), Some("6"));
    play(&Position::startpos().to_string(), &[&white.best[0]]);
    let black = engine.answer();
    assert_eq!(value(black.last_line(), "depth"), Some("6"));
    play(&Position::startpos().to_string(), &["e2e4", &black.best[0]]);
    // What would not end is stopped.
    engine.send("go infinite");
    engine.send("position startpos");
    engine.send("go depth 1");
    engine.answer();
    engine.answer();
    // And `stop` means every search before it, begun or not.
    for line in ["go depth 200", "position startpos", "go depth 200", "position startpos", "stop"] {
        engine.send(line);
    }
    engine.answer();
    engine.answer();
    engine.quit();
}

#[test]
fn a_search_without_end_ends_for_a_command_behind_wait() {
    let mut engine = Engine::start();
    for behind in ["position startpos moves e2e4", "d"] {
        // The second search begins when the command that it has to end for is already there.
        for line in ["go nodes 50000", "go infinite", "wait", behind] {
            engine.send(line);
        }
        engine.answer();
        engine.answer();
    }
    // `wait` alone ends nothing.
    for line in ["go nodes 50000", "go infinite", "wait"] {
        engine.send(line);
    }
    engine.answer();
    assert!(!engine.says_within(Duration::from_millis(100), |line| line.starts_with("bestmove")));
    engine.send("stop");
    engine.answer();
    engine.quit();
}

#[test]
fn quit_waits_for_what_is_before_wait_and_for_nothing_behind_it() {
    let mut engine = Engine::start();
    for line in ["go nodes 50000", "wait", "go nodes 100000000000", "position startpos", "go movetime 600000"]
    {
        engine.send(line);
    }
    engine.quit();
}

#[test]
fn no_flood_of_commands_fills_the_memory_or_keeps_the_engine_from_answering() {
    let mut engine = Engine::start();
    let long = "position startpos moves ".to_string() + &"g1f3 g8f6 f3g1 f6g8 ".repeat(50_000);
    engine.send("go movetime 600000");
    (0..8).for_each(|_| engine.send(&long));
    let said = engine.ready();
    assert!(said.iter().any(|line| line.contains("too many commands wait")), "{said:?}");
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    engine.send("position startpos");
    assert_ne!(engine.go("go depth 1").best, ["(none)"]);
    engine.quit();
}

#[test]
fn any_clock_gets_an_answer_with_a_score() {
    let mut engine = Engine::start();
    for (moves, go) in [
        ("", "go wtime 100"),
        ("moves e2e4", "go btime 100"),
        ("", "go wtime 100 winc 100 btime 100 binc 100"),
        ("moves e2e4", "go btime 100 binc 100 wtime 100 winc 100"),
        ("", "go wtime 300 btime 300 movestogo 1"),
        ("", "go wtime 300 btime 300 movestogo 0"),
        ("", "go wtime 1 btime 1"),
        ("", "go wtime 0 btime 0"),
        ("", "go wtime -70 btime -70 winc -1"),
        ("", "go movetime 0"),
        ("", "go movetime 1 depth 100 nodes 100000000"),
        ("", "go nodes 1"),
    ] {
        engine.send(&format!("position startpos {moves}"));
        let found = engine.go(go);
        assert!(found.best[0] != "(none)", "{go}");
        let line = found.last_line();
        assert!(line.contains(" score ") && found.best[0] == variation(line)[0], "{go}: {line}");
        assert!(
            value(line, "time").unwrap().parse::<u64>().is_ok() && value(line, "nps").is_some(),
            "{line}"
        );
    }
    engine.quit();
}

#[test]
fn commands_from_a_file_are_finished() {
    let output = run(&[], "position startpos moves e2e4\ngo depth 6\nposition startpos\ngo nodes 2000");
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains(" depth 6 "), "{said}");
    assert_eq!(said.matches("bestmove ").count(), 2, "{said}");
    for endless in
        ["go infinite\n", "go\n", "go ponder wtime 100000 btime 100000\n", "go infinite\ngo depth 2\n"]
    {
        let output = run(&[], endless);
        assert!(output.status.success() && text(&output.stdout).contains("bestmove "), "{endless}");
    }
    assert!(run(&[], "").stdout.is_empty());
    assert!(run(&[], "").status.success());
}

#[test]
fn a_script_waits_for_its_search() {
    let output = run(&[], "go depth 7\nwait\nquit\ngo depth 1\n");
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains(" depth 7 ") && said.matches("bestmove ").count() == 1);
    assert!(said.find("bestmove").unwrap() < said.find("info string wait: done").unwrap(), "{said}");
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("wait");
    assert!(engine.ready().iter().all(|line| !line.starts_with("bestmove")));
    engine.send("stop");
    engine.answer();
    engine.read_until("the end of the wait", |line| line == "info string wait: done");
    engine.quit();
}

#[test]
fn the_program_describes_itself() {
    for (command, words) in
        [("help", "ucinewgame"), ("license", "GNU General Public License"), ("compiler", "kernel: ")]
    {
        let mut engine = Engine::start();
        let said = engine.ask(command);
        assert!(said.iter().any(|line| line.contains(words)), "{command}: {said:?}");
        engine.quit();
    }
}

#[test]
fn a_debug_log_has_all_that_was_said_on_both_sides() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("debug.log");
    let _ = std::fs::remove_file(&file);
    let mut engine = Engine::start();
    engine.ask(&format!("setoption name Debug Log File value {}", file.display()));
    engine.go("go depth 1");
    engine.ask("setoption name Debug Log File value <empty>");
    engine.ask("xyzzy");
    let log = std::fs::read_to_string(&file).unwrap();
    for line in ["<< readyok", ">> go depth 1", "<< bestmove "] {
        assert!(log.contains(line), "{line}: {log}");
    }
    assert!(!log.contains("xyzzy"), "{log}");
    let _ = std::fs::remove_file(&file);
    // All in one write, and a line that is too long to be read.
    let long = "x".repeat(3 << 20);
    let file = file.display();
    engine.send(&format!("setoption name DebugLogFile value {file}\nuci\nd\n{long}\nisready"));
    engine.read_until("readyok", |line| line == "readyok");
    let log = std::fs::read_to_string(file.to_string()).unwrap();
    for line in [">> uci\n", ">> d\n", ">> isready\n"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    let cut = log.lines().find(|line| line.starts_with(">> xxx")).unwrap();
    assert!(cut.len() < 2000 && cut.ends_with("... (3145729 bytes)"), "{cut}");
    let said = engine.ask("setoption name DebugLogFile value /nowhere/at/all");
    assert!(said.len() == 1 && said[0].starts_with("info string option Debug Log File: "), "{said:?}");
    engine.quit();
}

#[test]
#[cfg(target_os = "linux")]
fn a_debug_log_that_cannot_grow_is_closed_with_a_word_about_it() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("full.log");
    let _ = std::fs::remove_file(&file);
    // The limit of a file's size stands for a full disk.
    let program = format!("ulimit -f 1; exec {}", env!("CARGO_BIN_EXE_tamarack"));
    let mut engine = Engine::start_command(Command::new("sh").args(["-c", &program]));
    engine.send(&format!("setoption name Debug Log File value {}", file.display()));
    engine.send("help");
    let said = engine.ask("help");
    assert_eq!(
        said.iter().filter(|line| line.starts_with("info string Debug Log File: closed, ")).count(),
        1
    );
    assert_ne!(engine.go("go depth 3").best, ["(none)"]);
    engine.quit();
}

#[test]
fn the_network_in_use_is_written_to_a_file() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported net.nnue");
    let _ = std::fs::remove_file(&file);
    let mut engine = Engine::start();
    let said = engine.ask(&format!("export_net \"{}\"", file.display()));
    assert_eq!(said, [format!("info string export_net: {} written", file.display())]);
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue");
    assert!(std::fs::read(&file).unwrap() == std::fs::read(default).unwrap());
    let said = engine.ask("export_net /nowhere/at.all");
    assert!(said.len() == 1 && said[0].starts_with("info string export_net: /nowhere/at.all: "), "{said:?}");
    engine.quit();
}

/// What the Python package `stockfish` reads, beside UCI.
#[test]
fn clients_of_stockfish_find_the_lines_that_they_read() {
    let mut engine = Engine::start();
    engine.send("eval");
    let said = engine.read_until("the evaluation", |line| line.starts_with("Final evaluation"));
    let value = said.last().unwrap().split_whitespace().nth(2).unwrap();
    assert!(value.parse::<f64>().unwrap().abs() < 2.0, "{said:?}");
    engine.read_until("an empty line behind it", str::is_empty);
    engine.send("go perft 2");
    let said = engine.read_until("the sum", |line| line == "Nodes searched: 400");
    assert!(said.iter().all(|line| line.is_empty() || line.matches(':').count() == 1), "{said:?}");
    engine.read_until("a line behind it", |_| true);
    engine.quit();
    let bench = run(&["bench 16 1 2 default depth mixed"], "");
    assert!(bench.status.success(), "{}", text(&bench.stderr));
    assert!(text(&bench.stderr).lines().last().unwrap().starts_with("Nodes/second    : "));
}

#[test]
fn an_unknown_kernel_is_said() {
    let told = |kernel: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tamarack"));
        let output = program.arg("compiler").env("TAMARACK_KERNEL", kernel).output().unwrap();
        text(&output.stderr).to_string()
    };
    assert!(told("no-such-kernel").starts_with("tamarack: TAMARACK_KERNEL: 'no-such-kernel' is no kernel"));
    assert_eq!(told("portable"), "");
}

#[test]
#[cfg(unix)]
fn a_reader_that_is_slow_gets_everything_from_a_stream_that_does_not_wait() {
    use std::io::{Read, Write};
    use std::os::{fd::OwnedFd, unix::net::UnixStream};
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamarack"))
        .stdin(Stdio::piped())
        .stdout(OwnedFd::from(theirs))
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let many = "help\n".repeat(500);
    input.write_all(many.as_bytes()).unwrap();
    drop(input);
    // The stream is full long before that.
    std::thread::sleep(Duration::from_millis(300));
    let mut said = String::new();
    ours.read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(said.matches("\nlicense").count() + said.matches("compiler, license").count(), 500);
}

#[test]
#[cfg(target_os = "linux")]
fn a_person_at_a_terminal_is_greeted_and_a_program_is_not() {
    let output = run(&[], "quit\n");
    assert!(output.stdout.is_empty());
    // `script` gives its command a terminal.
    let program = ["-qec", env!("CARGO_BIN_EXE_tamarack"), "/dev/null"];
    let Ok(mut child) =
        Command::new("script").args(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    else {
        return;
    };
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"quit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(text(&output.stdout).contains("'help' lists its commands"), "{}", text(&output.stdout));
}

#[test]
fn a_position_can_be_flipped() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    engine.send("flip");
    assert_eq!(position_of(&mut engine), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    engine.quit();
}

#[test]
fn it_leaves_at_once_when_told_to() {
    for line in ["go infinite", "go movetime 600000", "go depth 200", "go perft 30", "bench 200", "isready"] {
        let mut engine = Engine::start();
        engine.send(line);
        engine.quit();
    }
}

#[test]
fn the_program_exits_when_nobody_reads_its_output() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamarack"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"uci\ngo infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn any_bytes_are_survived() {
    let mut engine = Engine::start();
    let said = engine.ask("");
    assert!(said.is_empty());
    engine.send_bytes(b"\xff\xfe\x00go \x80 depth 1");
    let said = engine.ready();
    assert!(said.len() == 1 && said[0].starts_with("info string unknown command"), "{said:?}");
    engine.send_bytes(&b"position startpos moves ".repeat(200_000));
    let said = engine.ready();
    assert!(said.len() == 1 && said[0].starts_with("info string the line is longer"), "{said:?}");
    let knights = "g1f3 g8f6 f3g1 f6g8 ".repeat(3000);
    assert!(engine.ask(&format!("position startpos moves {knights}")).is_empty());
    assert!(engine.go("go depth 3").best[0] != "(none)");
    engine.quit();
}

#[test]
fn leaves_are_counted_and_counting_can_be_stopped() {
    let mut engine = Engine::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    engine.send("go perft 3");
    let lines = engine.read_until("the sum", |line| line.ends_with(" nps"));
    assert!(lines.last().unwrap().starts_with("97862 nodes "), "{lines:?}");
    assert!(lines.contains(&"e1g1: 2059".to_string()), "{lines:?}");
    engine.send("perft 30");
    assert!(engine.ready().is_empty());
    engine.send("stop");
    engine.read_until("word of it", |line| line == "info string perft: stopped");
    engine.send("bench 200");
    engine.ready();
    engine.send("stop");
    engine.read_until("word of it", |line| line == "info string bench: stopped");
    engine.quit();
}

#[test]
fn commands_at_the_prompt() {
    let bench = |depth| {
        let output = run(&["bench", depth], "");
        assert!(output.status.success());
        let last = text(&output.stdout).lines().last().unwrap().to_string();
        let words: Vec<&str> = last.split(' ').collect();
        assert!(words.len() == 4 && words[1] == "nodes" && words[3] == "nps", "{last}");
        assert!(words[2].parse::<u64>().is_ok());
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(bench("4"), bench("4"));
    let five = run(&["bench", "16", "1", "4", "default", "depth"], "");
    let last = text(&five.stdout).lines().last().unwrap();
    assert_eq!(last.split(' ').next().unwrap().parse(), Ok(bench("4")));
    assert!(text(&five.stderr).contains("\nNodes searched  : "));
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench.fen");
    std::fs::write(&file, format!("\u{feff}# two\n{KIWIPETE}\n\n{STALEMATED} id \"stalemate\";\n")).unwrap();
    let nodes = run(&["bench", "1", "1", "500", file.to_str().unwrap(), "nodes"], "");
    assert!(text(&nodes.stdout).contains("Position 2/2: "), "{}", text(&nodes.stdout));
    std::fs::write(&file, "# none\n").unwrap();
    let none = run(&["bench", "1", "1", "500", file.to_str().unwrap(), "nodes"], "");
    assert!(!none.status.success() && text(&none.stderr).contains("holds no position"));
    let perft = run(&["perft", "3", KIWIPETE], "");
    assert!(text(&perft.stdout).lines().last().unwrap().starts_with("97862 nodes "));
    let standard = START;
    assert!(!run(&["eval"], "").stdout.is_empty());
    assert_eq!(run(&["eval", standard], "").stdout, run(&["eval"], "").stdout);
    let output = run(&["position startpos moves e2e4", "go depth 3", "d", "quit"], "");
    let said = text(&output.stdout);
    assert!(output.status.success() && said.find("bestmove").unwrap() < said.find("Fen: ").unwrap());
    assert!(text(&run(&["uci"], "").stdout).ends_with("uciok\n"));
    assert!(text(&run(&["--help"], "").stdout).starts_with("usage: "));
    assert_eq!(run(&["-v"], "").stdout, run(&["--version"], "").stdout);
    assert_eq!(text(&run(&["--version"], "").stdout), concat!("tamarack ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn mistakes_at_the_prompt_are_told_on_standard_error() {
    for arguments in
        [&["xyzzy"][..], &["bench", "x"], &["perft"], &["perft", "3", "nonsense"], &["eval", "8/8 w"]]
    {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && text(&output.stderr).starts_with("tamarack: "), "{arguments:?}");
    }
}
