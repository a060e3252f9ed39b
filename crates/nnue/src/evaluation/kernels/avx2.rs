//! AVX2, with 256-bit vectors, with and without the fused multiplication and addition of VNNI; and SSSE3, with 128-bit ones,
//! for processors before 2013.

use super::{
    Activations, Block, ByteBlock, FeatureDelta, L2Rows, LayerWeights, Rows, Simd, Sums, detected_kernel,
};
use crate::architecture::{ACTIVATION_SHIFT, L3_SHIFT, QA, SQUARE_SHIFT};
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

/// The activations of 32 squares: rounded, and packed with saturation.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn pack_avx2(squares: [__m256i; 2], to: &mut Activations) {
    let unit = _mm256_set1_epi16(1 << (15 - ACTIVATION_SHIFT));
    let [low, high] = squares.map(|part| _mm256_mulhrs_epi16(part, unit));
    // The instruction packs each half of a register by itself.
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
    // SAFETY: activations are 32 aligned bytes.
    unsafe { _mm256_store_si256(to.0.as_mut_ptr().cast(), bytes) }
}

/// The activations of 32 squares: rounded, and packed with saturation.
///
/// # Safety
/// The processor must have SSSE3.
#[inline]
#[target_feature(enable = "ssse3")]
unsafe fn pack_ssse3(squares: [__m128i; 4], to: &mut Activations) {
    let unit = _mm_set1_epi16(1 << (15 - ACTIVATION_SHIFT));
    let [a, b, c, d] = squares.map(|part| _mm_mulhrs_epi16(part, unit));
    let address = to.0.as_mut_ptr().cast::<__m128i>();
    // SAFETY: activations are 32 aligned bytes.
    unsafe {
        _mm_store_si128(address, _mm_packs_epi16(a, b));
        _mm_store_si128(address.add(1), _mm_packs_epi16(c, d));
    }
}

/// The sums of sixteen neurons. Each register has those of four, of which each lane has a part.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn join_avx2([a, b, c, d]: [__m256i; 4]) -> [__m256i; 2] {
    [[a, b], [c, d]].map(|[a, b]| {
        let (low, high) = (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b));
        _mm256_add_epi32(low, high)
    })
}

/// The same where a register is a single lane.
#[inline]
fn join_ssse3(sums: [__m128i; 4]) -> [__m128i; 4] {
    sums
}

/// Thirty-two sums as sixteen-bit lanes, with saturation.
///
/// # Safety
/// The processor must have AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn pack32_avx2(low: [__m256i; 2], high: [__m256i; 2]) -> [__m256i; 2] {
    // The instruction packs each half of a register by itself.
    [low, high].map(|[a, b]| _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(a, b)))
}

/// Thirty-two sums as sixteen-bit lanes, with saturation.
///
/// # Safety
/// The processor must have SSSE3.
#[inline]
#[target_feature(enable = "ssse3")]
unsafe fn pack32_ssse3([a, b, c, d]: [__m128i; 4], [e, f, g, h]: [__m128i; 4]) -> [__m128i; 4] {
    [_mm_packs_epi32(a, b), _mm_packs_epi32(c, d), _mm_packs_epi32(e, f), _mm_packs_epi32(g, h)]
}

