//! Any other processor.

use super::{LANES, Row, SHORTS, Shorts, Simd};

/// Plain arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portable;

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> [f32; LANES] {
    std::array::from_fn(f)
}

impl Simd for Portable {
    type Vector = [f32; LANES];
    type Integers = [i16; SHORTS];

    #[inline(always)]
    fn load(self, row: &Row) -> Self::Vector {
        row.0
    }
    #[inline(always)]
    fn store(self, vector: Self::Vector, row: &mut Row) {
        row.0 = vector;
    }
    #[inline(always)]
    fn splat(self, value: f32) -> Self::Vector {
        [value; LANES]
    }
    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        each(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| a[i] / b[i])
    }
    #[inline(always)]
    fn sqrt(self, a: Self::Vector) -> Self::Vector {
        each(|i| a[i].sqrt())
    }
    #[inline(always)]
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        each(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn keep_below(self, a: Self::Vector, b: Self::Vector, then: Self::Vector) -> Self::Vector {
        each(|i| if a[i] < b[i] { then[i] } else { 0.0 })
    }
    #[inline(always)]
    fn sum(self, a: Self::Vector) -> f32 {
        a.iter().sum()
    }

    #[inline(always)]
    fn load_shorts(self, shorts: &Shorts) -> Self::Integers {
        shorts.0
    }
    #[inline(always)]
    fn store_shorts(self, integers: Self::Integers, shorts: &mut Shorts) {
        shorts.0 = integers;
    }
    #[inline(always)]
    fn add_shorts(self, a: Self::Integers, b: Self::Integers) -> Self::Integers {
        std::array::from_fn(|i| a[i].saturating_add(b[i]))
    }
    #[inline(always)]
    fn clip_shorts(self, a: Self::Integers, high: i16) -> Self::Integers {
        std::array::from_fn(|i| a[i].clamp(0, high))
    }
    #[inline(always)]
    fn floats(self, a: Self::Integers) -> [Self::Vector; 2] {
        [each(|i| f32::from(a[i])), each(|i| f32::from(a[LANES + i]))]
    }
    #[inline(always)]
    fn round(self, a: [Self::Vector; 2]) -> Self::Integers {
        std::array::from_fn(|i| a[i / LANES][i % LANES].round_ties_even() as i16)
    }
}
