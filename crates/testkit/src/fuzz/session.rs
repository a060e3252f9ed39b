//! One session: a fresh engine, the steps of a script, and the referee.

use super::process::{Process, ProcessEvent};
use super::referee::{Counts, Referee};
use super::resources::Resources;
use super::script::{FOLDER, REPOSITORY, ScriptStep, escape};
use anyhow::{Context, Result};
use arena::play::log::SharedLog;
use arena::play::spec::EngineSpec;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, process};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The number of lines of the conversation that a fault shows.
const LINES_SHOWN: usize = 30;

/// The longest line that is shown, in bytes.
const SHOWN: usize = 300;

/// A fault of the engine.
#[derive(Clone, Debug)]
pub struct SessionFault {
    /// The number of the step, from 1.
    pub step: usize,
    /// The observation.
    pub detail: String,
    /// The last lines in both directions.
    pub conversation: String,
}

/// The result of a session: its counts, and the fault if there was one.
#[derive(Debug, Default)]
pub struct SessionOutcome {
    /// What the referee counted.
    pub counts: Counts,
    /// Lines sent.
    pub sent: u64,
    /// Checkpoints compared.
    pub checkpoints: u64,
    /// The first fault.
    pub fault: Option<SessionFault>,
}

/// Plays a script with a fresh process of the engine.
///
/// # Errors
/// If the engine or the session's folder cannot be made; a fault of the engine is none.
pub fn play(spec: &EngineSpec, steps: &[ScriptStep], patience: Duration) -> Result<SessionOutcome> {
    let (folder, log) = (Folder::new()?, SharedLog::default());
    let process = Process::start(spec, &log)?;
    let mut session = Session {
        process,
        referee: Referee::default(),
        patience,
        folder: folder.0.to_string_lossy().into_owned(),
        log,
        base: None,
        writing: 0,
        closed: false,
        open: true,
        outcome: SessionOutcome::default(),
    };
    let result = session.play(steps);
    let Session { mut outcome, referee, log, .. } = session;
    outcome.counts = referee.counts;
    outcome.fault = result.err().map(|(step, detail)| {
        let text = log.text();
        let lines: Vec<String> = text.lines().filter(|line| is_shown(line)).map(cut).collect();
        let shown = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
        SessionFault { step, detail, conversation: shown.join("\n") }
    });
    Ok(outcome)
}

/// True for lines of the conversation that tell what went on: commands, answers, messages, and standard error.
fn is_shown(line: &str) -> bool {
    const SHOWN: [&str; 5] = [" engine > ", " engine ! ", " < bestmove", " < info string", " < readyok"];
    SHOWN.iter().any(|words| line.contains(words))
}

/// A line, cut where it is too long to be shown.
fn cut(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}... ({} bytes)", &line[..at], line.len()),
        None => line.to_owned(),
    }
}

struct Session {
    process: Process,
    referee: Referee,
    patience: Duration,
    folder: String,
    log: SharedLog,
    base: Option<Resources>,
    /// Writes that the engine has not taken yet.
    writing: usize,
    closed: bool,
    /// True until the script ends the input.
    open: bool,
    outcome: SessionOutcome,
}

/// The step of a fault and its detail.
type StepFault = (usize, String);

impl Session {
    fn play(&mut self, steps: &[ScriptStep]) -> Result<(), StepFault> {
        for (index, step) in steps.iter().enumerate() {
            self.step(step).map_err(|detail| (index + 1, detail))?;
        }
        self.end().map_err(|detail| (steps.len(), detail))
    }

    fn step(&mut self, step: &ScriptStep) -> Result<(), String> {
        match step {
            ScriptStep::Line(bytes) => self.send(bytes, b"\n"),
            ScriptStep::Unfinished(bytes) => self.send(bytes, b""),
            ScriptStep::Pause(milliseconds) => {
                let deadline = Instant::now() + Duration::from_millis(*milliseconds);
                while let Some(event) = self.process.event(deadline) {
                    self.hear(event)?;
                    if self.closed {
                        break;
                    }
                }
                Ok(())
            }
            ScriptStep::Await => self.wait(|session| session.referee.first_unkept()),
            ScriptStep::Checkpoint => self.checkpoint(),
            ScriptStep::Close => {
                self.open = false;
                self.referee.close();
                self.process.close();
                Ok(())
            }
        }
    }

    fn send(&mut self, line: &[u8], end: &[u8]) -> Result<(), String> {
        let bytes = self.expand(line);
        self.log.note("engine", '>', cut(&escape(&bytes)).as_bytes());
        self.referee.send(&bytes);
        self.outcome.sent += 1;
        self.writing += 1;
        self.process.write([&bytes, end].concat());
        self.wait(|session| (session.writing > 0).then(|| "a reader of its input".to_owned()))
    }

