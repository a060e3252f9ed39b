//! Forced mates with their proven distance (`data/mates.epd`): no mate score is ever shorter than the truth.

use crate::common::{Engine, assert_legal, game};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use tamarack::score::{Bound, Score};
use tamarack::search::{Info, Limits};

/// A position and the moves to mate, negative when the side to move is mated.
#[derive(Clone)]
struct Mate {
    fen: String,
    distance: i32,
}

impl Mate {
    /// The true score.
    fn score(&self) -> Score {
        let moves = self.distance.unsigned_abs() as usize;
        if self.distance > 0 { Score::mate_in(2 * moves - 1) } else { Score::mated_in(2 * moves) }
    }

    /// No proven win is faster than the true one, no proven loss faster or where there is a win, and each comes with a
    /// line that mates on its last ply.
    fn assert_true(&self, report: &Info) {
        let Mate { fen, distance } = self;
        let (score, bound) = (report.score, report.bound);
        let wrong = score.is_win() && bound != Bound::Upper && score > self.score()
            || score.is_loss() && bound != Bound::Lower && score < self.score();
        assert!(!wrong, "{fen}: {score} ({bound:?}) at depth {}, but it is {distance}", report.depth);
        let end = assert_legal(*game(fen, &[]).position(), &report.pv);
        if score.is_decisive() && bound == Bound::Exact {
            let plies = if score.is_win() { Score::MATE - score } else { score - -Score::MATE };
            assert_eq!(report.pv.len(), plies as usize, "{fen}: {score} at depth {}", report.depth);
            assert!(end.in_check() && !end.has_legal_move(), "{fen}: the line of {score} does not mate");
        }
    }
}

fn mates() -> Vec<Mate> {
    let lines = include_str!("../data/mates.epd").lines().filter(|line| !line.starts_with('#'));
    let mate = |line: &str| {
        let (epd, distance) = line.split_once(" dm ").unwrap();
        let distance = distance.strip_suffix(';').unwrap().parse().unwrap();
        Mate { fen: format!("{epd} 0 1"), distance }
    };
    lines.map(mate).collect()
}

/// Searches each mate of these and checks every report.
fn search_all(mates: Vec<Mate>, limits: impl Fn(&Mate) -> Limits, check: impl Fn(&Mate, Score)) {
    for mate in mates {
        let mut engine = Engine::new();
        let (outcome, _) = engine.search(game(&mate.fen, &[]), limits(&mate));
        let reports = &engine.reports.0;
        reports.iter().for_each(|report| mate.assert_true(report));
        let last = reports.last().unwrap();
        assert_eq!((last.score, &last.pv), (outcome.score, &outcome.pv), "{}", mate.fen);
        check(&mate, outcome.score);
    }
}

#[test]
fn go_mate_finds_each_with_its_exact_distance() {
    // Two take 19 of all 27 million nodes.
    let long = ["8/5k2/8/2R5/P2B4/1P6/7K/8 b", "8/k7/p1r5/2p1Q2p/8/1P2P3/P2P1PPP/2R2RK1 w"];
    let mut mates = mates();
    mates.retain(|mate| !long.iter().any(|fen| mate.fen.starts_with(fen)));
    // The nodes only end a search that fails.
    let limits = |mate: &Mate| Limits {
        mate: Some(mate.distance.unsigned_abs()),
        nodes: Some(100_000_000),
        ..Limits::default()
    };
    search_all(mates, limits, |mate, score| assert_eq!(score, mate.score(), "{}: {score}", mate.fen));
}

#[test]
fn no_mate_score_of_a_search_by_nodes_is_shorter_than_the_truth() {
    for nodes in [1_000, 10_000, 60_000] {
        search_all(mates(), |_| Limits { nodes: Some(nodes), ..Limits::default() }, |_, _| {});
    }
}

#[test]
fn no_mate_score_of_a_search_by_depth_is_shorter_than_the_truth() {
    for depth in [4, 8, 11] {
        search_all(mates(), |_| Limits { depth: Some(depth), ..Limits::default() }, |_, _| {});
    }
}

