//! Choices at random.

use chess::random::Random;

/// Choices from a generator of numbers.
pub trait Dice {
    /// True once in `times` times on average.
    fn one_in(&mut self, times: usize) -> bool;
    /// One of the items, of which there must be one.
    fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T;
    /// A number from the first to the last.
    fn between(&mut self, first: usize, last: usize) -> usize;
}

impl Dice for Random {
    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }
}
