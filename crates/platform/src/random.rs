//! A number that nobody can foresee.

use crate::clock::Instant;
use std::hash::{BuildHasher, RandomState};

/// 64 bits from the system's source of randomness, others at each call. The time of the call is mixed in: in WebAssembly, where there is no
/// such source, it takes its place. Not for cryptography.
pub fn system_seed() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_seeds_are_alike() {
        let seeds: HashSet<u64> = (0..100).map(|_| system_seed()).collect();
        assert_eq!(seeds.len(), 100);
    }
}
