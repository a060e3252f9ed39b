//! Plain arrays: the reference that every other kernel is tested against, and the kernel of processors without one of
//! their own.

use super::{Block, ByteBlock, FeatureDelta, Rows, Simd, kernel};
use crate::architecture::{LANES, screlu};

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
}

kernel!(Portable, "portable", []);
