//! Where a tuning run stands: the parameters now, and what has been played.

use super::parameters::Parameter;
use super::spsa::{self, Schedule, Signs, Trial};
use crate::matches::results::Fault;
use crate::matches::standing::Standing;
use crate::matches::tally::{HalfPoints, Tally};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Index of the engine that is moved by the signs.
pub const PLUS: usize = 0;

/// Index of the engine that is moved against them.
pub const MINUS: usize = 1;

/// About so many points are kept for the picture.
const POINTS: u64 = 400;

/// A finished iteration, as it stands in the results file. The parameters after it follow from the lines up to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Which, from 1.
    pub k: u64,
    /// The direction of each parameter.
    pub signs: Signs,
    /// The values of the first engine.
    pub plus: Vec<i64>,
    /// The values of the second.
    pub minus: Vec<i64>,
    /// Pairs without a fault, from the first engine's side.
    pub tally: Tally,
    /// What went wrong in the others.
    pub faults: Vec<PairFault>,
}

/// A fault and where its log is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairFault {
    /// Number of the game, from 0.
    pub game: usize,
    /// Who did what.
    #[serde(flatten)]
    pub fault: Fault,
}

impl Iteration {
    /// Before its first game.
    pub fn new(trial: Trial) -> Self {
        let Trial { k, signs, plus, minus } = trial;
        Self { k, signs, plus, minus, tally: Tally::default(), faults: Vec::new() }
    }

    /// Adds a pair by the first engine's half points in its games.
    pub fn add_pair(&mut self, games: [HalfPoints; 2]) {
        games.iter().for_each(|&points| self.tally.add_game(points));
        self.tally.add_pair(games.iter().sum());
    }

    /// Games that the first engine won, less those that it lost.
    pub fn result(&self) -> i64 {
        let [lost, _, won] = self.tally.games;
        won as i64 - lost as i64
    }
}

/// The run so far.
#[derive(Clone, Debug)]
pub struct State {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// Where each parameter is now.
    pub theta: Vec<f64>,
    /// Results of the first engine, and faults of both.
    pub standing: Standing,
    /// Finished iterations.
    pub finished: u64,
    /// Pairs with a fault since the last one without.
    pub faults_in_a_row: u64,
    /// The parameters after so many iterations.
    pub history: Vec<(u64, Vec<f64>)>,
    schedule: Schedule,
    seed: u64,
}

impl State {
    /// Before the first iteration.
    pub fn new(parameters: Vec<Parameter>, schedule: Schedule, seed: u64) -> Self {
        let theta: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        Self {
            parameters,
            history: vec![(0, theta.clone())],
            theta,
            standing: Standing::new(&[(PLUS, MINUS)]),
            finished: 0,
            faults_in_a_row: 0,
            schedule,
            seed,
        }
    }

    /// All iterations of the run.
    pub fn iterations(&self) -> u64 {
        self.schedule.iterations
    }

    /// What iteration `k` plays if it begins now.
    pub fn draw(&self, k: u64) -> Trial {
        spsa::draw(&self.parameters, &self.theta, self.schedule, k, self.seed)
    }

    /// Learns from an iteration. Several may be played at once: the order in which they end is the one that counts.
    ///
    /// # Errors
    /// If it cannot be one of this run.
    pub fn add(&mut self, iteration: &Iteration) -> Result<()> {
        let k = iteration.k;
        ensure!((1..=self.iterations()).contains(&k), "there is no iteration {k}");
        let (count, signs) = (self.parameters.len(), &iteration.signs);
        ensure!(signs.0.len() == count, "iteration {k} has {} signs, not {count}", signs.0.len());
        spsa::learn(&self.parameters, &mut self.theta, self.schedule, (k, signs), iteration.result());
        self.count(iteration);
        self.finished += 1;
        let stride = self.iterations().div_ceil(POINTS);
        if self.finished.is_multiple_of(stride) || self.finished == self.iterations() {
            self.history.push((self.finished, self.theta.clone()));
        }
        Ok(())
    }

    fn count(&mut self, iteration: &Iteration) {
        self.standing.tallies[0].add(&iteration.tally);
        for PairFault { fault, .. } in &iteration.faults {
            *self.standing.faults.entry((fault.engine, fault.kind)).or_default() += 1;
        }
        self.faults_in_a_row = match iteration.tally.pair_count() {
            0 => self.faults_in_a_row + iteration.faults.len() as u64,
            _ => 0,
        };
    }

    /// How far each parameter has gone, in perturbations of the last iteration.
    pub fn moved(&self) -> impl Iterator<Item = (&Parameter, f64)> {
        let pairs = self.parameters.iter().zip(&self.theta);
        pairs.map(|(parameter, value)| (parameter, (value - parameter.start) / parameter.c_end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::player::FaultKind;
    use crate::tune::parameters;

    fn state() -> State {
        let text = "a, int, 10, 0, 20, 2, 0.1\nb, int, 5, 0, 9, 1, 0.1";
        State::new(parameters::parse(text.lines()).unwrap(), Schedule { iterations: 10 }, 1)
    }

    #[test]
    fn the_result_of_pairs_is_learnt_from() {
        let mut state = state();
        let mut iteration = Iteration::new(state.draw(10));
        iteration.add_pair([2, 1]);
        iteration.add_pair([2, 0]);
        assert_eq!((iteration.result(), iteration.tally.pairs), (1, [0, 0, 1, 1, 0]));
        state.add(&iteration).unwrap();
        let factor = |index: usize| iteration.signs.0[index].factor();
        let wanted = [10.0 + 0.2 * factor(0), 5.0 + 0.1 * factor(1)];
        let close = state.theta.iter().zip(wanted).all(|(value, wanted)| (value - wanted).abs() < 1e-12);
        assert!(close, "{:?}", state.theta);
        assert_eq!((state.finished, state.standing.games(), state.history.len()), (1, 4, 2));
        let line = serde_json::to_string(&iteration).unwrap();
        assert_eq!(serde_json::from_str::<Iteration>(&line).unwrap(), iteration);
    }

    #[test]
    fn faults_are_counted_and_not_learnt_from() {
        let mut state = state();
        let mut iteration = Iteration::new(state.draw(1));
        let fault = Fault { engine: MINUS, kind: FaultKind::Crash, detail: "gone".into() };
        iteration.faults.push(PairFault { game: 0, fault });
        for count in 1..=2 {
            state.add(&iteration).unwrap();
            assert_eq!((state.faults_in_a_row, state.theta.clone()), (count, vec![10.0, 5.0]));
        }
        assert_eq!(state.standing.faults[&(MINUS, FaultKind::Crash)], 2);
        iteration.add_pair([1, 1]);
        state.add(&iteration).unwrap();
        assert_eq!(state.faults_in_a_row, 0);
        let line = serde_json::to_string(&iteration).unwrap();
        assert_eq!(serde_json::from_str::<Iteration>(&line).unwrap(), iteration);
    }

    #[test]
    fn iterations_of_other_runs_are_refused() {
        let mut state = state();
        let mut iteration = Iteration::new(state.draw(10));
        iteration.k = 11;
        assert_eq!(state.add(&iteration).unwrap_err().to_string(), "there is no iteration 11");
        iteration.k = 1;
        iteration.signs.0.pop();
        assert_eq!(state.add(&iteration).unwrap_err().to_string(), "iteration 1 has 1 signs, not 2");
    }
}
