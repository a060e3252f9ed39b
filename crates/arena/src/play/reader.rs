//! Reads an engine's output on a thread of its own: blocking, no polling, and the game's thread is woken only for
//! the lines that it waits for.

use super::log::SharedLog;
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

/// Longer lines are cut, so that an engine that prints rubbish without end cannot fill the memory.
const MAX_LINE_BYTES: usize = 1 << 16;

/// First words of lines that are always passed on.
const KNOWN: [&[u8]; 4] = [b"id", b"option", b"uciok", b"readyok"];

/// A line that the reader passes on, or the end of the output.
#[derive(Debug)]
pub enum OutputEvent {
    /// `id`, `option`, `uciok` or `readyok`; other words too while `forward_all` is set. With the time when it was read.
    Line(String, Instant),
    /// A `bestmove`, with the last exact score line before it and the time when it was read.
    Best {
        /// The whole line.
        line: String,
        /// The last `info … score …` line, empty if there was none.
        info: String,
        /// The time when it was read.
        at: Instant,
    },
    /// An `info … pv …` line and the time when it was read; only while `forward_all` is set.
    Info(String, Instant),
    /// The engine closed its output: it died or was killed.
    Closed,
}

/// Reads until the pipe closes. While `forward_all` is set, lines with a principal variation and those that begin with an
/// unknown word are passed on too. An engine that writes faster than it is heard waits; of principal variations, which it
/// may write while nobody listens, those beyond the queue are dropped instead.
pub fn read_output(
    output: impl Read,
    name: &str,
    log: &SharedLog,
    events: &SyncSender<OutputEvent>,
    forward_all: &AtomicBool,
) {
    let mut reader = BufReader::with_capacity(MAX_LINE_BYTES, output);
    let (mut line, mut info) = (Vec::new(), Vec::new());
    while read_line(&mut reader, &mut line) {
        let at = Instant::now();
        log.note(name, '<', &line);
        let text = line.trim_ascii();
        let event = if text.starts_with(b"info") {
            if text.starts_with(b"info string") {
                continue;
            }
            if forward_all.load(Ordering::Relaxed) && contains(text, b" pv ") {
                let _ = events.try_send(OutputEvent::Info(String::from_utf8_lossy(text).into_owned(), at));
            }
            if is_wanted(text, info.is_empty()) {
                std::mem::swap(&mut line, &mut info);
            }
            continue;
        } else if is_word(text, b"bestmove") {
            let info_line = String::from_utf8_lossy(info.trim_ascii()).into_owned();
            info.clear();
            OutputEvent::Best { line: String::from_utf8_lossy(text).into_owned(), info: info_line, at }
        } else if forward_all.load(Ordering::Relaxed) || KNOWN.iter().any(|word| is_word(text, word)) {
            OutputEvent::Line(String::from_utf8_lossy(text).into_owned(), at)
        } else {
            continue;
        };
        if events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(OutputEvent::Closed);
}

/// Copies an engine's standard error into the log: the last words of a crash.
pub fn read_errors(errors: impl Read, name: &str, log: &SharedLog) {
    let mut reader = BufReader::new(errors);
    let mut line = Vec::new();
    while read_line(&mut reader, &mut line) {
        log.note(name, '!', &line);
    }
}

fn is_word(text: &[u8], word: &[u8]) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// True for a score of the first line; one that is only a bound counts while there is nothing better.
fn is_wanted(line: &[u8], nothing_yet: bool) -> bool {
    contains(line, b" score ")
        && (!contains(line, b" multipv ") || contains(line, b" multipv 1 "))
        && (nothing_yet || !contains(line, b"bound"))
}

fn contains(line: &[u8], needle: &[u8]) -> bool {
    line.windows(needle.len()).any(|window| window == needle)
}

/// Reads one line, cut at 64 KiB; false at the end of the stream.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> bool {
    line.clear();
    let mut any = false;
    loop {
        let Ok(bytes) = reader.fill_buf() else { return any };
        if bytes.is_empty() {
            return any;
        }
        any = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(bytes.len(), |end| end + 1);
        let room = MAX_LINE_BYTES.saturating_sub(line.len());
        line.extend_from_slice(&bytes[..length.min(room)]);
        reader.consume(length);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn lines_that_nobody_hears_fill_no_memory_and_hold_up_no_move() {
        let text = "info depth 1 score cp 7 pv e2e4\n".repeat(1000) + "bestmove e2e4\n";
        let (sender, events) = sync_channel(4);
        let reader = std::thread::spawn(move || {
            read_output(text.as_bytes(), "a", &SharedLog::default(), &sender, &AtomicBool::new(true));
        });
        let events: Vec<OutputEvent> = events.iter().collect();
        reader.join().unwrap();
        let Some([OutputEvent::Best { line, info, .. }, OutputEvent::Closed]) = events.last_chunk() else {
            panic!("{events:?}");
        };
        assert!(line == "bestmove e2e4" && info.contains("cp 7"), "{events:?}");
    }
}
