//! Programs that drive the engine, where they are installed.

use std::process::Command;

/// The exit status of a script whose packages are missing.
const MISSING: i32 = 77;

#[test]
fn the_python_package_stockfish_works_whole() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stockfish_wrapper.py");
    let run = Command::new("python3").args([script, env!("CARGO_BIN_EXE_tamarack")]).output();
    let Ok(output) = run else { return println!("skipped: there is no python3") };
    if output.status.code() == Some(MISSING) {
        return println!("skipped: pip install stockfish==5.2");
    }
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat();
    assert!(output.status.success() && said.contains("done"), "{said}");
}
