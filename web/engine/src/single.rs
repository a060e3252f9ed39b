//! The build with one thread. While [`tamarack_is_busy`], the host calls [`tamarack_work`], which searches. The search returns to the
//! host every few milliseconds through the import `pause`, by unwinding (binaryen's asyncify); meanwhile the host may call anything
//! but `tamarack_work`.

use super::{report_panics, take_line, write};
use platform::clock::with_turns;
use std::cell::RefCell;
use std::io::{self, Write};
use tamarack::uci::{Engine, ErrorStyle, Output};

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// The host's side of the output.
#[derive(Clone)]
struct Host;

impl Write for Host {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        write(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn with_engine<R: Default>(work: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with_borrow_mut(|engine| engine.as_mut().map(work).unwrap_or_default())
}

/// Makes the engine; false if there is not enough memory. If it is `sequential`, each line waits for the end of those before it.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_start(sequential: bool) -> bool {
    report_panics(Host);
    let output = Output::new(Box::new(Host), ErrorStyle::InfoString);
    match Engine::new(output.clone()) {
        Ok(engine) => {
            ENGINE.set(Some(if sequential { engine.sequential() } else { engine }));
            true
        }
        Err(error) => {
            output.error(error);
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

/// Executes the line in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_line() {
    if let Some(line) = take_line() {
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
    with_engine(|engine| engine.pending_jobs().is_some())
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
    if let Some(work) = with_engine(|engine| engine.pending_jobs()) {
        with_turns(work);
        with_engine(Engine::finish);
    }
}
