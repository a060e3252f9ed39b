//! The promises of the search: mates with their exact distance, draws seen as draws, legal lines, the same nodes again.

use crate::common::{Engine, assert_legal, game};
use chess::positions::{KIWIPETE, POSITION_3, POSITION_5, START};
use tamarack::score::Score;
use tamarack::search::Limits;

fn to_depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn forced_mates_are_found_with_exact_distance_and_a_line_that_mates() {
    // Distance in moves, negative when the side to move is mated.
    let mates = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("8/8/8/8/8/5k2/7q/5K2 b - - 0 1", 1),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1),
        ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", -1),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("4k3/8/4K3/8/8/8/8/7R w - - 0 1", 1),
        ("8/8/8/8/4k3/8/4K2Q/7R w - - 0 1", 3),
    ];
    for (fen, distance) in mates {
        let game = game(fen, &[]);
        let position = *game.position();
        let depth = 2 * i32::abs(distance) + 16;
        let (outcome, _) = Engine::new().search(game, to_depth(depth));
        assert_eq!(outcome.score.moves_to_mate(), Some(distance), "{fen}");
        let end = assert_legal(position, &outcome.pv);
        assert!(end.in_check() && !end.has_legal_move(), "the line of {fen} ends in mate");
    }
}

#[test]
fn a_mate_on_the_hundredth_ply_counts_and_a_later_one_does_not() {
    let (mates, _) = Engine::new().search(game("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80", &[]), to_depth(4));
    assert_eq!(mates.score, Score::mate_in(1));
    let (late, _) = Engine::new().search(game("7k/8/4K3/8/8/8/8/6Q1 w - - 99 80", &[]), to_depth(6));
    assert_eq!(late.score, Score::DRAW);
}

#[test]
fn positions_without_a_legal_move_have_an_empty_line() {
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::mated_in(0)),
    ] {
        let (outcome, _) = Engine::new().search(game(fen, &[]), to_depth(5));
        assert_eq!((outcome.score, outcome.pv.len()), (score, 0));
    }
}

#[test]
fn a_repetition_is_taken_by_the_losing_side() {
    // White is about to be mated, but has a perpetual check from e8 and h5.
    let (outcome, _) = Engine::new().search(game("6k1/6p1/8/7Q/8/8/1qr5/7K w - - 0 1", &[]), to_depth(8));
    assert_eq!(outcome.score, Score::DRAW);
    // The position after the last move has been there twice: the third time is a draw, so White must not go back.
    let shuffle = ["d1c1", "a8b8", "c1d1", "b8a8", "d1c1", "a8b8"];
    let (outcome, _) = Engine::new().search(game("k7/8/8/8/8/8/8/K2R4 w - - 0 1", &shuffle), to_depth(8));
    assert_ne!(format!("{:?}", outcome.pv[0]), "c1d1");
}

#[test]
fn go_mate_sees_zugzwang() {
    // 1. Ra6! leaves Black nothing but self-destruction: passing would hold, so null move must not be trusted.
    let limits = Limits { mate: Some(2), ..to_depth(20) };
    let (outcome, _) = Engine::new().search(game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &[]), limits);
    assert_eq!(outcome.score, Score::mate_in(3));
}

#[test]
fn the_same_search_takes_the_same_nodes() {
    let run = || {
        let mut engine = Engine::new();
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let start = game(START, &["e2e4", "e7e5"]);
        let first = engine.search(start.clone(), limits.clone());
        let second = engine.search(start, limits);
        (first.0.pv, first.1, second.0.pv, second.1)
    };
    let (a, b) = (run(), run());
    assert_eq!(a, b);
    assert_eq!(a.1, 20_000, "a node limit is kept to the node");
}

#[test]
fn lines_are_legal_and_searchmoves_are_kept() {
    let fens = [KIWIPETE, POSITION_3, POSITION_5];
    for fen in fens {
        let game = game(fen, &[]);
        let position = *game.position();
        let (outcome, _) = Engine::new().search(game.clone(), to_depth(8));
        assert!(!outcome.pv.is_empty());
        assert_legal(position, &outcome.pv);
        let worst = *position.legal_moves().last().unwrap();
        let limits = Limits { search_moves: vec![worst], ..to_depth(4) };
        assert_eq!(Engine::new().search(game, limits).0.pv[0], worst);
    }
}

#[test]
fn limits_hold_in_the_first_iteration() {
    for multi_pv in [1, 256] {
        let mut engine = Engine::new();
        engine.thread.options.multi_pv = multi_pv;
        let (result, nodes) =
            engine.search(game(KIWIPETE, &[]), Limits { nodes: Some(1), ..Limits::default() });
        assert_legal(*game(KIWIPETE, &[]).position(), &result.pv);
        assert!(!result.pv.is_empty() && nodes < 2_000, "{multi_pv} lines: {nodes} nodes");
    }
}