#[test]
fn a_stopped_iteration_proves_no_loss() {
    // The iteration may have refuted the move that was best so far, but not the others.
    let slow = Mate { fen: "3k4/3P4/pP3N2/P1P5/8/7p/1B6/6K1 b - - 0 58".to_string(), distance: -6 };
    let losses = mates().into_iter().filter(|mate| mate.distance < -1);
    let soon = losses.flat_map(|mate| (1_000..30_000).step_by(1_000).map(move |nodes| (mate.clone(), nodes)));
    let late = (260_000..310_000).step_by(10_000).map(|nodes| (slow.clone(), nodes));
    for (mate, nodes) in soon.chain(late) {
        let mut engine = Engine::new();
        engine.search(game(&mate.fen, &[]), Limits { nodes: Some(nodes), ..Limits::default() });
        engine.reports.0.iter().for_each(|report| mate.assert_true(report));
    }
}

/// Searches the position of `fen` after these moves with so many nodes, and asserts a mate in at most `most` moves, which
/// begins with `best`.
fn assert_mates(engine: &mut Engine, fen: &str, moves: &[&str], nodes: u64, most: i32, best: &str) {
    let game = game(fen, moves);
    let best = game.position().parse_uci(best).unwrap();
    let (outcome, _) = engine.search(game, Limits { nodes: Some(nodes), ..Limits::default() });
    let mate = outcome.score.moves_to_mate();
    let found = mate.is_some_and(|mate| (1..=most).contains(&mate)) && outcome.pv[0] == best;
    assert!(found, "{fen} {moves:?}, {nodes} nodes: {} {:?}", outcome.score, outcome.pv);
}

#[test]
fn passing_hides_no_zugzwang() {
    let fen = "8/8/7p/7P/3N1pK1/1PpP1P2/pp6/rkb4R w - - 0 3";
    for nodes in [20_000, 100_000, 300_000] {
        assert_mates(&mut Engine::new(), fen, &[], nodes, 3, "h1d1");
    }
}

#[test]
fn an_announced_mate_is_still_known_after_the_next_moves() {
    let (rook, queen) =
        ("8/8/7p/7P/1p1N1pK1/1P1PbP1R/pp2N3/rk6 w - - 0 1", "8/4p3/7R/n7/rp6/kp5Q/8/1K6 w - - 0 1");
    for nodes in [20_000, 60_000] {
        let mut engine = Engine::new();
        assert_mates(&mut engine, rook, &[], 200_000, 5, "h3h1");
        assert_mates(&mut engine, rook, &["h3h1", "e3c1"], nodes, 4, "e2c3");
        assert_mates(&mut engine, rook, &["h3h1", "e3c1", "e2c3", "b4c3"], nodes, 3, "h1d1");
        let mut engine = Engine::new();
        assert_mates(&mut engine, queen, &[], 200_000, 3, "h6d6");
        assert_mates(&mut engine, queen, &["h6d6", "e7d6"], nodes, 2, "h3h8");
    }
}

/// True if the side to move mates within so many moves, by trying everything.
fn is_mate_in(position: &Chess, moves: u32) -> bool {
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    };
    moves > 0 && position.legal_moves().into_iter().any(|mv| is_mated_in(&after(mv), moves - 1))
}

/// True if the side to move is mated within so many moves of its opponent, whatever it does.
fn is_mated_in(position: &Chess, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.is_check();
    }
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    };
    moves > 0 && replies.into_iter().all(|mv| is_mate_in(&after(mv), moves))
}

#[test]
fn the_list_is_true_as_far_as_everything_can_be_tried() {
    let mates = mates();
    assert!(mates.len() >= 50);
    for Mate { fen, distance } in mates {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let moves = distance.unsigned_abs();
        let is_mate = if distance > 0 { is_mate_in } else { is_mated_in };
        if moves <= 2 {
            assert!(is_mate(&position, moves), "{fen}: {distance}");
        }
        if moves <= 3 {
            assert!(!is_mate(&position, moves - 1), "{fen}: {distance}");
        }
    }
}
