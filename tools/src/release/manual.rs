//! The manual page and the completions of shells, made from the engine's table of commands.

use super::archive::ArchiveEntry;
use super::package::VERSION;
use anyhow::Result;
use clap::{Arg, ArgAction, Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use std::collections::BTreeSet;
use tamarack::commands::about::{COMMANDS, CommandHelp};

/// The folder of the completions in an archive.
const COMPLETIONS: &str = "completions";

/// The manual page and a file of completions for each shell.
///
/// # Errors
/// If the page cannot be written.
pub fn entries() -> Result<Vec<ArchiveEntry>> {
    let mut entries = vec![ArchiveEntry::text("tamarack.1", page()?)];
    for shell in [Shell::Bash, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command(), "tamarack", &mut text);
        let file = match shell {
            Shell::Bash => "tamarack.bash",
            Shell::Fish => "tamarack.fish",
            Shell::PowerShell => "tamarack.ps1",
            _ => "_tamarack",
        };
        entries.push(ArchiveEntry::text(format!("{COMPLETIONS}/{file}"), text));
    }
    Ok(entries)
}

/// The command line as clap describes it: the commands that are of use in a shell.
fn command() -> Command {
    let mut seen = BTreeSet::new();
    let in_shell = COMMANDS.iter().filter(|command| command.in_shell && seen.insert(command.name));
    Command::new("tamarack")
        .version(VERSION)
        .about("UCI chess engine")
        .disable_help_subcommand(true)
        .arg(
            Arg::new("version")
                .short('v')
                .short_alias('V')
                .long("version")
                .action(ArgAction::Version)
                .help("The version"),
        )
        .disable_version_flag(true)
        .subcommands(in_shell.map(subcommand))
}

fn subcommand(command: &CommandHelp) -> Command {
    let argument = Arg::new("ARGUMENTS").num_args(0..).value_hint(ValueHint::FilePath);
    let about = command.about.replace('\n', " ");
    Command::new(command.name).about(about).disable_help_flag(true).arg(argument)
}

/// The manual page, for section 1.
fn page() -> Result<Vec<u8>> {
    let command = command();
    let man = Man::new(command).section("1");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    for arguments in ["", "COMMAND [ARGUMENT ...]", "'COMMAND ARGUMENT ...' ...", "--help | --version"] {
        roff.text([bold("tamarack "), italic(arguments)]).control("br", []);
    }
    roff.control("SH", ["DESCRIPTION"]).text([roman(
        "Without arguments tamarack reads commands of UCI, the protocol of chess programs with a board, from the standard input. \
         With arguments it executes one command, or several that are each one argument, and ends.",
    )]);
    section(&mut roff, "COMMANDS IN A SHELL", |command| command.in_shell);
    section(&mut roff, "COMMANDS OF A SESSION", |command| !command.in_shell);
    roff.control("SH", ["ENVIRONMENT"]).control("TP", []).text([bold("TAMARACK_KERNEL")]).text([roman(
        "The kernel of the evaluation, one of those that the command compiler lists; the fastest one if not set.",
    )]);
    roff.control("SH", ["EXIT STATUS"]).text([roman(
        "0 for success, 2 for a command that is wrong, 1 where the system lacks memory, threads or processor features.",
    )]);
    roff.to_writer(&mut text)?;
    Ok(text)
}

/// A section with the commands of one kind.
fn section(roff: &mut Roff, title: &str, is_of_kind: impl Fn(&CommandHelp) -> bool) {
    roff.control("SH", [title]);
    for command in COMMANDS.iter().filter(|command| is_of_kind(command)) {
        roff.control("TP", []).text([bold(command.name), roman(" "), italic(command.arguments)]);
        roff.text([roman(command.about.replace('\n', " "))]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_stands_in_the_manual_page_and_in_every_shells_completions() {
        let entries = entries().unwrap();
        assert_eq!(entries.len(), 5);
        for entry in entries {
            let text = String::from_utf8(entry.bytes).unwrap();
            for command in COMMANDS.iter().filter(|command| command.in_shell) {
                let name = command.name;
                assert!(text.contains(name) || text.contains(&name.replace('_', "\\_")), "{name}: {text}");
            }
        }
    }
}
