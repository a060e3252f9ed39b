//! The referee: reads what is sent, knows what is promised, and judges what the engine says.
//!
//! Commands that wait for the end of a search are executed in the order in which they came, so the answers come in that order
//! too. `isready`, `uci` and `d` have orders of their own.

use super::promises::{Answer, Promise, Search};
use super::reading::{self, GoLimits, Reading};
use super::rules::{self, StartPosition};
use shakmaty::{Chess, Move, Position};
use std::collections::VecDeque;

/// The maximum number of leaves, one ply before the end of a perft, that the referee counts itself.
const PERFT: u64 = 20_000;

/// The greatest halfmove clock and number of a move that the engine counts.
const MAX_COUNTER: u32 = 65_535;

/// The kind of the last `position`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Valid,
    Refused,
    Unknown,
}

/// Counts of what was heard and judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// `bestmove` lines.
    pub searches: u64,
    /// Lines of moves.
    pub lines: u64,
    /// Perfts compared.
    pub perfts: u64,
    /// Boards compared.
    pub boards: u64,
    /// `readyok`.
    pub ready: u64,
}

/// The referee of one session.
#[derive(Debug)]
pub struct Referee {
    /// The position; `None` where shakmaty has none.
    position: Option<Chess>,
    place: Place,
    chess960: bool,
    promises: VecDeque<Promise>,
    boards: VecDeque<Option<Chess>>,
    ready: usize,
    uci: usize,
    /// True if a job may end early.
    stopped: bool,
    /// The number of promises that are to be kept after `quit`.
    owed: Option<usize>,
    /// The counts so far.
    pub counts: Counts,
}

impl Default for Referee {
    fn default() -> Self {
        Self {
            position: Some(Chess::default()),
            place: Place::Valid,
            chess960: false,
            promises: VecDeque::new(),
            boards: VecDeque::new(),
            ready: 0,
            uci: 0,
            stopped: false,
            owed: None,
            counts: Counts::default(),
        }
    }
}

/// What is sent.
impl Referee {
    /// Reads a line that is about to be sent, without its line feed.
    pub fn send(&mut self, line: &[u8]) {
        let reading = reading::read(line);
        // Many bytes that wait fill the queue of the engine, which then stops what runs.
        self.stopped |= line.len() > 100_000;
        match reading {
            Reading::Nothing => return,
            Reading::Uci => return self.uci += 1,
            Reading::IsReady => return self.ready += 1,
            Reading::Stop => {
                self.stopped = true;
                return self.end_searches(0);
            }
            Reading::PonderHit => return self.ponder_hit(),
            Reading::Display => return self.display(),
            Reading::Wait => return self.promises.push_back(Promise::Wait),
            Reading::Quit => return self.quit(),
            _ => self.end_searches(0),
        }
        match reading {
            Reading::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Reading::Position { fen, moves } => self.set_up(fen.as_deref(), &moves),
            Reading::BadPosition => self.place = Place::Refused,
            Reading::Go(go) => self.go(&go),
            Reading::BadGo => self.promise_search(Answer::NoMove, &GoLimits::default(), false),
            Reading::Perft { depth, fen } => self.perft(depth, fen.as_deref()),
            Reading::Bench => self.promises.push_back(Promise::Job { name: "bench", nodes: None }),
            // Of a refused position nothing is said or changed.
            Reading::Flip if self.place == Place::Refused => {}
            Reading::Flip => {
                let flipped = self.position.as_ref().and_then(rules::flipped);
                self.position = flipped.or_else(|| self.position.take());
            }
            _ => {}
        }
    }

    /// The end of the input: searches without end are stopped, and everything is answered.
    pub fn close(&mut self) {
        self.end_searches(0);
    }

    /// The position that `d` would show; `None` if it is not known.
    pub fn position(&self) -> Option<&Chess> {
        self.position.as_ref()
    }

    /// True after a line that ends the program.
    pub fn has_quit(&self) -> bool {
        self.owed.is_some()
    }

    /// True if a search or job has been promised and not answered.
    pub fn is_busy(&self) -> bool {
        !self.promises.is_empty()
    }

    /// Ends the searches that have at least `behind` promises behind them.
    fn end_searches(&mut self, behind: usize) {
        let count = self.promises.len().saturating_sub(behind);
        for promise in self.promises.iter_mut().take(count) {
            if let Promise::Search(search) = promise {
                search.end();
            }
        }
    }

