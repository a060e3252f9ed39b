//! The 128-bit vectors of WebAssembly (`simd128`).

use super::{Block, ByteBlock, FeatureDelta, Rows, Simd, kernel};
use crate::architecture::{QA, SQUARE_SHIFT};
use std::arch::wasm32::*;

/// The kernel of every WebAssembly engine with `simd128`, for which the whole program is then compiled.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

impl Simd for Simd128 {
    type Vector = [v128; 4];
    type Sum = v128;

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
        values.map(|value| {
            let clipped = i16x8_min(i16x8_max(value, i16x8_splat(0)), i16x8_splat(QA as i16));
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
}

kernel!(Simd128, "simd128", []);
