//! AdamW (Loshchilov and Hutter 2017) with weights kept within the limits of the quantised network.
//!
//! Most inputs do not occur in a small batch. Their gradients are zero, yet AdamW moves their weights on by what is left of
//! the moments. These steps are made up for in one go, in closed form, when the input occurs again or after
//! eight steps; only the rate and the bias corrections of the moments are then those of the last step instead of
//! each one's own. An input of each step is updated exactly as without this.

use super::model::{ALL_INPUTS, BIAS_ROW, InputSets, Model, SHARED_ROW, Tile, limit};
use super::rounded::{Rounded, ShortTile, round_bias, round_input};
use super::simd::{Isa, Row, Simd, Work};
use nnue::architecture::{KING_BUCKET_INPUTS, KING_BUCKETS};
use nnue::network::Shape;
use rayon::prelude::*;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// The usual epsilon: keeps the steps of weights with next to no gradient small.
pub const EPSILON: f64 = 1e-8;
/// Steps after which the weights of an input that does not occur are moved on.
const SWEEP: u64 = 8;
/// Rows of each king bucket that are updated before what they share.
const PIECE: usize = 16;

/// What the optimiser is told of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptimiserStep {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay: each step takes this part, times the learning rate, of every weight.
    pub decay: f32,
    /// The factor of the gradients; one by the number of positions.
    pub scale: f32,
    /// The inputs beside the pieces whose weights are trained.
    pub input_sets: InputSets,
}

/// The sum of the gradients of a share of a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct Gradients {
    /// The gradient of each weight.
    pub sums: Model,
    /// For each input true if it occurred; the gradients of the others are zero.
    pub occurs: Vec<bool>,
}

impl Gradients {
    /// Those of no position.
    pub fn zero(shape: Shape) -> Gradients {
        Gradients { sums: Model::zero(shape), occurs: vec![false; ALL_INPUTS] }
    }

    /// Sets all to zero.
    pub fn clear(&mut self) {
        self.sums.clear();
        self.occurs.fill(false);
    }
}

/// The work of a step on the weights of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowWork {
    /// None.
    Leave,
    /// To make up for this number of steps without a gradient, of which this one is the last.
    CatchUp(u8),
    /// To make up for this number of steps without a gradient, and then a step.
    Step(u8),
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
    /// The step that the weights of each input have seen last.
    seen: Vec<u64>,
}

impl Optimiser {
    /// Before the first step.
    pub fn new(shape: Shape) -> Optimiser {
        Optimiser {
            first: Model::zero(shape),
            second: Model::zero(shape),
            steps: 0,
            epsilon: EPSILON as f32,
            seen: vec![0; ALL_INPUTS],
        }
    }

    /// Moments that were read, with the number of steps that they have seen.
    pub fn set_steps(&mut self, steps: u64) {
        self.steps = steps;
        self.seen.fill(steps);
    }

    /// The work of this step on each input; those that occur in no share are moved on now and then, or all of them if
    /// `sweep_all`.
    fn plan(&mut self, gradients: &[Gradients], sweep_all: bool) -> Vec<RowWork> {
        let plan = |(input, seen): (usize, &mut u64)| {
            let missed = self.steps - *seen;
            let occurs = gradients.iter().any(|gradients| gradients.occurs[input]);
            let is_due = sweep_all || (input as u64 + self.steps).is_multiple_of(SWEEP) || missed > SWEEP;
            if occurs {
                *seen = self.steps;
                RowWork::Step((missed - 1) as u8)
            } else if is_due && missed > 0 {
                *seen = self.steps;
                RowWork::CatchUp(missed as u8)
            } else {
                RowWork::Leave
            }
        };
        self.seen.iter_mut().enumerate().map(plan).collect()
    }

    /// One step down the sum of the gradients that the threads found, which are zero afterwards. `rounded` follows the
    /// weights. All that belongs to a tile is done in one pass over the memory of it.
    pub fn step(
        &mut self,
        isa: Isa,
        step: OptimiserStep,
        gradients: &mut [Gradients],
        model: &mut Model,
        rounded: &mut Rounded,
    ) {
        self.steps += 1;
        let plan = self.plan(gradients, false);
        self.follow(isa, step, &plan, gradients, model, rounded);
        gradients.iter_mut().for_each(|gradients| gradients.occurs.fill(false));
    }

    /// Moves on the weights of all inputs that have missed steps; then they are those of the last step.
    pub fn catch_up(&mut self, isa: Isa, step: OptimiserStep, model: &mut Model, rounded: &mut Rounded) {
        let plan = self.plan(&[], true);
        self.follow(isa, step, &plan, &mut [], model, rounded);
    }

