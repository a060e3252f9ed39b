//! Runs the real engine as a child process and talks to it as a program would.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Nothing takes as long as this unless the engine hangs, however loaded the machine is.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// The engine's process.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// The output of an engine from `go` to `bestmove`.
pub struct Searched {
    /// The lines before the answer.
    pub info: Vec<String>,
    /// The words of the answer.
    pub best: Vec<String>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::start_program(env!("CARGO_BIN_EXE_tamarack"))
    }

    /// Starts another build of the engine.
    pub fn start_program(program: &str) -> Engine {
        Engine::start_command(&mut Command::new(program))
    }

    /// Starts the engine by a command of its own.
    pub fn start_command(command: &mut Command) -> Engine {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// Sends any bytes and a line feed.
    pub fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is still open");
        input
            .write_all(line)
            .and_then(|()| input.write_all(b"\n"))
            .and_then(|()| input.flush())
            .expect("it listens");
    }

    /// The lines up to the first one that `last` wants, which is included.
    pub fn read_until(&mut self, what: &str, last: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut read = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    read.push(line);
                    if last(read.last().unwrap()) {
                        return read;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {what} in time, but {read:#?}"),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the engine has gone before {what}, after {read:#?}")
                }
            }
        }
    }

    /// The memory that the process holds, in kilobytes (Linux).
    pub fn resident_kilobytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// The lines up to the next `readyok`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until("readyok", |line| line == "readyok");
        lines.pop();
        lines
    }

    /// The answer to a line, up to the next `readyok`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.ready()
    }

    /// Waits for the answer of a search.
    pub fn answer(&mut self) -> Searched {
        let mut info = self.read_until("bestmove", |line| line.starts_with("bestmove"));
        let best = info.pop().unwrap().split_whitespace().skip(1).map(str::to_string).collect();
        Searched { info, best }
    }

    /// Sends `go …` and waits for its answer.
    pub fn go(&mut self, line: &str) -> Searched {
        self.send(line);
        self.answer()
    }

    /// True if it prints a line within `time` for which `wanted` is true.
    pub fn says_within(&mut self, time: Duration, wanted: impl Fn(&str) -> bool) -> bool {
        let deadline = Instant::now() + time;
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if wanted(&line) {
                return true;
            }
        }
        false
    }

    /// Closes the input and returns what is still said.
    pub fn close_input(&mut self) -> Vec<String> {
        self.input = None;
        let deadline = Instant::now() + PATIENCE;
        let mut read = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => read.push(line),
                Err(RecvTimeoutError::Disconnected) => return read,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("it does not leave at the end of the input: {read:#?}")
                }
            }
        }
    }

    /// Waits until the process has ended.
    pub fn exit_status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not leave");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends `quit` and waits until the process has ended well.
    pub fn quit(mut self) {
        self.send("quit");
        assert!(self.exit_status().success());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Searched {
    /// The word after `key` in each line of analysis that has it.
    pub fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.info.iter().filter_map(move |line| value(line, key))
    }

    /// The last line of analysis with a principal variation.
    pub fn last_line(&self) -> &str {
        self.info.iter().rev().find(|line| line.contains(" pv ")).expect("a line with a pv")
    }
}

/// The word after `key`.
pub fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace().take_while(|word| *word != "string");
    words.by_ref().find(|word| *word == key)?;
    words.next()
}

/// The moves after `pv`.
pub fn variation(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|word| *word != "pv").skip(1).collect()
}
