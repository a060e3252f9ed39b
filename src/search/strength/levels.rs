//! The levels: the limits of play by Elo.
//!
//! From 1300 Elo on a level searches few nodes, and up to 2200 its move is drawn among the best lines: one that loses x centipawns against
//! the best one is drawn exp(-x / temperature) times as often, and never if x is more than the level's maximum loss. Below 1300 a level
//! thinks as a [`Beginner`].

use super::draws::{Draws, Subject};
use super::thinking::Beginner;
use crate::eval::mates_lone_king;
use crate::score::Score;
use chess::random::mix;
use chess::{PieceType, Position};

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
    /// The way of thinking that takes the place of the search; `None` from 1300 Elo on.
    pub beginner: Option<Beginner>,
    /// The Elo.
    pub elo: i32,
    /// The source of all draws.
    pub draws: Draws,
    /// True if the answer may wait a little on the clock, as a person's does.
    pub waits: bool,
}

/// A calibrated level of search. Between two of them, nodes are interpolated geometrically and the rest linearly.
struct Level {
    elo: i32,
    nodes: u64,
    lines: usize,
    temperature: f64,
    max_loss: i32,
}

const fn level(elo: i32, nodes: u64, lines: usize, temperature: f64, max_loss: i32) -> Level {
    Level { elo, nodes, lines, temperature, max_loss }
}

/// The levels of search: Elo, nodes, lines, temperature, maximum loss. Set so that each scores within 60 Elo of 100 against the one
/// below, and anchored to Stockfish's skill levels, on whose scale the Elo roughly are: docs/strength.md has the results.
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

/// The numbers of play against a lone king.
struct Technique {
    nodes: u64,
    lines: usize,
    temperature: f64,
    max_loss: i32,
}

/// The weakest play against a lone king of a level that searches: errors of a king's step, and none that lets the material go or
/// stalemates.
const LONE_KING_TECHNIQUE: Technique = Technique { nodes: 2000, lines: 3, temperature: 20.0, max_loss: 60 };

/// That of the lowest level.
const WEAKEST_LONE_KING_TECHNIQUE: Technique =
    Technique { nodes: 2000, lines: 8, temperature: 70.0, max_loss: 200 };

/// The choice in the first moves of a game at levels that play the best line elsewhere: small losses, paid for with nodes.
struct Opening {
    nodes_factor: u64,
    lines: usize,
    temperature: f64,
    max_loss: i32,
}

const OPENING: Opening = Opening { nodes_factor: 3, lines: 3, temperature: 10.0, max_loss: 25 };

/// The moves that count as the opening.
const OPENING_MOVES: u32 = 6;

/// The standard deviation of the nodes for a move, as share, at levels that play the best line.
const NODES_SPREAD: f64 = 0.1;

/// Against a lone king a level errs no more from this count of the fifty-move rule on: what is left, thirty moves, is enough for every
/// such mate.
const LONE_KING_MAX_CLOCK: u32 = 40;

/// The least nodes for a move from then on.
const LONE_KING_MIN_NODES: u64 = 10_000;

/// A calibrated level of a beginner. Between two of them everything is interpolated linearly.
struct BeginnerLevel {
    elo: i32,
    beginner: Beginner,
}

const fn beginner(elo: i32, misses: f64, lapses: f64, plies: f64, error: f64, plan: f64) -> BeginnerLevel {
    BeginnerLevel { elo, beginner: Beginner { misses, lapses, plies, error, plan } }
}

/// The levels of beginners: Elo, misses, lapses, plies, error, plan. The first and the last row are there for games in bad and good form.
/// docs/strength.md has the matches by which they were set.
const BEGINNERS: [BeginnerLevel; 9] = [
    beginner(500, 1.3, 1.0, 1.0, 108.0, 68.0),
    beginner(600, 0.955, 0.92, 1.0, 81.0, 51.0),
    beginner(700, 0.65, 0.55, 1.1, 66.0, 39.0),
    beginner(800, 0.455, 0.35, 1.27, 56.5, 33.0),
    beginner(900, 0.287, 0.187, 1.62, 46.0, 26.0),
    beginner(1000, 0.184, 0.106, 2.0, 37.0, 20.0),
    beginner(1100, 0.113, 0.057, 2.47, 29.0, 15.5),
    beginner(1200, 0.076, 0.035, 2.75, 25.0, 13.0),
    beginner(1300, 0.05, 0.021, 3.0, 22.0, 11.0),
];

