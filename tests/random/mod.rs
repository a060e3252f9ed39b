//! Random numbers for tests: the same ones every time.
#![allow(dead_code, missing_docs, unused_imports)]

pub use tamarack::random::mix;
use tamarack::random::splitmix64;

/// A generator with a seed.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// A number below `limit`; 0 when that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}
