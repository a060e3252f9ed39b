//! Names and checks the network that is built in: `EVALFILE` if it is set (as OpenBench does), else the one of this
//! repository. A file that is no network fails the build with one sentence.

use std::env;
use std::path::{Path, PathBuf};

// The engine's own checks; these files use the standard library alone.
#[allow(dead_code)]
#[path = "src/eval/architecture.rs"]
mod architecture;
#[allow(dead_code)]
#[path = "src/eval/error.rs"]
mod error;
#[allow(dead_code)]
#[path = "src/eval/file.rs"]
mod file;
#[path = "src/eval/parts.rs"]
mod parts;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let path = env::var_os("EVALFILE").map_or_else(|| home.join("nets/default.nnue"), |file| home.join(file));
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=TAMARACK_NETWORK={}", path.display());
    if let Err(error) = check(&path) {
        println!("cargo::error={}: {error}", path.display());
    }
}

/// Everything that the engine checks when it loads a network.
fn check(path: &Path) -> Result<(), error::NetworkError> {
    let file = file::NetworkFile::read(path)?;
    file.parts.check(file.shape)
}
