//! The commands of UCI and those beside it.

use super::error::CommandError;
use super::options::{SAVE_HASH, is_same_name};
use crate::commands::bench::BenchConfig;
use crate::commands::genfens::GenFensConfig;
use crate::commands::speedtest::SpeedtestConfig;
use crate::search::Limits;

/// A command of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: print name, author and options.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer `readyok`.
    IsReady,
    /// `setoption`: set an option or press a button.
    SetOption {
        /// The option's name as the user wrote it.
        name: String,
        /// The text after `value`; `None` without that word.
        value: Option<String>,
    },
    /// `ucinewgame`: forget the last game.
    NewGame,
    /// `position`: set up a game.
    Position {
        /// The first position of the game.
        start: Start,
        /// The moves from there, not yet checked.
        moves: Vec<String>,
    },
    /// `go`: search.
    Go(Go),
    /// `position` or `go` with an error that leaves nothing to execute: the next `go`, or this one, has no move.
    Invalid(CommandError),
    /// `stop`: end the search and print the best move.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `d`: print the position.
    Display,
    /// `eval`: print the evaluation of a position and its parts.
    Eval {
        /// The position; `None` for the current one.
        fen: Option<String>,
    },
    /// `bench`: search a fixed list of positions and count the nodes.
    Bench(BenchConfig),
    /// `speedtest`: measure the speed of many threads.
    Speedtest(SpeedtestConfig),
    /// `genfens`: print random openings.
    GenFens(GenFensConfig),
    /// `perft`: count the leaves of the tree of legal moves.
    Perft {
        /// The depth in plies.
        depth: u32,
        /// The position; `None` for the current one.
        fen: Option<String>,
    },
    /// `flip`: exchange the colours of the position.
    Flip,
    /// `export_net`: write the network in use to a file.
    ExportNet {
        /// The file; `None` for the network's name in the current folder.
        file: Option<String>,
    },
    /// `savehash`: write the transposition table to a file.
    SaveHash {
        /// The file.
        file: String,
    },
    /// `loadhash`: fill the transposition table from a file.
    LoadHash {
        /// The file.
        file: String,
    },
    /// `wait`: answer when the search or job is over. `quit` after it waits, too.
    Wait,
    /// `help`: list the commands.
    Help,
    /// `license`: print the licence.
    License,
    /// `compiler`: describe the build.
    Compiler,
    /// `tunables`: list the tunable numbers in the format of OpenBench.
    #[cfg(feature = "tune")]
    Tunables,
}

/// The first position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The standard starting position.
    Standard,
    /// A FEN, not yet checked.
    Fen(String),
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits; `search_moves` is empty, because the moves are not yet checked.
    pub limits: Limits,
    /// The moves after `searchmoves`; `None` without that word.
    pub search_moves: Option<Vec<String>>,
    /// Words without a meaning here, which the protocol wants ignored.
    pub ignored: Vec<String>,
    /// Limits whose values cannot be read. They are ignored, too.
    pub errors: Vec<CommandError>,
}

impl Command {
    /// True if it writes the transposition table to a file.
    pub fn is_save(&self) -> bool {
        match self {
            Command::SaveHash { .. } => true,
            Command::SetOption { name, .. } => is_same_name(name, SAVE_HASH),
            _ => false,
        }
    }

    /// True if the command is executed while a search runs. All others wait for the end of the search.
    pub const fn is_immediate(&self) -> bool {
        matches!(
            self,
            Command::Uci
                | Command::Debug(_)
                | Command::IsReady
                | Command::Stop
                | Command::PonderHit
                | Command::Quit
                | Command::Display
                | Command::Help
                | Command::License
                | Command::Compiler
        )
    }
}
