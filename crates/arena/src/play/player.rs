//! An engine process: started, spoken to in UCI, and ended.

use super::log::SharedLog;
use super::reader::{self, OutputEvent};
use super::spec::{EngineSpec, is_same_option};
use super::waits::{self, Waits};
use crate::threads;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// Events that wait for the game's thread: an engine that writes without end waits for us.
const QUEUE: usize = 1024;

/// The greatest length of an answer of many lines, in bytes: an engine that writes lines without end must not fill the memory.
const MAX_ANSWER_BYTES: usize = 1 << 24;

/// The kind of a fault of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FaultKind {
    /// It could not be started, died while starting, or never said `uciok` or `readyok`.
    Start,
    /// The process ended during a game.
    Crash,
    /// It did not answer, not even to `stop`.
    Stall,
    /// It used more time than it had.
    Time,
    /// It played a move that is illegal or no move at all.
    Illegal,
    /// It showed a line with an illegal move.
    Line,
}

impl FaultKind {
    /// The name of the kind, as in "loses by …".
    pub fn words(self) -> &'static str {
        match self {
            Self::Start => "failure to start",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Time => "time",
            Self::Illegal => "illegal move",
            Self::Line => "illegal line",
        }
    }
}

/// A fault with its circumstances.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its kind.
    pub kind: FaultKind,
    /// The observation, for people.
    pub detail: String,
}

impl Failure {
    pub(super) fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// The failure as an error: name, observation and the last lines of the log.
    pub fn told(&self, name: &str, log: &SharedLog) -> anyhow::Error {
        anyhow::anyhow!("{name}: {}\n{}", self.detail, log.tail(20))
    }
}

/// Timeouts of an engine apart from its clock.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Time for `uciok` and `readyok`.
    pub ready: Duration,
    /// Time for a move without a clock.
    pub think: Duration,
    /// Time for an answer to `stop`, after the clock has run out.
    pub stop: Duration,
    /// Time for the end of the process after `quit`.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { ready: seconds(30), think: seconds(120), stop: seconds(5), quit: seconds(3) }
    }
}

/// An option that the engine offers.
#[derive(Clone, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// `spin`, `check`, `combo`, `button` or `string`.
    pub kind: String,
    /// Its default, as text.
    pub default: String,
    /// Range of a spin.
    pub range: Option<(i64, i64)>,
    /// Values of a combo.
    pub values: Vec<String>,
}

/// A running engine.
#[derive(Debug)]
pub struct Player {
    pub(super) name: String,
    pub(super) patience: Patience,
    pub(super) events: Receiver<OutputEvent>,
    pub(super) input: Option<ChildStdin>,
    pub(super) log: SharedLog,
    /// Makes the reader pass on principal variations and lines that it does not know.
    pub(super) forward_all: Arc<AtomicBool>,
    /// Disconnected when standard error has been read to its end.
    errors_closed: Receiver<()>,
    child: Child,
    options: Vec<OptionInfo>,
    identity: String,
}

impl Player {
    /// Starts the engine, waits for `uciok` and sets its options.
    pub fn start(spec: &EngineSpec, patience: Patience, log: &SharedLog) -> Result<Self, Failure> {
        let mut child = spawn(spec).map_err(|error| {
            Failure::new(FaultKind::Start, format!("{}: {error}", spec.command.display()))
        })?;
        let (sender, events) = sync_channel(QUEUE);
        let (errors_open, errors_closed) = channel();
        let mut player = Self {
            name: spec.name.clone(),
            patience,
            events,
            input: child.stdin.take(),
            log: log.clone(),
            forward_all: Arc::new(AtomicBool::new(false)),
            errors_closed,
            child,
            options: Vec::new(),
            identity: String::new(),
        };
        player
            .listen(sender, errors_open)
            .map_err(|error| Failure::new(FaultKind::Start, format!("{error:#}")))?;
        player.handshake(spec).map_err(|failure| Failure { kind: FaultKind::Start, ..failure })?;
        Ok(player)
    }

    /// Starts the threads that read what the engine says.
    fn listen(&mut self, events: SyncSender<OutputEvent>, errors_open: Sender<()>) -> anyhow::Result<()> {
        if let Some(output) = self.child.stdout.take() {
            let (name, log, forward_all) = (self.name.clone(), self.log.clone(), self.forward_all.clone());
            threads::spawn(move || reader::read_output(output, &name, &log, &events, &forward_all))?;
        }
        if let Some(errors) = self.child.stderr.take() {
            let (name, log) = (self.name.clone(), self.log.clone());
            threads::spawn(move || {
                reader::read_errors(errors, &name, &log);
                drop(errors_open);
            })?;
        }
        Ok(())
    }

