//! The engine's process with all its streams: every line in the order in which it was written, and input that cannot block.

use anyhow::{Context, Result};
use arena::play::log::SharedLog;
use arena::play::player;
use arena::play::reader;
use arena::play::spec::EngineSpec;
use arena::threads;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The number of events that may wait: an engine that writes without end waits for us.
const EVENTS: usize = 4096;

/// Waits are as long as this, so that time lost between them is seen.
const SLICE: Duration = Duration::from_secs(1);

/// Something that happened.
#[derive(Debug)]
pub enum ProcessEvent {
    /// A line of standard output, without its line feed.
    Output(Vec<u8>),
    /// A line of standard error.
    Error(Vec<u8>),
    /// The engine has taken everything that was written until now, or will never take it.
    Written,
    /// The end of the output.
    Closed,
}

/// A running engine.
pub struct Process {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<ProcessEvent>,
}

impl Process {
    /// Starts the engine; the log keeps what it says.
    ///
    /// # Errors
    /// If it cannot be started, or no thread that reads from it.
    pub fn start(spec: &EngineSpec, log: &SharedLog) -> Result<Process> {
        let mut child = player::spawn(spec).with_context(|| spec.command.display().to_string())?;
        let (sender, events) = sync_channel(EVENTS);
        let (output, errors, stdin) = (child.stdout.take(), child.stderr.take(), child.stdin.take());
        let (input, lines) = channel();
        // It ends the engine where a thread cannot be started.
        let process = Process { child, input: Some(input), events };
        if let Some(output) = output {
            let (log, sender) = (log.clone(), sender.clone());
            threads::spawn(move || {
                read_lines(output, '<', ProcessEvent::Output, &log, &sender);
                let _ = sender.send(ProcessEvent::Closed);
            })?;
        }
        if let Some(errors) = errors {
            let (log, sender) = (log.clone(), sender.clone());
            threads::spawn(move || read_lines(errors, '!', ProcessEvent::Error, &log, &sender))?;
        }
        if let Some(stdin) = stdin {
            threads::spawn(move || write_all(stdin, &lines, &sender))?;
        }
        Ok(process)
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes; [`ProcessEvent::Written`] tells when they are taken.
    pub fn write(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next event; `None` if there is none until the deadline.
    pub fn event(&self, deadline: Instant) -> Option<ProcessEvent> {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(ProcessEvent::Closed),
        }
    }

    /// The next event; `None` if there is none until the deadline, which is put off by what this process has lost meanwhile
    /// because it was stopped (SIGSTOP) or the machine slept.
    pub fn await_event(&self, deadline: &mut Instant) -> Option<ProcessEvent> {
        loop {
            let begin = Instant::now();
            let slice = SLICE.min(deadline.saturating_duration_since(begin));
            let event = self.event(begin + slice);
            let lost = begin.elapsed().saturating_sub(slice);
            if lost > SLICE {
                *deadline += lost;
            }
            if event.is_some() || Instant::now() >= *deadline {
                return event;
            }
        }
    }

    /// The exit status, if the process ends before the deadline.
    pub fn exit_status(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match player::try_wait(&mut self.child) {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        player::kill(&mut self.child);
    }
}

fn read_lines(
    stream: impl Read,
    arrow: char,
    event: fn(Vec<u8>) -> ProcessEvent,
    log: &SharedLog,
    events: &SyncSender<ProcessEvent>,
) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while reader::read_line(&mut reader, &mut line) {
        log.note("engine", arrow, &line);
        let end = line.strip_suffix(b"\n").map_or(line.len(), <[u8]>::len);
        if events.send(event(line[..end].to_vec())).is_err() {
            return;
        }
    }
}

fn write_all(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, events: &SyncSender<ProcessEvent>) {
    for bytes in lines {
        // An engine that has quit takes no more; the end of its output tells.
        let _ = stdin.write_all(&bytes).and_then(|()| stdin.flush());
        if events.send(ProcessEvent::Written).is_err() {
            return;
        }
    }
}
