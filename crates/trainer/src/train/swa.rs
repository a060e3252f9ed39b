//! The mean of the weights over the last part of a run (stochastic weight averaging, Izmailov and others 2018).

use super::model::Model;
use super::simd::Row;
use nnue::network::Shape;
use rayon::prelude::*;

/// Steps from one snapshot of the weights to the next.
pub const SNAPSHOT_STEPS: u64 = 16;
/// Rows of a piece of work.
const PIECE: usize = 4096;

/// A running mean of weights.
pub struct WeightMean {
    /// The mean; zero before the first snapshot.
    pub model: Model,
    /// Snapshots in it.
    pub count: u64,
}

impl WeightMean {
    /// Without a snapshot.
    pub fn new(shape: Shape) -> WeightMean {
        WeightMean { model: Model::zero(shape), count: 0 }
    }

    /// Takes in a snapshot of the same shape.
    pub fn add(&mut self, model: &Model) {
        self.count += 1;
        let part = 1.0 / self.count as f32;
        let follow = |mean: &mut Row, row: &Row| {
            mean.0.iter_mut().zip(row.0).for_each(|(mean, weight)| *mean += part * (weight - *mean));
        };
        let pieces = self.model.rows.par_chunks_mut(PIECE).zip(model.rows.par_chunks(PIECE));
        pieces.for_each(|(means, rows)| means.iter_mut().zip(rows).for_each(|(mean, row)| follow(mean, row)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_snapshot_counts_the_same() {
        let shape = Shape { hidden: 32, buckets: 1 };
        let mut mean = WeightMean::new(shape);
        for bias in [1.0, 5.0, 9.0] {
            let mut model = Model::zero(shape);
            model.set_input_bias(7, bias);
            mean.add(&model);
        }
        assert_eq!((mean.model.input_bias(7), mean.model.input_bias(8)), (5.0, 0.0));
    }
}
