//! The lines that threads share: publishing node counts and looking at the stop flag, as a search does every 256 nodes, by one
//! thread and by two at once; and for comparison counters that each thread adds to, in lines of their own and in one line. On a
//! machine with two free cores a second thread should change the first two kinds by nothing, and the last several times.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use crossbeam::utils::CachePadded;
use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tamarack::search::SharedState;

/// Calls of each thread in a sample's iteration.
const CALLS: u64 = 10_000;

/// The time that `threads` threads take for so many iterations of `call(thread, count)`, all begun together.
fn together(threads: usize, iterations: u64, call: impl Fn(usize, u64) + Sync) -> Duration {
    let barrier = Barrier::new(threads + 1);
    std::thread::scope(|scope| {
        let work = |thread: usize| {
            barrier.wait();
            (0..iterations * CALLS).for_each(|count| call(thread, count));
        };
        let all: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        barrier.wait();
        let started = Instant::now();
        all.into_iter().for_each(|thread| thread.join().expect("no panic"));
        started.elapsed()
    })
}

fn shared_lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("shared lines");
    group.throughput(Throughput::Elements(CALLS));
    for threads in [1, 2] {
        let shared = SharedState::new(threads, Instant::now(), false);
        group.bench_function(BenchmarkId::new("count and stop flag", threads), |bencher| {
            bencher.iter_custom(|iterations| {
                together(threads, iterations, |thread, count| {
                    shared.set_nodes(thread, count);
                    black_box(shared.is_stopped());
                })
            });
        });
    }
    for threads in [1, 2] {
        let apart: [CachePadded<AtomicU64>; 2] = Default::default();
        group.bench_function(BenchmarkId::new("counters in lines of their own", threads), |bencher| {
            bencher.iter_custom(|iterations| {
                together(threads, iterations, |thread, _| _ = apart[thread].fetch_add(1, Relaxed))
            });
        });
    }
    for threads in [1, 2] {
        let beside = [AtomicU64::new(0), AtomicU64::new(0)];
        group.bench_function(BenchmarkId::new("counters in one line", threads), |bencher| {
            bencher.iter_custom(|iterations| {
                together(threads, iterations, |thread, _| _ = beside[thread].fetch_add(1, Relaxed))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, shared_lines);
criterion_main!(benches);
