//! The time that a level lets pass before it answers, so that a person has an opponent and no machine gun: quick with a single move, a
//! recapture or a known opening, longer where there is much to choose from, and never the same.

use super::draws::Subject;
use super::levels::{Strength, matter};
use chess::{Move, Position};

/// The share of its time for a move that the lowest level takes for an ordinary move, and the one that the highest takes. Weak players
/// play fast.
const SHARES: (f64, f64) = (0.22, 0.42);

/// The spread of the time for moves alike: the standard deviation of its logarithm.
const SPREAD: f64 = 0.55;

/// Moves of the game that are known by heart, more or less.
const KNOWN_MOVES: u32 = 5;

/// The longest share.
const MAX_SHARE: f64 = 0.9;

impl Strength {
    /// The share of the time for a move that `mv` takes in `position` after `last_move`, 0 to 0.9; 0 if the level does not wait.
    pub fn pause_share(&self, position: &Position, last_move: Option<Move>, mv: Move) -> f64 {
        if !self.waits {
            return 0.0;
        }
        let strength = f64::from(self.elo - super::MIN_ELO) / f64::from(super::MAX_ELO - super::MIN_ELO);
        let ordinary = SHARES.0 + (SHARES.1 - SHARES.0) * strength;
        let spread = (SPREAD * self.draws.normal(Subject::Pause, matter(position))).exp();
        (ordinary * difficulty(position, last_move, mv) * spread).min(MAX_SHARE)
    }
}

/// How much there is to think about: 1 for an ordinary move.
fn difficulty(position: &Position, last_move: Option<Move>, mv: Move) -> f64 {
    let moves = position.legal_moves();
    let recaptures = last_move.is_some_and(|last| mv.is_capture() && mv.capture_square() == last.to());
    match moves.len() {
        0 | 1 => return 0.15,
        _ if recaptures => return 0.35,
        2..=4 => return 0.6,
        _ => {}
    }
    let captures = moves.iter().filter(|mv| mv.is_capture()).count() as f64;
    let choice = 0.7 + 0.1 * captures.min(6.0) + 0.01 * (moves.len() as f64 - 25.0).clamp(-10.0, 20.0);
    let threatened = if position.is_threatened() { 0.3 } else { 0.0 };
    let known = if position.fullmove_number() <= KNOWN_MOVES { 0.4 } else { 1.0 };
    known * (choice + threatened)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean share over many games.
    fn mean(elo: i32, fen: &str, last: Option<(&str, &str)>, mv: &str) -> f64 {
        let position: Position = fen.parse().unwrap();
        let mv = position.parse_uci(mv).unwrap();
        let last = last.map(|(fen, mv)| fen.parse::<Position>().unwrap().parse_uci(mv).unwrap());
        let share = |seed| Strength::of_elo(elo).with_draws(seed, true).pause_share(&position, last, mv);
        (0..400).map(share).sum::<f64>() / 400.0
    }

    const MIDDLEGAME: &str = "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQkq - 0 8";

    #[test]
    fn times_vary_with_the_position_the_level_and_the_game() {
        let ordinary = mean(900, MIDDLEGAME, None, "e1g1");
        let before = "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQkq - 0 8";
        let after = "r1bqk2r/pp2bppp/2n1pn2/3p4/3p1B2/2PBPN2/PP1N1PPP/R2QK2R w KQkq - 0 9";
        let recapture = mean(900, after, Some((before, "c5d4")), "c3d4");
        let single = mean(900, "7k/8/5K2/8/8/8/8/6R1 b - - 0 40", None, "h8h7");
        assert!(single < recapture && recapture < 0.6 * ordinary, "{single} {recapture} {ordinary}");
        assert!(ordinary < mean(2500, MIDDLEGAME, None, "e1g1"));
        let position: Position = MIDDLEGAME.parse().unwrap();
        let castles = position.parse_uci("e1g1").unwrap();
        let share = |seed| Strength::of_elo(900).with_draws(seed, true).pause_share(&position, None, castles);
        assert!((0..400).all(|seed| (0.01..=MAX_SHARE).contains(&share(seed))) && share(1) != share(2));
        assert_eq!(Strength::of_elo(900).with_draws(1, false).pause_share(&position, None, castles), 0.0);
    }
}
