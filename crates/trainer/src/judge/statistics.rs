//! The statistics of judging: ranks, their correlation, and the errors of paired differences.

use chess::random::Random;

/// The mean of the numbers; NaN without any.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The mean of `theirs - ours`, pair by pair, and its standard error.
pub fn paired_difference(theirs: &[f64], ours: &[f64]) -> (f64, f64) {
    let differences: Vec<f64> = theirs.iter().zip(ours).map(|(theirs, ours)| theirs - ours).collect();
    let count = differences.len() as f64;
    (mean(&differences), deviation(&differences) / count.sqrt())
}

/// The standard deviation of a sample.
fn deviation(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (numbers.len() as f64 - 1.0)).sqrt()
}

/// The rank of each number, from 1 on; equal numbers share the mean of their ranks.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_unstable_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&one, &other| numbers[one] == numbers[other]) {
        let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
        tied.iter().for_each(|&index| ranks[index] = rank);
        before += tied.len();
    }
    ranks
}

/// The rank correlation (Spearman 1904), ties by their mean ranks: -1 to 1; NaN where one side is all the same.
pub fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let (one, other) = (ranks(one), ranks(other));
    // Ranks, tied or not, have this mean.
    let middle = (one.len() as f64 + 1.0) / 2.0;
    let product = |one: &[f64], other: &[f64]| -> f64 {
        one.iter().zip(other).map(|(one, other)| (one - middle) * (other - middle)).sum()
    };
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

/// The difference of the rank correlations of `theirs` and `ours` with `truth`, and its standard error by the bootstrap
/// (Efron 1979): the deviation over resamples of the positions, the same for both, from a fixed seed.
pub fn rank_difference(theirs: &[f64], ours: &[f64], truth: &[f64]) -> (f64, f64) {
    const RESAMPLES: usize = 200;
    let difference = rank_correlation(theirs, truth) - rank_correlation(ours, truth);
    if truth.is_empty() {
        return (difference, f64::NAN);
    }
    let mut random = Random::new(1);
    let resampled: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let chosen: Vec<usize> = truth.iter().map(|_| random.below(truth.len())).collect();
            let pick = |numbers: &[f64]| -> Vec<f64> { chosen.iter().map(|&index| numbers[index]).collect() };
            let truth = pick(truth);
            rank_correlation(&pick(theirs), &truth) - rank_correlation(&pick(ours), &truth)
        })
        .collect();
    (difference, deviation(&resampled))
}

/// The place where a function with one valley is lowest, between `low` and `high`, to a ten-thousandth of `high`.
pub fn minimise(function: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let near = 1e-4 * high;
    while high - low > near {
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

    #[test]
    fn equal_numbers_share_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, -2.0, 3.0]), [4.0, 2.0, 4.0, 1.0, 4.0]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn rank_correlation_is_exact_on_small_cases() {
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[-5.0, 0.0, 0.1]), 1.0);
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[5.0, 4.0, 3.0]), -1.0);
        // Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: 4.5 / sqrt(4.5 * 5).
        let tied = rank_correlation(&[1.0, 2.0, 2.0, 3.0], &[10.0, 30.0, 20.0, 40.0]);
        assert!((tied - 4.5 / 22.5_f64.sqrt()).abs() < 1e-12, "{tied}");
        assert!(rank_correlation(&[1.0, 1.0], &[1.0, 2.0]).is_nan());
    }

    #[test]
    fn error_bars_are_of_the_pairs() {
        // The differences are 1, 2, 3: mean 2, deviation 1.
        let (difference, error) = paired_difference(&[11.0, 22.0, 33.0], &[10.0, 20.0, 30.0]);
        assert!((difference - 2.0).abs() < 1e-12 && (error - 1.0 / 3.0_f64.sqrt()).abs() < 1e-12);
        // Numbers that differ much but all by the same leave no error.
        assert_eq!(paired_difference(&[1.0, 100.0], &[0.0, 99.0]), (1.0, 0.0));
    }

    #[test]
    fn the_bootstrap_finds_the_spread_of_a_correlation() {
        // Of independent numbers the correlation has an error of 1 / sqrt(n - 1); the truth itself has none.
        let mut random = Random::new(7);
        let mut numbers = || -> Vec<f64> { (0..400).map(|_| random.unit()).collect() };
        let (truth, noise) = (numbers(), numbers());
        let (difference, error) = rank_difference(&noise, &truth, &truth);
        assert!((-1.2..-0.8).contains(&difference), "{difference}");
        assert!((0.04..0.06).contains(&error), "{error}");
        assert_eq!(rank_difference(&noise, &noise, &truth), (0.0, 0.0));
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        assert!((minimise(&|x: f64| (x - 70.0).powi(2), 1.0, 2000.0) - 70.0).abs() < 0.5);
    }
}
