//! Tablebases in the engine: the same as shakmaty, wins that are won, and files that are none.

use crate::driver::Engine;
use chess::random::Random;
use chess::{Color, Game, Move, Position};
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{Tablebase, Wdl as TheirWdl};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use tamarack::score::Score;
use tamarack::search::{Limits, SyzygyOptions};
use tamarack::tablebase::{Tables, Wdl};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(Tables::open(FOLDER).0));

static REFEREE: LazyLock<Tablebase<Chess>> = LazyLock::new(|| {
    let mut tables = Tablebase::new();
    tables.add_directory(FOLDER).expect("the folder of tables");
    tables
});

/// A position with these pieces on these squares, if there is one.
fn place(pieces: &[char], squares: &[usize], side: Color) -> Option<Position> {
    let mut board = [' '; 64];
    for (&piece, &square) in pieces.iter().zip(squares) {
        let free = board[square] == ' ' && (piece != 'P' && piece != 'p' || (8..56).contains(&square));
        free.then(|| board[square] = piece)?;
    }
    let row = |row: &[char]| {
        row.iter()
            .map(|&piece| if piece == ' ' { "1".to_string() } else { piece.to_string() })
            .collect::<String>()
    };
    let rows: Vec<String> = board.chunks(8).map(row).collect();
    let side = if side == Color::White { 'w' } else { 'b' };
    format!("{} {side} - - 0 1", rows.join("/")).parse().ok()
}

fn material(kind: usize) -> &'static [char] {
    [&['K', 'k', 'Q'][..], &['K', 'k', 'r'], &['K', 'k', 'P'], &['K', 'k', 'R', 'r']][kind]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn answers_are_those_of_the_referee(kind in 0..4_usize, squares in [0..64_usize, 0..64, 0..64, 0..64], white: bool) {
        let side = if white { Color::White } else { Color::Black };
        let position = place(material(kind), &squares, side);
        let Some(position) = position else { return Ok(()) };
        let chess: Chess = position.to_string().parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let wdl = REFEREE.probe_wdl_after_zeroing(&chess).ok();
        prop_assert_eq!(TABLES.wdl(&position), wdl.map(Wdl::from), "{}", position);
        let dtz = REFEREE.probe_dtz(&chess).ok().map(|distance| distance.ignore_rounding().0);
        prop_assert_eq!(TABLES.dtz(&position), dtz, "{}", position);
    }
}

/// A player with tablebases, one thread.
struct Player(crate::common::Engine);

impl Player {
    fn new(tables: &Arc<Tables>) -> Player {
        let mut engine = crate::common::Engine::new();
        engine.thread.tables = Some(Arc::clone(tables));
        Player(engine)
    }

