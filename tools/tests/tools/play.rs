//! Parts of a game: clocks, openings, adjudication, engine settings, suites.

use crate::common::{TOOLS, folder, parse};
use arena::play::adjudicate::ScoreAdjudicator;
use arena::play::limits::{Clock, EngineLimits, TimeControl};
use arena::play::openings::{MAX_RANDOM_PLIES, Openings, chess960_start, epd_to_position};
use arena::play::player::Patience;
use arena::play::spec::EngineSpec;
use arena::play::think::{UciInfo, UciScore};
use arena::suite::{Problem, load, solve};
use shakmaty::{CastlingMode, Color, KnownOutcome, Position};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const MS: fn(u64) -> Duration = Duration::from_millis;

#[test]
fn time_controls_are_read() {
    let control = |text: &str| text.parse::<TimeControl>().unwrap();
    let plain = TimeControl { moves: None, base: MS(2000), increment: MS(20) };
    assert_eq!(control("2+0.02"), plain);
    assert_eq!(control("40/1:30+1"), TimeControl { moves: Some(40), base: MS(90_000), increment: MS(1000) });
    assert_eq!(control("0.5").to_string(), "0.5");
    assert_eq!(control("40/60+0.6").to_string(), "40/60+0.6");
    for wrong in ["", "x", "0/3", "-1", "1+x", "0+0", "1e99", "nan"] {
        assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
    }
}

fn go(white: &Clock, black: &Clock) -> String {
    let mut text = String::new();
    white.append_go(white, black, &mut text);
    text
}

#[test]
fn clocks_count_down_and_are_told_to_the_engine() {
    let limits = |text: &str| EngineLimits { clock: Some(text.parse().unwrap()), ..EngineLimits::default() };
    let (mut white, black) = (Clock::new(&limits("2/1+0.1")), Clock::new(&limits("5")));
    assert_eq!(go(&white, &black), "go wtime 1000 winc 100 btime 5000 binc 0 movestogo 2\n");
    white.spend(MS(400));
    assert_eq!(white.allowed(), Some(MS(700)));
    assert_eq!(go(&white, &black), "go wtime 700 winc 100 btime 5000 binc 0 movestogo 1\n");
    white.spend(MS(200));
    assert_eq!(go(&white, &black), "go wtime 1600 winc 100 btime 5000 binc 0 movestogo 2\n");
    let mut empty = Clock::new(&limits("1"));
    empty.spend(MS(1003));
    assert_eq!(
        empty.allowed(),
        Some(Duration::ZERO),
        "an overrun within the margin leaves nothing, not less"
    );
    assert!(go(&empty, &black).contains("wtime 1 "), "never 0 and never negative");
}

#[test]
fn other_limits_are_told_to_the_engine() {
    let clock = |setting: (&str, &str)| {
        let mut limits = EngineLimits::default();
        assert!(limits.set(setting.0, setting.1).unwrap());
        Clock::new(&limits)
    };
    let nodes = clock(("nodes", "5000"));
    assert_eq!((go(&nodes, &clock(("tc", "3"))), nodes.allowed()), ("go nodes 5000\n".into(), None));
    let fixed = clock(("movetime", "50"));
    assert_eq!((go(&fixed, &fixed), fixed.allowed()), ("go movetime 50\n".into(), Some(MS(50))));
    assert_eq!(go(&clock(("depth", "7")), &nodes), "go depth 7\n");
    assert!(EngineLimits::default().set("nodes", "0").is_err());
    assert!(!EngineLimits::default().set("hash", "1").unwrap());
}