    /// The line with the real paths.
    fn expand(&self, line: &[u8]) -> Vec<u8> {
        if !line.contains(&b'{') {
            return line.to_vec();
        }
        match std::str::from_utf8(line) {
            Ok(text) => text.replace(FOLDER, &self.folder).replace(REPOSITORY, ROOT).into_bytes(),
            Err(_) => line.to_vec(),
        }
    }

    /// Hears the engine until nothing is missing any more.
    fn wait(&mut self, missing: impl Fn(&Session) -> Option<String>) -> Result<(), String> {
        let mut deadline = Instant::now() + self.patience;
        while let Some(what) = missing(self) {
            let late = || format!("no answer within {:?}: {what} is missing", self.patience);
            let event = self.process.await_event(&mut deadline).ok_or_else(late)?;
            self.hear(event)?;
            if self.closed {
                return if self.referee.has_quit() { Ok(()) } else { Err(self.ended(&what)) };
            }
            if Instant::now() > deadline {
                return Err(format!(
                    "no answer within {:?}, but much talk: {what} is missing",
                    self.patience
                ));
            }
        }
        Ok(())
    }

    fn hear(&mut self, event: ProcessEvent) -> Result<(), String> {
        match event {
            ProcessEvent::Output(line) => {
                self.referee.hear(&line).map_err(|fault| format!("{fault}, in {:?}", cut(&escape(&line))))
            }
            ProcessEvent::Error(line) if contains(&line, b"panicked") => {
                Err(format!("panic: {}", escape(&line)))
            }
            ProcessEvent::Error(_) => Ok(()),
            ProcessEvent::Written => {
                self.writing = self.writing.saturating_sub(1);
                Ok(())
            }
            ProcessEvent::Closed => {
                self.closed = true;
                Ok(())
            }
        }
    }

    /// The words for an engine that has ended while something was missing.
    fn ended(&mut self, missing: &str) -> String {
        let status = self.process.exit_status(Instant::now() + Duration::from_secs(1));
        let status = status.map_or("it closed its output".to_owned(), |status| format!("it ended: {status}"));
        format!("{status}, and {missing} is missing")
    }

    /// Waits for all answers, then until resources are as at the first checkpoint: ended threads take a moment to go.
    fn checkpoint(&mut self) -> Result<(), String> {
        self.wait(|session| session.referee.first_unkept())?;
        let deadline = Instant::now() + self.patience;
        let Some(mut now) = Resources::of(self.process.id()) else { return Ok(()) };
        let Some(base) = self.base else {
            self.base = Some(now);
            return Ok(());
        };
        self.outcome.checkpoints += 1;
        while let Some(growth) = now.growth(&base) {
            if Instant::now() > deadline {
                return Err(growth);
            }
            std::thread::sleep(Duration::from_millis(20));
            now = Resources::of(self.process.id()).unwrap_or(now);
        }
        Ok(())
    }

    /// The end of the session: all promises kept, the output closed, exit code 0.
    fn end(&mut self) -> Result<(), String> {
        if self.open && !self.referee.has_quit() {
            self.step(&ScriptStep::Pause(0))?;
            if self.closed {
                return Err(self.ended("quit"));
            }
            self.referee.close();
        }
        self.process.close();
        let mut deadline = Instant::now() + self.patience;
        while !self.closed {
            let late = || format!("it lives on {:?} after the end of its input", self.patience);
            let event = self.process.await_event(&mut deadline).ok_or_else(late)?;
            self.hear(event)?;
        }
        let status = self.process.exit_status(deadline).ok_or("it lives on after the end of its output")?;
        // The last words on standard error.
        while let Some(event @ ProcessEvent::Error(_)) = self.process.event(deadline) {
            self.hear(event)?;
        }
        match self.referee.first_unkept() {
            _ if !status.success() => Err(format!("it ended: {status}")),
            Some(missing) => Err(format!("it ended, and {missing} is missing")),
            None => Ok(()),
        }
    }
}

fn contains(line: &[u8], needle: &[u8]) -> bool {
    line.windows(needle.len()).any(|window| window == needle)
}

/// A folder with files that are no networks, tables or logs; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder> {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("tamarack-fuzz-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        let folder = Folder(path);
        folder.fill().with_context(|| folder.0.display().to_string())?;
        Ok(folder)
    }

    fn fill(&self) -> Result<()> {
        fs::write(self.0.join("empty"), b"")?;
        fs::write(self.0.join("rubbish"), [0xfe; 5000])?;
        let net = fs::read(Path::new(ROOT).join("nets/default.nnue")).unwrap_or_default();
        fs::write(self.0.join("cut.nnue"), &net[..net.len() / 3])?;
        fs::create_dir(self.0.join("tables"))?;
        fs::write(self.0.join("tables/KQvK.rtbw"), [0x71; 300])?;
        #[cfg(target_os = "linux")]
        rustix::fs::mknodat(
            rustix::fs::CWD,
            self.0.join("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )?;
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
