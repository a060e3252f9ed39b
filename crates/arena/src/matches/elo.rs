//! Elo differences, their errors, normalised Elo and the likelihood of los.

use super::pentanomial::{Distribution, Pentanomial};
use crate::logistic;
use std::f64::consts::LN_10;

/// Normalised Elo per standard deviation: 800 / ln 10 (Van den Bergh).
pub const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// Elo points that make the odds e to one.
pub const ELO_SCALE: f64 = 400.0 / LN_10;

/// 97.5% quantile of the normal distribution.
pub const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// The expected score, 0 to 1, of a player who is stronger by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    logistic::sigmoid(elo, ELO_SCALE)
}

/// Elo difference that explains a score; infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding 0 makes a negative zero positive.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// A value with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the "±".
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.error().is_finite() {
            write!(f, "{:+.1} ± {:.1}", self.value, self.error())
        } else {
            write!(f, "{:+.1} [{:+.1}, {:+.1}]", self.value, self.low, self.high)
        }
    }
}

/// The difference in strength of two engines, estimated from their games.
#[derive(Clone, Copy, Debug)]
pub struct EloDifference {
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalised Elo (nElo); unknown while all results are alike, which have no deviation to measure by.
    pub nelo: Option<Estimate>,
    /// Likelihood of superiority (LOS): the probability that the first is the stronger.
    pub los: f64,
}

impl EloDifference {
    /// The estimate from these games: all of them count for the values, complete pairs for the errors.
    pub fn of(pentanomial: &Pentanomial) -> Self {
        let distribution = pentanomial.distribution();
        let error = score_error(&distribution);
        let elo = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
        let mean = pentanomial.score();
        let elo = Estimate { value: elo(mean), low: elo(mean - error), high: elo(mean + error) };
        let deviation = distribution.deviation_per_game();
        let scaled = |score: f64| (score - 0.5) / deviation * NORMALISED_UNIT;
        let nelo = (deviation > 0.0).then(|| Estimate {
            value: scaled(mean),
            low: scaled(mean - error),
            high: scaled(mean + error),
        });
        // By the same error as the interval of Elo: a few pairs that are all alike prove little.
        Self { elo, nelo, los: normal_cdf((mean - 0.5) * QUANTILE_95 / error) }
    }
}

/// Half the 95% interval of the mean score.
fn score_error(outcomes: &Distribution) -> f64 {
    if outcomes.variance > 0.0 {
        QUANTILE_95 * outcomes.standard_error()
    } else {
        // All outcomes were alike. What was never seen in n trials has a chance of up to 3/n (the rule of three).
        (3.0 / outcomes.count).min(1.0)
    }
}

/// Distribution function of the normal distribution (error below 1.2e-7: Numerical Recipes' `erfc`).
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

fn erfc(x: f64) -> f64 {
    const TERMS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    let sum = TERMS.iter().rev().fold(0.0, |sum, term| sum * t + term);
    let value = t * (-z * z + sum).exp();
    if x >= 0.0 { value } else { 2.0 - value }
}
