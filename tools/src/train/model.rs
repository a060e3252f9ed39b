//! The weights as they are trained: floats, cut into tiles of sixteen neurons, so that what the kernels need of two
//! tiles stays near the core while a whole chunk of positions passes over it.

use super::lanes::{LANES, Row};
use crate::random::Random;
use tamarack::eval::network::{INPUTS, Shape};

/// Rows of a tile. A power of two above what is used, so that a masked index needs no check.
pub const TILE_ROWS: usize = 1024;
/// The row of the first layer's offsets in a tile; inputs come before.
pub const BIAS_ROW: usize = INPUTS;
/// Where the output weights begin in a tile: for each bucket the side to move's, then the other's.
pub const OUTPUT_ROW: usize = INPUTS + 1;
/// The largest size of a weight; with it no sum of the quantised network comes near its bounds.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// The rows of sixteen neurons.
pub type Tile = [Row; TILE_ROWS];

/// The weights of a network, or anything that has one number for each weight: gradients, moments.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Width and buckets.
    pub shape: Shape,
    /// The tiles one after the other, then one row with the output offsets of the buckets.
    pub rows: Vec<Row>,
}

impl Model {
    /// All zero.
    pub fn zero(shape: Shape) -> Model {
        Model { shape, rows: vec![Row::ZERO; shape.hidden / LANES * TILE_ROWS + 1] }
    }

    /// Small random weights, offsets zero: sums of twenty inputs and the output start within the useful range.
    pub fn random(shape: Shape, seed: u64) -> Model {
        let mut model = Model::zero(shape);
        let mut random = Random::new(seed);
        let mut uniform = |size: f64| ((random.unit() * 2.0 - 1.0) * size) as f32;
        let output_size = (1.0 / (2.0 * shape.hidden as f64)).sqrt();
        for tile in model.tiles_mut() {
            tile[..INPUTS].iter_mut().for_each(|row| row.0.fill_with(|| uniform(0.09)));
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

    /// The tiles two by two: the width of a network is a multiple of 32.
    pub fn tile_pairs(&self) -> &[[Tile; 2]] {
        self.tiles().as_chunks().0
    }

    /// The tiles two by two, to be changed.
    pub fn tile_pairs_mut(&mut self) -> &mut [[Tile; 2]] {
        self.tiles_mut().as_chunks_mut().0
    }

    /// The output offset of each bucket.
    pub fn output_bias(&self) -> &[f32; LANES] {
        &self.rows[self.rows.len() - 1].0
    }

    /// The output offset of each bucket, to be changed.
    pub fn output_bias_mut(&mut self) -> &mut [f32; LANES] {
        let last = self.rows.len() - 1;
        &mut self.rows[last].0
    }

    /// How many rows of a tile mean something.
    pub fn used_rows(shape: Shape) -> usize {
        OUTPUT_ROW + 2 * shape.buckets
    }

    /// How many numbers are trained.
    pub fn parameters(shape: Shape) -> usize {
        Model::used_rows(shape) * shape.hidden + shape.buckets
    }

    /// The weight of an input for a neuron.
    pub fn input(&self, input: usize, neuron: usize) -> f32 {
        self.tiles()[neuron / LANES][input].0[neuron % LANES]
    }

    /// Sets the weight of an input for a neuron.
    pub fn set_input(&mut self, input: usize, neuron: usize, weight: f32) {
        self.tiles_mut()[neuron / LANES][input].0[neuron % LANES] = weight;
    }

    /// Sets the offset of a neuron.
    pub fn set_input_bias(&mut self, neuron: usize, offset: f32) {
        self.set_input(BIAS_ROW, neuron, offset);
    }

    /// Sets an output weight.
    pub fn set_output(&mut self, bucket: usize, half: usize, neuron: usize, weight: f32) {
        self.set_input(OUTPUT_ROW + 2 * bucket + half, neuron, weight);
    }

    /// The offset of a neuron.
    pub fn input_bias(&self, neuron: usize) -> f32 {
        self.input(BIAS_ROW, neuron)
    }

    /// The output weight of a neuron for the side to move (`half` 0) or the other (1).
    pub fn output(&self, bucket: usize, half: usize, neuron: usize) -> f32 {
        self.input(OUTPUT_ROW + 2 * bucket + half, neuron)
    }
}
