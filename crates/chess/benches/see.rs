//! Static exchange evaluation, ours beside pleco's: all legal moves of a few middlegames, three thresholds each.
//! Pleco's leaves out promotions and en passant, treats all pins of a side as one and knows none along the line of
//! capture, so the two do not answer the same question everywhere.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tamarack_chess::positions::{KIWIPETE, POSITION_6};
use tamarack_chess::{CastlingNotation, Move, Position};

const FENS: [&str; 4] = [
    KIWIPETE,
    POSITION_6,
    "1k1rr3/1pp2ppp/p1nqbn2/2bpp3/2BPP3/P1NQBN2/1PP2PPP/1K1RR3 w - - 0 1",
    "2r2rk1/pp1bqpp1/2nppn1p/2p3N1/1bP5/1PN3P1/PBQPPPBP/3R1RK1 w - - 0 1",
];
const THRESHOLDS: [i32; 3] = [-100, 0, 100];

fn see(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("see");
    for captures_only in [true, false] {
        let name = if captures_only { "captures" } else { "all moves" };
        let wanted = |mv: &Move| mv.is_capture() || !captures_only;
        let ours: Vec<(Position, Vec<Move>)> = FENS
            .iter()
            .map(|fen| {
                let position: Position = fen.parse().expect("a legal FEN");
                (position, position.legal_moves().into_iter().filter(wanted).collect())
            })
            .collect();
        let theirs: Vec<(pleco::Board, Vec<pleco::BitMove>)> = ours
            .iter()
            .map(|(position, moves)| {
                let board = pleco::Board::from_fen(&position.to_string()).expect("a legal FEN");
                let same = |mv: &Move| {
                    let text = mv.uci(CastlingNotation::KingTarget);
                    board.generate_moves().iter().copied().find(|other| other.stringify() == text)
                };
                let moves = moves.iter().map(|mv| same(mv).expect("the same legal moves")).collect();
                (board, moves)
            })
            .collect();
        let calls = ours.iter().map(|(_, moves)| moves.len()).sum::<usize>() * THRESHOLDS.len();
        group.throughput(criterion::Throughput::Elements(calls as u64));
        group.bench_function(format!("tamarack, {name}"), |bencher| {
            bencher.iter(|| {
                let count = |(position, moves): &(Position, Vec<Move>)| {
                    let test = |mv: &Move| {
                        THRESHOLDS.iter().filter(|&&t| position.see_ge(black_box(*mv), t)).count()
                    };
                    moves.iter().map(test).sum::<usize>()
                };
                ours.iter().map(count).sum::<usize>()
            })
        });
        group.bench_function(format!("pleco, {name}"), |bencher| {
            bencher.iter(|| {
                let count = |(board, moves): &(pleco::Board, Vec<pleco::BitMove>)| {
                    let test = |mv: &pleco::BitMove| {
                        THRESHOLDS.iter().filter(|&&t| board.see_ge(black_box(*mv), t)).count()
                    };
                    moves.iter().map(test).sum::<usize>()
                };
                theirs.iter().map(count).sum::<usize>()
            })
        });
    }
    group.finish();
}

criterion_group!(benches, see);
criterion_main!(benches);
