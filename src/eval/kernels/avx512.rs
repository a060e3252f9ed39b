//! 512-bit vectors, with and without the fused multiplication and addition of VNNI.

use super::{Block, Change, Lanes, Rows, kernel};
use crate::eval::network::{QA, SQUARE_SHIFT};
use std::arch::x86_64::*;

/// AVX-512 F and BW.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// AVX-512 with VNNI.
#[derive(Clone, Copy)]
pub(super) struct Vnni(());

impl Avx512 {
    /// The kernel, if the processor has the instructions.
    pub(super) fn detect() -> Option<&'static Avx512> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        has.then_some(&Avx512(()))
    }
}

impl Vnni {
    /// The kernel, if the processor has the instructions.
    pub(super) fn detect() -> Option<&'static Vnni> {
        let has = Avx512::detect().is_some() && is_x86_feature_detected!("avx512vnni");
        has.then_some(&Vnni(()))
    }
}

/// Clips and squares.
///
/// # Safety
/// The processor must have AVX-512 BW.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn squares(values: __m512i) -> __m512i {
    let clipped =
        _mm512_min_epi16(_mm512_max_epi16(values, _mm512_setzero_si512()), _mm512_set1_epi16(QA as i16));
    let shifted = _mm512_slli_epi16::<{ SQUARE_SHIFT as u32 }>(clipped);
    _mm512_mulhrs_epi16(shifted, shifted)
}

macro_rules! lanes {
    ($token:ident, |$sum:ident, $squares:ident, $weights:ident| $add:expr) => {
        impl Lanes for $token {
            type Vector = __m512i;
            type Sum = __m512i;

            #[inline(always)]
            fn load(self, block: &Block) -> __m512i {
                // SAFETY: the token proves AVX-512; a block is 64 aligned bytes.
                unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store(self, vector: __m512i, block: &mut Block) {
                // SAFETY: the token proves AVX-512; a block is 64 aligned bytes.
                unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), vector) }
            }

            #[inline(always)]
            fn add(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 BW.
                unsafe { _mm512_add_epi16(a, b) }
            }

            #[inline(always)]
            fn sub(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 BW.
                unsafe { _mm512_sub_epi16(a, b) }
            }

            #[inline(always)]
            fn zero(self) -> __m512i {
                // SAFETY: the token proves AVX-512.
                unsafe { _mm512_setzero_si512() }
            }

            #[inline(always)]
            fn add_squares(self, $sum: __m512i, values: __m512i, $weights: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 BW, and VNNI where it is used.
                unsafe {
                    let $squares = squares(values);
                    $add
                }
            }

            #[inline(always)]
            fn total(self, sum: __m512i) -> i32 {
                // SAFETY: the token proves AVX-512.
                unsafe { _mm512_reduce_add_epi32(sum) }
            }
        }
    };
}

lanes!(Avx512, |sum, squares, weights| _mm512_add_epi32(sum, _mm512_madd_epi16(squares, weights)));
lanes!(Vnni, |sum, squares, weights| _mm512_dpwssd_epi32(sum, squares, weights));
kernel!(Avx512, "avx512", "avx512f,avx512bw,avx2");
kernel!(Vnni, "avx512-vnni", "avx512f,avx512bw,avx512vnni,avx2");
