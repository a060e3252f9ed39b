//! Helpers of the tests: the command line as a user writes it, a folder to write in, counts from pairs.
#![allow(dead_code, missing_docs)]

use arena::matches::arguments::MatchArguments;
use arena::matches::pentanomial::Pentanomial;
use clap::Parser;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

#[derive(Parser)]
pub struct CommandLine {
    #[command(flatten)]
    pub arguments: MatchArguments,
}

pub const TOOLS: &str = env!("CARGO_BIN_EXE_tools");

/// An engine setting for `--engine`: the built-in one with this defect.
pub fn engine(name: &str, defect: &str) -> String {
    format!("name={name},cmd={TOOLS},args=bad-engine {defect}")
}

pub fn parse(words: &[&str]) -> MatchArguments {
    CommandLine::parse_from(std::iter::once(&"match").chain(words)).arguments
}

/// Waits until a condition holds, at most twenty seconds. The program must not end before.
pub fn wait_until(child: &mut Child, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() && start.elapsed() < Duration::from_secs(20) {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// An empty folder of this name.
pub fn folder(name: &str) -> PathBuf {
    testkit::folders::empty_folder(env!("CARGO_TARGET_TMPDIR"), name)
}

/// The pentanomial of complete pairs; one with 2 half points is taken for two draws.
pub fn from_pairs(pairs: [u64; 5]) -> Pentanomial {
    let [lost, half_lost, even, half_won, won] = pairs;
    Pentanomial { games: [2 * lost + half_lost, half_lost + 2 * even + half_won, half_won + 2 * won], pairs }
}
