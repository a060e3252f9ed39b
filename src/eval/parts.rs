//! The weights of a network in plain order, and the proof that no position can overflow the integers of the kernels.
//! Standard library only: `build.rs` compiles this file too.

use super::architecture::{INPUTS, KING_BUCKET_INPUTS, Shape, screlu};
use super::error::NetworkError;

/// The quantised weights and biases of a network in plain order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// First layer: a row of `hidden` weights for each of the [`INPUTS`], 1.0 is [`QA`](super::architecture::QA).
    pub input: Vec<i16>,
    /// First layer: `hidden` biases, 1.0 is [`QA`](super::architecture::QA).
    pub input_bias: Vec<i16>,
    /// Output: for each bucket `hidden` weights for the side to move, then `hidden` for the opponent; 1.0 is
    /// [`QB`](super::architecture::QB).
    pub output: Vec<i16>,
    /// Output: one bias a bucket, 1.0 is [`OUTPUT_UNIT`](super::architecture::OUTPUT_UNIT).
    pub output_bias: Vec<i32>,
}

impl Parts {
    /// Checks that each part has the length that `shape` needs ([`NetworkError::Count`]) and that the accumulator of any
    /// position fits sixteen bits and its output 32 ([`NetworkError::Overflow`]).
    pub fn check(&self, shape: Shape) -> Result<(), NetworkError> {
        let Shape { hidden, buckets } = shape;
        for (part, found, expected) in [
            ("input weights", self.input.len(), INPUTS * hidden),
            ("input biases", self.input_bias.len(), hidden),
            ("output weights", self.output.len(), buckets * hidden * 2),
            ("output biases", self.output_bias.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Count { part, found, expected });
            }
        }
        for weights in self.input.chunks_exact(KING_BUCKET_INPUTS * hidden) {
            check_king_bucket(weights, &self.input_bias)?;
        }
        for (weights, &bias) in self.output.chunks_exact(2 * hidden).zip(&self.output_bias) {
            check_output(weights, bias)?;
        }
        Ok(())
    }
}

/// Refuses first-layer weights of one king bucket with which some accumulator could leave sixteen bits.
fn check_king_bucket(weights: &[i16], biases: &[i16]) -> Result<(), NetworkError> {
    // For each neuron and square the largest weight of a piece there.
    let mut largest = vec![[0_u16; 64]; biases.len()];
    for (input, row) in weights.chunks_exact(biases.len()).enumerate() {
        for (largest, weight) in largest.iter_mut().zip(row) {
            let here = &mut largest[input % 64];
            *here = weight.unsigned_abs().max(*here);
        }
    }
    // At most one piece stands on a square, and at most 32 on the board.
    for (largest, bias) in largest.iter_mut().zip(biases) {
        largest.select_nth_unstable(32);
        let total: u32 = largest[32..].iter().map(|&weight| u32::from(weight)).sum();
        if total + u32::from(bias.unsigned_abs()) > i16::MAX as u32 {
            return Err(NetworkError::Overflow { part: "the first layer" });
        }
    }
    Ok(())
}

/// Refuses output weights of one bucket with which some sum could leave 32 bits.
fn check_output(weights: &[i16], bias: i32) -> Result<(), NetworkError> {
    let total = |sign: i64| -> i64 {
        let positive = weights.iter().map(|&weight| (sign * i64::from(weight)).max(0));
        positive.sum::<i64>() * i64::from(screlu(i16::MAX))
    };
    if total(1).max(total(-1)) > i64::from(i32::MAX) || bias.unsigned_abs() > i32::MAX as u32 / 2 {
        return Err(NetworkError::Overflow { part: "the output sum" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::sample;

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let shape = Shape { hidden: 32, buckets: 1 };
        let good = sample(shape, 1).parts();
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = good.clone();
            change(&mut parts);
            matches!(parts.check(shape), Err(NetworkError::Overflow { .. }))
        };
        assert!(refused(&|parts| parts.input.fill(1100)));
        assert!(refused(&|parts| parts.input_bias[5] = i16::MIN));
        assert!(refused(&|parts| parts.output.fill(2000)));
        assert!(refused(&|parts| parts.output.fill(-2000)));
        assert!(refused(&|parts| parts.output_bias[0] = i32::MAX));
        assert!(!refused(&|parts| parts.output[0] = i16::MAX));
    }

    #[test]
    fn missing_numbers_are_refused() {
        let shape = Shape { hidden: 32, buckets: 1 };
        let mut parts = sample(shape, 1).parts();
        parts.output_bias.pop();
        let error = parts.check(shape).unwrap_err().to_string();
        assert_eq!(error, "the network has 0 output biases where its shape needs 1");
    }
}
