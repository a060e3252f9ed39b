//! The sequential probability ratio test on pairs of games.
//!
//! Generalised SPRT after Michel Van den Bergh ("Comments on normalized Elo" and the code of fishtest): the
//! likelihood ratio of the best distributions whose mean (logistic bounds), or whose mean in units of the standard
//! deviation (normalised bounds), is that of the two hypotheses.

use super::elo::{NORMALISED_UNIT, expected_score};
use super::pentanomial::Pentanomial;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The unit of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EloModel {
    /// Usual Elo.
    Logistic,
    /// Normalised Elo.
    Normalised,
}

/// A test of `elo0` against `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Hypothesis 0: the difference is this.
    pub elo0: f64,
    /// Hypothesis 1: the difference is this.
    pub elo1: f64,
    /// Unit of both.
    pub model: EloModel,
    /// Probability of accepting hypothesis 1 when 0 is true.
    pub alpha: f64,
    /// Probability of accepting hypothesis 0 when 1 is true.
    pub beta: f64,
}

/// The end of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Hypothesis 0: no gain.
    Rejected,
    /// Hypothesis 1: a gain.
    Accepted,
}

impl FromStr for Sprt {
    type Err = anyhow::Error;

    /// `elo0,elo1[,alpha,beta][,logistic|normalised]`
    fn from_str(text: &str) -> Result<Self> {
        let mut words: Vec<&str> = text.split(',').map(str::trim).collect();
        let model = match words.last() {
            Some(&"logistic") => Some(EloModel::Logistic),
            Some(&"normalised" | &"normalized") => Some(EloModel::Normalised),
            _ => None,
        };
        if model.is_some() {
            words.pop();
        }
        let parsed: Result<Vec<f64>, _> = words.iter().map(|word| word.parse()).collect();
        let numbers =
            parsed.with_context(|| format!("{text:?}: elo0,elo1[,alpha,beta][,logistic|normalised]"))?;
        let (elo0, elo1, alpha, beta) = match numbers[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => bail!("{text:?}: elo0,elo1[,alpha,beta][,logistic|normalised]"),
        };
        ensure!(elo0 < elo1, "{text:?}: elo0 must be below elo1");
        ensure!(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0, "{text:?}: impossible error rates");
        Ok(Self { elo0, elo1, model: model.unwrap_or(EloModel::Logistic), alpha, beta })
    }
}

impl std::fmt::Display for Sprt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = if self.model == EloModel::Logistic { "Elo" } else { "nElo" };
        write!(f, "SPRT {unit} {} : {}", self.elo0, self.elo1)
    }
}

impl Sprt {
    /// The log likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log likelihood ratio of the complete pairs.
    pub fn llr(&self, pentanomial: &Pentanomial) -> f64 {
        if pentanomial.pair_count() == 0 {
            return 0.0;
        }
        // Outcomes never seen get a little weight, so that no hypothesis is impossible.
        let counts = pentanomial.pairs.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let outcomes: Vec<(f64, f64)> =
            counts.iter().enumerate().map(|(index, count)| (index as f64 / 4.0, count / total)).collect();
        let (zero, one) = match self.model {
            EloModel::Logistic => (
                with_mean(&outcomes, expected_score(self.elo0)),
                with_mean(&outcomes, expected_score(self.elo1)),
            ),
            EloModel::Normalised => {
                // A pair's mean has a deviation smaller by the root of 2 than a game.
                let ratio = |elo: f64| elo / NORMALISED_UNIT * std::f64::consts::SQRT_2;
                (with_ratio(&outcomes, ratio(self.elo0)), with_ratio(&outcomes, ratio(self.elo1)))
            }
        };
        let terms = outcomes.iter().zip(zero.iter().zip(&one));
        total * terms.map(|((_, weight), (zero, one))| weight * (one / zero).ln()).sum::<f64>()
    }

    /// The decision, once it is reached.
    pub fn decide(&self, pentanomial: &Pentanomial) -> Option<Decision> {
        let (low, high) = self.bounds();
        match self.llr(pentanomial) {
            llr if llr >= high => Some(Decision::Accepted),
            llr if llr <= low => Some(Decision::Rejected),
            _ => None,
        }
    }

    /// The decision in a word.
    pub fn decision_word(&self, pentanomial: &Pentanomial) -> &'static str {
        match self.decide(pentanomial) {
            Some(Decision::Accepted) => "accepted",
            Some(Decision::Rejected) => "rejected",
            None => "undecided",
        }
    }
}

/// The most likely weights with a given mean: `p / (1 + x (a - mean))` with the `x` that makes the mean right
/// (Owen's empirical likelihood). The values must lie on both sides of the mean.
fn with_mean(outcomes: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let low = outcomes.iter().map(|outcome| outcome.0).fold(f64::INFINITY, f64::min);
    let high = outcomes.iter().map(|outcome| outcome.0).fold(f64::NEG_INFINITY, f64::max);
    if !(low < mean && mean < high) {
        return outcomes.iter().map(|outcome| outcome.1).collect();
    }
    let slope = |x: f64| {
        outcomes
            .iter()
            .map(|(value, weight)| weight * (value - mean) / (1.0 + x * (value - mean)))
            .sum::<f64>()
    };
    // The slope falls from +∞ to -∞ between the poles.
    let (mut left, mut right) = (-1.0 / (high - mean), 1.0 / (mean - low));
    for _ in 0..100 {
        let middle = (left + right) / 2.0;
        if slope(middle) > 0.0 {
            left = middle;
        } else {
            right = middle;
        }
        if right - left < 1e-13 * right.abs().max(1.0) {
            break;
        }
    }
    let x = (left + right) / 2.0;
    outcomes.iter().map(|(value, weight)| weight / (1.0 + x * (value - mean))).collect()
}

/// The most likely weights whose mean lies `ratio` standard deviations above one half. The condition is linearised
/// round the last weights, which makes it one about a mean, and that is repeated until it stands.
fn with_ratio(outcomes: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    let mut weights = vec![1.0 / outcomes.len() as f64; outcomes.len()];
    for _ in 0..20 {
        let mean: f64 = outcomes.iter().zip(&weights).map(|(outcome, weight)| outcome.0 * weight).sum();
        let variance: f64 =
            outcomes.iter().zip(&weights).map(|(outcome, weight)| weight * (outcome.0 - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let shifted: Vec<(f64, f64)> = outcomes
            .iter()
            .map(|&(value, weight)| {
                let turn = 1.0 + ((mean - value) / deviation).powi(2);
                (value - 0.5 - ratio * deviation * turn / 2.0, weight)
            })
            .collect();
        let next = with_mean(&shifted, 0.0);
        let change = next.iter().zip(&weights).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        weights = next;
        if change < 1e-9 {
            break;
        }
    }
    weights
}
