//! 512-bit vectors, with and without the fused multiplication and addition of VNNI.

use super::{Block, ByteBlock, FeatureDelta, Rows, Simd, detected_kernel};
use crate::architecture::{QA, SQUARE_SHIFT};
use std::arch::x86_64::*;

/// The token of AVX-512 F and BW.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// The token of AVX-512 F and BW with VNNI.
#[derive(Clone, Copy)]
pub(super) struct Vnni(());

macro_rules! simd {
    ($token:ident, |$sum:ident, $a:ident, $b:ident| $add_products:expr) => {
        impl Simd for $token {
            type Vector = __m512i;
            type Sum = __m512i;

            #[inline(always)]
            fn load(self, block: &Block) -> __m512i {
                // SAFETY: the token proves AVX-512 F; a block is 64 aligned bytes.
                unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
            }

            #[inline(always)]
            fn load_bytes(self, block: &ByteBlock) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW; a block is 32 aligned bytes.
                unsafe { _mm512_cvtepi8_epi16(_mm256_load_si256(block.0.as_ptr().cast())) }
            }

            #[inline(always)]
            fn store(self, vector: __m512i, block: &mut Block) {
                // SAFETY: the token proves AVX-512 F; a block is 64 aligned bytes.
                unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), vector) }
            }

            #[inline(always)]
            fn add(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW.
                unsafe { _mm512_add_epi16(a, b) }
            }

            #[inline(always)]
            fn sub(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW.
                unsafe { _mm512_sub_epi16(a, b) }
            }

            #[inline(always)]
            fn zero(self) -> __m512i {
                // SAFETY: the token proves AVX-512 F.
                unsafe { _mm512_setzero_si512() }
            }

            #[inline(always)]
            fn screlu(self, values: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW.
                unsafe {
                    let above = _mm512_max_epi16(values, _mm512_setzero_si512());
                    let clipped = _mm512_min_epi16(above, _mm512_set1_epi16(QA as i16));
                    let shifted = _mm512_slli_epi16::<{ SQUARE_SHIFT as u32 }>(clipped);
                    _mm512_mulhrs_epi16(shifted, shifted)
                }
            }

            #[inline(always)]
            fn add_products(self, $sum: __m512i, $a: __m512i, $b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW, and VNNI where it is used.
                unsafe { $add_products }
            }

            #[inline(always)]
            fn total(self, sum: __m512i) -> i32 {
                // SAFETY: the token proves AVX-512 F.
                unsafe { _mm512_reduce_add_epi32(sum) }
            }
        }
    };
}

simd!(Avx512, |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)));
simd!(Vnni, |sum, a, b| _mm512_dpwssd_epi32(sum, a, b));
detected_kernel!(Avx512, "avx512", ["avx2", "avx512f", "avx512bw"]);
detected_kernel!(Vnni, "avx512-vnni", ["avx2", "avx512f", "avx512bw", "avx512vnni"]);
