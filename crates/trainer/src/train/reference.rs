//! The trainer once more, slow and plain, in 64-bit floats, to test the fast one against.

use super::features::{InputPair, Target, push_extras, push_inputs};
use super::model::{ALL_INPUTS, InputSets, Model, THREAT_ROW};
use bulletformat::ChessBoard;
use nnue::network::Shape;

/// The weights in plain order.
#[derive(Clone)]
pub struct Plain {
    pub shape: Shape,
    pub input: Vec<f64>,
    pub input_bias: Vec<f64>,
    pub output: Vec<f64>,
    pub output_bias: Vec<f64>,
}

impl Plain {
    pub fn of(model: &Model) -> Plain {
        Plain::with_inputs(model, Model::input)
    }

    /// The gradients by the weights.
    pub fn of_gradients(gradients: &Model) -> Plain {
        Plain::with_inputs(gradients, Model::number)
    }

    fn with_inputs(model: &Model, number: impl Fn(&Model, usize, usize) -> f32 + Copy) -> Plain {
        let shape = model.shape;
        let neurons = 0..shape.hidden;
        let input = |input| neurons.clone().map(move |neuron| f64::from(number(model, input, neuron)));
        let output = |row: usize| {
            (0..shape.hidden).map(move |neuron| f64::from(model.output(row / 2, row % 2, neuron)))
        };
        Plain {
            shape,
            input: (0..ALL_INPUTS).flat_map(input).collect(),
            input_bias: neurons.clone().map(|neuron| f64::from(model.input_bias(neuron))).collect(),
            output: (0..2 * shape.buckets).flat_map(output).collect(),
            output_bias: model.output_bias()[..shape.buckets].iter().map(|&bias| f64::from(bias)).collect(),
        }
    }

    pub fn zero(shape: Shape) -> Plain {
        Plain::of(&Model::zero(shape))
    }

    /// Every number in order.
    pub fn numbers(&mut self) -> Vec<&mut f64> {
        self.parts().into_iter().flatten().collect()
    }

    /// The number at an index of [`Plain::numbers`], without a list of all.
    fn number(&mut self, mut at: usize) -> &mut f64 {
        for part in self.parts() {
            if at < part.len() {
                return &mut part[at];
            }
            at -= part.len();
        }
        panic!("there are fewer numbers");
    }

    fn parts(&mut self) -> [&mut Vec<f64>; 4] {
        let Plain { input, input_bias, output, output_bias, .. } = self;
        [input, input_bias, output, output_bias]
    }

    fn sums(&self, inputs: &[InputPair], half: usize) -> Vec<f64> {
        let sum = |neuron| {
            let active = self.places(inputs, half, neuron).map(|place| self.input[place]);
            self.input_bias[neuron] + active.sum::<f64>()
        };
        (0..self.shape.hidden).map(sum).collect()
    }

    /// Where the weights of those inputs lie that a neuron has.
    fn places(&self, inputs: &[InputPair], half: usize, neuron: usize) -> impl Iterator<Item = usize> {
        let inputs = inputs.iter().map(move |pair| pair[half] as usize);
        let has_extras = neuron < self.shape.extra_hidden();
        inputs
            .filter(move |&input| has_extras || input < THREAT_ROW)
            .map(move |input| input * self.shape.hidden + neuron)
    }

    pub fn output(&self, board: &ChessBoard) -> f64 {
        let mut inputs = Vec::new();
        push_inputs(board, &mut inputs);
        push_extras(board, InputSets::ALL, &mut inputs);
        let bucket = self.shape.bucket(board.occ.count_ones());
        let squares = self.squares(&inputs);
        let weights = &self.output[bucket * squares.len()..];
        let sum: f64 = squares.iter().zip(weights).map(|(square, weight)| square * weight).sum();
        sum + self.output_bias[bucket]
    }

    /// The activations of both views.
    fn squares(&self, inputs: &[InputPair]) -> Vec<f64> {
        let sums = (0..2).flat_map(|half| self.sums(inputs, half));
        sums.map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect()
    }

    /// The sum of losses.
    pub fn loss(&self, boards: &[ChessBoard], target: Target, power: f64) -> f64 {
        let cost = |board: &ChessBoard| {
            (sigmoid(self.output(board)) - f64::from(target.of(board))).abs().powf(power)
        };
        boards.iter().map(cost).sum()
    }

    /// Derivatives of [`Self::loss`].
    pub fn gradients(&self, boards: &[ChessBoard], target: Target, power: f64) -> Plain {
        let mut gradients = Plain::zero(self.shape);
        for board in boards {
            self.add_gradients(board, target, power, &mut gradients);
        }
        gradients
    }