/// Implements [`Simd`] with `$count` registers of type `$register` for the 32 lanes.
macro_rules! simd {
    ($token:ident, $register:ident x $count:literal, $load:ident, $load_bytes:ident, $store:ident, $add:ident, $sub:ident, $add32:ident,
     $zero:ident, $set:ident, $min:ident, $max:ident, $shift:ident, $square:ident, $pack:ident, $set32:ident,
     $shuffle:ident, $shift32:ident, $mul_high:ident, $join:ident, $pack32:ident,
     |$sum:ident, $a:ident, $b:ident| $add_shorts:expr, $add_bytes:expr) => {
        impl Simd for $token {
            type Vector = [$register; $count];
            type Sum = $register;
            type Outputs = [$register; $count];

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
                self.clamp(values, 0, QA as i16).map(|clipped| unsafe {
                    let shifted = $shift::<SQUARE_SHIFT>(clipped);
                    $square(shifted, shifted)
                })
            }

            #[inline(always)]
            fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum {
                let mut $sum = sum;
                for ($a, $b) in a.into_iter().zip(b) {
                    // SAFETY: the token proves the target features.
                    $sum = unsafe { $add_shorts };
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

            #[inline(always)]
            fn store_activations(self, squares: Self::Vector, to: &mut Activations) {
                // SAFETY: the token proves the target features.
                unsafe { $pack(squares, to) }
            }

            #[inline(always)]
            fn load_sums(self, sums: &Sums) -> Self::Outputs {
                let address = sums.0.as_ptr().cast::<$register>();
                // SAFETY: the token proves the target features; sums are 64 aligned bytes.
                std::array::from_fn(|index| unsafe { $load(address.add(index)) })
            }

            #[inline(always)]
            fn add_sums(self, a: Self::Outputs, b: Self::Outputs) -> Self::Outputs {
                // SAFETY: the token proves the target features.
                std::array::from_fn(|index| unsafe { $add32(a[index], b[index]) })
            }

            #[inline(always)]
            fn l2_sums(self, activations: &[Activations], rows: &[L2Rows]) -> Self::Outputs {
                // For each four neurons a register, of which each lane has a part of their sums; twice, so that an addition need
                // not wait for the one before.
                let mut sums = [[self.zero(); 4]; 2];
                for (activations, rows) in activations.as_chunks::<2>().0.iter().zip(rows) {
                    let activations = activations.as_ptr().cast::<$register>();
                    for part in 0..$count {
                        // SAFETY: the token proves the target features; activations and a row are 64 bytes, aligned for a register.
                        unsafe {
                            let bytes = $load(activations.add(part));
                            let quads = [
                                $shuffle::<0b00_00_00_00>(bytes),
                                $shuffle::<0b01_01_01_01>(bytes),
                                $shuffle::<0b10_10_10_10>(bytes),
                                $shuffle::<0b11_11_11_11>(bytes),
                            ];
                            for (number, row) in rows.iter().enumerate() {
                                let weights = $load(row.0.as_ptr().cast::<$register>().add(part));
                                let ($a, $b) = (quads[number / 4], weights);
                                let $sum = sums[number / 4 % 2][number % 4];
                                sums[number / 4 % 2][number % 4] = $add_bytes;
                            }
                        }
                    }
                }
                // SAFETY: the token proves the target features.
                unsafe { $join(std::array::from_fn(|index| $add32(sums[0][index], sums[1][index]))) }
            }

            #[inline(always)]
            fn pack(self, low: Self::Outputs, high: Self::Outputs) -> Self::Vector {
                // SAFETY: the token proves the target features.
                unsafe { $pack32(low, high) }
            }

            #[inline(always)]
            fn shift(self, sums: Self::Outputs) -> Self::Outputs {
                // SAFETY: the token proves the target features.
                sums.map(|sums| unsafe { $shift32::<{ L3_SHIFT as i32 }>(sums) })
            }

            #[inline(always)]
            fn clamp(self, values: Self::Vector, low: i16, high: i16) -> Self::Vector {
                // SAFETY: the token proves the target features.
                values.map(|value| unsafe { $min($max(value, $set(low)), $set(high)) })
            }

            #[inline(always)]
            fn mul_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                // SAFETY: the token proves the target features.
                std::array::from_fn(|index| unsafe { $mul_high(a[index], b[index]) })
            }

            #[inline(always)]
            fn add_pair(self, sums: Self::Outputs, pair: i32, row: &Block) -> Self::Outputs {
                let weights = self.load(row);
                // SAFETY: the token proves the target features.
                std::array::from_fn(|index| unsafe {
                    let ($sum, $a, $b) = (sums[index], $set32(pair), weights[index]);
                    $add_shorts
                })
            }
        }
    };
}

/// The instructions of AVX2, and what adds products to sums.
macro_rules! simd_avx2 {
    ($token:ident, $($products:tt)*) => {
        simd!(
            $token, __m256i x 2, _mm256_load_si256, widen_avx2, _mm256_store_si256, _mm256_add_epi16, _mm256_sub_epi16,
            _mm256_add_epi32, _mm256_setzero_si256, _mm256_set1_epi16, _mm256_min_epi16, _mm256_max_epi16,
            _mm256_slli_epi16, _mm256_mulhrs_epi16, pack_avx2, _mm256_set1_epi32, _mm256_shuffle_epi32, _mm256_srai_epi32,
            _mm256_mulhi_epi16, join_avx2, pack32_avx2, $($products)*
        );
    };
}

simd_avx2!(
    Avx2,
    |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)),
    _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), _mm256_set1_epi16(1)))
);
simd_avx2!(AvxVnni, |sum, a, b| _mm256_dpwssd_avx_epi32(sum, a, b), _mm256_dpbusd_avx_epi32(sum, a, b));
simd!(
    Ssse3, __m128i x 4, _mm_load_si128, widen_ssse3, _mm_store_si128, _mm_add_epi16, _mm_sub_epi16, _mm_add_epi32,
    _mm_setzero_si128, _mm_set1_epi16, _mm_min_epi16, _mm_max_epi16, _mm_slli_epi16, _mm_mulhrs_epi16,
    pack_ssse3, _mm_set1_epi32, _mm_shuffle_epi32, _mm_srai_epi32, _mm_mulhi_epi16, join_ssse3, pack32_ssse3,
    |sum, a, b| _mm_add_epi32(sum, _mm_madd_epi16(a, b)),
    _mm_add_epi32(sum, _mm_madd_epi16(_mm_maddubs_epi16(a, b), _mm_set1_epi16(1)))
);
detected_kernel!(Avx2, "avx2", ["avx2"]);
detected_kernel!(AvxVnni, "avx-vnni", ["avx2", "avxvnni"]);
detected_kernel!(Ssse3, "ssse3", ["ssse3"]);
