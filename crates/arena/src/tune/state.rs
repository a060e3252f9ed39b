//! The state of a tuning run: parameters, results, history.

use super::parameters::Parameter;
use super::spsa::{self, Signs, SpsaSchedule, Trial};
use crate::matches::pentanomial::{HalfPoints, Pentanomial};
use crate::matches::results::Results;
use crate::matches::results_file::GameFault;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Index of the engine that is moved by the signs.
pub const PLUS: usize = 0;

/// Index of the engine that is moved against them.
pub const MINUS: usize = 1;

/// Number of points kept for the picture, about.
const POINTS: u64 = 400;

/// A finished iteration, as it stands in the results file. The parameters after it follow from the lines up to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 1.
    pub k: u64,
    /// The direction of each parameter.
    pub signs: Signs,
    /// The values of the first engine.
    pub plus: Vec<i64>,
    /// The values of the second.
    pub minus: Vec<i64>,
    /// Pairs without a fault, from the first engine's side.
    #[serde(rename = "tally")]
    pub pentanomial: Pentanomial,
    /// The faults in the others.
    pub faults: Vec<PairFault>,
}

/// A fault and where its log is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairFault {
    /// Number of the game, from 0.
    pub game: usize,
    /// The engine and its fault.
    #[serde(flatten)]
    pub fault: GameFault,
}

impl Iteration {
    /// An iteration without games yet.
    pub fn new(trial: Trial) -> Self {
        let Trial { k, signs, plus, minus } = trial;
        Self { k, signs, plus, minus, pentanomial: Pentanomial::default(), faults: Vec::new() }
    }

    /// Adds a pair by the first engine's half points in its games.
    pub fn add_pair(&mut self, games: [HalfPoints; 2]) {
        games.iter().for_each(|&points| self.pentanomial.add_game(points));
        self.pentanomial.add_pair(games.iter().sum());
    }

    /// Games that the first engine won, less those that it lost.
    pub fn result(&self) -> i64 {
        let [lost, _, won] = self.pentanomial.games;
        won as i64 - lost as i64
    }
}

/// The run so far.
#[derive(Clone, Debug)]
pub struct TuneState {
    /// The parameters as they were at the start.
    pub parameters: Vec<Parameter>,
    /// The value of each parameter now.
    pub theta: Vec<f64>,
    /// Results of the first engine, and faults of both.
    pub results: Results,
    /// Finished iterations.
    pub finished: u64,
    /// Pairs with a fault since the last one without.
    pub faults_in_a_row: u64,
    /// The parameters after this many iterations.
    pub history: Vec<(u64, Vec<f64>)>,
    schedule: SpsaSchedule,
    seed: u64,
}

impl TuneState {
    /// The state before the first iteration.
    pub fn new(parameters: Vec<Parameter>, schedule: SpsaSchedule, seed: u64) -> Self {
        let theta: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        Self {
            parameters,
            history: vec![(0, theta.clone())],
            theta,
            results: Results::new(&[(PLUS, MINUS)]),
            finished: 0,
            faults_in_a_row: 0,
            schedule,
            seed,
        }
    }

    /// Number of iterations of the whole run.
    pub fn iterations(&self) -> u64 {
        self.schedule.iterations
    }

    /// The values that iteration `k` plays if it begins now.
    pub fn perturb(&self, k: u64) -> Trial {
        spsa::perturb(&self.parameters, &self.theta, self.schedule, k, self.seed)
    }

    /// Moves the parameters by the result of an iteration. Several may be played at once; they are added in the order in which
    /// they end.
    ///
    /// # Errors
    /// If it cannot be one of this run.
    pub fn add(&mut self, iteration: &Iteration) -> Result<()> {
        let k = iteration.k;
        ensure!((1..=self.iterations()).contains(&k), "there is no iteration {k}");
        let (count, signs) = (self.parameters.len(), &iteration.signs);
        ensure!(signs.0.len() == count, "iteration {k} has {} signs, not {count}", signs.0.len());
        for PairFault { fault, .. } in &iteration.faults {
            let engine = fault.engine;
            ensure!(engine == PLUS || engine == MINUS, "iteration {k} has a fault of engine {engine}");
        }
        spsa::update(&self.parameters, &mut self.theta, self.schedule, (k, signs), iteration.result());
        self.count(iteration);
        self.finished += 1;
        let stride = self.iterations().div_ceil(POINTS);
        if self.finished.is_multiple_of(stride) || self.finished == self.iterations() {
            self.history.push((self.finished, self.theta.clone()));
        }
        Ok(())
    }

