//! A run on disk, so that it can go on exactly where it was.

use super::data::Place;
use super::lanes::{LANES, Row};
use super::model::Model;
use super::report::Entry;
use super::trainer::Trainer;
use crate::differences::differences;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// What a run is made of: it is only resumed with the same.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Origin {
    /// The settings as JSON: as text, because numbers need not survive being read exactly.
    pub settings: String,
    /// How many threads.
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
pub struct Progress {
    /// What the run is made of.
    pub origin: Origin,
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
    /// Of a run that has yet to begin.
    pub fn new(origin: Origin) -> Progress {
        Progress { origin, epoch: 0, window: 0, steps: 0, positions: 0, seconds: 0.0, history: Vec::new() }
    }

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

/// Reads what [`save`] wrote into a trainer of the same shape. An error if it is of a run from another origin.
pub fn load(path: &Path, origin: &Origin, trainer: &mut Trainer) -> anyhow::Result<Progress> {
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
    ensure!(
        progress.origin == *origin,
        "{name} belongs to another run; give the same settings and files, or another --output{}",
        progress.origin.differences(origin)?
    );
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
