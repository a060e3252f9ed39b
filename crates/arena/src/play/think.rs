//! One move of an engine: `go`, the wait, `bestmove`.

use super::player::{Failure, FaultKind, Player};
use super::reader::OutputEvent;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

/// Lines that an engine may write while nothing is asked.
const MAX_STRAYS: usize = 100_000;

/// An engine's score as UCI sends it, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate, negative when it is mated.
    Mate(i32),
}

impl UciScore {
    /// The score as one number for adjudication: mates are beyond every evaluation.
    pub fn value(self) -> i32 {
        match self {
            Self::Centipawns(value) => value,
            Self::Mate(moves) if moves > 0 => 100_000 - moves.min(1000),
            Self::Mate(moves) => -100_000 - moves.max(-1000),
        }
    }
}

/// The last score line before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UciInfo {
    /// The score.
    pub score: Option<UciScore>,
    /// Nominal depth.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Chances of win, draw and loss in thousandths, if the engine shows them (`UCI_ShowWDL`).
    pub wdl: Option<[u32; 3]>,
}

impl UciInfo {
    /// Reads an `info` line; fields that it does not have stay empty.
    pub fn parse(line: &str) -> Self {
        let mut info = Self::default();
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = parsed(words.next()).unwrap_or(0),
                "nodes" => info.nodes = parsed(words.next()).unwrap_or(0),
                "wdl" => {
                    let mut chance = || parsed(words.next());
                    info.wdl =
                        chance().zip(chance()).zip(chance()).map(|((win, draw), loss)| [win, draw, loss]);
                }
                "score" => {
                    info.score = match words.next() {
                        Some("cp") => parsed(words.next()).map(UciScore::Centipawns),
                        Some("mate") => parsed(words.next()).map(UciScore::Mate),
                        _ => None,
                    }
                }
                "pv" | "string" => break,
                _ => {}
            }
        }
        info
    }
}

fn parsed<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// A move of an engine: its `bestmove`, score and time.
#[derive(Clone, Debug)]
pub struct EngineMove {
    /// The move as the engine wrote it.
    pub mv: String,
    /// The reply that it expects, as it wrote it.
    pub ponder: Option<String>,
    /// Its last score line.
    pub info: UciInfo,
    /// The time from before `go` was written to the moment `bestmove` was read.
    pub time: Duration,
}

impl Player {
    /// Sends `position` and `go` in one write and waits for `bestmove`.
    ///
    /// `allowed` is the time that the clock gives, margin included; `None` without a clock.
    pub fn think(&mut self, question: &str, allowed: Option<Duration>) -> Result<EngineMove, Failure> {
        self.ask(question, allowed, &mut |_, _| {})
    }

    /// [`Self::think`], and `listen` is given every line with a principal variation and its time.
    pub fn think_with_info(
        &mut self,
        question: &str,
        allowed: Option<Duration>,
        listen: &mut dyn FnMut(&str, Duration),
    ) -> Result<EngineMove, Failure> {
        self.forward_all.store(true, Ordering::Relaxed);
        let answer = self.ask(question, allowed, listen);
        self.forward_all.store(false, Ordering::Relaxed);
        answer
    }

    fn ask(
        &mut self,
        question: &str,
        allowed: Option<Duration>,
        listen: &mut dyn FnMut(&str, Duration),
    ) -> Result<EngineMove, Failure> {
        self.forget_strays()?;
        self.answer(question, allowed, listen)
    }

    /// Sends `position … go ponder …`: the engine thinks on its opponent's time.
    pub fn ponder(&mut self, question: &str) -> Result<(), Failure> {
        self.forget_strays()?;
        self.forward_all.store(true, Ordering::Relaxed);
        self.send(question)
    }

    /// Sends `ponderhit`, as the opponent has played the expected move, and waits for `bestmove`. `listen` is given the lines
    /// since `go ponder` too.
    pub fn ponderhit(
        &mut self,
        allowed: Option<Duration>,
        listen: &mut dyn FnMut(&str, Duration),
    ) -> Result<EngineMove, Failure> {
        let answer = self.answer("ponderhit\n", allowed, listen);
        self.forward_all.store(false, Ordering::Relaxed);
        answer.and_then(not_before_asked)
    }

    /// Ends pondering by `stop` and drops the answer, which may take [`Patience::stop`](super::player::Patience::stop).
    pub fn end_pondering(&mut self, listen: &mut dyn FnMut(&str, Duration)) -> Result<(), Failure> {
        let start = Instant::now();
        self.send("stop\n")?;
        let answer = self.wait_for_move(start, self.patience.stop, listen);
        self.forward_all.store(false, Ordering::Relaxed);
        if let Some(answer) = answer? {
            return not_before_asked(answer).map(drop);
        }
        self.kill_stalled();
        let seconds = start.elapsed().as_secs_f64();
        Err(Failure::new(FaultKind::Stall, format!("pondering did not end within {seconds:.1} s after stop")))
    }

