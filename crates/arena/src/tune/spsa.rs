//! Simultaneous perturbation stochastic approximation (James C. Spall 1992): the arithmetic, without games.
//!
//! All parameters θ are moved at once by a random sign each, θ + c and θ - c meet, and every parameter goes a little in
//! the direction of its sign in the engine that won. The gains are those of fishtest (Joona Kiiski's tuner of
//! Stockfish, 2011) and OpenBench: given by what they are at the last iteration N,
//!
//! - perturbation `c_k = c_end (N / k)^γ`, in the parameter's own unit;
//! - gain `a_k = r_end c_end² ((A + N) / (A + k))^α`, with `A = N / 10`;
//! - rate `R_k = a_k / c_k²`, so that `θ += R_k c_k · result · sign`, where the result is games won less games lost by
//!   the engine with θ + c.

use super::parameters::Parameter;
use chess::random::Random;
use serde::{Deserialize, Serialize};

/// The exponent of falling gains; Spall's advice for runs of finite length.
pub const ALPHA: f64 = 0.602;

/// The exponent of falling perturbations; Spall's advice too.
pub const GAMMA: f64 = 0.101;

/// A in iterations of the run: it keeps the first steps from being wild.
pub const STABILITY: f64 = 0.1;

/// The direction in which a parameter is moved for the first engine; for the second it is the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Up.
    Plus,
    /// Down.
    Minus,
}

impl Sign {
    /// 1 or -1.
    pub fn factor(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
        }
    }
}

/// A sign for each parameter; as text `+-+`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Signs(pub Vec<Sign>);

impl From<Signs> for String {
    fn from(signs: Signs) -> Self {
        signs.0.iter().map(|sign| if *sign == Sign::Plus { '+' } else { '-' }).collect()
    }
}

impl TryFrom<String> for Signs {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let sign = |character| match character {
            '+' => Ok(Sign::Plus),
            '-' => Ok(Sign::Minus),
            _ => Err(format!("{character:?} in {text:?} is no sign")),
        };
        text.chars().map(sign).collect::<Result<_, _>>().map(Self)
    }
}

/// The gains of one parameter at one iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// c, in the parameter's unit.
    pub perturbation: f64,
    /// R, in perturbations for each game won more than lost.
    pub rate: f64,
}

/// The fall of perturbations and gains along a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpsaSchedule {
    /// N.
    pub iterations: u64,
}

impl SpsaSchedule {
    /// The gains at iteration `k`, from 1 to N.
    pub fn gains(&self, k: u64, parameter: &Parameter) -> Gains {
        let (k, last) = (k as f64, self.iterations as f64);
        let stability = STABILITY * last;
        let gain =
            parameter.r_end * parameter.c_end.powi(2) * ((stability + last) / (stability + k)).powf(ALPHA);
        let perturbation = parameter.c_end * (last / k).powf(GAMMA);
        Gains { perturbation, rate: gain / perturbation.powi(2) }
    }
}

/// The values that one iteration plays, of each parameter for either engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The number of the iteration, from 1.
    pub k: u64,
    /// The direction of the first engine.
    pub signs: Signs,
    /// The first engine's values.
    pub plus: Vec<i64>,
    /// The second engine's values.
    pub minus: Vec<i64>,
}

/// The values of iteration `k` round `theta`. Its random numbers depend on nothing but the seed and `k`.
pub fn perturb(parameters: &[Parameter], theta: &[f64], schedule: SpsaSchedule, k: u64, seed: u64) -> Trial {
    let mut random = Random::new(Random::new(seed).bits() ^ k.wrapping_mul(0xd134_2543_de82_ef95));
    let sign = |_: &Parameter| if random.bits() >> 63 == 0 { Sign::Plus } else { Sign::Minus };
    let signs: Vec<Sign> = parameters.iter().map(sign).collect();
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for ((parameter, &centre), sign) in parameters.iter().zip(theta).zip(&signs) {
        let shift = sign.factor() * schedule.gains(k, parameter).perturbation;
        // Stochastic rounding: right on average. One draw for both, so that a whole difference stays what it is.
        let part = random.unit();
        let value = |wanted: f64| (parameter.clamp(wanted) + part).floor() as i64;
        plus.push(value(centre + shift));
        minus.push(value(centre - shift));
    }
    Trial { k, signs: Signs(signs), plus, minus }
}

