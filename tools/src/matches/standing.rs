//! The state of a match while it runs: who has scored what, and who was at fault.

use super::results::Record;
use super::tally::Tally;
use crate::play::player::FaultKind;
use std::collections::{BTreeMap, HashMap};

/// Results by pairing and faults by engine.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// One tally for each pairing, from the first engine's side.
    pub tallies: Vec<Tally>,
    /// Faults by engine and kind.
    pub faults: BTreeMap<(usize, FaultKind), u64>,
    pairings: Vec<(usize, usize)>,
    /// Half points of the first engine in pairs of which one game is played.
    halves: HashMap<usize, u8>,
    start_failures: HashMap<usize, u32>,
}

impl Standing {
    /// Before the first game.
    pub fn new(pairings: &[(usize, usize)]) -> Self {
        Self {
            tallies: vec![Tally::default(); pairings.len()],
            pairings: pairings.to_vec(),
            ..Self::default()
        }
    }

    /// Adds a game. True if it completes a pair.
    pub fn add(&mut self, record: &Record) -> bool {
        let pair = record.number / 2;
        let index = pair % self.pairings.len();
        let points = if record.white == self.pairings[index].0 { record.points } else { 2 - record.points };
        self.tallies[index].add_game(points);
        for engine in [record.white, record.black] {
            self.start_failures.entry(engine).or_default();
        }
        if let Some(fault) = &record.fault {
            *self.faults.entry((fault.engine, fault.kind)).or_default() += 1;
            if fault.kind == FaultKind::Start {
                *self.start_failures.entry(fault.engine).or_default() += 1;
            }
        } else {
            for engine in [record.white, record.black] {
                self.start_failures.insert(engine, 0);
            }
        }
        match self.halves.remove(&pair) {
            Some(first) => {
                self.tallies[index].add_pair(first + points);
                true
            }
            None => {
                self.halves.insert(pair, points);
                false
            }
        }
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::count).sum()
    }

    /// An engine that failed to start this many times in a row: the match makes no sense.
    pub fn hopeless(&self) -> Option<usize> {
        const PATIENCE: u32 = 3;
        self.start_failures.iter().find(|(_, count)| **count >= PATIENCE).map(|(engine, _)| *engine)
    }

    /// Faults in words, empty if there were none.
    pub fn fault_words(&self, names: &[String]) -> String {
        let words: Vec<String> = self
            .faults
            .iter()
            .map(|((engine, kind), count)| format!("{} {count}× {}", names[*engine], kind.words()))
            .collect();
        words.join(", ")
    }
}
