//! The network: its shape, its file and the checks on loading, and the plain evaluation from scratch that everything
//! faster is tested against.
//!
//! The shape is `7 x 768 -> hidden` for each of two [views](super::view), then `2 x hidden -> 1` (the net of most engines
//! since 2020; the idea is Yu Nasu's, 2018). Hidden neurons are squared clipped rectifiers. The output weights may differ
//! by the number of men on the board (output buckets).

pub use super::file::checksum;
use super::kernels::Rows;
use super::view::{AREA_INPUTS, INPUTS, View};
use super::weights::{Block, LANES};
use crate::chess::{Color, Position};
use std::path::Path;

/// What 1.0 is in the first layer.
pub const QA: i32 = 511;
/// An activation is shifted left by this before it is squared, so that the square fills sixteen bits.
pub const SQUARE_SHIFT: i32 = 6;
/// What 1.0 is after squaring, nearly: `QA * QA / 8`, see [`square`].
const SQUARED: i64 = QA as i64 * QA as i64 / 8;
/// What 1.0 is in the output weights.
pub const QB: i32 = 256;
/// What 1.0 is in the sum of the output layer and in its offsets.
pub const OUTPUT_UNIT: i64 = SQUARED * QB as i64;
/// The evaluation at which the network expects `1 / (1 + 1/e)`, 73%, of the points.
pub const SCALE: i32 = 400;
/// The widest first layer that can be loaded.
pub const MAX_HIDDEN: usize = 2048;
/// The most output buckets.
pub const MAX_BUCKETS: usize = 8;

/// What can vary from network to network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Neurons of the first layer for each view; a multiple of 32.
    pub hidden: usize,
    /// Sets of output weights, chosen by the number of men; 1 to 8, a divisor of 32.
    pub buckets: usize,
}

impl Shape {
    /// Checks the limits.
    pub fn new(hidden: usize, buckets: usize) -> Result<Shape, NetworkError> {
        let fits = hidden > 0 && hidden <= MAX_HIDDEN && hidden.is_multiple_of(LANES);
        if fits && (1..=MAX_BUCKETS).contains(&buckets) && 32 % buckets == 0 {
            Ok(Shape { hidden, buckets })
        } else {
            Err(NetworkError::Shape { hidden, buckets })
        }
    }

    /// The output weights that serve a board with so many men.
    #[inline(always)]
    pub const fn bucket(self, men: u32) -> usize {
        (men as usize).saturating_sub(2) * self.buckets / 32
    }

    /// Blocks of one view's neurons.
    #[inline(always)]
    pub(super) const fn blocks(self) -> usize {
        self.hidden / LANES
    }
}

/// The numbers of a network in their plain order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// First layer: a row of `hidden` for each input.
    pub input: Vec<i16>,
    /// First layer: `hidden` offsets.
    pub input_bias: Vec<i16>,
    /// Output: for each bucket `hidden` for the side to move, then `hidden` for the other.
    pub output: Vec<i16>,
    /// Output: one offset a bucket, in units of [`OUTPUT_UNIT`].
    pub output_bias: Vec<i32>,
}

/// A network ready to use: shape checked, no sum can overflow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    name: String,
    input: Vec<Block>,
    input_bias: Vec<Block>,
    output: Vec<Block>,
    output_bias: Vec<i32>,
}

