//! The small layers between the first and the output, `2 x 256 -> 16 -> 32 -> 1` for each output bucket, which add to the direct
//! way from the first layer to the output what no sum of single neurons can say (as Stockfish has them since 2020).
//!
//! Inputs of the second layer are the activations of the first neurons of each perspective
//! ([`l2_hidden`](Shape::l2_hidden)), rounded to eight bits. Each of its sums goes on twice: clipped to 0 to 1, and squared.
//! Sums of the third layer are clipped to 0 to 1. All are integers, so the order of additions does not matter, and every
//! kernel gives the same number.

use super::weights::Block;
use crate::architecture::{
    L2_SIZE, L2_SQUARE_SHIFT, L2_UNIT, L3_INPUTS, L3_SHIFT, L3_SIZE, L3_UNIT, LANES, Shape, activation,
    screlu,
};
use crate::parts::LayerParts;
use platform::pages::try_collect_on_huge_pages;
use std::io;

/// Inputs and neurons of the second layer whose weights lie beside each other, in 128 bits.
const QUAD: usize = 4;
/// Inputs of the second layer that are multiplied at a time.
const L2_BLOCK: usize = 64;
/// Inputs of the third layer whose weights lie beside each other.
const PAIR: usize = 2;

/// One cache line of weights of the second layer, four lanes of 128 bits: for each of four neurons those of four inputs. Lanes
/// have the same neurons, but inputs of their own: each lane four of sixteen that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct QuadRow(pub [i8; L2_BLOCK]);

/// The weights of sixty-four inputs: for the first four of each sixteen inputs a row for each four neurons, then for the next
/// four inputs.
pub type L2Rows = [QuadRow; L2_SIZE];

/// Where in [`L2Rows`] the weight from an input to a neuron is: row and place.
const fn l2_place(input: usize, neuron: usize) -> (usize, usize) {
    let (lane, quad) = (input / (QUAD * QUAD), input / QUAD % QUAD);
    (quad * (L2_SIZE / QUAD) + neuron / QUAD, (lane * QUAD + neuron % QUAD) * QUAD + input % QUAD)
}

/// One cache line of sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Sums(pub [i32; L2_SIZE]);

/// Activations of thirty-two neurons of the first layer, 0 to 127.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Activations(pub [u8; LANES]);

impl Activations {
    /// All zero.
    pub const ZERO: Activations = Activations([0; LANES]);
}

/// The third layer and its weights to the output, of one bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TailLayers {
    l2_bias: Sums,
    /// For two inputs at a time a block for the first sixteen neurons, then one for the others: for each neuron the weights
    /// of both inputs.
    l3: [[Block; 2]; L3_INPUTS / PAIR],
    l3_bias: [Sums; 2],
    l4: Block,
}

/// The layers of all buckets, ready to use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    l2: Vec<L2Rows>,
    tails: Vec<TailLayers>,
}

/// The weights of one bucket, as the kernels read them.
#[derive(Clone, Copy)]
pub struct LayerWeights<'a> {
    /// Second layer: rows for each sixty-four activations, those of the side to move first.
    pub l2: &'a [L2Rows],
    /// Biases of the second layer.
    pub l2_bias: &'a Sums,
    /// Third layer: for each two inputs a block for the first sixteen neurons and one for the others.
    pub l3: &'a [[Block; 2]; L3_INPUTS / PAIR],
    /// Biases of the third layer.
    pub l3_bias: &'a [Sums; 2],
    /// Weights from the third layer to the output.
    pub l4: &'a Block,
}

