//! The layers between the first and the output: their part of the forward pass, from the activations of the first layer, and
//! of the backward pass, to the derivatives by the sums of the second layer. Weights and gradients of the second layer itself
//! lie in the tiles; [`super::backward`] goes on with them.

use super::chunk::{CHUNK, Chunk};
use super::model::{Model, TailLayers};
use super::rounded::{Rounded, UNIT};
use super::simd::{LANES, Row, SHORTS, Shorts, Simd};
use nnue::architecture::{L2_SIZE, L3_INPUTS};

/// Positions whose sums are in registers while weights of the second layer pass by.
const BLOCK: usize = 8;

// A row has one number for each neuron of the second layer.
const _: () = assert!(L2_SIZE == LANES && L3_INPUTS == 2 * LANES);

/// Runs the activations of the chunk through the layers, adds their output to the first lane of the partial sums, and
/// leaves the sums of the second layer in the chunk.
#[inline(always)]
pub fn forward<S: Simd>(simd: S, model: &Model, rounded: &Rounded, chunk: &mut Chunk) {
    chunk.l2.clear();
    for &bucket in &chunk.buckets {
        chunk.l2.push(model.small[usize::from(bucket)].l2_bias);
    }
    for index in 0..model.shape.l2_hidden() / SHORTS {
        let activations = &chunk.activations[index * CHUNK..][..chunk.buckets.len()];
        let mut at = 0;
        for run in chunk.buckets.chunk_by(|a, b| a == b) {
            let range = at..at + run.len();
            at = range.end;
            for half in 0..2 {
                let weights = rounded.l2(model.shape, usize::from(run[0]), half);
                let weights = &weights[index * SHORTS..][..SHORTS];
                second_layer(simd, weights, half, &activations[range.clone()], &mut chunk.l2[range.clone()]);
            }
        }
    }
    for ((sums, &bucket), partial) in chunk.l2.iter().zip(&chunk.buckets).zip(&mut chunk.partial) {
        let small = &model.small[usize::from(bucket)];
        let sums = third_layer(simd, small, &l3_inputs(simd, sums));
        let mut total = simd.splat(0.0);
        for (sum, weights) in sums.into_iter().zip(&small.l4) {
            total = simd.mul_add(clip(simd, sum), simd.load(weights), total);
        }
        partial.0[0] += simd.sum(total);
    }
}

/// Adds to the sums of the second layer what thirty-two neurons of a view contribute.
#[inline(always)]
fn second_layer<S: Simd>(
    simd: S,
    weights: &[Row],
    half: usize,
    activations: &[[Shorts; 2]],
    sums: &mut [Row],
) {
    let unit = simd.splat(1.0 / f32::from(UNIT));
    let mut squares = [[Row::ZERO; 2]; BLOCK];
    for (activations, sums) in activations.chunks(BLOCK).zip(sums.chunks_mut(BLOCK)) {
        for (active, squares) in activations.iter().zip(&mut squares) {
            let x = simd.floats(simd.load_shorts(&active[half]));
            for (x, square) in x.into_iter().zip(squares) {
                let x = simd.mul(x, unit);
                simd.store(simd.mul(x, x), square);
            }
        }
        // Of a last block that is not full the rest is computed in vain.
        let mut totals = [simd.splat(0.0); BLOCK];
        for (total, sum) in totals.iter_mut().zip(sums.iter()) {
            *total = simd.load(sum);
        }
        for (neuron, weights) in weights.iter().enumerate() {
            let weights = simd.load(weights);
            for position in 0..BLOCK {
                let square = simd.splat(squares[position][neuron / LANES % 2].0[neuron % LANES]);
                totals[position] = simd.mul_add(square, weights, totals[position]);
            }
        }
        for (total, sum) in totals.into_iter().zip(sums) {
            simd.store(total, sum);
        }
    }
}

