//! The weights of a network in plain order, and the proof that no position can overflow the integers of the kernels.

use super::architecture::{
    INPUTS, KING_BUCKET_INPUTS, L2_SIZE, L2_UNIT, L3_INPUTS, L3_SIZE, MAX_PAWN_PAIRS, MAX_THREATS,
    PAWN_PAIR_INPUTS, Shape, THREAT_INPUTS, screlu,
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
    /// The layers between the first and the output; `None` if the network has none.
    pub layers: Option<LayerParts>,
}

/// The quantised weights and biases of the [layers](super::layers) behind the first, one bucket after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerParts {
    /// Second layer: for each of [`l2_hidden`](Shape::l2_hidden) neurons of the side to move, then of the opponent, [`L2_SIZE`]
    /// weights; 1.0 is [`L2_WEIGHT_UNIT`](super::architecture::L2_WEIGHT_UNIT).
    pub l2: Vec<i8>,
    /// Second layer: [`L2_SIZE`] biases, 1.0 is [`L2_UNIT`].
    pub l2_bias: Vec<i32>,
    /// Third layer: for each of [`L3_INPUTS`] inputs [`L3_SIZE`] weights; 1.0 is
    /// [`L3_WEIGHT_UNIT`](super::architecture::L3_WEIGHT_UNIT).
    pub l3: Vec<i16>,
    /// Third layer: [`L3_SIZE`] biases, 1.0 is [`L3_UNIT`](super::architecture::L3_UNIT).
    pub l3_bias: Vec<i32>,
    /// Output: [`L3_SIZE`] weights, 1.0 is [`L4_WEIGHT_UNIT`](super::architecture::L4_WEIGHT_UNIT).
    pub l4: Vec<i16>,
}

impl LayerParts {
    /// All zero.
    pub fn zero(shape: Shape) -> LayerParts {
        let buckets = shape.buckets;
        LayerParts {
            l2: vec![0; buckets * 2 * shape.l2_hidden() * L2_SIZE],
            l2_bias: vec![0; buckets * L2_SIZE],
            l3: vec![0; buckets * L3_INPUTS * L3_SIZE],
            l3_bias: vec![0; buckets * L3_SIZE],
            l4: vec![0; buckets * L3_SIZE],
        }
    }

    /// Checks lengths, and that no sum can leave 32 bits.
    fn check(&self, shape: Shape) -> Result<(), NetworkError> {
        let LayerParts { l2, l2_bias, l3, l3_bias, l4 } = LayerParts::zero(shape);
        check_counts([
            ("weights of the second layer", self.l2.len(), l2.len()),
            ("biases of the second layer", self.l2_bias.len(), l2_bias.len()),
            ("weights of the third layer", self.l3.len(), l3.len()),
            ("biases of the third layer", self.l3_bias.len(), l3_bias.len()),
            ("weights of the fourth layer", self.l4.len(), l4.len()),
        ])?;
        // The second layer's products are too small to matter.
        let l2_limit = i32::MAX as u32 / 2;
        if self.l2_bias.iter().any(|bias| bias.unsigned_abs() > l2_limit) {
            return Err(NetworkError::Overflow { part: "the second layer" });
        }
        let largest = |weights: &mut dyn Iterator<Item = i16>| -> u64 {
            weights.map(|weight| u64::from(weight.unsigned_abs()) * L2_UNIT as u64).sum()
        };
        let weights = self.l3.chunks_exact(L3_INPUTS * L3_SIZE);
        for (weights, biases) in weights.zip(self.l3_bias.chunks_exact(L3_SIZE)) {
            for (neuron, bias) in biases.iter().enumerate() {
                let sum = largest(&mut weights.iter().skip(neuron).step_by(L3_SIZE).copied());
                if sum + u64::from(bias.unsigned_abs()) > i32::MAX as u64 {
                    return Err(NetworkError::Overflow { part: "the third layer" });
                }
            }
        }
        if self
            .l4
            .chunks_exact(L3_SIZE)
            .any(|weights| largest(&mut weights.iter().copied()) > i32::MAX as u64)
        {
            return Err(NetworkError::Overflow { part: "the fourth layer" });
        }
        Ok(())
    }
}

/// Refuses parts whose length is not the expected one: name, found and expected.
fn check_counts<const N: usize>(counts: [(&'static str, usize, usize); N]) -> Result<(), NetworkError> {
    for (part, found, expected) in counts {
        if found != expected {
            return Err(NetworkError::Count { part, found, expected });
        }
    }
    Ok(())
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
        check_counts([
            ("input weights", self.input.len(), INPUTS * hidden),
            ("threat weights", self.threats.len(), threats),
            ("pawn pair weights", self.pawn_pairs.len(), pawn_pairs),
            ("input biases", self.input_bias.len(), hidden),
            ("output weights", self.output.len(), buckets * hidden * 2),
            ("output biases", self.output_bias.len(), buckets),
        ])?;
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
        self.layers.as_ref().map_or(Ok(()), |layers| layers.check(shape))
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
        let layers =
            |change: &dyn Fn(&mut LayerParts)| refused(&|parts| change(parts.layers.as_mut().unwrap()));
        assert!(layers(&|layers| layers.l2_bias[3] = i32::MIN));
        // 32 inputs of 16,320 at most: weights of 4112 fit 32 bits, with a bias of 2,000,000 they do not.
        assert!(!layers(&|layers| (layers.l3.fill(4112), layers.l3_bias.fill(0)).0));
        assert!(layers(&|layers| (layers.l3.fill(-4112), layers.l3_bias.fill(2_000_000)).0));
        assert!(layers(&|layers| layers.l3.fill(4113)));
        assert!(!layers(&|layers| layers.l4.fill(-4112)));
        assert!(layers(&|layers| layers.l4.fill(4113)));
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