/// Moves `theta` by the result of iteration `k`: games won less games lost by the first engine.
pub fn update(
    parameters: &[Parameter],
    theta: &mut [f64],
    schedule: SpsaSchedule,
    (k, signs): (u64, &Signs),
    result: i64,
) {
    for ((parameter, value), sign) in parameters.iter().zip(theta).zip(&signs.0) {
        let gains = schedule.gains(k, parameter);
        let step = gains.rate * gains.perturbation * result as f64 * sign.factor();
        *value = parameter.clamp(*value + step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::elo::expected_score;

    fn parameter(start: f64, min: i64, max: i64, c_end: f64, r_end: f64) -> Parameter {
        Parameter { name: "p".into(), start, min, max, c_end, r_end }
    }

    #[test]
    fn gains_are_those_of_the_convention() {
        let (schedule, p) = (SpsaSchedule { iterations: 1000 }, parameter(50.0, 0, 100, 4.0, 0.002));
        // By hand: N = 1000, A = 100.
        let close =
            |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-9 * wanted, "{value} {wanted}");
        let last = schedule.gains(1000, &p);
        close(last.perturbation, 4.0);
        close(last.rate, 0.002);
        let first = schedule.gains(1, &p);
        close(first.perturbation, 4.0 * 1000_f64.powf(0.101));
        close(first.rate, 0.002 * (1100.0 / 101.0_f64).powf(0.602) / 1000_f64.powf(0.202));
        // 2^0.101 = 1.0725148, (1100/600)^0.602 = 1.4403687.
        let middle = schedule.gains(500, &p);
        assert!((middle.perturbation / 4.0 - 1.072_51).abs() < 1e-4, "{middle:?}");
        assert!((middle.rate / 0.002 - 1.440_4 / 1.150_3).abs() < 1e-3, "{middle:?}");
    }

    #[test]
    fn a_win_moves_towards_the_winner() {
        let (schedule, p) = (SpsaSchedule { iterations: 10 }, parameter(50.0, 0, 100, 4.0, 0.01));
        let signs = Signs(vec![Sign::Plus, Sign::Minus]);
        let mut theta = [50.0, 50.0];
        update(&[p.clone(), p], &mut theta, schedule, (10, &signs), 2);
        let wanted = [50.08, 49.92];
        assert!(theta.iter().zip(wanted).all(|(value, wanted)| (value - wanted).abs() < 1e-12), "{theta:?}");
    }

    #[test]
    fn values_stay_in_their_range() {
        let (schedule, p) = (SpsaSchedule { iterations: 100 }, parameter(99.5, 0, 100, 8.0, 10.0));
        for k in 1..=100 {
            let trial = perturb(std::slice::from_ref(&p), &[99.5], schedule, k, 3);
            let pair = (trial.plus[0].max(trial.minus[0]), trial.plus[0].min(trial.minus[0]));
            assert!(pair.0 == 100 && (80..=92).contains(&pair.1), "{trial:?}");
            for result in [-2, 2] {
                let mut theta = [99.5];
                update(std::slice::from_ref(&p), &mut theta, schedule, (k, &trial.signs), result);
                assert!((0.0..=100.0).contains(&theta[0]));
            }
        }
    }

    #[test]
    fn rounding_is_right_on_average() {
        let (schedule, p) = (SpsaSchedule { iterations: 1 }, parameter(10.3, 0, 20, 2.0, 0.1));
        let count = 4000;
        let mut sums = (0, 0);
        for seed in 0..count {
            let trial = perturb(std::slice::from_ref(&p), &[10.3], schedule, 1, seed);
            assert_eq!((trial.plus[0] - trial.minus[0]).abs(), 4, "a whole difference is kept");
            sums.0 += trial.plus[0] + trial.minus[0];
            sums.1 += i64::from(trial.signs.0[0] == Sign::Plus);
        }
        assert!((sums.0 as f64 / (2 * count) as f64 - 10.3).abs() < 0.03, "{sums:?}");
        assert!((sums.1 as f64 / count as f64 - 0.5).abs() < 0.03, "{sums:?}");
    }

    #[test]
    fn a_draw_depends_on_seed_and_number_only() {
        let (schedule, p) = (SpsaSchedule { iterations: 50 }, vec![parameter(10.3, 0, 20, 2.0, 0.1); 40]);
        let theta = [10.3; 40];
        let trial = |k, seed| perturb(&p, &theta, schedule, k, seed);
        assert_eq!(trial(7, 1), trial(7, 1));
        assert!(trial(7, 1).signs != trial(7, 2).signs && trial(7, 1).signs != trial(8, 1).signs);
        assert!(trial(2, 1).signs != trial(1, 2).signs);
        let text: String = trial(7, 1).signs.into();
        assert_eq!(Signs::try_from(text), Ok(trial(7, 1).signs));
        assert!(Signs::try_from("+x".to_owned()).is_err());
    }

    /// Half points of one side in a game at this many Elo, a third of the even ones drawn.
    fn game(elo: f64, random: &mut Random) -> i64 {
        let score = expected_score(elo);
        let drawn = (2.0 / 3.0) * score.min(1.0 - score);
        match random.unit() {
            chance if chance < drawn => 0,
            chance if chance < drawn + score - drawn / 2.0 => 1,
            _ => -1,
        }
    }

    /// An engine whose strength is a quadratic in its parameters: games as noisy as real ones lead to the optimum.
    #[test]
    fn noisy_games_lead_to_the_optimum() {
        let parameters = [
            parameter(40.0, 0, 100, 6.0, 0.02),
            parameter(5.0, 1, 12, 1.0, 0.02),
            parameter(900.0, 0, 2000, 80.0, 0.02),
        ];
        let optimum = [62.0, 8.0, 650.0];
        // Five Elo lost for a perturbation beside the optimum.
        let strength = |values: &[i64]| -> f64 {
            let loss = values.iter().zip(optimum).zip(&parameters);
            loss.map(|((&value, best), p)| -5.0 * ((value as f64 - best) / p.c_end).powi(2)).sum()
        };
        let schedule = SpsaSchedule { iterations: 20_000 };
        let mut theta: Vec<f64> = parameters.iter().map(|p| p.start).collect();
        let mut random = Random::new(11);
        for k in 1..=schedule.iterations {
            let trial = perturb(&parameters, &theta, schedule, k, 5);
            let elo = strength(&trial.plus) - strength(&trial.minus);
            let result = game(elo, &mut random) + game(elo, &mut random);
            update(&parameters, &mut theta, schedule, (k, &trial.signs), result);
        }
        for ((value, best), p) in theta.iter().zip(optimum).zip(&parameters) {
            assert!((value - best).abs() < 0.8 * p.c_end, "{theta:?}");
        }
    }
}
