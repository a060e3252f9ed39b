//! The fuzzer: random sessions with the real program, valid and broken, judged by an independent referee.
//!
//! Each file uses only files before it in this list:
//!
//! - [`script`]: the steps of a session as text; [`reading`]: the meaning of a line; [`rules`]: chess by shakmaty;
//! - [`promises`]: the promised answers; [`referee`]: what is promised, and whether it is kept;
//! - [`process`]: the engine with its streams; [`resources`]: its memory, threads and descriptors; [`session`]: a script played;
//! - [`dice`], [`positions`], [`mangle`], [`lines`], [`generate`]: a session's steps from a seed.
//!
//! The steps depend on the seed alone, never on answers or time; the engine's timing is its own.

pub mod dice;
pub mod generate;
pub mod lines;
pub mod mangle;
pub mod positions;
pub mod process;
pub mod promises;
pub mod reading;
pub mod referee;
pub mod resources;
pub mod rules;
pub mod script;
pub mod session;

use anyhow::{Context, Result, bail};
use arena::play::limits::parse_seconds;
use arena::play::spec::EngineSpec;
use clap::Args;
use script::ScriptStep;
use session::{SessionFault, SessionOutcome};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

/// The time of a run that is given neither --seconds nor --sessions.
const DEFAULT_SECONDS: Duration = Duration::from_secs(60);

/// Arguments of `fuzz`.
#[derive(Args, Clone, Debug)]
pub struct FuzzArguments {
    /// The time after which no new session begins; 60 without --sessions
    #[arg(long, value_parser = parse_seconds, value_name = "SECONDS")]
    pub seconds: Option<Duration>,
    /// Seed of the first session; the next has the next seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of sessions, whatever time they take unless --seconds is given too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sessions: Option<u64>,
    /// The engine and its arguments; unless given, the program `tamarack` beside this one
    #[arg(long, value_name = "CMD")]
    pub engine: Option<String>,
    /// Seconds for an answer before it counts as lost
    #[arg(long, default_value = "60", value_parser = parse_seconds, value_name = "SECONDS")]
    pub patience: Duration,
    /// Play the sessions in these scripts instead of random ones
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["seconds", "seed", "sessions"])]
    pub replay: Vec<PathBuf>,
    /// The folder for the scripts of sessions with a fault
    #[arg(long, default_value = "fuzz-faults", value_name = "FOLDER")]
    pub out: PathBuf,
}

impl FuzzArguments {
    /// True if no other session begins after this many and this time.
    fn is_over(&self, sessions: u64, elapsed: Duration) -> bool {
        let seconds = self.seconds.or(self.sessions.is_none().then_some(DEFAULT_SECONDS));
        self.sessions.is_some_and(|count| sessions >= count)
            || seconds.is_some_and(|seconds| elapsed >= seconds)
    }
}

/// The sums over all sessions.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    sessions: u64,
    sent: u64,
    searches: u64,
    lines: u64,
    perfts: u64,
    boards: u64,
    checkpoints: u64,
}

impl Sums {
    fn add(&mut self, outcome: &SessionOutcome) {
        self.sessions += 1;
        self.sent += outcome.sent;
        self.searches += outcome.counts.searches;
        self.lines += outcome.counts.lines;
        self.perfts += outcome.counts.perfts;
        self.boards += outcome.counts.boards;
        self.checkpoints += outcome.checkpoints;
    }

    fn words(&self) -> String {
        let Sums { sessions, sent, searches, lines, perfts, boards, checkpoints } = self;
        format!(
            "{sessions} sessions, {sent} commands, {searches} searches with {lines} lines of moves, {perfts} perfts and {boards} \
             boards compared, {checkpoints} checkpoints of memory, threads and descriptors"
        )
    }
}

/// The job `fuzz`.
///
/// # Errors
/// If the engine has a fault, cannot be started, or a file cannot be read or written.
pub fn run(arguments: &FuzzArguments) -> Result<()> {
    let spec = engine(arguments.engine.as_deref())?;
    if !arguments.replay.is_empty() {
        return arguments.replay.iter().try_for_each(|file| replay(&spec, file, arguments.patience));
    }
    let (start, mut sums) = (Instant::now(), Sums::default());
    for seed in arguments.seed.. {
        if arguments.is_over(sums.sessions, start.elapsed()) {
            break;
        }
        let steps = generate::session(seed);
        let outcome = session::play(&spec, &steps, arguments.patience)?;
        sums.add(&outcome);
        if let Some(fault) = &outcome.fault {
            let file = keep(&arguments.out, seed, &steps, fault)?;
            let again = format!("play it again with --replay {}", file.display());
            bail!("seed {seed}, {}\n{again}\n(before that: {})", words(fault, &steps), sums.words());
        }
    }
    println!("no fault from seed {} on: {}", arguments.seed, sums.words());
    Ok(())
}

/// Plays the session in a script.
fn replay(spec: &EngineSpec, file: &Path, patience: Duration) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let steps = script::from_text(&text).with_context(|| file.display().to_string())?;
    let outcome = session::play(spec, &steps, patience)?;
    match &outcome.fault {
        Some(fault) => bail!("{}: {}", file.display(), words(fault, &steps)),
        None => println!("{}: {} steps without a fault", file.display(), steps.len()),
    }
    Ok(())
}

/// The engine of the command line; words are separated by blanks.
fn engine(command: Option<&str>) -> Result<EngineSpec> {
    let beside = || {
        Ok::<_, anyhow::Error>(
            env::current_exe()?.with_file_name(format!("tamarack{}", env::consts::EXE_SUFFIX)),
        )
    };
    let mut words = command.unwrap_or_default().split_whitespace();
    let program = words.next().map_or_else(beside, |word| Ok(PathBuf::from(word)))?;
    let arguments = words.map(str::to_owned).collect();
    Ok(EngineSpec { name: "engine".to_owned(), command: program, arguments, ..EngineSpec::default() })
}

/// The fault as text.
fn words(fault: &SessionFault, steps: &[ScriptStep]) -> String {
    let SessionFault { step, detail, conversation } = fault;
    format!("step {step} of {}: {detail}\n{conversation}", steps.len())
}

/// Writes the script of a session up to its fault, and returns its path.
fn keep(folder: &Path, seed: u64, steps: &[ScriptStep], fault: &SessionFault) -> Result<PathBuf> {
    let file = folder.join(format!("seed-{seed}.txt"));
    let steps = &steps[..fault.step.min(steps.len())];
    let text =
        format!("# seed {seed}: {}\n{}", script::escape(fault.detail.as_bytes()), script::to_text(steps));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, text))
        .with_context(|| file.display().to_string())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        arguments: FuzzArguments,
    }

    #[test]
    fn a_number_of_sessions_is_played_on_a_slow_machine_too() {
        let is_over = |options: &[&str], sessions, seconds| {
            let line = CommandLine::parse_from([&["fuzz"], options].concat());
            line.arguments.is_over(sessions, Duration::from_secs(seconds))
        };
        assert!(!is_over(&[], 1000, 59) && is_over(&[], 1, 60));
        assert!(!is_over(&["--sessions", "9"], 8, 100_000) && is_over(&["--sessions", "9"], 9, 0));
        let both = ["--sessions", "9", "--seconds", "5"];
        assert!(!is_over(&both, 8, 4) && is_over(&both, 8, 5) && is_over(&both, 9, 4));
        assert!(CommandLine::try_parse_from(["fuzz", "--sessions", "0"]).is_err());
    }
}
