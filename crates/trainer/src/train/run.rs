//! A training run from first window to last: progress on the screen, checkpoints, the net and its record.

use super::checkpoint::{self, Origin, TrainingProgress};
use super::forward::Loss;
use super::loader::{DataLoader, Source, StreamPosition};
use super::model::{InputSets, Model};
use super::quantise::quantise;
use super::report::{LossEntry, RunRecord, StartNet, draw};
use super::simd::Isa;
use super::start_point::{StartPoint, start_point};
use super::swa::{SNAPSHOT_STEPS, WeightMean};
use super::trainer::Trainer;
use super::{TrainArguments, TrainSettings};
use crate::pool;
use anyhow::{Context, ensure};
use arena::progress;
use bulletformat::ChessBoard;
use indicatif::ProgressBar;
use nnue::network::checksum;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name of the checkpoint in the output folder.
const CHECKPOINT: &str = "checkpoint";

/// The smallest part of a run between two entries of the history.
const ENTRY_STEP: f64 = 1.0 / 400.0;

/// A run under way.
struct Run<'a> {
    settings: &'a TrainSettings,
    output: PathBuf,
    trainer: Trainer,
    mean: WeightMean,
    loader: DataLoader,
    progress: TrainingProgress,
    held_out: Vec<ChessBoard>,
    started_from: Option<StartNet>,
    /// The samples that are done.
    bar: ProgressBar,
    /// Losses since the last entry: sum and count of positions.
    recent: (f64, u64),
}

/// Runs the subcommand.
pub fn run(arguments: &TrainArguments) -> anyhow::Result<()> {
    let settings = &arguments.settings;
    let pool = pool(settings.threads)?;
    let mut run = Run::begin(arguments, pool.current_num_threads())?;
    let save_every = Duration::from_secs(arguments.save_every);
    pool.install(|| run.train(save_every))
}

/// Makes the output folder. Never overwrites an existing run: resume it or refuse.
fn make_output(arguments: &TrainArguments) -> anyhow::Result<()> {
    let output = &arguments.output;
    std::fs::create_dir_all(output).with_context(|| format!("cannot make {}", output.display()))?;
    ensure!(
        arguments.resume || !output.join(CHECKPOINT).exists(),
        "{} holds a run already: give --resume to go on with it, or another --output",
        output.display()
    );
    Ok(())
}

/// The records that the validation loss is measured on.
fn held_out(settings: &TrainSettings) -> anyhow::Result<Vec<ChessBoard>> {
    match &settings.validation {
        Some(path) => Source::open(std::slice::from_ref(path))?.read_all(&settings.filter, settings.held_out),
        None => Ok(Vec::new()),
    }
}

