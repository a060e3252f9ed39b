//! `help`, `--help`, `license` and `compiler`: texts about the program. What `help` and `--help` print, the manual page and the
//! completions of shells (`tools release`) come from one table, [`COMMANDS`].

use crate::search::TECHNIQUES;
use nnue::kernels;
use std::fmt::Write;

/// A command, as the user is told of it.
#[derive(Clone, Copy, Debug)]
pub struct CommandHelp {
    /// The first word.
    pub name: &'static str,
    /// What may follow it: capital letters stand for values, brackets enclose what can be left out.
    pub arguments: &'static str,
    /// What it does, in lines of at most 76 columns.
    pub about: &'static str,
    /// True if it is of use as an argument of the program.
    pub in_shell: bool,
}

const fn in_shell(name: &'static str, arguments: &'static str, about: &'static str) -> CommandHelp {
    CommandHelp { name, arguments, about, in_shell: true }
}

const fn in_session(name: &'static str, arguments: &'static str, about: &'static str) -> CommandHelp {
    CommandHelp { name, arguments, about, in_shell: false }
}

/// All commands: those of UCI, then those beside it.
pub const COMMANDS: &[CommandHelp] = &[
    in_session("uci", "", "name, author and options"),
    in_session("isready", "", "answers readyok"),
    in_session("setoption", "name NAME [value VALUE]", "sets an option"),
    in_session("ucinewgame", "", "forgets the last game"),
    in_session("position", "startpos|fen FEN [moves MOVE...]", "sets up a position"),
    in_session(
        "go",
        "[LIMITS]",
        "searches; limits are wtime btime winc binc movestogo movetime depth nodes\nmate searchmoves infinite ponder",
    ),
    in_session("stop", "", "ends the search"),
    in_session("ponderhit", "", "the opponent has played the expected move"),
    in_session("quit", "", "ends the program"),
    in_session("d", "", "the board, FEN and key"),
    in_shell("perft", "DEPTH [FEN]", "counts the sequences of legal moves; go perft DEPTH does the same"),
    in_shell("eval", "[FEN]", "the evaluation and its parts"),
    in_session("flip", "", "exchanges the colours"),
    in_session("savehash", "FILE", "writes the hash table to a file"),
    in_session("loadhash", "FILE", "reads it back in, also into a table of another size"),
    in_shell("export_net", "[FILE]", "writes the network in use to a file"),
    in_shell("bench", "[DEPTH [THREADS [HASH]]]", "searches a fixed list of positions and counts the nodes"),
    in_shell(
        "bench",
        "HASH THREADS LIMIT default|FILE depth|nodes|movetime",
        "the same as other engines write it",
    ),
    in_shell(
        "speedtest",
        "[THREADS[,THREADS...] [HASH [SECONDS|nodes NODES]]]",
        "measures the speed with so many threads (all processors, 120 s)",
    ),
    in_shell(
        "genfens",
        "N seed S book FILE|None [plies N] [limit CP] [chess960|dfrc]",
        "random balanced openings, as OpenBench asks for them",
    ),
    in_session("wait", "", "answers when the search is over; quit waits for it"),
    in_shell("compiler", "", "the build and the processor's features in use"),
    in_shell("license", "", "the licence"),
    in_session("help", "", "this text"),
];

/// The text of `help`: every command and what it does.
pub fn help() -> String {
    list(COMMANDS.iter(), "")
}

/// The text of `--help`.
pub fn usage() -> String {
    format!(
        "\
usage: tamarack                reads UCI commands from the standard input
       tamarack COMMAND...     executes a command and ends
       tamarack 'COMMAND'...   executes UCI commands, each after the one before
       tamarack --help, -h     this text
       tamarack --version, -V, -v

Tamarack is a chess engine for the programs that show the board: Cute Chess,
En Croissant, Arena and others (\"add UCI engine\"). Commands in a shell:

{}

Without arguments it reads all commands of UCI: type help there.",
        list(COMMANDS.iter().filter(|command| command.in_shell), "tamarack ")
    )
}

/// Each command in a line, with what it does below it.
fn list<'a>(commands: impl Iterator<Item = &'a CommandHelp>, program: &str) -> String {
    let mut text = String::new();
    for command in commands {
        let _ = writeln!(text, "{}", format!("{program}{} {}", command.name, command.arguments).trim_end());
        for line in command.about.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// The text of `license`.
pub const LICENSE: &str = "\
Tamarack is free software: you can redistribute it and/or modify it under the
terms of the GNU General Public License as published by the Free Software
Foundation, either version 3 of the License, or (at your option) any later
version. It comes WITHOUT ANY WARRANTY. The whole text is in the file LICENSE
beside the source, and at https://www.gnu.org/licenses/.";

/// The text of `compiler`: version, compiler, target, processor features of the build, the kernel of the evaluation in use, and
/// all kernels that this processor can run, best first.
pub fn compiler() -> String {
    let features =
        if COMPILED_IN.is_empty() { "baseline".to_string() } else { COMPILED_IN.replace(',', " ") };
    let mut extras = Vec::new();
    if cfg!(debug_assertions) {
        extras.push("debug assertions");
    }
    if !TECHNIQUES.is_empty() {
        extras.push("lab");
    }
    if cfg!(feature = "tune") {
        extras.push("tune");
    }
    if !env!("TAMARACK_PROFILE").is_empty() {
        extras.push("guided by a profile");
    }
    let extras = if extras.is_empty() { "none".to_string() } else { extras.join(", ") };
    let kernels: Vec<&str> = kernels::available().iter().map(|kernel| kernel.name()).collect();
    let kernels = kernels.join(" ");
    format!(
        "version:  Tamarack {}\ncompiler: {}\ntarget:   {}\nfeatures: {features}\nkernel:   {}\nkernels:  {kernels}\nextras:   {extras}",
        env!("CARGO_PKG_VERSION"),
        env!("TAMARACK_COMPILER"),
        env!("TAMARACK_TARGET"),
        kernels::best().name(),
    )
}

/// The processor features that the build requires, separated by commas.
const COMPILED_IN: &str = env!("TAMARACK_FEATURES");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_the_commands_fits_80_columns() {
        for text in [help(), usage(), LICENSE.to_owned()] {
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        }
    }

    #[test]
    fn each_command_that_is_told_of_is_understood() {
        for CommandHelp { name, .. } in COMMANDS {
            let unknown = crate::uci::Command::parse(name).is_err_and(|error| error.command().is_empty());
            assert!(!unknown, "{name}");
        }
    }

    #[test]
    fn the_build_is_described() {
        let text = compiler();
        assert!(text.contains("compiler: rustc 1.") && text.contains(kernels::best().name()), "{text}");
    }
}