#[test]
fn engine_settings_are_read() {
    let mut each = EngineSpec::default();
    each.apply("option.Hash=16,option.Threads=1,tc=1+0.01").unwrap();
    let spec = EngineSpec::parse("name=A,cmd=/bin/a,args=x -y,option.hash=32,nodes=7", &each).unwrap();
    assert_eq!(spec.describe(), "/bin/a x -y Hash=32 Threads=1 [nodes=7]");
    let spec = EngineSpec::parse("cmd=/bin/b.exe", &each).unwrap();
    assert_eq!((spec.name.as_str(), spec.limits.describe().as_str()), ("b", "1+0.01"));
    // A binary whose path changes is known by its label, until another is named.
    let built = |path: &str| EngineSpec { command: path.into(), label: Some("work".into()), ..each.clone() };
    let describe = |text: &str, path: &str| EngineSpec::parse(text, &built(path)).unwrap().describe();
    assert_eq!(describe("option.Hash=8", "/work-1"), describe("option.Hash=8", "/work-2"));
    assert_eq!(describe("option.Hash=8", "/work-1"), "work Hash=8 Threads=1 [1+0.01]");
    assert_eq!(describe("cmd=/a", "/work-1"), "/a Hash=16 Threads=1 [1+0.01]");
    for wrong in ["name=A", "cmd=a,hash=3", "cmd", "cmd=a,tc=x"] {
        assert!(EngineSpec::parse(wrong, &each).is_err(), "{wrong}");
    }
}

#[test]
fn engines_of_the_same_name_are_told_apart() {
    let arguments =
        parse(&["--engine", "cmd=/a", "--engine", "cmd=/a", "--engine", "cmd=/a", "--nodes", "1"]);
    assert_eq!(arguments.setup().unwrap().names(), ["a", "a #2", "a #3"]);
    let arguments = parse(&["--engine", "cmd=/a", "--engine", "cmd=/b"]);
    assert!(arguments.setup().unwrap_err().to_string().contains("would think for ever"));
}

#[test]
fn pairs_share_their_opening_with_reversed_colours() {
    let arguments =
        parse(&["--engine", "cmd=/a", "--engine", "cmd=/b", "--engine", "cmd=/c", "--nodes", "1"]);
    let setup = arguments.setup().unwrap();
    assert_eq!(setup.game_count(), 300);
    let mut met = std::collections::BTreeMap::<_, u32>::new();
    for number in (0..setup.game_count()).step_by(2) {
        let (one, two) = (setup.task(number), setup.task(number + 1));
        assert_eq!((one.white, one.black, one.opening), (two.black, two.white, two.opening));
        *met.entry((one.white.min(one.black), one.white.max(one.black))).or_default() += 1;
        assert_eq!(setup.openings.get(one.opening).fen(), setup.openings.get(two.opening).fen());
    }
    assert_eq!(met.into_iter().collect::<Vec<_>>(), [((0, 1), 50), ((0, 2), 50), ((1, 2), 50)]);
}