    fn answer(
        &mut self,
        question: &str,
        allowed: Option<Duration>,
        listen: &mut dyn FnMut(&str, Duration),
    ) -> Result<EngineMove, Failure> {
        let start = Instant::now();
        self.send(question)?;
        match self.wait_for_move(start, allowed.unwrap_or(self.patience.think), listen)? {
            // It may have come too late and waited until we had listened to a line.
            Some(answer) => in_time(answer, allowed),
            None => self.stop(start, allowed),
        }
    }

    /// Drops lines that came while nothing was asked, so that a second `bestmove` is not taken for the next answer.
    fn forget_strays(&mut self) -> Result<(), Failure> {
        for _ in 0..MAX_STRAYS {
            match self.events.try_recv() {
                Ok(OutputEvent::Closed) | Err(TryRecvError::Disconnected) => return Err(self.crash()),
                Err(TryRecvError::Empty) => return Ok(()),
                Ok(_) => {}
            }
        }
        Err(self.flood("while nothing is asked"))
    }

    /// `None` when the time is over.
    fn wait_for_move(
        &mut self,
        start: Instant,
        patience: Duration,
        listen: &mut dyn FnMut(&str, Duration),
    ) -> Result<Option<EngineMove>, Failure> {
        let deadline = start + patience;
        loop {
            match self.next_event(deadline) {
                Ok(OutputEvent::Best { line, info, at }) => {
                    let mut words = line.split_ascii_whitespace().skip(1);
                    let mv = words.next().unwrap_or("").to_owned();
                    let ponder = words.next().filter(|&word| word == "ponder");
                    let ponder = ponder.and_then(|_| words.next()).map(str::to_owned);
                    let time = at.saturating_duration_since(start);
                    return Ok(Some(EngineMove { mv, ponder, info: UciInfo::parse(&info), time }));
                }
                Ok(OutputEvent::Info(line, at)) => listen(&line, at.saturating_duration_since(start)),
                Ok(OutputEvent::Line(..)) => {}
                Ok(OutputEvent::Closed) | Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
            }
        }
    }

    /// The time is over: tells apart an engine that is late from one that hangs.
    fn stop(&mut self, start: Instant, allowed: Option<Duration>) -> Result<EngineMove, Failure> {
        self.send("stop\n")?;
        let patience = start.elapsed() + self.patience.stop;
        let answer = self.wait_for_move(start, patience, &mut |_, _| {})?;
        match (answer, allowed) {
            // It may have been in time and only the news of it was late.
            (Some(answer), Some(_)) => in_time(answer, allowed),
            (late, _) => {
                self.kill_stalled();
                let stop = if late.is_some() { "moved only after stop" } else { "not even after stop" };
                let seconds = start.elapsed().as_secs_f64();
                Err(Failure::new(FaultKind::Stall, format!("no move in {seconds:.1} s, {stop}")))
            }
        }
    }
}

/// The answer of an engine that was pondering, unless it came before `ponderhit` or `stop`.
fn not_before_asked(answer: EngineMove) -> Result<EngineMove, Failure> {
    match answer.time.is_zero() {
        true => Err(Failure::new(FaultKind::Illegal, format!("it moved {:?} while pondering", answer.mv))),
        false => Ok(answer),
    }
}

/// The move, unless the engine took longer than its clock allows.
pub(super) fn in_time(answer: EngineMove, allowed: Option<Duration>) -> Result<EngineMove, Failure> {
    let Some(allowed) = allowed.filter(|&allowed| answer.time > allowed) else { return Ok(answer) };
    let late = (answer.time - allowed).as_secs_f64() * 1e3;
    let detail = format!(
        "moved after {:.3} s, {late:.1} ms too late (allowed {:.3} s)",
        answer.time.as_secs_f64(),
        allowed.as_secs_f64()
    );
    Err(Failure::new(FaultKind::Time, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clock_makes_a_move_late() {
        let answer = |milliseconds| EngineMove {
            mv: "e2e4".to_owned(),
            ponder: None,
            info: UciInfo::default(),
            time: Duration::from_millis(milliseconds),
        };
        let allowed = Some(Duration::from_millis(100));
        assert_eq!(in_time(answer(100), allowed).unwrap().mv, "e2e4");
        assert!(in_time(answer(100_000), None).is_ok());
        let failure = in_time(answer(103), allowed).unwrap_err();
        assert_eq!(failure.kind, FaultKind::Time);
        assert_eq!(failure.detail, "moved after 0.103 s, 3.0 ms too late (allowed 0.100 s)");
    }
}
