//! The output of a run beside the network: its record as JSON and its losses as a picture.

use super::TrainSettings;
use anyhow::anyhow;
use plotters::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The losses at one moment.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct LossEntry {
    /// Positions trained on so far, repetitions counted.
    pub positions: u64,
    /// The fraction of the run that is done, 0 to 1.
    pub progress: f64,
    /// Mean loss over the positions since the last entry, each before its step.
    pub training: f64,
    /// Mean loss on the held-out positions, with the targets of the end of the run.
    pub validation: Option<f64>,
    /// The same loss of the mean of the weights, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_of_mean: Option<f64>,
    /// The learning rate.
    pub rate: f64,
}

/// The net that a run went on from.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct StartNet {
    /// Its name.
    pub name: String,
    /// Its checksum, as `net_checksum` of the run that made it has it.
    pub checksum: String,
}

/// The record of a run.
#[derive(Serialize, Debug)]
pub struct RunRecord<'a> {
    /// The version of the tools.
    pub program: &'a str,
    /// The settings.
    pub settings: &'a TrainSettings,
    /// The net of `--start`, whose path says nothing elsewhere.
    pub started_from: Option<&'a StartNet>,
    /// Records in the data files, before filters.
    pub records: u64,
    /// Checksum of the data files.
    pub data_checksum: &'a str,
    /// Held-out positions that the validation loss is measured on.
    pub held_out: usize,
    /// The number of trained parameters.
    pub parameters: usize,
    /// The kernels that were used.
    pub kernels: &'a str,
    /// True if the run has come to its end.
    pub finished: bool,
    /// Optimiser steps done.
    pub steps: u64,
    /// Positions trained on, repetitions counted.
    pub positions: u64,
    /// Snapshots of the weights that the net is the mean of; 0: the net has the last weights.
    pub averaged: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// Checksum of the exported net.
    pub net_checksum: String,
    /// The losses.
    pub losses: &'a [LossEntry],
}

/// Draws the losses over the positions as SVG.
pub fn draw(path: &Path, history: &[LossEntry]) -> anyhow::Result<()> {
    let points = |loss: &dyn Fn(&LossEntry) -> Option<f64>| -> Vec<(f64, f64)> {
        history.iter().filter_map(|entry| Some((entry.positions as f64 / 1e6, loss(entry)?))).collect()
    };
    let training = points(&|entry| Some(entry.training));
    let validation = points(&|entry| entry.validation);
    let all = training.iter().chain(&validation).map(|point| point.1);
    let (low, high) = all.fold((f64::MAX, 0.0_f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    let end = training.last().map_or(1.0, |point| point.0);
    if training.len() < 2 || !high.is_finite() {
        return Ok(());
    }
    let failed = |error: &dyn std::fmt::Display| anyhow!("cannot draw {}: {error}", path.display());
    let area = SVGBackend::new(path, (900, 540)).into_drawing_area();
    area.fill(&WHITE).map_err(|error| failed(&error))?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..end, (low * 0.98..high * 1.02).log_scale())
        .map_err(|error| failed(&error))?;
    chart
        .configure_mesh()
        .x_desc("million positions")
        .y_desc("loss")
        .y_label_formatter(&|loss| format!("{loss:.4}"))
        .draw()
        .map_err(|error| failed(&error))?;
    for (name, points, colour) in [("training", training, BLUE), ("validation", validation, RED)] {
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))
            .map_err(|error| failed(&error))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    let mut labels = chart.configure_series_labels();
    labels.border_style(BLACK).background_style(WHITE.mix(0.8)).draw().map_err(|error| failed(&error))?;
    area.present().map_err(|error| failed(&error))
}
