//! Plain arrays: the reference that every other kernel is tested against, and the kernel of processors without one of
//! their own.

use super::{Activations, Block, ByteBlock, FeatureDelta, L2Rows, LayerWeights, Rows, Simd, Sums, kernel};
use crate::architecture::{L2_SIZE, L3_SHIFT, LANES, activation, screlu};

/// The kernel of every processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Simd for Portable {
    type Vector = [i16; LANES];
    type Sum = [i32; LANES];
    type Outputs = [i32; L2_SIZE];

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Vector {
        block.0
    }

    #[inline(always)]
    fn load_bytes(self, block: &ByteBlock) -> Self::Vector {
        block.0.map(i16::from)
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, block: &mut Block) {
        block.0 = vector;
    }

    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(always)]
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|lane| a[lane].wrapping_sub(b[lane]))
    }

    #[inline(always)]
    fn zero(self) -> Self::Sum {
        [0; LANES]
    }

    #[inline(always)]
    fn screlu(self, values: Self::Vector) -> Self::Vector {
        values.map(|value| screlu(value) as i16)
    }

    #[inline(always)]
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum {
        std::array::from_fn(|lane| sum[lane].wrapping_add(i32::from(a[lane]) * i32::from(b[lane])))
    }

    #[inline(always)]
    fn total(self, sum: Self::Sum) -> i32 {
        sum.into_iter().fold(0, i32::wrapping_add)
    }

    #[inline(always)]
    fn store_activations(self, squares: Self::Vector, to: &mut Activations) {
        to.0 = squares.map(|square| activation(i32::from(square)) as u8);
    }

    #[inline(always)]
    fn load_sums(self, sums: &Sums) -> Self::Outputs {
        sums.0
    }

    #[inline(always)]
    fn add_sums(self, a: Self::Outputs, b: Self::Outputs) -> Self::Outputs {
        std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(always)]
    fn l2_sums(self, activations: &[Activations], rows: &[L2Rows]) -> Self::Outputs {
        let mut sums = [0; L2_SIZE];
        for (activations, rows) in activations.as_chunks::<2>().0.iter().zip(rows) {
            let lanes = activations.iter().flat_map(|activations| activations.0.as_chunks::<16>().0);
            for (lane, activations) in lanes.enumerate() {
                for (number, row) in rows.iter().enumerate() {
                    let quad = &activations[number / 4 * 4..][..4];
                    let weights = row.0[16 * lane..][..16].as_chunks::<4>().0;
                    for (sum, weights) in sums[number % 4 * 4..][..4].iter_mut().zip(weights) {
                        let product = |(&weight, &byte): (&i8, &u8)| i32::from(weight) * i32::from(byte);
                        *sum += weights.iter().zip(quad).map(product).sum::<i32>();
                    }
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn pack(self, low: Self::Outputs, high: Self::Outputs) -> Self::Vector {
        let sum = |lane: usize| if lane < L2_SIZE { low[lane] } else { high[lane - L2_SIZE] };
        std::array::from_fn(|lane| sum(lane).clamp(i16::MIN.into(), i16::MAX.into()) as i16)
    }

    #[inline(always)]
    fn shift(self, sums: Self::Outputs) -> Self::Outputs {
        sums.map(|sum| sum >> L3_SHIFT)
    }

    #[inline(always)]
    fn clamp(self, values: Self::Vector, low: i16, high: i16) -> Self::Vector {
        values.map(|value| value.clamp(low, high))
    }

    #[inline(always)]
    fn mul_high(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|lane| ((i32::from(a[lane]) * i32::from(b[lane])) >> 16) as i16)
    }

    #[inline(always)]
    fn add_pair(self, sums: Self::Outputs, pair: i32, row: &Block) -> Self::Outputs {
        let [first, second] = [pair as i16, (pair >> 16) as i16].map(i32::from);
        std::array::from_fn(|lane| {
            let [a, b] = [row.0[2 * lane], row.0[2 * lane + 1]].map(i32::from);
            sums[lane].wrapping_add(a * first).wrapping_add(b * second)
        })
    }
}

kernel!(Portable, "portable", []);
