//! NEON, which every 64-bit ARM has.

use super::{Block, ByteBlock, FeatureDelta, Rows, Simd, kernel};
use crate::architecture::{QA, SQUARE_SHIFT};
use std::arch::aarch64::*;

/// The kernel of every aarch64.
#[derive(Clone, Copy)]
pub(super) struct Neon;

impl Simd for Neon {
    type Vector = [int16x8_t; 4];
    type Sum = [int32x4_t; 2];

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Vector {
        let address = block.0.as_ptr();
        // SAFETY: NEON is part of aarch64; a block has 32 numbers.
        std::array::from_fn(|index| unsafe { vld1q_s16(address.add(8 * index)) })
    }

    #[inline(always)]
    fn load_bytes(self, block: &ByteBlock) -> Self::Vector {
        let address = block.0.as_ptr();
        // SAFETY: NEON is part of aarch64; a block has 32 numbers.
        std::array::from_fn(|index| unsafe { vmovl_s8(vld1_s8(address.add(8 * index))) })
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, block: &mut Block) {
        let address = block.0.as_mut_ptr();
        for (index, part) in vector.into_iter().enumerate() {
            // SAFETY: NEON is part of aarch64; a block has 32 numbers.
            unsafe { vst1q_s16(address.add(8 * index), part) }
        }
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        // SAFETY: NEON is part of aarch64.
        std::array::from_fn(|index| unsafe { vaddq_s16(a[index], b[index]) })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        // SAFETY: NEON is part of aarch64.
        std::array::from_fn(|index| unsafe { vsubq_s16(a[index], b[index]) })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn zero(self) -> Self::Sum {
        // SAFETY: NEON is part of aarch64.
        unsafe { [vdupq_n_s32(0); 2] }
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn screlu(self, values: Self::Vector) -> Self::Vector {
        // SAFETY: NEON is part of aarch64.
        values.map(|value| unsafe {
            let clipped = vminq_s16(vmaxq_s16(value, vdupq_n_s16(0)), vdupq_n_s16(QA as i16));
            let shifted = vshlq_n_s16::<SQUARE_SHIFT>(clipped);
            vqrdmulhq_s16(shifted, shifted)
        })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum {
        let [mut low, mut high] = sum;
        for (a, b) in a.into_iter().zip(b) {
            // SAFETY: NEON is part of aarch64.
            unsafe {
                low = vmlal_s16(low, vget_low_s16(a), vget_low_s16(b));
                high = vmlal_high_s16(high, a, b);
            }
        }
        [low, high]
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn total(self, sum: Self::Sum) -> i32 {
        // SAFETY: NEON is part of aarch64.
        unsafe { vaddvq_s32(vaddq_s32(sum[0], sum[1])) }
    }
}

kernel!(Neon, "neon", []);
