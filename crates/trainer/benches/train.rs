//! Positions a second of whole training steps (forward, backward, optimiser) on all cores, on positions of random games.
//!
//! Roofline for H neurons a view and n pieces (19 on average), a position. A Sapphire Rapids core does two 512-bit
//! operations a cycle on floats or integers, and two 512-bit loads from 48 KB of first-level cache.
//! - first layer forward: 2 n H additions of 16 bits, a load and an addition for 32 of them: 2 n H / 64 cycles; 152 for
//!   H = 256.
//! - first layer backward: 2 n H additions of 32 bits, a load and an addition for 16 of them: 304 cycles. It is the
//!   largest part; 16-bit floats would halve it, but few processors add them and they would lose small derivatives.
//! - the rest: some 30 operations (clip, to floats, square, weigh; forward and back) for each 32 of 2 H activations: 240
//!   cycles.
//! - whatever H is: inputs from records, and their lists for the way back: some 300 cycles, measured.
//!
//! So H = 256 cannot take fewer than 1,000 cycles a position, 2.9 million positions/s a core at 2.9 GHz. Measured were
//! 1.65 million of processor time, or 1,750 cycles: half of them backward, a quarter forward. What is lost goes to the
//! second-level cache (2 MB: half of a tile's weights; gradients, 3 KB read and written a position; activations, 1 KB) and
//! to the six instructions a cycle that finding a row, loading it and adding it leave little of. AVX2 adds half as much in an
//! instruction: 1.3 million. By the clock, two cores of a shared machine, with other work beside: 6.7 million for H = 64,
//! 4.8 for 128, 2.5 for 256 (AVX2: 1.9), 1.4 for 512.
//! The machine's memory plays no part: the model (0.8 MB) and its moments stay in the third cache level, records are
//! 32 bytes.
//!
//! All this was measured with one king area. With seven, a step passes over seven times the weights, gradients and moments,
//! and rows come from the second-level cache more often. On two shared cores of a Zen 5 machine, beside other work, `tools train`
//! with H = 512 took 1,560 to 1,700 ns of processor time a position with batches of 32,768 and 1,780 to 1,930 with 16,384;
//! at commit 9922453, alternating with it, 2,170 to 2,200 and 2,570 to 2,620. What is left is mostly weights and gradients that come from the third-level cache.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nnue::network::Shape;
use std::hint::black_box;
use tamarack_trainer::train::simd::Isa;
use tamarack_trainer::train::{Loss, Model, StepParameters, Target, Trainer, sample};

const BATCH: usize = 16_384;

fn steps(criterion: &mut Criterion) {
    let boards = sample::boards(4 * BATCH, 1);
    let men: u32 = boards.iter().map(|board| board.occ.count_ones()).sum();
    println!("{:.1} men a position", f64::from(men) / boards.len() as f64);
    let threads = rayon::current_num_threads();
    let parameters = StepParameters { rate: 1e-3, decay: 0.01, target: Target { wdl_weight: 0.3 } };
    let mut group = criterion.benchmark_group("train");
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(10);
    for hidden in [64, 128, 256, 512] {
        for isa in Isa::available() {
            let shape = Shape { hidden, buckets: 8 };
            let mut trainer = Trainer::new(Model::random(shape, 1), Loss { power: 2.0 }, isa, threads);
            let mut batches = boards.chunks(BATCH).cycle();
            let name = BenchmarkId::new(hidden.to_string(), format!("{}x{threads}", isa.name()));
            group.bench_function(name, |bencher| {
                bencher.iter(|| black_box(trainer.step(batches.next().unwrap_or_default(), parameters)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
