//! One network of several: each of its numbers is the mean of theirs. Networks that began as the same one, or one as the
//! other, still mean the same by each neuron, while what they have learned by heart differs and averages out (stochastic
//! weight averaging, Izmailov and others 2018; model soups, Wortsman and others 2022).

use anyhow::{Context, Result, ensure};
use clap::Args;
use nnue::Network;
use nnue::network::Parts;
use std::fs;
use std::path::PathBuf;

/// Arguments of `average`.
#[derive(Args, Clone, Debug)]
pub struct AverageArguments {
    /// Network files of the same shape
    #[arg(required = true, num_args = 2..)]
    pub networks: Vec<PathBuf>,
    /// The weights of the networks, in their order; all the same if not given
    #[arg(long, value_delimiter = ',')]
    pub shares: Vec<f64>,
    /// The file of the new network
    #[arg(long, short)]
    pub output: PathBuf,
    /// Its name, kept in the file; at most 24 bytes
    #[arg(long, default_value = "average")]
    pub name: String,
}

/// The job `average`.
pub fn run(arguments: &AverageArguments) -> Result<()> {
    let networks = load_networks(&arguments.networks)?;
    let even = vec![1.0; networks.len()];
    let shares = if arguments.shares.is_empty() { &even } else { &arguments.shares };
    let average = average(&networks, shares, &arguments.name)?;
    let path = &arguments.output;
    fs::write(path, average.to_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads network files; an error names the file.
pub(crate) fn load_networks(paths: &[PathBuf]) -> Result<Vec<Network>> {
    let load = |path: &PathBuf| Network::load(path).with_context(|| path.display().to_string());
    paths.iter().map(load).collect()
}

/// The mean of the networks, each counted by its share.
fn average(networks: &[Network], shares: &[f64], name: &str) -> Result<Network> {
    let total: f64 = shares.iter().sum();
    let is_positive = shares.iter().all(|&share| share >= 0.0 && share.is_finite()) && total > 0.0;
    ensure!(
        is_positive && shares.len() == networks.len(),
        "give a share for each network, none below 0 and one above it"
    );
    let shape = networks[0].shape();
    ensure!(
        networks.iter().all(|network| network.shape() == shape),
        "the networks are not of the same shape"
    );
    let shares: Vec<f64> = shares.iter().map(|share| share / total).collect();
    let mut parts: Vec<Parts> = networks.iter().map(Network::parts).collect();
    // A network without threats or pawn pairs counts as one whose weights for them are zero.
    let threats = parts.iter().map(|parts| parts.threats.len()).max().unwrap_or(0);
    let pawn_pairs = parts.iter().map(|parts| parts.pawn_pairs.len()).max().unwrap_or(0);
    for parts in &mut parts {
        parts.threats.resize(threats, 0);
        parts.pawn_pairs.resize(pawn_pairs, 0);
    }
    let mean = Mean { shares: &shares };
    let parts = Parts {
        input: mean.of(&parts, |parts| &parts.input),
        threats: mean.of(&parts, |parts| &parts.threats),
        pawn_pairs: mean.of(&parts, |parts| &parts.pawn_pairs),
        input_bias: mean.of(&parts, |parts| &parts.input_bias),
        output: mean.of(&parts, |parts| &parts.output),
        output_bias: mean.of(&parts, |parts| &parts.output_bias),
    };
    Ok(Network::new(shape, name, &parts)?)
}

/// Means by shares that add up to one.
struct Mean<'a> {
    shares: &'a [f64],
}

impl Mean<'_> {
    /// The rounded means of the numbers of a part.
    fn of<T: Number>(&self, all: &[Parts], part: impl Fn(&Parts) -> &[T]) -> Vec<T> {
        let mean = |index: usize| {
            let terms = all.iter().zip(self.shares).map(|(parts, share)| part(parts)[index].into() * share);
            T::rounded(terms.sum())
        };
        (0..part(&all[0]).len()).map(mean).collect()
    }
}

/// The type of a network's weights in a part of it, which the mean is rounded to.
trait Number: Copy + Into<f64> {
    /// The nearest value of the type.
    fn rounded(value: f64) -> Self;
}

macro_rules! number {
    ($($type:ty),+) => {
        $(impl Number for $type {
            fn rounded(value: f64) -> $type {
                value.round() as $type
            }
        })+
    };
}
number!(i8, i16, i32);

#[cfg(test)]
mod tests {
    use super::*;
    use nnue::architecture::INPUTS;
    use nnue::network::Shape;

    fn network(weight: i16) -> Network {
        let shape = Shape { hidden: 32, buckets: 1 };
        let parts = Parts {
            input: vec![weight; INPUTS * 32],
            threats: Vec::new(),
            pawn_pairs: Vec::new(),
            input_bias: vec![weight + 1; 32],
            output: vec![-weight; 64],
            output_bias: vec![i32::from(weight) * 1000],
        };
        Network::new(shape, "", &parts).unwrap()
    }

    #[test]
    fn every_number_is_the_mean_by_shares() {
        let networks = [network(100), network(200)];
        assert!(average(&networks, &[3.0, 1.0], "").unwrap() == network(125));
        assert!(average(&networks, &[0.0, 0.5], "").unwrap() == network(200));
        for bad in [&[1.0] as &[f64], &[0.0, 0.0], &[2.0, -1.0], &[f64::NAN, 1.0]] {
            assert!(average(&networks, bad, "").is_err());
        }
    }
}
