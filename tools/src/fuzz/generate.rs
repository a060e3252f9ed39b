//! A session's steps from a seed.

use super::dice::Dice;
use super::mangle;
use super::positions::{self, Game};
use super::reading::{Reading, read};
use super::referee::Referee;
use super::rules;
use super::script::Step;
use crate::random::Random;
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

/// Values that no option takes as they are.
const BAD_VALUES: [&str; 8] =
    ["x", "-1", "1.5", "", "true false", "<empty>", "\u{1f602}", "99999999999999999999"];

/// The steps of the session with this seed.
pub fn session(seed: u64) -> Vec<Step> {
    // The seed is mixed first: the series of neighbouring seeds have nothing in common.
    let mut random = Random::new(Random::new(seed).bits());
    let acts = if random.one_in(12) { random.between(150, 400) } else { random.between(10, 70) };
    let referee = Referee::default();
    let mut generator = Generator { random, steps: Vec::new(), referee, game: None, long: false };
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
    steps: Vec<Step>,
    /// Knows the position.
    referee: Referee,
    /// The game of the last valid `position`.
    game: Option<Game>,
    /// True if a search or job may still run that does not end soon by itself.
    long: bool,
}

impl Generator {
    fn line(&mut self, line: impl Into<Vec<u8>>) {
        let line = line.into();
        match read(&line) {
            Reading::Go(go) => self.long |= !go.short || go.ponder || go.infinite,
            Reading::Perft { depth, .. } => self.long |= depth > 2,
            Reading::Bench => self.long = true,
            Reading::Stop => self.long = false,
            _ => {}
        }
        self.referee.send(&line);
        self.steps.push(Step::Line(line));
    }

    fn await_all(&mut self) {
        if self.long {
            self.line("stop");
        }
        self.steps.push(Step::Await);
    }

    fn pause(&mut self) {
        let most = *self.random.pick(&[1, 5, 20, 60]);
        self.steps.push(Step::Pause(self.random.between(0, most) as u64));
    }

    fn start(&mut self) {
        if !self.random.one_in(8) {
            self.line("uci");
        }
        if self.random.one_in(2) {
            self.line("isready");
            self.steps.push(Step::Await);
        }
    }

    fn checkpoint(&mut self) {
        self.line("stop");
        SETTLE.iter().for_each(|&line| self.line(line));
        self.long = false;
        self.game = None;
        self.steps.extend([Step::Await, Step::Checkpoint]);
    }

    fn act(&mut self) {
        match self.random.below(100) {
            0..14 => self.position(),
            14..22 => self.bad_position(),
            22..47 => self.go(),
            47..58 => self.option(),
            58..63 => self.bad_option(),
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
            77..80 => self.job(),
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
        let mut game = positions::game(&mut self.random);
        let line = match self.random.below(6) {
            0 => "position".to_owned(),
            1 => self
                .random
                .pick(&["position fen", "position startpos e2e4", "position fen moves e2e4"])
                .to_string(),
            2 | 3 => {
                let at = self.random.below(game.moves.len() + 1);
                let word = *self.random.pick(&[
                    "e2e5",
                    "0000",
                    "a1a1",
                    "e1g1",
                    "e7e8q",
                    "O-O",
                    "xyzzy",
                    "e2e4\u{e9}",
                    "\0",
                ]);
                game.moves.insert(at, word.to_owned());
                game.line()
            }
            _ => {
                let fen = mangle::fen(&rules::fen(&game.end), &mut self.random);
                format!("position fen {fen}")
            }
        };
        self.game = None;
        self.line(line);
    }

    fn go(&mut self) {
        let mut line = "go".to_owned();
        for _ in 0..if self.random.one_in(5) { 2 } else { 1 } {
            let limit = self.limit();
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
                self.steps.push(Step::Await);
            }
        }
    }

    /// A limit of `go` with its word, beginning with a blank.
    fn limit(&mut self) -> String {
        let random = &mut self.random;
        let clock = *random.pick(&[0, 1, 20, 300, 2000, 100_000, 10_000_000]);
        match random.below(17) {
            0..2 => format!(" depth {}", random.between(1, 7)),
            2..5 => format!(" nodes {}", random.pick(&[1, 2, 10, 300, 3000, 20_000])),
            5 | 6 => format!(" movetime {}", random.pick(&["0", "1", "2", "10", "40", "1.5", "-3"])),
            7 => format!(" wtime {clock} btime {clock}"),
            8 => format!(
                " wtime {clock} btime {} winc {} binc 7 movestogo {}",
                clock / 2,
                clock / 50,
                random.below(4)
            ),
            9 => format!(" {} {clock}", random.pick(&["wtime", "btime", "winc", "binc"])),
            10 => format!(" mate {}", random.between(1, 8)),
            11 => " infinite".to_owned(),
            12 => String::new(),
            13 => format!(
                " {} {}",
                random.pick(&["depth", "nodes", "movetime", "wtime", "mate", "movestogo"]),
                mangle::number(random)
            ),
            14 => random
                .pick(&[" depth", " wtime", " nodes depth 2", " dept 3", " depth 200", " nodes 99999999999"])
                .to_string(),
            15 => format!(" perft {}", random.pick(&["0", "1", "2", "-1", "x", "", "101"])),
            _ => " infinite depth 1".to_owned(),
        }
    }

