//! The words of a line, one after the other, and the numbers among them.

use super::error::CommandError;
use std::iter::Peekable;
use std::num::IntErrorKind;
use std::str::SplitWhitespace;
use std::time::Duration;

/// The longest time that is distinguished from longer ones, in milliseconds: about thirty years, so that no sum overflows.
pub const MAX_MS: i64 = 1_000_000_000_000;

/// The remaining words of a line, and the name of the command that they belong to.
pub struct Tokens<'a> {
    /// The command's name, for error messages.
    pub command: &'static str,
    /// The words that have not been read yet.
    pub words: Peekable<SplitWhitespace<'a>>,
}

impl<'a> Tokens<'a> {
    /// The words of `line`; the command is not known yet.
    pub fn new(line: &'a str) -> Tokens<'a> {
        Tokens { command: "", words: line.split_whitespace().peekable() }
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// All remaining words, joined by single blanks; `None` at the end of the line.
    pub fn rest(&mut self) -> Option<String> {
        let words: Vec<&str> = self.words.by_ref().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The error for `found` (`None`: the end of the line) where `expected` should stand.
    pub fn expected(&self, expected: &'static str, found: Option<&str>) -> CommandError {
        let found = found.map_or_else(|| "the end of the line".to_string(), |word| format!("'{word}'"));
        CommandError::Expected { command: self.command, expected, found }
    }

    /// The whole number after `word`. Numbers beyond 64 bits become the largest or smallest one of 64 bits.
    pub fn number(&mut self, word: &str) -> Result<i64, CommandError> {
        let value = self.value(word)?;
        self.whole(word, value, value)
    }

    /// The whole number after `word`, from `min` to `max`.
    pub fn number_from(&mut self, word: &str, min: i64, max: i64) -> Result<i64, CommandError> {
        let value = self.number(word)?;
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        Err(CommandError::OutOfRange { command: self.command, word: word.to_string(), value, min, max })
    }

    /// The time in milliseconds after `word`. Some programs send negative times when a clock has run out, which become zero,
    /// and some send fractions of a millisecond, which are cut off.
    pub fn milliseconds(&mut self, word: &str) -> Result<Duration, CommandError> {
        let value = self.value(word)?;
        let is_fraction = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let digits =
            value.split_once('.').filter(|(_, part)| is_fraction(part)).map_or(value, |(whole, _)| whole);
        Ok(Duration::from_millis(self.whole(word, value, digits)?.clamp(0, MAX_MS) as u64))
    }

    /// The word after `word`.
    pub fn value(&mut self, word: &str) -> Result<&'a str, CommandError> {
        self.next().ok_or_else(|| CommandError::Missing { command: self.command, word: word.to_string() })
    }

    /// The number in `digits`, the integer part of `value`, which error messages quote.
    fn whole(&self, word: &str, value: &str, digits: &str) -> Result<i64, CommandError> {
        digits.parse::<i64>().or_else(|error| match error.kind() {
            IntErrorKind::PosOverflow => Ok(i64::MAX),
            IntErrorKind::NegOverflow => Ok(i64::MIN),
            _ => Err(CommandError::NotANumber {
                command: self.command,
                word: word.to_string(),
                value: value.to_string(),
            }),
        })
    }
}
