//! The weights as they are trained: floats, cut into tiles of sixteen neurons, so that what the kernels need of two
//! tiles stays near the core while a whole chunk of positions passes over it.
//!
//! The weight of an input is the sum of two numbers: its own, and that of the same piece on the same square, which all
//! king buckets share. So what is learned with the king in one bucket is known in the others, and a bucket learns what is
//! different there (a factoriser, as Stockfish's trainer has it).

use super::simd::{LANES, Row};
use chess::random::Random;
use nnue::architecture::{INPUTS, KING_BUCKET_INPUTS, KING_BUCKETS, PAWN_PAIR_INPUTS, QA, THREAT_INPUTS};
use nnue::network::Shape;
use platform::pages::collect_on_huge_pages;
use std::ops::Range;

/// Rows of a tile. A power of two above what is used, so that a masked index needs no check.
pub const TILE_ROWS: usize = 16384;
/// Where the threat inputs begin in a tile; the piece inputs come before.
pub const THREAT_ROW: usize = INPUTS;
/// Where the pawn pair inputs begin in a tile.
pub const PAWN_PAIR_ROW: usize = THREAT_ROW + THREAT_INPUTS;
/// Inputs of a perspective: pieces, threats and pawn pairs.
pub const ALL_INPUTS: usize = PAWN_PAIR_ROW + PAWN_PAIR_INPUTS;
/// Where the numbers begin that the inputs of all king buckets share; those of the inputs come before.
pub const SHARED_ROW: usize = ALL_INPUTS;
/// The row of the first layer's biases in a tile.
pub const BIAS_ROW: usize = SHARED_ROW + KING_BUCKET_INPUTS;
/// Where the output weights begin in a tile: for each bucket the side to move's, then the other's.
pub const OUTPUT_ROW: usize = BIAS_ROW + 1;
/// The largest size of a weight; with it no sum of the quantised network comes near its bounds.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// The same for the weights of threats and pawn pairs, which the engine has in eight bits.
pub const BYTE_LIMIT: f32 = 126.9 / QA as f32;

/// The optional inputs of a network, beside the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct InputSets {
    /// Threats.
    pub threats: bool,
    /// Pawn pairs.
    pub pawn_pairs: bool,
}

impl InputSets {
    /// All of them.
    pub const ALL: InputSets = InputSets { threats: true, pawn_pairs: true };

    /// The union of both.
    pub fn or(self, other: InputSets) -> InputSets {
        InputSets { threats: self.threats || other.threats, pawn_pairs: self.pawn_pairs || other.pawn_pairs }
    }

    /// The rows of the weights of their inputs in a tile.
    #[inline(always)]
    pub fn rows(self) -> impl Iterator<Item = usize> {
        let threats = if self.threats { THREAT_ROW..PAWN_PAIR_ROW } else { 0..0 };
        let pawn_pairs = if self.pawn_pairs { PAWN_PAIR_ROW..ALL_INPUTS } else { 0..0 };
        threats.chain(pawn_pairs)
    }
}

/// The rows of sixteen neurons.
pub type Tile = [Row; TILE_ROWS];

/// The weights of a network, or anything that has one number for each weight: gradients, moments.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Width and buckets.
    pub shape: Shape,
    /// The tiles one after the other, then one row with the output biases of the buckets.
    pub rows: Vec<Row>,
}

impl Model {
    /// All zero.
    pub fn zero(shape: Shape) -> Model {
        let rows = std::iter::repeat_n(Row::ZERO, shape.hidden / LANES * TILE_ROWS + 1);
        Model { shape, rows: collect_on_huge_pages(rows) }
    }

    /// Small random weights, the same in all king buckets, biases zero: sums of twenty inputs and the output start within
    /// the useful range.
    pub fn random(shape: Shape, seed: u64) -> Model {
        let mut model = Model::zero(shape);
        let mut random = Random::new(seed);
        let mut uniform = |size: f64| ((random.unit() * 2.0 - 1.0) * size) as f32;
        let output_size = (1.0 / (2.0 * shape.hidden as f64)).sqrt();
        for tile in model.tiles_mut() {
            tile[SHARED_ROW..BIAS_ROW].iter_mut().for_each(|row| row.0.fill_with(|| uniform(0.09)));
            tile[OUTPUT_ROW..][..2].iter_mut().for_each(|row| row.0.fill_with(|| uniform(output_size)));
            for bucket in 1..shape.buckets {
                tile.copy_within(OUTPUT_ROW..OUTPUT_ROW + 2, OUTPUT_ROW + 2 * bucket);
            }
        }
        model
    }

    /// The tiles.
    pub fn tiles(&self) -> &[Tile] {
        self.rows.as_chunks().0
    }

    /// The tiles, to be changed.
    pub fn tiles_mut(&mut self) -> &mut [Tile] {
        self.rows.as_chunks_mut().0
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        let used = Model::used_rows(self.shape);
        self.tiles_mut().iter_mut().for_each(|tile| tile[..used].fill(Row::ZERO));
        self.output_bias_mut().fill(0.0);
    }

