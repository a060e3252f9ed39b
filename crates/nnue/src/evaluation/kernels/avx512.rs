//! 512-bit vectors, with and without the fused multiplication and addition of VNNI.

use super::{
    Activations, Block, ByteBlock, FeatureDelta, L2Rows, LayerWeights, Rows, Simd, Sums, detected_kernel,
};
use crate::architecture::{ACTIVATION_SHIFT, L3_SHIFT, QA, SQUARE_SHIFT};
use std::arch::x86_64::*;

/// The token of AVX-512 F and BW.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

/// The token of AVX-512 F and BW with VNNI.
#[derive(Clone, Copy)]
pub(super) struct Vnni(());

/// The sums of sixteen neurons. Each register has those of four, of which each lane has a part.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn join([a, b, c, d]: [__m512i; 4]) -> __m512i {
    // Of two registers with four lanes each one with two of each.
    let [ab, cd] = [[a, b], [c, d]].map(|[a, b]| {
        let (low, high) =
            (_mm512_shuffle_i32x4::<0b01_00_01_00>(a, b), _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b));
        _mm512_add_epi32(low, high)
    });
    let (even, odd) =
        (_mm512_shuffle_i32x4::<0b10_00_10_00>(ab, cd), _mm512_shuffle_i32x4::<0b11_01_11_01>(ab, cd));
    _mm512_add_epi32(even, odd)
}

macro_rules! simd {
    ($token:ident, |$sum:ident, $a:ident, $b:ident| $add_shorts:expr, $add_bytes:expr) => {
        impl Simd for $token {
            type Vector = __m512i;
            type Sum = __m512i;
            type Outputs = __m512i;

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
                let clipped = self.clamp(values, 0, QA as i16);
                // SAFETY: the token proves AVX-512 F and BW.
                unsafe {
                    let shifted = _mm512_slli_epi16::<{ SQUARE_SHIFT as u32 }>(clipped);
                    _mm512_mulhrs_epi16(shifted, shifted)
                }
            }

            #[inline(always)]
            fn add_products(self, $sum: __m512i, $a: __m512i, $b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW, and VNNI where it is used.
                unsafe { $add_shorts }
            }

            #[inline(always)]
            fn total(self, sum: __m512i) -> i32 {
                // SAFETY: the token proves AVX-512 F.
                unsafe { _mm512_reduce_add_epi32(sum) }
            }

            #[inline(always)]
            fn store_activations(self, squares: __m512i, to: &mut Activations) {
                // SAFETY: the token proves AVX-512 F and BW; activations are 32 aligned bytes.
                unsafe {
                    let rounded =
                        _mm512_mulhrs_epi16(squares, _mm512_set1_epi16(1 << (15 - ACTIVATION_SHIFT)));
                    let bytes = _mm512_cvtsepi16_epi8(rounded);
                    _mm256_store_si256(to.0.as_mut_ptr().cast(), bytes);
                }
            }

            #[inline(always)]
            fn load_sums(self, sums: &Sums) -> __m512i {
                // SAFETY: the token proves AVX-512 F; sums are 64 aligned bytes.
                unsafe { _mm512_load_si512(sums.0.as_ptr().cast()) }
            }

            #[inline(always)]
            fn add_sums(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F.
                unsafe { _mm512_add_epi32(a, b) }
            }

            #[inline(always)]
            fn l2_sums(self, activations: &[Activations], rows: &[L2Rows]) -> Self::Outputs {
                // For each four neurons a register, of which each lane has a part of their sums; twice, so that an addition need
                // not wait for the one before.
                let mut sums = [[self.zero(); 4]; 2];
                for (activations, rows) in activations.as_chunks::<2>().0.iter().zip(rows) {
                    // SAFETY: the token proves AVX-512 F and BW, and VNNI where it is used; activations are 64 bytes, a row 64
                    // aligned ones.
                    unsafe {
                        let bytes = _mm512_loadu_si512(activations.as_ptr().cast());
                        let quads = [
                            _mm512_shuffle_epi32::<0b00_00_00_00>(bytes),
                            _mm512_shuffle_epi32::<0b01_01_01_01>(bytes),
                            _mm512_shuffle_epi32::<0b10_10_10_10>(bytes),
                            _mm512_shuffle_epi32::<0b11_11_11_11>(bytes),
                        ];
                        for (number, row) in rows.iter().enumerate() {
                            let ($a, $b) = (quads[number / 4], _mm512_load_si512(row.0.as_ptr().cast()));
                            let $sum = sums[number / 4 % 2][number % 4];
                            sums[number / 4 % 2][number % 4] = $add_bytes;
                        }
                    }
                }
                // SAFETY: the token proves AVX-512 F.
                unsafe { join(std::array::from_fn(|index| _mm512_add_epi32(sums[0][index], sums[1][index]))) }
            }

            #[inline(always)]
            fn pack(self, low: __m512i, high: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F.
                unsafe {
                    let (low, high) = (_mm512_cvtsepi32_epi16(low), _mm512_cvtsepi32_epi16(high));
                    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
                }
            }

            #[inline(always)]
            fn shift(self, sums: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F.
                unsafe { _mm512_srai_epi32::<L3_SHIFT>(sums) }
            }

            #[inline(always)]
            fn clamp(self, values: __m512i, low: i16, high: i16) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW.
                unsafe {
                    _mm512_min_epi16(
                        _mm512_max_epi16(values, _mm512_set1_epi16(low)),
                        _mm512_set1_epi16(high),
                    )
                }
            }

            #[inline(always)]
            fn mul_high(self, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the token proves AVX-512 F and BW.
                unsafe { _mm512_mulhi_epi16(a, b) }
            }

            #[inline(always)]
            fn add_pair(self, sums: __m512i, pair: i32, row: &Block) -> __m512i {
                // SAFETY: the token proves AVX-512 F.
                self.add_products(sums, unsafe { _mm512_set1_epi32(pair) }, self.load(row))
            }
        }
    };
}

simd!(
    Avx512,
    |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)),
    _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_maddubs_epi16(a, b), _mm512_set1_epi16(1)))
);
simd!(Vnni, |sum, a, b| _mm512_dpwssd_epi32(sum, a, b), _mm512_dpbusd_epi32(sum, a, b));
detected_kernel!(Avx512, "avx512", ["avx2", "avx512f", "avx512bw"]);
detected_kernel!(Vnni, "avx512-vnni", ["avx2", "avx512f", "avx512bw", "avx512vnni"]);
