//! The first layer's weights once more in 16 bits. The forward pass adds 38 of their rows for each position; as
//! integers twice as many neurons fit in a register and in the first-level cache.
//!
//! Trained are the floats of [`Model`]: derivatives are those at the rounded weights and applied to the floats
//! (a straight-through estimator), so that small steps add up. Sums of rounded weights are exact.

use super::model::{ALL_INPUTS, BIAS_ROW, Model, TILE_ROWS, Tile, limit, shared_row};
use super::simd::{Isa, SHORTS, Shorts, Simd, Work};
use nnue::network::Shape;
use platform::pages::collect_on_huge_pages;
use rayon::prelude::*;

/// The value of 1 in the rounded weights. Sums stop at -16 and just below 16; those of gen5-128 reach 7.7 on their way, and
/// what counts of them in the end is 0 to 1. The engine's unit is 511, so that its rounding is four times as coarse.
pub const UNIT: i16 = 2048;

/// The rows of thirty-two neurons: weights of inputs and biases, as in the two tiles of the model.
pub type ShortTile = [Shorts; TILE_ROWS];

/// The rounded weights of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Rounded {
    rows: Vec<Shorts>,
}

impl Rounded {
    /// Memory for the weights of models of this shape.
    pub fn new(shape: Shape) -> Rounded {
        let rows = std::iter::repeat_n(Shorts::ZERO, shape.hidden / SHORTS * TILE_ROWS);
        Rounded { rows: collect_on_huge_pages(rows) }
    }

    /// Takes over the weights of the model, as each step of the optimiser does by itself.
    pub fn refresh(&mut self, isa: Isa, model: &Model) {
        let tiles = self.rows.as_chunks_mut::<TILE_ROWS>().0.par_iter_mut();
        tiles.zip(model.tile_pairs()).for_each(|(rounded, tiles)| isa.run(Round { tiles, rounded }));
    }

    /// The tiles, to be changed.
    pub fn tiles_mut(&mut self) -> &mut [ShortTile] {
        self.rows.as_chunks_mut().0
    }

    /// The tiles.
    pub fn tiles(&self) -> &[ShortTile] {
        self.rows.as_chunks().0
    }
}

struct Round<'a> {
    tiles: &'a [Tile; 2],
    rounded: &'a mut ShortTile,
}

impl Work for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (input, rounded) in self.rounded[..ALL_INPUTS].iter_mut().enumerate() {
            simd.store_shorts(round_input(simd, self.tiles, input), rounded);
        }
        simd.store_shorts(round_bias(simd, self.tiles), &mut self.rounded[BIAS_ROW]);
    }
}

/// The weights of an input for the neurons of two tiles, rounded.
#[inline(always)]
pub fn round_input<S: Simd>(simd: S, tiles: &[Tile; 2], input: usize) -> S::Integers {
    simd.round([scaled_input(simd, &tiles[0], input), scaled_input(simd, &tiles[1], input)])
}

#[inline(always)]
fn scaled_input<S: Simd>(simd: S, tile: &Tile, input: usize) -> S::Vector {
    let (low, high) = (simd.splat(-limit(input)), simd.splat(limit(input)));
    let mut weight = simd.load(&tile[input]);
    if let Some(row) = shared_row(input) {
        weight = simd.add(weight, simd.load(&tile[row]));
    }
    simd.mul(simd.min(simd.max(weight, low), high), simd.splat(f32::from(UNIT)))
}

/// The biases of the neurons of two tiles, rounded.
#[inline(always)]
pub fn round_bias<S: Simd>(simd: S, tiles: &[Tile; 2]) -> S::Integers {
    let [first, second] = [simd.load(&tiles[0][BIAS_ROW]), simd.load(&tiles[1][BIAS_ROW])];
    let unit = simd.splat(f32::from(UNIT));
    simd.round([simd.mul(first, unit), simd.mul(second, unit)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue::architecture::KING_BUCKETS;

    #[test]
    fn weights_are_rounded_to_the_nearest_with_every_isa() {
        let shape = Shape { hidden: 64, buckets: 1 };
        let mut model = Model::random(shape, 4);
        // One that rounds up, some that a net from elsewhere may begin with, biases that few nets need.
        for (neuron, weight) in [1.0 - 0.4 / 2048.0, 2.5, -17.0, -1.98].into_iter().enumerate() {
            model.set_inputs(5, neuron, [weight; KING_BUCKETS]);
        }
        for (neuron, bias) in [15.9998, 17.0, -17.0].into_iter().enumerate() {
            model.set_input_bias(neuron, bias);
        }
        for isa in Isa::available() {
            let mut rounded = Rounded::new(shape);
            rounded.refresh(isa, &model);
            let tiles = rounded.tiles();
            assert_eq!(tiles[0][5].0[..4], [2048, 4055, -4055, -4055], "{}", isa.name());
            assert_eq!(tiles[0][BIAS_ROW].0[..3], [32767, 32767, -32768], "{}", isa.name());
            for neuron in 0..shape.hidden {
                let distance = |row: usize, weight: f32| {
                    let found = f32::from(tiles[neuron / SHORTS][row].0[neuron % SHORTS]);
                    (found / f32::from(UNIT) - weight).abs()
                };
                let worst = (0..ALL_INPUTS).map(|input| distance(input, model.input(input, neuron)));
                assert!(worst.fold(0.0, f32::max) <= 0.5 / f32::from(UNIT), "{} {neuron}", isa.name());
                let bias = model.input_bias(neuron).clamp(-16.0, 15.9995);
                assert!(distance(BIAS_ROW, bias) <= 0.5 / f32::from(UNIT), "{} {neuron}", isa.name());
            }
        }
    }
}