    fn ponder_hit(&mut self) {
        // With something behind the last search, this waits too and ends it.
        self.end_searches(1);
        if let Some(Promise::Search(search)) = self.promises.back_mut() {
            search.ponder_hit();
        }
    }

    fn display(&mut self) {
        self.end_searches(1);
        self.boards.push_back(self.position.clone());
    }

    /// `quit` waits for what is before the last `wait`; what is behind it may be answered or not.
    fn quit(&mut self) {
        self.stopped = true;
        self.end_searches(0);
        let last_wait = self.promises.iter().rposition(|promise| matches!(promise, Promise::Wait));
        self.owed = Some(last_wait.map_or(0, |last| last + 1));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if name == "uci_chess960"
            && let Some(on) = value.and_then(|value| value.to_ascii_lowercase().parse().ok())
        {
            self.chess960 = on;
        }
    }

    fn set_up(&mut self, fen: Option<&str>, moves: &[String]) {
        let start = fen.map_or(StartPosition::Known(Chess::default()), rules::start);
        let start = match start {
            StartPosition::Known(position) if self.chess960 => Some(position),
            StartPosition::Known(position) => rules::in_standard_chess(position),
            StartPosition::Refused => return self.place = Place::Refused,
            StartPosition::Unknown => None,
        };
        let Some(mut position) = start else {
            (self.position, self.place) = (None, Place::Unknown);
            return;
        };
        for word in moves {
            let Some(mv) = rules::user_move(&position, word) else { return self.place = Place::Refused };
            position.play_unchecked(mv);
        }
        (self.position, self.place) = (Some(position), Place::Valid);
    }

    fn go(&mut self, go: &GoLimits) {
        let position = match (self.place, self.position.clone()) {
            (Place::Refused, _) => {
                return self.promise_search(Answer::NoMove, &GoLimits::default(), false);
            }
            (Place::Valid, Some(position)) => position,
            _ => return self.promise_search(Answer::Unknown, go, true),
        };
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if let Some(words) = go.search_moves.as_ref().filter(|words| !words.is_empty()) {
            moves = words.iter().filter_map(|word| rules::user_move(&position, word)).collect();
            if moves.is_empty() {
                return self.promise_search(Answer::NoMove, &GoLimits::default(), false);
            }
        }
        let endless = go.is_endless(position.turn().fold_wb(0, 1));
        let answer = if moves.is_empty() { Answer::NoMove } else { Answer::Move { position, moves } };
        self.promise_search(answer, go, endless);
    }

    fn promise_search(&mut self, answer: Answer, go: &GoLimits, endless: bool) {
        self.promises.push_back(Promise::Search(Search::new(answer, self.chess960, go, endless)));
    }

    /// The FEN is repaired where `position` repairs one.
    fn perft(&mut self, depth: i64, fen: Option<&str>) {
        let position = match fen.map(rules::start) {
            None => self.position.clone().filter(|_| self.place == Place::Valid),
            Some(StartPosition::Known(position)) => Some(position),
            Some(StartPosition::Refused) => return,
            Some(StartPosition::Unknown) => None,
        };
        let nodes = position.and_then(|position| rules::perft(&position, depth as u32, PERFT));
        self.promises.push_back(Promise::Job { name: "perft", nodes });
    }
}

