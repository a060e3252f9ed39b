//! The backward pass: adds the derivative of the loss by every weight to the gradients.
//!
//! For the first layer this is a sum over all active inputs of all positions. Sorted by input, each row of the gradients
//! is touched once a group, and the rows that are summed lie in the first-level cache.

use super::chunk::{CHUNK, Chunk, GROUP, Group, InputRun};
use super::model::{BIAS_ROW, Model, OUTPUT_ROW, TILE_ROWS, Tile};
use super::rounded::UNIT;
use super::simd::{Isa, Row, Shorts, Simd, Work, prefetch_l2};
use platform::cpu::prefetch;

/// The gradients of an input are fetched this many inputs ahead.
const AHEAD: usize = 8;

/// Adds the gradients of a chunk after [`super::forward::forward`] and [`Chunk::group`].
pub fn backward(isa: Isa, model: &Model, chunk: &mut Chunk, gradients: &mut Model) {
    isa.run(Backward { model, chunk, gradients });
}

struct Backward<'a> {
    model: &'a Model,
    chunk: &'a mut Chunk,
    gradients: &'a mut Model,
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Backward { model, chunk, gradients } = self;
        let mut deltas = [[Row::ZERO; 2]; GROUP];
        for (index, (tiles, gradients)) in
            model.tile_pairs().iter().zip(gradients.tile_pairs_mut()).enumerate()
        {
            let activations = &chunk.activations[index * CHUNK..][..chunk.len()];
            let has_extras = Model::has_extras(model.shape, index);
            for (half, groups) in chunk.pieces.groups.iter().enumerate() {
                for (number, group) in groups.iter().enumerate() {
                    let first = number * GROUP;
                    let last = (first + GROUP).min(chunk.len());
                    let positions = Positions {
                        half,
                        activations: &activations[first..last],
                        errors: &chunk.errors[first..last],
                        buckets: &chunk.buckets[first..last],
                    };
                    output_layer(simd, tiles, &positions, &group.runs, gradients, &mut deltas);
                    first_layer(simd, group, &deltas, gradients);
                    if has_extras {
                        first_layer(simd, &chunk.extras.groups[half][number], &deltas, gradients);
                    }
                }
            }
        }
        for (&bucket, &error) in chunk.buckets.iter().zip(&chunk.errors) {
            gradients.output_bias_mut()[usize::from(bucket)] += error;
        }
    }
}

/// The positions of a group, seen from one side.
struct Positions<'a> {
    /// 0: the view of the side to move; 1: of the other.
    half: usize,
    activations: &'a [[Shorts; 2]],
    errors: &'a [f32],
    buckets: &'a [u8],
}

/// Through the output neuron and the squared clipped rectifier: the gradients of output weights and
/// biases, and for each position the derivative by the sums of the first layer. Meanwhile the gradients of `runs` are
/// brought near.
#[inline(always)]
fn output_layer<S: Simd>(
    simd: S,
    tiles: &[Tile; 2],
    positions: &Positions,
    runs: &[InputRun],
    gradients: &mut [Tile; 2],
    deltas: &mut [[Row; 2]; GROUP],
) {
    let one = simd.splat(f32::from(UNIT));
    let unit = simd.splat(1.0 / f32::from(UNIT));
    let mut bias = [simd.load(&gradients[0][BIAS_ROW]), simd.load(&gradients[1][BIAS_ROW])];
    let mut at = 0;
    let mut coming = runs.chunks(2);
    // Buckets come in runs, and what is summed or used for a whole run stays in registers.
    for run in positions.buckets.chunk_by(|a, b| a == b) {
        let row = OUTPUT_ROW + 2 * usize::from(run[0] % 8) + positions.half;
        let range = at..at + run.len();
        at = range.end;
        let weights = [simd.load(&tiles[0][row]), simd.load(&tiles[1][row])];
        let mut sums = [simd.load(&gradients[0][row]), simd.load(&gradients[1][row])];
        let rows = positions.activations[range.clone()].iter().zip(&positions.errors[range.clone()]);
        for ((active, &error), deltas) in rows.zip(&mut deltas[range]) {
            for run in coming.next().unwrap_or_default() {
                let input = usize::from(run.input) % TILE_ROWS;
                prefetch_l2(&gradients[0][input]);
                prefetch_l2(&gradients[1][input]);
            }
            let error = simd.mul(simd.splat(error), unit);
            let twice = simd.add(error, error);
            let square = simd.mul(error, unit);
            let x = simd.floats(simd.load_shorts(&active[positions.half]));
            for part in 0..2 {
                let x = x[part];
                sums[part] = simd.mul_add(simd.mul(x, x), square, sums[part]);
                let slope = simd.mul(simd.mul(twice, weights[part]), x);
                let delta = simd.keep_below(x, one, slope);
                bias[part] = simd.add(bias[part], delta);
                simd.store(delta, &mut deltas[part]);
            }
        }
        for part in 0..2 {
            simd.store(sums[part], &mut gradients[part][row]);
        }
    }
    for part in 0..2 {
        simd.store(bias[part], &mut gradients[part][BIAS_ROW]);
    }
}

/// Adds to the rows of each input the derivatives of the positions in which it is active.
#[inline(always)]
fn first_layer<S: Simd>(simd: S, group: &Group, deltas: &[[Row; 2]; GROUP], gradients: &mut [Tile; 2]) {
    let load = |view: u8| {
        let [first, second] = &deltas[usize::from(view)];
        [simd.load(first), simd.load(second)]
    };
    let add = |a: [S::Vector; 2], b: [S::Vector; 2]| [simd.add(a[0], b[0]), simd.add(a[1], b[1])];
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
        let mut sums = [simd.load(&first[input]), simd.load(&second[input])];
        // Four at a time, so that few additions wait for the one before.
        let (fours, others) = views.as_chunks::<4>();
        for &[a, b, c, d] in fours {
            sums = add(sums, add(add(load(a), load(b)), add(load(c), load(d))));
        }
        for &view in others {
            sums = add(sums, load(view));
        }
        simd.store(sums[0], &mut first[input]);
        simd.store(sums[1], &mut second[input]);
    }
}
