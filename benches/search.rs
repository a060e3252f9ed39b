//! Search. For comparison with another version run both in turn; absolute times are noise.

use chess::positions::{KIWIPETE, POSITION_3, POSITION_6, START};
use chess::{Game, Position};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tamarack::eval::default_network;
use tamarack::search::{Limits, OneThread};

const FENS: [&str; 4] = [START, KIWIPETE, POSITION_3, POSITION_6];

fn positions() -> Vec<Position> {
    FENS.iter().map(|fen| fen.parse().expect("a legal position")).collect()
}

fn search(criterion: &mut Criterion) {
    const NODES: u64 = 50_000;
    let positions = positions();
    let mut engine = OneThread::new(16, &default_network()).expect("16 MB");
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES * positions.len() as u64));
    group.sample_size(10);
    group.bench_function("50,000 nodes each", |bencher| {
        bencher.iter(|| {
            engine.clear();
            for &position in &positions {
                let limits = Limits { nodes: Some(NODES), ..Limits::default() };
                engine.search(&Game::new(position), limits, None);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
