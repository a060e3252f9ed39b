//! The network's inner loops, once for each instruction set, all equal to the last bit.
//!
//! A loop is written once (`generic`) over vectors of 32 sixteen-bit lanes (`Simd`), which each instruction set
//! implements. [`best`] chooses once at start.
#![allow(unsafe_code)]

use super::features::FeatureDelta;
use super::weights::{Block, ByteBlock, Rows};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod generic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

/// The inner loops of the evaluation. All accumulators of a call are as long as the rows, if nothing else is said; the call
/// may panic otherwise.
pub trait Kernel: Sync {
    /// The name of the instruction set.
    fn name(&self) -> &'static str;

    /// `to = from + delta` for one perspective after the other, whose accumulators follow each other; a delta names rows.
    fn update(&self, rows: Rows<'_>, from: &[Block], to: &mut [Block], deltas: &[FeatureDelta<usize>]);

    /// `accumulator += added - removed`, for any number of rows.
    fn refresh(&self, accumulator: &mut [Block], added: &[&[Block]], removed: &[&[Block]]);

    /// The same with numbers of rows of eight-bit weights, and an accumulator of their length.
    fn refresh_bytes(
        &self,
        rows: Rows<'_, ByteBlock>,
        accumulator: &mut [Block],
        added: &[u16],
        removed: &[u16],
    );

    /// The sum over the neurons of both accumulators of weight times [`screlu`](crate::architecture::screlu):
    ///
    /// - `accumulators`: those of the side to move and of the opponent.
    /// - `rows`, `added`: the rows with these numbers are first added to the beginning of each accumulator. A row is as long as
    ///   an accumulator, or ends at a multiple of 128 neurons.
    /// - `weights`: the output weights of each accumulator.
    fn output(
        &self,
        accumulators: [&[Block]; 2],
        rows: Rows<'_, ByteBlock>,
        added: [&[u16]; 2],
        weights: [&[Block]; 2],
    ) -> i32;
}

/// An instruction set: 32 lanes of sixteen bits and the operations on them. Additions wrap round.
trait Simd: Copy {
    /// 32 numbers in registers.
    type Vector: Copy;
    /// 32-bit sums in registers.
    type Sum: Copy;
    fn load(self, block: &Block) -> Self::Vector;
    /// Sixteen-bit lanes of eight-bit numbers.
    fn load_bytes(self, block: &ByteBlock) -> Self::Vector;
    fn store(self, vector: Self::Vector, block: &mut Block);
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn zero(self) -> Self::Sum;
    /// [`screlu`](crate::architecture::screlu) of each value.
    fn screlu(self, values: Self::Vector) -> Self::Vector;
    /// Adds the products of the lanes.
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    fn total(self, sum: Self::Sum) -> i32;
}

/// A row's block of 32 numbers of either width, as sixteen-bit lanes.
trait Lanes {
    fn lanes<S: Simd>(&self, simd: S) -> S::Vector;
}

impl Lanes for Block {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S) -> S::Vector {
        simd.load(self)
    }
}

impl Lanes for ByteBlock {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S) -> S::Vector {
        simd.load_bytes(self)
    }
}

