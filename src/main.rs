//! The program: commands of UCI as arguments, or without arguments from the standard input stream.

use platform::{cpu, files, pages};
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;
use tamarack::commands::about;
use tamarack::uci::{self, Command};

fn main() -> ExitCode {
    if let Err(error) = cpu::check() {
        return fail(1, error);
    }
    files::raise_open_file_limit();
    files::outlive_file_size_limit();
    pages::give_back_early();
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match arguments.first().map(String::as_str) {
        None => finish(uci::run().map(|()| true)),
        Some("--help" | "-h" | "help") => print(&about::usage()),
        Some("--version" | "-V" | "-v") => print(concat!("tamarack ", env!("CARGO_PKG_VERSION"))),
        Some(_) => match parse(&arguments) {
            Ok(commands) => finish(uci::run_commands(commands)),
            Err(error) => fail(2, format_args!("{error}\n\n{}", about::usage())),
        },
    }
}

/// The commands in the arguments. OpenBench writes a whole command into each argument, people write the words of one
/// command; the first is recognised by a command that contains a blank.
fn parse(arguments: &[String]) -> Result<Vec<Command>, uci::CommandError> {
    let each_is_one = arguments
        .iter()
        .any(|argument| argument.trim().contains(' ') && Command::starts_with_command(argument));
    let lines = if each_is_one { arguments.to_vec() } else { vec![arguments.join(" ")] };
    lines.iter().filter_map(|line| Command::parse(line).transpose()).collect()
}

fn print(text: &str) -> ExitCode {
    uci::Output::standard(uci::ErrorStyle::StandardError).line(text);
    ExitCode::SUCCESS
}

/// The exit code: 0 for success, 2 for an error of the user, 1 where the system lacks memory, threads or features.
fn finish(result: Result<bool, uci::StartError>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => fail(1, error),
    }
}

fn fail(code: u8, error: impl Display) -> ExitCode {
    // An error here can be told by the exit code only.
    let _ = writeln!(std::io::stderr(), "tamarack: {error}");
    ExitCode::from(code)
}