/// The standard deviation of a beginner's form from game to game, in Elo of the table: people have good and bad days, and a level that is
/// always the same would win nearly every game against the one below.
const FORM: f64 = 100.0;

/// Nodes that a beginner's thinking never needs but in the wildest positions.
const BEGINNER_NODES: u64 = 50_000;

/// The minimum `UCI_Elo`.
pub const MIN_ELO: i32 = 600;

/// The Elo from which on a level searches.
const FIRST_SEARCH_ELO: i32 = LEVELS[0].elo;

/// The maximum `UCI_Elo`.
pub const MAX_ELO: i32 = LEVELS[LEVELS.len() - 1].elo;

/// The `UCI_Elo` before it is set: that of many players of clubs.
pub const DEFAULT_ELO: i32 = 1700;

/// The `Skill Level` of full strength. Those below are equal steps of Elo from [`MIN_ELO`] on.
pub const TOP_SKILL_LEVEL: i32 = 20;

impl Strength {
    /// The limits for a number of Elo; a number outside [`MIN_ELO`] and [`MAX_ELO`] is clamped. The draws are those of seed 0, and the
    /// answers do not wait, until [`Self::with_draws`] says otherwise.
    pub fn of_elo(elo: i32) -> Strength {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let (from, to, part) = neighbours(&LEVELS, |level| level.elo, elo.into());
        let between = |from: f64, to: f64| from + (to - from) * part;
        let beginner = (elo < FIRST_SEARCH_ELO).then(|| Beginner::of_elo(f64::from(elo)));
        let nodes = between((from.nodes as f64).ln(), (to.nodes as f64).ln()).exp().round() as u64;
        Strength {
            nodes: if beginner.is_some() { BEGINNER_NODES } else { nodes },
            lines: between(from.lines as f64, to.lines as f64).round() as usize,
            temperature: between(from.temperature, to.temperature),
            max_loss: between(f64::from(from.max_loss), f64::from(to.max_loss)).round() as i32,
            beginner,
            elo,
            draws: Draws::new(0),
            waits: false,
        }
    }

    /// The limits of a skill level from 0 to 20; `None` for the top one, which is full strength.
    pub fn of_skill_level(level: i32) -> Option<Strength> {
        let elo = MIN_ELO + (MAX_ELO - MIN_ELO) * level / TOP_SKILL_LEVEL;
        (level < TOP_SKILL_LEVEL).then(|| Strength::of_elo(elo))
    }

    /// The same limits with the draws of `seed`, among them a beginner's form in this game, and with answers that wait a little on the clock if `waits`.
    pub fn with_draws(self, seed: u64, waits: bool) -> Strength {
        let draws = Draws::new(seed);
        let form = FORM * draws.normal(Subject::Form, 0);
        let beginner = self.beginner.map(|_| Beginner::of_elo(f64::from(self.elo) + form));
        Strength { draws, waits, beginner, ..self }
    }

    /// The limits in `position`: technique against a lone king, variety in the opening, and elsewhere those of the level, whose nodes vary
    /// a little where it always plays the best line: so that no game is like another.
    pub fn at(self, position: &Position) -> Strength {
        if mates_lone_king(position) || has_won_against_a_lone_king(position) {
            return self.against_a_lone_king(position);
        }
        if self.beginner.is_some() {
            return self;
        }
        if position.fullmove_number() <= OPENING_MOVES && self.lines < OPENING.lines {
            return Strength {
                nodes: self.nodes * OPENING.nodes_factor,
                lines: OPENING.lines,
                temperature: self.temperature.max(OPENING.temperature),
                max_loss: self.max_loss.max(OPENING.max_loss),
                ..self
            };
        }
        let spread = if self.lines == 1 {
            NODES_SPREAD * self.draws.normal(Subject::Nodes, matter(position))
        } else {
            0.0
        };
        Strength { nodes: (self.nodes as f64 * (1.0 + spread)) as u64, ..self }
    }