    fn search(&mut self, game: &Game, limits: Limits) -> (Score, Vec<Move>) {
        let (found, _) = self.0.search(game.clone(), limits);
        (found.score, found.pv)
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The reply after which the winner needs longest, or any.
fn defence(position: &Position, random: Option<&mut Random>) -> Move {
    let moves = position.legal_moves();
    let longest = || moves.iter().max_by_key(|&&mv| TABLES.dtz(&position.after(mv)).unwrap_or(0));
    *random.map_or_else(longest, |random| moves.get(random.below(moves.len()))).expect("a legal move")
}

/// Plays a won position to the end; the plies it took.
fn win(fen: &str, nodes_each: u64, mut random: Option<Random>) -> usize {
    let mut player = Player::new(&TABLES);
    let mut game = Game::new(fen.parse().unwrap());
    for ply in 0.. {
        let position = *game.position();
        assert!(
            position.halfmove_clock() < 100 && !game.history().is_threefold(),
            "{fen}: drawn at {position}"
        );
        assert!(!position.is_insufficient_material(), "{fen}: thrown away at {position}");
        if !position.has_legal_move() {
            assert!(position.in_check(), "{fen}: stalemate at {position}");
            return ply;
        }
        let mv = match ply % 2 {
            0 => player.search(&game, nodes(nodes_each)).1[0],
            _ => defence(&position, random.as_mut()),
        };
        game.make(mv);
    }
    unreachable!()
}

#[test]
fn won_positions_are_won_against_the_best_defence_and_any() {
    let positions = [
        "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
        "8/8/8/8/4k3/8/8/K6R w - - 0 1",
        "7K/8/8/2k5/8/8/8/6r1 b - - 0 1",
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/8/8/2k5/4P3/4K3 w - - 0 1",
        "8/8/8/8/5k2/8/2P5/1K6 w - - 0 1",
        "8/5p2/3k4/8/8/8/8/3K4 b - - 0 1",
        "7R/8/8/8/2k5/8/1r6/K7 w - - 0 1",
    ];
    for fen in positions {
        assert_eq!(TABLES.wdl(&fen.parse().unwrap()), Some(Wdl::Win), "{fen}");
        for (nodes, random) in [(1, None), (300, None), (300, Some(Random::new(7)))] {
            assert!(win(fen, nodes, random) <= 200, "{fen}");
        }
    }
}

#[test]
fn a_win_is_kept_when_the_fifty_moves_are_nearly_over() {
    // Whatever the clock says, the distance decides when it has to.
    let mut player = Player::new(&TABLES);
    for clock in [60, 69, 70, 80, 90] {
        let mut game = Game::new(format!("8/8/8/3k4/8/8/8/KR6 w - - {clock} 90").parse().unwrap());
        let distance = TABLES.dtz(game.position()).unwrap();
        let won = distance + clock <= 100;
        let (score, _) = player.search(&game, nodes(500));
        assert_eq!(score.is_win(), won, "{distance} plies at {clock}: {score}");
        while won && game.position().has_legal_move() {
            let mv = match game.position().side_to_move() {
                Color::White => player.search(&game, nodes(500)).1[0],
                Color::Black => defence(game.position(), None),
            };
            game.make(mv);
            assert!(game.position().halfmove_clock() < 100 || !game.position().has_legal_move());
        }
        assert!(!won || game.position().in_check());
    }
    // Too late, unless nobody counts.
    let game = Game::new("8/8/8/3k4/8/8/8/KR6 w - - 90 90".parse().unwrap());
    assert_eq!(player.search(&game, nodes(500)).0, Score::DRAW + 1);
    player.0.thread.options.syzygy.fifty_moves = false;
    assert_eq!(player.search(&game, nodes(500)).0, Score::TABLEBASE);
}

#[test]
fn only_moves_that_keep_the_result_are_played() {
    let mut player = Player::new(&TABLES);
    // Only taking the rook wins; anything else draws or loses.
    let takes = Game::new("8/8/8/8/4k3/8/1r6/K7 w - - 0 1".parse().unwrap());
    let (score, pv) = player.search(&takes, Limits { depth: Some(3), ..Limits::default() });
    assert_eq!((score, format!("{:?}", pv[0])), (Score::DRAW, "a1b2".to_string()));
    // Of two moves one draws.
    let draw = Game::new("4k3/8/3KP3/8/8/8/8/8 b - - 0 1".parse().unwrap());
    let keeps = |mv: &Move| TABLES.wdl(&draw.position().after(*mv)) == Some(Wdl::Draw);
    let (score, pv) = player.search(&draw, nodes(1));
    assert!(score == Score::DRAW && keeps(&pv[0]));
    // All lines are shown that are asked for, the best ones first.
    player.0.thread.options.multi_pv = 100;
    let (_, _) = player.search(&draw, Limits { depth: Some(4), ..Limits::default() });
    let last = player.0.reports.0.iter().rev().take(draw.position().legal_moves().len()).collect::<Vec<_>>();
    assert!(last.iter().all(|report| report.tbhits > 0 && report.depth == 4));
    let kept: Vec<bool> = last.iter().rev().map(|report| keeps(&report.pv[0])).collect();
    assert!(
        kept[0] && !kept[kept.len() - 1] && kept.is_sorted_by(|better, worse| better >= worse),
        "{kept:?}"
    );
    // What is asked for comes first, though it loses.
    let losing = *draw.position().legal_moves().iter().find(|mv| !keeps(mv)).expect("a losing move");
    let only = Limits { search_moves: vec![losing], ..nodes(100) };
    let (score, pv) = player.search(&draw, only);
    assert!(score.is_loss() && pv[0] == losing);
}

#[test]
fn inside_the_search_captures_lead_to_what_is_known() {
    // Five pieces: the rook takes a knight, and rook against nothing is won. Some plies deep, since no one promises that the
    // first ones leave quiescence, which asks no tables.
    let fen = "8/8/8/3k4/8/8/1n6/KR2n3 w - - 0 1";
    let known = |pieces| {
        let mut player = Player::new(&TABLES);
        player.0.thread.options.syzygy = SyzygyOptions { max_pieces: pieces, ..SyzygyOptions::default() };
        player.search(&Game::new(fen.parse().unwrap()), Limits { depth: Some(10), ..Limits::default() });
        player.0.reports.0.last().map_or(0, |report| report.tbhits)
    };
    assert!(known(7) > 0);
    assert_eq!((known(2), known(0)), (0, 0));
    let fen = "8/8/8/8/8/2k5/8/K3n2R w - - 0 1";
    let (score, pv) = Player::new(&TABLES)
        .search(&Game::new(fen.parse().unwrap()), Limits { depth: Some(8), ..Limits::default() });
    assert!(score.is_win() && format!("{:?}", pv[0]) == "h1e1", "{score} {pv:?}");
}

/// A copy of the tables in a folder of its own, changed by `change`.
fn changed(name: &str, change: impl Fn(&Path, &mut Vec<u8>)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        change(&path, &mut bytes);
        fs::write(folder.join(path.file_name().unwrap()), bytes).unwrap();
    }
    folder
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz")
}

#[test]
fn files_that_are_no_tables_are_named_and_left_out() {
    let cut = changed("cut-tables", |path, bytes| {
        if path.ends_with("KRvK.rtbw") {
            bytes.truncate(100);
        } else if path.ends_with("KQvK.rtbz") {
            bytes.clear();
        } else if path.ends_with("KPvK.rtbw") {
            bytes[0] ^= 1;
        }
    });
    let (tables, problems) = Tables::open(cut.to_str().unwrap());
    assert_eq!((tables.count(), problems.len()), ((2, 3), 3), "{problems:?}");
    let mut engine = Engine::start();
    let said = engine.ask(&format!("setoption name SyzygyPath value {}", cut.display()));
    assert_eq!(said.last().unwrap(), "info string found 2 WDL and 3 DTZ tables");
    assert_eq!(said.len(), 4, "{said:?}");
    engine.send("position fen 8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    assert_ne!(engine.go("go depth 5").best[0], "(none)");
    engine.quit();
}

#[test]
fn damaged_tables_never_end_the_program() {
    let ask = |tables: &Tables| {
        for seed in 0..400_usize {
            let squares = [7, 11, 13, 29].map(|step| (seed * step + step) % 64);
            let side = if seed % 2 == 0 { Color::White } else { Color::Black };
            if let Some(position) = place(material(seed / 2 % 4), &squares, side) {
                let _ = (tables.wdl(&position), tables.dtz(&position));
            }
        }
    };
    let mut faults = 0;
    for seed in 0..60_usize {
        let folder = changed("damaged-tables", |path, bytes| {
            if !is_table(path) || seed % 8 == 7 {
                return;
            }
            // Damage in the head of the file, or anywhere, or an end that is missing.
            let reach = if seed % 3 == 0 { bytes.len() } else { bytes.len().min(160) };
            for step in 1..=1 + seed % 5 {
                let at = 4 + (seed * 7919 + step * 104_729) % (reach - 4);
                bytes[at] = bytes[at].wrapping_mul(31).wrapping_add((seed + step) as u8);
            }
            if seed % 5 == 4 {
                let whole = (bytes.len() / 2).next_multiple_of(64) + 16;
                bytes.truncate(whole);
            }
        });
        let (tables, _) = Tables::open(folder.to_str().unwrap());
        ask(&tables);
        if let Some(fault) = tables.take_read_error() {
            assert!(fault.contains("cannot be read") && tables.max_pieces() == 4, "{fault}");
            faults += 1;
        }
    }
    assert!(faults > 10, "only {faults}");
}

#[test]
fn only_the_table_that_cannot_be_read_skips_depth() {
    let folder = changed("one-damaged-table", |path, bytes| {
        if path.ends_with("KQvK.rtbw") {
            bytes.truncate(80);
        }
    });
    let (tables, _) = Tables::open(folder.to_str().unwrap());
    let wdl = |fen: &str| tables.wdl(&fen.parse().unwrap());
    for _ in 0..3 {
        assert_eq!(wdl("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), None);
        assert_eq!(wdl("8/8/8/3k4/8/8/8/KR6 w - - 0 1"), Some(Wdl::Win));
    }
    let fault = tables.take_read_error().unwrap();
    assert!(fault.contains("KQvK cannot be read") && fault.ends_with("it is left out"), "{fault}");
    assert_eq!(tables.take_read_error(), None);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_table() {
    let folder = changed("pipes", |_, _| {});
    let pipe = folder.join("KBvK.rtbw");
    let _ = fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::start();
    let said = engine.ask(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert!(said[0].ends_with("it is not a regular file"), "{said:?}");
    assert_eq!(said[1..], ["info string found 4 WDL and 4 DTZ tables"]);
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn as_many_files_may_be_open_as_the_system_allows() {
    use std::process::{Command, Stdio};
    let mut shell = Command::new("sh")
        .args(["-c", "ulimit -Sn 6; exec \"$0\" 'setoption name Hash value 1' 'go movetime 60000'"])
        .arg(env!("CARGO_BIN_EXE_tamarack"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let limits = format!("/proc/{}/limits", shell.id());
    let raised = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let text = fs::read_to_string(&limits).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("Max open files")).unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() > 4 && words[3] != "6" && words[3] == words[4]
    });
    shell.kill().and_then(|()| shell.wait()).unwrap();
    assert!(raised);
}

#[test]
fn the_engine_uses_what_it_is_given() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok", |line| line == "uciok");
    for option in [
        "SyzygyPath type string default <empty>",
        "SyzygyProbeDepth type spin default 1 min 1 max 100",
        "SyzygyProbeLimit type spin default 7 min 0 max 7",
        "Syzygy50MoveRule type check default true",
    ] {
        assert!(lines.contains(&format!("option name {option}")), "{option}");
    }
    let path = |value: &str| format!("setoption name SyzygyPath value {value}");
    assert_eq!(engine.ask(&path(FOLDER)), ["info string found 4 WDL and 4 DTZ tables"]);
    engine.send("position fen 8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let found = engine.go("go depth 1");
    assert!(found.last_line().contains(" score cp 20000 "), "{}", found.last_line());
    assert!(found.last_line().contains(" tbhits "));
    engine.send("setoption name Threads value 3");
    assert!(engine.go("go movetime 300").last_line().contains(" tbhits "));
    for value in ["", "<empty>", "\"\""] {
        engine.ask(&path(value));
        assert!(engine.go("go depth 1").last_line().contains(" tbhits 0 "));
    }
    let said = engine.ask(&path("/no where;/at all"));
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(said[2], "info string found 0 WDL and 0 DTZ tables");
    engine.quit();
}

#[test]
fn outcomes_of_the_referee_have_the_same_order() {
    let order = [TheirWdl::Loss, TheirWdl::BlessedLoss, TheirWdl::Draw, TheirWdl::CursedWin, TheirWdl::Win];
    assert!(order.map(Wdl::from).is_sorted());
    assert!(order.iter().all(|&wdl| Wdl::from(-wdl) == -Wdl::from(wdl)));
}
