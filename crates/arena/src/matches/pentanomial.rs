//! Counts of results: wins, draws and losses, and the pentanomial of pairs of games with reversed colours.

use serde::{Deserialize, Serialize};

/// Half points of one game: 0 lost, 1 drawn, 2 won.
pub type HalfPoints = u8;

/// The results of one engine against another: games, and the pentanomial of pairs.
///
/// The two games of a pair share an opening, so their results depend on each other: errors and SPRT go by pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Lost, drawn, won games, whether their pair is complete or not.
    pub games: [u64; 3],
    /// Complete pairs by half points, 0 to 4.
    pub pairs: [u64; 5],
}

impl Pentanomial {
    /// Adds a game.
    pub fn add_game(&mut self, points: HalfPoints) {
        self.games[usize::from(points.min(2))] += 1;
    }

    /// Adds the sum of a pair whose games were added already.
    pub fn add_pair(&mut self, points: HalfPoints) {
        self.pairs[usize::from(points.min(4))] += 1;
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Pentanomial) {
        self.games.iter_mut().zip(other.games).for_each(|(sum, count)| *sum += count);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, count)| *sum += count);
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Number of complete pairs.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The score, 0 to 1; 0.5 without games.
    pub fn score(&self) -> f64 {
        let [_, drawn, won] = self.games;
        if self.count() == 0 { 0.5 } else { (won as f64 + drawn as f64 / 2.0) / self.count() as f64 }
    }

    /// The distribution that errors go by: of pairs if there are any, else of single games.
    pub fn distribution(&self) -> Distribution {
        if self.pair_count() > 0 {
            Distribution::new(&self.pairs, 2.0)
        } else {
            Distribution::new(&self.games, 1.0)
        }
    }
}

/// The distribution of results between 0 and 1, equally spaced.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// Number of results: pairs or games.
    pub count: f64,
    /// Mean score.
    pub mean: f64,
    /// Variance of one result.
    pub variance: f64,
    /// Games in a result.
    pub games_each: f64,
}

impl Distribution {
    fn new(counts: &[u64], games_each: f64) -> Self {
        let count: f64 = counts.iter().sum::<u64>() as f64;
        let last = (counts.len() - 1) as f64;
        let average = |value: &dyn Fn(f64) -> f64| {
            let sum: f64 = counts.iter().enumerate().map(|(i, &n)| n as f64 * value(i as f64 / last)).sum();
            if count == 0.0 { 0.0 } else { sum / count }
        };
        let mean = if count == 0.0 { 0.5 } else { average(&|score| score) };
        let variance = average(&|score| (score - mean).powi(2));
        Self { count, mean, variance, games_each }
    }

    /// Standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        if self.count == 0.0 { 0.0 } else { (self.variance / self.count).sqrt() }
    }

    /// Standard deviation of the score of one game, as the pairs show it.
    pub fn deviation_per_game(&self) -> f64 {
        (self.variance * self.games_each).sqrt()
    }
}
