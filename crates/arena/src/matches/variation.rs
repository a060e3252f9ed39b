//! Options and rules drawn anew for every game, for soaks: a program is most likely to stumble where something has just changed.

use crate::play::game::Rules;
use crate::play::openings::Opening;
use crate::play::player::OptionInfo;
use crate::play::spec::is_same_option;
use chess::random::Random;
use shakmaty::ByColor;

/// Names and values of UCI options, in the order in which they are set.
pub type OptionValues = Vec<(String, String)>;

/// Spin options with the values to draw from; those that are drawn often stand there often.
const SPINS: [(&str, &[i64]); 4] = [
    ("Threads", &[1, 1, 1, 2, 2, 3, 4, 8]),
    ("Hash", &[1, 2, 4, 8, 16, 32, 64, 128]),
    ("MultiPV", &[1, 1, 1, 2, 5]),
    ("Move Overhead", &[20, 30, 50, 100]),
];

/// One in this many pairs of games is Chess960.
const CHESS960_IN: usize = 3;

/// One in this many games begins without `ucinewgame`.
const GOES_ON_IN: usize = 4;

/// Before one in this many games the table is cleared by its button.
const CLEARED_IN: usize = 4;

/// A source of conditions for games between engines that offer certain options.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Seed of all draws: the same game of the same seed has the same conditions.
    pub seed: u64,
    /// The options of each engine that may be drawn.
    pub offered: Vec<Vec<OptionInfo>>,
}

/// The conditions of one game.
#[derive(Clone, Debug)]
pub struct GameConditions {
    /// The opening.
    pub opening: Opening,
    /// The rules.
    pub rules: Rules,
    /// Options to set before the game, besides those that the engines always have; empty unless they are drawn.
    pub options: ByColor<OptionValues>,
}

impl GameConditions {
    /// The drawn options of White and of Black as text, nothing if none were drawn.
    pub fn words(&self) -> Vec<String> {
        if self.options.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let side = |options: &OptionValues| {
            let words = options.iter().map(|(name, value)| format!("{name}={value}"));
            words.collect::<Vec<_>>().join(", ")
        };
        let mut words: Vec<String> = self.options.iter().map(side).collect();
        if self.rules.goes_on {
            words.push("no ucinewgame".to_owned());
        }
        words
    }
}

impl Variation {
    /// True if Chess960 is played in this game and in the other one of its pair.
    pub fn is_chess960(&self, number: usize) -> bool {
        let known = |name| self.offered.iter().all(|engine| find(engine, name).is_some());
        known("UCI_Chess960") && self.random(number / 2, 0).below(CHESS960_IN) == 0
    }

    /// True if no `ucinewgame` is sent before this game.
    pub fn goes_on(&self, number: usize) -> bool {
        self.random(number, 1).below(GOES_ON_IN) == 0
    }

    /// The options of an engine for a game, in random order, and whether it is to ponder.
    pub fn options(&self, number: usize, engine: usize, chess960: bool) -> (OptionValues, bool) {
        let mut random = self.random(number, 2 + engine as u64);
        let offered = &self.offered[engine];
        let mut options = OptionValues::new();
        for (name, values) in SPINS {
            let value = values[random.below(values.len())];
            if let Some(option) = find(offered, name) {
                let (least, most) = option.range.unwrap_or((i64::MIN, i64::MAX));
                options.push((option.name.clone(), value.clamp(least, most.max(least)).to_string()));
            }
        }
        let ponder = random.below(2) == 0 && find(offered, "Ponder").is_some();
        for (name, value) in
            [("Ponder", ponder), ("UCI_ShowWDL", random.below(2) == 0), ("UCI_Chess960", chess960)]
        {
            options.extend(find(offered, name).map(|option| (option.name.clone(), value.to_string())));
        }
        if random.below(CLEARED_IN) == 0 {
            options.extend(find(offered, "Clear Hash").map(|option| (option.name.clone(), String::new())));
        }
        random.shuffle(&mut options);
        (options, ponder)
    }

    /// A generator for one purpose in one game.
    fn random(&self, number: usize, purpose: u64) -> Random {
        let mut random = Random::new(self.seed);
        for part in [number as u64, purpose] {
            random = Random::new(random.bits() ^ part.wrapping_mul(0x2545_f491_4f6c_dd1d));
        }
        random
    }
}

fn find<'o>(offered: &'o [OptionInfo], name: &str) -> Option<&'o OptionInfo> {
    offered.iter().find(|option| is_same_option(&option.name, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, range: Option<(i64, i64)>) -> OptionInfo {
        let (name, default) = (name.to_owned(), String::new());
        OptionInfo { name, kind: String::new(), default, range, values: Vec::new() }
    }

    fn variation(seed: u64) -> Variation {
        let all = vec![option("hash", Some((2, 16))), option("Ponder", None), option("UCI_Chess960", None)];
        Variation { seed, offered: vec![all.clone(), all[..1].to_vec()] }
    }

    #[test]
    fn the_same_game_of_the_same_seed_has_the_same_options_and_others_have_others() {
        let draw = |seed, number| variation(seed).options(number, 0, false);
        assert_eq!(draw(1, 7), draw(1, 7));
        let differs = |draws: Vec<_>| draws.windows(2).any(|two| two[0] != two[1]);
        assert!(differs((0..9).map(|number| draw(1, number)).collect()));
        assert!(differs((0..9).map(|seed| draw(seed, 1)).collect()));
    }

    #[test]
    fn only_options_that_the_engine_offers_are_set_and_within_their_range() {
        for number in 0..100 {
            let (options, ponder) = variation(3).options(number, 1, true);
            assert!(options.len() == 1 && options[0].0 == "hash" && !ponder, "{options:?}");
            assert!((2..=16).contains(&options[0].1.parse::<i64>().unwrap()));
            assert!(!variation(3).is_chess960(number), "one of them does not know it");
        }
    }

    #[test]
    fn both_games_of_a_pair_have_the_same_variant_and_pondering_and_chess960_come_up() {
        let mut all = variation(5);
        all.offered.pop();
        let variants: Vec<bool> = (0..200).map(|number| all.is_chess960(number)).collect();
        assert!(variants.chunks(2).all(|pair| pair[0] == pair[1]));
        assert!(variants.contains(&true) && variants.contains(&false));
        let ponders: Vec<bool> = (0..50).map(|number| all.options(number, 0, false).1).collect();
        assert!(ponders.contains(&true) && ponders.contains(&false));
    }
}
