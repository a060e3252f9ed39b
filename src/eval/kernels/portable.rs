//! Plain arrays: the reference that every other kernel is tested against, and the kernel of processors without one of
//! their own.

use super::{Activations, Block, ByteBlock, FeatureDelta, LayerWeights, QuadRow, Rows, Simd, Sums, kernel};
use crate::eval::architecture::{L2_SIZE, LANES, activation, screlu};

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
    fn store_sums(self, outputs: Self::Outputs, sums: &mut Sums) {
        sums.0 = outputs;
    }

    #[inline(always)]
    fn add_sums(self, a: Self::Outputs, b: Self::Outputs) -> Self::Outputs {
        std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(always)]
    fn add_quad(self, sums: Self::Outputs, quad: i32, row: &QuadRow) -> Self::Outputs {
        let quad = quad.to_le_bytes();
        std::array::from_fn(|lane| {
            let weights = &row.0[4 * lane..][..4];
            let product = |(&weight, byte): (&i8, u8)| i32::from(weight) * i32::from(byte);
            sums[lane].wrapping_add(weights.iter().zip(quad).map(product).sum())
        })
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
