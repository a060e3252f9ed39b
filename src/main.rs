//! Tamarack at the prompt: commands of UCI as arguments, or none to be asked by a graphical interface.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;
use tamarack::platform::cpu;
use tamarack::uci::{self, Command};

const USAGE: &str = "\
usage: tamarack                                 serve a program or person that speaks UCI
       tamarack bench [DEPTH [THREADS [HASH]]]  search a fixed list of positions and count the nodes
       tamarack perft DEPTH [FEN]               count the sequences of legal moves
       tamarack eval [FEN]                      show what the evaluation says
       tamarack 'COMMAND'...                    obey commands of UCI, each when the one before is done
       tamarack --help | --version";

fn main() -> ExitCode {
    if let Err(error) = cpu::check() {
        return fail(1, error);
    }
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match arguments.first().map(String::as_str) {
        None => finish(uci::run().map(|()| true)),
        Some("--help" | "-h" | "help") => say(USAGE),
        Some("--version" | "-V") => say(concat!("tamarack ", env!("CARGO_PKG_VERSION"))),
        Some(_) => match commands(&arguments) {
            Ok(commands) => finish(uci::run_commands(commands)),
            Err(error) => fail(2, format_args!("{error}\n\n{USAGE}")),
        },
    }
}

/// OpenBench gives a command in each argument, people the words of one command. What tells them apart is a command
/// with blanks in it.
fn commands(arguments: &[String]) -> Result<Vec<Command>, uci::CommandError> {
    let each_is_one =
        arguments.iter().any(|argument| argument.trim().contains(' ') && Command::is_named_by(argument));
    let lines = if each_is_one { arguments.to_vec() } else { vec![arguments.join(" ")] };
    lines.iter().filter_map(|line| Command::parse(line).transpose()).collect()
}

fn say(text: &str) -> ExitCode {
    uci::Output::standard(uci::Complaints::StandardError).line(text);
    ExitCode::SUCCESS
}

/// 0 if all was well, 2 if the user was wrong, 1 if the machine cannot serve them.
fn finish(result: Result<bool, uci::StartError>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => fail(1, error),
    }
}

fn fail(code: u8, error: impl Display) -> ExitCode {
    // If nobody listens there, the exit code still tells.
    let _ = writeln!(std::io::stderr(), "tamarack: {error}");
    ExitCode::from(code)
}