/// Makes a token type into a [`Kernel`] whose loops are compiled with the target features `$feature`, which each processor
/// that a token is for has.
macro_rules! kernel {
    ($token:ident, $name:literal, [$($feature:tt),*]) => {
        // Without target features `run` is safe to call.
        #[allow(unused_unsafe)]
        impl crate::kernels::Kernel for $token {
            fn name(&self) -> &'static str {
                $name
            }

            fn update(&self, rows: Rows<'_>, from: &[Block], to: &mut [Block], deltas: &[FeatureDelta<usize>]) {
                $(#[target_feature(enable = $feature)])*
                fn run(
                    simd: $token,
                    rows: Rows<'_>,
                    from: &[Block],
                    to: &mut [Block],
                    deltas: &[FeatureDelta<usize>],
                ) {
                    crate::kernels::generic::update(simd, rows, from, to, deltas);
                }
                // SAFETY: where a token is, the processor has each feature that `run` is compiled with.
                unsafe { run(*self, rows, from, to, deltas) }
            }

            fn refresh(&self, accumulator: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
                $(#[target_feature(enable = $feature)])*
                fn run(simd: $token, accumulator: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
                    crate::kernels::generic::refresh(simd, accumulator, |row| row, added, removed);
                }
                // SAFETY: where a token is, the processor has each feature that `run` is compiled with.
                unsafe { run(*self, accumulator, added, removed) }
            }

            fn refresh_bytes(
                &self,
                rows: Rows<'_, ByteBlock>,
                accumulator: &mut [Block],
                added: &[u16],
                removed: &[u16],
            ) {
                $(#[target_feature(enable = $feature)])*
                fn run(
                    simd: $token,
                    rows: Rows<'_, ByteBlock>,
                    accumulator: &mut [Block],
                    added: &[u16],
                    removed: &[u16],
                ) {
                    let row = |index: u16| rows.row(index.into());
                    crate::kernels::generic::refresh(simd, accumulator, row, added, removed);
                }
                // SAFETY: where a token is, the processor has each feature that `run` is compiled with.
                unsafe { run(*self, rows, accumulator, added, removed) }
            }

            fn output(
                &self,
                accumulators: [&[Block]; 2],
                rows: Rows<'_, ByteBlock>,
                added: [&[u16]; 2],
                weights: [&[Block]; 2],
            ) -> i32 {
                $(#[target_feature(enable = $feature)])*
                fn run(
                    simd: $token,
                    accumulators: [&[Block]; 2],
                    rows: Rows<'_, ByteBlock>,
                    added: [&[u16]; 2],
                    weights: [&[Block]; 2],
                ) -> i32 {
                    crate::kernels::generic::output(simd, accumulators, rows, added, weights)
                }
                // SAFETY: where a token is, the processor has each feature that `run` is compiled with.
                unsafe { run(*self, accumulators, rows, added, weights) }
            }
        }
    };
}
use kernel;

/// Makes a token type into a [`Kernel`], and writes its `detect`, the only source of tokens, which tests exactly the target
/// features of its loops: where a token is, the processor has them.
#[cfg(target_arch = "x86_64")]
macro_rules! detected_kernel {
    ($token:ident, $name:literal, [$($feature:tt),+]) => {
        impl $token {
            /// The kernel, if the processor has all its target features.
            pub(super) fn detect() -> Option<&'static $token> {
                ($(is_x86_feature_detected!($feature))&&+).then_some(&$token(()))
            }
        }

        crate::kernels::kernel!($token, $name, [$($feature),+]);
    };
}
#[cfg(target_arch = "x86_64")]
use detected_kernel;

/// Every kernel that this processor can run, best first, the portable one last.
#[cfg_attr(not(target_arch = "x86_64"), allow(clippy::vec_init_then_push))]
pub fn available() -> Vec<&'static dyn Kernel> {
    let mut kernels: Vec<&'static dyn Kernel> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        use platform::cpu;
        let narrow = avx2::AvxVnni::detect().map(|kernel| kernel as &dyn Kernel);
        let wide = [
            avx512::Vnni::detect().map(|kernel| kernel as &dyn Kernel),
            avx512::Avx512::detect().map(|kernel| kernel as &dyn Kernel),
        ];
        // With 512-bit vectors the whole search was 1.6% slower on the Intel processor that was tried (docs/network.md).
        kernels.extend(narrow.filter(|_| cpu::is_intel()));
        kernels.extend(wide.into_iter().flatten());
        kernels.extend(narrow.filter(|_| !cpu::is_intel()));
        kernels.extend(avx2::Avx2::detect().map(|kernel| kernel as &dyn Kernel));
        kernels.extend(avx2::Ssse3::detect().map(|kernel| kernel as &dyn Kernel));
    }
    #[cfg(target_arch = "aarch64")]
    kernels.push(&neon::Neon);
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    kernels.push(&simd128::Simd128);
    kernels.push(&portable::Portable);
    kernels
}

/// The environment variable that names the kernel to use instead of the best one, so that each can be tried and profiled.
pub const CHOICE: &str = "TAMARACK_KERNEL";

