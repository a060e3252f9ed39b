//! Parsing: the text of a line -> [`Command`]. Moves, positions and option names are checked later, by the engine.

use super::command::{Command, Go, Start};
use super::error::CommandError;
use super::options::{MAX_HASH, MAX_THREADS};
use super::tokens::{MAX_MS, Tokens};
use crate::commands::bench::{BenchConfig, BenchLimit};
use crate::commands::genfens::{Arrays, GenFensConfig};
use crate::commands::speedtest::{SpeedtestConfig, SpeedtestLimit};
use crate::score::MAX_PLY;
use chess::Color;
use std::time::Duration;

/// The greatest depth of `perft`, which bounds its recursion.
const MAX_PERFT_DEPTH: i64 = 100;

/// The greatest time of `speedtest` for each number of threads in seconds: a day.
const MAX_TEST_SECONDS: i64 = 86_400;

/// The most openings of `genfens`.
const MAX_OPENINGS: i64 = 1_000_000_000;

/// The most random plies of `genfens`: few random games end so early.
const MAX_RANDOM_PLIES: i64 = 100;

/// The time of a search when no limit of `go` could be read.
const FALLBACK_TIME: Duration = Duration::from_millis(100);

impl Command {
    /// The command on a line, or `None` for an empty one. As the protocol wants, unknown words before the command are
    /// ignored. So is a byte-order mark, with which some editors begin a file.
    ///
    /// # Errors
    /// If the line is no valid command.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut tokens = Tokens::new(line.trim_start_matches('\u{feff}'));
        let Some(first) = tokens.next() else { return Ok(None) };
        let mut name = first;
        loop {
            match tokens.command(name)? {
                Some(command) => return Ok(Some(command)),
                None => name = tokens.next().ok_or_else(|| CommandError::Unknown(first.to_string()))?,
            }
        }
    }

    /// True if a line starts with the name of a command.
    pub fn starts_with_command(line: &str) -> bool {
        let mut tokens = Tokens::new(line);
        tokens.next().is_some_and(|name| !matches!(tokens.command(name), Ok(None)))
    }

    /// The name of the command `position` or `go` at the start of a line.
    pub fn name_in(line: &str) -> Option<&'static str> {
        let first = Tokens::new(line.trim_start_matches('\u{feff}')).next()?;
        ["position", "go"].into_iter().find(|&name| name == first)
    }
}

