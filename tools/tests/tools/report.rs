//! The report of a match says what was played and shows pictures that are whole.

use crate::common::{engine, folder, parse};
use arena::matches;

#[test]
fn a_report_has_all_its_parts() {
    let page = folder("report").join("r.html");
    let (a, b) = (engine("a <1>", "none"), engine("b", "illegal"));
    let arguments = parse(&[
        "--engine",
        &a,
        "--engine",
        &b,
        "--nodes",
        "1",
        "--games",
        "20",
        "--sprt",
        "0,400",
        "--report",
        page.to_str().unwrap(),
    ]);
    let summary = matches::play_match(&arguments.setup().unwrap(), &arguments.play).unwrap();
    let text = std::fs::read_to_string(&page).unwrap();
    for words in [
        "a &lt;1&gt;",
        "SPRT Elo 0 : 400",
        "illegal move",
        "Length of games",
        "Time for a move",
        "LLR",
        "<td>nodes=1</td>",
        "8 random plies, seed 1",
        "a &lt;1&gt; with Black against b",
        "<td>machine</td>",
    ] {
        assert!(text.contains(words), "{words}");
    }
    for debug in ["Some(", "{", "[0, "] {
        let body = text.split_once("<body>").unwrap().1;
        assert!(!body.contains(debug), "{debug}");
    }
    assert_eq!(text.matches("<svg").count(), 6);
    assert_eq!(text.matches("</svg>").count(), 6);
    assert_eq!(summary.results.pentanomials[0].games[2], summary.results.games());
}
