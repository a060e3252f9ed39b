//! The meaning of a line of input as UCI and the README give it, read independently of the engine's parser.

use std::iter::Peekable;
use std::num::IntErrorKind;
use std::str::SplitWhitespace;

/// The longest line in bytes that the engine promises to take.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// The commands that have no meaning for the referee, but wait for the end of a search.
const WAITING: [&str; 2] = ["ucinewgame", "eval"];

/// The commands that are executed at once and answer with text.
const TALK: [&str; 4] = ["help", "license", "licence", "compiler"];

/// The words of `go`.
const GO_WORDS: [&str; 13] = [
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

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Nothing that concerns the referee: empty lines, unknown commands, errors, text.
    Nothing,
    /// A command that waits for the end of a search, and ends one without limits.
    Waiting,
    /// `uci`.
    Uci,
    /// `isready`.
    IsReady,
    /// `setoption`, with the name in small letters without blanks.
    SetOption {
        /// The name.
        name: String,
        /// The value, if there is one.
        value: Option<String>,
    },
    /// `position`: the FEN (`None` for the standard one) and the moves.
    Position {
        /// The FEN.
        fen: Option<String>,
        /// The moves.
        moves: Vec<String>,
    },
    /// `position` that cannot be read.
    BadPosition,
    /// `go`.
    Go(GoLimits),
    /// `go` that cannot be read at all.
    BadGo,
    /// `perft` or `go perft`: depth and FEN.
    Perft {
        /// The depth in plies.
        depth: i64,
        /// The FEN, `None` for the current position.
        fen: Option<String>,
    },
    /// `bench`, supposed to be correct.
    Bench,
    /// `flip`.
    Flip,
    /// `d`.
    Display,
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `wait`.
    Wait,
    /// `quit`.
    Quit,
}

/// The arguments of `go`, as far as the referee needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// The time of each side, White first: true if given.
    pub time: [bool; 2],
    /// The increment of each side: true if it is not 0.
    pub increment: [bool; 2],
    /// True with a limit beside the clock.
    pub limited: bool,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// The words after `searchmoves`.
    pub search_moves: Option<Vec<String>>,
    /// True for each of depth, nodes and time of the move that is so small that the search ends soon by itself.
    pub short: [bool; 3],
}

impl GoLimits {
    /// True if nothing but `stop` ends the search for the side with this index.
    pub fn is_endless(&self, side: usize) -> bool {
        let clock = self.time[0] || self.time[1] || self.increment[side];
        self.infinite || !self.limited && !clock
    }
}

/// The meaning of a line, which has no line feed.
pub fn read(line: &[u8]) -> Reading {
    if line.len() > MAX_LINE_BYTES {
        let start = String::from_utf8_lossy(&line[..100]);
        return match start.trim_start_matches('\u{feff}').split_whitespace().next() {
            Some("position") => Reading::BadPosition,
            Some("go") => Reading::BadGo,
            _ => Reading::Nothing,
        };
    }
    let text = String::from_utf8_lossy(line);
    let mut words = text.trim_start_matches('\u{feff}').split_whitespace().peekable();
    while let Some(word) = words.next() {
        if let Some(reading) = command(word, &mut words) {
            return reading;
        }
    }
    Reading::Nothing
}

type Words<'w> = Peekable<SplitWhitespace<'w>>;

/// The meaning of a command and its arguments; `None` if there is no such command.
fn command(name: &str, words: &mut Words<'_>) -> Option<Reading> {
    Some(match name {
        "uci" => Reading::Uci,
        "debug" => Reading::Nothing,
        "isready" => Reading::IsReady,
        "setoption" => set_option(words),
        "position" => position(words),
        "go" => go(words),
        "perft" => perft(words),
        "bench" => Reading::Bench,
        "flip" => Reading::Flip,
        "d" | "display" => Reading::Display,
        "stop" => Reading::Stop,
        "ponderhit" => Reading::PonderHit,
        "wait" => Reading::Wait,
        "quit" | "exit" => Reading::Quit,
        // Without a file they are errors, which are told at once.
        "savehash" | "loadhash" if words.peek().is_none() => Reading::Nothing,
        "savehash" | "loadhash" => Reading::Waiting,
        _ if WAITING.contains(&name) => Reading::Waiting,
        _ if TALK.contains(&name) => Reading::Nothing,
        _ => return None,
    })
}

fn rest(words: &mut Words<'_>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn set_option(words: &mut Words<'_>) -> Reading {
    if words.next() != Some("name") {
        return Reading::Nothing;
    }
    let mut name = String::new();
    while let Some(word) = words.next_if(|&word| word != "value") {
        name.push_str(&word.to_ascii_lowercase());
    }
    let value = words.next().map(|_| rest(words));
    if name.is_empty() { Reading::Nothing } else { Reading::SetOption { name, value } }
}

fn position(words: &mut Words<'_>) -> Reading {
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => {
            let fields: Vec<&str> = std::iter::from_fn(|| words.next_if(|&word| word != "moves")).collect();
            if fields.is_empty() {
                return Reading::BadPosition;
            }
            Some(fields.join(" "))
        }
        _ => return Reading::BadPosition,
    };
    match words.next() {
        None | Some("moves") => Reading::Position { fen, moves: words.map(str::to_owned).collect() },
        Some(_) => Reading::BadPosition,
    }
}

