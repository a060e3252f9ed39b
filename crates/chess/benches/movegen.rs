//! Bulk perft of five well-known positions beside cozy-chess, shakmaty and pleco: move generation above all, and make-move
//! at the inner nodes.
#![allow(missing_docs)]

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use std::hint::black_box;
use tamarack_chess::Position;
use tamarack_chess::positions::{KIWIPETE, POSITION_3, POSITION_4, POSITION_5, START};

/// Name, FEN, depth (about half a million leaves each).
const POSITIONS: [(&str, &str, u32); 5] = [
    ("start", START, 4),
    ("kiwipete", KIWIPETE, 3),
    ("position 3", POSITION_3, 5),
    ("position 4", POSITION_4, 4),
    ("position 5", POSITION_5, 3),
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
