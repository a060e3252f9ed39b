//! The transposition table: probes that find and that do not, with and without a prefetch, stores, and clearing. Larger
//! than the processor's caches, so that what is timed is mostly the way to memory, as in a search.

use chess::Move;
use chess::random::mix;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tamarack::score::{Bound, Score};
use tamarack::search::{TranspositionTable, TtEntry};

const MEBIBYTES: usize = 256;
/// Keys in a round.
const KEYS: u64 = 4096;

fn entry(key: u64) -> TtEntry {
    TtEntry {
        mv: Move::from_bits(key as u16 | 1),
        score: Score::cp((key >> 20 & 0xFFF) as i32),
        eval: Some(Score::cp((key >> 40 & 0xFFF) as i32)),
        depth: (key >> 56 & 15) as i32,
        bound: Some(Bound::Lower),
        tt_pv: false,
    }
}

fn table(criterion: &mut Criterion) {
    let table = TranspositionTable::new(MEBIBYTES).expect("memory for the bench");
    let stored = 4_000_000;
    (0..stored).for_each(|i| table.store(mix(i), 0, &entry(mix(i))));
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(KEYS));
    // Each round meets other lines, as a search does.
    let mut round = 0;
    let mut keys = |from: u64| {
        round += 1;
        (0..KEYS).map(|i| mix(from + (round * KEYS + i) % stored)).collect::<Vec<u64>>()
    };
    let found = |keys: &[u64]| keys.iter().filter(|&&key| table.probe(key, 3, 0).is_some()).count();
    group.bench_function("probe, found", |b| {
        b.iter_batched(|| keys(0), |keys| black_box(found(&keys)), BatchSize::SmallInput);
    });
    group.bench_function("probe, not found", |b| {
        b.iter_batched(|| keys(stored), |keys| black_box(found(&keys)), BatchSize::SmallInput);
    });
    group.bench_function("probe, found, prefetched", |b| {
        let early = |keys: Vec<u64>| {
            let ahead = keys.iter().skip(8).chain(&keys[..8]);
            let hit = |(&key, &next): (&u64, &u64)| {
                table.prefetch(next);
                table.probe(key, 3, 0).is_some()
            };
            black_box(keys.iter().zip(ahead).filter(|&pair| hit(pair)).count())
        };
        b.iter_batched(|| keys(0), early, BatchSize::SmallInput);
    });
    group.bench_function("store", |b| {
        let store = |keys: Vec<u64>| keys.iter().for_each(|&key| table.store(key, 3, &entry(key)));
        b.iter_batched(|| keys(0), store, BatchSize::SmallInput);
    });
    group.throughput(Throughput::Bytes((MEBIBYTES as u64) << 20));
    group.bench_function("clear", |b| b.iter(|| table.clear()));
    group.finish();
}

criterion_group!(benches, table);
criterion_main!(benches);
