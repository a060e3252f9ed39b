//! A session's steps from a seed.

use super::dice::Dice;
use super::lines;
use super::mangle;
use super::positions::{self, FuzzGame};
use super::reading::{Reading, read};
use super::referee::Referee;
use super::rules;
use super::script::ScriptStep;
use chess::random::Random;
use shakmaty::Position;

/// The lines before each checkpoint: the same settings, with all that is made at first use.
const SETTLE: [&str; 12] = [
    "setoption name Threads value 1",
    "setoption name Hash value 16",
    "setoption name MultiPV value 1",
    "setoption name SyzygyPath value",
    "setoption name EvalFile value <built-in>",
    "setoption name Debug Log File value",
    "setoption name Clear Hash",
    "position startpos",
    "bench 1 1 16",
    "perft 3",
    "go nodes 3000",
    "isready",
];

/// The steps of the session with this seed.
pub fn session(seed: u64) -> Vec<ScriptStep> {
    // The seed is mixed first: the series of neighbouring seeds have nothing in common.
    let mut random = Random::new(Random::new(seed).bits());
    let acts = if random.one_in(12) { random.between(150, 400) } else { random.between(10, 70) };
    let referee = Referee::default();
    let mut generator =
        Generator { random, steps: Vec::new(), referee, game: None, long: false, long_before_wait: false };
    generator.start();
    for act in 0..acts {
        generator.act();
        if act == acts / 3 || act == 2 * acts / 3 {
            generator.checkpoint();
        }
    }
    generator.end();
    generator.steps
}

struct Generator {
    random: Random,
    steps: Vec<ScriptStep>,
    /// Knows the position.
    referee: Referee,
    /// The game of the last valid `position`.
    game: Option<FuzzGame>,
    /// True if a search or job may still run that does not end soon by itself.
    long: bool,
    /// True if such a one may still run in front of a `wait`, which `quit` waits for.
    long_before_wait: bool,
}

impl Generator {
    fn line(&mut self, line: impl Into<Vec<u8>>) {
        let line = line.into();
        match read(&line) {
            Reading::Go(go) => self.long |= go.short == [false; 3] || go.ponder || go.infinite,
            Reading::Perft { depth, .. } => self.long |= depth > 2,
            Reading::Bench => self.long = true,
            Reading::Wait => self.long_before_wait |= self.long,
            Reading::Stop => (self.long, self.long_before_wait) = (false, false),
            _ => {}
        }
        self.referee.send(&line);
        self.steps.push(ScriptStep::Line(line));
    }

    fn await_all(&mut self) {
        if self.long {
            self.line("stop");
        }
        self.steps.push(ScriptStep::Await);
    }

    fn pause(&mut self) {
        let most = *self.random.pick(&[1, 5, 20, 60]);
        self.steps.push(ScriptStep::Pause(self.random.between(0, most) as u64));
    }

    fn start(&mut self) {
        if !self.random.one_in(8) {
            self.line("uci");
        }
        if self.random.one_in(2) {
            self.line("isready");
            self.steps.push(ScriptStep::Await);
        }
    }

    fn checkpoint(&mut self) {
        self.line("stop");
        SETTLE.iter().for_each(|&line| self.line(line));
        self.long = false;
        self.game = None;
        self.steps.extend([ScriptStep::Await, ScriptStep::Checkpoint]);
    }

    fn act(&mut self) {
        match self.random.below(100) {
            0..14 => self.position(),
            14..22 => self.bad_position(),
            22..47 => self.go(),
            47..58 => {
                let line = lines::option(&mut self.random);
                self.line(line);
            }
            58..63 => {
                let line = lines::bad_option(&mut self.random);
                self.line(line);
            }
            63..73 => self.line_of(&[
                "isready",
                "isready",
                "stop",
                "ponderhit",
                "d",
                "d",
                "ucinewgame",
                "flip",
                "wait",
            ]),
            73..77 => self.line_of(&[
                "uci",
                "debug on",
                "debug off",
                "eval",
                "help",
                "compiler",
                "license",
                "quit?",
                "",
            ]),
            77 => {
                let line = lines::hash_file(&mut self.random);
                self.line(line);
            }
            78..80 => self.job(),
            80..88 => {
                let line = mangle::line(&mut self.random);
                self.line(line);
            }
            88 if self.random.one_in(3) => {
                let line = mangle::long_line(&mut self.random);
                self.line(line);
            }
            89 if self.random.one_in(2) => self.burst(),
            90..94 => self.pause(),
            _ => self.await_all(),
        }
    }

