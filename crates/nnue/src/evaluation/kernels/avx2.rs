//! AVX2, with 256-bit vectors, with and without the fused multiplication and addition of VNNI; and SSSE3, with 128-bit ones,
//! for processors before 2013.

use super::{Block, ByteBlock, FeatureDelta, Rows, Simd, detected_kernel};
use crate::architecture::{QA, SQUARE_SHIFT};
use std::arch::x86_64::*;

/// The token of AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

/// The token of AVX2 with VNNI (AVX-VNNI; not that of AVX-512).
#[derive(Clone, Copy)]
pub(super) struct AvxVnni(());

/// The token of SSSE3, the first with the rounding multiplication (`pmulhrsw`).
#[derive(Clone, Copy)]
pub(super) struct Ssse3(());

/// Sixteen-bit lanes of eight-bit numbers.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn widen_avx2(block: &ByteBlock) -> [__m256i; 2] {
    let address = block.0.as_ptr().cast::<__m128i>();
    // SAFETY: a block is 32 aligned bytes.
    [0, 1].map(|index| _mm256_cvtepi8_epi16(unsafe { _mm_load_si128(address.add(index)) }))
}

/// Sixteen-bit lanes of eight-bit numbers.
///
/// # Safety
/// The processor must have SSSE3.
#[inline]
#[target_feature(enable = "ssse3")]
unsafe fn widen_ssse3(block: &ByteBlock) -> [__m128i; 4] {
    let address = block.0.as_ptr().cast::<__m128i>();
    // SAFETY: a block is 32 aligned bytes.
    let [low, high] = [0, 1].map(|index| unsafe { _mm_load_si128(address.add(index)) });
    // Each byte in the upper half of a lane, shifted down with its sign.
    [
        _mm_srai_epi16::<8>(_mm_unpacklo_epi8(low, low)),
        _mm_srai_epi16::<8>(_mm_unpackhi_epi8(low, low)),
        _mm_srai_epi16::<8>(_mm_unpacklo_epi8(high, high)),
        _mm_srai_epi16::<8>(_mm_unpackhi_epi8(high, high)),
    ]
}

/// Implements [`Simd`] with `$count` registers of type `$register` for the 32 lanes.
macro_rules! simd {
    ($token:ident, $register:ident x $count:literal, $load:ident, $load_bytes:ident, $store:ident, $add:ident, $sub:ident,
     $zero:ident, $set:ident, $min:ident, $max:ident, $shift:ident, $square:ident,
     |$sum:ident, $a:ident, $b:ident| $add_products:expr) => {
        impl Simd for $token {
            type Vector = [$register; $count];
            type Sum = $register;

            #[inline(always)]
            fn load(self, block: &Block) -> Self::Vector {
                let address = block.0.as_ptr().cast::<$register>();
                // SAFETY: the token proves the target features; a block is 64 aligned bytes.
                std::array::from_fn(|index| unsafe { $load(address.add(index)) })
            }

            #[inline(always)]
            fn load_bytes(self, block: &ByteBlock) -> Self::Vector {
                // SAFETY: the token proves the target features.
                unsafe { $load_bytes(block) }
            }

            #[inline(always)]
            fn store(self, vector: Self::Vector, block: &mut Block) {
                let address = block.0.as_mut_ptr().cast::<$register>();
                for (index, part) in vector.into_iter().enumerate() {
                    // SAFETY: the token proves the target features; a block is 64 aligned bytes.
                    unsafe { $store(address.add(index), part) }
                }
            }

            #[inline(always)]
            fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                // SAFETY: the token proves the target features.
                std::array::from_fn(|index| unsafe { $add(a[index], b[index]) })
            }

            #[inline(always)]
            fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                // SAFETY: the token proves the target features.
                std::array::from_fn(|index| unsafe { $sub(a[index], b[index]) })
            }

            #[inline(always)]
            fn zero(self) -> Self::Sum {
                // SAFETY: the token proves the target features.
                unsafe { $zero() }
            }

            #[inline(always)]
            fn screlu(self, values: Self::Vector) -> Self::Vector {
                // SAFETY: the token proves the target features.
                values.map(|value| unsafe {
                    let clipped = $min($max(value, $set(0)), $set(QA as i16));
                    let shifted = $shift::<SQUARE_SHIFT>(clipped);
                    $square(shifted, shifted)
                })
            }

            #[inline(always)]
            fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum {
                let mut $sum = sum;
                for ($a, $b) in a.into_iter().zip(b) {
                    // SAFETY: the token proves the target features.
                    $sum = unsafe { $add_products };
                }
                $sum
            }

            #[inline(always)]
            fn total(self, sum: Self::Sum) -> i32 {
                let mut lanes = [0_i32; 32 / $count / 2];
                // SAFETY: the array is as large as the register; the store need not be aligned.
                unsafe { std::ptr::write_unaligned(lanes.as_mut_ptr().cast::<$register>(), sum) };
                lanes.into_iter().fold(0, i32::wrapping_add)
            }
        }
    };
}

/// The instructions of AVX2, and what adds products to sums.
macro_rules! simd_avx2 {
    ($token:ident, $($products:tt)*) => {
        simd!(
            $token, __m256i x 2, _mm256_load_si256, widen_avx2, _mm256_store_si256, _mm256_add_epi16, _mm256_sub_epi16,
            _mm256_setzero_si256, _mm256_set1_epi16, _mm256_min_epi16, _mm256_max_epi16, _mm256_slli_epi16,
            _mm256_mulhrs_epi16, $($products)*
        );
    };
}

simd_avx2!(Avx2, |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)));
simd_avx2!(AvxVnni, |sum, a, b| _mm256_dpwssd_avx_epi32(sum, a, b));
simd!(
    Ssse3, __m128i x 4, _mm_load_si128, widen_ssse3, _mm_store_si128, _mm_add_epi16, _mm_sub_epi16,
    _mm_setzero_si128, _mm_set1_epi16, _mm_min_epi16, _mm_max_epi16, _mm_slli_epi16, _mm_mulhrs_epi16,
    |sum, a, b| _mm_add_epi32(sum, _mm_madd_epi16(a, b))
);
detected_kernel!(Avx2, "avx2", ["avx2"]);
detected_kernel!(AvxVnni, "avx-vnni", ["avx2", "avxvnni"]);
detected_kernel!(Ssse3, "ssse3", ["ssse3"]);
