//! One training step after the other: the batch is shared out to threads, their gradients are added up.

use super::backward::backward;
use super::chunk::{CHUNK, Chunk};
use super::features::Target;
use super::forward::{Loss, forward};
use super::model::{InputSets, Model};
use super::optimiser::{Gradients, Optimiser, OptimiserStep};
use super::order::KingBucketSort;
use super::rounded::Rounded;
use super::simd::Isa;
use bulletformat::ChessBoard;
use nnue::network::Shape;
use rayon::prelude::*;

/// A network in training and the memory it takes.
pub struct Trainer {
    model: Model,
    /// The moments.
    pub optimiser: Optimiser,
    /// The loss that is made small.
    pub loss: Loss,
    /// The parts that are trained; at first those that the model has. Others count for nothing.
    pub input_sets: InputSets,
    isa: Isa,
    rounded: Rounded,
    /// True if `rounded` has yet to follow a change of the weights from outside.
    is_stale: bool,
    /// True if no gradients have been added since the last step.
    is_clear: bool,
    shards: Vec<Shard>,
    gradients: Vec<Gradients>,
    /// The last step, whose rate missed steps are made up for with.
    last: Option<OptimiserStep>,
}

/// The buffers of a thread for its share of the work.
struct Shard {
    order: KingBucketSort,
    chunk: Chunk,
}

impl Shard {
    fn new(shape: Shape) -> Shard {
        Shard { order: KingBucketSort::default(), chunk: Chunk::new(shape) }
    }
}

/// What the schedule decides of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepParameters {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay.
    pub decay: f32,
    /// The mixture of results and scores.
    pub target: Target,
}

impl Trainer {
    /// Trains `model` with this instruction set. The work is cut into `shards`, one for each thread; with the same number
    /// of them the result is the same to the last bit, whatever the machine does.
    pub fn new(model: Model, loss: Loss, isa: Isa, shards: usize) -> Trainer {
        let shape = model.shape;
        Trainer {
            optimiser: Optimiser::new(shape),
            loss,
            input_sets: model.input_sets(),
            isa,
            rounded: Rounded::new(shape),
            is_stale: true,
            is_clear: true,
            shards: (0..shards.max(1)).map(|_| Shard::new(shape)).collect(),
            gradients: (0..shards.max(1)).map(|_| Gradients::zero(shape)).collect(),
            last: None,
            model,
        }
    }

    /// The weights.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The weights, to be changed.
    pub fn model_mut(&mut self) -> &mut Model {
        self.is_stale = true;
        &mut self.model
    }

    /// One step on a batch of sound records; returns the mean loss before the step.
    pub fn step(&mut self, boards: &[ChessBoard], parameters: StepParameters) -> f64 {
        let total = self.gradients_of(boards, parameters.target);
        let step = OptimiserStep {
            rate: parameters.rate,
            decay: parameters.decay,
            scale: 1.0 / boards.len() as f32,
            input_sets: self.input_sets,
        };
        self.optimiser.step(self.isa, step, &mut self.gradients, &mut self.model, &mut self.rounded);
        self.is_clear = true;
        self.last = Some(step);
        total / boards.len() as f64
    }

    /// Makes up for the steps that weights have missed whose inputs did not occur lately. To be called before the weights are
    /// read.
    pub fn catch_up(&mut self) {
        if let Some(step) = self.last {
            self.optimiser.catch_up(self.isa, step, &mut self.model, &mut self.rounded);
        }
    }

    fn refresh(&mut self) {
        if self.is_stale {
            self.rounded.refresh(self.isa, &self.model);
            self.is_stale = false;
        }
    }

    /// The sum of losses; the gradients of each shard are left in place.
    pub(super) fn gradients_of(&mut self, boards: &[ChessBoard], target: Target) -> f64 {
        self.refresh();
        if !self.is_clear {
            self.gradients.iter_mut().for_each(Gradients::clear);
        }
        self.is_clear = false;
        let (isa, loss, input_sets) = (self.isa, self.loss, self.input_sets);
        let (model, rounded) = (&self.model, &self.rounded);
        let share = boards.len().div_ceil(self.shards.len());
        let shards = self.shards.par_iter_mut().zip(&mut self.gradients).enumerate();
        shards
            .map(|(number, (Shard { order, chunk }, gradients))| {
                let first = (number * share).min(boards.len());
                let last = (first + share).min(boards.len());
                let mut total = 0.0;
                for piece in order.sort(&boards[first..last]).chunks(CHUNK) {
                    chunk.fill(piece, target, input_sets);
                    total += forward(isa, model, rounded, loss, chunk);
                    chunk.group();
                    backward(isa, model, chunk, &mut gradients.sums);
                    chunk.mark_inputs(&mut gradients.occurs);
                }
                total
            })
            .collect::<Vec<f64>>()
            .iter()
            .sum()
    }

    /// The gradients that [`Self::gradients_of`] left, shard by shard.
    #[cfg(test)]
    pub(super) fn gradients(&self) -> &[Gradients] {
        &self.gradients
    }

    /// The mean loss on records that are not trained on.
    pub fn measure(&mut self, boards: &[ChessBoard], target: Target) -> f64 {
        self.refresh();
        let (isa, loss, input_sets) = (self.isa, self.loss, self.input_sets);
        let (model, rounded) = (&self.model, &self.rounded);
        let share = boards.len().div_ceil(self.shards.len()).max(1);
        let totals: Vec<f64> = self
            .shards
            .par_iter_mut()
            .zip(boards.par_chunks(share))
            .map(|(Shard { order, chunk }, boards)| {
                let pieces = order.sort(boards).chunks(CHUNK).map(|piece| {
                    chunk.fill(piece, target, input_sets);
                    forward(isa, model, rounded, loss, chunk)
                });
                pieces.sum()
            })
            .collect();
        totals.iter().sum::<f64>() / boards.len().max(1) as f64
    }
}