/// What is heard.
impl Referee {
    /// Judges a line of the engine.
    ///
    /// # Errors
    /// The fault in it.
    pub fn hear(&mut self, line: &[u8]) -> Result<(), String> {
        let Ok(line) = std::str::from_utf8(line) else { return Err("the line is not UTF-8".to_owned()) };
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["bestmove", ..] => self.hear_best(&words),
            ["readyok"] => {
                self.counts.ready += 1;
                self.ready = self.ready.checked_sub(1).ok_or("a readyok that nobody asked for")?;
                Ok(())
            }
            ["uciok"] => {
                self.uci = self.uci.checked_sub(1).ok_or("a uciok that nobody asked for")?;
                Ok(())
            }
            ["info", "string", "wait:", "done"] => match self.pop_promise() {
                Some(Promise::Wait) => Ok(()),
                other => Err(format!("wait is done before {other:?}")),
            },
            ["info", "string", "perft:", "stopped"] if self.stopped => self.job_ended("perft", None),
            ["info", "string", "bench:", "stopped"] if self.stopped => self.job_ended("bench", None),
            ["info", "string", "perft:", "the", "last", "position", "was", "invalid"] => {
                match self.pop_promise() {
                    Some(Promise::Job { name: "perft", nodes: None }) => Ok(()),
                    other => Err(format!("a refused perft instead of {other:?}")),
                }
            }
            ["info", "string", "perft:" | "bench:", "stopped"] => Err("a job that nobody stopped".to_owned()),
            // A file that is not there.
            ["info", "string", "bench:", ..] => self.job_ended("bench", None),
            ["info", "string", ..] => Ok(()),
            ["info", ..] => self.hear_info(&words),
            ["Fen:", ..] => self.hear_board(&line["Fen:".len()..]),
            [nodes, "nodes", _, "nps"] => {
                let nodes = nodes.parse().map_err(|_| "a number of nodes that is none")?;
                let name = match self.promises.front() {
                    Some(Promise::Job { name, .. }) => name,
                    other => return Err(format!("nodes of a job instead of {other:?}")),
                };
                self.job_ended(name, Some(nodes))
            }
            _ => Ok(()),
        }
    }

    fn job_ended(&mut self, ended: &str, counted: Option<u64>) -> Result<(), String> {
        match (self.pop_promise(), counted) {
            (Some(Promise::Job { name, .. }), None) if name == ended => Ok(()),
            (Some(Promise::Job { name, nodes }), Some(counted)) if name == ended => match nodes {
                Some(nodes) if nodes != counted => Err(format!("perft counts {counted} instead of {nodes}")),
                Some(_) => {
                    self.counts.perfts += 1;
                    Ok(())
                }
                None => Ok(()),
            },
            (other, _) => Err(format!("the end of {ended} instead of {other:?}")),
        }
    }

    fn hear_best(&mut self, words: &[&str]) -> Result<(), String> {
        self.counts.searches += 1;
        match self.pop_promise() {
            Some(Promise::Search(search)) => search.judge_best(words),
            other => Err(format!("a bestmove that no go asked for, instead of {other:?}")),
        }
    }

    fn hear_info(&mut self, words: &[&str]) -> Result<(), String> {
        let Some(Promise::Search(search)) = self.promises.front() else {
            return Err(format!("a report of a search instead of {:?}", self.promises.front()));
        };
        search.judge_info(words)?;
        self.counts.lines += u64::from(words.contains(&"pv"));
        Ok(())
    }

    fn hear_board(&mut self, shown: &str) -> Result<(), String> {
        let expected = self.boards.pop_front().ok_or("a board that nobody asked for")?;
        let Some(expected) = expected else { return Ok(()) };
        let right = match rules::start(shown.trim()) {
            StartPosition::Known(position) => {
                let clocks = |position: &Chess| {
                    [position.halfmoves(), position.fullmoves().get()].map(|clock| clock.min(MAX_COUNTER))
                };
                position == expected && clocks(&position) == clocks(&expected)
            }
            StartPosition::Refused | StartPosition::Unknown => false,
        };
        self.counts.boards += 1;
        if right { Ok(()) } else { Err(format!("the position should be {}", rules::fen(&expected))) }
    }

    /// The promise that is kept now.
    fn pop_promise(&mut self) -> Option<Promise> {
        self.owed = self.owed.map(|owed| owed.saturating_sub(1));
        self.promises.pop_front()
    }

    /// The first promise that the engine has to keep without another command; `None` if it has kept all.
    pub fn first_unkept(&self) -> Option<String> {
        if self.ready > 0 {
            return Some(format!("{} readyok", self.ready));
        }
        if self.uci > 0 {
            return Some(format!("{} uciok", self.uci));
        }
        if self.owed == Some(0) {
            return None;
        }
        match self.promises.front() {
            Some(Promise::Search(search)) => search.missing(),
            Some(Promise::Job { name, .. }) => Some(format!("the end of {name}")),
            Some(Promise::Wait) => Some("the end of wait".to_owned()),
            None if !self.boards.is_empty() => Some("the board".to_owned()),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(lines: &[&str]) -> Referee {
        let mut referee = Referee::default();
        lines.iter().for_each(|line| referee.send(line.as_bytes()));
        referee
    }

    /// The fault in the last of the lines that are heard; those before are right.
    fn fault(sent: &[&str], heard: &[&str]) -> Option<String> {
        let mut referee = referee(sent);
        let (last, before) = heard.split_last().unwrap();
        before.iter().for_each(|line| referee.hear(line.as_bytes()).unwrap());
        let fault = referee.hear(last.as_bytes()).err();
        assert!(fault.is_some() || referee.first_unkept().is_none(), "{:?}", referee.first_unkept());
        fault
    }

    #[test]
    fn moves_must_be_legal_and_asked_for() {
        let go = &["position startpos moves e2e4", "go depth 1"];
        assert_eq!(fault(go, &["info depth 1 score cp 3 pv e7e5 g1f3", "bestmove e7e5 ponder g1f3"]), None);
        assert!(fault(go, &["bestmove e2e4"]).unwrap().contains("not legal"));
        assert!(fault(go, &["bestmove e7e5 ponder e7e5"]).unwrap().contains("ponder"));
        assert!(fault(go, &["bestmove (none)"]).unwrap().contains("not legal"));
        assert!(fault(go, &["info depth 1 pv e7e5 e7e5"]).unwrap().contains("not legal there"));
        assert!(fault(go, &["bestmove e7e5", "bestmove e7e5"]).unwrap().contains("no go asked for"));
        assert!(fault(&["go depth 1 searchmoves e2e4"], &["bestmove d2d4"]).unwrap().contains("searchmoves"));
        assert_eq!(fault(&["go depth 1 searchmoves e2e5"], &["bestmove (none)"]), None);
        assert!(fault(&["isready"], &["readyok", "readyok"]).is_some());
        assert!(fault(&[], &["info depth 1 score cp 3 pv e2e4"]).is_some());
    }

    #[test]
    fn after_a_refused_position_there_is_no_move() {
        for line in ["position", "position startpos moves e2e5", "position fen 8/8 w"] {
            assert_eq!(fault(&[line, "go infinite"], &["bestmove (none)"]), None);
            assert!(fault(&[line, "go depth 1"], &["bestmove e2e4"]).unwrap().contains("(none)"));
            assert_eq!(fault(&[line, "position startpos", "go depth 1"], &["bestmove e2e4"]), None);
        }
    }

    #[test]
    fn searches_without_end_wait_for_what_ends_them() {
        for go in ["go infinite", "go ponder depth 1", "go infinite depth 1"] {
            assert!(fault(&[go, "isready"], &["bestmove e2e4"]).unwrap().contains("before stop"));
            for end in ["stop", "position startpos", "flip", "setoption name X value 1"] {
                assert_eq!(fault(&[go, end], &["bestmove e2e4"]), None, "{go} {end}");
            }
        }
        assert_eq!(fault(&["go ponder depth 1", "ponderhit"], &["bestmove e2e4"]), None);
        assert!(fault(&["go infinite", "ponderhit"], &["bestmove e2e4"]).is_some());
        assert!(fault(&["go infinite", "wait"], &["bestmove e2e4"]).is_some());
        assert_eq!(
            fault(&["go infinite", "wait", "stop"], &["bestmove e2e4", "info string wait: done"]),
            None
        );
        assert!(
            referee(&["go infinite"]).first_unkept().is_none() && referee(&["go"]).first_unkept().is_none()
        );
        assert_eq!(fault(&["go"], &["bestmove e2e4"]), None, "at its greatest depth");
        assert!(referee(&["go infinite", "stop"]).first_unkept().is_some());
        assert!(referee(&["go depth 9", "quit"]).first_unkept().is_none());
        assert!(referee(&["go depth 9", "wait", "quit"]).first_unkept().is_some());
        assert!(referee(&["isready", "quit"]).first_unkept().is_some());
    }

    #[test]
    fn boards_and_perfts_are_compared() {
        let fen = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(fault(&["position startpos moves e2e4", "d"], &[fen]), None);
        assert!(fault(&["d"], &[fen]).unwrap().contains("should be"));
        assert_eq!(fault(&["go perft 2"], &["400 nodes 1 nps"]), None);
        assert!(fault(&["go perft 2"], &["401 nodes 1 nps"]).unwrap().contains("400"));
        assert!(fault(&["perft 2"], &["info string perft: stopped"]).is_some());
        assert_eq!(fault(&["perft 2", "stop"], &["info string perft: stopped"]), None);
    }

    #[test]
    fn perft_repairs_a_fen_as_position_does() {
        let perft = |counters: &str| format!("perft 1 4k3/8/8/8/8/8/8/4K3 w - - {counters}");
        for counters in ["0 70000", "99999999 1", "- -", "-3 1"] {
            let line = perft(counters);
            assert_eq!(fault(&[&line], &["5 nodes 1 nps"]), None, "{line}");
            assert!(fault(&[&line], &["6 nodes 1 nps"]).unwrap().contains('5'), "{line}");
        }
        assert!(referee(&[&perft("x y")]).first_unkept().is_none(), "it is refused");
    }
}
