//! Broken lines: real ones that are cut, joined, shuffled and filled with other bytes.

use super::dice::Dice;
use super::reading::{self, MAX_LINE_BYTES, Reading};
use chess::random::Random;

/// The maximum number of threads that a test asks for.
const MAX_THREADS: i64 = 20;

/// The maximum hash in MiB that a test asks for.
const MAX_HASH: i64 = 64;

/// From this number of MiB on every system refuses.
const TOO_MUCH: i64 = 33_554_432;

/// Lines to be broken.
const LINES: &[&str] = &[
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
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 10",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Ponder value true",
    "setoption name SyzygyPath value {repo}/tests/data/syzygy",
    "loadhash {tmp}/hash",
    "position startpos",
    "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen bqrbknnr/pppppppp/8/8/8/8/PPPPPPPP/BQRBKNNR w HChc - 0 1 moves d2d4",
    "position fen 8/P1k5/K7/8/8/8/8/8 w - - 99 200 moves a7a8q",
    "position fen rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3 moves d4e3",
    "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "go depth 3",
    "go nodes 300",
    "go movetime 3",
    "go mate 2",
    "go infinite",
    "go ponder wtime 100 btime 100",
    "go wtime 100 btime 90 winc 3 binc 2 movestogo 5",
    "go depth 2 searchmoves e2e4 d2d4",
];

/// A broken line without line feeds that asks for no more memory or threads than a test may use, and does not end the program.
pub fn line(random: &mut Random) -> Vec<u8> {
    loop {
        let mut line = random.pick(LINES).as_bytes().to_vec();
        for _ in 0..random.between(1, 4) {
            mangle(&mut line, random);
        }
        line.retain(|&byte| byte != b'\n');
        if is_harmless(&line) {
            return line;
        }
    }
}

/// A FEN with one fault or several; some are still positions.
pub fn fen(fen: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = fen.chars().collect();
    for _ in 0..random.between(1, 3) {
        let at = random.below(letters.len() + 1);
        let letter = *random
            .pick(&['/', 'k', 'K', 'p', 'P', 'r', '8', '1', '-', ' ', 'w', 'b', 'e', '3', 'x', '\u{265a}']);
        match random.below(4) {
            0 => letters.insert(at, letter),
            1 => letters.truncate(at.max(1)),
            _ if at == letters.len() => letters.push(letter),
            2 => letters[at] = letter,
            _ => drop(letters.remove(at)),
        }
        if letters.is_empty() {
            letters.push(letter);
        }
    }
    letters.into_iter().collect()
}

/// A number that is hard to read, or none.
pub fn number(random: &mut Random) -> String {
    const EDGES: [&str; 13] = [
        "",
        "0",
        "-1",
        "+1",
        "007",
        "1e9",
        "0x10",
        "1.5",
        "one",
        "-9223372036854775808",
        "9223372036854775807",
        "18446744073709551616",
        "\u{663}",
    ];
    match random.below(4) {
        0 | 1 => (*random.pick(&EDGES)).to_owned(),
        2 => "9".repeat(random.between(1, 60)),
        _ => (random.bits() as i64).to_string(),
    }
}

/// A line of about the longest length that the engine takes, or beyond.
pub fn long_line(random: &mut Random) -> Vec<u8> {
    let start =
        *random.pick(&["position startpos moves ", "go ", "setoption name ", "eval ", "", "position fen "]);
    let unit = *random.pick(&["e2e4 ", "x", "9", "moves ", "\u{fe0f}", "searchmoves e2e4 "]);
    let length = *random.pick(&[
        1000,
        100_000,
        MAX_LINE_BYTES - 50,
        MAX_LINE_BYTES,
        MAX_LINE_BYTES + 50,
        3 * MAX_LINE_BYTES,
    ]);
    let mut line = [start, &unit.repeat(length / unit.len())].concat().into_bytes();
    if random.one_in(3) {
        // Exactly at the edge.
        line.resize(MAX_LINE_BYTES + random.below(2), b' ');
    }
    line
}

fn mangle(line: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(line.len() + 1);
    let other = random.pick(LINES).as_bytes();
    match random.below(10) {
        0 => line.truncate(at),
        1 => drop(line.drain(..at)),
        2 => line.extend([b" ", other].concat()),
        3 => drop(line.splice(at..at, other.iter().copied())),
        4 => with_words(line, |words| random.shuffle(words)),
        5 => (0..random.below(20)).for_each(|_| line.insert(at, random.below(256) as u8)),
        6 => with_words(line, |words| {
            let word = random.below(words.len());
            words[word] = number(random).into_bytes();
        }),
        7 => line.extend(
            random.pick(&[" moves ", " value ", " name ", " searchmoves ", "\t", "\r", " - "]).bytes(),
        ),
        8 => {
            if let Some(byte) = line.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        _ => *line = [line.as_slice(), b" "].concat().repeat(random.below(20)),
    }
}

fn with_words(line: &mut Vec<u8>, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut words: Vec<Vec<u8>> = line.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect();
    change(&mut words);
    *line = words.join(&b' ');
}

fn is_harmless(line: &[u8]) -> bool {
    match reading::read(line) {
        Reading::Quit | Reading::Bench => false,
        Reading::Perft { depth, .. } => depth <= 2,
        Reading::SetOption { name, value } => {
            let number = value.as_deref().and_then(reading::number).unwrap_or(0);
            match name.as_str() {
                "threads" => number <= MAX_THREADS,
                "hash" => number <= MAX_HASH || number >= TOO_MUCH,
                "debuglogfile" => false,
                _ => true,
            }
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_lines_do_no_harm() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let line = line(&mut random);
            assert!(is_harmless(&line) && !line.contains(&b'\n'));
        }
        assert!(!is_harmless(b"setoption name Threads value 99999999999999999999"));
        assert!(is_harmless(b"setoption name Hash value 99999999999999999999"));
        assert!(!is_harmless(b"x quit") && !is_harmless(b"bench") && !is_harmless(b"perft 9"));
    }
}