impl Network {
    /// A network of these numbers. `name` is kept in the file (its first 24 bytes) and shown to users.
    pub fn new(shape: Shape, name: &str, parts: &Parts) -> Result<Network, NetworkError> {
        let shape = Shape::new(shape.hidden, shape.buckets)?;
        let Shape { hidden, buckets } = shape;
        for (part, found, expected) in [
            ("input weights", parts.input.len(), INPUTS * hidden),
            ("input offsets", parts.input_bias.len(), hidden),
            ("output weights", parts.output.len(), buckets * hidden * 2),
            ("output offsets", parts.output_bias.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Count { part, found, expected });
            }
        }
        check_bounds(shape, parts)?;
        Ok(Network {
            shape,
            name: name.trim_end_matches('\0').into(),
            input: Block::from_numbers(&parts.input),
            input_bias: Block::from_numbers(&parts.input_bias),
            output: Block::from_numbers(&parts.output),
            output_bias: parts.output_bias.clone(),
        })
    }

    /// Reads a file written by [`Self::to_bytes`].
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        Network::from_bytes(&std::fs::read(path)?)
    }

    /// Width and buckets.
    #[inline(always)]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// What the maker called it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first layer's weights, a row for each input.
    #[inline(always)]
    pub fn input_rows(&self) -> Rows<'_> {
        Rows::new(&self.input, self.shape.blocks())
    }

    /// The first layer's offsets.
    #[inline(always)]
    pub fn input_bias(&self) -> &[Block] {
        &self.input_bias
    }

    /// The output weights of a bucket for the side to move (`half` 0) or the other (1).
    #[inline(always)]
    pub fn output_row(&self, bucket: usize, half: usize) -> &[Block] {
        Rows::new(&self.output, self.shape.blocks()).row(bucket * 2 + half)
    }

    /// The numbers in their plain order.
    pub fn parts(&self) -> Parts {
        Parts {
            input: Block::to_numbers(&self.input),
            input_bias: Block::to_numbers(&self.input_bias),
            output: Block::to_numbers(&self.output),
            output_bias: self.output_bias.clone(),
        }
    }

    /// From the sum over neurons of weight times squared activation to the evaluation in units of [`SCALE`].
    #[inline(always)]
    pub fn finish(&self, sum: i32, bucket: usize) -> i32 {
        let total = i64::from(sum) + i64::from(self.output_bias[bucket]);
        (total * SCALE as i64 / OUTPUT_UNIT) as i32
    }

    /// The evaluation from the side to move's view, computed from scratch and plainly; the reference for the kernels.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_bucket(position, self.shape.bucket(position.occupied().count()))
    }

    /// The evaluation that the output weights of `bucket` give.
    pub fn evaluate_bucket(&self, position: &Position, bucket: usize) -> i32 {
        let side = position.side_to_move();
        let half = |color: Color, half: usize| -> i32 {
            let weights = Block::to_numbers(self.output_row(bucket, half));
            let activations = self.first_layer(position, color);
            let neuron = |(&sum, &weight): (&i16, &i16)| square(sum) * i32::from(weight);
            activations.iter().zip(&weights).map(neuron).sum()
        };
        self.finish(half(side, 0) + half(!side, 1), bucket)
    }

    /// The first layer's sums as `color` sees the board.
    pub fn first_layer(&self, position: &Position, color: Color) -> Vec<i16> {
        let view = View::new(color, position.king(color));
        let mut sums = Block::to_numbers(&self.input_bias);
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            let row = Block::to_numbers(self.input_rows().row(view.input(piece, square)));
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums
    }
}

/// The squared clipped rectifier as the kernels compute it: an activation of 0 to [`QA`], shifted, and squared by the
/// rounding 16-bit multiplication that x86 (`pmulhrsw`) and ARM (`sqrdmulh`) have.
#[inline(always)]
pub const fn square(sum: i16) -> i32 {
    let clipped = if sum < 0 {
        0
    } else if sum as i32 > QA {
        QA
    } else {
        sum as i32
    };
    let shifted = clipped << SQUARE_SHIFT;
    (shifted * shifted + 0x4000) >> 15
}

/// Refuses weights with which some position could overflow the integers of the kernels.
fn check_bounds(shape: Shape, parts: &Parts) -> Result<(), NetworkError> {
    for area in parts.input.chunks_exact(AREA_INPUTS * shape.hidden) {
        check_area(shape, area, &parts.input_bias)?;
    }
    for (bucket, weights) in parts.output.chunks_exact(2 * shape.hidden).enumerate() {
        let total = |sign: i64| -> i64 {
            weights.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>()
                * i64::from(square(i16::MAX))
        };
        let bias = i64::from(parts.output_bias[bucket].unsigned_abs());
        if total(1).max(total(-1)) > i64::from(i32::MAX) || bias > i64::from(i32::MAX / 2) {
            return Err(NetworkError::Overflow { part: "the output sum" });
        }
    }
    Ok(())
}

