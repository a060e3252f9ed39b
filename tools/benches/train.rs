//! Positions a second of whole training steps (forward, backward, optimiser) on all cores, on positions of random games.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tamarack::eval::network::Shape;
use tools::train::lanes::Level;
use tools::train::{Loss, Model, Pace, Target, Trainer, sample};

const BATCH: usize = 16_384;

fn steps(criterion: &mut Criterion) {
    let boards = sample::boards(4 * BATCH, 1);
    let men: u32 = boards.iter().map(|board| board.occ.count_ones()).sum();
    println!("{:.1} men a position", f64::from(men) / boards.len() as f64);
    let threads = rayon::current_num_threads();
    let pace = Pace { rate: 1e-3, decay: 0.01, target: Target { result_share: 0.3 } };
    let mut group = criterion.benchmark_group("train");
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(10);
    for hidden in [64, 128, 256, 512] {
        for level in Level::available() {
            let shape = Shape { hidden, buckets: 8 };
            let mut trainer = Trainer::new(Model::random(shape, 1), Loss { power: 2.0 }, level, threads);
            let mut batches = boards.chunks(BATCH).cycle();
            let name = BenchmarkId::new(hidden.to_string(), format!("{}x{threads}", level.name()));
            group.bench_function(name, |bencher| {
                bencher.iter(|| black_box(trainer.step(batches.next().unwrap_or_default(), pace)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
