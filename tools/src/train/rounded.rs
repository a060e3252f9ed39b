//! The first layer's weights once more in 16 bits. The forward pass adds 38 of their rows for each position; as
//! integers twice as many neurons fit in a register and in the first-level cache.
//!
//! What is trained are the floats of [`Model`]: derivatives are those at the rounded weights and applied to the floats
//! (a straight-through estimator), so that small steps add up. Sums of rounded weights are exact.

use super::lanes::{Lanes, Level, SHORTS, Shorts, Work};
use super::model::{BIAS_ROW, Model, TILE_ROWS, Tile};
use rayon::prelude::*;
use tamarack::eval::network::Shape;

/// What 1 is in the rounded weights. Sums stop at -16 and just below 16; those of gen5-128 reach 7.7 on their way, and
/// what counts of them in the end is 0 to 1. The engine's unit is 255, so that its rounding is eight times as coarse.
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
        Rounded { rows: vec![Shorts::ZERO; shape.hidden / SHORTS * TILE_ROWS] }
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
        let [first, second] = self.tiles;
        let rows = first[..=BIAS_ROW].iter().zip(&second[..=BIAS_ROW]);
        for ((first, second), rounded) in rows.zip(self.rounded) {
            let scaled = [lanes.mul(lanes.load(first), unit), lanes.mul(lanes.load(second), unit)];
            lanes.store_shorts(lanes.round(scaled), rounded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_rounded_to_the_nearest_at_every_level() {
        let shape = Shape { hidden: 64, buckets: 1 };
        let mut model = Model::random(shape, 4);
        // One that rounds up, and some that a net from elsewhere may begin with.
        for (neuron, weight) in [1.0 - 0.4 / 2048.0, 15.9998, 17.0, -17.0, -1.98].into_iter().enumerate() {
            model.set_input(5, neuron, weight);
        }
        for level in Level::available() {
            let mut rounded = Rounded::new(shape);
            rounded.refresh(level, &model);
            assert_eq!(rounded.tiles()[0][5].0[..5], [2048, 32767, 32767, -32768, -4055], "{}", level.name());
            for input in 0..=BIAS_ROW {
                for neuron in 0..shape.hidden {
                    let found = f32::from(rounded.tiles()[neuron / SHORTS][input].0[neuron % SHORTS]);
                    let weight = model.input(input, neuron).clamp(-16.0, 15.9995);
                    let distance = found / f32::from(UNIT) - weight;
                    assert!(distance.abs() <= 0.5 / f32::from(UNIT), "{} {input} {neuron}", level.name());
                }
            }
        }
    }
}
