//! Texts of users: how errors quote them, and the error of those that name nothing.

use std::fmt;

/// The text of a user, in quotation marks, without control characters and not longer than a line.
pub(super) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The error of a text that names no square, piece, colour or the like.
///
/// ```
/// use tamarack_chess::{Color, Square};
/// assert_eq!("e9".parse::<Square>().unwrap_err().to_string(), "\"e9\" is no square");
/// assert_eq!("blue".parse::<Color>().unwrap_err().to_string(), "\"blue\" is no colour");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} is no {what}", quoted(text))]
pub struct ParseError {
    what: &'static str,
    text: String,
}

/// `found`, or the error that `text` is no `what`.
pub(super) fn named<T>(found: Option<T>, what: &'static str, text: &str) -> Result<T, ParseError> {
    found.ok_or_else(|| ParseError { what, text: text.to_string() })
}

/// Display and `FromStr` of an enum each of whose values is spelt with one letter.
macro_rules! letter_text {
    ($name:ident, $what:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::text::pad_letter(self.letter(), f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::text::ParseError;

            fn from_str(text: &str) -> Result<$name, $crate::text::ParseError> {
                let mut letters = text.chars();
                let letter = letters.next().filter(|_| letters.as_str().is_empty());
                $crate::text::named(letter.and_then($name::from_letter), $what, text)
            }
        }
    };
}
pub(super) use letter_text;

/// Writes a letter, padded as the format asks.
pub(super) fn pad_letter(letter: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(letter.encode_utf8(&mut [0; 4]))
}
