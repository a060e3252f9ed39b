//! Files of positions, one a line, in FEN or EPD; a line is read by [`chess::Epd`].

use anyhow::{Context, Result, ensure};
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

/// The first four fields of a line or FEN: the position without counters.
pub fn board(line: &str) -> String {
    line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Epd;

    #[test]
    fn a_line_that_is_not_utf8_costs_itself_only() {
        let path = std::env::temp_dir().join(format!("tamarack-epd-{}", std::process::id()));
        let lines_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            lines(&read(&path).unwrap(), |_, line| Ok(line.parse::<Epd>()?))
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
}
