//! The measures of a static evaluation against known expected scores.

use super::labelled::Labelled;
use super::statistics::{mean, minimise, paired_difference, rank_correlation, rank_difference};
use arena::logistic;
use chess::Position;
use clap::ValueEnum;
use nnue::{Accumulators, Network};
use std::sync::Arc;
use tamarack::eval::evaluate;

/// The minimum and maximum number of pieces of each group.
pub const GROUPS: [(u32, u32); 5] = [(2, 8), (9, 14), (15, 20), (21, 26), (27, 32)];

/// A figure that is taken of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Mean squared difference to the expected score, all positions.
    Error,
    /// The same where the true expected score is within .25 of one half.
    BalancedError,
    /// Rank correlation with the truth among these.
    BalancedRank,
    /// Mean distance from one half where the truth is within .05 of it.
    DrawBias,
    /// Mean squared difference of a group of [`GROUPS`].
    GroupError(usize),
}

impl Measure {
    /// All measures in the order of the table.
    pub fn all() -> impl Iterator<Item = Measure> {
        let first = [Self::Error, Self::BalancedError, Self::BalancedRank, Self::DrawBias];
        first.into_iter().chain((0..GROUPS.len()).map(Self::GroupError))
    }

    /// True for the positions that it is taken of.
    pub fn includes(self, labelled: &Labelled) -> bool {
        let from_half = (labelled.expected - 0.5).abs();
        match self {
            Self::Error => true,
            Self::BalancedError | Self::BalancedRank => from_half < 0.25,
            // Thousandths that are exact in the file are not as binary fractions.
            Self::DrawBias => from_half <= 0.05 + 1e-9,
            Self::GroupError(group) => {
                let (fewest, most) = GROUPS[group];
                (fewest..=most).contains(&labelled.position.occupied().count())
            }
        }
    }
}

/// A value, or the difference of two, and its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// The expected scores that a network gives the positions, by the logistic curve that suits it best.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Centipawns of the network that make the odds e to one.
    pub scale: f64,
    /// The expected score of each position, 0 to 1.
    pub expected: Vec<f64>,
}

/// The form of a static evaluation that is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Eval {
    /// Centipawns as users see them: less as the fifty-move limit comes nearer, and 100 where half of the games are won
    Shown,
    /// The network's own output
    Raw,
}

/// The static evaluations of a network in centipawns, from the side to move's view.
pub fn static_evals<'p>(
    network: &Arc<Network>,
    eval: Eval,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Vec<f64> {
    let mut accumulators = Accumulators::new(network.clone());
    let mut of = |position: &Position| {
        accumulators.reset();
        match eval {
            Eval::Shown => {
                let score = evaluate(&mut accumulators, position);
                f64::from(score.normalised(position.occupied().count()).raw())
            }
            Eval::Raw => f64::from(accumulators.evaluate(position)),
        }
    };
    positions.into_iter().map(&mut of).collect()
}

impl Judgement {
    /// The judgement of a network.
    pub fn of(network: &Arc<Network>, eval: Eval, labelled: &[Labelled]) -> Self {
        let evals = static_evals(network, eval, labelled.iter().map(|labelled| &labelled.position));
        Self::of_evals(&evals, labelled)
    }

    /// The judgement of static evaluations in centipawns, one for each position.
    pub fn of_evals(evals: &[f64], labelled: &[Labelled]) -> Self {
        let error = |scale: f64| {
            let squares = evals.iter().zip(labelled);
            squares
                .map(|(&eval, labelled)| (logistic::sigmoid(eval, scale) - labelled.expected).powi(2))
                .sum::<f64>()
        };
        let scale = minimise(&error, 1.0, 2000.0);
        Self { scale, expected: evals.iter().map(|&eval| logistic::sigmoid(eval, scale)).collect() }
    }

    /// The expected scores and the true ones of the positions that a measure includes.
    fn included(&self, measure: Measure, labelled: &[Labelled]) -> (Vec<f64>, Vec<f64>) {
        let pairs = self.expected.iter().zip(labelled).filter(|(_, labelled)| measure.includes(labelled));
        pairs.map(|(&expected, labelled)| (expected, labelled.expected)).unzip()
    }

    /// The number of each included position whose mean the measure is; for the rank correlation the expected scores.
    fn numbers(&self, measure: Measure, labelled: &[Labelled]) -> Vec<f64> {
        let (expected, truth) = self.included(measure, labelled);
        match measure {
            Measure::BalancedRank => expected,
            Measure::DrawBias => expected.iter().map(|expected| (expected - 0.5).abs()).collect(),
            _ => expected.iter().zip(truth).map(|(expected, truth)| (expected - truth).powi(2)).collect(),
        }
    }