    fn handshake(&mut self, spec: &EngineSpec) -> Result<(), Failure> {
        self.send("uci\n")?;
        for line in self.wait_for("uciok")? {
            if let Some(name) = line.strip_prefix("id name ") {
                self.identity = name.trim().to_owned();
            } else if let Some(option) = parse_option(&line) {
                self.options.push(option);
            }
        }
        // Threads first: engines that allot their table by threads want to know before.
        let mut options: Vec<_> = spec.options.iter().collect();
        options.sort_by_key(|(name, _)| !name.eq_ignore_ascii_case("threads"));
        self.set_options(options)?;
        self.ready()
    }

    /// Sets options; one that the engine does not offer, or a value out of its range, is a failure: a match with
    /// other settings than one believes is worse than none.
    pub fn set_options<'o>(
        &mut self,
        options: impl IntoIterator<Item = &'o (String, String)>,
    ) -> Result<(), Failure> {
        let lines = options.into_iter().map(|(name, value)| self.option_line(name, value));
        let text = lines.collect::<Result<String, Failure>>()?;
        self.send(&text)
    }

    /// The command that sets an option.
    fn option_line(&self, name: &str, value: &str) -> Result<String, Failure> {
        let known = self.options.iter().find(|option| is_same_option(&option.name, name));
        let Some(option) = known else {
            return Err(Failure::new(FaultKind::Start, format!("{} offers no option {name:?}", self.name)));
        };
        if let Some((low, high)) = option.range {
            let inside = value.parse().is_ok_and(|number: i64| (low..=high).contains(&number));
            if !inside {
                let detail = format!("{}: {name}={value} is outside {low}..{high}", self.name);
                return Err(Failure::new(FaultKind::Start, detail));
            }
        }
        if option.kind == "combo" && !option.values.iter().any(|known| known.eq_ignore_ascii_case(value)) {
            let detail = format!("{}: {name}={value} is none of {}", self.name, option.values.join(", "));
            return Err(Failure::new(FaultKind::Start, detail));
        }
        Ok(match option.kind.as_str() {
            "button" => format!("setoption name {}\n", option.name),
            _ => format!("setoption name {} value {value}\n", option.name),
        })
    }

    /// Tells the engine that a new game begins and waits until it is ready.
    pub fn new_game(&mut self, chess960: bool) -> Result<(), Failure> {
        if chess960 {
            let line = self.option_line("UCI_Chess960", "true")?;
            self.send(&line)?;
        }
        self.send("ucinewgame\n")?;
        self.ready()
    }

    /// Waits until the engine is ready.
    pub fn ready(&mut self) -> Result<(), Failure> {
        self.send("isready\n")?;
        self.wait_for("readyok").map(drop)
    }

    /// Sends a command that is not UCI's and returns the engine's answer, `info` lines left out.
    pub fn query(&mut self, command: &str) -> Result<Vec<String>, Failure> {
        self.forward_all.store(true, Ordering::Relaxed);
        let answer = self.send(&format!("{command}\nisready\n")).and_then(|()| self.wait_for("readyok"));
        self.forward_all.store(false, Ordering::Relaxed);
        answer
    }

    /// The name by which the engine introduces itself.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The time for which its threads have waited for a processor.
    pub fn waits(&self) -> Waits {
        Waits::of(self.child.id())
    }

    /// The options that it offers.
    pub fn options(&self) -> &[OptionInfo] {
        &self.options
    }

    pub(super) fn send(&mut self, text: &str) -> Result<(), Failure> {
        for line in text.lines() {
            self.log.note(&self.name, '>', line.as_bytes());
        }
        let written = self.input.as_mut().is_some_and(|input| input.write_all(text.as_bytes()).is_ok());
        if written { Ok(()) } else { Err(self.crash()) }
    }

    /// The next event until the deadline; what the engine writes after it does not count, except a move, which may be late.
    pub(super) fn next_event(&self, deadline: Instant) -> Result<OutputEvent, RecvTimeoutError> {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now()))? {
            OutputEvent::Line(_, at) | OutputEvent::Info(_, at) if at > deadline => {
                Err(RecvTimeoutError::Timeout)
            }
            event => Ok(event),
        }
    }

    /// Collects lines until the given word comes.
    fn wait_for(&mut self, word: &str) -> Result<Vec<String>, Failure> {
        let deadline = Instant::now() + self.patience.ready;
        let (mut lines, mut bytes) = (Vec::new(), 0);
        loop {
            match self.next_event(deadline) {
                Ok(OutputEvent::Line(line, _)) if line.split_whitespace().next() == Some(word) => {
                    return Ok(lines);
                }
                Ok(OutputEvent::Line(line, _)) => {
                    bytes += line.len() + size_of::<String>();
                    lines.push(line);
                }
                Ok(OutputEvent::Best { at, .. }) if at <= deadline => {}
                Ok(OutputEvent::Info(..)) => {}
                Ok(OutputEvent::Closed) | Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Ok(OutputEvent::Best { .. }) | Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.patience.ready.as_secs_f64();
                    self.kill_stalled();
                    return Err(Failure::new(FaultKind::Stall, format!("no {word} within {seconds} s")));
                }
            }
            if bytes > MAX_ANSWER_BYTES {
                return Err(self.flood(&format!("instead of {word}")));
            }
        }
    }

    /// The failure of an engine that writes lines without end.
    pub(super) fn flood(&mut self, place: &str) -> Failure {
        self.kill_stalled();
        Failure::new(FaultKind::Stall, format!("it writes lines without end {place}"))
    }

    /// The failure of a process that has closed its pipes, with its exit status.
    pub(super) fn crash(&mut self) -> Failure {
        // It may have closed its output and live on: not for long.
        const GRACE: Duration = Duration::from_secs(1);
        let status = self.wait_for_end(Instant::now() + GRACE);
        if status.is_some() {
            // Its last words belong into the log.
            let _ = self.errors_closed.recv_timeout(GRACE);
        }
        match status {
            Some(status) => Failure::new(FaultKind::Crash, format!("the process ended: {status}")),
            None => {
                self.kill();
                Failure::new(FaultKind::Crash, "it closed its output")
            }
        }
    }

    fn wait_for_end(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match try_wait(&mut self.child) {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Ends a process that does not answer; the states of its threads are kept in the log.
    pub(super) fn kill_stalled(&mut self) {
        for thread in waits::threads(self.child.id()).unwrap_or_default() {
            self.log.note(&self.name, '!', thread.as_bytes());
        }
        self.kill();
    }

    /// Ends the process, and what it started, at once.
    pub fn kill(&mut self) {
        self.input = None;
        kill(&mut self.child);
    }

    /// Asks the engine to quit; kills it if it does not.
    pub fn quit(mut self) {
        let _ = self.send("quit\n");
        self.input = None;
        let deadline = Instant::now() + self.patience.quit;
        while let Ok(event) = self.next_event(deadline) {
            match event {
                OutputEvent::Closed => {
                    self.wait_for_end(deadline);
                    break;
                }
                OutputEvent::Best { at, .. } if at > deadline => break,
                _ => {}
            }
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts an engine's process with pipes, in a process group of its own.
pub fn spawn(spec: &EngineSpec) -> std::io::Result<Child> {
    let mut command = Command::new(&spec.command);
    command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = &spec.folder {
        command.current_dir(folder);
    }
    // A group of its own: Ctrl-C is for us, and what the engine starts can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// The status of a process that [`spawn`] started, if it has ended; what it started is ended then.
pub fn try_wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    #[cfg(unix)]
    if group::state(child) == group::State::Ended {
        group::kill(child);
    }
    child.try_wait()
}

/// Ends a process that [`spawn`] started, and what it started, at once.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if group::state(child) != group::State::Reaped {
        group::kill(child);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The process group of an engine.
#[cfg(unix)]
mod group {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::process::Child;

    /// The state of the engine's own process.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum State {
        Running,
        /// It has ended and its status has not been fetched: its number, which is the group's, is still its own.
        Ended,
        /// Its status has been fetched, and its number may be another's.
        Reaped,
    }

    pub(super) fn state(child: &Child) -> State {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(Pid::from_child(child)), options) {
            Ok(None) => State::Running,
            Ok(Some(_)) => State::Ended,
            Err(_) => State::Reaped,
        }
    }

    pub(super) fn kill(child: &Child) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

/// Parses `option name … type … [min …] [max …]`.
fn parse_option(line: &str) -> Option<OptionInfo> {
    let rest = line.strip_prefix("option")?.trim_start().strip_prefix("name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let word_after = |key: &str| {
        let at = words.iter().position(|&word| word == key)?;
        words.get(at + 1).copied()
    };
    let after = |key: &str| word_after(key)?.parse::<i64>().ok();
    let default = match words.first() {
        Some(&"string") => rest.split_once(" default ").map(|(_, text)| text),
        _ => word_after("default"),
    };
    let range = if words.first() == Some(&"spin") { after("min").zip(after("max")) } else { None };
    let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect();
    Some(OptionInfo {
        name: name.trim().to_owned(),
        kind: words.first()?.to_string(),
        default: default.unwrap_or("").to_owned(),
        range,
        values,
    })
}
