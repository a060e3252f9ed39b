//! Errors of a line that cannot be parsed as a command.

use thiserror::Error;

/// The reason why a line is no valid command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum CommandError {
    #[error("unknown command '{0}'; 'help' lists the commands")]
    Unknown(String),
    #[error("{command}: '{word}' needs a value")]
    Missing { command: &'static str, word: String },
    #[error("{command}: '{word}' needs a whole number, not '{value}'")]
    NotANumber { command: &'static str, word: String, value: String },
    #[error("{command}: {word} {value} is not from {min} to {max}")]
    OutOfRange { command: &'static str, word: String, value: i64, min: i64, max: i64 },
    #[error("{command}: expected {expected}, found {found}")]
    Expected { command: &'static str, expected: &'static str, found: String },
    #[error("the line is longer than {limit} bytes")]
    TooLong { command: &'static str, limit: usize },
}

impl CommandError {
    /// The name of the command that is wrong; empty if it is none that is known.
    pub fn command(&self) -> &'static str {
        match self {
            CommandError::Unknown(_) => "",
            CommandError::Missing { command, .. }
            | CommandError::NotANumber { command, .. }
            | CommandError::OutOfRange { command, .. }
            | CommandError::Expected { command, .. }
            | CommandError::TooLong { command, .. } => command,
        }
    }
}
