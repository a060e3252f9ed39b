//! The forward pass: from inputs to the network's outputs, the loss, and its derivative by the outputs.

use super::chunk::{CHUNK, Chunk, input_at};
use super::features::{InputPair, sigmoid};
use super::model::{BIAS_ROW, Model, OUTPUT_ROW, TILE_ROWS, Tile};
use super::rounded::{Rounded, ShortTile, UNIT};
use super::simd::{Isa, Row, Simd, Work, prefetch_l2};

/// The loss of the distance between predicted and target expected score.
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
        let tiles = rounded.tiles();
        for (index, (tile, output)) in tiles.iter().zip(model.tile_pairs()).enumerate() {
            // One view after the other: their kings stand in different king buckets, and the weights of one king bucket fit in the
            // first-level cache. Meanwhile those that come next are brought near.
            let after = tiles.get(index + 1).unwrap_or(tile);
            for (half, next) in [tile, after].into_iter().enumerate() {
                let weights = Weights { tile, next, output };
                if Model::has_extras(model.shape, index) {
                    forward_half::<S, true>(simd, weights, half, index * CHUNK, chunk);
                } else {
                    forward_half::<S, false>(simd, weights, half, index * CHUNK, chunk);
                }
            }
        }
        let unit = 1.0 / f32::from(UNIT);
        for row in &mut chunk.partial {
            row.0[0] = simd.sum(simd.load(row)) * (unit * unit);
        }
    }
}

/// The weights of thirty-two neurons, and the first layer's that are needed next.
struct Weights<'a> {
    tile: &'a ShortTile,
    next: &'a ShortTile,
    output: &'a [Tile; 2],
}

/// Thirty-two neurons of one view (`half` 0: the side to move's) for all positions of the chunk, which have extra inputs or
/// not.
#[inline(always)]
fn forward_half<S: Simd, const EXTRAS: bool>(
    simd: S,
    weights: Weights,
    half: usize,
    first: usize,
    chunk: &mut Chunk,
) {
    let Weights { tile, next, output } = weights;
    let bias = simd.load_shorts(&tile[BIAS_ROW]);
    let activations = &mut chunk.activations[first..][..chunk.buckets.len()];
    let places = chunk.pieces.positions().zip(chunk.extras.positions()).zip(&chunk.buckets);
    let mut coming = chunk.pieces.listed[1 - half].chunks(2);
    let mut coming_extras = chunk.extras.listed[1 - half].chunks(2);
    for ((((pieces, extras), &bucket), activations), partial) in
        places.zip(activations).zip(&mut chunk.partial)
    {
        for &input in coming.next().unwrap_or_default() {
            prefetch_l2(&next[usize::from(input) % TILE_ROWS]);
        }
        let mut sum = sum_rows(simd, tile, pieces, half, bias);
        if EXTRAS {
            for &input in coming_extras.next().unwrap_or_default() {
                prefetch_l2(&next[usize::from(input) % TILE_ROWS]);
            }
            sum = sum_rows(simd, tile, extras, half, sum);
        }
        let active = simd.clip_shorts(sum, UNIT);
        simd.store_shorts(active, &mut activations[half]);
        let row = OUTPUT_ROW + 2 * usize::from(bucket % 8) + half;
        let mut sum = simd.load(partial);
        for (x, output) in simd.floats(active).into_iter().zip(output) {
            sum = simd.mul_add(simd.mul(x, x), simd.load(&output[row]), sum);
        }
        simd.store(sum, partial);
    }
}

/// A sum and the rows of these inputs of a view.
#[inline(always)]
fn sum_rows<S: Simd>(
    simd: S,
    weights: &ShortTile,
    pairs: &[InputPair],
    half: usize,
    mut sum: S::Integers,
) -> S::Integers {
    for pair in pairs {
        sum = simd.add_shorts(sum, simd.load_shorts(&weights[input_at(pair[half]) % TILE_ROWS]));
    }
    sum
}