impl<'a> Run<'a> {
    fn begin(arguments: &'a TrainArguments, threads: usize) -> anyhow::Result<Run<'a>> {
        let settings = &arguments.settings;
        ensure!(settings.batch > 0 && settings.epochs > 0, "--batch and --epochs must not be 0");
        make_output(arguments)?;
        let source = Arc::new(Source::open(&settings.data)?);
        let held_out = held_out(settings)?;
        let isa = Isa::best();
        let StartPoint { model, mut optimiser, start: started_from } = start_point(settings)?;
        optimiser.epsilon = settings.epsilon as f32;
        let origin = Origin {
            settings: serde_json::to_string(settings)?,
            threads,
            start: started_from.as_ref().map(|start| start.checksum.clone()),
            data: format!("{:016x}", source.checksum()?),
            kernels: isa.name().to_owned(),
        };
        let mean = WeightMean::new(model.shape);
        let mut trainer = Trainer::new(model, Loss { power: settings.power }, isa, threads);
        let progress = TrainingProgress { earlier_steps: optimiser.steps, ..TrainingProgress::new(origin) };
        let TrainSettings { threats, pawn_pairs, .. } = *settings;
        trainer.input_sets = trainer.input_sets.or(InputSets { threats, pawn_pairs });
        trainer.optimiser = optimiser;
        let mut run = Run {
            settings,
            output: arguments.output.clone(),
            trainer,
            mean,
            loader: DataLoader {
                samples: settings.samples.unwrap_or(settings.epochs * source.records()),
                source,
                filter: settings.filter.clone(),
                window: settings.window,
                seed: settings.seed,
            },
            progress,
            held_out,
            started_from,
            bar: ProgressBar::hidden(),
            recent: (0.0, 0),
        };
        if arguments.resume {
            let path = run.output.join(CHECKPOINT);
            run.progress = checkpoint::load(&path, &run.progress.origin, &mut run.trainer, &mut run.mean)?;
        }
        run.introduce();
        Ok(run)
    }

    /// A line that describes the run.
    fn introduce(&self) {
        println!(
            "{} records, {} samples, {} held out, {} weights, {} kernels",
            self.loader.source.records(),
            self.loader.samples,
            self.held_out.len(),
            Model::parameters(self.trainer.model().shape, self.trainer.input_sets),
            self.progress.origin.kernels,
        );
    }

    fn train(&mut self, save_every: Duration) -> anyhow::Result<()> {
        let begin = Instant::now();
        let before = self.progress.seconds;
        let mut saved = Instant::now();
        self.bar = progress::bar("training", self.loader.samples);
        self.show(self.loader.progress(self.progress.place()));
        self.bar.reset_eta();
        let windows = self.loader.clone().stream(self.progress.place())?;
        for window in windows {
            let (place, boards) = window?;
            ensure!(
                !boards.is_empty() || self.loader.windows() > 1,
                "the filters leave no position to train on"
            );
            self.pass(place, &boards);
            let is_end = self.loader.is_end(self.progress.place());
            self.progress.seconds = before + begin.elapsed().as_secs_f64();
            let done = self.loader.progress(self.progress.place());
            let last = self.progress.history.last().map_or(0.0, |entry| entry.progress);
            if done - last >= ENTRY_STEP || is_end {
                self.note_losses(done);
                if saved.elapsed() >= save_every || is_end {
                    self.save(is_end)?;
                    saved = Instant::now();
                }
            }
        }
        self.bar.finish_and_clear();
        Ok(())
    }

    /// Shows on a terminal which fraction of the run is done, and the time left.
    fn show(&self, done: f64) {
        self.bar.set_position((done * self.loader.samples as f64) as u64);
    }

    /// Trains on a window; the place of the next is the progress then.
    fn pass(&mut self, place: StreamPosition, boards: &[ChessBoard]) {
        self.window(place, boards);
        self.trainer.catch_up();
        let next = self.loader.after(place);
        (self.progress.epoch, self.progress.window) = (next.epoch, next.window);
    }

    fn window(&mut self, place: StreamPosition, boards: &[ChessBoard]) {
        let begin = self.loader.progress(place);
        let fraction = self.loader.progress(self.loader.after(place)) - begin;
        let size = self.settings.batch;
        for (number, batch) in boards.chunks(size).enumerate() {
            // What is left at the end of a window would be a noisy step.
            if batch.len() < size / 2 && number > 0 {
                break;
            }
            let progress = begin + fraction * (number * size) as f64 / boards.len() as f64;
            let parameters = self.settings.schedule.parameters_at(progress);
            self.show(progress);
            let loss = self.trainer.step(batch, parameters);
            self.progress.steps += 1;
            self.progress.positions += batch.len() as u64;
            if progress >= 1.0 - self.settings.average && self.progress.steps.is_multiple_of(SNAPSHOT_STEPS) {
                self.trainer.catch_up();
                self.mean.add(self.trainer.model());
                self.progress.averaged = self.mean.count;
            }
            self.recent.0 += loss * batch.len() as f64;
            self.recent.1 += batch.len() as u64;
        }
    }

    /// Measures the losses: a line on the screen and an entry of the history.
    fn note_losses(&mut self, done: f64) {
        let validation = self.validation();
        let entry = LossEntry {
            positions: self.progress.positions,
            progress: done,
            training: self.recent.0 / self.recent.1.max(1) as f64,
            validation,
            validation_of_mean: (self.mean.count > 0).then(|| self.validation_of_mean()).flatten(),
            rate: self.settings.schedule.rate_at(done),
        };
        self.recent = (0.0, 0);
        let speed = self.progress.positions as f64 / self.progress.seconds.max(1e-9) / 1e6;
        let line = format!(
            "{:5.1}%  epoch {:4}  {:8.1}M positions  {speed:5.2}M/s  loss {:.6}  validation {}{}  rate {:.2e}",
            done * 100.0,
            self.progress.epoch,
            entry.positions as f64 / 1e6,
            entry.training,
            entry.validation.map_or("-".into(), |loss| format!("{loss:.6}")),
            entry.validation_of_mean.map_or(String::new(), |loss| format!(", of the mean {loss:.6}")),
            entry.rate
        );
        self.bar.suspend(|| println!("{line}"));
        self.progress.history.push(entry);
    }

    /// The loss on the held-out positions, with the targets of the end of the run.
    fn validation(&mut self) -> Option<f64> {
        let target = self.settings.schedule.target_at(1.0);
        (!self.held_out.is_empty()).then(|| self.trainer.measure(&self.held_out, target))
    }

    fn validation_of_mean(&mut self) -> Option<f64> {
        std::mem::swap(self.trainer.model_mut(), &mut self.mean.model);
        let loss = self.validation();
        std::mem::swap(self.trainer.model_mut(), &mut self.mean.model);
        loss
    }

    /// The checkpoint, the net (and the last weights beside it if it is their mean), the record and the picture.
    fn save(&self, finished: bool) -> anyhow::Result<()> {
        checkpoint::save(&self.output.join(CHECKPOINT), &self.progress, &self.trainer, &self.mean)?;
        let last = quantise(self.trainer.model(), &self.settings.name)?.to_bytes();
        let bytes = if self.mean.count > 0 {
            std::fs::write(self.output.join("last.nnue"), &last)?;
            quantise(&self.mean.model, &self.settings.name)?.to_bytes()
        } else {
            last
        };
        std::fs::write(self.output.join("net.nnue"), &bytes)?;
        draw(&self.output.join("loss.svg"), &self.progress.history)?;
        let record = RunRecord {
            program: env!("CARGO_PKG_VERSION"),
            settings: self.settings,
            started_from: self.started_from.as_ref(),
            records: self.loader.source.records(),
            data_checksum: &self.progress.origin.data,
            held_out: self.held_out.len(),
            parameters: Model::parameters(self.trainer.model().shape, self.trainer.input_sets),
            kernels: &self.progress.origin.kernels,
            finished,
            steps: self.progress.steps,
            positions: self.progress.positions,
            averaged: self.progress.averaged,
            seconds: self.progress.seconds,
            net_checksum: format!("{:016x}", checksum(&bytes)),
            losses: &self.progress.history,
        };
        std::fs::write(self.output.join("run.json"), serde_json::to_vec_pretty(&record)?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch;
    use crate::train::record::to_bytes;
    use crate::train::sample::boards;
    use clap::Parser;
    use nnue::Network;
    use std::path::Path;

    #[derive(Parser)]
    #[command(args_override_self = true)]
    struct CommandLine {
        #[command(flatten)]
        arguments: TrainArguments,
    }

    fn arguments(folder: &Path, output: &str, more: &[&str]) -> TrainArguments {
        let path = |name: &str| folder.join(name).display().to_string();
        let mut line = vec!["train".into(), path("data"), "--validation".into(), path("held")];
        line.extend(["--output".into(), path(output)]);
        line.extend(
            "--hidden 32 --epochs 6 --rate 0.005 --batch 500 --window 8192 --threads 2"
                .split(' ')
                .map(String::from),
        );
        line.extend("--max-score 3000 --name test --save-every 0".split(' ').map(String::from));
        line.extend(more.iter().map(|word| word.to_string()));
        CommandLine::parse_from(line).arguments
    }

    fn folder(name: &str) -> PathBuf {
        let folder = scratch::folder(name);
        for (file, count, seed) in [("data", 20_000, 1), ("held", 2000, 2)] {
            let bytes: Vec<u8> = boards(count, seed).iter().flat_map(to_bytes).collect();
            std::fs::write(folder.join(file), bytes).unwrap();
        }
        folder
    }

    /// The record that a run wrote.
    fn record_of(output: &Path) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(output.join("run.json")).unwrap()).unwrap()
    }

    #[test]
    fn a_run_learns_and_leaves_net_record_and_picture() {
        let folder = folder("whole");
        run(&arguments(&folder, "out", &[])).unwrap();
        let network = Network::load(&folder.join("out/net.nnue")).unwrap();
        assert_eq!((network.name(), network.shape().hidden), ("test", 32));
        let record = record_of(&folder.join("out"));
        assert_eq!(record["finished"], true);
        assert_eq!(record["records"], 20_000);
        let losses = record["losses"].as_array().unwrap();
        let validation = |at: usize| losses[at]["validation"].as_f64().unwrap();
        assert!(validation(losses.len() - 1) < 0.7 * validation(0), "{losses:?}");
        assert!(std::fs::read_to_string(folder.join("out/loss.svg")).unwrap().contains("validation"));
    }

    #[test]
    fn a_run_goes_on_from_a_net_and_says_from_which() {
        let folder = folder("start");
        run(&arguments(&folder, "first", &[])).unwrap();
        let net = folder.join("first/net.nnue").display().to_string();
        run(&arguments(&folder, "second", &["--epochs", "1", "--rate", "0.0001", "--start", &net])).unwrap();
        let [first, second] = ["first", "second"].map(|name| record_of(&folder.join(name)));
        assert!(first["started_from"].is_null());
        assert_eq!(second["started_from"]["name"], "test");
        assert_eq!(second["started_from"]["checksum"], first["net_checksum"]);
        let last = |record: &serde_json::Value| {
            record["losses"].as_array().and_then(|losses| losses.last()?["validation"].as_f64()).unwrap()
        };
        assert!(last(&second) < 1.05 * last(&first), "{} after {}", last(&second), last(&first));
    }

    #[test]
    fn a_run_goes_on_from_the_moments_of_a_checkpoint() {
        let folder = folder("moments");
        run(&arguments(&folder, "first", &["--epochs", "1"])).unwrap();
        let checkpoint = folder.join("first/checkpoint").display().to_string();
        let start = ["--start", &checkpoint, "--samples", "10k", "--window", "4096"];
        run(&arguments(&folder, "second", &start)).unwrap();
        let [first, second] = ["first", "second"].map(|name| record_of(&folder.join(name)));
        assert_eq!(second["started_from"]["checksum"], first["net_checksum"]);
        let taken = second["positions"].as_u64().unwrap();
        assert!(taken.abs_diff(10_000) < 2000, "{taken}");
        let third = arguments(&folder, "third", &start);
        let begin = Run::begin(&third, 2).unwrap();
        assert_eq!(begin.trainer.optimiser.steps, first["steps"].as_u64().unwrap());
        assert!(begin.trainer.optimiser.second.rows.iter().any(|row| row.0[0] > 0.0));
    }

    #[test]
    fn a_checkpoint_may_be_larger_than_any_network() {
        let folder = folder("large");
        let path = folder.join("checkpoint");
        std::fs::write(&path, [0xFF; 8]).unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(1 << 30).unwrap();
        let start = ["--start", &path.display().to_string()];
        let error = Run::begin(&arguments(&folder, "run", &start), 2).err().unwrap();
        assert!(format!("{error:#}").contains("is not a checkpoint"), "{error:#}");
    }

    #[test]
    fn an_interrupted_run_ends_with_the_same_net() {
        let folder = folder("resume");
        let average = ["--average", "0.6"];
        run(&arguments(&folder, "whole", &average)).unwrap();
        let part = arguments(&folder, "part", &average);
        let mut interrupted = Run::begin(&part, 2).unwrap();
        let windows = interrupted.loader.clone().stream(StreamPosition::default()).unwrap();
        for window in windows.into_iter().take(11) {
            let (place, boards) = window.unwrap();
            interrupted.pass(place, &boards);
        }
        interrupted.save(false).unwrap();
        drop(interrupted);
        run(&arguments(&folder, "part", &[&average[..], &["--resume"]].concat())).unwrap();
        let net = |output: &str, name: &str| std::fs::read(folder.join(output).join(name)).unwrap();
        assert!(net("whole", "net.nnue") == net("part", "net.nnue"));
        assert!(net("whole", "last.nnue") == net("part", "last.nnue"));
        assert!(net("whole", "net.nnue") != net("whole", "last.nnue"));
    }

    #[test]
    fn a_run_is_only_resumed_with_what_it_was_made_of() {
        let folder = folder("other");
        run(&arguments(&folder, "start", &["--epochs", "1"])).unwrap();
        std::fs::copy(folder.join("start/net.nnue"), folder.join("net")).unwrap();
        let net = folder.join("net").display().to_string();
        let one = ["--epochs", "1", "--start", &net];
        let fails = |more: &[&str]| {
            let arguments = arguments(&folder, "out", &[&one, more].concat());
            Run::begin(&arguments, 2).err().unwrap().to_string()
        };
        run(&arguments(&folder, "out", &one)).unwrap();
        assert!(fails(&[]).contains("--resume"), "{}", fails(&[]));
        let seed = fails(&["--resume", "--seed", "9"]);
        assert!(seed.contains("another run") && seed.contains("settings seed: 1 there, 9 here"), "{seed}");
        assert!(Run::begin(&arguments(&folder, "out", &[&one[..], &["--resume"]].concat()), 2).is_ok());
        // The same names with something else in them.
        std::fs::copy(folder.join("out/net.nnue"), &net).unwrap();
        std::fs::write(folder.join("data"), to_bytes(&boards(1, 3)[0])).unwrap();
        let files = fails(&["--resume"]);
        assert!(files.contains("\n  start: ") && files.contains("\n  data: "), "{files}");
        assert!(!files.contains("\n  settings"), "{files}");
    }
}
