//! How learning rate and result share change along a run.

use super::features::Target;
use super::trainer::Pace;
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
    /// The result's share of the target at the start; the score has the rest.
    #[arg(long, default_value_t = 0.0)]
    pub result_share: f64,
    /// The result's share at the end.
    #[arg(long, default_value_t = 0.05)]
    pub final_result_share: f64,
    /// Weight decay. Without it: one divided by the sum of all learning rates, but at most 3; a quarter of that with
    /// --start, whose weights have their size already
    #[arg(long)]
    pub decay: Option<f64>,
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

    /// How targets are mixed when `progress` of the run is done.
    pub fn target_at(&self, progress: f64) -> Target {
        let share = self.result_share + (self.final_result_share - self.result_share) * progress;
        Target { result_share: share as f32 }
    }

    /// The weight decay of a run of so many steps, from random weights or from a net.
    pub fn decay_over(&self, steps: f64, from_net: bool) -> f64 {
        let mean = (0..1000).map(|part| self.rate_at((f64::from(part) + 0.5) / 1000.0)).sum::<f64>() / 1000.0;
        let whole = (1.0 / (mean * steps).max(1e-9)).min(3.0);
        self.decay.unwrap_or(if from_net { whole / 4.0 } else { whole })
    }

    /// Everything for a step.
    pub fn pace_at(&self, progress: f64, decay: f64) -> Pace {
        Pace { rate: self.rate_at(progress) as f32, decay: decay as f32, target: self.target_at(progress) }
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
                result_share: 0.2,
                final_result_share: 0.4,
                decay: None,
            };
            assert!(schedule.rate_at(0.0) < 1e-4);
            assert!((schedule.rate_at(0.1) - 1e-3).abs() < 1e-9);
            let last = if *curve == Curve::Constant { 1e-3 } else { 1e-5 };
            assert!((schedule.rate_at(1.0) - last).abs() < 1e-9, "{curve:?}");
            assert!((schedule.target_at(0.5).result_share - 0.3).abs() < 1e-6);
            let decay = schedule.decay_over(1e6, false);
            assert!(decay > 1e-3 && decay < 1e-1, "{decay}");
            assert!(schedule.decay_over(1e6, true) < 0.3 * decay, "a trained net is not shrunk");
        }
    }
}
