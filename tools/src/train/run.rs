//! A training run from first window to last: progress on the screen, checkpoints, the net and its record.

use super::checkpoint::{self, Origin, Progress};
use super::data::{Place, Plan, Source};
use super::forward::Loss;
use super::lanes::Level;
use super::model::Model;
use super::quantise::{quantise, resume_from};
use super::report::{Entry, Record, Start, draw};
use super::trainer::Trainer;
use super::{Arguments, Settings};
use anyhow::{Context, ensure};
use bulletformat::ChessBoard;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tamarack::eval::network::{Network, Shape, checksum};

/// The name of the checkpoint in the output folder.
const CHECKPOINT: &str = "checkpoint";

/// The smallest part of a run between two entries of the history.
const ENTRY_STEP: f64 = 1.0 / 400.0;

/// A run under way.
struct Run<'a> {
    settings: &'a Settings,
    output: PathBuf,
    trainer: Trainer,
    plan: Plan,
    progress: Progress,
    held_out: Vec<ChessBoard>,
    started_from: Option<Start>,
    decay: f64,
    /// Losses since the last entry: sum and count of positions.
    recent: (f64, u64),
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let settings = &arguments.settings;
    let threads = settings.threads.unwrap_or_else(rayon::current_num_threads).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut run = Run::begin(arguments, threads)?;
    let save_every = Duration::from_secs(arguments.save_every);
    pool.install(|| run.train(save_every))
}

