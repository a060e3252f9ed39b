//! A run on disk, so that it can go on exactly where it was.

use super::data::Place;
use super::lanes::{LANES, Row};
use super::model::Model;
use super::report::Entry;
use super::trainer::Trainer;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The part of a checkpoint that is not weights.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Progress {
    /// A digest of the settings: a run is only resumed with the same.
    pub settings: String,
    /// The next window: epoch.
    pub epoch: u64,
    /// The next window: number in the epoch.
    pub window: u64,
    /// Optimiser steps done.
    pub steps: u64,
    /// Positions trained on, repetitions counted.
    pub positions: u64,
    /// Seconds of training so far.
    pub seconds: f64,
    /// The losses so far.
    pub history: Vec<Entry>,
}

impl Progress {
    /// The next window.
    pub fn place(&self) -> Place {
        Place { epoch: self.epoch, window: self.window }
    }
}

/// Writes progress, weights and moments; the old file is replaced only when the new one is complete.
pub fn save(path: &Path, progress: &Progress, trainer: &Trainer) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    let mut file = BufWriter::new(std::fs::File::create(&part)?);
    let head = serde_json::to_vec(progress)?;
    file.write_all(&(head.len() as u64).to_le_bytes())?;
    file.write_all(&head)?;
    for model in [&trainer.model, &trainer.optimiser.first, &trainer.optimiser.second] {
        for number in model.rows.iter().flat_map(|row| row.0) {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    file.into_inner()?.sync_all()?;
    std::fs::rename(&part, path).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads what [`save`] wrote into a trainer of the same shape.
pub fn load(path: &Path, settings: &str, trainer: &mut Trainer) -> anyhow::Result<Progress> {
    let name = path.display();
    let mut file =
        BufReader::new(std::fs::File::open(path).with_context(|| format!("no checkpoint {name}"))?);
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    ensure!(length < 1 << 28, "{name} is not a checkpoint");
    let mut head = vec![0; length as usize];
    file.read_exact(&mut head)?;
    let progress: Progress = serde_json::from_slice(&head).with_context(|| format!("{name} is damaged"))?;
    if progress.settings != settings {
        bail!("{name} belongs to a run with other settings; give the same ones, or another --output");
    }
    for model in [&mut trainer.model, &mut trainer.optimiser.first, &mut trainer.optimiser.second] {
        read_rows(&mut file, model).with_context(|| format!("{name} is damaged"))?;
    }
    trainer.optimiser.steps = progress.steps;
    Ok(progress)
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
