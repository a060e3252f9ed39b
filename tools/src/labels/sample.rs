//! Quiet positions of self-play games, and the labels that training would give them.

use crate::data::game::{Game, is_quiet};
use crate::logistic;
use tamarack::chess::{Color, Move, Position};
use tamarack::eval::wdl::normalised;
use tamarack::random::Random;
use tamarack::score::Score;

/// A position and what its game says of it; all values are expected scores of White, 0 to 1.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The number of its game.
    pub game: usize,
    /// The position.
    pub position: Position,
    /// Of the searches from this position to the end of the game.
    pub searched: Vec<f64>,
    /// Of the game's result: 0, .5 or 1.
    pub result: f64,
}

impl Sample {
    /// The label: temporal differences (Sutton 1988) that begin with the result at the game's end, `td_lambda` of each value
    /// being that of the next position; then `wdl_weight` of the result itself.
    pub fn label(&self, td_lambda: f64, wdl_weight: f64) -> f64 {
        let later = self.searched.iter().rev();
        let value = later.fold(self.result, |later, now| now + td_lambda * (later - now));
        value + wdl_weight * (self.result - value)
    }
}

/// The expected score of White of a value from White's view, in centipawns as users see them.
pub fn expected(shown: f64, unit: f64) -> f64 {
    logistic::share(shown, unit)
}

/// Chooses at most `count` quiet positions (not in check, and the move played is no capture and no promotion), 4 to 8 plies
/// apart in each game, in random order. `unit` is what [`expected`] takes.
pub fn sample(games: &[Game], count: usize, unit: f64, random: &mut Random) -> Vec<Sample> {
    let mut places = Vec::new();
    for (number, game) in games.iter().enumerate().filter(|(_, game)| !game.is_cut_off) {
        let mut next = 2 + random.below(7);
        for (ply, (position, mv, _)) in game.positions().enumerate() {
            if ply >= next && is_quiet(&position, mv) {
                places.push((number, ply));
                next = ply + 4 + random.below(5);
            }
        }
    }
    random.shuffle(&mut places);
    places.truncate(count);
    places.into_iter().filter_map(|(number, ply)| sampled(&games[number], number, ply, unit)).collect()
}

fn sampled(game: &Game, number: usize, ply: usize, unit: f64) -> Option<Sample> {
    let shown = |(position, _, score): (Position, Move, i16)| {
        let score = normalised(Score::from_raw(score.into()), position.occupied().count());
        expected(score.raw().into(), unit)
    };
    let position = game.positions().nth(ply)?.0;
    let searched = game.positions().skip(ply).map(shown).collect();
    let result = f64::from(game.outcome.points(Color::White)) / 2.0;
    Some(Sample { game: number, position, searched, result })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{Outcome, STARTS, random_game};

    #[test]
    fn labels_mix_what_comes_later_and_the_result() {
        let position = Position::startpos();
        let sample = Sample { game: 0, position, searched: vec![0.5, 0.7, 0.2], result: 1.0 };
        assert_eq!(sample.label(0.0, 0.0), 0.5);
        // .2 and 1 make .6, .7 and .6 make .65, .5 and .65 make .575; a tenth of the result makes .6175.
        assert!((sample.label(0.5, 0.0) - 0.575).abs() < 1e-12);
        assert!((sample.label(0.5, 0.1) - 0.6175).abs() < 1e-12);
        assert_eq!((sample.label(1.0, 0.0), sample.label(0.3, 1.0)), (1.0, 1.0));
    }

    #[test]
    fn samples_are_quiet_spaced_and_of_their_game() {
        let games: Vec<Game> =
            (0..20).map(|seed| random_game(STARTS[seed % 5].parse().unwrap(), seed as u64)).collect();
        assert!(games.iter().any(|game| game.is_cut_off));
        let all = sample(&games, usize::MAX, 90.0, &mut Random::new(3));
        assert!(all.len() > 100);
        let mut places = vec![Vec::new(); games.len()];
        for sample in &all {
            let ply = games[sample.game].moves.len() - sample.searched.len();
            assert!(!games[sample.game].is_cut_off);
            let (position, mv, _) = games[sample.game].positions().nth(ply).unwrap();
            assert!(position == sample.position && is_quiet(&position, mv));
            places[sample.game].push(ply);
            let won = match games[sample.game].outcome {
                Outcome::WhiteWins => 1.0,
                Outcome::Draw => 0.5,
                Outcome::BlackWins => 0.0,
            };
            assert_eq!(sample.result, won);
        }
        for plies in &mut places {
            plies.sort_unstable();
            assert!(plies.windows(2).all(|pair| pair[1] - pair[0] >= 4) && plies.iter().all(|&ply| ply >= 2));
        }
        let few = sample(&games, 10, 90.0, &mut Random::new(3));
        let same = few.iter().zip(&all).all(|(one, other)| one.position == other.position);
        assert!(few.len() == 10 && same, "fewer are the first of more");
    }
}