/// The arguments of each command that has some.
impl Tokens<'_> {
    /// The command `name` with the arguments that follow; `None` if there is no such command.
    fn command(&mut self, name: &str) -> Result<Option<Command>, CommandError> {
        Ok(Some(match name {
            "uci" => Command::Uci,
            "debug" => self.debug()?,
            "isready" => Command::IsReady,
            "setoption" => self.set_option()?,
            "ucinewgame" => Command::NewGame,
            "position" => self.position()?,
            "go" => self.go()?,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" | "exit" => Command::Quit,
            "d" | "display" => Command::Display,
            "eval" => Command::Eval { fen: self.joined() },
            "bench" => self.bench()?,
            "speedtest" => self.speedtest()?,
            "genfens" => self.genfens()?,
            "perft" => self.perft("perft")?,
            "flip" => Command::Flip,
            "export_net" => {
                Command::ExportNet { file: Some(self.literal().to_string()).filter(|file| !file.is_empty()) }
            }
            "savehash" => Command::SaveHash { file: self.file("savehash")? },
            "loadhash" => Command::LoadHash { file: self.file("loadhash")? },
            "wait" => Command::Wait,
            "help" => Command::Help,
            "license" | "licence" => Command::License,
            "compiler" => Command::Compiler,
            #[cfg(feature = "tune")]
            "tunables" | "spsa" => Command::Tunables,
            _ => return Ok(None),
        }))
    }

    fn debug(&mut self) -> Result<Command, CommandError> {
        self.command = "debug";
        match self.next() {
            Some("on") => Ok(Command::Debug(true)),
            Some("off") => Ok(Command::Debug(false)),
            other => Err(self.expected("'on' or 'off'", other)),
        }
    }

    /// `name NAME [value VALUE]`. Both may contain blanks: a name ends at the word `value`, a value at the end of the line. The value
    /// is kept as it stands, since it may be a file.
    fn set_option(&mut self) -> Result<Command, CommandError> {
        self.command = "setoption";
        match self.next() {
            Some("name") => {}
            other => return Err(self.expected("'name'", other)),
        }
        let mut name = Vec::new();
        let mut value = None;
        while let Some(word) = self.next() {
            if word == "value" {
                value = Some(self.literal().to_string());
                break;
            }
            name.push(word);
        }
        if name.is_empty() {
            return Err(self.missing("name"));
        }
        Ok(Command::SetOption { name: name.join(" "), value })
    }

    fn position(&mut self) -> Result<Command, CommandError> {
        self.command = "position";
        let start = match self.next() {
            Some("startpos") => Start::Standard,
            Some("fen") => {
                let mut fields = Vec::new();
                while let Some(field) = self.next_if(|word| word != "moves") {
                    fields.push(field);
                }
                if fields.is_empty() {
                    return Err(self.missing("fen"));
                }
                Start::Fen(fields.join(" "))
            }
            other => return Err(self.expected("'startpos' or 'fen'", other)),
        };
        match self.next() {
            None | Some("moves") => {}
            other => return Err(self.expected("'moves'", other)),
        }
        Ok(Command::Position { start, moves: self.by_ref().map(str::to_string).collect() })
    }

    fn go(&mut self) -> Result<Command, CommandError> {
        self.command = "go";
        let mut go = Go::default();
        while let Some(word) = self.next() {
            if word == "perft" {
                match self.perft("go perft") {
                    Ok(perft) => return Ok(perft),
                    Err(error) => go.errors.push(error),
                }
                self.command = "go";
                continue;
            }
            match self.go_limit(word, &mut go) {
                Ok(true) => {}
                Ok(false) => go.ignored.push(word.to_string()),
                Err(error) => go.errors.push(error),
            }
        }
        // A misspelt limit must not become a search without end: the user waits for a move.
        let endless = Color::ALL.into_iter().any(|side| go.limits.is_endless(side));
        let misspelt = !go.ignored.is_empty() || !go.errors.is_empty();
        if misspelt && endless && !go.limits.infinite {
            go.limits.move_time = Some(FALLBACK_TIME);
        }
        Ok(Command::Go(go))
    }

    /// Reads the limit `word` and its value; false if there is no such limit.
    fn go_limit(&mut self, word: &str, go: &mut Go) -> Result<bool, CommandError> {
        let limits = &mut go.limits;
        if self.peek().is_some_and(|next| takes_value(word) && is_go_word(next)) {
            return Err(self.missing(word));
        }
        match word {
            "wtime" => limits.time[0] = Some(self.milliseconds(word)?),
            "btime" => limits.time[1] = Some(self.milliseconds(word)?),
            "winc" => limits.increment[0] = self.milliseconds(word)?,
            "binc" => limits.increment[1] = self.milliseconds(word)?,
            // Zero is how some programs say that the time is for the rest of the game.
            "movestogo" => {
                limits.moves_to_go =
                    Some(self.number(word)?.clamp(0, i64::from(u32::MAX)) as u32).filter(|&moves| moves > 0)
            }
            "movetime" => limits.move_time = Some(self.milliseconds(word)?),
            "depth" => limits.depth = Some(self.number(word)?.clamp(1, MAX_PLY as i64) as i32),
            "nodes" => limits.nodes = Some(self.number(word)?.max(1) as u64),
            "mate" => limits.mate = Some(self.number(word)?.clamp(1, MAX_PLY as i64) as u32),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                let moves = go.search_moves.get_or_insert_default();
                while let Some(mv) = self.next_if(|word| !is_go_word(word)) {
                    moves.push(mv.to_string());
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `bench [DEPTH [THREADS [HASH]]]`, or all five arguments of Stockfish's `bench`:
    /// `bench HASH THREADS LIMIT default|FILE depth|nodes|movetime`, after which older clients give a kind of evaluation.
    fn bench(&mut self) -> Result<Command, CommandError> {
        self.command = "bench";
        let mut arguments = self.clone();
        let count = std::iter::from_fn(|| arguments.next_file()).count();
        if (5..=6).contains(&count) {
            return self.bench_stockfish_style();
        }
        let mut config = BenchConfig::default();
        if self.peek().is_some() {
            config.limit = BenchLimit::Depth(self.number_from("depth", 1, MAX_PLY as i64)? as i32);
        }
        if self.peek().is_some() {
            config.threads = self.number_from("threads", 1, MAX_THREADS)? as usize;
        }
        if self.peek().is_some() {
            config.hash = self.number_from("hash", 1, MAX_HASH)? as usize;
        }
        match self.next() {
            None => Ok(Command::Bench(config)),
            other => Err(self.expected("depth, threads and hash, or five arguments", other)),
        }
    }

    fn bench_stockfish_style(&mut self) -> Result<Command, CommandError> {
        let hash = self.number_from("hash", 1, MAX_HASH)? as usize;
        let threads = self.number_from("threads", 1, MAX_THREADS)? as usize;
        let limit = self.number_from("limit", 1, MAX_MS)?;
        let file = self.next_file().filter(|&file| file != "default").map(str::to_string);
        let limit = match self.next() {
            Some("depth") => BenchLimit::Depth(limit.min(MAX_PLY as i64) as i32),
            Some("nodes") => BenchLimit::Nodes(limit as u64),
            Some("movetime") => BenchLimit::MoveTime(Duration::from_millis(limit as u64)),
            other => return Err(self.expected("depth, nodes or movetime", other)),
        };
        match self.next() {
            None | Some("mixed" | "classical" | "NNUE") => {}
            other => return Err(self.expected("the end of the line", other)),
        }
        Ok(Command::Bench(BenchConfig { limit, threads, hash, file, stockfish_style: true }))
    }

    /// `speedtest [THREADS[,THREADS...] [HASH [SECONDS | nodes NODES]]]`.
    fn speedtest(&mut self) -> Result<Command, CommandError> {
        self.command = "speedtest";
        let mut config = SpeedtestConfig::default();
        if let Some(list) = self.next() {
            let number =
                |word: &str| word.parse().ok().filter(|threads| (1..=MAX_THREADS as usize).contains(threads));
            let threads: Option<Vec<usize>> = list.split(',').map(number).collect();
            config.threads =
                threads.ok_or_else(|| self.expected("numbers of threads such as 1,2,4", Some(list)))?;
        }
        if self.peek().is_some() {
            config.hash = Some(self.number_from("hash", 1, MAX_HASH)? as usize);
        }
        if self.next_if(|word| word == "nodes").is_some() {
            config.limit = SpeedtestLimit::Nodes(self.number_from("nodes", 1, i64::MAX)? as u64);
        } else if self.peek().is_some() {
            let seconds = self.number_from("seconds", 1, MAX_TEST_SECONDS)? as u64;
            config.limit = SpeedtestLimit::Time(Duration::from_secs(seconds));
        }
        match self.next() {
            None => Ok(Command::Speedtest(config)),
            other => Err(self.expected("threads, hash and seconds", other)),
        }
    }

    /// `genfens N seed S book FILE|None [EXTRA]`, as OpenBench writes it.
    fn genfens(&mut self) -> Result<Command, CommandError> {
        self.command = "genfens";
        let mut config = GenFensConfig {
            count: self.number_from("count", 1, MAX_OPENINGS)? as u64,
            ..GenFensConfig::default()
        };
        while let Some(word) = self.next() {
            match word {
                "seed" => config.seed = self.number(word)? as u64,
                "book" => {
                    let file = self.next_file().ok_or_else(|| self.missing(word))?;
                    config.book = Some(file.to_string()).filter(|file| !file.eq_ignore_ascii_case("none"));
                }
                "plies" => config.plies = Some(self.number_from(word, 0, MAX_RANDOM_PLIES)? as u32),
                "limit" => config.limit = self.number_from(word, 1, 100_000)? as i32,
                "chess960" | "frc" => config.arrays = Arrays::Chess960,
                "dfrc" => config.arrays = Arrays::DoubleChess960,
                other => return Err(self.expected("seed, book, plies, limit, chess960 or dfrc", Some(other))),
            }
        }
        Ok(Command::GenFens(config))
    }

    fn file(&mut self, command: &'static str) -> Result<String, CommandError> {
        self.command = command;
        Some(self.literal().to_string())
            .filter(|file| !file.is_empty())
            .ok_or_else(|| self.expected("a file", None))
    }

    fn perft(&mut self, command: &'static str) -> Result<Command, CommandError> {
        self.command = command;
        let depth = self.number_from("depth", 0, MAX_PERFT_DEPTH)? as u32;
        Ok(Command::Perft { depth, fen: self.joined() })
    }
}

/// True for a word of `go` that a number follows.
fn takes_value(word: &str) -> bool {
    is_go_word(word) && !matches!(word, "infinite" | "ponder" | "searchmoves")
}

fn is_go_word(word: &str) -> bool {
    const WORDS: [&str; 13] = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "movetime",
        "depth",
        "nodes",
        "mate",
        "infinite",
        "ponder",
        "searchmoves",
        "perft",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    fn go(line: &str) -> Go {
        match parse(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn commands_without_arguments_are_parsed() {
        assert_eq!(Command::parse("  \t \r"), Ok(None));
        assert_eq!(parse("uci\r"), Command::Uci);
        assert_eq!(parse("  isready  "), Command::IsReady);
        assert_eq!(parse("ucinewgame"), Command::NewGame);
        assert_eq!(parse("stop"), Command::Stop);
        assert_eq!(parse("ponderhit"), Command::PonderHit);
        assert_eq!(parse("quit"), Command::Quit);
        assert_eq!(parse("d"), Command::Display);
        assert_eq!(parse("debug on"), Command::Debug(true));
        assert_eq!(parse("debug off"), Command::Debug(false));
        assert_eq!(error("debug"), "debug: expected 'on' or 'off', found the end of the line");
        assert_eq!(error("xyzzy 1 2"), "unknown command 'xyzzy'; 'help' lists the commands");
        assert_eq!(error("UCI"), "unknown command 'UCI'; 'help' lists the commands");
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(Into::into),
        };
        assert_eq!(parse("setoption name Hash value 64"), set("Hash", Some("64")));
        assert_eq!(parse("setoption name Move  Overhead value 30"), set("Move Overhead", Some("30")));
        assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(parse("setoption name Path value a value b"), set("Path", Some("a value b")));
        assert_eq!(parse("setoption name Path value"), set("Path", Some("")));
        assert_eq!(error("setoption Hash 3"), "setoption: expected 'name', found 'Hash'");
        assert_eq!(error("setoption name"), "setoption: 'name' needs a value");
        assert_eq!(error("setoption name value 3"), "setoption: 'name' needs a value");
    }

    #[test]
    fn files_are_taken_as_they_stand_whatever_blanks_are_in_their_names() {
        for file in ["/a b/c", "/My  Nets/n", "a\tb", "a\u{a0}b", "a\u{3000}b", "\u{3000}a\u{a0}", "\"  a \""]
        {
            let name = "EvalFile".to_string();
            let file = file.to_string();
            for end in ["", "\n", " \t\r\n"] {
                assert_eq!(
                    parse(&format!("setoption  name EvalFile value  {file}{end}")),
                    Command::SetOption { name: name.clone(), value: Some(file.clone()) }
                );
                assert_eq!(parse(&format!("savehash {file}{end}")), Command::SaveHash { file: file.clone() });
                assert_eq!(
                    parse(&format!(" loadhash\t{file}{end}")),
                    Command::LoadHash { file: file.clone() }
                );
                assert_eq!(
                    parse(&format!("export_net  {file}{end}")),
                    Command::ExportNet { file: Some(file.clone()) }
                );
            }
        }
        assert_eq!(parse("export_net \n"), Command::ExportNet { file: None });
        assert_eq!(error("savehash \t"), "savehash: expected a file, found the end of the line");
    }

    #[test]
    fn files_among_other_arguments_may_stand_in_quotes() {
        let Command::Bench(bench) = parse("bench 16 1 5 \"my  file.epd\" depth") else { panic!() };
        assert_eq!((bench.file.as_deref(), bench.limit), (Some("my  file.epd"), BenchLimit::Depth(5)));
        for (file, name) in [("'a\u{3000} b.epd'", "a\u{3000} b.epd"), ("\"a", "\"a"), ("a'b'", "a'b'")] {
            let Command::GenFens(config) = parse(&format!("genfens 1 seed 2 book {file} plies 3")) else {
                panic!()
            };
            assert_eq!((config.book.as_deref(), config.plies), (Some(name), Some(3)));
        }
        assert_eq!(error("genfens 1 book"), "genfens: 'book' needs a value");
    }

    #[test]
    fn speedtests() {
        let config = |threads: &[usize], hash, limit| {
            Command::Speedtest(SpeedtestConfig { threads: threads.to_vec(), hash, limit })
        };
        let seconds = |seconds| SpeedtestLimit::Time(Duration::from_secs(seconds));
        assert_eq!(parse("speedtest"), config(&[], None, seconds(120)));
        assert_eq!(parse("speedtest 1,2,4 64"), config(&[1, 2, 4], Some(64), seconds(120)));
        assert_eq!(parse("speedtest 8 64 5"), config(&[8], Some(64), seconds(5)));
        assert_eq!(parse("speedtest 1 64 nodes 5000"), config(&[1], Some(64), SpeedtestLimit::Nodes(5000)));
        assert_eq!(error("speedtest 0"), "speedtest: expected numbers of threads such as 1,2,4, found '0'");
        for wrong in
            ["speedtest 1,", "speedtest 1025", "speedtest 1 0", "speedtest 1 1 0", "speedtest 1 1 1 1"]
        {
            error(wrong);
        }
    }

    #[test]
    fn positions() {
        let moves = vec!["e2e4".to_string(), "e7e5".to_string()];
        let start = Start::Standard;
        assert_eq!(parse("position startpos"), Command::Position { start: start.clone(), moves: vec![] });
        assert_eq!(
            parse("position startpos moves"),
            Command::Position { start: start.clone(), moves: vec![] }
        );
        assert_eq!(
            parse("position startpos moves e2e4 e7e5"),
            Command::Position { start, moves: moves.clone() }
        );
        let start = Start::Fen("8/8/8/8/8/8/8/K1k5 w - - 0 1".into());
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/K1k5  w - - 0 1"),
            Command::Position { start: start.clone(), moves: vec![] }
        );
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves e2e4 e7e5"),
            Command::Position { start, moves }
        );
        assert_eq!(error("position"), "position: expected 'startpos' or 'fen', found the end of the line");
        assert_eq!(error("position fen"), "position: 'fen' needs a value");
        assert_eq!(error("position fen moves e2e4"), "position: 'fen' needs a value");
        assert_eq!(error("position startpos e2e4"), "position: expected 'moves', found 'e2e4'");
    }

    #[test]
    fn go_with_every_limit() {
        let limits = go("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 40").limits;
        assert_eq!(limits.time, [Some(ms(1000)), Some(ms(2000))]);
        assert_eq!(limits.increment, [ms(10), ms(20)]);
        assert_eq!(limits.moves_to_go, Some(40));
        let limits = go("go depth 7 nodes 8 mate 9 movetime 10").limits;
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(7), Some(8), Some(9)));
        assert_eq!(limits.move_time, Some(ms(10)));
        assert!(go("go infinite").limits.infinite && go("go ponder wtime 5").limits.ponder);
        assert_eq!(go("go"), Go::default());
        assert_eq!(go("go btime 100").limits.time, [None, Some(ms(100))]);
    }

    #[test]
    fn search_moves_end_at_the_next_limit() {
        let found = go("go searchmoves e2e4 d2d4 depth 3");
        assert_eq!(found.search_moves, Some(vec!["e2e4".into(), "d2d4".into()]));
        assert_eq!(found.limits.depth, Some(3));
        assert_eq!(go("go depth 3 searchmoves").search_moves, Some(vec![]));
        assert_eq!(go("go depth 3").search_moves, None);
    }

    #[test]
    fn limits_of_go_out_of_range_are_clamped() {
        let limits =
            go("go wtime -50 btime 99999999999999999999 winc -9999999999999999999999 movestogo 0").limits;
        assert_eq!(limits.time, [Some(ms(0)), Some(ms(MAX_MS as u64))]);
        assert_eq!((limits.increment[0], limits.moves_to_go), (ms(0), None));
        let limits = go("go depth 4000000000 nodes 99999999999999999999 mate 99999999999").limits;
        assert_eq!((limits.depth, limits.mate), (Some(MAX_PLY as i32), Some(MAX_PLY as u32)));
        assert_eq!(limits.nodes, Some(i64::MAX as u64));
        // A program that sends such a limit still waits for a move.
        let limits = go("go depth 0 nodes -3 mate 0 wtime 1000.75 btime -0.5").limits;
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(1), Some(1), Some(1)));
        assert_eq!(limits.time, [Some(ms(1000)), Some(ms(0))]);
        for bad in ["1e3", "1.x", ".", "1.", ".5", "--1"] {
            let error = go(&format!("go wtime {bad}")).errors[0].to_string();
            assert!(error.contains("needs a whole number"), "{bad}");
        }
    }

    #[test]
    fn unknown_words_and_unreadable_numbers_are_ignored() {
        let found = go("go fast depth 3 please");
        let words = vec!["fast".to_string(), "please".to_string()];
        assert_eq!((found.limits.depth, found.limits.move_time, found.ignored), (Some(3), None, words));
        let errors = |line| go(line).errors.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(errors("go depth"), ["go: 'depth' needs a value"]);
        assert_eq!(errors("go depth five nodes 7"), ["go: 'depth' needs a whole number, not 'five'"]);
        assert_eq!(errors("go nodes 1.5"), ["go: 'nodes' needs a whole number, not '1.5'"]);
        assert_eq!(errors("go wtime btime 5"), ["go: 'wtime' needs a value"]);
        assert_eq!(go("go wtime btime 5").limits.time[1], Some(ms(5)));
    }

    #[test]
    fn a_search_with_misspelt_limits_ends_unless_none_is_wanted() {
        for line in [
            "go depht 5",
            "go depth x",
            "go ponder wtime x",
            "go searchmoves e2e4 nodes",
            "go winc 5 depth x",
            "go perft x",
            "go perft",
        ] {
            assert_eq!(go(line).limits.move_time, Some(FALLBACK_TIME), "{line}");
        }
        for line in ["go", "go infinite please", "go wtime x btime 5", "go nodes 5 depth x", "go ponder"] {
            assert_eq!(go(line).limits.move_time, None, "{line}");
        }
    }

    #[test]
    fn tools_from_the_prompt() {
        let standard = BenchConfig::default;
        let (depth, nodes) = (BenchLimit::Depth, BenchLimit::Nodes);
        assert_eq!(parse("bench"), Command::Bench(standard()));
        let five = BenchConfig { limit: depth(5), ..standard() };
        assert_eq!(parse("bench 5"), Command::Bench(five.clone()));
        assert_eq!(
            parse("bench 5 2 32"),
            Command::Bench(BenchConfig { threads: 2, hash: 32, ..five.clone() })
        );
        let five = BenchConfig { stockfish_style: true, ..five };
        assert_eq!(parse("bench 16 1 5 default depth"), Command::Bench(five.clone()));
        let file = Some("a.epd".to_string());
        assert_eq!(
            parse("bench 16 1 700 a.epd nodes"),
            Command::Bench(BenchConfig { limit: nodes(700), file, ..five })
        );
        assert_eq!(
            error("bench 16 1 5 default perft"),
            "bench: expected depth, nodes or movetime, found 'perft'"
        );
        assert_eq!(error("bench x"), "bench: 'depth' needs a whole number, not 'x'");
        assert_eq!(error("bench 5 0"), "bench: threads 0 is not from 1 to 1024");
        assert!(error("bench 1 1 1 1").starts_with("bench: expected depth, threads and hash"));
        assert_eq!(parse("perft 5"), Command::Perft { depth: 5, fen: None });
        assert_eq!(parse("go perft 5"), Command::Perft { depth: 5, fen: None });
        assert_eq!(
            parse("perft 2 8/8/8/8/8/8/8/K1k5 w - -"),
            Command::Perft { depth: 2, fen: Some("8/8/8/8/8/8/8/K1k5 w - -".into()) }
        );
        assert_eq!(error("perft"), "perft: 'depth' needs a value");
        assert_eq!(go("go perft 1000").errors[0].to_string(), "go perft: depth 1000 is not from 0 to 100");
        assert_eq!(parse("eval"), Command::Eval { fen: None });
        assert_eq!(
            parse("eval 8/8/8/8/8/8/8/K1k5 w"),
            Command::Eval { fen: Some("8/8/8/8/8/8/8/K1k5 w".into()) }
        );
    }

    #[test]
    fn unknown_words_before_a_command_are_ignored() {
        assert_eq!(parse("joho debug on"), Command::Debug(true));
        assert_eq!(parse("\u{feff}uci"), Command::Uci);
        assert_eq!(go("foo bar go depth 1").limits.depth, Some(1));
        assert_eq!(error("foo bar"), "unknown command 'foo'; 'help' lists the commands");
        assert_eq!(error("foo debug bar"), "debug: expected 'on' or 'off', found 'bar'");
    }

    #[test]
    fn names_are_told_from_other_text() {
        assert!(
            Command::starts_with_command("go depth 5")
                && Command::starts_with_command("go depth x")
                && Command::starts_with_command("quit")
        );
        assert!(
            !Command::starts_with_command("8/8/8/8/8/8/8/K1k5 w - - 0 1")
                && !Command::starts_with_command("")
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_command_or_an_error(text in "(go|position|setoption name|bench|perft|eval)? ?\\PC*") {
            if let Ok(None) = Command::parse(&text) {
                assert!(text.trim().is_empty());
            }
        }
    }
}
