//! The forward pass: from inputs to the network's outputs, the loss, and its derivative by the outputs.

use super::chunk::{CHUNK, Chunk};
use super::features::sigmoid;
use super::lanes::{Lanes, Level, Row, Work};
use super::model::{BIAS_ROW, Model, OUTPUT_ROW, TILE_ROWS, Tile};

/// What the distance between expected and taught share of the points costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// The distance to the power of this; 2 is the squared error.
    pub power: f32,
}

impl Loss {
    /// The loss, and its derivative by the network's output before the logistic function.
    pub fn of(self, output: f32, target: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let distance = expected - target;
        let slope = expected * (1.0 - expected);
        if self.power == 2.0 {
            return (distance * distance, 2.0 * distance * slope);
        }
        let size = distance.abs();
        let lower = size.powf(self.power - 1.0);
        (lower * size, self.power * lower * distance.signum() * slope)
    }
}

/// Runs the chunk through the network, leaves what the backward pass needs in the chunk, and returns the sum of losses.
pub fn forward(level: Level, model: &Model, loss: Loss, chunk: &mut Chunk) -> f64 {
    chunk.partial.clear();
    chunk.partial.resize(chunk.buckets.len(), Row::ZERO);
    level.run(Forward { model, chunk });
    let mut total = 0.0;
    chunk.errors.clear();
    for ((partial, &bucket), &target) in chunk.partial.iter().zip(&chunk.buckets).zip(&chunk.targets) {
        let output = partial.0[0] + model.output_bias()[usize::from(bucket)];
        let (cost, error) = loss.of(output, target);
        total += f64::from(cost);
        chunk.errors.push(error);
    }
    total
}

/// The network's outputs for the positions of the chunk, in the chunk's order, after [`forward`].
#[cfg(test)]
pub fn outputs(model: &Model, chunk: &Chunk) -> Vec<f32> {
    let output = |(row, &bucket): (&Row, &u8)| row.0[0] + model.output_bias()[usize::from(bucket)];
    chunk.partial.iter().zip(&chunk.buckets).map(output).collect()
}

struct Forward<'a> {
    model: &'a Model,
    chunk: &'a mut Chunk,
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Forward { model, chunk } = self;
        for (index, tile) in model.tiles().iter().enumerate() {
            forward_tile(lanes, tile, index * CHUNK, chunk);
        }
        for row in &mut chunk.partial {
            row.0[0] = lanes.sum(lanes.load(row));
        }
    }
}

/// Sixteen neurons for all positions of the chunk.
#[inline(always)]
fn forward_tile<L: Lanes>(lanes: L, tile: &Tile, first: usize, chunk: &mut Chunk) {
    let bias = lanes.load(&tile[BIAS_ROW]);
    let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
    let activations = &mut chunk.activations[first..][..chunk.buckets.len()];
    let places = chunk.starts.windows(2).zip(&chunk.buckets);
    for (((place, &bucket), activations), partial) in places.zip(activations).zip(&mut chunk.partial) {
        let (mut own, mut other) = (bias, bias);
        for pair in &chunk.pairs[place[0] as usize..place[1] as usize] {
            own = lanes.add(own, lanes.load(&tile[usize::from(pair[0]) % TILE_ROWS]));
            other = lanes.add(other, lanes.load(&tile[usize::from(pair[1]) % TILE_ROWS]));
        }
        own = lanes.min(lanes.max(own, zero), one);
        other = lanes.min(lanes.max(other, zero), one);
        lanes.store(own, &mut activations[0]);
        lanes.store(other, &mut activations[1]);
        let row = OUTPUT_ROW + 2 * usize::from(bucket % 8);
        let sum = lanes.mul_add(lanes.mul(own, own), lanes.load(&tile[row]), lanes.load(partial));
        let sum = lanes.mul_add(lanes.mul(other, other), lanes.load(&tile[row + 1]), sum);
        lanes.store(sum, partial);
    }
}
