//! AdamW (Loshchilov and Hutter 2017) with weights kept within the limits of the quantised network.

use super::model::{BIAS_ROW, InputSets, Model, SHARED_ROW, Tile, limit};
use super::rounded::{Rounded, ShortTile, round_bias, round_input};
use super::simd::{Isa, Row, Simd, Work};
use nnue::architecture::{KING_BUCKET_INPUTS, KING_BUCKETS};
use nnue::network::Shape;
use rayon::prelude::*;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// The usual epsilon: keeps the steps of weights with next to no gradient small.
pub const EPSILON: f64 = 1e-8;
/// Rows of each king bucket that are updated before what they share.
const PIECE: usize = 16;

/// The parameters of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay: each step takes this part, times the learning rate, of every weight.
    pub decay: f32,
    /// The factor of the gradients; one by the number of positions.
    pub scale: f32,
    /// The inputs beside the pieces whose weights are trained.
    pub input_sets: InputSets,
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

    /// One step down the sum of the gradients that the threads found, which are zero afterwards. `rounded` follows the
    /// weights. All that belongs to a tile is done in one pass over the memory of it.
    pub fn step(
        &mut self,
        isa: Isa,
        step: Step,
        gradients: &mut [Model],
        model: &mut Model,
        rounded: &mut Rounded,
    ) {
        self.steps += 1;
        let power = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
        let constants = Constants {
            scale: step.scale,
            keep: 1.0 - step.rate * step.decay,
            rate: (f64::from(step.rate) / power(BETA1)) as f32,
            second: (1.0 / power(BETA2)) as f32,
            epsilon: self.epsilon,
        };
        isa.run(UpdateRow {
            constants,
            gradients: gradients.iter_mut().map(Model::last_row_mut).collect(),
            state: [&mut *model, &mut self.first, &mut self.second].map(Model::last_row_mut),
        });
        let shape = model.shape;
        let mut gradients: Vec<_> =
            gradients.iter_mut().map(|gradient| gradient.tile_pairs_mut().iter_mut()).collect();
        let states = model.tile_pairs_mut().iter_mut().zip(self.first.tile_pairs_mut());
        let states = states.zip(self.second.tile_pairs_mut()).zip(rounded.tiles_mut());
        let updates: Vec<_> = states
            .enumerate()
            .map(|(index, (((weights, first), second), rounded))| Update {
                constants,
                used: Model::used_rows(shape),
                input_sets: if Model::has_extras(shape, index) {
                    step.input_sets
                } else {
                    InputSets::default()
                },
                gradients: gradients.iter_mut().filter_map(Iterator::next).collect(),
                state: [weights, first, second],
                rounded,
            })
            .collect();
        updates.into_par_iter().for_each(|update| isa.run(update));
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

/// The constants in registers.
struct Adam<S: Simd> {
    simd: S,
    scale: S::Vector,
    rate: S::Vector,
    correct: S::Vector,
    epsilon: S::Vector,
    beta1: [S::Vector; 2],
    beta2: [S::Vector; 2],
}

impl<S: Simd> Adam<S> {
    #[inline(always)]
    fn new(simd: S, constants: Constants) -> Adam<S> {
        Adam {
            simd,
            scale: simd.splat(constants.scale),
            rate: simd.splat(-constants.rate),
            correct: simd.splat(constants.second),
            epsilon: simd.splat(constants.epsilon),
            beta1: [simd.splat(BETA1), simd.splat(1.0 - BETA1)],
            beta2: [simd.splat(BETA2), simd.splat(1.0 - BETA2)],
        }
    }

    /// Updates weights and moments (`state`) by a gradient: of the weights `keep` stays, and they stay within `limit`.
    #[inline(always)]
    fn update(&self, gradient: S::Vector, state: [&mut Row; 3], keep: f32, limit: f32) {
        let (simd, [weights, first, second]) = (self.simd, state);
        let gradient = simd.mul(gradient, self.scale);
        let square = simd.mul(gradient, gradient);
        let mean = simd.mul_add(simd.load(first), self.beta1[0], simd.mul(gradient, self.beta1[1]));
        let power = simd.mul_add(simd.load(second), self.beta2[0], simd.mul(square, self.beta2[1]));
        simd.store(mean, first);
        simd.store(power, second);
        let root = simd.add(simd.sqrt(simd.mul(power, self.correct)), self.epsilon);
        let kept = simd.mul(simd.load(weights), simd.splat(keep));
        let new = simd.mul_add(simd.div(mean, root), self.rate, kept);
        simd.store(simd.min(simd.max(new, simd.splat(-limit)), simd.splat(limit)), weights);
    }

    /// Adds a thread's gradient to a sum and makes it zero.
    #[inline(always)]
    fn take(&self, sum: S::Vector, gradient: &mut Row) -> S::Vector {
        let sum = self.simd.add(sum, self.simd.load(gradient));
        *gradient = Row::ZERO;
        sum
    }
}

/// Work on the row behind the tiles: biases, which have no limit and are not pulled towards zero.
struct UpdateRow<'a> {
    constants: Constants,
    gradients: Vec<&'a mut Row>,
    state: [&'a mut Row; 3],
}

impl Work for UpdateRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let adam = Adam::new(simd, self.constants);
        let mut gradient = simd.splat(0.0);
        for row in self.gradients {
            gradient = adam.take(gradient, row);
        }
        adam.update(gradient, self.state, 1.0, f32::MAX);
    }
}