/// The same for the first layer while the king stays in one area.
fn check_area(shape: Shape, weights: &[i16], bias: &[i16]) -> Result<(), NetworkError> {
    // For each neuron and square the largest weight of a man there.
    let mut largest = vec![[0_u16; 64]; shape.hidden];
    for (input, row) in weights.chunks_exact(shape.hidden).enumerate() {
        for (largest, weight) in largest.iter_mut().zip(row) {
            let here = &mut largest[input % 64];
            *here = weight.unsigned_abs().max(*here);
        }
    }
    // At most one man stands on a square, and at most 32 on the board.
    for (largest, bias) in largest.iter_mut().zip(bias) {
        largest.select_nth_unstable(32);
        let total: u32 = largest[32..].iter().map(|&weight| u32::from(weight)).sum();
        if total + u32::from(bias.unsigned_abs()) > i16::MAX as u32 {
            return Err(NetworkError::Overflow { part: "the first layer" });
        }
    }
    Ok(())
}

/// Why a network cannot be used.
#[derive(thiserror::Error, Debug)]
#[allow(missing_docs)]
pub enum NetworkError {
    #[error("cannot read the network: {0}")]
    Read(#[from] std::io::Error),
    #[error("not a network of Tamarack: the file does not begin with TAMARACK")]
    Magic,
    #[error("the network has format {found}, this program reads format {expected}")]
    Version { found: u32, expected: u32 },
    #[error(
        "the network's inputs are of kind {found}, this program knows kinds 1 and 2 (768, mirrored; 7 king areas)"
    )]
    Inputs { found: u32 },
    #[error("a network with {hidden} neurons and {buckets} output buckets cannot be run")]
    Shape { hidden: usize, buckets: usize },
    #[error("the network file has {found} bytes where its shape needs {expected}")]
    Length { found: usize, expected: usize },
    #[error("the network has {found} {part} where its shape needs {expected}")]
    Count { part: &'static str, found: usize, expected: usize },
    #[error("the network file is damaged: its checksum is {found:016x}, its header says {expected:016x}")]
    Checksum { found: u64, expected: u64 },
    #[error("the network could overflow {part}")]
    Overflow { part: &'static str },
}

/// A network of small random numbers, for tests.
#[cfg(test)]
pub(crate) fn sample(shape: Shape, seed: u64) -> Network {
    let mut state = seed;
    let mut random = |size: i16| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i64 % i64::from(2 * size + 1)) as i16 - size
    };
    let Shape { hidden, buckets } = shape;
    let parts = Parts {
        input: (0..INPUTS * hidden).map(|_| random(250)).collect(),
        input_bias: (0..hidden).map(|_| random(200)).collect(),
        output: (0..2 * hidden * buckets).map(|_| random(400)).collect(),
        output_bias: (0..buckets).map(|_| i32::from(random(5000)) << 10).collect(),
    };
    Network::new(shape, "sample", &parts).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_the_number_of_men() {
        let shape = Shape::new(64, 8).unwrap();
        assert_eq!([2, 5, 6, 9, 29, 30, 32].map(|men| shape.bucket(men)), [0, 0, 1, 1, 6, 7, 7]);
        assert_eq!(Shape::new(64, 1).unwrap().bucket(32), 0);
    }

    #[test]
    fn a_position_is_worth_the_same_to_both_colours_and_on_both_wings() {
        let network = sample(Shape { hidden: 64, buckets: 8 }, 3);
        let value = |fen: &str| network.evaluate(&fen.parse().unwrap());
        let seen = value("8/5k2/3p4/8/2N5/8/1K6/8 w - - 0 1");
        assert_eq!(value("8/1k6/8/2n5/8/3P4/5K2/8 b - - 0 1"), seen);
        assert_eq!(value("8/2k5/4p3/8/5N2/8/6K1/8 w - - 0 1"), seen);
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let shape = Shape { hidden: 32, buckets: 1 };
        let good = sample(shape, 1).parts();
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = good.clone();
            change(&mut parts);
            matches!(Network::new(shape, "", &parts), Err(NetworkError::Overflow { .. }))
        };
        assert!(refused(&|parts| parts.input.fill(1100)));
        assert!(refused(&|parts| parts.input_bias[5] = i16::MIN));
        assert!(refused(&|parts| parts.output.fill(2000)));
        assert!(refused(&|parts| parts.output.fill(-2000)));
        assert!(refused(&|parts| parts.output_bias[0] = i32::MAX));
        assert!(!refused(&|parts| parts.output[0] = i16::MAX));
    }
}
