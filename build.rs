//! Says which network is built in: `EVALFILE` if it is set (as OpenBench does), else the one of this repository.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let file = env::var_os("EVALFILE").map_or_else(|| home.join("nets/default.nnue"), |file| home.join(file));
    println!("cargo:rerun-if-changed={}", file.display());
    println!("cargo:rustc-env=TAMARACK_NETWORK={}", file.display());
}
