//! The levels of x86-64 processors.

use super::{Row, Shorts, Simd, Work};
use std::arch::x86_64::*;

/// An instruction set, its features in a list. The token can only be had from `detect`.
macro_rules! isa {
    ($(#[$doc:meta])* $token:ident: $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $token(());

        impl $token {
            pub fn detect() -> Option<$token> {
                let has = $(is_x86_feature_detected!($feature))&&+;
                has.then_some($token(()))
            }

            pub fn run<W: Work>(self, work: W) -> W::Output {
                #[target_feature($(enable = $feature),+)]
                fn compiled<W: Work>(token: $token, work: W) -> W::Output {
                    work.run(token)
                }
                // SAFETY: the token exists, so `detect` found every feature of the list.
                unsafe { compiled(self, work) }
            }
        }
    };
}

isa!(
    /// The processor has AVX-512 (F, VL, BW, DQ) and what comes with it.
    Avx512: "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx2", "fma", "bmi1", "bmi2", "lzcnt", "popcnt"
);
isa!(
    /// The processor has AVX2 and what comes with it.
    Avx2: "avx2", "fma", "bmi1", "bmi2", "lzcnt", "popcnt"
);

/// One method of an instruction set. The token in `self` proves that the processor has the instructions.
macro_rules! method {
    ($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr) => {
        #[inline(always)]
        fn $name(self, $($argument: $type),*) -> $result {
            // SAFETY: the token exists only where the instructions do, and rows are aligned and of full length.
            unsafe { $body }
        }
    };
}

impl Simd for Avx512 {
    type Vector = __m512;
    type Integers = __m512i;
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
    method!(load_shorts(shorts: &Shorts) -> __m512i = _mm512_load_si512(shorts.0.as_ptr().cast()));
    method!(store_shorts(integers: __m512i, shorts: &mut Shorts) -> () =
        _mm512_store_si512(shorts.0.as_mut_ptr().cast(), integers));
    method!(add_shorts(a: __m512i, b: __m512i) -> __m512i = _mm512_adds_epi16(a, b));
    method!(clip_shorts(a: __m512i, high: i16) -> __m512i =
        _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(high)));
    method!(floats(a: __m512i) -> [__m512; 2] = [
        _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm512_castsi512_si256(a))),
        _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64::<1>(a))),
    ]);
    method!(round(a: [__m512; 2]) -> __m512i = {
        let [low, high] = [_mm512_cvtps_epi32(a[0]), _mm512_cvtps_epi32(a[1])];
        let low = _mm512_castsi256_si512(_mm512_cvtsepi32_epi16(low));
        _mm512_inserti64x4::<1>(low, _mm512_cvtsepi32_epi16(high))
    });
}

type Pair = [__m256; 2];
type Integers = [__m256i; 2];

/// Sixteen integers as floats.
#[inline]
#[target_feature(enable = "avx2")]
fn floats(a: __m256i) -> Pair {
    let (low, high) = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
    [_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(low)), _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(high))]
}

/// Sixteen floats rounded.
#[inline]
#[target_feature(enable = "avx2")]
fn round(a: Pair) -> __m256i {
    let packed = _mm256_packs_epi32(_mm256_cvtps_epi32(a[0]), _mm256_cvtps_epi32(a[1]));
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

impl Simd for Avx2 {
    type Vector = Pair;
    type Integers = Integers;
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
    method!(load_shorts(shorts: &Shorts) -> Integers = {
        let first = shorts.0.as_ptr().cast::<__m256i>();
        [_mm256_load_si256(first), _mm256_load_si256(first.add(1))]
    });
    method!(store_shorts(integers: Integers, shorts: &mut Shorts) -> () = {
        let first = shorts.0.as_mut_ptr().cast::<__m256i>();
        _mm256_store_si256(first, integers[0]);
        _mm256_store_si256(first.add(1), integers[1]);
    });
    method!(add_shorts(a: Integers, b: Integers) -> Integers =
        [_mm256_adds_epi16(a[0], b[0]), _mm256_adds_epi16(a[1], b[1])]);
    method!(clip_shorts(a: Integers, high: i16) -> Integers = {
        let (zero, high) = (_mm256_setzero_si256(), _mm256_set1_epi16(high));
        [
            _mm256_min_epi16(_mm256_max_epi16(a[0], zero), high),
            _mm256_min_epi16(_mm256_max_epi16(a[1], zero), high),
        ]
    });
    method!(floats(a: Integers) -> [Pair; 2] = [floats(a[0]), floats(a[1])]);
    method!(round(a: [Pair; 2]) -> Integers = [round(a[0]), round(a[1])]);
}
