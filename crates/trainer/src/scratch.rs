//! Folders for the files of tests.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A new, empty folder for a test of this name.
pub fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let (run, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(format!("tamarack-trainer-{run}-{count}-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
