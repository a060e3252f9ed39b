//! The backward pass: adds the derivative of the loss by every weight to the gradients.
//!
//! For the first layer this is a sum over all active inputs of all positions. Sorted by input, each row of the gradients
//! is touched once a group, and the rows that are summed lie in the first-level cache.

use super::chunk::{CHUNK, Chunk, GROUP, Group, VIEWS};
use super::lanes::{Lanes, Level, Row, Shorts, Work};
use super::model::{BIAS_ROW, Model, OUTPUT_ROW, TILE_ROWS, Tile};
use super::rounded::UNIT;
use tamarack::platform::cpu::prefetch;

/// So many inputs before its turn comes the gradients of one are fetched.
const AHEAD: usize = 8;

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
        let mut deltas = [[Row::ZERO; 2]; VIEWS];
        for (index, (tiles, gradients)) in
            model.tile_pairs().iter().zip(gradients.tile_pairs_mut()).enumerate()
        {
            let activations = &chunk.activations[index * CHUNK..][..chunk.len()];
            for (number, group) in chunk.groups.iter().enumerate() {
                let first = number * GROUP;
                let last = (first + GROUP).min(chunk.len());
                let positions = Positions {
                    activations: &activations[first..last],
                    errors: &chunk.errors[first..last],
                    buckets: &chunk.buckets[first..last],
                };
                output_layer(lanes, tiles, &positions, gradients, &mut deltas);
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
    activations: &'a [[Shorts; 2]],
    errors: &'a [f32],
    buckets: &'a [u8],
}

/// Through the output neuron and the squared clipped rectifier: the gradients of output weights and offsets, and for
/// each view the derivative by the sums of the first layer.
#[inline(always)]
fn output_layer<L: Lanes>(
    lanes: L,
    tiles: &[Tile; 2],
    positions: &Positions,
    gradients: &mut [Tile; 2],
    deltas: &mut [[Row; 2]; VIEWS],
) {
    let one = lanes.splat(f32::from(UNIT));
    let unit = lanes.splat(1.0 / f32::from(UNIT));
    let mut bias = [lanes.load(&gradients[0][BIAS_ROW]), lanes.load(&gradients[1][BIAS_ROW])];
    let pairs = deltas.as_chunks_mut::<2>().0;
    let mut at = 0;
    // Buckets come in runs, and what is summed or used for a whole run stays in registers.
    for run in positions.buckets.chunk_by(|a, b| a == b) {
        let row = OUTPUT_ROW + 2 * usize::from(run[0] % 8);
        let range = at..at + run.len();
        at = range.end;
        for half in 0..2 {
            let weights = [lanes.load(&tiles[0][row + half]), lanes.load(&tiles[1][row + half])];
            let mut sums = [lanes.load(&gradients[0][row + half]), lanes.load(&gradients[1][row + half])];
            let rows = positions.activations[range.clone()].iter().zip(&positions.errors[range.clone()]);
            for ((active, &error), deltas) in rows.zip(&mut pairs[range.clone()]) {
                let error = lanes.mul(lanes.splat(error), unit);
                let twice = lanes.add(error, error);
                let square = lanes.mul(error, unit);
                let x = lanes.floats(lanes.load_shorts(&active[half]));
                for part in 0..2 {
                    let x = x[part];
                    sums[part] = lanes.mul_add(lanes.mul(x, x), square, sums[part]);
                    let slope = lanes.mul(lanes.mul(twice, weights[part]), x);
                    let delta = lanes.keep_below(x, one, slope);
                    bias[part] = lanes.add(bias[part], delta);
                    lanes.store(delta, &mut deltas[half][part]);
                }
            }
            for part in 0..2 {
                lanes.store(sums[part], &mut gradients[part][row + half]);
            }
        }
    }
    for part in 0..2 {
        lanes.store(bias[part], &mut gradients[part][BIAS_ROW]);
    }
}

/// Adds to the rows of each input the derivatives of the views in which it is active.
#[inline(always)]
fn first_layer<L: Lanes>(lanes: L, group: &Group, deltas: &[[Row; 2]; VIEWS], gradients: &mut [Tile; 2]) {
    let load = |view: u8| {
        let [first, second] = &deltas[usize::from(view)];
        [lanes.load(first), lanes.load(second)]
    };
    let add = |a: [L::Vector; 2], b: [L::Vector; 2]| [lanes.add(a[0], b[0]), lanes.add(a[1], b[1])];
    let mut rest = group.views.as_slice();
    let [first, second] = gradients;
    for (number, run) in group.runs.iter().enumerate() {
        if let Some(later) = group.runs.get(number + AHEAD) {
            let input = usize::from(later.input) % TILE_ROWS;
            prefetch(&first[input]);
            prefetch(&second[input]);
        }
        let (views, after) = rest.split_at(usize::from(run.views));
        rest = after;
        let input = usize::from(run.input) % TILE_ROWS;
        let mut sums = [lanes.load(&first[input]), lanes.load(&second[input])];
        // Four at a time, so that few additions wait for the one before.
        let (fours, others) = views.as_chunks::<4>();
        for &[a, b, c, d] in fours {
            sums = add(sums, add(add(load(a), load(b)), add(load(c), load(d))));
        }
        for &view in others {
            sums = add(sums, load(view));
        }
        lanes.store(sums[0], &mut first[input]);
        lanes.store(sums[1], &mut second[input]);
    }
}