    fn add_gradients(&self, board: &ChessBoard, target: Target, power: f64, gradients: &mut Plain) {
        let hidden = self.shape.hidden;
        let mut inputs = Vec::new();
        push_inputs(board, &mut inputs);
        push_extras(board, InputSets::ALL, &mut inputs);
        let expected = sigmoid(self.output(board));
        let distance = expected - f64::from(target.of(board));
        let error =
            power * distance.abs().powf(power - 1.0) * distance.signum() * expected * (1.0 - expected);
        let bucket = self.shape.bucket(board.occ.count_ones());
        gradients.output_bias[bucket] += error;
        let squares = self.squares(&inputs);
        for half in 0..2 {
            for (neuron, x) in self.sums(&inputs, half).into_iter().enumerate() {
                let view = half * hidden + neuron;
                let at = bucket * 2 * hidden + view;
                gradients.output[at] += error * squares[view];
                if x > 0.0 && x < 1.0 {
                    let delta = error * self.output[at] * 2.0 * x;
                    gradients.input_bias[neuron] += delta;
                    for place in self.places(&inputs, half, neuron) {
                        gradients.input[place] += delta;
                    }
                }
            }
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

mod tests {
    use super::*;
    use crate::train::forward::Loss;
    use crate::train::rounded::UNIT;
    use crate::train::sample::boards;
    use crate::train::simd::Isa;
    use crate::train::trainer::{StepParameters, Trainer};
    use nnue::architecture::SPARSE_EXTRA_NEURONS;

    const TARGET: Target = Target { wdl_weight: 0.3 };

    /// A model in which some sums lie below 0 and some above 1, of weights that the fast trainer need not round.
    fn model(shape: Shape, seed: u64) -> Model {
        let unit = f32::from(UNIT);
        let mut model = Model::random(shape, seed);
        for row in &mut model.rows {
            row.0.iter_mut().for_each(|weight| *weight = (*weight * 3.0 * unit).round() / unit);
        }
        model
    }

    fn close(found: f64, expected: f64, scale: f64) -> bool {
        (found - expected).abs() <= 2e-5 * scale + 1e-4 * expected.abs()
    }

    fn check_finite_differences(power: f64) {
        let shape = Shape { hidden: 32, buckets: 8 };
        let boards = boards(40, 5);
        let mut plain = Plain::of(&model(shape, 11));
        // A sum of weights that are multiples of a unit can lie where the activation has a corner, and no derivative.
        plain.input_bias.iter_mut().for_each(|bias| *bias += 0.3 / f64::from(UNIT));
        let mut gradients = plain.gradients(&boards, TARGET, power);
        let expected: Vec<f64> = gradients.numbers().into_iter().map(|number| *number).collect();
        let count = expected.len();
        let scale = expected.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
        // Most weights belong to inputs that none of the boards has: fewer of those.
        let (zero, other): (Vec<usize>, Vec<usize>) = (0..count).partition(|&at| expected[at] == 0.0);
        let sample = other.into_iter().step_by(97).chain(zero.into_iter().step_by(997));
        for at in sample.chain(count - 8..count) {
            let mut loss_at = |by: f64| {
                *plain.number(at) += by;
                let loss = plain.loss(&boards, TARGET, power);
                *plain.number(at) -= by;
                loss
            };
            let difference = (loss_at(1e-6) - loss_at(-1e-6)) / 2e-6;
            let found = expected[at];
            assert!((difference - found).abs() < 1e-4 * scale, "{at}: {difference} {found}");
        }
    }

    // A test for each power, so that they run at once.
    #[test]
    fn the_reference_agrees_with_finite_differences_of_squares() {
        check_finite_differences(2.0);
    }

    #[test]
    fn the_reference_agrees_with_finite_differences_of_another_power() {
        check_finite_differences(2.5);
    }

    #[test]
    fn the_fast_trainer_agrees_with_the_reference_with_every_isa() {
        for (hidden, buckets, power) in [(32, 8, 2.0), (64, 1, 2.5), (SPARSE_EXTRA_NEURONS + 32, 1, 2.0)] {
            let model = model(Shape { hidden, buckets }, 3);
            let boards = boards(1500, 9);
            let plain = Plain::of(&model);
            let loss = plain.loss(&boards, TARGET, f64::from(power as f32));
            let mut gradients = plain.gradients(&boards, TARGET, power);
            let expected: Vec<f64> = gradients.numbers().into_iter().map(|number| *number).collect();
            let scale = expected.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
            for isa in Isa::available() {
                let mut trainer = Trainer::new(model.clone(), Loss { power: power as f32 }, isa, 2);
                trainer.input_sets = InputSets::ALL;
                let found = trainer.gradients_of(&boards, TARGET);
                assert!(close(found, loss, 1.0), "{}: loss {found} for {loss}", isa.name());
                let [mut first, mut second] =
                    [0, 1].map(|shard| Plain::of_gradients(&trainer.gradients()[shard].sums));
                for (at, (a, b)) in first.numbers().into_iter().zip(second.numbers()).enumerate() {
                    let sum = *a + *b;
                    assert!(
                        close(sum, expected[at], scale),
                        "{} at {at}: {sum} for {}",
                        isa.name(),
                        expected[at]
                    );
                }
            }
        }
    }

    #[test]
    fn a_small_set_is_learned_by_heart() {
        let boards = boards(400, 21);
        let model = Model::random(Shape { hidden: 64, buckets: 8 }, 1);
        let mut trainer = Trainer::new(model, Loss { power: 2.0 }, Isa::best(), 2);
        trainer.input_sets = InputSets::ALL;
        let target = Target { wdl_weight: 0.5 };
        let before = trainer.measure(&boards, target);
        for step in 0..600 {
            let rate = if step < 450 { 5e-3 } else { 5e-4 };
            trainer.step(&boards, StepParameters { rate, decay: 0.0, target });
        }
        let after = trainer.measure(&boards, target);
        assert!(after < 2e-5 && after < before / 500.0, "{before} -> {after}");
    }
}