/// The best kernel of this processor, or the one that [`CHOICE`] names if the processor can run it.
pub fn best() -> &'static dyn Kernel {
    static BEST: std::sync::OnceLock<&'static dyn Kernel> = std::sync::OnceLock::new();
    *BEST.get_or_init(|| chosen(std::env::var(CHOICE).ok().as_deref()))
}

/// What is wrong with [`CHOICE`], as one sentence; `None` if it is not set or names a kernel of this processor.
pub fn choice_problem() -> Option<String> {
    problem_of(&std::env::var_os(CHOICE)?.to_string_lossy())
}

fn problem_of(name: &str) -> Option<String> {
    let names: Vec<&str> = available().iter().map(|kernel| kernel.name()).collect();
    let (best, all) = (names[0], names.join(", "));
    let problem = || format!("{CHOICE}: '{name}' is no kernel of this processor ({all}); using {best}");
    (!names.contains(&name)).then(problem)
}

/// The kernel of this name, else the best one.
fn chosen(name: Option<&str>) -> &'static dyn Kernel {
    let kernels = available();
    let named = kernels.iter().find(|kernel| Some(kernel.name()) == name);
    *named.unwrap_or(&kernels[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::random::Random;

    #[test]
    fn a_choice_that_this_processor_cannot_run_is_said() {
        assert_eq!(problem_of("portable"), None);
        let problem = problem_of("mmx").unwrap();
        assert!(problem.starts_with("TAMARACK_KERNEL: 'mmx' is no kernel") && problem.contains("portable"));
    }

    /// Numbers of every size, the extremes among them.
    fn numbers(count: usize, size: i16, seed: u64) -> Vec<Block> {
        let mut random = Random::new(seed);
        let mut next = || (random.below(2 * size as usize + 1) as i32 - i32::from(size)) as i16;
        (0..count).map(|_| Block(std::array::from_fn(|_| next()))).collect()
    }

    /// Eight-bit numbers of every size.
    fn bytes(count: usize, seed: u64) -> Vec<ByteBlock> {
        numbers(count, i16::MAX, seed)
            .iter()
            .map(|block| ByteBlock(block.0.map(|number| number as i8)))
            .collect()
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
                for delta in [
                    FeatureDelta::Nothing,
                    FeatureDelta::Move { add: 0, sub: 5 },
                    FeatureDelta::Capture { add: 0, sub: [5, 6] },
                    FeatureDelta::Castling { add: [0, 1], sub: [5, 6] },
                ] {
                    check(&|kernel| {
                        let mut to = vec![Block::ZERO; blocks];
                        kernel.update(Rows::new(&table, blocks), &sums[1], &mut to, &[delta]);
                        to
                    });
                    check(&|kernel| {
                        let mut to = vec![Block::ZERO; 2 * blocks];
                        let other = FeatureDelta::Move { add: 7, sub: 39 };
                        kernel.update(Rows::new(&table, blocks), &both, &mut to, &[delta, other]);
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
                let bytes = bytes(40 * blocks, 3);
                let rows = Rows::new(&bytes, blocks);
                let (added, removed): (Vec<u16>, Vec<u16>) = ((0..30).collect(), (30..40).collect());
                check(&|kernel| {
                    let mut to = sums[1].clone();
                    kernel.refresh_bytes(rows, &mut to, &added, &removed);
                    to
                });
                for [own, other] in [[0, 0], [0, 1], [5, 2], [17, 30]] {
                    let added = [&added[..own], &added[..other]];
                    let output = |kernel: &dyn Kernel| {
                        kernel.output([&sums[0], &sums[1]], rows, added, [&weights[0], &weights[1]])
                    };
                    assert_eq!(output(kernel), output(portable), "{} with {blocks} blocks", kernel.name());
                }
            }
        }
    }

    #[test]
    fn the_best_kernel_comes_first() {
        assert_eq!(chosen(None).name(), available()[0].name());
        assert_eq!(available().last().unwrap().name(), "portable");
    }

    #[test]
    fn a_kernel_can_be_chosen_by_its_name() {
        assert_eq!(chosen(Some("portable")).name(), "portable");
        assert_eq!(chosen(Some("of another processor")).name(), available()[0].name());
    }
}