    fn count(&mut self, iteration: &Iteration) {
        self.results.pentanomials[0].add(&iteration.pentanomial);
        for PairFault { fault, .. } in &iteration.faults {
            *self.results.faults.entry((fault.engine, fault.kind)).or_default() += 1;
        }
        self.faults_in_a_row = match iteration.pentanomial.pair_count() {
            0 => self.faults_in_a_row + iteration.faults.len() as u64,
            _ => 0,
        };
    }

    /// Each parameter with the way it has gone, in perturbations of the last iteration (c_end).
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

    fn state() -> TuneState {
        let text = "a, int, 10, 0, 20, 2, 0.1\nb, int, 5, 0, 9, 1, 0.1";
        TuneState::new(parameters::parse(text.lines()).unwrap(), SpsaSchedule { iterations: 10 }, 1)
    }

    #[test]
    fn the_result_of_pairs_moves_the_parameters() {
        let mut state = state();
        let mut iteration = Iteration::new(state.perturb(10));
        iteration.add_pair([2, 1]);
        iteration.add_pair([2, 0]);
        assert_eq!((iteration.result(), iteration.pentanomial.pairs), (1, [0, 0, 1, 1, 0]));
        state.add(&iteration).unwrap();
        let factor = |index: usize| iteration.signs.0[index].factor();
        let wanted = [10.0 + 0.2 * factor(0), 5.0 + 0.1 * factor(1)];
        let close = state.theta.iter().zip(wanted).all(|(value, wanted)| (value - wanted).abs() < 1e-12);
        assert!(close, "{:?}", state.theta);
        assert_eq!((state.finished, state.results.games(), state.history.len()), (1, 4, 2));
        let line = serde_json::to_string(&iteration).unwrap();
        assert_eq!(serde_json::from_str::<Iteration>(&line).unwrap(), iteration);
    }

    #[test]
    fn faults_are_counted_and_move_nothing() {
        let mut state = state();
        let mut iteration = Iteration::new(state.perturb(1));
        let fault = GameFault { engine: MINUS, kind: FaultKind::Crash, detail: "gone".into() };
        iteration.faults.push(PairFault { game: 0, fault });
        for count in 1..=2 {
            state.add(&iteration).unwrap();
            assert_eq!((state.faults_in_a_row, state.theta.clone()), (count, vec![10.0, 5.0]));
        }
        assert_eq!(state.results.faults[&(MINUS, FaultKind::Crash)], 2);
        iteration.add_pair([1, 1]);
        state.add(&iteration).unwrap();
        assert_eq!(state.faults_in_a_row, 0);
        let line = serde_json::to_string(&iteration).unwrap();
        assert_eq!(serde_json::from_str::<Iteration>(&line).unwrap(), iteration);
    }

    #[test]
    fn iterations_of_other_runs_are_refused() {
        let mut state = state();
        let mut iteration = Iteration::new(state.perturb(10));
        iteration.k = 11;
        assert_eq!(state.add(&iteration).unwrap_err().to_string(), "there is no iteration 11");
        iteration.k = 1;
        let fault = GameFault { engine: 2, kind: FaultKind::Crash, detail: String::new() };
        iteration.faults.push(PairFault { game: 0, fault });
        assert_eq!(state.add(&iteration).unwrap_err().to_string(), "iteration 1 has a fault of engine 2");
        iteration.signs.0.pop();
        assert_eq!(state.add(&iteration).unwrap_err().to_string(), "iteration 1 has 1 signs, not 2");
    }
}
