//! Reading a line word by word, and its numbers.

use super::command::CommandError;
use std::iter::Peekable;
use std::num::IntErrorKind;
use std::str::SplitWhitespace;
use std::time::Duration;

/// The longest time that is told apart from an even longer one: thirty years, far from every overflow.
pub const LONGEST_MS: i64 = 1_000_000_000_000;

/// The words of a line and the name of the command that they belong to.
pub struct Words<'a> {
    /// Named in errors.
    pub command: &'static str,
    /// What is left.
    pub words: Peekable<SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    /// The words of `line`, with no command yet.
    pub fn new(line: &'a str) -> Words<'a> {
        Words { command: "", words: line.split_whitespace().peekable() }
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// All that is left, with single blanks; `None` if nothing is.
    pub fn rest(&mut self) -> Option<String> {
        let words: Vec<&str> = self.words.by_ref().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The error of `found` in the place of what is `expected`.
    pub fn expected(&self, expected: &'static str, found: Option<&str>) -> CommandError {
        let found = found.map_or_else(|| "the end of the line".to_string(), |word| format!("'{word}'"));
        CommandError::Expected { command: self.command, expected, found }
    }

    /// The number that must follow `word`. What does not fit in 64 bits is the largest or smallest that does.
    pub fn number(&mut self, word: &str) -> Result<i64, CommandError> {
        let value = self.value(word)?;
        self.whole(word, value, value)
    }

    /// What must follow `word`.
    fn value(&mut self, word: &str) -> Result<&'a str, CommandError> {
        self.next().ok_or_else(|| CommandError::Missing { command: self.command, word: word.to_string() })
    }

    /// The number that `digits` are, which are all that counts of `value`.
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

    /// The number that must follow `word`, from `min` to `max`.
    pub fn number_from(&mut self, word: &str, min: i64, max: i64) -> Result<i64, CommandError> {
        let value = self.number(word)?;
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        Err(CommandError::OutOfRange { command: self.command, word: word.to_string(), value, min, max })
    }

    /// A time. Some programs send negative ones when a clock has run out, some parts of a millisecond, which are cut off.
    pub fn milliseconds(&mut self, word: &str) -> Result<Duration, CommandError> {
        let value = self.value(word)?;
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let digits =
            value.split_once('.').filter(|(_, part)| is_part(part)).map_or(value, |(whole, _)| whole);
        Ok(Duration::from_millis(self.whole(word, value, digits)?.clamp(0, LONGEST_MS) as u64))
    }
}
