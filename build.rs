//! Names and checks the network that is built in: `EVALFILE` if it is set (as OpenBench does), else the one of this
//! repository. A file that is no network fails the build with one sentence. Also sets what the command `compiler` prints.

use nnue::file::NetworkFile;
use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let path = env::var_os("EVALFILE").map_or_else(|| home.join("nets/default.nnue"), |file| home.join(file));
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=TAMARACK_NETWORK={}", path.display());
    if let Err(error) = NetworkFile::check(&path) {
        println!("cargo::error={}: {error}", path.display());
    }
    name_single_threaded();
    describe_build();
}

/// Sets `cfg(single_threaded)` for WebAssembly without threads.
fn name_single_threaded() {
    println!("cargo::rustc-check-cfg=cfg(single_threaded)");
    let is_wasm = env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    if is_wasm && env::var_os("CARGO_FEATURE_THREADS").is_none() {
        println!("cargo::rustc-cfg=single_threaded");
    }
}

/// Sets compiler, target and processor features of the build.
fn describe_build() {
    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output();
    let version =
        version.map_or("unknown".to_string(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    println!("cargo::rustc-env=TAMARACK_COMPILER={}", version.trim());
    println!("cargo::rustc-env=TAMARACK_TARGET={}", env::var("TARGET").unwrap_or_default());
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-env=TAMARACK_FEATURES={features}");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let profile = if flags.contains("profile-use") { "yes" } else { "" };
    println!("cargo::rustc-env=TAMARACK_PROFILE={profile}");
}
