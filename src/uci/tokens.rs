//! The words of a line, one after the other, and the numbers among them.

use super::error::CommandError;
use platform::files::unquoted;
use std::num::IntErrorKind;
use std::time::Duration;

/// The longest time that is distinguished from longer ones, in milliseconds: about thirty years, so that no sum overflows.
pub const MAX_MS: i64 = 1_000_000_000_000;

/// The rest of a line, as words or as it stands, and the name of the command that it belongs to.
#[derive(Clone)]
pub struct Tokens<'a> {
    /// The command's name, for error messages.
    pub command: &'static str,
    /// What has not been read yet.
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    /// The next word.
    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let word = &text[..text.find(char::is_whitespace).unwrap_or(text.len())];
        self.rest = &text[word.len()..];
        (!word.is_empty()).then_some(word)
    }
}

impl<'a> Tokens<'a> {
    /// The words of `line`; the command is not known yet.
    pub fn new(line: &'a str) -> Tokens<'a> {
        Tokens { command: "", rest: line }
    }

    /// The next word, which stays the next.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The next word, if it is one that `wanted` is true for.
    pub fn next_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<&'a str> {
        self.peek().filter(|word| wanted(word))?;
        self.next()
    }

    /// All remaining words, joined by single blanks; `None` at the end of the line.
    pub fn joined(&mut self) -> Option<String> {
        let words: Vec<&str> = self.collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The rest of the line as it stands, but for blanks and tabs at its ends: a file may have any in its name.
    pub fn literal(&mut self) -> &'a str {
        // One character parts it from the word before.
        let mut rest = std::mem::take(&mut self.rest).chars();
        rest.next();
        rest.as_str().trim_matches([' ', '\t', '\r', '\n'])
    }

    /// The next word; with quotes around it, it may contain blanks.
    pub fn next_file(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let quote = text.chars().next().filter(|quote| "\"'".contains(*quote));
        let end = quote.and_then(|quote| text[1..].find(quote)).map(|length| length + 2);
        let is_last = |&end: &usize| text[end..].chars().next().is_none_or(char::is_whitespace);
        let Some(end) = end.filter(is_last) else { return self.next() };
        self.rest = &text[end..];
        Some(unquoted(&text[..end]))
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
        self.next().ok_or_else(|| self.missing(word))
    }

    /// The error for a word that nothing follows.
    pub fn missing(&self, word: &str) -> CommandError {
        CommandError::Missing { command: self.command, word: word.to_string() }
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
