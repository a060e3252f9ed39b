//! The worth of labels: how much of the network's own error they repeat, and how much noise they add.

use std::collections::BTreeMap;

/// The errors of one position against the truth, as expected scores.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// The number of its game.
    pub game: usize,
    /// Of the label.
    pub label: f64,
    /// Of the static evaluation.
    pub network: f64,
}

/// The worth of a kind of label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// The regression of the label's error on the network's: 1 if the label knows no better than the network, 0 if its
    /// error has nothing to do with the network's.
    pub repeats: f64,
    /// The standard error of `repeats`, by leaving out each game in turn (the jackknife, Tukey 1958).
    pub error: f64,
    /// The mean square of what is left of the label's error.
    pub noise: f64,
    /// The square of what a label says against the network's error, by the noise: what one record is worth.
    pub signal_to_noise: f64,
}

/// Sums of products of the two errors.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    count: f64,
    label: f64,
    both: f64,
    network: f64,
}

impl Sums {
    fn add(&mut self, errors: &Errors) {
        self.count += 1.0;
        self.label += errors.label * errors.label;
        self.both += errors.label * errors.network;
        self.network += errors.network * errors.network;
    }

    fn repeats(&self) -> f64 {
        self.both / self.network
    }

    fn without(&self, part: &Self) -> Self {
        Self {
            count: self.count - part.count,
            label: self.label - part.label,
            both: self.both - part.both,
            network: self.network - part.network,
        }
    }
}

/// The worth of labels with these errors; not a number where there are none or the network makes none.
pub fn worth(errors: &[Errors]) -> Worth {
    let mut all = Sums::default();
    let mut games: BTreeMap<usize, Sums> = BTreeMap::new();
    for errors in errors {
        all.add(errors);
        games.entry(errors.game).or_default().add(errors);
    }
    let repeats = all.repeats();
    let noise = (all.label - repeats * all.both) / all.count;
    let signal = (1.0 - repeats).powi(2) * all.network / all.count;
    Worth { repeats, error: jackknife(&all, games.values()), noise, signal_to_noise: signal / noise }
}

fn jackknife<'s>(all: &Sums, games: impl Iterator<Item = &'s Sums>) -> f64 {
    let left: Vec<f64> = games.map(|game| all.without(game).repeats()).collect();
    let count = left.len() as f64;
    let mean = left.iter().sum::<f64>() / count;
    let squares: f64 = left.iter().map(|repeats| (repeats - mean).powi(2)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarack::random::Random;

    #[test]
    fn small_cases_are_exact() {
        let errors = |pairs: &[(f64, f64)]| -> Vec<Errors> {
            let number = pairs.iter().enumerate();
            number.map(|(game, &(label, network))| Errors { game, label, network }).collect()
        };
        // Both 1·.5 + 1·.5 + 0, network's squares 1 + 1 + 2²: a sixth is repeated.
        let found = worth(&errors(&[(0.5, 1.0), (0.5, 1.0), (0.0, 2.0)]));
        assert!((found.repeats - 1.0 / 6.0).abs() < 1e-12);
        // The squares of what is left: .5 less a sixth of 1.
        let noise = (0.5 - 1.0 / 6.0) / 3.0;
        assert!((found.noise - noise).abs() < 1e-12);
        let signal = (5.0_f64 / 6.0).powi(2) * 2.0;
        assert!((found.signal_to_noise - signal / noise).abs() < 1e-9);
        // Without a game each: .1, .1 and .5.
        let spread =
            (2.0 / 3.0 * (2.0 * (0.1 - 0.7 / 3.0_f64).powi(2) + (0.5 - 0.7 / 3.0_f64).powi(2))).sqrt();
        assert!((found.error - spread).abs() < 1e-12, "{found:?}");
        assert!(worth(&[]).repeats.is_nan());
    }

    #[test]
    fn what_labels_are_made_of_is_found_again() {
        // Labels that repeat .7 of the network's error of ± .2 and add noise of ± .1, of which 1/3 is the variance.
        let mut random = Random::new(5);
        let mut uniform = |width: f64| width * (2.0 * random.unit() - 1.0);
        let errors: Vec<Errors> = (0..20_000)
            .map(|number| {
                let network = uniform(0.2);
                Errors { game: number / 10, label: 0.7 * network + uniform(0.1), network }
            })
            .collect();
        let found = worth(&errors);
        assert!((found.repeats - 0.7).abs() < 3.0 * found.error, "{found:?}");
        assert!((found.error - 0.5 / 20_000_f64.sqrt()).abs() < 0.001, "{found:?}");
        assert!((found.noise - 0.01 / 3.0).abs() < 1e-4, "{found:?}");
        assert!((found.signal_to_noise - 0.36).abs() < 0.02, "{found:?}");
    }
}