    /// Does the planned work on every tile, several at once. Without `gradients` it only makes up for missed steps.
    fn follow(
        &mut self,
        isa: Isa,
        step: OptimiserStep,
        plan: &[RowWork],
        gradients: &mut [Gradients],
        model: &mut Model,
        rounded: &mut Rounded,
    ) {
        let is_step = !gradients.is_empty();
        let power = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
        let constants = Constants {
            scale: step.scale,
            keep: 1.0 - step.rate * step.decay,
            rate: (f64::from(step.rate) / power(BETA1)) as f32,
            second: (1.0 / power(BETA2)) as f32,
            epsilon: self.epsilon,
        };
        if is_step {
            isa.run(UpdateRow {
                constants,
                gradients: gradients.iter_mut().map(|gradients| gradients.sums.last_row_mut()).collect(),
                state: [&mut *model, &mut self.first, &mut self.second].map(Model::last_row_mut),
            });
        }
        let shape = model.shape;
        let (mut sums, occurs): (Vec<_>, Vec<_>) = gradients
            .iter_mut()
            .map(|Gradients { sums, occurs }| (sums.tile_pairs_mut().iter_mut(), &occurs[..]))
            .unzip();
        let missed = Missed::table(constants);
        let states = model.tile_pairs_mut().iter_mut().zip(self.first.tile_pairs_mut());
        let states = states.zip(self.second.tile_pairs_mut()).zip(rounded.tiles_mut());
        let updates: Vec<_> = states
            .enumerate()
            .map(|(index, (((weights, first), second), rounded))| Update {
                constants,
                plan,
                missed: &missed,
                is_step,
                used: Model::used_rows(shape),
                input_sets: if Model::has_extras(shape, index) {
                    step.input_sets
                } else {
                    InputSets::default()
                },
                gradients: sums.iter_mut().filter_map(Iterator::next).zip(occurs.iter().copied()).collect(),
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

/// The factors by which weights and moments shrink in a number of steps without a gradient.
#[derive(Clone, Copy)]
struct Missed {
    /// Of the weights.
    keep: f32,
    /// Of the first moments.
    first: f32,
    /// Of the second moments.
    second: f32,
    /// Of the first moments by the roots of the second ones, which the weights move on by.
    rate: f32,
}

impl Missed {
    /// The factors for every number of steps.
    fn table(constants: Constants) -> [Missed; SWEEP as usize + 2] {
        std::array::from_fn(|steps| {
            let steps = steps as i32;
            // Each step moves by a fraction of the one before.
            let ratio = f64::from(BETA1) / f64::from(BETA2).sqrt();
            let sum = ratio * (1.0 - ratio.powi(steps)) / (1.0 - ratio);
            Missed {
                keep: constants.keep.powi(steps),
                first: BETA1.powi(steps),
                second: BETA2.powi(steps),
                rate: -(f64::from(constants.rate) * sum) as f32,
            }
        })
    }
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

    /// Makes up for steps without a gradient: the weights and moments of `state` move on.
    #[inline(always)]
    fn catch_up(&self, missed: &Missed, state: [&mut Row; 3], limit: f32) {
        let (simd, [weights, first, second]) = (self.simd, state);
        let (mean, power) = (simd.load(first), simd.load(second));
        let root = simd.add(simd.sqrt(simd.mul(power, self.correct)), self.epsilon);
        let kept = simd.mul(simd.load(weights), simd.splat(missed.keep));
        let new = simd.mul_add(simd.div(mean, root), simd.splat(missed.rate), kept);
        simd.store(simd.min(simd.max(new, simd.splat(-limit)), simd.splat(limit)), weights);
        simd.store(simd.mul(mean, simd.splat(missed.first)), first);
        simd.store(simd.mul(power, simd.splat(missed.second)), second);
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
    plan: &'a [RowWork],
    missed: &'a [Missed],
    /// False if missed steps are made up for and no step is done.
    is_step: bool,
    used: usize,
    input_sets: InputSets,
    /// Those of each share, and the inputs that occur in it.
    gradients: Vec<(&'a mut [Tile; 2], &'a [bool])>,
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
                        let row = king_bucket * KING_BUCKET_INPUTS + first + index;
                        if let Some(gradient) = self.update_input(&adam, part, row) {
                            simd.store(simd.add(simd.load(sum), gradient), sum);
                        }
                    }
                }
                if self.is_step {
                    for (index, sum) in sums.iter().enumerate() {
                        self.apply(&adam, part, SHARED_ROW + first + index, simd.load(sum));
                    }
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
        for row in self.input_sets.rows().filter(|&row| self.plan[row] != RowWork::Leave) {
            self.update_input(&adam, 0, row);
            self.update_input(&adam, 1, row);
            simd.store_shorts(round_input(simd, self.state[0], row), &mut self.rounded[row]);
        }
        if !self.is_step {
            return;
        }
        for row in BIAS_ROW..self.used {
            self.update(&adam, 0, row);
            self.update(&adam, 1, row);
        }
        simd.store_shorts(round_bias(simd, self.state[0]), &mut self.rounded[BIAS_ROW]);
    }
}

impl Update<'_> {
    /// Does what is planned with the weights of an input, and returns their gradient if there is one.
    #[inline(always)]
    fn update_input<S: Simd>(&mut self, adam: &Adam<S>, part: usize, row: usize) -> Option<S::Vector> {
        match self.plan[row] {
            RowWork::Leave => None,
            RowWork::CatchUp(missed) => {
                self.catch_up(adam, part, row, missed);
                None
            }
            RowWork::Step(missed) => {
                if missed > 0 {
                    self.catch_up(adam, part, row, missed);
                }
                let mut gradient = adam.simd.splat(0.0);
                for (tiles, occurs) in &mut self.gradients {
                    if occurs[row] {
                        gradient = adam.take(gradient, &mut tiles[part][row]);
                    }
                }
                self.apply(adam, part, row, gradient);
                Some(gradient)
            }
        }
    }

    #[inline(always)]
    fn catch_up<S: Simd>(&mut self, adam: &Adam<S>, part: usize, row: usize, missed: u8) {
        let missed = &self.missed[usize::from(missed)];
        let [weights, first, second] = &mut self.state;
        let state = [&mut weights[part][row], &mut first[part][row], &mut second[part][row]];
        adam.catch_up(missed, state, limit(row));
    }

    /// Updates a row that is no input's by its own gradient.
    #[inline(always)]
    fn update<S: Simd>(&mut self, adam: &Adam<S>, part: usize, row: usize) {
        let mut gradient = adam.simd.splat(0.0);
        for (tiles, _) in &mut self.gradients {
            gradient = adam.take(gradient, &mut tiles[part][row]);
        }
        self.apply(adam, part, row, gradient);
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
    use crate::train::model::{OUTPUT_ROW, THREAT_ROW};
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
                let mut gradients = [Gradients::zero(shape), Gradients::zero(shape)];
                for (row, seen) in rows.iter().zip(&mut seen) {
                    let [a, b] = [0, 1].map(|_| (random.unit() * 1e-3) as f32);
                    for (gradients, number) in gradients.iter_mut().zip([a, b]) {
                        gradients.sums.set_number(*row, 17, number);
                        if let Some(occurs) = gradients.occurs.get_mut(*row) {
                            *occurs = true;
                        }
                    }
                    seen.push(f64::from(a + b) / 2.0);
                }
                let step = OptimiserStep { rate: 0.01, decay: 0.1, scale: 0.5, input_sets: InputSets::ALL };
                optimiser.step(isa, step, &mut gradients, &mut model, &mut rounded);
                assert!(gradients.iter().all(|gradients| *gradients == Gradients::zero(shape)));
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

    #[test]
    fn an_input_that_does_not_occur_for_some_steps_ends_up_where_each_step_would_have_brought_it() {
        let shape = Shape { hidden: 32, buckets: 1 };
        let (often, seldom) = (THREAT_ROW + 3, THREAT_ROW + 4);
        let run = |is_lazy: bool| {
            let mut model = Model::random(shape, 3);
            model.set_number(seldom, 17, 0.1);
            let (mut optimiser, mut rounded) = (Optimiser::new(shape), Rounded::new(shape));
            optimiser.set_steps(2000);
            let step = OptimiserStep { rate: 1e-3, decay: 0.1, scale: 1.0, input_sets: InputSets::ALL };
            for number in 0..60 {
                let mut gradients = [Gradients::zero(shape)];
                gradients[0].occurs[often] = true;
                gradients[0].sums.set_number(often, 17, 1e-3);
                // Twice within a sweep, then after a long time.
                let occurs = [0, 5, 50].contains(&number);
                gradients[0].occurs[seldom] = occurs || !is_lazy;
                gradients[0].sums.set_number(seldom, 17, if occurs { 1e-3 } else { 0.0 });
                optimiser.step(Isa::best(), step, &mut gradients, &mut model, &mut rounded);
            }
            optimiser.catch_up(Isa::best(), step, &mut model, &mut rounded);
            [often, seldom].map(|row| model.number(row, 17))
        };
        let ([often, seldom], [often_lazily, seldom_lazily]) = (run(false), run(true));
        assert_eq!(often, often_lazily);
        let (way, distance) = ((0.1 - seldom).abs(), (seldom - seldom_lazily).abs());
        assert!(way > 0.05 && distance < 0.005 * way, "{seldom_lazily} for {seldom}");
    }
}
