//! Sixteen 32-bit floats or thirty-two 16-bit integers at a time: the only `unsafe` of the tools. A kernel is written
//! once over [`Simd`] and compiled for each instruction set; its token can only be had where the processor has
//! the instructions.

#![allow(unsafe_code)]

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use portable::Portable;

/// Floats in a [`Row`].
pub const LANES: usize = 16;
/// Integers in [`Shorts`].
pub const SHORTS: usize = 2 * LANES;

/// One cache line of floats.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [f32; LANES]);

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([0.0; LANES]);
}

/// One cache line of 16-bit integers.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Shorts(pub [i16; SHORTS]);

impl Shorts {
    /// All zero.
    pub const ZERO: Shorts = Shorts([0; SHORTS]);
}

/// Prefetches the cache line of `place` into the second-level cache.
#[inline(always)]
pub fn prefetch_l2<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads and writes nothing and cannot fault; SSE, which has it, is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Arithmetic on vectors of sixteen floats or thirty-two integers.
pub trait Simd: Copy {
    /// Sixteen floats in registers.
    type Vector: Copy;
    /// Thirty-two integers in registers.
    type Integers: Copy;
    /// Reads a row.
    fn load(self, row: &Row) -> Self::Vector;
    /// Writes a row.
    fn store(self, vector: Self::Vector, row: &mut Row);
    /// A vector of sixteen copies.
    fn splat(self, value: f32) -> Self::Vector;
    /// `a + b`
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a * b`
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a * b + c`, in one rounding or two.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// `a / b`
    fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The square root of each.
    fn sqrt(self, a: Self::Vector) -> Self::Vector;
    /// The smaller of each pair.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The larger of each pair.
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `then` where `a < b`, else 0.
    fn keep_below(self, a: Self::Vector, b: Self::Vector, then: Self::Vector) -> Self::Vector;
    /// The sum of all sixteen.
    fn sum(self, a: Self::Vector) -> f32;
    /// Reads integers.
    fn load_shorts(self, shorts: &Shorts) -> Self::Integers;
    /// Writes integers.
    fn store_shorts(self, integers: Self::Integers, shorts: &mut Shorts);
    /// `a + b`, held at the ends of the range.
    fn add_shorts(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// Each moved into 0 to `high`.
    fn clip_shorts(self, a: Self::Integers, high: i16) -> Self::Integers;
    /// The integers as floats: the first sixteen, then the others.
    fn floats(self, a: Self::Integers) -> [Self::Vector; 2];
    /// The floats rounded to the nearest integer, halves to the even one, and held at the ends of the range.
    fn round(self, a: [Self::Vector; 2]) -> Self::Integers;
}

/// Work that can be done with any instruction set.
pub trait Work {
    /// The result.
    type Output;
    /// The work; must be `#[inline(always)]`, so that it is compiled for the instruction set.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The instruction set of a processor (ISA).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
    /// 256-bit vectors with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    /// Whatever the compiler makes of arrays.
    Portable,
}

impl Isa {
    /// Every instruction set that this processor can run, best first.
    pub fn available() -> Vec<Isa> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(x86::Avx512::detect().map(Isa::Avx512));
            levels.extend(x86::Avx2::detect().map(Isa::Avx2));
        }
        levels.push(Isa::Portable);
        levels
    }

    /// The best instruction set of this processor.
    pub fn best() -> Isa {
        Isa::available()[0]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            Isa::Portable => "portable",
        }
    }

    /// Does the work with this instruction set.
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(token) => token.run(work),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(token) => token.run(work),
            Isa::Portable => work.run(Portable),
        }
    }
}
