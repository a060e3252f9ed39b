//! The start of threads.
//!
//! In WebAssembly with the feature `threads` the host starts them: it runs a `Start` in a worker, which has the same memory (see
//! `web/engine`).

use std::io;

#[cfg(not(all(target_family = "wasm", feature = "threads")))]
pub use system::{JoinHandle, spawn};
#[cfg(all(target_family = "wasm", feature = "threads"))]
pub use workers::{JoinHandle, Start, spawn};

#[cfg(not(all(target_family = "wasm", feature = "threads")))]
mod system {
    use super::io;
    use crate::pages::check_room;
    use std::sync::mpsc::channel;
    use std::thread::Builder;

    /// Waits for the end of a thread.
    pub type JoinHandle = std::thread::JoinHandle<()>;

    /// Starts a thread with `stack` bytes of stack, of which only used pages cost memory, and waits until it runs: then it has its
    /// signal stack too, for which memory must be left, or Rust's library ends the program.
    ///
    /// # Errors
    /// If the system has no thread or not enough memory for it.
    pub fn spawn(name: &str, stack: usize, main: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle> {
        check_room(stack)?;
        let (begun, has_begun) = channel();
        let run = move || {
            let _ = begun.send(());
            drop(begun);
            main();
        };
        let handle = Builder::new().name(name.to_string()).stack_size(stack).spawn(run)?;
        let _ = has_begun.recv();
        Ok(handle)
    }
}

#[cfg(all(target_family = "wasm", feature = "threads"))]
mod workers {
    use super::io;
    use crate::pages::check_room;
    use std::ffi::c_void;
    use std::sync::mpsc::{Receiver, RecvError, channel};

    #[link(wasm_import_module = "tamarack")]
    unsafe extern "C" {
        /// Asks the host for a thread that takes the box with a [`Start`] and runs it. A host that has none drops it.
        fn spawn_thread(start: *mut c_void);
    }

    /// A thread that has not begun yet.
    pub struct Start(Box<dyn FnOnce() + Send>);

    impl Start {
        /// Does all that the thread has to do.
        pub fn run(self) {
            (self.0)();
        }
    }

    /// Waits for the end of a thread.
    pub struct JoinHandle(Receiver<()>);

    impl JoinHandle {
        /// Waits until the thread has ended, or the host has dropped it.
        ///
        /// # Errors
        /// If it was dropped.
        pub fn join(self) -> Result<(), RecvError> {
            self.0.recv()
        }
    }

    /// Asks the host for a thread, and does not wait until it runs. Where the host has none, `main` is dropped. All threads have the
    /// stack that the host gives them, for which `stack` bytes must be there.
    ///
    /// # Errors
    /// If there is not enough memory for the stack.
    pub fn spawn(_name: &str, stack: usize, main: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle> {
        check_room(stack)?;
        let (ended, end) = channel();
        let start = Start(Box::new(move || {
            main();
            let _ = ended.send(());
        }));
        // SAFETY: the host takes the box once.
        unsafe { spawn_thread(Box::into_raw(Box::new(start)).cast()) };
        Ok(JoinHandle(end))
    }
}
