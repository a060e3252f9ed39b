//! Bulk perft of five well-known positions beside cozy-chess, shakmaty and pleco: generation above all, and the
//! making of moves at every inner node.
#![allow(missing_docs)]

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use std::hint::black_box;
use tamarack::chess::Position;

/// Name, FEN, depth (about half a million leaves each).
const POSITIONS: [(&str, &str, u32); 5] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("three", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    ("four", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
    ("five", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
];

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

fn one(group: &mut BenchmarkGroup<'_, WallTime>, fen: &str, depth: u32) {
    let ours: Position = fen.parse().expect("a legal position");
    let leaves = ours.perft(depth);
    group.throughput(Throughput::Elements(leaves));
    group.bench_function("tamarack", |bench| bench.iter(|| black_box(&ours).perft(depth)));

    let peer = cozy_chess::Board::from_fen(fen, false).expect("a legal position");
    assert_eq!(cozy(&peer, depth), leaves);
    group.bench_function("cozy-chess", |bench| bench.iter(|| cozy(black_box(&peer), depth)));

    let text: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    let peer: shakmaty::Chess =
        text.into_position(shakmaty::CastlingMode::Standard).expect("a legal position");
    assert_eq!(shakmaty::perft(&peer, depth), leaves);
    group.bench_function("shakmaty", |bench| bench.iter(|| shakmaty::perft(black_box(&peer), depth)));

    let peer = pleco::Board::from_fen(fen).expect("a legal position");
    assert_eq!(pleco::board::perft::perft(&peer, depth as u16), leaves);
    group.bench_function("pleco", |bench| {
        bench.iter(|| pleco::board::perft::perft(black_box(&peer), depth as u16))
    });
}

fn movegen(criterion: &mut Criterion) {
    for (name, fen, depth) in POSITIONS {
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.sample_size(20);
        one(&mut group, fen, depth);
        group.finish();
    }
}

criterion_group!(benches, movegen);
criterion_main!(benches);
