//! The engine's judge of positions as a WebAssembly module for the page (`web/src/game/judge.ts`).
//!
//! The host writes a FEN into `rules_buffer`, calls `rules_judge` and reads the answer at `rules_answer`: `+`, the position as the
//! engine writes it, and a line for each repair; or `-` and the reason why there is no such position. It needs nothing of the host.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code)]

use chess::{FenStyle, Position};
use std::cell::RefCell;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The place for a FEN of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn rules_buffer(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Judges the FEN in the buffer; the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn rules_judge() -> usize {
    TEXT.with_borrow_mut(|text| {
        let fen = String::from_utf8_lossy(text).into_owned();
        *text = judge(&fen).into_bytes();
        text.len()
    })
}

/// The place of the answer, until the next FEN is written.
#[unsafe(no_mangle)]
pub extern "C" fn rules_answer() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}

fn judge(fen: &str) -> String {
    match Position::from_fen_lenient(fen) {
        Ok((position, repairs)) => {
            let mut answer = format!("+{}", position.fen(FenStyle::Standard));
            for repair in repairs {
                answer.push('\n');
                answer.push_str(&repair.to_string());
            }
            answer
        }
        Err(error) => format!("-{error}"),
    }
}
