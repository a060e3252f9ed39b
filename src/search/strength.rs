//! Limited strength (`UCI_LimitStrength`, `UCI_Elo`, `Skill Level`): few nodes for a move, and at the lower levels a move
//! drawn among the best lines.
//!
//! A move that loses x centipawns against the best one is drawn exp(-x / temperature) times as often, and never if x is more
//! than the level's maximum loss; so weak levels err often and a little, as people do, and do not give away pieces that the
//! search sees hanging. Draws depend on the position and the number of the move alone: the same game gets the same answers.

use crate::eval::mates_lone_king;
use crate::score::Score;
use chess::Position;
use chess::random::{Random, mix};

/// The limits of play at one strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Nodes for a move.
    pub nodes: u64,
    /// The number of best lines among which the move is drawn.
    pub lines: usize,
    /// The loss in centipawns at which a move is drawn 1/e as often as the best one.
    pub temperature: f64,
    /// The maximum loss of a move in centipawns.
    pub max_loss: i32,
}

/// A calibrated level. Between two of them, nodes are interpolated geometrically and the rest linearly.
struct Level {
    elo: i32,
    strength: Strength,
}

const fn level(elo: i32, nodes: u64, lines: usize, temperature: f64, max_loss: i32) -> Level {
    Level { elo, strength: Strength { nodes, lines, temperature, max_loss } }
}

/// The levels: Elo, nodes, lines, temperature, maximum loss. Set so that each scores within 60 Elo of 100 against the one
/// below, and anchored to Stockfish's skill levels, on whose scale the Elo roughly are: the section on levels of
/// docs/strength.md has the errors, docs/log/strength.md the games.
const LEVELS: [Level; 17] = [
    level(1300, 150, 12, 260.0, 450),
    level(1400, 215, 9, 120.0, 285),
    level(1500, 300, 7, 70.0, 200),
    level(1600, 300, 6, 56.0, 168),
    level(1700, 300, 5, 42.0, 135),
    level(1800, 335, 5, 30.0, 98),
    level(1900, 375, 4, 20.0, 65),
    level(2000, 430, 3, 15.0, 55),
    level(2100, 600, 3, 9.0, 36),
    level(2200, 665, 2, 5.0, 20),
    level(2300, 780, 1, 1.0, 0),
    level(2400, 1220, 1, 1.0, 0),
    level(2500, 1980, 1, 1.0, 0),
    level(2600, 3150, 1, 1.0, 0),
    level(2700, 5100, 1, 1.0, 0),
    level(2800, 8800, 1, 1.0, 0),
    level(2900, 16_000, 1, 1.0, 0),
];

/// The weakest play against a lone king: errors of a king's step, and none that lets the material go or stalemates.
const TECHNIQUE: Strength = Strength { nodes: 2000, lines: 3, temperature: 20.0, max_loss: 60 };

/// Against a lone king a level errs no more from this count of the fifty-move rule on: what is left, thirty moves, is enough for every
/// such mate.
const PATIENT_PLIES: u32 = 40;

/// The least nodes for a move from then on.
const CARE_NODES: u64 = 10_000;

/// The minimum `UCI_Elo`.
pub const MIN_ELO: i32 = LEVELS[0].elo;

/// The maximum `UCI_Elo`.
pub const MAX_ELO: i32 = LEVELS[LEVELS.len() - 1].elo;

/// The `UCI_Elo` before it is set: that of many players of clubs.
pub const DEFAULT_ELO: i32 = 1700;

/// The `Skill Level` of full strength. Those below are equal steps of Elo from [`MIN_ELO`] on.
pub const TOP_SKILL_LEVEL: i32 = 20;

impl Strength {
    /// The limits for a number of Elo; a number outside [`MIN_ELO`] and [`MAX_ELO`] is clamped.
    pub fn of_elo(elo: i32) -> Strength {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(0).max(1);
        let (from, to) = (&LEVELS[above - 1], &LEVELS[above]);
        let part = f64::from(elo - from.elo) / f64::from(to.elo - from.elo);
        let (from, to) = (&from.strength, &to.strength);
        let between = |from: f64, to: f64| from + (to - from) * part;
        Strength {
            nodes: between((from.nodes as f64).ln(), (to.nodes as f64).ln()).exp().round() as u64,
            lines: between(from.lines as f64, to.lines as f64).round() as usize,
            temperature: between(from.temperature, to.temperature),
            max_loss: between(f64::from(from.max_loss), f64::from(to.max_loss)).round() as i32,
        }
    }

    /// The limits of a skill level from 0 to 20; `None` for the top one, which is full strength.
    pub fn of_skill_level(level: i32) -> Option<Strength> {
        let elo = MIN_ELO + (MAX_ELO - MIN_ELO) * level / TOP_SKILL_LEVEL;
        (level < TOP_SKILL_LEVEL).then(|| Strength::of_elo(elo))
    }

