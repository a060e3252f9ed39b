//! Single lines at random: limits of `go`, options, jobs, wrong positions.

use super::dice::Dice;
use super::mangle;
use super::positions;
use super::rules;
use chess::random::Random;

/// Values that no option takes as they are.
const BAD_VALUES: [&str; 8] =
    ["x", "-1", "1.5", "", "true false", "<empty>", "\u{1f602}", "99999999999999999999"];

/// A limit of `go` with its word, beginning with a blank.
pub fn limit(random: &mut Random) -> String {
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

/// A line that sets an option to a value that it can take, if there are such options and files.
pub fn option(random: &mut Random) -> String {
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
            let tables = "{repo}/tests/data/syzygy";
            let paths =
                [tables, tables, "<empty>", "", "{tmp}", "{tmp}/tables", "/nowhere:{repo}/tests/data/syzygy"];
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
                "UCI_Elo value 700",
                "UCI_Elo value 1150",
                "UCI_Elo value 1500",
            ])
            .to_string(),
    };
    format!("setoption name {line}")
}

/// A line that sets an option to a value that it cannot take, or only nearly.
pub fn bad_option(random: &mut Random) -> String {
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
        _ => {
            random.pick(&["Hash", "Hush value 3", "Hash value 99999999999999999999", "", "value"]).to_string()
        }
    };
    format!("setoption name {line}")
}

/// A line that saves the table to a file or loads it from one, which may be none.
pub fn hash_file(random: &mut Random) -> String {
    const FILES: [&str; 8] = [
        "{tmp}/hash",
        "{tmp}/hash",
        "{tmp}/hash",
        "\"{tmp}/another hash\"",
        "{tmp}/rubbish",
        "{tmp}/fifo",
        "{tmp}/tables",
        "/nowhere/at all",
    ];
    let file = random.pick(&FILES);
    match random.below(10) {
        0..4 => format!("savehash {file}"),
        4..8 => format!("loadhash {file}"),
        8 => format!("setoption name {} Hash value {file}", random.pick(&["Save", "Load"])),
        _ => random.pick(&["savehash", "loadhash", "setoption name Load Hash value"]).to_string(),
    }
}

/// A perft or a small bench.
pub fn job(random: &mut Random) -> String {
    match random.below(6) {
        0 => "bench 1 1 1".to_owned(),
        1 => random
            .pick(&["bench 1 2 2", "bench 2 1 3 default depth", "bench 1 1 50 default nodes"])
            .to_string(),
        2 => "bench 1 1 1 /nowhere depth".to_owned(),
        3 => format!("perft 2 {}", rules::fen(&positions::game(random).end)),
        _ => format!("perft {}", random.between(0, 4)),
    }
}

/// A `position` line with a fault; a few of them are repaired, or right by chance.
pub fn bad_position(random: &mut Random) -> String {
    let mut game = positions::game(random);
    match random.below(6) {
        0 => "position".to_owned(),
        1 => random.pick(&["position fen", "position startpos e2e4", "position fen moves e2e4"]).to_string(),
        2 | 3 => {
            let at = random.below(game.moves.len() + 1);
            let word =
                *random.pick(&["e2e5", "0000", "a1a1", "e1g1", "e7e8q", "O-O", "xyzzy", "e2e4\u{e9}", "\0"]);
            game.moves.insert(at, word.to_owned());
            game.line()
        }
        _ => {
            let fen = mangle::fen(&rules::fen(&game.end), random);
            format!("position fen {fen}")
        }
    }
}
