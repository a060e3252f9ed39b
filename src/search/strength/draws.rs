//! The draws of a level: chances that a seed decides, so that the same seed gives the same game.

use chess::random::{Random, mix};

/// The subject of a draw: draws of different subjects have nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The line that is played, of the best ones.
    Line,
    /// The nodes of a move.
    Nodes,
    /// The form in a game.
    Form,
    /// Whether a move is overlooked.
    Oversight,
    /// Whether a move is made without a look at the replies.
    Lapse,
    /// How far is looked ahead.
    Depth,
    /// The error of judgement about a move.
    Error,
    /// The plan.
    Plan,
    /// The time of thinking.
    Pause,
}

/// The source of all draws of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws(u64);

impl Draws {
    /// The draws of this seed.
    pub fn new(seed: u64) -> Draws {
        Draws(mix(seed))
    }

    /// The pseudo-random numbers for one matter of a subject.
    pub fn random(self, subject: Subject, matter: u64) -> Random {
        Random::new(mix(self.0 ^ mix(matter ^ (subject as u64 + 1) << 56)))
    }

    /// A number from 0 (included) to 1 (excluded) for one matter of a subject.
    pub fn unit(self, subject: Subject, matter: u64) -> f64 {
        self.random(subject, matter).unit()
    }

    /// A number around 0 with standard deviation 1, never beyond 3.5, for one matter of a subject.
    pub fn normal(self, subject: Subject, matter: u64) -> f64 {
        let mut random = self.random(subject, matter);
        ((0..4).map(|_| random.unit()).sum::<f64>() - 2.0) * 3f64.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_all_draws_and_subjects_are_independent() {
        let [one, other] = [1, 2].map(Draws::new);
        assert_eq!(one.unit(Subject::Line, 5).to_bits(), Draws::new(1).unit(Subject::Line, 5).to_bits());
        assert_ne!(one.unit(Subject::Line, 5).to_bits(), other.unit(Subject::Line, 5).to_bits());
        assert_ne!(one.unit(Subject::Line, 5).to_bits(), one.unit(Subject::Error, 5).to_bits());
        let numbers: Vec<f64> = (0..10_000).map(|matter| one.normal(Subject::Error, matter)).collect();
        let mean = numbers.iter().sum::<f64>() / 1e4;
        let variance = numbers.iter().map(|number| number * number).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.05 && (0.9..1.1).contains(&variance), "{mean} {variance}");
    }
}
