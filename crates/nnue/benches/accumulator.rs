//! Evaluations a second by the network, for each kernel: the output alone, one move updated, and both perspectives refreshed.

use chess::{Move, Position};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use tamarack_nnue::accumulator::Accumulators;
use tamarack_nnue::architecture::{INPUTS, THREAT_INPUTS};
use tamarack_nnue::kernels;
use tamarack_nnue::network::{Network, Parts, Shape};

/// A network of arbitrary weights, on which the loops do not depend.
fn network(hidden: usize) -> Arc<Network> {
    let shape = Shape { hidden, buckets: 8 };
    let number = |index: usize, size: usize| (index * 7919 % (2 * size + 1)) as i16 - size as i16;
    let parts = Parts {
        input: (0..INPUTS * hidden).map(|index| number(index, 200)).collect(),
        threats: (0..THREAT_INPUTS * hidden).map(|index| number(index, 100) as i8).collect(),
        pawn_pairs: Vec::new(),
        input_bias: (0..hidden).map(|index| number(index, 100)).collect(),
        output: (0..16 * hidden).map(|index| number(index, 60)).collect(),
        output_bias: vec![0; 8],
    };
    Arc::new(Network::new(shape, "bench", &parts).unwrap_or_else(|error| panic!("{error}")))
}

/// A line of quiet and noisy moves from the start of a game.
fn line() -> Vec<(Position, Move, Position)> {
    let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5 d4b3 d8d1";
    let mut position = Position::startpos();
    let step = |text: &str| {
        let mv = position.parse_uci(text).ok()?;
        let before = position;
        position = before.after(mv);
        Some((before, mv, position))
    };
    moves.split(' ').map_while(step).collect()
}

fn evaluations(criterion: &mut Criterion) {
    let line = line();
    assert_eq!(line.len(), 16);
    for hidden in [256, 512] {
        let network = network(hidden);
        let mut group = criterion.benchmark_group(format!("evaluation/{hidden}"));
        for kernel in kernels::available() {
            let mut accumulators = Accumulators::with_kernel(Arc::clone(&network), kernel);
            let id = |part: &str| BenchmarkId::new(part, kernel.name());
            let (before, mv, after) = &line[8];
            accumulators.evaluate(before);
            group.bench_function(id("output"), |bencher| {
                bencher.iter(|| black_box(accumulators.evaluate(black_box(before))));
            });
            group.bench_function(id("one-move"), |bencher| {
                bencher.iter(|| {
                    accumulators.push(before, *mv, after);
                    let value = accumulators.evaluate(black_box(after));
                    accumulators.pop();
                    black_box(value)
                });
            });
            // Alternating far boards: both perspectives come from the refresh table with many pieces changed.
            let far: Position =
                "8/5k2/3p4/8/2N5/8/1K6/8 w - - 0 1".parse().unwrap_or_else(|_| Position::startpos());
            group.bench_function(id("two-refreshes"), |bencher| {
                let mut flip = false;
                bencher.iter(|| {
                    flip = !flip;
                    accumulators.reset();
                    black_box(accumulators.evaluate(black_box(if flip { &far } else { before })))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
