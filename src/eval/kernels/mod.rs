//! The network's inner loops, once for each instruction set, all equal to the last bit.
//!
//! A loop is written once (`generic`) over vectors of 32 sixteen-bit lanes (`Lanes`); each instruction set says what
//! a vector is. [`best`] chooses once at start.
#![allow(unsafe_code)]

use super::weights::Block;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod generic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

/// What a move changes on the board or in the first layer: what it puts down or adds, and what it takes up or away.
#[derive(Clone, Copy, Debug)]
pub enum Change<T> {
    /// Nothing: a null move.
    Nothing,
    /// A man moves or is promoted.
    Move {
        /// Put down.
        down: T,
        /// Taken up.
        up: T,
    },
    /// A man takes another.
    Capture {
        /// Put down.
        down: T,
        /// Taken up: itself and the other.
        up: [T; 2],
    },
    /// King and rook.
    Castling {
        /// Put down.
        down: [T; 2],
        /// Taken up.
        up: [T; 2],
    },
}

impl<T> Change<T> {
    /// The same of what each becomes.
    #[inline(always)]
    pub fn map<U>(self, each: impl Fn(T) -> U) -> Change<U> {
        match self {
            Change::Nothing => Change::Nothing,
            Change::Move { down, up } => Change::Move { down: each(down), up: each(up) },
            Change::Capture { down, up } => Change::Capture { down: each(down), up: up.map(each) },
            Change::Castling { down, up } => Change::Castling { down: down.map(&each), up: up.map(&each) },
        }
    }
}

/// A table of weights: rows of equal length, one after the other.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    blocks: &'a [Block],
    length: usize,
}

impl<'a> Rows<'a> {
    /// `blocks` cut into rows of `length`.
    #[inline(always)]
    pub fn new(blocks: &'a [Block], length: usize) -> Rows<'a> {
        Rows { blocks, length }
    }

    /// The row of that number; panics if there is none.
    #[inline(always)]
    pub fn row(self, index: usize) -> &'a [Block] {
        &self.blocks[index * self.length..][..self.length]
    }
}

/// The inner loops. All sums of a call are as long as the rows, or the call may panic.
pub trait Kernel: Sync {
    /// How the kernel is called.
    fn name(&self) -> &'static str;

    /// `to = from + change` for one view after the other, whose sums follow each other; a change names the rows that
    /// a move puts down and takes up.
    fn update(&self, rows: Rows<'_>, from: &[Block], to: &mut [Block], changes: &[Change<usize>]);

    /// `sums += added - removed`, for any number of rows.
    fn refresh(&self, sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]);

    /// The sum over both halves of weight times [`square`](super::network::square) of the first layer's sums.
    fn output(&self, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32;
}

/// 32 lanes of sixteen bits and what is done to them. Additions wrap round.
trait Lanes: Copy {
    /// 32 numbers in registers.
    type Vector: Copy;
    /// 32-bit sums in registers.
    type Sum: Copy;
    fn load(self, block: &Block) -> Self::Vector;
    fn store(self, vector: Self::Vector, block: &mut Block);
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn zero(self) -> Self::Sum;
    /// Adds weight times squared clipped activation.
    fn add_squares(self, sum: Self::Sum, values: Self::Vector, weights: Self::Vector) -> Self::Sum;
    fn total(self, sum: Self::Sum) -> i32;
}

/// Makes a token type into a [`Kernel`] whose loops are compiled with `$features`.
///
/// The token can only be had from its `detect`, so where a kernel is, the processor has the features.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    ($token:ident, $name:literal, $features:literal) => {
        impl crate::eval::kernels::Kernel for $token {
            fn name(&self) -> &'static str {
                $name
            }

            fn update(&self, rows: Rows<'_>, from: &[Block], to: &mut [Block], changes: &[Change<usize>]) {
                #[target_feature(enable = $features)]
                fn run(
                    lanes: $token,
                    rows: Rows<'_>,
                    from: &[Block],
                    to: &mut [Block],
                    changes: &[Change<usize>],
                ) {
                    crate::eval::kernels::generic::update(lanes, rows, from, to, changes);
                }
                // SAFETY: the token exists only where the processor has the features.
                unsafe { run(*self, rows, from, to, changes) }
            }

