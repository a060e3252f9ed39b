//! The results of a match so far: counts by pairing, faults by engine.

use super::pentanomial::{HalfPoints, Pentanomial};
use super::results_file::GameRecord;
use crate::play::player::FaultKind;
use std::collections::{BTreeMap, HashMap};

/// Results by pairing and faults by engine.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The counts of each pairing, from the first engine's side.
    pub pentanomials: Vec<Pentanomial>,
    /// Faults by engine and kind.
    pub faults: BTreeMap<(usize, FaultKind), u64>,
    /// Moves of the engines.
    pub moves: u64,
    /// The answer that was slowest by [`GameRecord::overruns`].
    pub slowest: Option<SlowestAnswer>,
    pairings: Vec<(usize, usize)>,
    /// Half points of the first engine in pairs of which one game is played, by the number of the pair.
    half_pairs: HashMap<usize, HalfPoints>,
    /// Failures to start in a row, by engine.
    start_failures: BTreeMap<usize, u32>,
}

/// An answer measured against its allotment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowestAnswer {
    /// Milliseconds beyond the allotment; negative within it.
    pub overrun: f64,
    /// Index of the engine.
    pub engine: usize,
    /// Number of the game.
    pub game: usize,
}

impl Results {
    /// No games yet.
    pub fn new(pairings: &[(usize, usize)]) -> Self {
        Self {
            pentanomials: vec![Pentanomial::default(); pairings.len()],
            pairings: pairings.to_vec(),
            ..Self::default()
        }
    }

    /// Adds a game that [`super::results_file::check`] would accept. True if it completes a pair.
    pub fn add(&mut self, record: &GameRecord) -> bool {
        let pair = record.number / 2;
        let index = pair % self.pairings.len();
        let points = if record.white == self.pairings[index].0 { record.points } else { 2 - record.points };
        self.pentanomials[index].add_game(points);
        self.moves += record.times.len() as u64;
        for (engine, overrun) in [record.white, record.black].into_iter().zip(record.overruns) {
            self.start_failures.entry(engine).or_default();
            let Some(overrun) = overrun else { continue };
            if self.slowest.is_none_or(|slowest| overrun > slowest.overrun) {
                self.slowest = Some(SlowestAnswer { overrun, engine, game: record.number });
            }
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
        match self.half_pairs.remove(&pair) {
            Some(first) => {
                self.pentanomials[index].add_pair(first + points);
                true
            }
            None => {
                self.half_pairs.insert(pair, points);
                false
            }
        }
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.pentanomials.iter().map(Pentanomial::count).sum()
    }

    /// An engine that failed to start three times in a row.
    pub fn unstartable(&self) -> Option<usize> {
        const ATTEMPTS: u32 = 3;
        self.start_failures.iter().find(|(_, count)| **count >= ATTEMPTS).map(|(engine, _)| *engine)
    }

    /// The faults as text, empty without any.
    pub fn fault_words(&self, names: &[String]) -> String {
        let words: Vec<String> = self
            .faults
            .iter()
            .map(|((engine, kind), count)| format!("{} {count}× {}", names[*engine], kind.words()))
            .collect();
        words.join(", ")
    }
}
