//! Every legal move of a middlegame made once, beside cozy-chess and shakmaty.
#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::Position as _;
use std::hint::black_box;
use tamarack_chess::Position;
use tamarack_chess::positions::KIWIPETE;

fn make_move(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("make_move");
    let ours: Position = KIWIPETE.parse().expect("a legal position");
    let moves = ours.legal_moves();
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("tamarack", |bench| {
        bench.iter(|| {
            moves.iter().fold(0, |keys, &mv| {
                let mut next = *black_box(&ours);
                next.make(mv);
                keys ^ black_box(&next).key()
            })
        });
    });

    let peer = cozy_chess::Board::from_fen(KIWIPETE, false).expect("a legal position");
    let mut peer_moves = Vec::new();
    peer.generate_moves(|part| {
        peer_moves.extend(part);
        false
    });
    assert_eq!(peer_moves.len(), moves.len());
    group.bench_function("cozy-chess", |bench| {
        bench.iter(|| {
            peer_moves.iter().fold(0, |keys, &mv| {
                let mut next = black_box(&peer).clone();
                next.play_unchecked(mv);
                keys ^ black_box(&next).hash()
            })
        });
    });

    let text: shakmaty::fen::Fen = KIWIPETE.parse().expect("a FEN");
    let peer: shakmaty::Chess =
        text.into_position(shakmaty::CastlingMode::Standard).expect("a legal position");
    let peer_moves = peer.legal_moves();
    group.bench_function("shakmaty", |bench| {
        bench.iter(|| {
            peer_moves.iter().fold(0, |clocks, &mv| {
                let mut next = black_box(&peer).clone();
                next.play_unchecked(mv);
                clocks ^ black_box(&next).halfmoves()
            })
        });
    });
    group.finish();
}

criterion_group!(benches, make_move);
criterion_main!(benches);
