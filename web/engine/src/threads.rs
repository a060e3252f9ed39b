//! The build with threads. The host calls from a thread that may not wait long, since it answers the others: its own one. Each
//! other thread is a worker with an instance of this module on the same memory, which the host makes when the import `spawn_thread`
//! asks for it (see `platform::threads`) and keeps for later threads.
//!
//! Output goes from all threads into one buffer, so that it stays in order; the import `notify` tells the host of it.

use super::{report_panics, take_line, write};
use crossbeam::channel::{Receiver, Sender, unbounded};
use platform::pages::try_with_capacity;
use platform::threads::{self, Start};
use std::cell::RefCell;
use std::io::{self, Write};
use std::mem::take;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};
use tamarack::uci::{Engine, ErrorStyle, InputLine, Output};

/// Bytes of stack of each thread, enough for the recursion at its greatest depth.
const STACK: usize = 8 << 20;

/// The alignment of stacks and of thread-local variables.
const ALIGNMENT: usize = 64;

#[link(wasm_import_module = "tamarack")]
unsafe extern "C" {
    /// Tells the host to call [`tamarack_flush`].
    safe fn notify();
}

thread_local! {
    /// The host's end of the input.
    static LINES: RefCell<Option<Sender<InputLine>>> = const { RefCell::new(None) };
}

/// Lines that the host has not got yet.
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The threads' side of the output.
#[derive(Clone)]
struct Buffer;

impl Write for Buffer {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let mut output = OUTPUT.lock().unwrap_or_else(PoisonError::into_inner);
        // If there is something, the host has been told.
        if output.is_empty() {
            notify();
        }
        output.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts the engine on a thread of its own, which ends after `quit` or [`tamarack_end`]. If it is `sequential`, each line waits for
/// the end of those before it.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_start(sequential: bool) {
    report_panics(Buffer);
    let (sender, lines) = unbounded();
    LINES.set(Some(sender));
    // The host knows if it has no thread.
    let _ = threads::spawn("engine", STACK, move || serve(&lines, sequential));
}

fn serve(lines: &Receiver<InputLine>, sequential: bool) {
    let output = Output::new(Box::new(Buffer), ErrorStyle::InfoString);
    match Engine::new(output.clone()) {
        Ok(engine) => if sequential { engine.sequential() } else { engine }.run(lines),
        Err(error) => output.error(format_args!("the engine cannot start: {error}")),
    }
}

/// Gives the line in the buffer to the engine.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_line() {
    if let Some(line) = take_line() {
        // An error means that the engine has quit.
        LINES.with_borrow(|lines| lines.as_ref().map(|lines| lines.send(line)));
    }
}

/// No more lines come: searches without end are stopped.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_end() {
    LINES.take();
}

/// Writes to the host what the threads have printed.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_flush() {
    let text = take(&mut *OUTPUT.lock().unwrap_or_else(PoisonError::into_inner));
    if !text.is_empty() {
        write(&text);
    }
}

/// Memory for the stack of a new thread and, from `STACK` on, for `local` bytes of thread-local variables; null if there is none.
/// It is kept for ever, as workers are.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_stack(local: usize) -> *mut u8 {
    match try_with_capacity::<u8>(STACK + local + ALIGNMENT) {
        Ok(memory) => {
            let start = memory.leak().as_mut_ptr();
            start.wrapping_add(start.align_offset(ALIGNMENT))
        }
        Err(_) => null_mut(),
    }
}

/// The bytes of a stack.
#[unsafe(no_mangle)]
pub extern "C" fn tamarack_stack_size() -> usize {
    STACK
}

/// Does all that a new thread has to do, on the worker that calls.
///
/// # Safety
/// `start` comes from `spawn_thread`, and was neither run nor refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tamarack_run(start: *mut Start) {
    // SAFETY: `spawn_thread` got it from a box, which nobody else takes.
    unsafe { Box::from_raw(start) }.run();
}

/// Has a thread not begin, because there is no worker for it.
///
/// # Safety
/// As for [`tamarack_run`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tamarack_refuse(start: *mut Start) {
    // SAFETY: as in `tamarack_run`.
    drop(unsafe { Box::from_raw(start) });
}
