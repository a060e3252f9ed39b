//! Plain arrays: the reference that every other kernel is tested against, and the kernel of processors without one of
//! their own.

use super::{Block, ByteBlock, FeatureDelta, Rows, Simd, kernel};
use crate::eval::architecture::{LANES, screlu};

/// The kernel of every processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Simd for Portable {
    type Vector = [i16; LANES];
    type Sum = [i32; LANES];

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
    fn add_screlu(self, sum: Self::Sum, values: Self::Vector, weights: Self::Vector) -> Self::Sum {
        std::array::from_fn(|lane| {
            sum[lane].wrapping_add(screlu(values[lane]).wrapping_mul(i32::from(weights[lane])))
        })
    }

    #[inline(always)]
    fn total(self, sum: Self::Sum) -> i32 {
        sum.into_iter().fold(0, i32::wrapping_add)
    }
}

kernel!(Portable, "portable", []);