    /// Words after `searchmoves`: legal moves, others, or none.
    fn search_moves(&mut self, line: &mut String) {
        let legal = self.referee.position().map(|position| position.legal_moves()).unwrap_or_default();
        for _ in 0..self.random.below(5) {
            line.push(' ');
            if legal.is_empty() || self.random.one_in(3) {
                line.push_str(*self.random.pick(&["e2e4", "e1g1", "0000", "a1a1", "x", "e7e8q"]));
            } else {
                let chess960 = self.random.one_in(2);
                line.push_str(&rules::spelling(legal[self.random.below(legal.len())], chess960));
            }
        }
    }

    fn option(&mut self) {
        let random = &mut self.random;
        let line = match random.below(15) {
            0 | 1 => format!("Threads value {}", random.pick(&[1, 1, 2, 3, 4, 8, 17])),
            2 | 3 => format!("Hash value {}", random.pick(&[1, 2, 7, 16, 33, 64])),
            4 => "Clear Hash".to_owned(),
            5 | 6 => format!("MultiPV value {}", random.pick(&[1, 2, 3, 5, 20, 256])),
            7 => format!("UCI_Chess960 value {}", random.pick(&["true", "false", "TRUE", "False"])),
            8 => format!("UCI_ShowWDL value {}", random.pick(&["true", "false"])),
            9 => format!("Ponder value {}", random.pick(&["true", "false"])),
            10 => format!(
                "{} value {}",
                random.pick(&["Move Overhead", "MoveOverhead"]),
                random.pick(&[0, 20, 1000])
            ),
            11 => {
                let tables = "{repo}/tools/tests/syzygy";
                let paths = [
                    tables,
                    tables,
                    "<empty>",
                    "",
                    "{tmp}",
                    "{tmp}/tables",
                    "/nowhere:{repo}/tools/tests/syzygy",
                ];
                format!("SyzygyPath value {}", random.pick(&paths))
            }
            12 => {
                let file = random.pick(&["<built-in>", "", "{repo}/nets/default.nnue"]);
                format!("EvalFile value {file}")
            }
            13 => format!("Debug Log File value {}", random.pick(&["{tmp}/log", "{tmp}/log", "", "<empty>"])),
            _ => random
                .pick(&[
                    "SyzygyProbeDepth value 1",
                    "SyzygyProbeDepth value 100",
                    "SyzygyProbeLimit value 0",
                    "SyzygyProbeLimit value 7",
                    "Syzygy50MoveRule value false",
                    "Syzygy50MoveRule value true",
                    "nodestime value 0",
                    "nodestime value 100",
                    "UCI_LimitStrength value true",
                    "UCI_LimitStrength value false",
                    "UCI_Elo value 1500",
                ])
                .to_string(),
        };
        self.line(format!("setoption name {line}"));
    }

    fn bad_option(&mut self) {
        const NUMBERS: [&str; 6] =
            ["MultiPV", "Move Overhead", "SyzygyProbeDepth", "SyzygyProbeLimit", "UCI_Chess960", "Ponder"];
        const FILES: [&str; 7] = [
            "{tmp}/empty",
            "{tmp}/rubbish",
            "{tmp}/cut.nnue",
            "{tmp}",
            "{tmp}/fifo",
            "/nowhere/at all",
            "/dev/zero",
        ];
        let random = &mut self.random;
        let line = match random.below(7) {
            0 | 1 => format!("{} value {}", random.pick(&NUMBERS), random.pick(&BAD_VALUES)),
            2 => format!("EvalFile value {}", random.pick(&FILES)),
            3 => format!("SyzygyPath value {};{}", random.pick(&FILES), random.pick(&FILES)),
            4 => format!(
                "Debug Log File value {}",
                random.pick(&["{tmp}", "{tmp}/fifo", "/nowhere/at all", "/dev/full"])
            ),
            5 => format!(
                "{} value {}",
                random.pick(&["Hash", "Threads"]),
                random.pick(&["0", "-7", "x", "", "1.5"])
            ),
            _ => random
                .pick(&["Hash", "Hush value 3", "Hash value 99999999999999999999", "", "value"])
                .to_string(),
        };
        self.line(format!("setoption name {line}"));
    }

    fn job(&mut self) {
        let line = match self.random.below(6) {
            0 => "bench 1 1 1".to_owned(),
            1 => self
                .random
                .pick(&["bench 1 2 2", "bench 2 1 3 default depth", "bench 1 1 50 default nodes"])
                .to_string(),
            2 => "bench 1 1 1 /nowhere depth".to_owned(),
            3 => format!("perft 2 {}", rules::fen(&positions::game(&mut self.random).end)),
            _ => format!("perft {}", self.random.between(0, 4)),
        };
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
            0 | 1 => self.line("quit"),
            2 if self.long => {
                self.line("stop");
                self.line("wait");
                self.line("quit");
            }
            2 | 3 => {
                if self.long {
                    self.line("stop");
                }
                self.steps.push(Step::Close);
            }
            _ => {
                if self.long {
                    self.line("stop");
                }
                let line =
                    *self.random.pick(&["isready", "go nodes 10", "position startpos mov", "d", "quit"]);
                self.steps.extend([Step::Unfinished(line.as_bytes().to_vec()), Step::Close]);
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
