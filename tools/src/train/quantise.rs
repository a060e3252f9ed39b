//! From trained floats to the integers of the engine.

use super::model::Model;
use anyhow::Context;
use tamarack::eval::network::{INPUTS, Network, OUTPUT_UNIT, Parts, QA, QB};

/// The engine's network of a trained model. Fails when some sum could overflow the engine's integers, which limited
/// weights make all but impossible.
pub fn quantise(model: &Model, name: &str) -> anyhow::Result<Network> {
    let shape = model.shape;
    let hidden = 0..shape.hidden;
    let first = |value: f32| round(value, i64::from(QA)) as i16;
    let last = |value: f32| round(value, i64::from(QB)) as i16;
    let parts = Parts {
        input: (0..INPUTS)
            .flat_map(|input| hidden.clone().map(move |neuron| first(model.input(input, neuron))))
            .collect(),
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

fn round(value: f32, unit: i64) -> i32 {
    (f64::from(value) * unit as f64).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::train::features::Target;
    use crate::train::forward::Loss;
    use crate::train::lanes::Level;
    use crate::train::record::{Marks, pack};
    use crate::train::reference::Plain;
    use crate::train::sample::boards;
    use crate::train::trainer::{Pace, Trainer};
    use tamarack::chess::Position;
    use tamarack::eval::network::{SCALE, Shape};

    #[test]
    fn floats_and_integers_give_the_same_evaluation() {
        let shape = Shape { hidden: 64, buckets: 8 };
        let mut trainer = Trainer::new(Model::random(shape, 2), Loss { power: 2.0 }, Level::best(), 2);
        let target = Target { result_share: 0.0 };
        let lessons = boards(4096, 3);
        for _ in 0..150 {
            trainer.step(&lessons, Pace { rate: 2e-3, decay: 0.01, target });
        }
        let network = quantise(&trainer.model, "test").unwrap();
        let network = Network::from_bytes(&network.to_bytes()).unwrap();
        let plain = Plain::of(&trainer.model);
        let mut random = Random::new(8);
        let mut position = Position::startpos();
        let mut worst = 0.0_f64;
        for _ in 0..2000 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                position = Position::startpos();
                continue;
            }
            position = position.after(moves[random.below(moves.len())]);
            let float = plain.output(&pack(&position, 0, 1, Marks::default())) * f64::from(SCALE);
            worst = worst.max((float - f64::from(network.evaluate(&position))).abs());
        }
        assert!(worst < 5.0, "{worst} centipawns");
    }
}
