//! Tablebase adjudication with real tables (see `syzygy/README.md`).

use crate::common::{TOOLS, engine, folder, parse};
use arena::matches::{self, results_file};
use arena::play::adjudicate::AdjudicationTables;
use arena::play::game::Termination;
use arena::play::openings::epd_to_position;
use shakmaty::{CastlingMode, Color, KnownOutcome};
use std::fs;
use std::path::Path;
use std::process::Command;
use trainer::data::file;
use trainer::data::game::GameResult;

const SYZYGY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy");

const WHITE: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::White });
const BLACK: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::Black });
const DRAW: Option<KnownOutcome> = Some(KnownOutcome::Draw);

fn outcome(tables: &AdjudicationTables, fen: &str) -> Option<KnownOutcome> {
    tables.outcome(&epd_to_position(fen, CastlingMode::Chess960).unwrap())
}

#[test]
fn tables_know_wins_and_draws_of_both_colours() {
    let tables = AdjudicationTables::open(Path::new(SYZYGY)).unwrap();
    for (fen, expected) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", WHITE),
        ("8/8/8/3k4/8/8/8/KQ6 b - - 0 1", WHITE),
        ("8/8/8/3K4/8/8/8/kq6 w - - 0 1", BLACK),
        ("8/8/8/3K4/8/8/8/kr6 b - - 7 31", BLACK),
        ("8/8/8/8/8/8/2kQ4/K7 b - - 0 1", DRAW), // the queen falls
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", WHITE),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", WHITE), // on the sixth rank the king wins without the opposition
        ("4k3/8/8/8/4p3/4K3/8/8 b - - 0 1", DRAW),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", DRAW), // stalemate
        ("k7/8/8/P7/8/8/1K6/8 b - - 0 1", DRAW),   // the rook's pawn
        ("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", BLACK),
        ("r6R/8/8/3k4/8/8/8/K7 w - - 0 1", WHITE), // a capture comes first
        ("7R/8/8/3k4/8/8/r7/K7 w - - 0 1", WHITE),
        ("6R1/8/8/3k4/8/2r5/8/K7 w - - 0 1", DRAW),
    ] {
        assert_eq!(outcome(&tables, fen), expected, "{fen}");
    }
}

#[test]
fn a_win_that_the_fifty_move_rule_forbids_is_a_draw() {
    let tables = AdjudicationTables::open(Path::new(SYZYGY)).unwrap();
    let far = |clock: u32| outcome(&tables, &format!("8/8/8/3k4/8/8/8/KR6 w - - {clock} 90"));
    assert_eq!((far(0), far(20)), (WHITE, WHITE));
    assert_eq!(far(95), DRAW, "no mate in three moves from here");
    let mates_at_once = |clock: u32| outcome(&tables, &format!("7k/8/6K1/8/8/8/8/R7 w - - {clock} 90"));
    assert_eq!(mates_at_once(98), WHITE);
    assert_eq!(mates_at_once(99), None, "distances are rounded to moves: this is played out");
    let late = outcome(&tables, "8/8/8/3K4/8/8/8/kr6 w - - 95 90");
    assert_eq!(late, DRAW, "the same with colours reversed");
}

#[test]
fn what_the_tables_do_not_hold_is_left_to_the_players() {
    let tables = AdjudicationTables::open(Path::new(SYZYGY)).unwrap();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  // castling is not in the tables
        "4k3/8/8/8/8/8/8/1K3R2 b F - 0 1", // nor is that of Chess960
        "4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1",
        "8/8/8/3k4/8/8/8/KQR5 w - - 0 1", // four pieces, but not these
        "8/8/3bk3/8/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k1r2/8/8/8/KRR5 w - - 0 1", // five pieces
    ] {
        assert_eq!(outcome(&tables, fen), None, "{fen}");
    }
    assert_eq!(
        outcome(&tables, "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        WHITE,
        "the same without the right to castle"
    );
}

#[test]
fn the_wdl_files_alone_decide_after_a_capture() {
    let only_wdl = folder("only-wdl");
    fs::copy(format!("{SYZYGY}/KRvK.rtbw"), only_wdl.join("KRvK.rtbw")).unwrap();
    let tables = AdjudicationTables::open(&only_wdl).unwrap();
    assert_eq!(outcome(&tables, "8/8/8/3k4/8/8/8/KR6 b - - 0 1"), WHITE);
    assert_eq!(outcome(&tables, "8/8/8/3k4/8/8/8/KR6 b - - 1 1"), None, "the distance is not known");
}

/// Positions of five pieces, one more than the tables have, whose only move captures a queen; and White's points in the end.
const FORCED: [(&str, u8); 3] = [
    ("k7/1Q6/7r/8/8/8/8/1K5R b - - 0 1", 2), // the rook falls next
    ("1k6/6r1/8/8/8/7R/1q6/K7 w - - 0 1", 1),
    ("1k5r/8/8/8/8/7R/1q6/K7 w - - 0 1", 0),
];

#[test]
fn a_match_ends_games_by_tablebase() {
    let folder = folder("tablebase-match");
    let (book, log) = (folder.join("book.epd"), folder.join("r.jsonl"));
    fs::write(&book, FORCED.map(|(fen, _)| format!("{fen}\n")).concat()).unwrap();
    let (a, b) = (engine("a", "none"), engine("b", "none"));
    let mut words = vec!["--engine", &a, "--engine", &b, "--nodes", "1", "--games", "6", "--tb", SYZYGY];
    words.extend(["--book", book.to_str().unwrap(), "--results", log.to_str().unwrap()]);
    let arguments = parse(&words);
    matches::play_match(&arguments.setup().unwrap(), &arguments.play).unwrap();
    let (_, records) = results_file::read(&log).unwrap();
    assert_eq!(records.len(), 6);
    for record in records {
        let (_, points) = FORCED.iter().find(|(fen, _)| *fen == record.fen).unwrap();
        assert_eq!((record.termination, record.points), (Termination::Tablebase, *points), "{}", record.fen);
        assert_eq!(record.times.len(), 1, "the first move decides");
        assert!(record.pgn.contains("[Termination \"adjudication\"]"), "{}", record.pgn);
    }
}

#[test]
fn game_generation_ends_games_by_tablebase() {
    let folder = folder("tablebase-datagen");
    let (book, output) = (folder.join("book.epd"), folder.join("games"));
    fs::write(&book, FORCED.map(|(fen, _)| format!("{fen}\n")).concat()).unwrap();
    let run = Command::new(TOOLS)
        .args(["datagen", "--nodes", "100", "--opening-nodes", "100", "--opening-limit", "40000"])
        .args([
            "--chess960",
            "0",
            "--double-chess960",
            "0",
            "--random-plies",
            "0",
            "--hash",
            "1",
            "--threads",
            "1",
            "--positions",
            "10",
        ])
        .args(["--win-plies", "400", "--tablebases", SYZYGY, "--book"])
        .args([&book, Path::new("--output"), &output])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut played = 0;
    for game in file::read(&output).unwrap() {
        let game = game.unwrap();
        let Some((_, points)) = FORCED.iter().find(|(fen, _)| *fen == game.start.to_string()) else {
            // One random ply was played: the tables know the start.
            assert_eq!(game.moves.len(), 0);
            continue;
        };
        let expected = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins][usize::from(*points)];
        assert_eq!((game.outcome, game.moves.len()), (expected, 1), "{}", game.start);
        played += 1;
    }
    assert!(played > 3, "{played}");
}
