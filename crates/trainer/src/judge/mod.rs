//! Tells networks apart without games: the distance of static evaluations from deep searches of another engine, or from the
//! scores of records that were not trained on.
//!
//! Nothing is trained on these, and matches have the last word (docs/network.md).

pub mod labelled;
pub mod measure;
mod report;
pub mod statistics;

use crate::average::load_networks;
use crate::pool;
use crate::train::filter::Filter;
use crate::train::loader::Source;
use crate::train::quantise::resume_from;
use crate::train::simd::Isa;
use crate::train::{Loss, Target, Trainer};
use anyhow::Result;
use arena::progress;
use bulletformat::ChessBoard;
use clap::Args;
use labelled::{LabelledPositions, Truth};
use measure::{Eval, Judgement};
use nnue::Network;
use std::path::PathBuf;
use std::sync::Arc;
use tamarack::eval::default_network;

/// Arguments of `judge`.
#[derive(Args, Clone, Debug)]
pub struct JudgeArguments {
    /// EPD files whose positions have chances of win, draw and loss in thousandths (`c0`) or centipawns (`ce`) of a deep
    /// search; a table each
    #[arg(long, value_delimiter = ',', default_value = "tools/positions/neutral.epd")]
    pub positions: Vec<PathBuf>,
    /// The truth to compare with; `c0` where a file has it if not given
    #[arg(long, value_enum)]
    pub target: Option<Truth>,
    /// The form of the static evaluations
    #[arg(long, value_enum, default_value = "shown")]
    pub eval: Eval,
    /// File of records to measure the loss of training with instead
    #[arg(long, conflicts_with_all = ["positions", "target", "eval"])]
    pub records: Option<PathBuf>,
    /// The weight of the game's result in the target, 0 to 1, with --records
    #[arg(long, alias = "result-share", default_value_t = 0.0, requires = "records")]
    pub wdl_weight: f32,
    /// Network files, the one to compare the others with first; the one that is built in if none is named
    pub networks: Vec<PathBuf>,
}

/// The job `judge`.
pub fn run(arguments: &JudgeArguments) -> Result<()> {
    let networks = networks(&arguments.networks)?;
    if let Some(path) = &arguments.records {
        let boards = Source::open(std::slice::from_ref(path))?.read_all(&Filter::default(), usize::MAX)?;
        let target = Target { wdl_weight: arguments.wdl_weight };
        let bar = progress::bar("judging", networks.len() as u64);
        for network in &networks {
            let (name, records) = (network.name(), boards.len());
            let loss = loss(network, &boards, target)?;
            bar.suspend(|| println!("{name}: loss {loss:.6}, {records} records"));
            bar.inc(1);
        }
        bar.finish_and_clear();
        return Ok(());
    }
    let bar = progress::bar("judging", (arguments.positions.len() * networks.len()) as u64);
    for path in &arguments.positions {
        let positions = LabelledPositions::load(path, arguments.target)?;
        let judge = |network| {
            let judgement = Judgement::of(network, arguments.eval, &positions.labelled);
            bar.inc(1);
            judgement
        };
        let judgements: Vec<Judgement> = networks.iter().map(judge).collect();
        let names: Vec<String> = networks.iter().map(|network| network.name().to_owned()).collect();
        let table = report::table(&path.display().to_string(), &positions, &names, &judgements);
        bar.suspend(|| println!("{table}"));
    }
    bar.finish_and_clear();
    Ok(())
}

/// The networks of these files; the embedded one without any.
pub(crate) fn networks(paths: &[PathBuf]) -> Result<Vec<Arc<Network>>> {
    if paths.is_empty() {
        return Ok(vec![default_network()]);
    }
    Ok(load_networks(paths)?.into_iter().map(Arc::new).collect())
}

/// The mean squared difference to the targets of training.
fn loss(network: &Network, boards: &[ChessBoard], target: Target) -> Result<f64> {
    let model = resume_from(network, network.shape(), 1)?;
    let pool = pool(None)?;
    let mut trainer = Trainer::new(model, Loss { power: 2.0 }, Isa::best(), pool.current_num_threads());
    Ok(pool.install(|| trainer.measure(boards, target)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::record::{Marks, pack};
    use chess::Position;

    #[test]
    fn records_with_the_networks_own_evaluations_cost_nothing() {
        let network = default_network();
        let Some(positions) = labelled::neutral() else { return };
        let boards = |more: i32| -> Vec<ChessBoard> {
            let score = |position: &Position| (network.evaluate(position) + more) as i16;
            let labelled = &positions.labelled[..500];
            labelled
                .iter()
                .map(|labelled| pack(&labelled.position, score(&labelled.position), 1, Marks::default()))
                .collect()
        };
        let loss = |more: i32| loss(&network, &boards(more), Target { wdl_weight: 0.0 }).unwrap();
        assert!(loss(0) < 1e-4 && loss(100) > 1e-3, "{} {}", loss(0), loss(100));
    }
}
