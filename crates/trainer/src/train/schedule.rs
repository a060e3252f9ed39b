//! Learning rate and weight of the result along a run.

use super::features::Target;
use super::trainer::StepParameters;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::f64::consts::PI;

/// The way from the first learning rate to the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// Half a wave: slow, fast, slow.
    Cosine,
    /// In a straight line.
    Linear,
    /// By equal factors.
    Exponential,
    /// The first rate for two thirds of the run, then the last.
    Drop,
    /// The first rate all the way.
    Constant,
}

/// The settings that change, or could change, along a run.
#[derive(Args, Clone, PartialEq, Debug, Serialize)]
pub struct Schedule {
    /// The learning rate at the start.
    #[arg(long, default_value_t = 1e-3)]
    pub rate: f64,
    /// The learning rate at the end.
    #[arg(long, default_value_t = 1e-5)]
    pub final_rate: f64,
    /// The way between the two.
    #[arg(long, value_enum, default_value = "cosine")]
    pub curve: Curve,
    /// The part of the run in which the rate rises from zero.
    #[arg(long, default_value_t = 0.01)]
    pub warm_up: f64,
    /// The result's share of the target at the start, 0 to 1; the score has the rest.
    #[arg(long, alias = "result-share", default_value_t = 0.0)]
    pub wdl_weight: f64,
    /// The result's share of the target at the end.
    #[arg(long, alias = "final-result-share", default_value_t = 0.05)]
    pub final_wdl_weight: f64,
    /// Weight decay: each step takes this part, times the learning rate, of every weight.
    #[arg(long, default_value_t = 0.01)]
    pub decay: f64,
}

impl Schedule {
    /// The learning rate when `progress` (0 to 1) of the run is done.
    pub fn rate_at(&self, progress: f64) -> f64 {
        if progress < self.warm_up {
            return self.rate * (progress / self.warm_up).max(0.01);
        }
        let way = (progress - self.warm_up) / (1.0 - self.warm_up).max(1e-9);
        let mix = |part: f64| self.final_rate + (self.rate - self.final_rate) * part;
        match self.curve {
            Curve::Cosine => mix(0.5 * (1.0 + (PI * way).cos())),
            Curve::Linear => mix(1.0 - way),
            Curve::Exponential => self.rate * (self.final_rate / self.rate).powf(way),
            Curve::Drop => mix(if way < 2.0 / 3.0 { 1.0 } else { 0.0 }),
            Curve::Constant => self.rate,
        }
    }

    /// The mixture of the targets when `progress` of the run is done.
    pub fn target_at(&self, progress: f64) -> Target {
        let weight = self.wdl_weight + (self.final_wdl_weight - self.wdl_weight) * progress;
        Target { wdl_weight: weight as f32 }
    }

    /// What is decided of a step when `progress` of the run is done.
    pub fn parameters_at(&self, progress: f64) -> StepParameters {
        StepParameters {
            rate: self.rate_at(progress) as f32,
            decay: self.decay as f32,
            target: self.target_at(progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_go_from_first_to_last() {
        for curve in Curve::value_variants() {
            let schedule = Schedule {
                rate: 1e-3,
                final_rate: 1e-5,
                curve: *curve,
                warm_up: 0.1,
                wdl_weight: 0.2,
                final_wdl_weight: 0.4,
                decay: 0.01,
            };
            assert!(schedule.rate_at(0.0) < 1e-4);
            assert!((schedule.rate_at(0.1) - 1e-3).abs() < 1e-9);
            let last = if *curve == Curve::Constant { 1e-3 } else { 1e-5 };
            assert!((schedule.rate_at(1.0) - last).abs() < 1e-9, "{curve:?}");
            assert!((schedule.target_at(0.5).wdl_weight - 0.3).abs() < 1e-6);
        }
    }
}
