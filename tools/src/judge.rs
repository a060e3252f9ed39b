//! Tells networks apart without games: how far static evaluations are from what deep searches say of the same positions, or
//! from the scores of records that were not trained on.
//!
//! Such a judge must never be learnt from, and it can err: nets that were taught in the same way it has put into the order of
//! their matches, others not (docs/network.md).

use crate::average::load_networks;
use crate::epd;
use crate::logistic;
use crate::train::data::Source;
use crate::train::filter::Filter;
use crate::train::quantise::resume_from;
use crate::train::simd::Isa;
use crate::train::{Loss, Target, Trainer};
use anyhow::{Context, Result};
use bulletformat::ChessBoard;
use clap::Args;
use std::fs;
use std::path::PathBuf;
use tamarack::chess::Position;
use tamarack::eval::output::normalised;
use tamarack::eval::{Network, default_network};
use tamarack::score::Score;

/// Arguments of `judge`.
#[derive(Args, Clone, Debug)]
pub struct JudgeArguments {
    /// EPD file whose positions have the centipawns of a deep search (`ce`)
    #[arg(long, default_value = "tools/positions/judge.epd")]
    pub positions: PathBuf,
    /// File of records to measure the loss of training with instead
    #[arg(long)]
    pub records: Option<PathBuf>,
    /// The result's share of the target, with --records
    #[arg(long, alias = "result-share", default_value_t = 0.0, requires = "records")]
    pub wdl_weight: f32,
    /// Network files; the one that is built in if none is named
    pub networks: Vec<PathBuf>,
}

/// A position and what a deep search says of it, in centipawns from the side to move's view.
#[derive(Clone, Copy, Debug)]
struct Known {
    position: Position,
    centipawns: f64,
}

/// The job `judge`.
pub fn run(arguments: &JudgeArguments) -> Result<()> {
    let mut networks = load_networks(&arguments.networks)?;
    if networks.is_empty() {
        networks.push(default_network().as_ref().clone());
    }
    if let Some(path) = &arguments.records {
        let boards = Source::open(std::slice::from_ref(path))?.read_all(&Filter::default(), usize::MAX)?;
        let target = Target { wdl_weight: arguments.wdl_weight };
        for network in &networks {
            let (name, records) = (network.name(), boards.len());
            println!("{name}: loss {:.6}, {records} records", loss(network, &boards, target)?);
        }
        return Ok(());
    }
    let path = &arguments.positions;
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let known = load(&text).with_context(|| path.display().to_string())?;
    networks.iter().for_each(|network| show(network, &known));
    Ok(())
}

/// The mean squared difference to the targets of training.
fn loss(network: &Network, boards: &[ChessBoard], target: Target) -> Result<f64> {
    let model = resume_from(network, network.shape(), 1)?;
    let mut trainer = Trainer::new(model, Loss { power: 2.0 }, Isa::best(), rayon::current_num_threads());
    Ok(trainer.measure(boards, target))
}

fn show(network: &Network, known: &[Known]) {
    let (scale, error) = judge(network, known);
    let (name, positions) = (network.name(), known.len());
    println!("{name}: mean squared error {error:.5} with scale {scale:.3}, {positions} positions");
}

fn load(text: &str) -> Result<Vec<Known>> {
    epd::lines(text, |_, line| {
        let score = epd::operations(line).into_iter().find_map(|operation| operation.strip_prefix("ce "));
        let centipawns: i32 = score.context("without ce")?.trim().parse().context("ce is not a number")?;
        Ok(Known { position: epd::position(line)?, centipawns: f64::from(centipawns) })
    })
}

/// What the network says of a position, as a user would see it.
fn evaluation(network: &Network, position: &Position) -> f64 {
    let score = normalised(Score::cp(network.evaluate(position)), position.occupied().count());
    f64::from(score.raw())
}

/// The scale that suits the evaluations best, and their mean squared error with it, as shares of a point.
fn judge(network: &Network, known: &[Known]) -> (f64, f64) {
    let pairs: Vec<(f64, f64)> =
        known.iter().map(|known| (evaluation(network, &known.position), share(known.centipawns))).collect();
    let error = |scale: f64| {
        let squares = pairs.iter().map(|(score, wanted)| (share(scale * score) - wanted).powi(2));
        squares.sum::<f64>() / pairs.len() as f64
    };
    let scale = lowest(&error, 0.05, 6.0);
    (scale, error(scale))
}

/// What of a point centipawns promise.
fn share(centipawns: f64) -> f64 {
    logistic::share(centipawns, 100.0)
}

/// Where a function with one valley is lowest, by thirds.
fn lowest(function: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    while high - low > 1e-4 {
        let third = (high - low) / 3.0;
        if function(low + third) < function(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::record::{Marks, pack};

    #[test]
    fn a_line_needs_a_sound_position_and_a_score() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        assert_eq!(load(&format!("{board} ce -35;\n\n{board} 0 1 id \"x\"; ce 7;")).unwrap().len(), 2);
        for bad in ["", "4k3 w ce 3;", &format!("{board} id 1;"), &format!("{board} ce much;")] {
            assert!(load(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn records_with_the_networks_own_evaluations_cost_nothing() {
        let network = default_network();
        let text = fs::read_to_string("positions/judge.epd").unwrap();
        let boards = |more: i32| -> Vec<ChessBoard> {
            let score = |position: &Position| (network.evaluate(position) + more) as i16;
            let record = |known: &Known| pack(&known.position, score(&known.position), 1, Marks::default());
            load(&text).unwrap().iter().map(record).collect()
        };
        let loss = |more: i32| loss(&network, &boards(more), Target { wdl_weight: 0.0 }).unwrap();
        assert!(loss(0) < 1e-4 && loss(100) > 1e-3, "{} {}", loss(0), loss(100));
    }

    #[test]
    fn the_truth_is_without_error_and_noise_is_not() {
        let network = default_network();
        let judge_with = |noise: f64| {
            let text = fs::read_to_string("positions/judge.epd").unwrap();
            let mut known = load(&text).unwrap();
            for (number, known) in known.iter_mut().enumerate() {
                let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
                known.centipawns = 1.5 * evaluation(&network, &known.position) + sign * noise;
            }
            judge(&network, &known)
        };
        let (scale, error) = judge_with(0.0);
        assert!((scale - 1.5).abs() < 0.01 && error < 1e-6, "{scale} {error}");
        assert!(judge_with(100.0).1 > 0.01);
    }
}