    fn line_of(&mut self, lines: &[&str]) {
        let line = *self.random.pick(lines);
        self.line(line);
    }

    /// Many lines at once, without waiting for any answer.
    fn burst(&mut self) {
        for _ in 0..self.random.between(5, 60) {
            self.line_of(&[
                "go nodes 50",
                "go depth 1",
                "go infinite",
                "wait",
                "isready",
                "d",
                "position startpos",
                "go ponder",
                "ponderhit",
                "stop",
            ]);
        }
        self.long = true;
    }

    fn position(&mut self) {
        // The game goes on by two moves, as in a match, or another one begins.
        let mut game = match self.game.take().filter(|_| self.random.one_in(2)) {
            Some(mut game) => {
                let plies = self.random.between(1, 2);
                game.play_on(plies, &mut self.random);
                game
            }
            None => positions::game(&mut self.random),
        };
        if self.random.one_in(30) {
            game.moves.iter_mut().for_each(|word| *word = word.replace('q', "Q"));
        }
        self.line(game.line());
        self.game = Some(game);
    }

    fn bad_position(&mut self) {
        let line = lines::bad_position(&mut self.random);
        self.game = None;
        self.line(line);
    }

    fn go(&mut self) {
        let mut line = "go".to_owned();
        for _ in 0..if self.random.one_in(5) { 2 } else { 1 } {
            let limit = lines::limit(&mut self.random);
            line.push_str(&limit);
        }
        if self.random.one_in(7) {
            line.push_str(" searchmoves");
            self.search_moves(&mut line);
        }
        if self.random.one_in(7) {
            line = line.replacen("go", "go ponder", 1);
        }
        let ponders = line.contains("ponder");
        self.line(line);
        match self.random.below(8) {
            0..3 => {}
            3 | 4 => self.await_all(),
            5 if ponders => {
                self.pause();
                self.line("ponderhit");
                self.await_all();
            }
            _ => {
                self.pause();
                self.line("stop");
                self.steps.push(ScriptStep::Await);
            }
        }
    }

    /// Words after `searchmoves`: legal moves, others, or none.
    fn search_moves(&mut self, line: &mut String) {
        let legal = self.referee.position().map(|position| position.legal_moves()).unwrap_or_default();
        for _ in 0..self.random.below(5) {
            line.push(' ');
            if legal.is_empty() || self.random.one_in(3) {
                let word = *self.random.pick(&["e2e4", "e1g1", "0000", "a1a1", "x", "e7e8q"]);
                line.push_str(word);
            } else {
                let chess960 = self.random.one_in(2);
                line.push_str(&rules::spelling(legal[self.random.below(legal.len())], chess960));
            }
        }
    }

    fn job(&mut self) {
        let line = lines::job(&mut self.random);
        self.line(line);
        if self.random.one_in(3) {
            self.pause();
            self.line("stop");
        }
    }

    /// `quit`, or the end of the input, some of them in the middle of a search or of a line.
    fn end(&mut self) {
        if self.random.one_in(2) {
            self.await_all();
        }
        if self.random.one_in(4) {
            self.go();
        }
        match self.random.below(5) {
            0 | 1 => {
                if self.long_before_wait {
                    self.line("stop");
                }
                self.line("quit");
            }
            2 if self.long => {
                self.line("stop");
                self.line("wait");
                self.line("quit");
            }
            2 | 3 => {
                if self.long {
                    self.line("stop");
                }
                self.steps.push(ScriptStep::Close);
            }
            _ => {
                if self.long {
                    self.line("stop");
                }
                let line =
                    *self.random.pick(&["isready", "go nodes 10", "position startpos mov", "d", "quit"]);
                self.steps.extend([ScriptStep::Unfinished(line.as_bytes().to_vec()), ScriptStep::Close]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_session() {
        assert_eq!(session(5), session(5));
        assert_ne!(session(5), session(6));
        let steps: usize = (0..20).map(|seed| session(seed).len()).sum();
        assert!(steps > 400, "{steps} steps in 20 sessions");
    }
}
