//! NEON, which every 64-bit ARM has.

use super::{Activations, Block, ByteBlock, FeatureDelta, L2Rows, LayerWeights, Rows, Simd, Sums, kernel};
use crate::architecture::{ACTIVATION_SHIFT, L3_SHIFT, QA, SQUARE_SHIFT};
use std::arch::aarch64::*;

/// The kernel of every aarch64.
#[derive(Clone, Copy)]
pub(super) struct Neon;

impl Simd for Neon {
    type Vector = [int16x8_t; 4];
    type Sum = [int32x4_t; 2];
    type Outputs = [int32x4_t; 4];

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
        self.clamp(values, 0, QA as i16).map(|clipped| unsafe {
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

    #[inline(always)]
    fn store_activations(self, squares: Self::Vector, to: &mut Activations) {
        let address = to.0.as_mut_ptr();
        for (index, part) in squares.into_iter().enumerate() {
            // SAFETY: NEON is part of aarch64; there are 32 activations.
            unsafe {
                let bytes = vqrshrn_n_s16::<{ ACTIVATION_SHIFT as i32 }>(part);
                vst1_u8(address.add(8 * index), vreinterpret_u8_s8(bytes));
            }
        }
    }

    #[inline(always)]
    fn load_sums(self, sums: &Sums) -> Self::Outputs {
        let address = sums.0.as_ptr();
        // SAFETY: NEON is part of aarch64; there are sixteen sums.
        std::array::from_fn(|index| unsafe { vld1q_s32(address.add(4 * index)) })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn add_sums(self, a: Self::Outputs, b: Self::Outputs) -> Self::Outputs {
        // SAFETY: NEON is part of aarch64.
        std::array::from_fn(|index| unsafe { vaddq_s32(a[index], b[index]) })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn l2_sums(self, activations: &[Activations], rows: &[L2Rows]) -> Self::Outputs {
        // Twice, so that an addition need not wait for the one before.
        // SAFETY: NEON is part of aarch64.
        let mut sums = [[unsafe { vdupq_n_s32(0) }; 4]; 2];
        for (activations, rows) in activations.as_chunks::<2>().0.iter().zip(rows) {
            let activations = activations.as_ptr().cast::<i32>();
            for lane in 0..4 {
                for (number, row) in rows.iter().enumerate() {
                    // SAFETY: NEON is part of aarch64; activations and a row have 64 bytes.
                    unsafe {
                        let quad = vld1q_dup_s32(activations.add(4 * lane + number / 4));
                        let (quad, weights) =
                            (vreinterpretq_s8_s32(quad), vld1q_s8(row.0.as_ptr().add(16 * lane)));
                        let low = vmull_s8(vget_low_s8(quad), vget_low_s8(weights));
                        let sum = &mut sums[number / 4 % 2][number % 4];
                        // Two products of at most 127 times 128 fit sixteen bits.
                        *sum = vpadalq_s16(*sum, vpaddq_s16(low, vmull_high_s8(quad, weights)));
                    }
                }
            }
        }
        self.add_sums(sums[0], sums[1])
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn pack(self, low: Self::Outputs, high: Self::Outputs) -> Self::Vector {
        // SAFETY: NEON is part of aarch64.
        let pack = |[a, b]: [int32x4_t; 2]| unsafe { vqmovn_high_s32(vqmovn_s32(a), b) };
        let ([a, b, c, d], [e, f, g, h]) = (low, high);
        [[a, b], [c, d], [e, f], [g, h]].map(pack)
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn shift(self, sums: Self::Outputs) -> Self::Outputs {
        // SAFETY: NEON is part of aarch64.
        sums.map(|sums| unsafe { vshrq_n_s32::<{ L3_SHIFT as i32 }>(sums) })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn clamp(self, values: Self::Vector, low: i16, high: i16) -> Self::Vector {
        // SAFETY: NEON is part of aarch64.
        values.map(|value| unsafe { vminq_s16(vmaxq_s16(value, vdupq_n_s16(low)), vdupq_n_s16(high)) })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn mul_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|index| {
            let (a, b) = (a[index], b[index]);
            // SAFETY: NEON is part of aarch64.
            unsafe {
                let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
                vshrn_high_n_s32::<16>(vshrn_n_s32::<16>(low), vmull_high_s16(a, b))
            }
        })
    }

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn add_pair(self, sums: Self::Outputs, pair: i32, row: &Block) -> Self::Outputs {
        let weights = self.load(row);
        // SAFETY: NEON is part of aarch64.
        std::array::from_fn(|index| unsafe {
            let (pair, weights) = (vreinterpretq_s16_s32(vdupq_n_s32(pair)), weights[index]);
            let low = vmull_s16(vget_low_s16(pair), vget_low_s16(weights));
            vaddq_s32(sums[index], vpaddq_s32(low, vmull_high_s16(pair, weights)))
        })
    }
}

kernel!(Neon, "neon", []);
