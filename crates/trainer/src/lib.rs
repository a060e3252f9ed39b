//! How Tamarack's network is made: games of the engine against itself, records, training, judging.
//!
//! - [`net`]: puts a network in its place; [`mod@positions`]: positions for judging, searched by a stronger engine;
//!   [`judge`]: compares networks with it;
//! - [`datagen`]: games of the engine against itself; [`data`]: files of games and records;
//! - [`average`]: makes one network of several; [`train`]: the trainer, records in, weights out.

pub mod average;
pub mod data;
pub mod datagen;
pub mod judge;
pub mod net;
pub mod positions;
#[cfg(test)]
mod scratch;
pub mod train;

use anyhow::Context;

/// A thread for each processor or as many as wanted, for rayon, whose global pool panics where the system has none.
fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    let threads = arena::threads::count(threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.with_context(|| format!("the system does not give {threads} threads"))
}
