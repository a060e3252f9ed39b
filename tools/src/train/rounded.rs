//! The first layer's weights once more in 16 bits. The forward pass adds 38 of their rows for each position; as
//! integers twice as many neurons fit in a register and in the first-level cache.
//!
//! What is trained are the floats of [`Model`]: derivatives are those at the rounded weights and applied to the floats
//! (a straight-through estimator), so that small steps add up. Sums of rounded weights are exact.

use super::lanes::{Lanes, Level, SHORTS, Shorts, Work};
use super::model::{BIAS_ROW, Model, SHARED_ROW, TILE_ROWS, Tile, WEIGHT_LIMIT};
use rayon::prelude::*;
use tamarack::eval::architecture::{INPUTS, KING_BUCKET_INPUTS};
use tamarack::eval::network::Shape;
use tamarack::platform::pages::collect_on_huge_pages;

/// What 1 is in the rounded weights. Sums stop at -16 and just below 16; those of gen5-128 reach 7.7 on their way, and
/// what counts of them in the end is 0 to 1. The engine's unit is 511, so that its rounding is four times as coarse.
pub const UNIT: i16 = 2048;

/// The rows of thirty-two neurons: inputs and offsets, as in the two tiles of the model.
pub type ShortTile = [Shorts; TILE_ROWS];

/// The rounded weights of a model.
pub struct Rounded {
    rows: Vec<Shorts>,
}

impl Rounded {
    /// Memory for the weights of models of this shape.
    pub fn new(shape: Shape) -> Rounded {
        let rows = std::iter::repeat_n(Shorts::ZERO, shape.hidden / SHORTS * TILE_ROWS);
        Rounded { rows: collect_on_huge_pages(rows) }
    }

    /// Takes over the weights of the model; far less work than a step, so it is done before each.
    pub fn refresh(&mut self, level: Level, model: &Model) {
        let tiles = self.rows.as_chunks_mut::<TILE_ROWS>().0.par_iter_mut();
        tiles.zip(model.tile_pairs()).for_each(|(rounded, tiles)| level.run(Round { tiles, rounded }));
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
    fn run<L: Lanes>(self, lanes: L) {
        let unit = lanes.splat(f32::from(UNIT));
        let (low, high) = (lanes.splat(-WEIGHT_LIMIT), lanes.splat(WEIGHT_LIMIT));
        let limited = |weight| lanes.min(lanes.max(weight, low), high);
        let [first, second] = self.tiles;
        for (input, rounded) in self.rounded[..INPUTS].iter_mut().enumerate() {
            let shared = SHARED_ROW + input % KING_BUCKET_INPUTS;
            let a = lanes.add(lanes.load(&first[input]), lanes.load(&first[shared]));
            let b = lanes.add(lanes.load(&second[input]), lanes.load(&second[shared]));
            let scaled = [lanes.mul(limited(a), unit), lanes.mul(limited(b), unit)];
            lanes.store_shorts(lanes.round(scaled), rounded);
        }
        let bias = [lanes.load(&first[BIAS_ROW]), lanes.load(&second[BIAS_ROW])];
        let scaled = [lanes.mul(bias[0], unit), lanes.mul(bias[1], unit)];
        lanes.store_shorts(lanes.round(scaled), &mut self.rounded[BIAS_ROW]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarack::eval::architecture::KING_BUCKETS;

    #[test]
    fn weights_are_rounded_to_the_nearest_at_every_level() {
        let shape = Shape { hidden: 64, buckets: 1 };
        let mut model = Model::random(shape, 4);
        // One that rounds up, some that a net from elsewhere may begin with, offsets that few nets need.
        for (neuron, weight) in [1.0 - 0.4 / 2048.0, 2.5, -17.0, -1.98].into_iter().enumerate() {
            model.set_inputs(5, neuron, [weight; KING_BUCKETS]);
        }
        for (neuron, bias) in [15.9998, 17.0, -17.0].into_iter().enumerate() {
            model.set_input_bias(neuron, bias);
        }
        for level in Level::available() {
            let mut rounded = Rounded::new(shape);
            rounded.refresh(level, &model);
            let tiles = rounded.tiles();
            assert_eq!(tiles[0][5].0[..4], [2048, 4055, -4055, -4055], "{}", level.name());
            assert_eq!(tiles[0][BIAS_ROW].0[..3], [32767, 32767, -32768], "{}", level.name());
            for neuron in 0..shape.hidden {
                let distance = |row: usize, weight: f32| {
                    let found = f32::from(tiles[neuron / SHORTS][row].0[neuron % SHORTS]);
                    (found / f32::from(UNIT) - weight).abs()
                };
                let worst = (0..INPUTS).map(|input| distance(input, model.input(input, neuron)));
                assert!(worst.fold(0.0, f32::max) <= 0.5 / f32::from(UNIT), "{} {neuron}", level.name());
                let bias = model.input_bias(neuron).clamp(-16.0, 15.9995);
                assert!(distance(BIAS_ROW, bias) <= 0.5 / f32::from(UNIT), "{} {neuron}", level.name());
            }
        }
    }
}
