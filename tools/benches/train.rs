//! Positions a second of whole training steps (forward, backward, optimiser) on all cores, on positions of random games.
//!
//! Roofline for H neurons a view and n men (19 on average), a position:
//! - first layer forward: 2 n H additions, 8 n H bytes of weights from the first or second cache level; backward the
//!   same again for gradients. H = 256: 39 thousand additions and 78 KB for both ways together.
//! - the rest: about 25 operations and 24 bytes (written once, read twice) for each of 2 H activations: 13 thousand
//!   operations and 12 KB.
//! - weights and gradients pass by once for each chunk of 1,024 positions: 4 bytes each, 2.3 KB a position.
//!
//! A Zen 4 core loads 64 bytes and adds 16 floats a cycle (512-bit operations take two cycles of a 256-bit unit), so the
//! first layer cannot take fewer than 78 KB / 64 = 1,220 cycles a position at H = 256, and everything together about
//! 1,700: 1.8 million positions/s a core at 3 GHz. Loads are the limit; AVX2 is therefore hardly slower than AVX-512.
//! The machine's memory plays no part: the model (0.8 MB) and its moments stay in the third cache level, records are
//! 32 bytes.

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
