//! Search. For comparison with another version run both in turn; absolute times are noise.

use chess::positions::{KIWIPETE, POSITION_3, POSITION_6, START};
use chess::{Game, Position};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;
use std::time::Instant;
use tamarack::eval::default_network;
use tamarack::search::{Limits, SearchContext, SearchOptions, SearchRequest, TranspositionTable, Worker};

const FENS: [&str; 4] = [START, KIWIPETE, POSITION_3, POSITION_6];

fn positions() -> Vec<Position> {
    FENS.iter().map(|fen| fen.parse().expect("a legal position")).collect()
}

fn search(criterion: &mut Criterion) {
    const NODES: u64 = 50_000;
    let positions = positions();
    let tt = Arc::new(TranspositionTable::new(16).expect("16 MB"));
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES * positions.len() as u64));
    group.sample_size(10);
    group.bench_function("50,000 nodes each", |bencher| {
        bencher.iter(|| {
            tt.clear();
            let mut worker = Worker::new(0).expect("memory");
            for &position in &positions {
                let limits = Limits { nodes: Some(NODES), ..Limits::default() };
                let game = Game::new(position);
                let request = SearchRequest {
                    game,
                    started: Instant::now(),
                    limits,
                    options: SearchOptions::default(),
                };
                let context = SearchContext::new(request, 1, &tt, &default_network(), None);
                worker.search(&context, None);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
