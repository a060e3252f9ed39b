//! The 128-bit vectors of WebAssembly (`simd128`).

use super::{Activations, Block, ByteBlock, FeatureDelta, L2Rows, LayerWeights, Rows, Simd, Sums, kernel};
use crate::architecture::{ACTIVATION_SHIFT, L3_SHIFT, QA, SQUARE_SHIFT};
use std::arch::wasm32::*;

/// The kernel of every WebAssembly engine with `simd128`, for which the whole program is then compiled.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

impl Simd for Simd128 {
    type Vector = [v128; 4];
    type Sum = v128;
    type Outputs = [v128; 4];

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Vector {
        let address = block.0.as_ptr().cast::<v128>();
        // SAFETY: a block has 64 bytes; the load need not be aligned.
        std::array::from_fn(|index| unsafe { v128_load(address.add(index)) })
    }

    #[inline(always)]
    fn load_bytes(self, block: &ByteBlock) -> Self::Vector {
        let address = block.0.as_ptr();
        // SAFETY: a block has 32 bytes; the load need not be aligned.
        std::array::from_fn(|index| unsafe { i16x8_load_extend_i8x8(address.add(8 * index)) })
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, block: &mut Block) {
        let address = block.0.as_mut_ptr().cast::<v128>();
        for (index, part) in vector.into_iter().enumerate() {
            // SAFETY: a block has 64 bytes; the store need not be aligned.
            unsafe { v128_store(address.add(index), part) }
        }
    }

    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|index| i16x8_add(a[index], b[index]))
    }

    #[inline(always)]
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|index| i16x8_sub(a[index], b[index]))
    }

    #[inline(always)]
    fn zero(self) -> Self::Sum {
        i32x4_splat(0)
    }

    #[inline(always)]
    fn screlu(self, values: Self::Vector) -> Self::Vector {
        self.clamp(values, 0, QA as i16).map(|clipped| {
            let shifted = i16x8_shl(clipped, SQUARE_SHIFT as u32);
            i16x8_q15mulr_sat(shifted, shifted)
        })
    }

    #[inline(always)]
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum {
        a.into_iter().zip(b).fold(sum, |sum, (a, b)| i32x4_add(sum, i32x4_dot_i16x8(a, b)))
    }

    #[inline(always)]
    fn total(self, sum: Self::Sum) -> i32 {
        [
            i32x4_extract_lane::<0>(sum),
            i32x4_extract_lane::<1>(sum),
            i32x4_extract_lane::<2>(sum),
            i32x4_extract_lane::<3>(sum),
        ]
        .into_iter()
        .fold(0, i32::wrapping_add)
    }

    #[inline(always)]
    fn store_activations(self, squares: Self::Vector, to: &mut Activations) {
        let unit = i16x8_splat(1 << (15 - ACTIVATION_SHIFT));
        let [a, b, c, d] = squares.map(|part| i16x8_q15mulr_sat(part, unit));
        let address = to.0.as_mut_ptr().cast::<v128>();
        // SAFETY: there are 32 activations; the stores need not be aligned.
        unsafe {
            v128_store(address, i8x16_narrow_i16x8(a, b));
            v128_store(address.add(1), i8x16_narrow_i16x8(c, d));
        }
    }

    #[inline(always)]
    fn load_sums(self, sums: &Sums) -> Self::Outputs {
        let address = sums.0.as_ptr().cast::<v128>();
        // SAFETY: there are sixteen sums; the load need not be aligned.
        std::array::from_fn(|index| unsafe { v128_load(address.add(index)) })
    }

    #[inline(always)]
    fn add_sums(self, a: Self::Outputs, b: Self::Outputs) -> Self::Outputs {
        std::array::from_fn(|index| i32x4_add(a[index], b[index]))
    }

    #[inline(always)]
    fn l2_sums(self, activations: &[Activations], rows: &[L2Rows]) -> Self::Outputs {
        // For each two neurons a register, of which each lane has half of a sum.
        let mut halves = [[i32x4_splat(0); 2]; 4];
        for (activations, rows) in activations.as_chunks::<2>().0.iter().zip(rows) {
            let activations = activations.as_ptr().cast::<u32>();
            for part in 0..4 {
                for quad in 0..4 {
                    // SAFETY: activations and a row have 64 bytes; no load need be aligned.
                    let bytes = i16x8_extend_low_i8x16(unsafe {
                        v128_load32_splat(activations.add(4 * part + quad))
                    });
                    for (row, sums) in rows[4 * quad..][..4].iter().zip(&mut halves) {
                        let weights = row.0[16 * part..][..16].as_ptr();
                        for (half, sum) in sums.iter_mut().enumerate() {
                            // SAFETY: as above.
                            let weights = unsafe { i16x8_load_extend_i8x8(weights.add(8 * half)) };
                            *sum = i32x4_add(*sum, i32x4_dot_i16x8(bytes, weights));
                        }
                    }
                }
            }
        }
        halves.map(|[low, high]| {
            i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(low, high), i32x4_shuffle::<1, 3, 5, 7>(low, high))
        })
    }

    #[inline(always)]
    fn pack(self, low: Self::Outputs, high: Self::Outputs) -> Self::Vector {
        let ([a, b, c, d], [e, f, g, h]) = (low, high);
        [[a, b], [c, d], [e, f], [g, h]].map(|[a, b]| i16x8_narrow_i32x4(a, b))
    }

    #[inline(always)]
    fn shift(self, sums: Self::Outputs) -> Self::Outputs {
        sums.map(|sums| i32x4_shr(sums, L3_SHIFT))
    }

    #[inline(always)]
    fn clamp(self, values: Self::Vector, low: i16, high: i16) -> Self::Vector {
        values.map(|value| i16x8_min(i16x8_max(value, i16x8_splat(low)), i16x8_splat(high)))
    }

    #[inline(always)]
    fn mul_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|index| {
            let (low, high) =
                (i32x4_extmul_low_i16x8(a[index], b[index]), i32x4_extmul_high_i16x8(a[index], b[index]));
            i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
        })
    }

    #[inline(always)]
    fn add_pair(self, sums: Self::Outputs, pair: i32, row: &Block) -> Self::Outputs {
        let (pair, weights) = (i32x4_splat(pair), self.load(row));
        std::array::from_fn(|index| i32x4_add(sums[index], i32x4_dot_i16x8(pair, weights[index])))
    }
}

kernel!(Simd128, "simd128", []);