/// The inputs of the third layer: the sums of the second clipped to 0 to 1, then their squares, at most 1.
#[inline(always)]
fn l3_inputs<S: Simd>(simd: S, sums: &Row) -> [Row; 2] {
    let sums = simd.load(sums);
    let mut rows = [Row::ZERO; 2];
    simd.store(clip(simd, sums), &mut rows[0]);
    simd.store(simd.min(simd.mul(sums, sums), simd.splat(1.0)), &mut rows[1]);
    rows
}

#[inline(always)]
fn clip<S: Simd>(simd: S, values: S::Vector) -> S::Vector {
    simd.min(simd.max(values, simd.splat(0.0)), simd.splat(1.0))
}

/// The sums of the third layer.
#[inline(always)]
fn third_layer<S: Simd>(simd: S, small: &TailLayers, inputs: &[Row; 2]) -> [S::Vector; 2] {
    let mut sums = [simd.load(&small.l3_bias[0]), simd.load(&small.l3_bias[1])];
    for (input, weights) in small.l3.iter().enumerate() {
        let value = simd.splat(inputs[input / LANES].0[input % LANES]);
        sums[0] = simd.mul_add(value, simd.load(&weights[0]), sums[0]);
        sums[1] = simd.mul_add(value, simd.load(&weights[1]), sums[1]);
    }
    sums
}

/// Adds the gradients of the small layers, after the forward pass; the sums of the second layer become the derivatives by
/// them.
#[inline(always)]
pub fn backward<S: Simd>(simd: S, model: &Model, chunk: &mut Chunk, gradients: &mut Model) {
    for ((sums, &bucket), &error) in chunk.l2.iter_mut().zip(&chunk.buckets).zip(&chunk.errors) {
        let bucket = usize::from(bucket);
        backward_one(simd, &model.small[bucket], sums, error, &mut gradients.small[bucket]);
    }
}

/// The backward pass of one position from the output, by which the loss has the derivative `error`.
#[inline(always)]
fn backward_one<S: Simd>(simd: S, small: &TailLayers, l2: &mut Row, error: f32, gradients: &mut TailLayers) {
    let (zero, one, error) = (simd.splat(0.0), simd.splat(1.0), simd.splat(error));
    let inputs = l3_inputs(simd, l2);
    let sums = third_layer(simd, small, &inputs);
    let mut deltas = [zero; 2];
    for (part, delta) in deltas.iter_mut().enumerate() {
        let (sum, weights) = (sums[part], simd.load(&small.l4[part]));
        add_to(simd, &mut gradients.l4[part], simd.mul(error, clip(simd, sum)));
        *delta = simd.keep_below(sum, one, simd.keep_below(zero, sum, simd.mul(error, weights)));
        add_to(simd, &mut gradients.l3_bias[part], *delta);
    }
    let mut by_input = [0.0_f32; L3_INPUTS];
    for (input, by_input) in by_input.iter_mut().enumerate() {
        let value = simd.splat(inputs[input / LANES].0[input % LANES]);
        let mut sum = zero;
        for (part, &delta) in deltas.iter().enumerate() {
            add_to(simd, &mut gradients.l3[input][part], simd.mul(value, delta));
            sum = simd.mul_add(delta, simd.load(&small.l3[input][part]), sum);
        }
        *by_input = simd.sum(sum);
    }
    for (neuron, sum) in l2.0.iter_mut().enumerate() {
        let clipped = if *sum > 0.0 && *sum < 1.0 { by_input[neuron] } else { 0.0 };
        let squared = if sum.abs() < 1.0 { 2.0 * *sum * by_input[L2_SIZE + neuron] } else { 0.0 };
        *sum = clipped + squared;
        gradients.l2_bias.0[neuron] += *sum;
    }
}

#[inline(always)]
fn add_to<S: Simd>(simd: S, row: &mut Row, more: S::Vector) {
    simd.store(simd.add(simd.load(row), more), row);
}
