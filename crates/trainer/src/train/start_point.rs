//! The weights that a run begins with: random ones, those of a network, or those of an earlier run's checkpoint.

use super::TrainSettings;
use super::checkpoint;
use super::model::Model;
use super::optimiser::Optimiser;
use super::quantise::{quantise, resume_from};
use super::report::StartNet;
use anyhow::{Context, ensure};
use nnue::network::{Network, NetworkError, Shape, checksum};

/// Weights and moments before the first step, and the net that they are of.
pub struct StartPoint {
    /// The weights.
    pub model: Model,
    /// The moments; zero unless they come from a checkpoint.
    pub optimiser: Optimiser,
    /// The net of `--start`.
    pub start: Option<StartNet>,
}

/// The weights that the settings ask for. Fails if the file of `--start` is of another shape or damaged.
pub fn start_point(settings: &TrainSettings) -> anyhow::Result<StartPoint> {
    let shape = Shape::new(settings.hidden, settings.buckets)?;
    let Some(path) = &settings.start else {
        let model = Model::random(shape, settings.seed);
        return Ok(StartPoint { model, optimiser: Optimiser::new(shape), start: None });
    };
    let failed = || format!("cannot start from {}", path.display());
    match Network::load(path) {
        Ok(network) => {
            let model = resume_from(&network, shape, settings.seed).with_context(failed)?;
            Ok(StartPoint { model, optimiser: Optimiser::new(shape), start: Some(named(&network)) })
        }
        // A checkpoint is larger than any network, unless it is of a small one.
        Err(NetworkError::Magic | NetworkError::TooLarge { .. }) => {
            let (name, model, optimiser) = checkpoint::load_weights(path).with_context(failed)?;
            ensure!(model.shape == shape, "{} is of another shape", path.display());
            let start = Some(named(&quantise(&model, &name)?));
            Ok(StartPoint { model, optimiser, start })
        }
        Err(error) => Err(error).with_context(failed),
    }
}

fn named(network: &Network) -> StartNet {
    StartNet { name: network.name().to_owned(), checksum: format!("{:016x}", checksum(&network.to_bytes())) }
}