fn perft(words: &mut Words<'_>) -> Reading {
    match words.next().and_then(number).filter(|depth| (0..=100).contains(depth)) {
        Some(depth) => {
            let fen = rest(words);
            Reading::Perft { depth, fen: (!fen.is_empty()).then_some(fen) }
        }
        None => Reading::Nothing,
    }
}

fn go(words: &mut Words<'_>) -> Reading {
    let (mut go, mut misspelt) = (GoLimits::default(), false);
    while let Some(word) = words.next() {
        match word {
            "perft" => match perft(words) {
                Reading::Nothing => misspelt = true,
                perft => return perft,
            },
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let moves = go.search_moves.get_or_insert_default();
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    moves.push(mv.to_owned());
                }
            }
            _ if GO_WORDS.contains(&word) => {
                let value = words.next_if(|next| !GO_WORDS.contains(next));
                misspelt |= value.is_none_or(|value| !limit(word, value, &mut go));
            }
            _ => misspelt = true,
        }
    }
    // The README promises 100 ms where no limit could be read.
    if misspelt && !go.infinite && (go.is_endless(0) || go.is_endless(1)) {
        (go.limited, go.short[2]) = (true, true);
    }
    Reading::Go(go)
}

/// Reads the value of a limit; false if it is none.
fn limit(word: &str, value: &str, go: &mut GoLimits) -> bool {
    let is_time = matches!(word, "wtime" | "btime" | "winc" | "binc" | "movetime");
    let Some(value) = (if is_time { milliseconds(value) } else { number(value) }) else { return false };
    match word {
        "wtime" => go.time[0] = true,
        "btime" => go.time[1] = true,
        "winc" => go.increment[0] = value > 0,
        "binc" => go.increment[1] = value > 0,
        "movestogo" => {}
        _ => go.limited = true,
    }
    // The last one of several counts.
    match word {
        "depth" => go.short[0] = value <= 3,
        "nodes" => go.short[1] = value <= 50_000,
        "movetime" => go.short[2] = value <= 300,
        _ => {}
    }
    true
}

/// The number in a word; one beyond 64 bits is the largest or smallest.
pub fn number(word: &str) -> Option<i64> {
    word.parse()
        .or_else(|error: std::num::ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => Ok(i64::MAX),
            IntErrorKind::NegOverflow => Ok(i64::MIN),
            _ => Err(error),
        })
        .ok()
}

/// The whole milliseconds in a word, which may have decimals.
fn milliseconds(word: &str) -> Option<i64> {
    let whole = match word.split_once('.') {
        Some((whole, part)) if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => word,
    };
    number(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_go(line: &str) -> GoLimits {
        match read(line.as_bytes()) {
            Reading::Go(go) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn lines_mean_what_uci_says() {
        assert_eq!(read(b" \tisready\r"), Reading::IsReady);
        assert_eq!(read(b"joho isready"), Reading::IsReady);
        assert_eq!(read("\u{feff}uci".as_bytes()), Reading::Uci);
        assert_eq!(read(b"\xff stop"), Reading::Stop);
        assert_eq!(read(b"ISREADY"), Reading::Nothing);
        assert_eq!(read(b"position startpos e2e4"), Reading::BadPosition);
        assert_eq!(read(b"position fen moves e2e4"), Reading::BadPosition);
        assert_eq!(read(b"position startpos moves"), Reading::Position { fen: None, moves: Vec::new() });
        let value = Some("a b".to_owned());
        let option = Reading::SetOption { name: "moveoverhead".to_owned(), value };
        assert_eq!(read(b"setoption name Move  Overhead value a  b"), option);
        assert_eq!(read(b"setoption Hash"), Reading::Nothing);
        assert_eq!(read(b"go depth 3 perft 2"), Reading::Perft { depth: 2, fen: None });
        assert_eq!(read(b"perft 101"), Reading::Nothing);
        assert!(matches!(read(b"go perft 101"), Reading::Go(go) if go.limited));
        let long = [b"position ".to_vec(), vec![b'x'; MAX_LINE_BYTES]].concat();
        assert_eq!(read(&long), Reading::BadPosition);
    }

    #[test]
    fn endless_searches_are_told_from_others() {
        for endless in ["go", "go infinite depth 2", "go movestogo 3", "go searchmoves e2e4", "go winc 0"] {
            assert!(read_go(endless).is_endless(0), "{endless}");
        }
        for ending in [
            "go depth 2",
            "go btime 5",
            "go wtime x",
            "go dept 2",
            "go winc 1",
            "go mate 1.5",
            "go wtime 1.5",
        ] {
            assert!(!read_go(ending).is_endless(0), "{ending}");
        }
        assert_eq!(read_go("go nodes 5 nodes 99999999 depth 3").short, [true, false, false]);
        assert!(read_go("go binc 5").is_endless(0) && !read_go("go binc 5").is_endless(1));
        assert_eq!(read_go("go searchmoves a b depth 1").search_moves, Some(vec!["a".into(), "b".into()]));
    }
}
