//! Speeds compared through UCI.

use crate::common::{TOOLS, engine, folder};
use std::process::{Command, Output};

fn compare(name: &str, engines: &[&str]) -> Output {
    let book = folder(name).join("book.epd");
    std::fs::write(&book, "8/8/4k3/8/8/3K4/4P3/8 w - -\n4k3/8/8/8/8/8/4P3/4K3 w - -\n").unwrap();
    let mut command = Command::new(TOOLS);
    command.arg("speed").arg(&book).args(["--time", "0.01", "--cores", "0,0"]);
    for defect in engines {
        command.args(["--engine", &engine(defect, defect)]);
    }
    command.output().unwrap()
}

#[test]
fn two_engines_are_compared() {
    let output = compare("speed", &["none", "none"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("none searches ") && text.contains("(2 positions, median "), "{text}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for (name, engines, said) in [
        ("speed-alone", &["none"][..], "two engines are compared, not 1"),
        ("speed-crash", &["none", "stillborn"], "stillborn: "),
    ] {
        let output = compare(name, engines);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.starts_with("error: ") && errors.contains(said),
            "{errors}"
        );
    }
}
