//! One of the positions that a search for training has evaluated, for games from positions as the network meets them in
//! searches rather than in games.

use chess::Position;
use chess::random::Random;

/// A reservoir of one position (Vitter 1985): after each evaluation any of those so far is in it with the same probability.
pub(super) struct EvalSample {
    random: Random,
    seen: usize,
    position: Option<Position>,
}

impl EvalSample {
    /// An empty sample; `seed` decides which position is kept.
    pub fn new(seed: u64) -> EvalSample {
        EvalSample { random: Random::new(seed), seen: 0, position: None }
    }

    /// Adds an evaluated position.
    pub fn add(&mut self, position: &Position) {
        self.seen += 1;
        if self.random.below(self.seen) == 0 {
            self.position = Some(*position);
        }
    }

    /// The position kept; `None` if none was evaluated.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_is_kept_as_often() {
        let start = Position::startpos();
        let all: Vec<Position> = start.legal_moves().into_iter().take(10).map(|mv| start.after(mv)).collect();
        let mut counts = [0; 10];
        for seed in 0..10_000 {
            let mut sample = EvalSample::new(seed);
            assert_eq!(sample.position(), None);
            all.iter().for_each(|position| sample.add(position));
            let kept = sample.position().unwrap();
            counts[all.iter().position(|position| position == kept).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