#[test]
fn books_are_read_and_errors_name_the_line() {
    let folder = folder("books");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let load = |path: &Path, chess960: bool| Openings::load(path, chess960, 3);
    let epd = write(
        "a.epd",
        "# a comment\n\nr1b1kb1r/p1qp2pp/2p1ppn1/2p1P3/8/3P1N2/PPPBQPPP/RN2K2R w KQkq -\n\
         6k1/pn6/1p1p2Bp/3Pb3/PP3R2/8/2P2B2/6K1 b - - 3 31\n\
         8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"WAC.002\";\n",
    );
    let book = load(&epd, false).unwrap();
    assert_eq!(book.count(), Some(3));
    assert_eq!(book.get(4).fen(), "6k1/pn6/1p1p2Bp/3Pb3/PP3R2/8/2P2B2/6K1 b - - 3 31");
    let ended = write("n.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1;\n");
    assert_eq!(load(&ended, false).unwrap().count(), Some(1));
    let pgn = write("b.pgn", "[Event \"x\"]\n\n1. e4 (1. d4 d5) e5 {good} 2. Nf3 Nc6 *\n\n1. d4 d5 *\n");
    let book = load(&pgn, false).unwrap();
    assert_eq!(book.get(0).fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert_eq!(book.get(1).moves.len(), 2);
    for (name, text, words) in [
        ("c.epd", "8/8/8/8/8/8/8/8 w - -\n", "line 1"),
        ("d.epd", "\nrnbqkbnr/8 w - -\n", "line 2"),
        ("e.epd", "7k/5KQ1/8/8/8/8/8/8 b - -\n", "the game is over"),
        ("f.epd", "", "no positions"),
        ("g.pgn", "1. e4 e5 2. Ke3 *\n", "game 1"),
        ("h.pgn", "this is no book at all\n", "\"this\""),
        ("j.pgn", "1. e4 e5 *\n\n1. e4 nf6 2. e5 nd5 *\n", "game 2, line 3: no move: \"nf6\""),
        ("k.pgn", "1. e4 e5 2. Sf3 Sc6 3. d4 exd4 *\n", "game 1, line 1: no move: \"Sf3\""),
        ("l.epd", "\nrnbqkbnr/pppppppp/8/8/4N3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n", "line 2"),
        (
            "m.epd",
            "4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1\nrnbqkbnr/pppppppp/8/8/8/4Q3/PPPPPPPP/RNBQKBNR w - -\n",
            "line 2",
        ),
        ("i.epd", "\0\u{1}\u{2}\n", "line 1"),
    ] {
        let error = format!("{:#}", load(&write(name, text), false).unwrap_err());
        assert!(error.contains(words) && error.contains(name), "{error}");
    }
}

#[test]
fn a_mark_or_a_latin1_line_costs_itself_only() {
    let path = folder("books-encoding").join("book.epd");
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n";
    let count = |parts: &[&[u8]]| {
        std::fs::write(&path, parts.concat()).unwrap();
        Openings::load(&path, false, 3).unwrap().count()
    };
    assert_eq!(count(&[b"\xEF\xBB\xBF", line.as_bytes()]), Some(1), "a byte-order mark");
    assert_eq!(count(&[line.replace("one", "M").as_bytes(), b"M\xFCller\n", line.as_bytes()]), Some(2));
    let pgn = path.with_extension("pgn");
    std::fs::write(&pgn, b"\xEF\xBB\xBF[White \"M\xFCller\"]\n\n1. e4 e5 *\n").unwrap();
    assert_eq!(Openings::load(&pgn, false, 3).unwrap().get(0).moves.len(), 2);
}

#[test]
fn random_openings_that_no_game_reaches_are_refused() {
    let words = ["--engine", "cmd=/a", "--engine", "cmd=/b", "--nodes", "1", "--random-plies", "100000"];
    let output = Command::new(TOOLS).arg("match").args(words).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("100000 is not in"), "{error}");
    let longest = Openings::Random { plies: MAX_RANDOM_PLIES, seed: 1, chess960: false };
    assert_eq!(longest.get(0).moves.len(), MAX_RANDOM_PLIES as usize);
}

#[test]
fn random_openings_repeat_with_their_seed() {
    let openings = |seed, chess960| Openings::Random { plies: 8, seed, chess960 };
    for chess960 in [false, true] {
        let fens: std::collections::BTreeSet<String> =
            (0..200).map(|n| openings(1, chess960).get(n).fen()).collect();
        assert!(fens.len() > 190, "{}", fens.len());
        assert_eq!(openings(1, chess960).get(7).fen(), openings(1, chess960).get(7).fen());
        // Another seed gives other openings, not the same ones in other places.
        assert!((0..200).all(|n| !fens.contains(&openings(2, chess960).get(n).fen())));
    }
}

#[test]
fn chess960_positions_have_scharnagls_numbers() {
    assert_eq!(chess960_start(518).board().to_string(), shakmaty::Chess::default().board().to_string());
    let row = |number| chess960_start(number).board().to_string()[..8].to_owned();
    assert_eq!((row(0), row(959)), ("bbqnnrkr".to_owned(), "rkrnnqbb".to_owned()));
    let all: std::collections::BTreeSet<String> = (0..960).map(row).collect();
    assert_eq!(all.len(), 960);
}

