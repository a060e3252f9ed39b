//! The forward pass: from inputs to the network's outputs, the loss, and its derivative by the outputs.

use super::chunk::{CHUNK, Chunk, input_at};
use super::features::sigmoid;
use super::model::{BIAS_ROW, Model, OUTPUT_ROW, TILE_ROWS, Tile};
use super::rounded::{Rounded, ShortTile, UNIT};
use super::simd::{Isa, Row, Simd, Work};

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
/// `rounded` are the weights of the first layer.
pub fn forward(isa: Isa, model: &Model, rounded: &Rounded, loss: Loss, chunk: &mut Chunk) -> f64 {
    chunk.partial.clear();
    chunk.partial.resize(chunk.buckets.len(), Row::ZERO);
    isa.run(Forward { model, rounded, chunk });
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

struct Forward<'a> {
    model: &'a Model,
    rounded: &'a Rounded,
    chunk: &'a mut Chunk,
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Forward { model, rounded, chunk } = self;
        for (index, (weights, output)) in rounded.tiles().iter().zip(model.tile_pairs()).enumerate() {
            forward_tile(simd, weights, output, index * CHUNK, chunk);
        }
        let unit = 1.0 / f32::from(UNIT);
        for row in &mut chunk.partial {
            row.0[0] = simd.sum(simd.load(row)) * (unit * unit);
        }
    }
}

/// Thirty-two neurons for all positions of the chunk.
#[inline(always)]
fn forward_tile<S: Simd>(simd: S, weights: &ShortTile, output: &[Tile; 2], first: usize, chunk: &mut Chunk) {
    let bias = simd.load_shorts(&weights[BIAS_ROW]);
    let activations = &mut chunk.activations[first..][..chunk.buckets.len()];
    let places = chunk.starts.windows(2).zip(&chunk.buckets);
    for (((place, &bucket), activations), partial) in places.zip(activations).zip(&mut chunk.partial) {
        let (mut own, mut other) = (bias, bias);
        for pair in &chunk.offsets[place[0] as usize..place[1] as usize] {
            own = simd.add_shorts(own, simd.load_shorts(&weights[input_at(pair[0]) % TILE_ROWS]));
            other = simd.add_shorts(other, simd.load_shorts(&weights[input_at(pair[1]) % TILE_ROWS]));
        }
        let mut sum = simd.load(partial);
        for (half, active) in [own, other].into_iter().enumerate() {
            let active = simd.clip_shorts(active, UNIT);
            simd.store_shorts(active, &mut activations[half]);
            let row = OUTPUT_ROW + 2 * usize::from(bucket % 8) + half;
            for (x, output) in simd.floats(active).into_iter().zip(output) {
                sum = simd.mul_add(simd.mul(x, x), simd.load(&output[row]), sum);
            }
        }
        simd.store(sum, partial);
    }
}
