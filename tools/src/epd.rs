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

/// The position of a line with its halfmove clock, from the operation `hmvc` or the FEN's counters; 0 without either.
pub fn position_with_clock(line: &str) -> Result<Position> {
    let fen = fen(line);
    let fields: Vec<&str> = fen.split(' ').collect();
    let clock = operand(line, "hmvc").or(fields.get(4).copied()).unwrap_or("0");
    let board = fields.iter().take(4).copied().collect::<Vec<_>>().join(" ");
    Ok(format!("{board} {clock} 1").parse()?)
}

/// The operand of the operation with this code, without quotation marks; `None` if the line has no such operation.
pub fn operand<'l>(line: &'l str, code: &str) -> Option<&'l str> {
    let find = |operation: &'l str| operation.strip_prefix(code)?.strip_prefix(char::is_whitespace);
    operations(line).into_iter().find_map(find).map(|operand| operand.trim().trim_matches('"'))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_belongs_to_its_own_code() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; ce -12; c0 \"1 900 99\"; id \"a; ce 5\";";
        assert_eq!(operand(line, "ce"), Some("-12"));
        assert_eq!(operand(line, "c0"), Some("1 900 99"));
        assert_eq!(operand(line, "hmvc"), Some("3"));
        assert_eq!((operand(line, "c"), operand(line, "bm")), (None, None));
        let clock = |line: &str| position_with_clock(line).unwrap().halfmove_clock();
        assert_eq!((clock(line), clock("4k3/8/8/8/8/8/4P3/4K3 w - - 7 9 ce 1;")), (3, 7));
        assert_eq!(clock("4k3/8/8/8/8/8/4P3/4K3 w - - ce 1;"), 0);
        assert!(position_with_clock("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x;").is_err());
    }
}
