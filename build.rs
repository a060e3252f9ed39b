//! Sets the path of the embedded network, `EVALFILE` if it is set (as OpenBench does), else the one of this repository; and
//! what the command `compiler` prints.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let file = env::var_os("EVALFILE").map_or_else(|| home.join("nets/default.nnue"), |file| home.join(file));
    println!("cargo:rerun-if-changed={}", file.display());
    println!("cargo:rustc-env=TAMARACK_NETWORK={}", file.display());
    let compiler =
        std::process::Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version").output();
    let compiler =
        compiler.map_or("unknown".to_string(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    println!("cargo:rustc-env=TAMARACK_COMPILER={}", compiler.trim());
    println!("cargo:rustc-env=TAMARACK_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!(
        "cargo:rustc-env=TAMARACK_FEATURES={}",
        env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default()
    );
}
