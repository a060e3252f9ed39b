//! The list of known opponents, and a gauntlet against some of them.

use crate::common::{TOOLS, folder};
use arena::matches::opponents::{pick, read};
use std::process::Command;

#[test]
fn the_built_in_list_is_sound() {
    let known = read(None).unwrap();
    let names: std::collections::BTreeSet<&str> =
        known.iter().map(|opponent| opponent.name.as_str()).collect();
    assert_eq!(names.len(), known.len());
    for opponent in &known {
        let rating = opponent.rating.unwrap();
        assert!((1000.0..4000.0).contains(&rating) && !opponent.source.is_empty(), "{}", opponent.name);
    }
    let error = pick(known, &["nobody".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("known are stockfish"), "{error}");
}

#[test]
fn a_gauntlet_rates_on_the_scale_of_the_references() {
    let list = folder("gauntlet").join("list.toml");
    let opponent = |name: &str, rating: u32| {
        format!(
            "[[opponent]]\nname = {name:?}\ncommand = {TOOLS:?}\narguments = [\"bad-engine\", \"none\"]\nrating = {rating}\n"
        )
    };
    std::fs::write(&list, opponent("one", 1500) + &opponent("two", 1500)).unwrap();
    let output = Command::new(TOOLS)
        .args(["gauntlet", "--engine", &format!("name=us,cmd={TOOLS},args=bad-engine none"), "--opponents"])
        .arg(&list)
        .args(["--games", "20", "--nodes", "1", "--concurrency", "2"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let table = text.split("On the scale of the references:").nth(1).unwrap();
    let row = |name: &str| -> Vec<String> {
        let line = table.lines().find(|line| line.split_whitespace().nth(1) == Some(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("one")[2..5], ["1500.0", "fixed", "20"]);
    let ours: f64 = row("us")[2].parse().unwrap();
    assert!((1300.0..1700.0).contains(&ours), "{ours}: they are all the same engine");
    assert_eq!(row("us")[4], "40");
}

#[test]
fn a_folder_without_tablebases_is_refused() {
    let folder = folder("no-tables");
    let arguments = crate::common::parse(&[
        "--engine",
        "cmd=/a",
        "--engine",
        "cmd=/b",
        "--nodes",
        "1",
        "--tb",
        folder.to_str().unwrap(),
    ]);
    assert!(format!("{:#}", arguments.setup().unwrap_err()).contains("no tablebase files"));
}
