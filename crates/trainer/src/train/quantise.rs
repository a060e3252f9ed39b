//! From trained floats to the integers of the engine, and back.

use super::model::{ALL_INPUTS, Model, PAWN_PAIR_ROW, THREAT_ROW};
use super::simd::{LANES, Row};
use anyhow::{Context, ensure};
use nnue::architecture::{
    INPUTS, KING_BUCKET_INPUTS, L2_SIZE, L2_UNIT, L2_WEIGHT_UNIT, L3_INPUTS, L3_SIZE, L3_UNIT,
    L3_WEIGHT_UNIT, L4_WEIGHT_UNIT, OUTPUT_UNIT, QA, QB,
};
use nnue::network::{LayerParts, Network, Parts, Shape};
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
        layers: model.input_sets().layers.then(|| quantise_layers(model)),
    };
    Network::new(shape, name, &parts).context("the trained weights cannot be made integers")
}

/// The layers between the first and the output as integers.
fn quantise_layers(model: &Model) -> LayerParts {
    let shape = model.shape;
    let mut layers = LayerParts { l2: vec![], l2_bias: vec![], l3: vec![], l3_bias: vec![], l4: vec![] };
    for (bucket, small) in model.small.iter().enumerate() {
        let inputs = (0..2).flat_map(|half| (0..shape.l2_hidden()).map(move |neuron| (half, neuron)));
        layers.l2.extend(inputs.flat_map(|(half, neuron)| {
            (0..L2_SIZE)
                .map(move |output| round(model.l2(bucket, half, neuron, output), L2_WEIGHT_UNIT.into()) as i8)
        }));
        let numbers = |rows: &[Row], unit: i32| -> Vec<i32> {
            rows.iter().flat_map(|row| row.0).map(|number| round(number, unit.into())).collect()
        };
        let shorts = |rows, unit| numbers(rows, unit).into_iter().map(|number| number as i16);
        layers.l2_bias.extend(numbers(&[small.l2_bias], L2_UNIT));
        layers.l3.extend(shorts(small.l3.as_flattened(), L3_WEIGHT_UNIT));
        layers.l3_bias.extend(numbers(&small.l3_bias, L3_UNIT));
        layers.l4.extend(shorts(&small.l4, L4_WEIGHT_UNIT));
    }
    layers
}

/// Gives a model the layers of a network with as many buckets. Neurons that the network lacks keep away from them.
fn resume_layers(model: &mut Model, layers: &LayerParts, old: Shape) {
    let (hidden, old_hidden) = (model.shape.l2_hidden(), old.l2_hidden());
    let float = |value: i32, unit: i32| value as f32 / unit as f32;
    for bucket in 0..model.shape.buckets {
        let from = bucket % old.buckets;
        for (half, neuron) in (0..2).flat_map(|half| (0..hidden).map(move |neuron| (half, neuron))) {
            for output in 0..L2_SIZE {
                let at = ((2 * from + half) * old_hidden + neuron) * L2_SIZE + output;
                let known = (neuron < old_hidden).then(|| layers.l2[at].into());
                model.set_l2(bucket, half, neuron, output, float(known.unwrap_or(0), L2_WEIGHT_UNIT));
            }
        }
        let small = &mut model.small[bucket];
        let set = |rows: &mut [Row], numbers: &[i32], unit: i32| {
            for (row, numbers) in rows.iter_mut().zip(numbers.chunks_exact(LANES)) {
                row.0 = std::array::from_fn(|lane| float(numbers[lane], unit));
            }
        };
        let wide = |shorts: &[i16]| -> Vec<i32> { shorts.iter().map(|&short| short.into()).collect() };
        set(std::slice::from_mut(&mut small.l2_bias), &layers.l2_bias[from * L2_SIZE..][..L2_SIZE], L2_UNIT);
        let l3 = wide(&layers.l3[from * L3_INPUTS * L3_SIZE..][..L3_INPUTS * L3_SIZE]);
        set(small.l3.as_flattened_mut(), &l3, L3_WEIGHT_UNIT);
        set(&mut small.l3_bias, &layers.l3_bias[from * L3_SIZE..][..L3_SIZE], L3_UNIT);
        set(&mut small.l4, &wide(&layers.l4[from * L3_SIZE..][..L3_SIZE]), L4_WEIGHT_UNIT);
    }
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
    if let Some(layers) = &parts.layers {
        resume_layers(&mut model, layers, old);
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
        let mut model = Model::random(Shape { hidden: 32, buckets: 1 }, 2);
        assert!(quantise(&model, "start").unwrap().layer_weights(0).is_none());
        model.randomise_layers(3);
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
        let mut model = Model::random(shape, 2);
        model.randomise_layers(2);
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
