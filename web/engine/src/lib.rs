//! The engine as a WebAssembly module for `web/package/tamarack.js`, which says how the calls follow each other.
//!
//! The host writes the network's file into [`tamarack_buffer`] and calls [`tamarack_network`], then [`tamarack_start`]; after that it
//! writes each line into the buffer and calls [`tamarack_line`]. Lines come back by the import `write`. There are two builds: [`single`] has one thread, which searches when the host calls it; in [`threads`] the
//! engine has threads of its own.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code)]

#[cfg(not(feature = "threads"))]
mod single;
#[cfg(feature = "threads")]
mod threads;

use std::cell::RefCell;
use std::io::Write;
use tamarack::eval::give_network;
use tamarack::uci::{CommandError, InputLine, MAX_LINE};

#[link(wasm_import_module = "tamarack")]
unsafe extern "C" {
    /// Takes text of the engine in UTF-8: whole lines.
    #[link_name = "write"]
    fn write_to_host(text: *const u8, length: usize);
}

/// Gives whole lines to the host.
fn write(text: &[u8]) {
    // SAFETY: the host only reads the bytes, before it returns.
    unsafe { write_to_host(text.as_ptr(), text.len()) };
}

/// Has a panic, which ends the engine, print a line.
fn report_panics(output: impl Write + Clone + Send + Sync + 'static) {
    std::panic::set_hook(Box::new(move |fault| {
        let _ = writeln!(output.clone(), "info string the engine has failed: {fault}");
    }));
}

thread_local! {
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The place for the network's file or the next line, of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_buffer(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Takes the network's file in the buffer; false, with a line that says why, if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_network() -> bool {
    match give_network(&LINE.take()) {
        Ok(()) => true,
        Err(error) => {
            write(format!("info string the network cannot be used: {error}\n").as_bytes());
            false
        }
    }
}

/// The line in the buffer; `None` if it is empty.
fn take_line() -> Option<InputLine> {
    let line = LINE.take();
    InputLine::new(match line.len() > MAX_LINE {
        true => Err(CommandError::TooLong { command: "", limit: MAX_LINE }),
        false => Ok(String::from_utf8_lossy(&line).into_owned()),
    })
}
