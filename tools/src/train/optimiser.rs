//! AdamW (Loshchilov and Hutter 2017) with weights kept within the limits of the quantised network.

use super::model::{BIAS_ROW, Model, TILE_ROWS, WEIGHT_LIMIT};
use super::simd::{Isa, LANES, Row, Simd, Work};
use rayon::prelude::*;
use tamarack::eval::network::Shape;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// The usual epsilon: keeps the steps of weights with next to no gradient small.
pub const EPSILON: f64 = 1e-8;
/// Rows that are updated as one piece of work.
const PIECE: usize = 128;

/// What one step of training uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay: each step takes this part, times the learning rate, of every weight.
    pub decay: f32,
    /// What the gradients are multiplied with first; one by the number of positions.
    pub scale: f32,
}

/// The moments of the gradients.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimiser {
    /// Running mean of the gradients.
    pub first: Model,
    /// Running mean of their squares.
    pub second: Model,
    /// Steps done.
    pub steps: u64,
    /// Added to the root of the second moment.
    pub epsilon: f32,
}

impl Optimiser {
    /// Before the first step.
    pub fn new(shape: Shape) -> Optimiser {
        Optimiser { first: Model::zero(shape), second: Model::zero(shape), steps: 0, epsilon: EPSILON as f32 }
    }

    /// One step down the sum of the gradients that the threads found.
    pub fn step(&mut self, isa: Isa, step: Step, gradients: &[Model], model: &mut Model) {
        self.steps += 1;
        let power = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
        let constants = Constants {
            scale: step.scale,
            keep: 1.0 - step.rate * step.decay,
            rate: (f64::from(step.rate) / power(BETA1)) as f32,
            second: (1.0 / power(BETA2)) as f32,
            epsilon: self.epsilon,
        };
        let used = Model::used_rows(model.shape);
        let first = self.first.rows.par_chunks_mut(PIECE);
        let second = self.second.rows.par_chunks_mut(PIECE);
        let weights = model.rows.par_chunks_mut(PIECE);
        weights.zip(first).zip(second).enumerate().for_each(|(piece, ((weights, first), second))| {
            let at = piece * PIECE;
            let in_tile = at % TILE_ROWS;
            let is_last = weights.len() < PIECE;
            if in_tile < used || is_last {
                let gradients = gradients.iter().map(|model| &model.rows[at..]).collect::<Vec<_>>();
                isa.run(Update { constants, in_tile, gradients: &gradients, weights, first, second });
            }
        });
    }
}

#[derive(Clone, Copy)]
struct Constants {
    scale: f32,
    keep: f32,
    rate: f32,
    second: f32,
    epsilon: f32,
}

struct Update<'a> {
    constants: Constants,
    in_tile: usize,
    gradients: &'a [&'a [Row]],
    weights: &'a mut [Row],
    first: &'a mut [Row],
    second: &'a mut [Row],
}

impl Work for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Constants { scale, keep, rate, second, epsilon } = self.constants;
        let [scale, keep, rate, correct] = [scale, keep, -rate, second].map(|value| simd.splat(value));
        let [beta1, rest1, beta2, rest2] =
            [BETA1, 1.0 - BETA1, BETA2, 1.0 - BETA2].map(|value| simd.splat(value));
        let epsilon = simd.splat(epsilon);
        // The offsets of the output, in the row after the last tile, need no limit.
        let is_output_bias = self.weights.len() == 1;
        let limit = if is_output_bias { f32::MAX } else { WEIGHT_LIMIT };
        let (low, high) = (simd.splat(-limit), simd.splat(limit));
        for (index, weights) in self.weights.iter_mut().enumerate() {
            let mut gradient = simd.load(&self.gradients[0][index]);
            for other in &self.gradients[1..] {
                gradient = simd.add(gradient, simd.load(&other[index]));
            }
            gradient = simd.mul(gradient, scale);
            let (m, v) = (&mut self.first[index], &mut self.second[index]);
            let mean = simd.mul_add(simd.load(m), beta1, simd.mul(gradient, rest1));
            let square = simd.mul(gradient, gradient);
            let power = simd.mul_add(simd.load(v), beta2, simd.mul(square, rest2));
            simd.store(mean, m);
            simd.store(power, v);
            let root = simd.add(simd.sqrt(simd.mul(power, correct)), epsilon);
            // Offsets are not pulled towards zero.
            let is_bias = is_output_bias || self.in_tile + index == BIAS_ROW;
            let old = simd.load(weights);
            let kept = if is_bias { old } else { simd.mul(old, keep) };
            let new = simd.mul_add(simd.div(mean, root), rate, kept);
            simd.store(simd.min(simd.max(new, low), high), weights);
        }
    }
}

const _: () = assert!(TILE_ROWS.is_multiple_of(PIECE) && LANES == 16);