impl Layers {
    /// The layers of these weights, which must be as many as `shape` needs.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn new(shape: Shape, parts: &LayerParts) -> io::Result<Layers> {
        let blocks = parts.l2.chunks_exact(L2_BLOCK * L2_SIZE).map(|weights| {
            let mut rows = [QuadRow([0; L2_BLOCK]); L2_SIZE];
            for (number, &weight) in weights.iter().enumerate() {
                let (row, place) = l2_place(number / L2_SIZE, number % L2_SIZE);
                rows[row].0[place] = weight;
            }
            rows
        });
        let tail = |bucket: usize| {
            let l3 = &parts.l3[bucket * L3_INPUTS * L3_SIZE..][..L3_INPUTS * L3_SIZE];
            let weight = |input: usize, neuron: usize| l3[input * L3_SIZE + neuron];
            let sums = |biases: &[i32], from: usize| Sums(std::array::from_fn(|at| biases[from + at]));
            TailLayers {
                l2_bias: sums(&parts.l2_bias, bucket * L2_SIZE),
                l3: std::array::from_fn(|pair| {
                    [0, L2_SIZE].map(|first| {
                        Block(std::array::from_fn(|at| weight(pair * PAIR + at % PAIR, first + at / PAIR)))
                    })
                }),
                l3_bias: [0, L2_SIZE].map(|first| sums(&parts.l3_bias, bucket * L3_SIZE + first)),
                l4: Block(std::array::from_fn(|at| parts.l4[bucket * L3_SIZE + at])),
            }
        };
        Ok(Layers { l2: try_collect_on_huge_pages(blocks)?, tails: (0..shape.buckets).map(tail).collect() })
    }

    /// A copy whose memory is first touched by the calling thread, on huge pages as the original.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn copy(&self) -> io::Result<Layers> {
        Ok(Layers { l2: try_collect_on_huge_pages(self.l2.iter().copied())?, tails: self.tails.clone() })
    }

    /// The weights of a bucket.
    #[inline(always)]
    pub fn weights(&self, bucket: usize) -> LayerWeights<'_> {
        let blocks = self.l2.len() / self.tails.len();
        let TailLayers { l2_bias, l3, l3_bias, l4 } = &self.tails[bucket];
        LayerWeights { l2: &self.l2[bucket * blocks..][..blocks], l2_bias, l3, l3_bias, l4 }
    }

    /// Bytes of the weights.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.l2[..]) + size_of_val(&self.tails[..])
    }

    /// The weights and biases in plain order.
    pub fn parts(&self) -> LayerParts {
        let mut parts = LayerParts { l2: vec![], l2_bias: vec![], l3: vec![], l3_bias: vec![], l4: vec![] };
        for bucket in 0..self.tails.len() {
            let LayerParts { l2, l2_bias, l3, l3_bias, l4 } = self.bucket_parts(bucket);
            parts.l2.extend(l2);
            parts.l2_bias.extend(l2_bias);
            parts.l3.extend(l3);
            parts.l3_bias.extend(l3_bias);
            parts.l4.extend(l4);
        }
        parts
    }

    /// Those of one bucket.
    fn bucket_parts(&self, bucket: usize) -> LayerParts {
        let LayerWeights { l2, l2_bias, l3, l3_bias, l4 } = self.weights(bucket);
        let l2_weight = |rows: &L2Rows, number: usize| {
            let (row, place) = l2_place(number / L2_SIZE, number % L2_SIZE);
            rows[row].0[place]
        };
        let l3_weight = |number: usize| {
            let (input, neuron) = (number / L3_SIZE, number % L3_SIZE);
            l3[input / PAIR][neuron / L2_SIZE].0[neuron % L2_SIZE * PAIR + input % PAIR]
        };
        LayerParts {
            l2: l2
                .iter()
                .flat_map(|rows| (0..L2_BLOCK * L2_SIZE).map(move |number| l2_weight(rows, number)))
                .collect(),
            l2_bias: l2_bias.0.to_vec(),
            l3: (0..L3_INPUTS * L3_SIZE).map(l3_weight).collect(),
            l3_bias: l3_bias.iter().flat_map(|sums| sums.0).collect(),
            l4: l4.0.to_vec(),
        }
    }

    /// The output of a bucket's layers in plain code, for two accumulators of which the side to move's comes first; 1.0 is
    /// [`OUTPUT_UNIT`](crate::architecture::OUTPUT_UNIT). The reference for the kernels.
    pub fn output(&self, bucket: usize, accumulators: [&[i16]; 2]) -> i32 {
        let LayerParts { l2, l2_bias, l3, l3_bias, l4 } = self.bucket_parts(bucket);
        let read = l2.len() / (2 * L2_SIZE);
        let mut l2_sums = l2_bias;
        for (&input, weights) in
            accumulators.iter().flat_map(|sums| &sums[..read]).zip(l2.chunks_exact(L2_SIZE))
        {
            let activation = activation(screlu(input));
            for (sum, &weight) in l2_sums.iter_mut().zip(weights) {
                *sum += activation * i32::from(weight);
            }
        }
        let mut l3_sums = l3_bias;
        let clipped = l2_sums.iter().map(|&sum| sum.clamp(0, L2_UNIT));
        let squared = l2_sums.iter().map(|&sum| sum.clamp(-L2_UNIT, L2_UNIT).pow(2) >> L2_SQUARE_SHIFT);
        for (input, weights) in clipped.chain(squared).zip(l3.chunks_exact(L3_SIZE)) {
            for (sum, &weight) in l3_sums.iter_mut().zip(weights) {
                *sum += input * i32::from(weight);
            }
        }
        let output = |(&sum, &weight): (&i32, &i16)| (sum.clamp(0, L3_UNIT) >> L3_SHIFT) * i32::from(weight);
        l3_sums.iter().zip(&l4).map(output).sum()
    }
}

/// Layers of numbers that `random` gives up to a size, for tests: sums on both sides of 0 and 1.
pub(crate) fn sample(shape: Shape, random: &mut impl FnMut(i16) -> i16) -> LayerParts {
    let mut layers = LayerParts::zero(shape);
    layers.l2.fill_with(|| random(100) as i8);
    layers.l2_bias.fill_with(|| random(16_000).into());
    layers.l3.fill_with(|| random(250));
    layers.l3_bias.fill_with(|| i32::from(random(4000)) << 10);
    layers.l4.fill_with(|| random(1000));
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_keep_their_order() {
        let shape = Shape { hidden: 64, buckets: 4 };
        let mut number = 0;
        let parts = sample(shape, &mut |size| {
            number = (number + 17) % size;
            number
        });
        assert_eq!(Layers::new(shape, &parts).unwrap().parts(), parts);
    }
}
