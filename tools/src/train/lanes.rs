//! Sixteen 32-bit floats at a time: the only `unsafe` of the tools. A kernel is written once over [`Lanes`] and
//! compiled for each processor level; a level's token can only be had where the processor has the level.

#![allow(unsafe_code)]

/// Floats in a [`Row`].
pub const LANES: usize = 16;

/// One cache line of floats.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [f32; LANES]);

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([0.0; LANES]);
}

/// Arithmetic on vectors of sixteen floats.
pub trait Lanes: Copy {
    /// Sixteen floats in registers.
    type Vector: Copy;
    /// Reads a row.
    fn load(self, row: &Row) -> Self::Vector;
    /// Writes a row.
    fn store(self, vector: Self::Vector, row: &mut Row);
    /// Sixteen times the same.
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
}

/// Work that can be done at any level.
pub trait Work {
    /// What comes out.
    type Output;
    /// Does it; must be `#[inline(always)]`, so that it is compiled for the level.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// What the processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
    /// 256-bit vectors with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    /// Whatever the compiler makes of arrays.
    Portable,
}

impl Level {
    /// Every level that this processor can run, best first.
    pub fn available() -> Vec<Level> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(x86::Avx512::detect().map(Level::Avx512));
            levels.extend(x86::Avx2::detect().map(Level::Avx2));
        }
        levels.push(Level::Portable);
        levels
    }

    /// The best level of this processor.
    pub fn best() -> Level {
        Level::available()[0]
    }

    /// How it is called.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "avx2",
            Level::Portable => "portable",
        }
    }

    /// Does the work at this level.
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(token) => token.run(work),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(token) => token.run(work),
            Level::Portable => work.run(Portable),
        }
    }
}

/// Plain arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portable;

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> [f32; LANES] {
    std::array::from_fn(f)
}

impl Lanes for Portable {
    type Vector = [f32; LANES];

    #[inline(always)]
    fn load(self, row: &Row) -> Self::Vector {
        row.0
    }
    #[inline(always)]
    fn store(self, vector: Self::Vector, row: &mut Row) {
        row.0 = vector;
    }
    #[inline(always)]
    fn splat(self, value: f32) -> Self::Vector {
        [value; LANES]
    }
    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        each(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| a[i] / b[i])
    }
    #[inline(always)]
    fn sqrt(self, a: Self::Vector) -> Self::Vector {
        each(|i| a[i].sqrt())
    }
    #[inline(always)]
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn keep_below(self, a: Self::Vector, b: Self::Vector, then: Self::Vector) -> Self::Vector {
        each(|i| if a[i] < b[i] { then[i] } else { 0.0 })
    }
    #[inline(always)]
    fn sum(self, a: Self::Vector) -> f32 {
        a.iter().sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lanes, Row, Work};
    use std::arch::x86_64::*;

    /// The processor has AVX-512 (F, VL, BW, DQ).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Avx512(());

    /// The processor has AVX2 and FMA.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Avx2(());

    impl Avx512 {
        pub fn detect() -> Option<Avx512> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("fma");
            has.then_some(Avx512(()))
        }

        pub fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            fn compiled<W: Work>(token: Avx512, work: W) -> W::Output {
                work.run(token)
            }
            // SAFETY: the token exists, so `detect` found AVX-512; processors with it have the rest of the list.
            unsafe { compiled(self, work) }
        }
    }

    impl Avx2 {
        pub fn detect() -> Option<Avx2> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Avx2(()))
        }

        pub fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
            fn compiled<W: Work>(token: Avx2, work: W) -> W::Output {
                work.run(token)
            }
            // SAFETY: the token exists, so `detect` found every feature of the list.
            unsafe { compiled(self, work) }
        }
    }

    /// One method of a level. The token in `self` proves that the processor has the instructions.
    macro_rules! method {
        ($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr) => {
            #[inline(always)]
            fn $name(self, $($argument: $type),*) -> $result {
                // SAFETY: the token exists only where the instructions do, and rows are aligned and of full length.
                unsafe { $body }
            }
        };
    }

    impl Lanes for Avx512 {
        type Vector = __m512;
        method!(load(row: &Row) -> __m512 = _mm512_load_ps(row.0.as_ptr()));
        method!(store(vector: __m512, row: &mut Row) -> () = _mm512_store_ps(row.0.as_mut_ptr(), vector));
        method!(splat(value: f32) -> __m512 = _mm512_set1_ps(value));
        method!(add(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b));
        method!(mul(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b));
        method!(mul_add(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_ps(a, b, c));
        method!(div(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b));
        method!(sqrt(a: __m512) -> __m512 = _mm512_sqrt_ps(a));
        method!(min(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b));
        method!(max(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b));
        method!(keep_below(a: __m512, b: __m512, then: __m512) -> __m512 =
            _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), then));
        method!(sum(a: __m512) -> f32 = _mm512_reduce_add_ps(a));
    }

    type Pair = [__m256; 2];

    impl Lanes for Avx2 {
        type Vector = Pair;
        method!(load(row: &Row) -> Pair =
            [_mm256_load_ps(row.0.as_ptr()), _mm256_load_ps(row.0.as_ptr().add(8))]);
        method!(store(vector: Pair, row: &mut Row) -> () = {
            _mm256_store_ps(row.0.as_mut_ptr(), vector[0]);
            _mm256_store_ps(row.0.as_mut_ptr().add(8), vector[1]);
        });
        method!(splat(value: f32) -> Pair = [_mm256_set1_ps(value); 2]);
        method!(add(a: Pair, b: Pair) -> Pair = [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])]);
        method!(mul(a: Pair, b: Pair) -> Pair = [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])]);
        method!(mul_add(a: Pair, b: Pair, c: Pair) -> Pair =
            [_mm256_fmadd_ps(a[0], b[0], c[0]), _mm256_fmadd_ps(a[1], b[1], c[1])]);
        method!(div(a: Pair, b: Pair) -> Pair = [_mm256_div_ps(a[0], b[0]), _mm256_div_ps(a[1], b[1])]);
        method!(sqrt(a: Pair) -> Pair = [_mm256_sqrt_ps(a[0]), _mm256_sqrt_ps(a[1])]);
        method!(min(a: Pair, b: Pair) -> Pair = [_mm256_min_ps(a[0], b[0]), _mm256_min_ps(a[1], b[1])]);
        method!(max(a: Pair, b: Pair) -> Pair = [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])]);
        method!(keep_below(a: Pair, b: Pair, then: Pair) -> Pair = [
            _mm256_and_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a[0], b[0]), then[0]),
            _mm256_and_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a[1], b[1]), then[1]),
        ]);
        method!(sum(a: Pair) -> f32 = {
            let eight = _mm256_add_ps(a[0], a[1]);
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        });
    }
}
