//! The statistics against figures that can be worked out by hand, and against simulation.

use crate::common::from_pairs;
use arena::matches::elo::{EloDifference, elo_of_score, expected_score, normal_cdf};
use arena::matches::pentanomial::Pentanomial;
use arena::matches::sprt::{Decision, Sprt};
use chess::random::Random;

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

#[test]
fn elo_of_well_known_scores() {
    close(elo_of_score(0.75), 190.85, 0.005);
    close(elo_of_score(0.64), 99.95, 0.005);
    close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
    close(expected_score(200.0), 0.7597, 0.00005);
    close(normal_cdf(1.96), 0.9750, 0.00005);
}

/// 100 pairs: 10 by 0.5, 40 by 1, 40 by 1.5, 10 by 2 points: mean 0.625, variance of a pair
/// (10·0.375² + 40·0.125² + 40·0.125² + 10·0.375²)/100 = 0.040625, so the error of the mean is
/// √(0.040625/100) = 0.0201556.
#[test]
fn pentanomial_by_hand() {
    let pentanomial = from_pairs([0, 10, 40, 40, 10]);
    let strength = EloDifference::of(&pentanomial);
    close(pentanomial.score(), 0.625, 1e-12);
    close(strength.elo.value, 88.74, 0.005);
    close(strength.elo.low, elo_of_score(0.625 - 1.959964 * 0.0201556), 0.01);
    close(strength.elo.high, elo_of_score(0.625 + 1.959964 * 0.0201556), 0.01);
    // (0.625 - 0.5) / √(2·0.040625) · 800/ln 10
    let normalised = strength.nelo.unwrap();
    close(normalised.value, 0.125 / 0.08125f64.sqrt() * 347.4356, 0.01);
    // Half the interval: 1.96 / √(200 games) · 347.4356
    close(normalised.error(), 1.959964 / 200f64.sqrt() * 347.4356, 0.01);
    close(strength.los, 1.0, 1e-6);
}

/// Without pairs, single games count: 10 won, 5 lost, 5 drawn. Mean 0.625, variance (10·0.140625 + 5·0.390625 +
/// 5·0.015625)/20 = 0.171875.
#[test]
fn single_games_by_hand() {
    let pentanomial = Pentanomial { games: [5, 5, 10], pairs: [0; 5] };
    let strength = EloDifference::of(&pentanomial);
    let error = (0.171875f64 / 20.0).sqrt();
    close(strength.los, normal_cdf(0.125 / error), 1e-9);
    close(strength.elo.low, elo_of_score(0.625 - 1.959964 * error), 0.01);
}

#[test]
fn results_without_spread_have_wide_intervals() {
    let strength = EloDifference::of(&from_pairs([0, 0, 10, 0, 0]));
    assert!(strength.elo.error() > 100.0, "{}", strength.elo);
    assert!(EloDifference::of(&from_pairs([0, 0, 0, 0, 5])).elo.high.is_infinite());
    assert!(EloDifference::of(&Pentanomial::default()).elo.low.is_infinite());
    assert_eq!(EloDifference::of(&Pentanomial::default()).nelo, None);
    close(EloDifference::of(&Pentanomial::default()).los, 0.5, 1e-6);
    // Pairs that were all won: the more of them, the surer.
    let won = [1, 5, 10].map(|count| EloDifference::of(&from_pairs([0, 0, 0, 0, count])));
    assert!(won.iter().all(|strength| strength.nelo.is_none()));
    // The error is 3/n: 0.5 / (1 / 1.96), 0.5 / (0.6 / 1.96), 0.5 / (0.3 / 1.96).
    for (strength, expected) in won.iter().zip([0.98, 1.6333, 3.2666]) {
        close(strength.los, normal_cdf(expected), 1e-4);
    }
}

#[test]
fn sprt_bounds_are_those_of_wald() {
    let (low, high) = "0,5".parse::<Sprt>().unwrap().bounds();
    close(low, -2.944439, 1e-6);
    close(high, 2.944439, 1e-6);
    let (low, high) = "0,5,0.05,0.10".parse::<Sprt>().unwrap().bounds();
    close(low, (0.10f64 / 0.95).ln(), 1e-12);
    close(high, (0.90f64 / 0.05).ln(), 1e-12);
    for wrong in ["5,0", "0", "a,b", "0,5,0,0.05", "0,5,0.6,0.6", "0,5,fuzzy"] {
        assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
    }
}

/// Pairs that are all won or all lost: the most likely distribution of mean s has weights 1 - s and s, and the ratio
/// is that of the binomial test.
#[test]
fn log_likelihood_ratio_of_a_binomial() {
    let sprt: Sprt = "0,100".parse().unwrap();
    let (s0, s1) = (0.5f64, expected_score(100.0));
    let expected = 300.0 * (s1 / s0).ln() + 200.0 * ((1.0 - s1) / (1.0 - s0)).ln();
    close(sprt.llr(&from_pairs([200, 0, 0, 0, 300])), expected, 0.01);
}

/// The same with normalised bounds: the mean p of such pairs is t deviations above one half when
/// (p - 1/2)/√(p(1-p)) = t, that is p = 1/2 + t/(2√(1+t²)).
#[test]
fn log_likelihood_ratio_of_a_binomial_with_normalised_bounds() {
    let sprt: Sprt = "0,100,normalised".parse().unwrap();
    let t = 100.0 / 347.4356 * std::f64::consts::SQRT_2;
    let p = 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
    let expected = 300.0 * (p / 0.5).ln() + 200.0 * ((1.0 - p) / 0.5).ln();
    close(sprt.llr(&from_pairs([200, 0, 0, 0, 300])), expected, 0.02);
}

