//! The network: quantised weights with all bounds checked, and the evaluation from scratch in plain code that the faster
//! one is tested against.

pub use crate::architecture::Shape;
pub use crate::error::NetworkError;
pub use crate::file::checksum;
pub use crate::parts::Parts;

use super::features::Perspective;
use super::pawn_pairs::{each_pawn_pair, pawns};
use super::threats::{each_threat, pieces};
use super::weights::{Block, ByteBlock, Rows};
use crate::architecture::{OUTPUT_UNIT, SCALE, THREAT_INPUTS, screlu};
use crate::file::{NetworkFile, checksum_in};
use chess::random::Random;
use chess::{Color, Position};
use platform::pages::{check_room, try_collect_on_huge_pages};
use std::io;
use std::path::Path;

/// Bytes that the check of the largest network's weights takes for a moment, and more.
const CHECK_BYTES: usize = 2 << 20;

/// The memory for encoding a network, in sizes of its file: parts, payload and file, each while it grows.
const COPIES: usize = 6;

/// A network ready to use: its shape is within the limits, and no position can overflow an accumulator or the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: Shape,
    name: String,
    input: Vec<Block>,
    threats: Vec<ByteBlock>,
    pawn_pairs: Vec<ByteBlock>,
    input_bias: Vec<Block>,
    output: Vec<Block>,
    output_bias: Vec<i32>,
}

impl Network {
    /// A network of these weights. `name` is shown to users and kept in the file (its first 24 bytes).
    ///
    /// # Errors
    /// A shape beyond the limits, parts of the wrong length, weights that some position could overflow, or not enough memory.
    pub fn new(shape: Shape, name: &str, parts: &Parts) -> Result<Network, NetworkError> {
        let shape = Shape::new(shape.hidden, shape.buckets)?;
        check_room(CHECK_BYTES)?;
        parts.check(shape)?;
        Ok(Network {
            shape,
            name: name.trim_end_matches('\0').into(),
            input: Block::from_numbers(&parts.input)?,
            threats: ByteBlock::from_numbers(&parts.threats)?,
            pawn_pairs: ByteBlock::from_numbers(&parts.pawn_pairs)?,
            input_bias: Block::from_numbers(&parts.input_bias)?,
            output: Block::from_numbers(&parts.output)?,
            output_bias: parts.output_bias.clone(),
        })
    }

