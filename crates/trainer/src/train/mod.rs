//! The network's trainer: records of positions in, a quantised net out. It runs on an ordinary processor.
//!
//! - [`record`], [`filter`], [`loader`]: what is trained on, and in which order.
//! - [`features`], [`order`], [`chunk`]: positions as the kernels want them.
//! - [`simd`], [`model`], [`rounded`], [`forward`], [`backward`], [`optimiser`]: the kernels and what they work on.
//! - [`trainer`], [`schedule`], [`start_point`], [`swa`], [`mod@run`]: steps, settings along the way, first and mean weights,
//!   the whole run.
//! - [`checkpoint`], [`quantise`], [`report`]: what is written.
//!
//! Why it is fast. The first layer is sparse: some 19 pieces of 5,376 inputs a view, so a position costs 2 x 19 row
//! additions forward and as many back, whatever the batch. Forward the rows are 16-bit integers, cut into tiles of
//! thirty-two neurons. Positions are sorted by the king buckets of their kings and each view is taken by itself, so that few of a
//! tile's rows (336 KiB, 48 a king bucket) are needed for as long as 1,024 positions pass; those of the next view are fetched
//! meanwhile. On the way back additions are sorted by input, so that gradients are touched once a group of 256 positions
//! and what is added lies in 32 KiB. The optimiser adds up threads and king buckets, steps, clears and rounds in one pass.

pub mod backward;
pub mod checkpoint;
pub mod chunk;
pub mod features;
pub mod filter;
pub mod forward;
pub mod loader;
pub mod model;
pub mod optimiser;
pub mod order;
pub mod quantise;
pub mod record;
#[cfg(test)]
mod reference;
pub mod report;
pub mod rounded;
pub mod run;
pub mod sample;
pub mod schedule;
pub mod simd;
pub mod start_point;
pub mod swa;
pub mod trainer;

pub use features::Target;
pub use forward::Loss;
pub use model::Model;
pub use run::run;
pub use trainer::{StepParameters, Trainer};

use clap::Args;
use filter::Filter;
use schedule::Schedule;
use serde::Serialize;
use std::path::PathBuf;

/// Train a network.
#[derive(Args, Clone, Debug)]
pub struct TrainArguments {
    #[command(flatten)]
    settings: TrainSettings,
    /// The folder for net.nnue (with --average last.nnue too), run.json, loss.svg and the checkpoint.
    #[arg(long, short)]
    output: PathBuf,
    /// Go on with the run in the output folder; all other settings must be the same.
    #[arg(long)]
    resume: bool,
    /// Seconds between two checkpoints.
    #[arg(long, default_value_t = 60)]
    save_every: u64,
}

/// The settings that decide the result of a run.
#[derive(Args, Clone, Debug, Serialize)]
pub struct TrainSettings {
    /// Files of 32-byte records.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// A file of records of games that are not trained on.
    #[arg(long)]
    validation: Option<PathBuf>,
    /// The number of its positions that are used.
    #[arg(long, default_value_t = 500_000)]
    held_out: usize,
    /// The net's name, kept in the file; at most 24 bytes.
    #[arg(long, default_value = "unnamed")]
    name: String,
    /// Neurons of the first layer for each view, a multiple of 32; if not given, as many as the engine's own net has.
    #[arg(long, default_value_t = tamarack::eval::default_network().shape().hidden)]
    hidden: usize,
    /// Sets of output weights, chosen by the number of pieces: 1, 2, 4 or 8.
    #[arg(long, default_value_t = 8)]
    buckets: usize,
    /// Train the weights of threats too; a start that has some goes on with them in any case.
    #[arg(long)]
    threats: bool,
    /// Train the weights of pawn pairs too; likewise.
    #[arg(long)]
    pawn_pairs: bool,
    /// A net to go on from instead of random weights (it may be narrower), or the checkpoint of a run: its weights, in
    /// floating point, with the optimiser's moments. A lower --rate keeps more of what it knows.
    #[arg(long)]
    start: Option<PathBuf>,
    /// Passes over the data.
    #[arg(long, default_value_t = 40)]
    epochs: u64,
    /// Records that the run takes, repetitions counted: 400M, 4B. It replaces --epochs.
    #[arg(long, value_parser = count)]
    samples: Option<u64>,
    /// The net is the mean of the weights over this last part of the run (0.1: the last tenth); 0: the last weights.
    #[arg(long, default_value_t = 0.0, value_parser = fraction)]
    average: f64,
    /// AdamW's epsilon.
    #[arg(long, default_value_t = optimiser::EPSILON)]
    epsilon: f64,
    /// Positions of a step.
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// The loss is the distance between expected and taught share of the points, to this power.
    #[arg(long, default_value_t = 2.0)]
    power: f32,
    /// Records that are shuffled at a time, 32 bytes each; twice as many are in memory.
    #[arg(long, default_value_t = 1 << 24)]
    window: u64,
    /// Another seed gives other first weights and another order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all processors if not given.
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    schedule: Schedule,
    #[command(flatten)]
    filter: Filter,
}

/// Reads a number of records: 400M is 400 million, 4B four billion, 100k a hundred thousand.
fn count(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1e3),
        Some((at, 'm' | 'M')) => (&text[..at], 1e6),
        Some((at, 'b' | 'B' | 'g' | 'G')) => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    let number = digits.parse::<f64>().map_err(|error| error.to_string())? * unit;
    if (1.0..1e15).contains(&number) { Ok(number.round() as u64) } else { Err("must be at least 1".into()) }
}

/// Reads a number from 0 to 1.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("must be from 0 to 1".into()) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_read_with_their_units() {
        let read = |text| super::count(text).ok();
        assert_eq!(["400M", "1.5b", "20k", "7"].map(read), [400_000_000, 1_500_000_000, 20_000, 7].map(Some));
        assert_eq!(["", "M", "-3", "0", "NaN"].map(read), [None; 5]);
    }
}
