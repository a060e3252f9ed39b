//! The trainer once more, slow and plain, in 64-bit floats, to test the fast one against.

use super::features::{Pair, Target, push_extras, push_inputs};
use super::model::{ALL_INPUTS, InputSets, Model, THREAT_ROW, TailLayers};
use super::simd::Row;
use bulletformat::ChessBoard;
use nnue::architecture::{L2_SIZE, L3_INPUTS, L3_SIZE};
use nnue::network::Shape;

/// The weights in plain order.
#[derive(Clone)]
pub struct Plain {
    pub shape: Shape,
    pub input: Vec<f64>,
    pub input_bias: Vec<f64>,
    pub output: Vec<f64>,
    pub output_bias: Vec<f64>,
    /// The second layer: for each bucket and half the weights of each neuron.
    pub l2: Vec<f64>,
    /// For each bucket what [`TailLayers`] has.
    pub l2_bias: Vec<f64>,
    pub l3: Vec<f64>,
    pub l3_bias: Vec<f64>,
    pub l4: Vec<f64>,
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
        let small = |rows: fn(&TailLayers) -> &[Row]| -> Vec<f64> {
            model.small.iter().flat_map(rows).flat_map(|row| row.0).map(f64::from).collect()
        };
        Plain {
            shape,
            input: (0..ALL_INPUTS).flat_map(input).collect(),
            input_bias: neurons.clone().map(|neuron| f64::from(model.input_bias(neuron))).collect(),
            output: (0..2 * shape.buckets).flat_map(output).collect(),
            output_bias: model.output_bias()[..shape.buckets].iter().map(|&bias| f64::from(bias)).collect(),
            l2: (0..2 * shape.buckets)
                .flat_map(|view| (0..shape.l2_hidden()).map(move |neuron| (view, neuron)))
                .flat_map(|(view, neuron)| {
                    (0..L2_SIZE).map(move |at| f64::from(model.l2(view / 2, view % 2, neuron, at)))
                })
                .collect(),
            l2_bias: small(|small| std::slice::from_ref(&small.l2_bias)),
            l3: small(|small| small.l3.as_flattened()),
            l3_bias: small(|small| &small.l3_bias),
            l4: small(|small| &small.l4),
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

    fn parts(&mut self) -> [&mut Vec<f64>; 9] {
        let Plain { l2, l2_bias, l3, l3_bias, l4, input, input_bias, output, output_bias, .. } = self;
        [l2, l2_bias, l3, l3_bias, l4, input, input_bias, output, output_bias]
    }

    fn sums(&self, inputs: &[Pair], half: usize) -> Vec<f64> {
        let sum = |neuron| {
            let active = self.places(inputs, half, neuron).map(|place| self.input[place]);
            self.input_bias[neuron] + active.sum::<f64>()
        };
        (0..self.shape.hidden).map(sum).collect()
    }

    /// Where the weights of those inputs lie that a neuron has.
    fn places(&self, inputs: &[Pair], half: usize, neuron: usize) -> impl Iterator<Item = usize> {
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
        let direct: f64 = squares.iter().zip(weights).map(|(square, weight)| square * weight).sum();
        direct + self.output_bias[bucket] + self.layers(bucket, &squares).output
    }

    /// The activations of both views.
    fn squares(&self, inputs: &[Pair]) -> Vec<f64> {
        let sums = (0..2).flat_map(|half| self.sums(inputs, half));
        sums.map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect()
    }

    /// The neurons of both views that the second layer reads.
    fn read_by_l2(&self) -> impl Iterator<Item = usize> {
        let Shape { hidden, .. } = self.shape;
        let read = self.shape.l2_hidden();
        (0..read).chain(hidden..hidden + read)
    }

    /// The layers of a bucket.
    fn layers(&self, bucket: usize, squares: &[f64]) -> Passed {
        let l2: Vec<f64> = (0..L2_SIZE)
            .map(|at| {
                let weights =
                    self.l2[bucket * 2 * self.shape.l2_hidden() * L2_SIZE + at..].iter().step_by(L2_SIZE);
                let read = self.read_by_l2().map(|neuron| squares[neuron]);
                let sum: f64 = read.zip(weights).map(|(square, weight)| square * weight).sum();
                self.l2_bias[bucket * L2_SIZE + at] + sum
            })
            .collect();
        let clipped = l2.iter().map(|sum| sum.clamp(0.0, 1.0));
        let inputs: Vec<f64> = clipped.chain(l2.iter().map(|sum| sum.powi(2).min(1.0))).collect();
        let l3: Vec<f64> = (0..L3_SIZE)
            .map(|at| {
                let weights = self.l3[bucket * L3_INPUTS * L3_SIZE + at..].iter().step_by(L3_SIZE);
                let sum: f64 = inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum();
                self.l3_bias[bucket * L3_SIZE + at] + sum
            })
            .collect();
        let weights = &self.l4[bucket * L3_SIZE..];
        let output = l3.iter().zip(weights).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum();
        Passed { l2, inputs, l3, output }
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
        let by_square = self.add_layer_gradients(bucket, &squares, error, gradients);
        for half in 0..2 {
            for (neuron, x) in self.sums(&inputs, half).into_iter().enumerate() {
                let view = half * hidden + neuron;
                let at = bucket * 2 * hidden + view;
                gradients.output[at] += error * squares[view];
                if x > 0.0 && x < 1.0 {
                    let delta = (error * self.output[at] + by_square[view]) * 2.0 * x;
                    gradients.input_bias[neuron] += delta;
                    for place in self.places(&inputs, half, neuron) {
                        gradients.input[place] += delta;
                    }
                }
            }
        }
    }

    /// The gradients of the layers; returns the derivatives by the activations that come through them.
    fn add_layer_gradients(
        &self,
        bucket: usize,
        squares: &[f64],
        error: f64,
        gradients: &mut Plain,
    ) -> Vec<f64> {
        let Passed { l2, inputs, l3, .. } = self.layers(bucket, squares);
        let mut by_input = vec![0.0; L3_INPUTS];
        for (neuron, sum) in l3.iter().enumerate() {
            let at = bucket * L3_SIZE + neuron;
            gradients.l4[at] += error * sum.clamp(0.0, 1.0);
            if *sum > 0.0 && *sum < 1.0 {
                let delta = error * self.l4[at];
                gradients.l3_bias[at] += delta;
                for (input, by_input) in by_input.iter_mut().enumerate() {
                    let at = (bucket * L3_INPUTS + input) * L3_SIZE + neuron;
                    gradients.l3[at] += delta * inputs[input];
                    *by_input += delta * self.l3[at];
                }
            }
        }
        let mut by_square = vec![0.0; squares.len()];
        for (neuron, &sum) in l2.iter().enumerate() {
            let clipped = if sum > 0.0 && sum < 1.0 { by_input[neuron] } else { 0.0 };
            let squared = if sum.abs() < 1.0 { 2.0 * sum * by_input[L2_SIZE + neuron] } else { 0.0 };
            let delta = clipped + squared;
            gradients.l2_bias[bucket * L2_SIZE + neuron] += delta;
            for (number, read) in self.read_by_l2().enumerate() {
                let at = (2 * bucket * self.shape.l2_hidden() + number) * L2_SIZE + neuron;
                gradients.l2[at] += delta * squares[read];
                by_square[read] += delta * self.l2[at];
            }
        }
        by_square
    }
}

/// What a position gave on its way through the layers.
struct Passed {
    /// Sums of the second layer.
    l2: Vec<f64>,
    /// Inputs of the third.
    inputs: Vec<f64>,
    /// Its sums.
    l3: Vec<f64>,
    output: f64,
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
        model.randomise_layers(seed);
        for row in model.all_rows_mut() {
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
                    [0, 1].map(|shard| Plain::of_gradients(&trainer.gradients()[shard]));
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
        let mut model = Model::random(Shape { hidden: 64, buckets: 8 }, 1);
        model.randomise_layers(1);
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