    /// A copy whose memory is first touched by the calling thread, on huge pages as the original.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn copy(&self) -> io::Result<Network> {
        fn copy<B: Copy>(blocks: &[B]) -> io::Result<Vec<B>> {
            try_collect_on_huge_pages(blocks.iter().copied())
        }
        Ok(Network {
            shape: self.shape,
            name: self.name.clone(),
            input: copy(&self.input)?,
            threats: copy(&self.threats)?,
            pawn_pairs: copy(&self.pawn_pairs)?,
            input_bias: copy(&self.input_bias)?,
            output: copy(&self.output)?,
            output_bias: self.output_bias.clone(),
        })
    }

    /// Reads a regular file with the content of [`Self::to_bytes`].
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        Network::from_file(&NetworkFile::read(path)?)
    }

    /// Decodes the content of [`Self::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_file(&NetworkFile::decode(bytes)?)
    }

    fn from_file(NetworkFile { shape, name, parts }: &NetworkFile) -> Result<Network, NetworkError> {
        Network::new(*shape, name, parts)
    }

    /// The length of [`Self::to_bytes`], or a little more.
    pub fn file_bytes(&self) -> usize {
        let [input, output] = [&self.input, &self.output].map(|blocks| size_of_val(&blocks[..]));
        let [threats, pawn_pairs] = [&self.threats, &self.pawn_pairs].map(|blocks| size_of_val(&blocks[..]));
        (1 << 16) + input + threats + pawn_pairs + output
    }

    /// The content of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        NetworkFile { shape: self.shape, name: self.name.clone(), parts: self.parts() }.encode()
    }

    /// [`Self::to_bytes`] where memory may be short.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn try_to_bytes(&self) -> io::Result<Vec<u8>> {
        check_room(COPIES * self.file_bytes())?;
        Ok(self.to_bytes())
    }

    /// The [`checksum`] of its numbers, by which networks are told apart whatever their names.
    ///
    /// # Errors
    /// If the system has not enough memory for [`Self::try_to_bytes`].
    pub fn identity(&self) -> io::Result<u64> {
        Ok(checksum_in(&self.try_to_bytes()?))
    }

    /// Width and output buckets.
    #[inline(always)]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The maker's name for the network.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first layer's weights: for each input a row of `hidden`.
    #[inline(always)]
    pub fn input_rows(&self) -> Rows<'_> {
        Rows::new(&self.input, self.shape.blocks())
    }

    /// The weights of the threat inputs: a row of [`extra_hidden`](Shape::extra_hidden) for each; `None` if the network
    /// has none.
    #[inline(always)]
    pub fn threat_rows(&self) -> Option<Rows<'_, ByteBlock>> {
        (!self.threats.is_empty()).then(|| Rows::new(&self.threats, self.shape.extra_blocks()))
    }

    /// The weights of the pawn pair inputs: a row of [`extra_hidden`](Shape::extra_hidden) for each; `None` if the network
    /// has none.
    #[inline(always)]
    pub fn pawn_pair_rows(&self) -> Option<Rows<'_, ByteBlock>> {
        (!self.pawn_pairs.is_empty()).then(|| Rows::new(&self.pawn_pairs, self.shape.extra_blocks()))
    }

    /// The first layer's biases: the accumulator of an empty board.
    #[inline(always)]
    pub fn input_bias(&self) -> &[Block] {
        &self.input_bias
    }

    /// The `hidden` output weights of a bucket for the side to move (`half` 0) or the opponent (1).
    #[inline(always)]
    pub fn output_row(&self, bucket: usize, half: usize) -> &[Block] {
        Rows::new(&self.output, self.shape.blocks()).row(bucket * 2 + half)
    }

    /// The weights and biases in plain order.
    pub fn parts(&self) -> Parts {
        Parts {
            input: Block::to_numbers(&self.input),
            threats: ByteBlock::to_numbers(&self.threats),
            pawn_pairs: ByteBlock::to_numbers(&self.pawn_pairs),
            input_bias: Block::to_numbers(&self.input_bias),
            output: Block::to_numbers(&self.output),
            output_bias: self.output_bias.clone(),
        }
    }

    /// The evaluation in internal centipawns (1.0 is [`SCALE`]) of an integer `sum`: over neurons of output weight times
    /// [`screlu`]; the bias of the bucket is added here.
    #[inline(always)]
    pub fn dequantise(&self, sum: i32, bucket: usize) -> i32 {
        let total = i64::from(sum) + i64::from(self.output_bias[bucket]);
        (total * SCALE as i64 / OUTPUT_UNIT) as i32
    }

    /// The evaluation in internal centipawns from the side to move's view, from scratch in plain code; the reference for
    /// the kernels.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_bucket(position, self.shape.bucket(position.occupied().count()))
    }

    /// The same with the output weights of `bucket`.
    pub fn evaluate_bucket(&self, position: &Position, bucket: usize) -> i32 {
        let side = position.side_to_move();
        let accumulators = [side, !side].map(|color| self.accumulator(position, color));
        let sum = |half: usize| -> i32 {
            let weights = Block::to_numbers(self.output_row(bucket, half));
            let neuron = |(&sum, &weight): (&i16, &i16)| screlu(sum) * i32::from(weight);
            accumulators[half].iter().zip(&weights).map(neuron).sum()
        };
        self.dequantise(sum(0) + sum(1), bucket)
    }

    /// The accumulator of `color`'s perspective: the biases and the weights of all active inputs, `hidden` sums.
    pub fn accumulator(&self, position: &Position, color: Color) -> Vec<i16> {
        let perspective = Perspective::new(color, position.king(color));
        let mut accumulator = Block::to_numbers(&self.input_bias);
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            add(&mut accumulator, Block::to_numbers(self.input_rows().row(perspective.input(piece, square))));
        }
        if let Some(rows) = self.threat_rows() {
            each_threat(&pieces(position), |threat| {
                add(&mut accumulator, ByteBlock::to_numbers(rows.row(perspective.threat_input(threat))));
            });
        }
        if let Some(rows) = self.pawn_pair_rows() {
            each_pawn_pair(&pawns(position), |one, other| {
                let row = rows.row(perspective.pawn_pair_input(one, other));
                add(&mut accumulator, ByteBlock::to_numbers(row));
            });
        }
        accumulator
    }
}

/// Adds a row of weights.
fn add(accumulator: &mut [i16], row: Vec<impl Into<i16>>) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum += weight.into();
    }
}

/// A network of small random weights, all kinds of inputs included, for tests.
///
/// # Panics
/// If no network can have this shape.
pub fn sample(shape: Shape, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut random = |size: i16| random.below(2 * size as usize + 1) as i16 - size;
    let (Shape { hidden, buckets }, extra_hidden) = (shape, shape.extra_hidden());
    let parts = Parts {
        input: (0..crate::architecture::INPUTS * hidden).map(|_| random(250)).collect(),
        threats: (0..THREAT_INPUTS * extra_hidden).map(|_| random(100) as i8).collect(),
        pawn_pairs: (0..crate::architecture::PAWN_PAIR_INPUTS * extra_hidden)
            .map(|_| random(60) as i8)
            .collect(),
        input_bias: (0..hidden).map(|_| random(200)).collect(),
        // Smaller ones where many of them could overflow.
        output: (0..2 * hidden * buckets).map(|_| random(400.min(100_000 / hidden as i32) as i16)).collect(),
        output_bias: (0..buckets).map(|_| i32::from(random(5000)) << 10).collect(),
    };
    Network::new(shape, "sample", &parts).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_worth_the_same_to_both_colours_and_when_mirrored() {
        let network = sample(Shape { hidden: 64, buckets: 8 }, 3);
        let value = |fen: &str| network.evaluate(&fen.parse().unwrap());
        let seen = value("8/5k2/3p4/8/2N5/8/1K6/8 w - - 0 1");
        assert_eq!(value("8/1k6/8/2n5/8/3P4/5K2/8 b - - 0 1"), seen);
        assert_eq!(value("8/2k5/4p3/8/5N2/8/6K1/8 w - - 0 1"), seen);
    }
}
