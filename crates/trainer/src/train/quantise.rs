//! From trained floats to the integers of the engine, and back.

use super::model::{ALL_INPUTS, Model, PAWN_PAIR_ROW, THREAT_ROW};
use anyhow::{Context, ensure};
use nnue::architecture::{INPUTS, KING_BUCKET_INPUTS, OUTPUT_UNIT, QA, QB};
use nnue::network::{Network, Parts, Shape};
use std::ops::Range;

/// The engine's network of a trained model. Fails when some sum could overflow the engine's integers, which limited
/// weights make all but impossible.
pub fn quantise(model: &Model, name: &str) -> anyhow::Result<Network> {
    let shape = model.shape;
    let hidden = 0..shape.hidden;
    let first = |value: f32| round(value, i64::from(QA)) as i16;
    let last = |value: f32| round(value, i64::from(QB)) as i16;
    let rows = |inputs: Range<usize>, neurons: usize| -> Vec<i16> {
        inputs.flat_map(|input| (0..neurons).map(move |neuron| first(model.input(input, neuron)))).collect()
    };
    // Inputs whose weights are all zero are left out.
    let bytes = |inputs: Range<usize>| -> Vec<i8> {
        let weights = rows(inputs, shape.extra_hidden());
        let weights: Vec<i8> = weights.into_iter().map(|weight| weight as i8).collect();
        if weights.iter().all(|&weight| weight == 0) { Vec::new() } else { weights }
    };
    let parts = Parts {
        input: rows(0..INPUTS, shape.hidden),
        threats: bytes(THREAT_ROW..PAWN_PAIR_ROW),
        pawn_pairs: bytes(PAWN_PAIR_ROW..ALL_INPUTS),
        input_bias: hidden.clone().map(|neuron| first(model.input_bias(neuron))).collect(),
        output: (0..2 * shape.buckets)
            .flat_map(|row| hidden.clone().map(move |neuron| last(model.output(row / 2, row % 2, neuron))))
            .collect(),
        output_bias: model.output_bias()[..shape.buckets]
            .iter()
            .map(|&bias| round(bias, OUTPUT_UNIT))
            .collect(),
    };
    Network::new(shape, name, &parts).context("the trained weights cannot be made integers")
}

/// A model of `shape` that evaluates as `network` does, to go on training from. Neurons that the network lacks are those
/// of `seed`'s random model with output weights of zero; a network with one bucket serves for all.
pub fn resume_from(network: &Network, shape: Shape, seed: u64) -> anyhow::Result<Model> {
    let old = network.shape();
    ensure!(
        old.hidden <= shape.hidden && (old.buckets == 1 || old.buckets == shape.buckets),
        "a net of {} neurons and {} buckets is no start for one of {} and {}",
        old.hidden,
        old.buckets,
        shape.hidden,
        shape.buckets
    );
    let parts = network.parts();
    let mut model = Model::random(shape, seed);
    let float = |value: i16, unit: i32| f32::from(value) / unit as f32;
    for piece_index in 0..KING_BUCKET_INPUTS {
        for neuron in 0..old.hidden {
            let weight = |king_bucket| {
                parts.input[(king_bucket * KING_BUCKET_INPUTS + piece_index) * old.hidden + neuron]
            };
            model.set_inputs(
                piece_index,
                neuron,
                std::array::from_fn(|king_bucket| float(weight(king_bucket), QA)),
            );
        }
    }
    let threats = (THREAT_ROW..).zip(parts.threats.chunks_exact(old.extra_hidden()));
    let pawn_pairs = (PAWN_PAIR_ROW..).zip(parts.pawn_pairs.chunks_exact(old.extra_hidden()));
    for (row, weights) in threats.chain(pawn_pairs) {
        for (neuron, &weight) in weights.iter().enumerate() {
            model.set_number(row, neuron, float(weight.into(), QA));
        }
    }
    for neuron in 0..old.hidden {
        model.set_input_bias(neuron, float(parts.input_bias[neuron], QA));
    }
    for row in 0..2 * shape.buckets {
        let from = row % (2 * old.buckets) * old.hidden;
        for neuron in 0..shape.hidden {
            let known = (neuron < old.hidden).then(|| float(parts.output[from + neuron], QB));
            model.set_output(row / 2, row % 2, neuron, known.unwrap_or(0.0));
        }
    }
    for bucket in 0..shape.buckets {
        let bias = f64::from(parts.output_bias[bucket % old.buckets]) / OUTPUT_UNIT as f64;
        model.output_bias_mut()[bucket] = bias as f32;
    }
    Ok(model)
}

fn round(value: f32, unit: i64) -> i32 {
    (f64::from(value) * unit as f64).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::features::Target;
    use crate::train::forward::Loss;
    use crate::train::model::InputSets;
    use crate::train::record::{Marks, pack};
    use crate::train::reference::Plain;
    use crate::train::sample::boards;
    use crate::train::simd::Isa;
    use crate::train::trainer::{StepParameters, Trainer};
    use chess::Position;
    use chess::random::Random;
    use nnue::architecture::SCALE;

    #[test]
    fn a_network_is_the_start_of_the_same_or_a_wider_one() {
        let model = Model::random(Shape { hidden: 32, buckets: 1 }, 2);
        let network = quantise(&model, "start").unwrap();
        let same = resume_from(&network, network.shape(), 7).unwrap();
        assert_eq!(quantise(&same, "start").unwrap(), network);
        let wider = resume_from(&network, Shape { hidden: 64, buckets: 8 }, 7).unwrap();
        let wider = quantise(&wider, "wider").unwrap();
        let position: Position = chess::positions::KIWIPETE.parse().unwrap();
        for bucket in 0..8 {
            assert_eq!(wider.evaluate_bucket(&position, bucket), network.evaluate(&position));
        }
        assert!(resume_from(&wider, network.shape(), 7).is_err());
    }

    #[test]
    fn floats_and_integers_give_the_same_evaluation() {
        let shape = Shape { hidden: 64, buckets: 8 };
        let model = Model::random(shape, 2);
        let mut trainer = Trainer::new(model, Loss { power: 2.0 }, Isa::best(), 2);
        trainer.input_sets = InputSets::ALL;
        let target = Target { wdl_weight: 0.0 };
        let records = boards(4096, 3);
        for _ in 0..150 {
            trainer.step(&records, StepParameters { rate: 2e-3, decay: 0.01, target });
        }
        let network = quantise(trainer.model(), "test").unwrap();
        let network = Network::from_bytes(&network.to_bytes()).unwrap();
        let plain = Plain::of(trainer.model());
        let mut random = Random::new(8);
        let mut position = Position::startpos();
        let mut distances = Vec::new();
        for _ in 0..2000 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                position = Position::startpos();
                continue;
            }
            position = position.after(moves[random.below(moves.len())]);
            let float = plain.output(&pack(&position, 0, 1, Marks::default())) * f64::from(SCALE);
            distances.push((float - f64::from(network.evaluate(&position))).abs());
        }
        let worst = distances.iter().fold(0.0, |worst: f64, distance| worst.max(*distance));
        let square = distances.iter().map(|distance| distance * distance).sum::<f64>();
        let typical = (square / distances.len() as f64).sqrt();
        // Models of ten seeds: 0.8 to 1.2 typically, 4.6 to 10.2 at worst.
        assert!(typical < 1.4 && worst < 11.0, "{typical} centipawns, {worst} at worst");
    }
}