    /// The technique that every book teaches, where the side to move mates a lone king by force. Mop-up evaluation differs by no more than
    /// some 200 centipawns from move to move, which a weak level's temperature would drown.
    fn against_a_lone_king(self, position: &Position) -> Strength {
        if position.halfmove_clock() >= LONE_KING_MAX_CLOCK {
            return Strength { nodes: self.nodes.max(LONE_KING_MIN_NODES), lines: 1, beginner: None, ..self };
        }
        // How far the level is below the first that searches: 0 from there on, 1 for the lowest.
        let clumsy = f64::from((FIRST_SEARCH_ELO - self.elo).max(0)) / f64::from(FIRST_SEARCH_ELO - MIN_ELO);
        let technique = |normal: f64, weakest: f64| normal + (weakest - normal) * clumsy;
        let temperature = technique(LONE_KING_TECHNIQUE.temperature, WEAKEST_LONE_KING_TECHNIQUE.temperature);
        let max_loss =
            technique(LONE_KING_TECHNIQUE.max_loss.into(), WEAKEST_LONE_KING_TECHNIQUE.max_loss.into())
                as i32;
        Strength {
            nodes: if self.beginner.is_some() {
                LONE_KING_TECHNIQUE.nodes
            } else {
                self.nodes.max(LONE_KING_TECHNIQUE.nodes)
            },
            lines: self.lines.min(
                technique(LONE_KING_TECHNIQUE.lines as f64, WEAKEST_LONE_KING_TECHNIQUE.lines as f64).round()
                    as usize,
            ),
            temperature: (self.temperature / 4.0).clamp(1.0, temperature),
            max_loss: (self.max_loss / 3).min(max_loss),
            beginner: None,
            ..self
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
        let mut left = weights.iter().sum::<f64>() * self.draws.unit(Subject::Line, matter(position));
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }
}

impl Beginner {
    /// The beginner of a number of Elo.
    fn of_elo(elo: f64) -> Beginner {
        let (from, to, part) = neighbours(&BEGINNERS, |level| level.elo, elo);
        let between = |number: fn(&Beginner) -> f64| {
            let (from, to) = (number(&from.beginner), number(&to.beginner));
            from + (to - from) * part
        };
        Beginner {
            misses: between(|beginner| beginner.misses),
            lapses: between(|beginner| beginner.lapses),
            plies: between(|beginner| beginner.plies),
            error: between(|beginner| beginner.error),
            plan: between(|beginner| beginner.plan),
        }
    }
}

/// The neighbours of `elo` in a table, and how far it is on the way from the one to the other, 0 to 1.
fn neighbours<T>(table: &[T], elo_of: impl Fn(&T) -> i32, elo: f64) -> (&T, &T, f64) {
    let elo_of = |level: &T| f64::from(elo_of(level));
    let elo = elo.clamp(elo_of(&table[0]), elo_of(&table[table.len() - 1]));
    let above = table.iter().position(|level| elo_of(level) >= elo).unwrap_or(0).max(1);
    let (from, to) = (&table[above - 1], &table[above]);
    (from, to, (elo - elo_of(from)) / (elo_of(to) - elo_of(from)))
}

/// True if the opponent has his king alone and the side to move has a queen or a rook, with or without pawns.
fn has_won_against_a_lone_king(position: &Position) -> bool {
    let us = position.side_to_move();
    let heavy = position.pieces(us, PieceType::Queen) | position.pieces(us, PieceType::Rook);
    position.color(!us).count() == 1 && !heavy.is_empty()
}

/// What a draw about a move of the game is about: the position and the number of the move.
pub fn matter(position: &Position) -> u64 {
    position.key() ^ mix(u64::from(position.fullmove_number()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_never_weaker_and_levels_are_met() {
        for level in &LEVELS {
            let met = Strength::of_elo(level.elo);
            assert_eq!((met.lines, met.max_loss), (level.lines, level.max_loss));
            assert_eq!((met.nodes, met.beginner), (level.nodes, None));
        }
        for level in BEGINNERS.iter().filter(|level| (MIN_ELO..FIRST_SEARCH_ELO).contains(&level.elo)) {
            assert_eq!(Strength::of_elo(level.elo).beginner, Some(level.beginner));
        }
        let all: Vec<Strength> = (MIN_ELO..=MAX_ELO).map(Strength::of_elo).collect();
        for pair in all.windows(2) {
            match (pair[0].beginner, pair[1].beginner) {
                (Some(weak), Some(strong)) => {
                    assert!(weak.misses >= strong.misses && weak.lapses >= strong.lapses);
                    assert!(weak.plies <= strong.plies && weak.error >= strong.error);
                }
                (Some(_), None) => assert_eq!(pair[1].elo, 1300),
                _ => assert!(pair[0].nodes <= pair[1].nodes),
            }
            assert!(pair[0].lines >= pair[1].lines && pair[0].temperature >= pair[1].temperature);
            assert!(pair[0].max_loss >= pair[1].max_loss);
        }
        assert_eq!(Strength::of_elo(i32::MIN), all[0]);
        assert_eq!(Strength::of_skill_level(0), Some(all[0]));
        assert_eq!(Strength::of_skill_level(20), None);
    }

    #[test]
    fn against_a_lone_king_errors_are_small_and_elsewhere_as_ever() {
        let searcher = Strength::of_elo(FIRST_SEARCH_ELO);
        let at = |level: Strength, fen: &str| level.at(&fen.parse().unwrap());
        for lost_or_not_yet_won in [
            "8/8/4k3/8/8/3K4/8/7R b - - 0 11",
            "8/8/4k2p/8/8/3K4/8/7R w - - 0 11",
            "8/8/4k3/8/8/3K4/8/6NN w - - 0 11",
        ] {
            assert_eq!(at(searcher, lost_or_not_yet_won), searcher);
            assert!(at(Strength::of_elo(MIN_ELO), lost_or_not_yet_won).beginner.is_some());
        }
        let won = at(searcher, "8/8/4k3/8/8/3K4/8/7R w - - 0 11");
        assert!(won.max_loss < 100 && won.nodes >= 1000 && won.lines > 1);
        let weakest = at(Strength::of_elo(MIN_ELO), "8/8/4k3/8/8/3K4/8/7R w - - 0 11");
        assert!(weakest.beginner.is_none() && weakest.max_loss < 300 && weakest.max_loss > won.max_loss);
        assert!(at(Strength::of_elo(MIN_ELO), "8/8/4k3/8/8/3K4/P7/7R w - - 0 11").beginner.is_none());
        let strongest = Strength::of_elo(MAX_ELO);
        assert_eq!(at(strongest, "8/8/4k3/8/8/3K4/8/7R w - - 0 11"), strongest);
        for level in [searcher, Strength::of_elo(MIN_ELO)] {
            let late = at(level, "8/8/4k3/8/8/3K4/8/7R w - - 41 90");
            assert!(late.lines == 1 && late.nodes >= 10_000, "the fifty moves are near");
        }
    }

    #[test]
    fn the_best_move_is_played_most_and_a_great_loss_never() {
        let strength = Strength { lines: 3, temperature: 50.0, max_loss: 100, ..Strength::of_elo(1300) };
        let scores = [Score::cp(40), Score::cp(0), Score::cp(-100), Score::cp(39)];
        let mut played = [0; 4];
        let position = Position::startpos();
        for seed in 0..1000 {
            played[strength.with_draws(seed, false).choose(&scores, &position)] += 1;
        }
        assert!(played[0] > 600 && played[1] > 200, "{played:?}");
        assert_eq!(played[2..], [0, 0], "one loses too much, the other is not among the lines");
        assert_eq!(strength.choose(&scores, &position), strength.choose(&scores, &position));
        assert_eq!(strength.choose(&[Score::mate_in(3), Score::mate_in(5)], &position), 0);
        assert_eq!(strength.choose(&[], &position), 0);
    }

    #[test]
    fn levels_that_play_the_best_line_vary_too() {
        let strongest = Strength::of_elo(MAX_ELO);
        let opening = strongest.at(&Position::startpos());
        assert!(opening.lines > 1 && opening.max_loss < 40 && opening.nodes > strongest.nodes);
        let later: Position =
            "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQkq - 0 8".parse().unwrap();
        let nodes: Vec<u64> =
            (0..20).map(|seed| strongest.with_draws(seed, false).at(&later).nodes).collect();
        assert!(nodes.iter().all(|nodes| nodes.abs_diff(strongest.nodes) < strongest.nodes / 2));
        assert!(nodes.iter().any(|&other| other != nodes[0]), "{nodes:?}");
    }

    #[test]
    fn a_beginner_has_good_and_bad_days() {
        let misses = |seed| Strength::of_elo(900).with_draws(seed, false).beginner.unwrap().misses;
        let of = |elo| Strength::of_elo(elo).beginner.unwrap().misses;
        let days: Vec<f64> = (0..100).map(misses).collect();
        assert!(days.iter().any(|&day| day < of(1000)) && days.iter().any(|&day| day > of(800)));
    }
}
