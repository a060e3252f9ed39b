//! Whoever reads the output of the tools may stop at any time.

use std::process::Command;

#[test]
fn output_that_nobody_reads_is_an_error_and_no_panic() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut tools = Command::new(env!("CARGO_BIN_EXE_tools"));
    let output = tools.args(["ablate", "--list"]).stdout(writer).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("error: ") && !error.contains("panicked"), "{error}");
}