    /// The tiles two by two: the width of a network is a multiple of 32.
    pub fn tile_pairs(&self) -> &[[Tile; 2]] {
        self.tiles().as_chunks().0
    }

    /// The tiles two by two, to be changed.
    pub fn tile_pairs_mut(&mut self) -> &mut [[Tile; 2]] {
        self.tiles_mut().as_chunks_mut().0
    }

    /// The row with the output biases.
    pub fn last_row_mut(&mut self) -> &mut Row {
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// The output bias of each bucket.
    pub fn output_bias(&self) -> &[f32; LANES] {
        &self.rows[self.rows.len() - 1].0
    }

    /// The output bias of each bucket, to be changed.
    pub fn output_bias_mut(&mut self) -> &mut [f32; LANES] {
        &mut self.last_row_mut().0
    }

    /// The number of rows of a tile that are in use.
    pub fn used_rows(shape: Shape) -> usize {
        OUTPUT_ROW + 2 * shape.buckets
    }

    /// True if the neurons of the tile pair of that number have weights for threats and pawn pairs.
    #[inline(always)]
    pub fn has_extras(shape: Shape, tile_pair: usize) -> bool {
        tile_pair * 2 * LANES < shape.extra_hidden()
    }

    /// The number of trained parameters of a network with these inputs.
    pub fn parameters(shape: Shape, input_sets: InputSets) -> usize {
        let rows = Model::used_rows(shape) - InputSets::ALL.rows().count();
        rows * shape.hidden + input_sets.rows().count() * shape.extra_hidden() + shape.buckets
    }

    /// The inputs of which some weight is not zero.
    pub fn input_sets(&self) -> InputSets {
        let some = |rows: Range<usize>| {
            self.tiles().iter().any(|tile| tile[rows.clone()].iter().any(|row| *row != Row::ZERO))
        };
        InputSets { threats: some(THREAT_ROW..PAWN_PAIR_ROW), pawn_pairs: some(PAWN_PAIR_ROW..ALL_INPUTS) }
    }

    /// The weight of an input for a neuron, within the limits.
    pub fn input(&self, input: usize, neuron: usize) -> f32 {
        let shared = shared_row(input).map_or(0.0, |row| self.number(row, neuron));
        let weight = self.number(input, neuron) + shared;
        let limit = limit(input);
        weight.clamp(-limit, limit)
    }

    /// Sets the weights of a piece on a square for a neuron, one for each king bucket.
    pub fn set_inputs(&mut self, piece_index: usize, neuron: usize, weights: [f32; KING_BUCKETS]) {
        let mean = weights.iter().sum::<f32>() / KING_BUCKETS as f32;
        self.set_number(SHARED_ROW + piece_index, neuron, mean);
        for (king_bucket, weight) in weights.into_iter().enumerate() {
            self.set_number(king_bucket * KING_BUCKET_INPUTS + piece_index, neuron, weight - mean);
        }
    }

    /// The bias of a neuron of the first layer.
    pub fn input_bias(&self, neuron: usize) -> f32 {
        self.number(BIAS_ROW, neuron)
    }

    /// Sets the bias of a neuron of the first layer.
    pub fn set_input_bias(&mut self, neuron: usize, bias: f32) {
        self.set_number(BIAS_ROW, neuron, bias);
    }

    /// The output weight of a neuron for the side to move (`half` 0) or the other (1).
    pub fn output(&self, bucket: usize, half: usize, neuron: usize) -> f32 {
        self.number(OUTPUT_ROW + 2 * bucket + half, neuron)
    }

    /// Sets an output weight.
    pub fn set_output(&mut self, bucket: usize, half: usize, neuron: usize, weight: f32) {
        self.set_number(OUTPUT_ROW + 2 * bucket + half, neuron, weight);
    }

    /// A neuron's number in a row.
    pub fn number(&self, row: usize, neuron: usize) -> f32 {
        self.tiles()[neuron / LANES][row].0[neuron % LANES]
    }

    /// Sets a neuron's number in a row.
    pub fn set_number(&mut self, row: usize, neuron: usize, number: f32) {
        self.tiles_mut()[neuron / LANES][row].0[neuron % LANES] = number;
    }
}

/// The row that all king buckets share for the piece of an input; `None` for threats and pawn pairs, which have no
/// king buckets.
#[inline(always)]
pub fn shared_row(input: usize) -> Option<usize> {
    (input < THREAT_ROW).then_some(SHARED_ROW + input % KING_BUCKET_INPUTS)
}

/// The largest size of the numbers in a row.
#[inline(always)]
pub fn limit(row: usize) -> f32 {
    if (THREAT_ROW..ALL_INPUTS).contains(&row) { BYTE_LIMIT } else { WEIGHT_LIMIT }
}
