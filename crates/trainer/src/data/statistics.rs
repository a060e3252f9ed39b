//! Statistics of the positions of a file of games, as far as they decide what can be learned from them.

use super::convert::game_records;
use super::game::ScoredGame;
use crate::train::filter::Filter;
use std::fmt;
use std::ops::AddAssign;

/// The largest number of pieces of each group of positions.
const MAX_PIECES: [u32; 5] = [8, 14, 20, 26, 32];
/// Scores in centipawns from which on a position is not balanced any more.
const BALANCED: u16 = 150;

/// Counts over games and the positions before their moves.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Games that were played to their end.
    pub games: u64,
    /// Branches that were cut off.
    pub branches: u64,
    /// Black wins, draws, White wins of the games.
    pub outcomes: [u64; 3],
    /// Positions.
    pub positions: u64,
    /// Positions that [`Filter::STANDARD`] keeps as records.
    pub records: u64,
    /// Positions with a score within 150 centipawns of a draw.
    pub balanced: u64,
    /// Positions with up to 8, 14, 20, 26 and 32 pieces, pawns and kings included.
    pub by_pieces: [u64; MAX_PIECES.len()],
}

impl Statistics {
    /// Counts a game and its positions.
    pub fn add(&mut self, game: &ScoredGame) {
        if game.is_cut_off {
            self.branches += 1;
        } else {
            self.games += 1;
            self.outcomes[game.outcome as usize] += 1;
        }
        self.records += game_records(game).filter(|board| Filter::STANDARD.keeps(board)).count() as u64;
        for (position, _, score) in game.positions() {
            self.positions += 1;
            self.balanced += u64::from(score.unsigned_abs() <= BALANCED);
            let pieces = position.occupied().count();
            let group = MAX_PIECES.iter().position(|&most| pieces <= most).unwrap_or(MAX_PIECES.len() - 1);
            self.by_pieces[group] += 1;
        }
    }

    fn share(&self, positions: u64) -> f64 {
        100.0 * positions as f64 / self.positions.max(1) as f64
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        let Statistics { games, branches, outcomes, positions, records, balanced, by_pieces } = other;
        let counts = [
            (&mut self.games, games),
            (&mut self.branches, branches),
            (&mut self.positions, positions),
            (&mut self.records, records),
            (&mut self.balanced, balanced),
        ];
        let outcomes = self.outcomes.iter_mut().zip(outcomes);
        let groups = self.by_pieces.iter_mut().zip(by_pieces);
        counts.into_iter().chain(outcomes).chain(groups).for_each(|(sum, count)| *sum += count);
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |games: u64| 100.0 * games as f64 / self.games.max(1) as f64;
        let [black, draws, white] = self.outcomes.map(share);
        write!(f, "games: White wins {white:.1}%, draws {draws:.1}%, Black wins {black:.1}%")?;
        match self.branches {
            0 => writeln!(f)?,
            branches => writeln!(f, "; beside them {branches} branches")?,
        }
        let records = self.share(self.records);
        writeln!(f, "records: {} ({records:.1}% of the positions)", self.records)?;
        writeln!(f, "positions: balanced (within {BALANCED} centipawns) {:.1}%", self.share(self.balanced))?;
        write!(f, "positions by pieces:")?;
        let mut least = 2;
        for (most, positions) in MAX_PIECES.into_iter().zip(self.by_pieces) {
            write!(f, " {least}-{most} {:.1}%", self.share(positions))?;
            least = most + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::{GameResult, STARTS, random_game};

    #[test]
    fn shares_are_of_games_and_of_positions() {
        let mut full = random_game(STARTS[0].parse().unwrap(), 1);
        let mut few = random_game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap(), 1);
        full.moves.truncate(3);
        few.moves.truncate(1);
        (full.outcome, few.outcome) = (GameResult::Draw, GameResult::WhiteWins);
        let branch = ScoredGame { moves: Vec::new(), is_cut_off: true, ..full.clone() };
        full.moves
            .iter_mut()
            .chain(&mut few.moves)
            .zip([-150, 151, -31_000, 150])
            .for_each(|(m, score)| m.1 = score);
        let mut statistics = Statistics::default();
        statistics.add(&full);
        statistics.add(&few);
        statistics.add(&branch);
        assert_eq!((statistics.balanced, statistics.by_pieces), (2, [1, 0, 0, 0, 3]));
        assert_eq!(statistics.records, 0, "they are all among the first plies");
        let mut twice = statistics.clone();
        twice += statistics.clone();
        assert_eq!((twice.games, twice.branches, twice.positions), (4, 2, 8));
        assert_eq!((twice.outcomes, twice.by_pieces), ([0, 2, 2], [2, 0, 0, 0, 6]));
        let text = statistics.to_string();
        for part in [
            "draws 50.0%",
            "1 branches",
            "balanced (within 150 centipawns) 50.0%",
            "2-8 25.0%",
            "27-32 75.0%",
            "records: 0 (0.0% of the positions)",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
