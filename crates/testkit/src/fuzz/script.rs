//! Scripts: the steps of one session with an engine, as text that can be kept and played again.

use anyhow::{Context, Result, bail};
use std::fmt::Write;

/// The text in a line that stands for a folder of files made for the session.
pub const FOLDER: &str = "{tmp}";

/// The text in a line that stands for the root of the repository.
pub const REPOSITORY: &str = "{repo}";

/// A step of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptStep {
    /// A line for the engine, without its line feed.
    Line(Vec<u8>),
    /// The bytes of a line that the end of the input cuts off.
    Unfinished(Vec<u8>),
    /// A pause in milliseconds.
    Pause(u64),
    /// A wait for all answers that are promised.
    Await,
    /// A comparison of memory, threads and descriptors with those of the first checkpoint.
    Checkpoint,
    /// The end of the input.
    Close,
}

/// The steps as text, one a line.
pub fn to_text(steps: &[ScriptStep]) -> String {
    let mut text = String::new();
    for step in steps {
        let _ = match step {
            ScriptStep::Line(bytes) => writeln!(text, "> {}", escape(bytes)),
            ScriptStep::Unfinished(bytes) => writeln!(text, "~ {}", escape(bytes)),
            ScriptStep::Pause(milliseconds) => writeln!(text, "pause {milliseconds}"),
            ScriptStep::Await => writeln!(text, "await"),
            ScriptStep::Checkpoint => writeln!(text, "checkpoint"),
            ScriptStep::Close => writeln!(text, "close"),
        };
    }
    text
}

/// The steps in a text; empty lines and those that begin with `#` are comments.
///
/// # Errors
/// If a line is no step.
pub fn from_text(text: &str) -> Result<Vec<ScriptStep>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(index, line)| step(line).with_context(|| format!("line {}", index + 1))).collect()
}

fn step(line: &str) -> Result<ScriptStep> {
    if let Some(text) = line.strip_prefix("> ").or((line == ">").then_some("")) {
        return Ok(ScriptStep::Line(unescape(text)?));
    }
    if let Some(text) = line.strip_prefix("~ ") {
        return Ok(ScriptStep::Unfinished(unescape(text)?));
    }
    Ok(match line.trim_end() {
        "await" => ScriptStep::Await,
        "checkpoint" => ScriptStep::Checkpoint,
        "close" => ScriptStep::Close,
        other => match other.strip_prefix("pause ") {
            Some(milliseconds) => ScriptStep::Pause(milliseconds.parse()?),
            None => bail!("{other:?} is no step: > LINE, ~ BYTES, pause N, await, checkpoint, close"),
        },
    })
}

/// Bytes as printable text: a backslash is doubled, other bytes become `\xHH`.
pub fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text
}

fn unescape(text: &str) -> Result<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
        } else if let Some(after) = rest.strip_prefix(b"\\") {
            bytes.push(b'\\');
            rest = after;
        } else {
            let digits =
                rest.strip_prefix(b"x").and_then(|hex| hex.get(..2)).context("a lonely backslash")?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits)?, 16)?);
            rest = &rest[3..];
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_any_bytes_are_read_as_they_were_written() {
        let steps = [
            ScriptStep::Line(b"position startpos".to_vec()),
            ScriptStep::Line(Vec::new()),
            ScriptStep::Line((0..=255).filter(|&byte| byte != b'\n').collect()),
            ScriptStep::Line(b"\\x41\\".to_vec()),
            ScriptStep::Pause(17),
            ScriptStep::Await,
            ScriptStep::Checkpoint,
            ScriptStep::Unfinished(b" go\tdepth".to_vec()),
            ScriptStep::Close,
        ];
        assert_eq!(from_text(&to_text(&steps)).unwrap(), steps);
        assert_eq!(from_text("# a comment\n\n>\n").unwrap(), [ScriptStep::Line(Vec::new())]);
        for wrong in ["go", "> \\", "> \\x4", "pause x"] {
            assert!(from_text(wrong).is_err(), "{wrong}");
        }
    }
}