/// Between near hypotheses the ratio is close to N (s1 - s0)(2 mean - s0 - s1) / (2 variance).
#[test]
fn log_likelihood_ratio_near_the_normal_approximation() {
    let pentanomial = from_pairs([150, 6000, 14000, 6300, 160]);
    let outcomes = pentanomial.distribution();
    let (s0, s1) = (expected_score(0.0), expected_score(2.0));
    let approximation =
        outcomes.count * (s1 - s0) * (2.0 * outcomes.mean - s0 - s1) / (2.0 * outcomes.variance);
    close("0,2".parse::<Sprt>().unwrap().llr(&pentanomial), approximation, 0.01);
}

/// Chances of the five pair results with mean score of this Elo difference; `spread` as in balanced or sharp books.
fn chances(elo: f64, spread: [f64; 5]) -> [f64; 5] {
    // Tilted until the mean is right: weights p e^(k i).
    let mean = expected_score(elo);
    let tilt = |k: f64| {
        let weights: Vec<f64> = (0..5).map(|i| spread[i] * (k * i as f64).exp()).collect();
        let sum: f64 = weights.iter().sum();
        std::array::from_fn::<f64, 5, _>(|i| weights[i] / sum)
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        let average: f64 = tilt(middle).iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
        if average < mean { low = middle } else { high = middle }
    }
    tilt(low)
}

fn draw(random: &mut Random, chances: &[f64; 5]) -> usize {
    let mut rest = random.unit();
    chances
        .iter()
        .position(|chance| {
            rest -= chance;
            rest < 0.0
        })
        .unwrap_or(4)
}

const BALANCED: [f64; 5] = [0.02, 0.2, 0.56, 0.2, 0.02];

fn acceptance(sprt: &Sprt, chances: &[f64; 5], matches: u32, random: &mut Random) -> f64 {
    let mut accepted = 0;
    for _ in 0..matches {
        let mut pairs = [0; 5];
        let decision = loop {
            pairs[draw(random, chances)] += 1;
            // Looking at every fourth pair is what concurrency does too, and it is faster.
            if pairs.iter().sum::<u64>() % 4 == 0
                && let Some(decision) = sprt.decide(&from_pairs(pairs))
            {
                break decision;
            }
        };
        accepted += u32::from(decision == Decision::Accepted);
    }
    f64::from(accepted) / f64::from(matches)
}

/// With the true difference at a bound, the test errs in 5% of 3000 matches (three standard errors: ±1.2%; looking
/// only now and then makes errors a little rarer).
#[test]
fn error_rates_of_the_test_are_five_percent() {
    let mut random = Random::new(20261121);
    let sprt: Sprt = "0,20".parse().unwrap();
    let false_positives = acceptance(&sprt, &chances(0.0, BALANCED), 3000, &mut random);
    let false_negatives = 1.0 - acceptance(&sprt, &chances(20.0, BALANCED), 3000, &mut random);
    println!("logistic: {false_positives} {false_negatives}");
    assert!((0.03..0.062).contains(&false_positives), "{false_positives}");
    assert!((0.03..0.062).contains(&false_negatives), "{false_negatives}");
}

#[test]
fn error_rates_with_normalised_bounds() {
    let mut random = Random::new(4711);
    let sprt: Sprt = "0,60,normalised".parse().unwrap();
    let zero = chances(0.0, BALANCED);
    let false_positives = acceptance(&sprt, &zero, 3000, &mut random);
    // The logistic difference that is 60 normalised Elo with this spread.
    let mut elo = 60.0;
    for _ in 0..50 {
        let weights = chances(elo, BALANCED);
        let mean: f64 = (0..5).map(|i| weights[i] * i as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|i| weights[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
        elo *= 60.0 / ((mean - 0.5) / (2.0 * variance).sqrt() * 347.4356);
    }
    let false_negatives = 1.0 - acceptance(&sprt, &chances(elo, BALANCED), 3000, &mut random);
    println!("normalised: {false_positives} {false_negatives} at {elo} Elo");
    assert!((0.03..0.062).contains(&false_positives), "{false_positives}");
    assert!((0.03..0.062).contains(&false_negatives), "{false_negatives}");
}

/// The stated interval holds the truth in about 95% of 4000 matches of 100 pairs (three standard errors: ±1.0%).
#[test]
fn intervals_cover_the_truth() {
    let mut random = Random::new(99);
    for truth in [0.0, 35.0, 150.0] {
        let chances = chances(truth, BALANCED);
        let matches = 4000;
        let covered = (0..matches)
            .filter(|_| {
                let mut pairs = [0; 5];
                (0..100).for_each(|_| pairs[draw(&mut random, &chances)] += 1);
                let elo = EloDifference::of(&from_pairs(pairs)).elo;
                elo.low <= truth && truth <= elo.high
            })
            .count();
        let share = covered as f64 / f64::from(matches);
        println!("{truth} Elo: {share}");
        assert!((0.935..0.965).contains(&share), "{truth}: {share}");
    }
}