/// Work on two tiles.
struct Update<'a> {
    constants: Constants,
    used: usize,
    input_sets: InputSets,
    gradients: Vec<&'a mut [Tile; 2]>,
    state: [&'a mut [Tile; 2]; 3],
    rounded: &'a mut ShortTile,
}

impl Work for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let adam = Adam::new(simd, self.constants);
        for first in (0..KING_BUCKET_INPUTS).step_by(PIECE) {
            for part in 0..2 {
                // The gradient of what king buckets share is the sum of those of their inputs.
                let mut sums = [Row::ZERO; PIECE];
                for king_bucket in 0..KING_BUCKETS {
                    for (index, sum) in sums.iter_mut().enumerate() {
                        let gradient =
                            self.update(&adam, part, king_bucket * KING_BUCKET_INPUTS + first + index);
                        simd.store(simd.add(simd.load(sum), gradient), sum);
                    }
                }
                for (index, sum) in sums.iter().enumerate() {
                    self.apply(&adam, part, SHARED_ROW + first + index, simd.load(sum));
                }
            }
            for king_bucket in 0..KING_BUCKETS {
                for row in
                    king_bucket * KING_BUCKET_INPUTS + first..king_bucket * KING_BUCKET_INPUTS + first + PIECE
                {
                    simd.store_shorts(round_input(simd, self.state[0], row), &mut self.rounded[row]);
                }
            }
        }
        for row in self.input_sets.rows() {
            self.update(&adam, 0, row);
            self.update(&adam, 1, row);
            simd.store_shorts(round_input(simd, self.state[0], row), &mut self.rounded[row]);
        }
        for row in BIAS_ROW..self.used {
            self.update(&adam, 0, row);
            self.update(&adam, 1, row);
        }
        simd.store_shorts(round_bias(simd, self.state[0]), &mut self.rounded[BIAS_ROW]);
    }
}

impl Update<'_> {
    /// Updates a row by its own gradient, which is returned.
    #[inline(always)]
    fn update<S: Simd>(&mut self, adam: &Adam<S>, part: usize, row: usize) -> S::Vector {
        let mut gradient = adam.simd.splat(0.0);
        for tiles in &mut self.gradients {
            gradient = adam.take(gradient, &mut tiles[part][row]);
        }
        self.apply(adam, part, row, gradient);
        gradient
    }

    #[inline(always)]
    fn apply<S: Simd>(&mut self, adam: &Adam<S>, part: usize, row: usize, gradient: S::Vector) {
        let [weights, first, second] = &mut self.state;
        let state = [&mut weights[part][row], &mut first[part][row], &mut second[part][row]];
        // Biases are not pulled towards zero.
        let keep = if row == BIAS_ROW { 1.0 } else { self.constants.keep };
        adam.update(gradient, state, keep, limit(row));
    }
}

const _: () = assert!(KING_BUCKET_INPUTS.is_multiple_of(PIECE));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::model::OUTPUT_ROW;
    use chess::random::Random;

    /// AdamW once more, plainly.
    fn expected(gradients: &[f64], rate: f64, decay: f64, mut weight: f64) -> f64 {
        let (mut first, mut second) = (0.0, 0.0);
        for (step, gradient) in (1..).zip(gradients) {
            first = 0.9 * first + 0.1 * gradient;
            second = 0.999 * second + 0.001 * gradient * gradient;
            let [mean, power] =
                [(first, 0.9_f64), (second, 0.999)].map(|(sum, beta)| sum / (1.0 - beta.powi(step)));
            weight = weight * (1.0 - rate * decay) - rate * mean / (power.sqrt() + 1e-8);
        }
        weight
    }

    #[test]
    fn steps_are_those_of_adamw_and_what_areas_share_moves_by_the_sum() {
        let shape = Shape { hidden: 32, buckets: 2 };
        for isa in Isa::available() {
            let mut model = Model::random(shape, 3);
            let before = model.clone();
            let mut optimiser = Optimiser::new(shape);
            let mut rounded = Rounded::new(shape);
            let mut random = Random::new(7);
            let rows = [0, 767, 768 + 5, BIAS_ROW, OUTPUT_ROW + 3];
            let mut seen = [const { Vec::new() }; 5];
            for _ in 0..5 {
                let mut gradients = [Model::zero(shape), Model::zero(shape)];
                for (row, seen) in rows.iter().zip(&mut seen) {
                    let [a, b] = [0, 1].map(|_| (random.unit() * 1e-3) as f32);
                    gradients[0].set_number(*row, 17, a);
                    gradients[1].set_number(*row, 17, b);
                    seen.push(f64::from(a + b) / 2.0);
                }
                let step = Step { rate: 0.01, decay: 0.1, scale: 0.5, input_sets: InputSets::ALL };
                optimiser.step(isa, step, &mut gradients, &mut model, &mut rounded);
                assert!(gradients.iter().all(|gradients| *gradients == Model::zero(shape)));
            }
            // The piece of row 773 in the first king bucket is that of row 5, whose gradient is zero.
            let shared = [SHARED_ROW, SHARED_ROW + 767, SHARED_ROW + 5];
            for (row, seen) in rows.into_iter().zip(&seen).chain(shared.into_iter().zip(&seen)) {
                let decay = if row == BIAS_ROW { 0.0 } else { 0.1 };
                let expected = expected(seen, 0.01, decay, before.number(row, 17).into());
                let found = f64::from(model.number(row, 17));
                assert!((found - expected).abs() < 1e-5, "{} row {row}: {found} for {expected}", isa.name());
            }
            let mut fresh = Rounded::new(shape);
            fresh.refresh(isa, &model);
            assert!(fresh == rounded);
        }
    }
}
