//! EPD: a position a line, its operations behind it.

use anyhow::{Context, Result, ensure};
use tamarack::chess::Position;

/// What `parse` makes of each line and its number, counted from 1; empty lines and those that begin with `#` are skipped. An
/// error tells the line; no line at all is one.
pub fn lines<T>(text: &str, parse: impl Fn(usize, &str) -> Result<T>) -> Result<Vec<T>> {
    let used = (1..).zip(text.lines().map(str::trim));
    let used = used.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let parsed: Vec<T> = used
        .map(|(number, line)| parse(number, line).with_context(|| format!("line {number}: {line:?}")))
        .collect::<Result<_>>()?;
    ensure!(!parsed.is_empty(), "no positions");
    Ok(parsed)
}

/// The FEN of a line: its first four fields, and the counters behind them if there are any.
pub fn fen(line: &str) -> String {
    let mut words = line.split_whitespace();
    let mut fields: Vec<&str> = words.by_ref().take(4).collect();
    fields.extend(words.take(2).take_while(|word| word.parse::<u32>().is_ok()));
    fields.join(" ")
}

/// The position of a line: its first four fields.
pub fn position(line: &str) -> Result<Position> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    Ok(fields.join(" ").parse()?)
}

/// The operations behind the four fields of the position, apart at `;` outside of quotation marks.
pub fn operations(line: &str) -> Vec<&str> {
    let mut fields = 0;
    let mut rest = line.trim_start();
    while fields < 4 {
        rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
        fields += 1;
    }
    // A FEN's counters, if there are any.
    for _ in 0..2 {
        rest = match rest.split_once(char::is_whitespace) {
            Some((word, behind)) if word.parse::<u32>().is_ok() => behind.trim_start(),
            _ => rest,
        };
    }
    let mut quoted = false;
    let apart = move |letter: char| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    };
    rest.split(apart).map(str::trim).filter(|text| !text.is_empty()).collect()
}