            fn refresh(&self, sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
                #[target_feature(enable = $features)]
                fn run(lanes: $token, sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
                    crate::eval::kernels::generic::refresh(lanes, sums, added, removed);
                }
                // SAFETY: the token exists only where the processor has the features.
                unsafe { run(*self, sums, added, removed) }
            }

            fn output(&self, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
                #[target_feature(enable = $features)]
                fn run(lanes: $token, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
                    crate::eval::kernels::generic::output(lanes, sums, weights)
                }
                // SAFETY: the token exists only where the processor has the features.
                unsafe { run(*self, sums, weights) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
use kernel;

/// Every kernel that this processor can run, best first, the portable one last.
pub fn available() -> Vec<&'static dyn Kernel> {
    let mut kernels: Vec<&'static dyn Kernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        kernels.extend(avx512::Vnni::detect().map(|kernel| kernel as &dyn Kernel));
        kernels.extend(avx512::Avx512::detect().map(|kernel| kernel as &dyn Kernel));
        kernels.extend(avx2::Avx2::detect().map(|kernel| kernel as &dyn Kernel));
        kernels.extend(avx2::Ssse3::detect().map(|kernel| kernel as &dyn Kernel));
    }
    #[cfg(target_arch = "aarch64")]
    kernels.push(&neon::Neon);
    kernels.push(&portable::Portable);
    kernels
}

/// The best kernel of this processor.
pub fn best() -> &'static dyn Kernel {
    static BEST: std::sync::OnceLock<&'static dyn Kernel> = std::sync::OnceLock::new();
    *BEST.get_or_init(|| available()[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every size, the extremes among them.
    fn numbers(count: usize, size: i16, seed: u64) -> Vec<Block> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) as i32 % (2 * i32::from(size) + 1) - i32::from(size)) as i16
        };
        (0..count).map(|_| Block(std::array::from_fn(|_| next()))).collect()
    }

    #[test]
    fn every_kernel_equals_the_portable_one_to_the_last_bit() {
        let portable: &dyn Kernel = &portable::Portable;
        for blocks in [1, 2, 3, 4, 8, 12, 16, 32] {
            let table = numbers(40 * blocks, i16::MAX, 1);
            let row = |index: usize| Rows::new(&table, blocks).row(index);
            let sums = [numbers(blocks, 1000, 50), numbers(blocks, i16::MAX, 51)];
            let both = sums.concat();
            let weights = [numbers(blocks, 507, 52), numbers(blocks, 507, 53)];
            for kernel in available() {
                let check = |work: &dyn Fn(&dyn Kernel) -> Vec<Block>| {
                    assert!(work(kernel) == work(portable), "{} with {blocks} blocks", kernel.name());
                };
                for change in [
                    Change::Nothing,
                    Change::Move { down: 0, up: 5 },
                    Change::Capture { down: 0, up: [5, 6] },
                    Change::Castling { down: [0, 1], up: [5, 6] },
                ] {
                    check(&|kernel| {
                        let mut to = vec![Block::ZERO; blocks];
                        kernel.update(Rows::new(&table, blocks), &sums[1], &mut to, &[change]);
                        to
                    });
                    check(&|kernel| {
                        let mut to = vec![Block::ZERO; 2 * blocks];
                        let other = Change::Move { down: 7, up: 39 };
                        kernel.update(Rows::new(&table, blocks), &both, &mut to, &[change, other]);
                        to
                    });
                }
                let (added, removed): (Vec<_>, Vec<_>) =
                    ((0..30).map(row).collect(), (30..40).map(row).collect());
                check(&|kernel| {
                    let mut to = sums[1].clone();
                    kernel.refresh(&mut to, &added, &removed);
                    to
                });
                let output =
                    |kernel: &dyn Kernel| kernel.output([&sums[0], &sums[1]], [&weights[0], &weights[1]]);
                assert_eq!(output(kernel), output(portable), "{} with {blocks} blocks", kernel.name());
            }
        }
    }

    #[test]
    fn the_best_kernel_comes_first() {
        assert_eq!(best().name(), available()[0].name());
        assert_eq!(available().last().unwrap().name(), "portable");
    }
}