#[test]
fn scores_in_a_row_end_games() {
    let (draw, resign) = ("5,2,10".parse().unwrap(), "2,500".parse().unwrap());
    let mut adjudicator = ScoreAdjudicator::new(Some(draw), Some(resign));
    let mut after = |color, score, number| adjudicator.after(color, score, number);
    for number in 1..5 {
        assert_eq!(after(Color::White, Some(3), number), None, "too early");
        assert_eq!(after(Color::Black, Some(-3), number), None, "too early");
    }
    assert_eq!(after(Color::White, Some(10), 5), Some(KnownOutcome::Draw));
    assert_eq!(after(Color::White, None, 6), None, "no score breaks the row");
    assert_eq!(after(Color::White, Some(-600), 7), None);
    assert_eq!(after(Color::Black, Some(600), 7), None);
    assert_eq!(after(Color::White, Some(-600), 8), None, "only one of them is sure twice");
    assert_eq!(after(Color::Black, Some(600), 8), Some(KnownOutcome::Decisive { winner: Color::Black }));
    let mut one_sided = ScoreAdjudicator::new(None, Some("2,500,one".parse().unwrap()));
    assert_eq!(one_sided.after(Color::Black, Some(UciScore::Mate(-3).value()), 1), None);
    let lost = one_sided.after(Color::Black, Some(UciScore::Mate(-2).value()), 2);
    assert_eq!(lost, Some(KnownOutcome::Decisive { winner: Color::White }));
}

#[test]
fn info_lines_are_read_whatever_they_hold() {
    let info =
        UciInfo::parse("info depth 12 seldepth 20 multipv 1 score cp -31 nodes 5012 time 3 pv e2e4 depth 3");
    assert_eq!(info, UciInfo { score: Some(UciScore::Centipawns(-31)), depth: 12, nodes: 5012, wdl: None });
    let shown = UciInfo::parse("info depth 3 score cp 20 wdl 120 850 30 nodes 7 pv e2e4");
    assert_eq!((shown.wdl, shown.nodes), (Some([120, 850, 30]), 7));
    assert_eq!(UciInfo::parse("info score mate -4 depth 99").score, Some(UciScore::Mate(-4)));
    for rubbish in [
        "",
        "info",
        "info score",
        "info score cp",
        "info score cp x depth",
        "info depth -1 nodes x",
        "info wdl 1 2",
    ] {
        assert_eq!(UciInfo::parse(rubbish), UciInfo::default(), "{rubbish}");
    }
}

#[test]
fn suites_are_read_and_solved() {
    let suite = load(
        "8/8/8/8/8/5k2/8/7K b - - am Kf2; id \"one; move\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 bm Ra8# O-O-O; c0 \"castling\";\n",
    )
    .unwrap();
    assert_eq!(suite[0].id, "one; move");
    assert!(
        suite[0].is_solved_by("f3g3") && !suite[0].is_solved_by("f3f2") && !suite[0].is_solved_by("f3h3")
    );
    assert!(suite[1].is_solved_by("a1a8") && suite[1].is_solved_by("e1c1") && !suite[1].is_solved_by("a1a7"));
    assert!(Problem::parse("8/8/8/8/8/8/8/K1k5 w - - bm Ka3;").is_err());
    assert!(Problem::parse("8/8/8/8/8/8/8/K1k5 w - -").is_err());
    // A mate is solved by a mate, of whatever length; a named move is not.
    let mate = Problem::parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 dm 1;").unwrap();
    assert!(
        mate.is_solved("a1a8", Some(UciScore::Mate(3))) && !mate.is_solved("a1a8", Some(UciScore::Mate(-3)))
    );
    assert!(!mate.is_solved("a1a8", Some(UciScore::Centipawns(9000))) && !mate.is_solved("a1a8", None));
    assert!(suite[1].is_solved("a1a8", None) && !suite[1].is_solved("a1a7", Some(UciScore::Mate(1))));
    assert!(Problem::parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 dm x;").is_err());

    let mut each = EngineSpec::default();
    each.apply("nodes=1").unwrap();
    let random = EngineSpec::parse(&format!("cmd={TOOLS},args=bad-engine none"), &each).unwrap();
    // The only legal move is the solution.
    let forced = load(&"7k/8/5K1Q/8/8/8/8/8 b - - bm Kg8; id \"x\";\n".repeat(5)).unwrap();
    let attempts = solve(&forced, &random, Patience::default(), 2).unwrap();
    assert!(attempts.len() == 5 && attempts.iter().all(|attempt| attempt.solved.is_some()));
    let position = epd_to_position("7k/8/5K1Q/8/8/8/8/8 b - -", CastlingMode::Standard).unwrap();
    assert_eq!(position.legal_moves().len(), 1);
}
