//! The engine as a WebAssembly module for `web/package/tamarack.js`, which says how the calls follow each other.
//!
//! The host writes a line into [`tamarack_buffer`] and calls [`tamarack_line`]; lines come back by the import `write`. While
//! [`tamarack_is_busy`], it calls [`tamarack_work`], which searches. The search returns to the host every few milliseconds
//! through the import `pause`, by unwinding (binaryen's asyncify); meanwhile the host may call anything but `tamarack_work`.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code)]

use platform::clock::with_turns;
use std::cell::RefCell;
use std::io::{self, Write};
use tamarack::uci::{CommandError, Config, Engine, ErrorStyle, InputLine, MAX_LINE, Output};

#[link(wasm_import_module = "tamarack")]
unsafe extern "C" {
    /// Takes text of the engine in UTF-8: whole lines.
    fn write(text: *const u8, length: usize);
}

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The host's side of the output.
struct Host;

impl Write for Host {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // SAFETY: the host only reads the bytes, before it returns.
        unsafe { write(text.as_ptr(), text.len()) };
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn with_engine<R: Default>(work: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with_borrow_mut(|engine| engine.as_mut().map(work).unwrap_or_default())
}

/// Makes the engine; false if there is not enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_start() -> bool {
    std::panic::set_hook(Box::new(|fault| {
        let _ = writeln!(Host, "info string the engine has failed: {fault}");
    }));
    match Config::new() {
        Ok(config) => {
            let output = Output::new(Box::new(Host), ErrorStyle::InfoString);
            ENGINE.set(Some(Engine::new(output, config)));
            true
        }
        Err(error) => {
            let _ = writeln!(Host, "info string {error}");
            false
        }
    }
}

/// Bytes for the local variables of a paused search: functions of a line as deep as can be.
const PAUSED: usize = 2 << 20;

/// Start and end of the memory for a paused search, as asyncify wants it.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_paused() -> *mut [usize; 2] {
    let memory: &mut [u8] = vec![0; PAUSED].leak();
    let start = memory.as_mut_ptr() as usize;
    Box::leak(Box::new([start, start + PAUSED]))
}

/// The place for the next line, of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_buffer(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Executes the line in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_line() {
    let line = LINE.take();
    let line = match line.len() > MAX_LINE {
        true => Err(CommandError::TooLong { command: "", limit: MAX_LINE }),
        false => Ok(String::from_utf8_lossy(&line).into_owned()),
    };
    if let Some(line) = InputLine::new(line) {
        with_engine(|engine| engine.execute_line(line));
    }
}

/// No more lines come: searches without end are stopped.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_end() {
    with_engine(Engine::end_input);
}

/// True while there is a search to be done.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_is_busy() -> bool {
    with_engine(|engine| engine.work().is_some())
}

/// True after `quit`.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_has_quit() -> bool {
    with_engine(|engine| engine.has_quit())
}

/// Searches until there is a best move.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_work() {
    // The engine is not borrowed while it searches.
    if let Some(work) = with_engine(|engine| engine.work()) {
        with_turns(work);
        with_engine(Engine::finish);
    }
}