/// Makes the output folder. A run that is in it already is gone on with or left alone, never written over.
fn make_output(arguments: &Arguments) -> anyhow::Result<()> {
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
fn held_out(settings: &Settings) -> anyhow::Result<Vec<ChessBoard>> {
    match &settings.validation {
        Some(path) => Source::open(std::slice::from_ref(path))?.read_all(&settings.filter, settings.held_out),
        None => Ok(Vec::new()),
    }
}

/// Random weights, or those of the net to start from and which net that is.
fn first_model(settings: &Settings) -> anyhow::Result<(Model, Option<Start>)> {
    let shape = Shape::new(settings.hidden, settings.buckets)?;
    let Some(path) = &settings.start else { return Ok((Model::random(shape, settings.seed), None)) };
    let network = Network::load(path).with_context(|| format!("cannot start from {}", path.display()))?;
    let checksum = format!("{:016x}", checksum(&network.to_bytes()));
    let start = Start { name: network.name().to_owned(), checksum };
    Ok((resume_from(&network, shape, settings.seed)?, Some(start)))
}

impl<'a> Run<'a> {
    fn begin(arguments: &'a Arguments, threads: usize) -> anyhow::Result<Run<'a>> {
        let settings = &arguments.settings;
        ensure!(settings.batch > 0 && settings.epochs > 0, "--batch and --epochs must not be 0");
        make_output(arguments)?;
        let source = Arc::new(Source::open(&settings.data)?);
        let held_out = held_out(settings)?;
        let steps = source.records() as f64 * settings.epochs as f64 / settings.batch as f64;
        let level = Level::best();
        let (model, started_from) = first_model(settings)?;
        let origin = Origin {
            settings: serde_json::to_string(settings)?,
            threads,
            start: started_from.as_ref().map(|start| start.checksum.clone()),
            data: format!("{:016x}", source.checksum()?),
            kernels: level.name().to_owned(),
        };
        let mut run = Run {
            settings,
            output: arguments.output.clone(),
            trainer: Trainer::new(model, Loss { power: settings.power }, level, threads),
            plan: Plan {
                source,
                filter: settings.filter.clone(),
                window: settings.window,
                epochs: settings.epochs,
                seed: settings.seed,
            },
            progress: Progress::new(origin),
            held_out,
            started_from,
            decay: settings.schedule.decay_over(steps, settings.start.is_some()),
            recent: (0.0, 0),
        };
        if arguments.resume {
            let path = run.output.join(CHECKPOINT);
            run.progress = checkpoint::load(&path, &run.progress.origin, &mut run.trainer)?;
        }
        run.introduce();
        Ok(run)
    }

    /// What is trained, in a line.
    fn introduce(&self) {
        println!(
            "{} records, {} held out, {} weights, {} kernels, decay {:.4}",
            self.plan.source.records(),
            self.held_out.len(),
            Model::parameters(self.trainer.model.shape),
            self.progress.origin.kernels,
            self.decay
        );
    }

    fn train(&mut self, save_every: Duration) -> anyhow::Result<()> {
        let begin = Instant::now();
        let before = self.progress.seconds;
        let mut saved = Instant::now();
        let windows = self.plan.clone().stream(self.progress.place());
        for window in windows {
            let (place, boards) = window?;
            ensure!(
                !boards.is_empty() || self.plan.windows() > 1,
                "the filters leave no position to train on"
            );
            let next = self.pass(place, &boards);
            self.progress.seconds = before + begin.elapsed().as_secs_f64();
            let done = self.plan.progress(self.progress.place());
            let last = self.progress.history.last().map_or(0.0, |entry| entry.progress);
            if done - last >= ENTRY_STEP || next.is_none() {
                self.enter(done);
                if saved.elapsed() >= save_every || next.is_none() {
                    self.save(next.is_none())?;
                    saved = Instant::now();
                }
            }
        }
        Ok(())
    }

    /// Trains on a window; returns the place of the next.
    fn pass(&mut self, place: Place, boards: &[ChessBoard]) -> Option<Place> {
        self.window(place, boards);
        let next = self.plan.next(place);
        let then = next.unwrap_or(Place { epoch: self.plan.epochs, window: 0 });
        (self.progress.epoch, self.progress.window) = (then.epoch, then.window);
        next
    }

    fn window(&mut self, place: Place, boards: &[ChessBoard]) {
        let begin = self.plan.progress(place);
        let part = 1.0 / (self.plan.windows() * self.plan.epochs) as f64;
        let batch = self.settings.batch;
        for (number, lesson) in boards.chunks(batch).enumerate() {
            // What is left at the end of a window would be a noisy step.
            if lesson.len() < batch / 2 && number > 0 {
                break;
            }
            let progress = begin + part * (number * batch) as f64 / boards.len() as f64;
            let pace = self.settings.schedule.pace_at(progress, self.decay);
            let loss = self.trainer.step(lesson, pace);
            self.progress.steps += 1;
            self.progress.positions += lesson.len() as u64;
            self.recent.0 += loss * lesson.len() as f64;
            self.recent.1 += lesson.len() as u64;
        }
    }

    /// A line on the screen and in the history.
    fn enter(&mut self, done: f64) {
        let target = self.settings.schedule.target_at(1.0);
        let validation = (!self.held_out.is_empty()).then(|| self.trainer.measure(&self.held_out, target));
        let entry = Entry {
            positions: self.progress.positions,
            progress: done,
            training: self.recent.0 / self.recent.1.max(1) as f64,
            validation,
            rate: self.settings.schedule.rate_at(done),
        };
        self.recent = (0.0, 0);
        let speed = self.progress.positions as f64 / self.progress.seconds.max(1e-9) / 1e6;
        println!(
            "{:5.1}%  epoch {:4}  {:8.1}M positions  {speed:5.2}M/s  loss {:.6}  validation {}  rate {:.2e}",
            done * 100.0,
            self.progress.epoch,
            entry.positions as f64 / 1e6,
            entry.training,
            entry.validation.map_or("-".into(), |loss| format!("{loss:.6}")),
            entry.rate
        );
        self.progress.history.push(entry);
    }

    /// The checkpoint, the net, the record and the picture.
    fn save(&self, finished: bool) -> anyhow::Result<()> {
        checkpoint::save(&self.output.join(CHECKPOINT), &self.progress, &self.trainer)?;
        let bytes = quantise(&self.trainer.model, &self.settings.name)?.to_bytes();
        std::fs::write(self.output.join("net.nnue"), &bytes)?;
        draw(&self.output.join("loss.svg"), &self.progress.history)?;
        let record = Record {
            program: env!("CARGO_PKG_VERSION"),
            settings: self.settings,
            started_from: self.started_from.as_ref(),
            records: self.plan.source.records(),
            data_checksum: &self.progress.origin.data,
            held_out: self.held_out.len(),
            parameters: Model::parameters(self.trainer.model.shape),
            decay: self.decay,
            kernels: &self.progress.origin.kernels,
            finished,
            steps: self.progress.steps,
            positions: self.progress.positions,
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
    use crate::train::record::to_bytes;
    use crate::train::sample::boards;
    use clap::Parser;
    use std::path::Path;

    #[derive(Parser)]
    #[command(args_override_self = true)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn arguments(folder: &Path, output: &str, more: &[&str]) -> Arguments {
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
        Line::parse_from(line).arguments
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tamarack-run-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (file, count, seed) in [("data", 20_000, 1), ("held", 2000, 2)] {
            let bytes: Vec<u8> = boards(count, seed).iter().flat_map(to_bytes).collect();
            std::fs::write(folder.join(file), bytes).unwrap();
        }
        folder
    }

    /// What a run wrote about itself.
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
    fn an_interrupted_run_ends_with_the_same_net() {
        let folder = folder("resume");
        run(&arguments(&folder, "whole", &[])).unwrap();
        let part = arguments(&folder, "part", &[]);
        let mut interrupted = Run::begin(&part, 2).unwrap();
        let windows = interrupted.plan.clone().stream(Place::default());
        for window in windows.into_iter().take(4) {
            let (place, boards) = window.unwrap();
            interrupted.pass(place, &boards);
        }
        interrupted.save(false).unwrap();
        drop(interrupted);
        run(&arguments(&folder, "part", &["--resume"])).unwrap();
        let net = |output: &str| std::fs::read(folder.join(output).join("net.nnue")).unwrap();
        assert!(net("whole") == net("part"));
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
