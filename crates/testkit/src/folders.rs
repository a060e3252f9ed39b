//! Folders for the files of tests.

use std::path::{Path, PathBuf};

/// An empty folder of this name inside `parent`, mostly `CARGO_TARGET_TMPDIR`; an older one is removed.
pub fn empty_folder(parent: &str, name: &str) -> PathBuf {
    let folder = Path::new(parent).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made there");
    folder
}
