//! A killed match continues where it stopped; the files hold every game once, and PGN replays legally.

use crate::common::{TOOLS, engine, folder, parse, wait_until};
use arena::matches::results_file::{self, GameRecord, ResultsFile};
use arena::matches::{self, MatchSummary};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Replays games and returns tag values and the last position.
struct Replay(CastlingMode);

impl Visitor for Replay {
    type Tags = (Chess, Vec<(String, String)>);
    type Movetext = (Chess, Vec<(String, String)>);
    type Output = (Chess, Vec<(String, String)>);

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue((Chess::default(), Vec::new()))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            tags.0 = Fen::from_ascii(value.as_bytes()).unwrap().into_position(self.0).unwrap();
        }
        tags.1.push((String::from_utf8_lossy(name).into(), value.decode_utf8_lossy().into()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let mv = san.san.to_move(&game.0).unwrap_or_else(|error| panic!("{san}: {error}"));
        game.0.play_unchecked(mv);
        assert_eq!(SanPlus { san: san.san, suffix: shakmaty::san::Suffix::from_position(&game.0) }, san);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
        game
    }
}

fn replay(path: &Path, mode: CastlingMode) -> Vec<(Chess, Vec<(String, String)>)> {
    let mut reader = Reader::new(fs::File::open(path).unwrap());
    std::iter::from_fn(|| reader.read_game(&mut Replay(mode)).unwrap()).collect()
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> &'a str {
    tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

#[test]
fn pgn_replays_legally_and_says_how_games_ended() {
    for (variant, mode) in [(None, CastlingMode::Standard), (Some("--chess960"), CastlingMode::Chess960)] {
        let pgn = folder(&format!("pgn-{}", mode.is_chess960())).join("games.pgn");
        let (a, b) = (engine("a", "none"), engine("b", "none"));
        let mut words =
            vec!["--engine", &a, "--engine", &b, "--nodes", "1", "--games", "6", "--concurrency", "2"];
        words.extend(["--pgn", pgn.to_str().unwrap()]);
        words.extend(variant);
        let arguments = parse(&words);
        let summary = matches::play_match(&arguments.setup().unwrap(), &arguments.play).unwrap();
        assert!(summary.results.faults.is_empty(), "{}", summary.text);
        let games = replay(&pgn, mode);
        assert_eq!(games.len(), 6);
        for (last, tags) in games {
            let result = tag(&tags, "Result");
            match last.outcome().known() {
                Some(outcome) => assert_eq!(outcome.as_str(), result),
                None => assert_eq!(result, "1/2-1/2", "repetition or fifty moves"),
            }
            assert_eq!(tag(&tags, "Termination"), "normal");
        }
    }
}

#[test]
fn a_killed_match_continues_and_loses_nothing() {
    let folder = folder("resume");
    let (results, pgn) = (folder.join("r.jsonl"), folder.join("r.pgn"));
    let (a, b) = (engine("a", "none"), engine("b", "none"));
    let run = |games: &str| {
        let mut command = Command::new(TOOLS);
        command.args(["match", "--engine", &a, "--engine", &b, "--nodes", "1", "--concurrency", "2"]);
        command.args(["--games", games, "--results"]).arg(&results).arg("--pgn").arg(&pgn);
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut child = run("5000");
    let lines = || fs::read_to_string(&results).map_or(0, |text| text.lines().count());
    wait_until(&mut child, || lines() >= 8);
    child.kill().unwrap();
    child.wait().unwrap();

    // As if the kill had come in the middle of a line.
    let text = fs::read_to_string(&results).unwrap();
    let whole = text.rfind('\n').unwrap() + 1;
    let kept: Vec<String> = text[..whole].lines().skip(1).map(str::to_owned).collect();
    fs::write(&results, format!("{}{}", &text[..whole], &text[whole - 60..whole - 1])).unwrap();

    let total = (kept.len() + 20).next_multiple_of(2);
    let output = run(&total.to_string()).wait_with_output().unwrap();
    assert!(output.status.success());
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(report.contains(&format!("a against b: {total} games")), "{report}");
    let text = fs::read_to_string(&results).unwrap();
    let after: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(after[..kept.len()], kept, "earlier games stand as they were");
    let (_, records) = results_file::read(&results).unwrap();
    let numbers: BTreeSet<usize> = records.iter().map(|record| record.number).collect();
    assert_eq!((records.len(), numbers.len()), (total, total), "every game once");
    let games = replay(&pgn, CastlingMode::Standard);
    let rounds: BTreeSet<&str> = games.iter().map(|(_, tags)| tag(tags, "Round")).collect();
    assert_eq!((games.len(), rounds.len()), (total, total), "every game once");
}

#[test]
fn games_of_another_match_stay_in_the_pgn_file() {
    let pgn = folder("resume-pgn").join("r.pgn");
    let (a, b) = (engine("a", "none"), engine("b", "none"));
    let words = ["--engine", &a, "--engine", &b, "--nodes", "1", "--games", "2", "--max-moves", "6"];
    let arguments = parse(&[&words[..], &["--pgn", pgn.to_str().unwrap()]].concat());
    for games in [2, 4] {
        matches::play_match(&arguments.setup().unwrap(), &arguments.play).unwrap();
        assert_eq!(replay(&pgn, CastlingMode::Standard).len(), games);
    }
}

/// The results file of two games of a match, whose second engine has a name of several bytes, and that match.
fn two_games(name: &str) -> (PathBuf, impl Fn() -> anyhow::Result<MatchSummary> + use<>) {
    let results = folder(name).join("r.jsonl");
    let (a, b) = (engine("a", "none"), engine("Müller", "none"));
    let path = results.to_str().unwrap();
    let words = ["--engine", &a, "--engine", &b, "--nodes", "1", "--games", "2", "--results", path];
    let arguments = parse(&words);
    let play = move || matches::play_match(&arguments.setup()?, &arguments.play);
    play().unwrap();
    (results, play)
}

#[test]
fn a_file_cut_inside_a_character_continues() {
    let (results, play) = two_games("resume-cut");
    let bytes = fs::read(&results).unwrap();
    let cut = bytes.iter().rposition(|&byte| byte == 0xC3).unwrap() + 1;
    fs::write(&results, &bytes[..cut]).unwrap();
    assert_eq!(results_file::read(&results).unwrap().1.len(), 1);
    assert_eq!(play().unwrap().results.games(), 2);
    assert_eq!(results_file::read(&results).unwrap().1.len(), 2);
}

#[test]
fn games_that_cannot_be_of_the_match_are_refused() {
    let (results, play) = two_games("resume-wrong");
    let text = fs::read_to_string(&results).unwrap();
    let first = text.lines().nth(1).unwrap().to_owned() + "\n";
    for (wrong, words) in [
        (text.replace("\"white\":1", "\"white\":7"), "engines 7 and 0 do not meet in it"),
        (text.replace("\"points\":", "\"points\":20"), "half points"),
        (
            text.replace("\"fault\":null", "\"fault\":{\"engine\":9,\"kind\":\"Crash\",\"detail\":\"\"}"),
            "the engine at fault, 9, does not play in it",
        ),
        (text.clone() + &first, "is there twice"),
    ] {
        fs::write(&results, wrong).unwrap();
        for error in [results_file::read(&results).map(drop).unwrap_err(), play().unwrap_err()] {
            assert!(format!("{error:#}").contains(words), "{error:#}");
        }
    }
    fs::write(&results, text.replace("\"pairings\":[[0,1]]", "\"pairings\":[[0,2]]")).unwrap();
    let error = format!("{:#}", results_file::read(&results).unwrap_err());
    assert!(error.contains("its pairings are impossible"), "{error}");
}

#[test]
fn one_run_at_a_time_writes_a_results_file() {
    let (path, play) = two_games("resume-lock");
    let (header, _) = results_file::read(&path).unwrap();
    let (file, records) = ResultsFile::open::<_, GameRecord>(Some(&path), &header, "match").unwrap();
    assert_eq!(records.len(), 2);
    let error = format!("{:#}", play().unwrap_err());
    assert!(error.contains("the results file") && error.contains(path.to_str().unwrap()), "{error}");
    assert!(cfg!(windows) || error.contains("another run is writing it"), "{error}");
    assert_eq!(results_file::read(&path).unwrap().1, records, "others may read it");
    drop(file);
    play().unwrap();
}

#[test]
fn another_match_is_not_continued() {
    let results = folder("resume-other").join("r.jsonl");
    let (a, b) = (engine("a", "none"), engine("b", "none"));
    let run = |nodes: &str| {
        let path = results.to_str().unwrap();
        let arguments =
            parse(&["--engine", &a, "--engine", &b, "--nodes", nodes, "--games", "2", "--results", path]);
        matches::play_match(&arguments.setup().unwrap(), &arguments.play)
    };
    run("1").unwrap();
    let error = format!("{:#}", run("2").unwrap_err());
    assert!(error.contains("holds another match"), "{error}");
}
