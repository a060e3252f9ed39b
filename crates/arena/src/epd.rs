//! Extended Position Description (EPD): one position a line, with operations behind it.

use anyhow::{Context, Result, ensure};
use chess::Position;
use std::path::Path;

/// Reads a file of lines. A byte-order mark is dropped; bytes that are not UTF-8, as in names in Latin-1, become
/// [`char::REPLACEMENT_CHARACTER`].
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> std::io::Result<String> {
    let bytes = std::fs::read(path)?;
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    Ok(String::from_utf8_lossy(text).into_owned())
}

/// Parses each line, given its number, counted from 1; empty lines and those that begin with `#` are skipped. A wrong line
/// with bytes that were not UTF-8 is noted and left out.
///
/// # Errors
/// Names the first other line that is wrong; no line at all is an error too.
pub fn lines<T>(text: &str, parse: impl Fn(usize, &str) -> Result<T>) -> Result<Vec<T>> {
    let used = (1..).zip(text.lines().map(str::trim));
    let used = used.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (mut parsed, mut left_out) = (Vec::new(), Vec::new());
    for (number, line) in used {
        match parse(number, line).with_context(|| format!("line {number}: {line:?}")) {
            Ok(value) => parsed.push(value),
            Err(_) if line.contains(char::REPLACEMENT_CHARACTER) => left_out.push(number),
            Err(error) => return Err(error),
        }
    }
    if let Some(first) = left_out.first() {
        eprintln!("note: {} lines that are not UTF-8 are left out, line {first} the first", left_out.len());
    }
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

/// The first four fields of a line or FEN: the position without counters.
pub fn board(line: &str) -> String {
    line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// The position of a line: its first four fields.
pub fn position(line: &str) -> Result<Position> {
    Ok(board(line).parse()?)
}

/// The position of a line with its halfmove clock, from the operation `hmvc` or the FEN's counters; 0 without either.
pub fn position_with_clock(line: &str) -> Result<Position> {
    let fen = fen(line);
    let fields: Vec<&str> = fen.split(' ').collect();
    let clock = operand(line, "hmvc").or(fields.get(4).copied()).unwrap_or("0");
    Ok(format!("{} {clock} 1", board(&fen)).parse()?)
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
    fn a_line_that_is_not_utf8_costs_itself_only() {
        let path = std::env::temp_dir().join(format!("tamarack-epd-{}", std::process::id()));
        let lines_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            lines(&read(&path).unwrap(), |_, line| position(line))
        };
        let good = b"4k3/8/8/8/8/8/4P3/4K3 w - -\n";
        let marked =
            [b"\xEF\xBB\xBF", &good[..], b"4k3/8/8/8/8/8/4P3/4K3 w - - id \"M\xFCller\";\n"].concat();
        assert_eq!(lines_of(&marked).unwrap().len(), 2, "a mark and a name in Latin-1 cost nothing");
        assert_eq!(lines_of(&[good, &b"M\xFCller\n"[..], good].concat()).unwrap().len(), 2);
        assert!(lines_of(b"\xFF\xFE\x00garbage\n\x80\n").unwrap_err().to_string().contains("no positions"));
        let wrong = lines_of(&[good, &b"Mueller\n"[..]].concat()).unwrap_err().to_string();
        assert!(wrong.contains("line 2"), "{wrong}");
        std::fs::remove_file(path).unwrap();
    }

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
