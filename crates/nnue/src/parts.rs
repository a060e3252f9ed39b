//! The weights of a network in plain order, and the proof that no position can overflow the integers of the kernels.

use super::architecture::{
    INPUTS, KING_BUCKET_INPUTS, MAX_PAWN_PAIRS, MAX_THREATS, PAWN_PAIR_INPUTS, Shape, THREAT_INPUTS, screlu,
};
use super::error::NetworkError;

/// The quantised weights and biases of a network in plain order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// First layer: a row of `hidden` weights for each of the [`INPUTS`], 1.0 is [`QA`](super::architecture::QA).
    pub input: Vec<i16>,
    /// First layer: a row of [`extra_hidden`](Shape::extra_hidden) weights for each of the [`THREAT_INPUTS`]; empty if the
    /// network has none.
    pub threats: Vec<i8>,
    /// First layer: a row of [`extra_hidden`](Shape::extra_hidden) weights for each of the [`PAWN_PAIR_INPUTS`]; empty if
    /// the network has none.
    pub pawn_pairs: Vec<i8>,
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
        let extra_hidden = shape.extra_hidden();
        let all_or_none = |weights: &[i8], inputs| if weights.is_empty() { 0 } else { inputs * extra_hidden };
        let threats = all_or_none(&self.threats, THREAT_INPUTS);
        let pawn_pairs = all_or_none(&self.pawn_pairs, PAWN_PAIR_INPUTS);
        for (part, found, expected) in [
            ("input weights", self.input.len(), INPUTS * hidden),
            ("threat weights", self.threats.len(), threats),
            ("pawn pair weights", self.pawn_pairs.len(), pawn_pairs),
            ("input biases", self.input_bias.len(), hidden),
            ("output weights", self.output.len(), buckets * hidden * 2),
            ("output biases", self.output_bias.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Count { part, found, expected });
            }
        }
        // Of the threats at most one is of each square too.
        let threats = largest_sums(&self.threats, extra_hidden, MAX_THREATS);
        let pairs = largest_pair_sums(&self.pawn_pairs, extra_hidden);
        let mut others: Vec<u32> =
            self.input_bias.iter().map(|bias| u32::from(bias.unsigned_abs())).collect();
        for (other, (threats, pairs)) in others.iter_mut().zip(threats.iter().zip(&pairs)) {
            *other += threats + pairs;
        }
        for weights in self.input.chunks_exact(KING_BUCKET_INPUTS * hidden) {
            let pieces = largest_sums(weights, hidden, 32);
            if pieces.iter().zip(&others).any(|(sum, other)| sum + other > i16::MAX as u32) {
                return Err(NetworkError::Overflow { part: "the first layer" });
            }
        }
        for (weights, &bias) in self.output.chunks_exact(2 * hidden).zip(&self.output_bias) {
            check_output(weights, bias)?;
        }
        Ok(())
    }
}

/// For each neuron a bound of the sum of first-layer weights, of which at most one is of each square and at most `count`
/// are active. The squares of a row of inputs follow each other.
fn largest_sums<T: Copy + Into<i16>>(weights: &[T], hidden: usize, count: usize) -> Vec<u32> {
    // For each neuron and square the largest weight of a piece there.
    let mut largest = vec![[0_u16; 64]; hidden];
    for (input, row) in weights.chunks_exact(hidden).enumerate() {
        for (largest, &weight) in largest.iter_mut().zip(row) {
            let here = &mut largest[input % 64];
            *here = weight.into().unsigned_abs().max(*here);
        }
    }
    largest.iter_mut().map(|squares| sum_of_largest(squares, count)).collect()
}

/// For each neuron a bound of the sum of the weights of pawn pairs: that of the largest ones.
fn largest_pair_sums(weights: &[i8], hidden: usize) -> Vec<u32> {
    let sum = |neuron: usize| {
        let column = weights.iter().skip(neuron).step_by(hidden);
        let mut sizes: Vec<u16> = column.map(|weight| u16::from(weight.unsigned_abs())).collect();
        sum_of_largest(&mut sizes, MAX_PAWN_PAIRS)
    };
    (0..hidden).map(sum).collect()
}

/// The sum of the `count` largest numbers, or of all if there are fewer. Changes their order.
fn sum_of_largest(numbers: &mut [u16], count: usize) -> u32 {
    let first = numbers.len().saturating_sub(count);
    if first > 0 {
        numbers.select_nth_unstable(first);
    }
    numbers[first..].iter().map(|&number| u32::from(number)).sum()
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
    use crate::network::sample;

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
        // 32 pieces, 30 threats and 96 pawn pairs at their largest, the bias, and what is left of sixteen bits.
        let full = |parts: &mut Parts, bias| {
            parts.input.fill(466);
            parts.threats.fill(-128);
            parts.pawn_pairs.fill(-128);
            parts.input_bias.fill(bias);
        };
        assert!(!refused(&|parts| full(parts, 1727)));
        assert!(refused(&|parts| full(parts, 1728)));
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
