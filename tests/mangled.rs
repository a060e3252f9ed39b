//! Tens of thousands of lines that no sane program would send: the engine answers `isready` after every one of them.

mod driver;
mod random;

use driver::Engine;
use random::Random;
use tamarack::uci::{Command, LONGEST_LINE};

/// Engines, each of which gets its share of the lines.
const ENGINES: u64 = 4;
/// Lines for each engine.
const LINES: usize = 15_000;

/// Lines to be cut, joined and shuffled. Searches have small limits or none: all are stopped.
const SEEDS: &[&str] = &[
    "uci",
    "debug on",
    "debug off",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "wait",
    "help",
    "compiler",
    "license",
    "eval r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name Threads value 3",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name Ponder value true",
    "setoption name Move Overhead value 10",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen bqrbknnr/pppppppp/8/8/8/8/PPPPPPPP/BQRBKNNR w HChc - 0 1 moves d2d4",
    "position fen 8/P1k5/K7/8/8/8/8/8 w - - 99 200 moves a7a8q",
    "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3 moves d4e3",
    "go",
    "go depth 3",
    "go nodes 300",
    "go movetime 3",
    "go mate 2",
    "go infinite",
    "go ponder wtime 100 btime 100",
    "go wtime 100 btime 90 winc 3 binc 2 movestogo 5",
    "go depth 4 searchmoves e2e4 d2d4",
    "go perft 2",
    "perft 3",
    "bench 1 1 1",
    "quit",
];

impl Random {
    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// A line of bytes without line feeds.
    fn line(&mut self) -> Vec<u8> {
        let mut line = self.pick(SEEDS).as_bytes().to_vec();
        for _ in 0..self.below(4) {
            self.mangle(&mut line);
        }
        line.retain(|byte| *byte != b'\n');
        line
    }

    fn mangle(&mut self, line: &mut Vec<u8>) {
        let place = self.below(line.len() + 1);
        match self.below(11) {
            0 => line.truncate(place),
            1 => drop(line.drain(..place)),
            2 => line.extend([b" ", self.pick(SEEDS).as_bytes()].concat()),
            3 => drop(line.splice(place..place, self.pick(SEEDS).bytes())),
            4 => self.scatter_words(line),
            5 => (0..self.below(20)).for_each(|_| line.insert(place, self.below(256) as u8)),
            6 => self.change_word(line, |random| random.number()),
            7 => self.change_word(line, |_| String::new()),
            8 => line.extend(
                self.pick(&[" moves ", " value ", " name ", " searchmoves ", "\t", "\r", " - "]).bytes(),
            ),
            9 => {
                if let Some(byte) = line.get_mut(place) {
                    *byte = self.below(256) as u8;
                }
            }
            // Rarely very long: a repetition, up to more than the engine takes.
            _ => {
                let times =
                    if self.below(60) == 0 { LONGEST_LINE / line.len().max(1) + 2 } else { self.below(20) };
                *line = [line.as_slice(), b" "].concat().repeat(times);
            }
        }
    }

    fn scatter_words(&mut self, line: &mut Vec<u8>) {
        let mut words: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
        for index in (1..words.len()).rev() {
            words.swap(index, self.below(index + 1));
        }
        *line = words.join(&b' ');
    }

    fn change_word(&mut self, line: &mut Vec<u8>, change: impl Fn(&mut Random) -> String) {
        let mut words: Vec<Vec<u8>> = line.split(|byte| *byte == b' ').map(<[u8]>::to_vec).collect();
        let index = self.below(words.len());
        words[index] = change(self).into_bytes();
        *line = words.join(&b' ');
    }

    fn number(&mut self) -> String {
        let edges =
            ["0", "-1", "+1", "007", "1e9", "0x10", "1.5", "-9223372036854775808", "9223372036854775807"];
        match self.below(4) {
            0 => self.pick(&edges).to_string(),
            1 => self.below(300).to_string(),
            2 => "9".repeat(self.below(60)),
            _ => (self.next() as i64).to_string(),
        }
    }
}

/// True if the line may be sent: it does not end the engine, and asks for no more memory or threads than a test may use.
fn is_harmless(line: &[u8]) -> bool {
    match Command::parse(&String::from_utf8_lossy(line)) {
        Ok(Some(Command::Quit)) => false,
        Ok(Some(Command::SetOption { name, value })) => {
            let number = value.and_then(|value| value.parse::<i64>().ok()).unwrap_or(i64::MAX);
            let name: String = name.to_lowercase().split_whitespace().collect();
            // More memory than there is is refused, so it may be asked for.
            match name.as_str() {
                "threads" => number <= 4,
                "hash" => number <= 64 || number >= 33_554_432,
                _ => true,
            }
        }
        Ok(Some(Command::Bench(config))) => config.threads <= 4 && config.hash <= 64,
        _ => true,
    }
}

fn torment(seed: u64) {
    let mut random = Random(seed);
    let mut engine = Engine::start();
    let mut sent = 0;
    while sent < LINES {
        let line = random.line();
        if !is_harmless(&line) {
            continue;
        }
        engine.send_bytes(&line);
        engine.ready();
        sent += 1;
        // Not after every line, so that some of them meet a search.
        if random.below(3) == 0 {
            engine.send("stop");
        }
    }
    // Whatever was under way, and whatever has been set: it still plays.
    engine.send("stop");
    engine.ready();
    engine.send("setoption name MultiPV value 1");
    engine.send("setoption name UCI_Chess960 value false");
    engine.send("ucinewgame");
    engine.send("position startpos moves e2e4");
    engine.send("go depth 2 searchmoves e7e5");
    engine.read_until("the answer", |line| line.starts_with("bestmove e7e5"));
    engine.quit();
}

#[test]
fn no_line_ends_the_engine() {
    let engines: Vec<_> = (0..ENGINES).map(|seed| std::thread::spawn(move || torment(seed))).collect();
    for engine in engines {
        engine.join().expect("the engine lives");
    }
}