    /// The value of a measure; NaN where it includes no position.
    pub fn value(&self, measure: Measure, labelled: &[Labelled]) -> f64 {
        match measure {
            Measure::BalancedRank => {
                let (expected, truth) = self.included(measure, labelled);
                rank_correlation(&expected, &truth)
            }
            _ => mean(&self.numbers(measure, labelled)),
        }
    }

    /// The value of a measure less that of another judgement of the same positions, with the standard error of the paired
    /// difference. The scales count as given.
    pub fn difference(&self, other: &Self, measure: Measure, labelled: &[Labelled]) -> Difference {
        let (ours, theirs) = (self.numbers(measure, labelled), other.numbers(measure, labelled));
        let (value, error) = match measure {
            Measure::BalancedRank => rank_difference(&ours, &theirs, &self.included(measure, labelled).1),
            _ => paired_difference(&ours, &theirs),
        };
        Difference { value, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::labelled::{LabelledPositions, neutral};
    use tamarack::eval::default_network;

    #[test]
    fn each_position_is_in_one_group_of_pieces() {
        let Some(LabelledPositions { labelled, .. }) = neutral() else { return };
        let count = |measure: Measure| labelled.iter().filter(|labelled| measure.includes(labelled)).count();
        let groups: Vec<usize> = (0..GROUPS.len()).map(|group| count(Measure::GroupError(group))).collect();
        assert_eq!(groups, [339, 553, 668, 782, 607]);
        assert_eq!(groups.iter().sum::<usize>(), count(Measure::Error));
    }

    #[test]
    fn balance_has_sharp_bounds() {
        let position = Position::startpos();
        let included = |measure: Measure| -> Vec<f64> {
            let values = [0.249, 0.25, 0.251, 0.449, 0.45, 0.5, 0.55, 0.551, 0.749, 0.75];
            values
                .into_iter()
                .filter(|&expected| measure.includes(&Labelled { position, expected }))
                .collect()
        };
        assert_eq!(included(Measure::DrawBias), [0.45, 0.5, 0.55]);
        let balanced = [0.251, 0.449, 0.45, 0.5, 0.55, 0.551, 0.749];
        assert_eq!(included(Measure::BalancedError), balanced);
        assert_eq!(included(Measure::BalancedRank), balanced);
    }

    #[test]
    fn a_network_does_not_differ_from_itself() {
        let Some(LabelledPositions { labelled, .. }) = neutral() else { return };
        let [one, other] = [(); 2].map(|()| Judgement::of(&default_network(), Eval::Shown, &labelled));
        for measure in Measure::all() {
            assert_eq!(one.difference(&other, measure, &labelled), Difference { value: 0.0, error: 0.0 });
        }
    }

    #[test]
    fn the_truth_has_no_error_and_its_scale_is_found() {
        let Some(LabelledPositions { labelled, .. }) = neutral() else { return };
        let logit = |expected: f64| -> f64 {
            let inside = expected.clamp(1e-6, 1.0 - 1e-6);
            80.0 * (inside / (1.0 - inside)).ln()
        };
        let evals: Vec<f64> = labelled.iter().map(|labelled| logit(labelled.expected)).collect();
        let truth = Judgement::of_evals(&evals, &labelled);
        assert!((truth.scale - 80.0).abs() < 0.5, "{}", truth.scale);
        assert!(truth.value(Measure::Error, &labelled) < 1e-5);
        assert!((truth.value(Measure::BalancedRank, &labelled) - 1.0).abs() < 1e-12);
        let signs = [1.0, -1.0].into_iter().cycle();
        let noisy: Vec<f64> = evals.iter().zip(signs).map(|(eval, sign)| eval + 80.0 * sign).collect();
        let worse = Judgement::of_evals(&noisy, &labelled).difference(&truth, Measure::Error, &labelled);
        assert!(worse.value > 1e-3 && worse.value > 10.0 * worse.error, "{worse:?}");
    }

    #[test]
    fn nothing_to_measure_is_not_a_number() {
        let labelled = [Labelled { position: Position::startpos(), expected: 1.0 }];
        let judgement = Judgement::of_evals(&[30.0], &labelled);
        assert!(judgement.value(Measure::BalancedError, &labelled).is_nan());
        assert!(judgement.difference(&judgement, Measure::BalancedRank, &labelled).value.is_nan());
    }
}
