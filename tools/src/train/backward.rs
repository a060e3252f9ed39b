//! The backward pass: adds the derivative of the loss by every weight to the gradients.
//!
//! For the first layer this is a sum over all active inputs of all positions. Sorted by input, each row of the gradients
//! is touched once a group, and the rows that are summed lie in the first-level cache.

use super::chunk::{CHUNK, Chunk, GROUP, Group, VIEWS};
use super::lanes::{Lanes, Level, Row, Work};
use super::model::{BIAS_ROW, Model, OUTPUT_ROW, TILE_ROWS, Tile};

/// Adds the gradients of a chunk after [`super::forward::forward`] and [`Chunk::group`].
pub fn backward(level: Level, model: &Model, chunk: &Chunk, gradients: &mut Model) {
    level.run(Backward { model, chunk, gradients });
}

struct Backward<'a> {
    model: &'a Model,
    chunk: &'a Chunk,
    gradients: &'a mut Model,
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Backward { model, chunk, gradients } = self;
        let mut deltas = [Row::ZERO; VIEWS];
        for (index, (tile, gradients)) in model.tiles().iter().zip(gradients.tiles_mut()).enumerate() {
            let activations = &chunk.activations[index * CHUNK..][..chunk.len()];
            for (number, group) in chunk.groups.iter().enumerate() {
                let first = number * GROUP;
                let last = (first + GROUP).min(chunk.len());
                let positions = Positions {
                    activations: &activations[first..last],
                    errors: &chunk.errors[first..last],
                    buckets: &chunk.buckets[first..last],
                };
                output_layer(lanes, tile, &positions, gradients, &mut deltas);
                first_layer(lanes, group, &deltas, gradients);
            }
        }
        for (&bucket, &error) in chunk.buckets.iter().zip(&chunk.errors) {
            gradients.output_bias_mut()[usize::from(bucket)] += error;
        }
    }
}

/// What the way back needs of the positions of a group.
struct Positions<'a> {
    activations: &'a [[Row; 2]],
    errors: &'a [f32],
    buckets: &'a [u8],
}

/// Through the output neuron and the squared clipped rectifier: the gradients of output weights and offsets, and for
/// each view the derivative by the sums of the first layer.
#[inline(always)]
fn output_layer<L: Lanes>(
    lanes: L,
    tile: &Tile,
    positions: &Positions,
    gradients: &mut Tile,
    deltas: &mut [Row; VIEWS],
) {
    let one = lanes.splat(1.0);
    let mut bias = lanes.load(&gradients[BIAS_ROW]);
    let pairs = deltas.as_chunks_mut::<2>().0;
    let mut at = 0;
    // Buckets come in runs, and what is summed or used for a whole run stays in registers.
    for run in positions.buckets.chunk_by(|a, b| a == b) {
        let row = OUTPUT_ROW + 2 * usize::from(run[0] % 8);
        let weights = [lanes.load(&tile[row]), lanes.load(&tile[row + 1])];
        let mut sums = [lanes.load(&gradients[row]), lanes.load(&gradients[row + 1])];
        let range = at..at + run.len();
        at = range.end;
        let rows = positions.activations[range.clone()].iter().zip(&positions.errors[range.clone()]);
        for ((active, &error), deltas) in rows.zip(&mut pairs[range]) {
            let error = lanes.splat(error);
            let twice = lanes.add(error, error);
            for half in 0..2 {
                let x = lanes.load(&active[half]);
                sums[half] = lanes.mul_add(lanes.mul(x, x), error, sums[half]);
                let slope = lanes.mul(lanes.mul(twice, weights[half]), x);
                let delta = lanes.keep_below(x, one, slope);
                bias = lanes.add(bias, delta);
                lanes.store(delta, &mut deltas[half]);
            }
        }
        lanes.store(sums[0], &mut gradients[row]);
        lanes.store(sums[1], &mut gradients[row + 1]);
    }
    lanes.store(bias, &mut gradients[BIAS_ROW]);
}

/// Adds to the row of each input the derivatives of the views in which it is active.
#[inline(always)]
fn first_layer<L: Lanes>(lanes: L, group: &Group, deltas: &[Row; VIEWS], gradients: &mut Tile) {
    let mut rest = group.views.as_slice();
    for run in &group.runs {
        let (views, after) = rest.split_at(usize::from(run.views));
        rest = after;
        let row = &mut gradients[usize::from(run.input) % TILE_ROWS];
        let mut sum = lanes.load(row);
        for &view in views {
            sum = lanes.add(sum, lanes.load(&deltas[usize::from(view)]));
        }
        lanes.store(sum, row);
    }
}
