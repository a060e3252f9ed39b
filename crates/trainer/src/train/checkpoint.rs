//! A run on disk, so that it can go on exactly where it was.

use super::loader::StreamPosition;
use super::model::Model;
use super::optimiser::Optimiser;
use super::report::LossEntry;
use super::simd::{LANES, Row};
use super::swa::WeightMean;
use super::trainer::Trainer;
use anyhow::{Context, ensure};
use arena::differences::differences;
use nnue::network::Shape;
use platform::files::with_suffix;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The inputs of a run: it is resumed only with the same ones.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Origin {
    /// The settings as JSON: as text, because numbers need not survive being read exactly.
    pub settings: String,
    /// The number of threads.
    pub threads: usize,
    /// Checksum of the net that the run started from, if there was one.
    pub start: Option<String>,
    /// Checksum of the data files.
    pub data: String,
    /// The kernels, whose sums differ in their last bits.
    pub kernels: String,
}

impl Origin {
    /// Where this one, of a file, differs from what is given, a line each.
    fn differences(&self, given: &Origin) -> anyhow::Result<String> {
        let value = |origin: &Origin| -> serde_json::Result<Value> {
            let mut value = serde_json::to_value(origin)?;
            value["settings"] = serde_json::from_str(&origin.settings)?;
            Ok(value)
        };
        Ok(differences(&value(self)?, &value(given)?))
    }
}

/// The part of a checkpoint that is not weights.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct TrainingProgress {
    /// The inputs of the run.
    pub origin: Origin,
    /// The next window: epoch.
    pub epoch: u64,
    /// The next window: number in the epoch.
    pub window: u64,
    /// Optimiser steps done.
    pub steps: u64,
    /// Optimiser steps that the moments of `--start` had seen.
    #[serde(default)]
    pub earlier_steps: u64,
    /// Positions trained on, repetitions counted.
    pub positions: u64,
    /// Snapshots in the mean of the weights, which follows the moments if there are any.
    #[serde(default)]
    pub averaged: u64,
    /// Seconds of training so far.
    pub seconds: f64,
    /// The losses so far.
    pub history: Vec<LossEntry>,
}

impl TrainingProgress {
    /// The progress of a run that has not begun.
    pub fn new(origin: Origin) -> TrainingProgress {
        TrainingProgress {
            origin,
            epoch: 0,
            window: 0,
            steps: 0,
            earlier_steps: 0,
            positions: 0,
            averaged: 0,
            seconds: 0.0,
            history: Vec::new(),
        }
    }

    /// Steps that the moments have seen.
    fn optimiser_steps(&self) -> u64 {
        self.earlier_steps + self.steps
    }

    /// The next window.
    pub fn place(&self) -> StreamPosition {
        StreamPosition { epoch: self.epoch, window: self.window }
    }
}

/// Writes progress, weights, moments and the mean of the weights; the old file is replaced only when the new one is
/// complete.
pub fn save(
    path: &Path,
    progress: &TrainingProgress,
    trainer: &Trainer,
    mean: &WeightMean,
) -> anyhow::Result<()> {
    let part = with_suffix(path, ".part");
    let mut file = BufWriter::new(std::fs::File::create(&part)?);
    let head = serde_json::to_vec(progress)?;
    file.write_all(&(head.len() as u64).to_le_bytes())?;
    file.write_all(&head)?;
    let mean = (progress.averaged > 0).then_some(&mean.model);
    let parts = [trainer.model(), &trainer.optimiser.first, &trainer.optimiser.second];
    for model in parts.into_iter().chain(mean) {
        for number in model.rows.iter().flat_map(|row| row.0) {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    file.into_inner()?.sync_all()?;
    std::fs::rename(&part, path).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads what [`save`] wrote into a trainer and a mean of the same shape. An error if it is of a run from another origin.
pub fn load(
    path: &Path,
    origin: &Origin,
    trainer: &mut Trainer,
    mean: &mut WeightMean,
) -> anyhow::Result<TrainingProgress> {
    let name = path.display();
    let (progress, mut file) = open(path)?;
    ensure!(
        progress.origin == *origin,
        "{name} belongs to another run; give the same settings and files, or another --output{}",
        progress.origin.differences(origin)?
    );
    let mut model = Model::zero(trainer.model().shape);
    read_state(&mut file, &progress, &mut model, &mut trainer.optimiser, mean)
        .with_context(|| format!("{name} is damaged"))?;
    *trainer.model_mut() = model;
    Ok(progress)
}

/// The name of a checkpoint's net, its weights (the mean of them if the run had come so far) and moments.
pub fn load_weights(path: &Path) -> anyhow::Result<(String, Model, Optimiser)> {
    let (progress, mut file) = open(path)?;
    let settings: Value = serde_json::from_str(&progress.origin.settings)?;
    let size = |key: &str| settings[key].as_u64().unwrap_or_default() as usize;
    let shape = Shape::new(size("hidden"), size("buckets"))?;
    let mut model = Model::zero(shape);
    let (mut optimiser, mut mean) = (Optimiser::new(shape), WeightMean::new(shape));
    read_state(&mut file, &progress, &mut model, &mut optimiser, &mut mean)
        .with_context(|| format!("{} is damaged", path.display()))?;
    let model = if mean.count > 0 { mean.model } else { model };
    Ok((settings["name"].as_str().unwrap_or_default().to_owned(), model, optimiser))
}

/// The head of a checkpoint, and the file behind it.
fn open(path: &Path) -> anyhow::Result<(TrainingProgress, impl Read + use<>)> {
    let name = path.display();
    let mut file =
        BufReader::new(std::fs::File::open(path).with_context(|| format!("no checkpoint {name}"))?);
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    ensure!(length < 1 << 28, "{name} is not a checkpoint");
    let mut head = vec![0; length as usize];
    file.read_exact(&mut head)?;
    let progress = serde_json::from_slice(&head).with_context(|| format!("{name} is damaged"))?;
    Ok((progress, file))
}

fn read_state(
    file: &mut impl Read,
    progress: &TrainingProgress,
    model: &mut Model,
    optimiser: &mut Optimiser,
    mean: &mut WeightMean,
) -> anyhow::Result<()> {
    for model in [model, &mut optimiser.first, &mut optimiser.second] {
        read_rows(file, model)?;
    }
    if progress.averaged > 0 {
        read_rows(file, &mut mean.model)?;
    }
    mean.count = progress.averaged;
    optimiser.set_steps(progress.optimiser_steps());
    Ok(())
}

fn read_rows(file: &mut impl Read, model: &mut Model) -> anyhow::Result<()> {
    let mut bytes = [0; 4 * LANES];
    for row in &mut model.rows {
        file.read_exact(&mut bytes)?;
        *row = Row(std::array::from_fn(|lane| {
            f32::from_le_bytes(std::array::from_fn(|byte| bytes[4 * lane + byte]))
        }));
    }
    Ok(())
}