    /// The limits in `position`: where the side to move mates a lone king by force, the technique that every book teaches. Mop-up
    /// evaluation differs by no more than some 200 centipawns from move to move, which a weak level's temperature would drown.
    pub fn at(self, position: &Position) -> Strength {
        if !mates_lone_king(position) {
            return self;
        }
        if position.halfmove_clock() >= PATIENT_PLIES {
            return Strength { nodes: self.nodes.max(CARE_NODES), lines: 1, ..self };
        }
        Strength {
            nodes: self.nodes.max(TECHNIQUE.nodes),
            lines: self.lines.min(TECHNIQUE.lines),
            temperature: (self.temperature / 4.0).clamp(1.0, TECHNIQUE.temperature),
            max_loss: (self.max_loss / 3).min(TECHNIQUE.max_loss),
        }
    }

    /// The index of the line to play, from the scores of the lines, the best first. A proven win is played as it is.
    pub fn choose(&self, scores: &[Score], position: &Position) -> usize {
        let Some(&best) = scores.first() else { return 0 };
        if best.is_decisive() {
            return 0;
        }
        let weight = |&score: &Score| {
            let loss = best - score;
            if loss > self.max_loss { 0.0 } else { (-f64::from(loss.max(0)) / self.temperature).exp() }
        };
        let weights: Vec<f64> = scores.iter().take(self.lines).map(weight).collect();
        let mut left = weights.iter().sum::<f64>() * random(position).unit();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }
}

/// The pseudo-random numbers that the position and the number of the move decide.
fn random(position: &Position) -> Random {
    Random::new(position.key() ^ mix(u64::from(position.fullmove_number())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_never_weaker_and_levels_are_met() {
        for level in &LEVELS {
            assert_eq!(Strength::of_elo(level.elo), level.strength);
        }
        let all: Vec<Strength> = (MIN_ELO..=MAX_ELO).map(Strength::of_elo).collect();
        for pair in all.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].max_loss >= pair[1].max_loss);
            assert!(pair[0].lines >= pair[1].lines && pair[0].temperature >= pair[1].temperature);
        }
        assert_eq!(Strength::of_elo(i32::MIN), all[0]);
        assert_eq!(Strength::of_skill_level(0), Some(all[0]));
        assert_eq!(Strength::of_skill_level(20), None);
    }

    #[test]
    fn against_a_lone_king_errors_are_small_and_elsewhere_as_ever() {
        let weakest = Strength::of_elo(MIN_ELO);
        let strength = |fen: &str| weakest.at(&fen.parse().unwrap());
        for lost_or_not_yet_won in [
            "8/8/4k3/8/8/3K4/8/7R b - - 0 1",
            "8/8/4k2p/8/8/3K4/8/7R w - - 0 1",
            "8/8/4k3/8/8/3K4/8/6NN w - - 0 1",
        ] {
            assert_eq!(strength(lost_or_not_yet_won), weakest);
        }
        let won = strength("8/8/4k3/8/8/3K4/8/7R w - - 0 1");
        assert!(won.max_loss < 100 && won.nodes >= 1000 && won.lines > 1);
        let strongest = Strength::of_elo(MAX_ELO);
        assert_eq!(strongest.at(&"8/8/4k3/8/8/3K4/8/7R w - - 0 1".parse().unwrap()), strongest);
        let late = strength("8/8/4k3/8/8/3K4/8/7R w - - 41 90");
        assert!(late.lines == 1 && late.nodes >= 10_000, "the fifty moves are near");
    }

    #[test]
    fn the_best_move_is_played_most_and_a_great_loss_never() {
        let strength = Strength { nodes: 1, lines: 3, temperature: 50.0, max_loss: 100 };
        let scores = [Score::cp(40), Score::cp(0), Score::cp(-100), Score::cp(39)];
        let mut played = [0; 4];
        let mut position = Position::startpos();
        for number in 0..1000 {
            let moves = position.legal_moves();
            position = match moves.is_empty() {
                true => Position::startpos(),
                false => position.after(moves[number % moves.len()]),
            };
            played[strength.choose(&scores, &position)] += 1;
        }
        assert!(played[0] > 600 && played[1] > 200, "{played:?}");
        assert_eq!(played[2..], [0, 0], "one loses too much, the other is not among the lines");
        let position = Position::startpos();
        assert_eq!(strength.choose(&scores, &position), strength.choose(&scores, &position));
        assert_eq!(strength.choose(&[Score::mate_in(3), Score::mate_in(5)], &position), 0);
        assert_eq!(strength.choose(&[], &position), 0);
    }
}
