//! All options, and the effect of each: what a value is set to, what it clears and what is said.
//!
//! A file uses only files further left: settings, option, mod.

mod option;
mod settings;

pub use option::{Message, OptionError, UciOption};
pub use settings::{DEFAULT_HASH, MAX_HASH, MAX_THREADS, UciSettings};

use crate::commands::hash_file;
use crate::eval::default_network;
use crate::search::{
    DEFAULT_ELO, MAX_ELO, MIN_ELO, NumaPolicyError, Pool, SearchOptions, SyzygyOptions, TECHNIQUES,
    TOP_SKILL_LEVEL, Technique,
};
use crate::tablebase::Tables;
#[cfg(feature = "tune")]
use crate::tunable::Tunable;
use nnue::Network;
use option::{SetResult, button, check, combo, spin, string};
use platform::files::unquoted;
use platform::machine::{ThisMachine, memory_limit_mebibytes};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The value of an empty string option, as GUIs show it.
const EMPTY: &str = "<empty>";

/// The value of `EvalFile` for the embedded network.
const BUILT_IN: &str = "<built-in>";

/// The option of earlier builds that does what `savehash` does.
pub const SAVE_HASH: &str = "Save Hash";

/// The greatest number of unusable tablebase files and folders that are named.
const MAX_PROBLEMS_NAMED: usize = 5;

/// The value of `UCI_EngineAbout`, which GUIs show.
const ABOUT: &str =
    concat!("Tamarack ", env!("CARGO_PKG_VERSION"), " by the Tamarack authors, free software (GPL)");

/// The table of all options.
pub struct Options(Vec<UciOption>);

impl Options {
    /// The table of all options.
    pub fn new() -> Options {
        let groups = [engine(), play(), tablebases(), experiments(), without_effect(), hash_files()];
        Options(groups.into_iter().flatten().collect())
    }

    /// The lines of the options in the answer to `uci`.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|option| option.is_listed).map(UciOption::line)
    }

    /// Sets the option `name` to `value`, the text after the word `value` if it was there; returns what there is to say about it.
    ///
    /// # Errors
    /// If there is no such option, it does not take the value, or setting it fails. Then nothing has changed.
    pub fn set(
        &self,
        pool: &mut Pool,
        settings: &mut UciSettings,
        name: &str,
        value: Option<&str>,
    ) -> Result<Vec<Message>, OptionError> {
        let option = self
            .0
            .iter()
            .find(|option| is_same_name(option.name, name))
            .ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        option.set(pool, settings, value)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

/// True if two names are the same but for case and blanks: OpenBench writes `MoveOverhead`.
pub fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| {
        name.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    letters(one) == letters(other)
}

/// The options of the engine's memory, threads, network and log.
fn engine() -> Vec<UciOption> {
    vec![
        spin("Hash", DEFAULT_HASH, 1..=MAX_HASH, |pool, _, mebibytes| set_hash(pool, mebibytes as usize)),
        spin("Threads", 1, 1..=MAX_THREADS, |pool, _, threads| pool.set_threads(threads as usize)),
        string("NumaPolicy", "auto", |pool, _, policy| set_numa_policy(pool, policy)),
        button("Clear Hash", Pool::clear),
        string("EvalFile", BUILT_IN, |pool, _, file| load_network(pool, file)),
        string("Debug Log File", EMPTY, |_, settings, file| open_log(settings, file)),
    ]
}

/// Sets the size of the table. A table beyond the limit of a container can be had, and ends the program once it fills.
fn set_hash(pool: &mut Pool, mebibytes: usize) -> SetResult {
    pool.set_hash(mebibytes).map_err(|error| error.to_string())?;
    let limit = memory_limit_mebibytes(&ThisMachine).filter(|&limit| mebibytes > limit);
    let warning = limit.map(|limit| {
        Message::Info(format!(
            "option Hash: {mebibytes} MB is more than the {limit} MB that this process may use; the system may end it"
        ))
    });
    Ok(warning.into_iter().collect())
}

/// Applies a NUMA policy and reports the resulting binding.
fn set_numa_policy(pool: &mut Pool, policy: &str) -> SetResult {
    let policy = policy.parse().map_err(|error: NumaPolicyError| error.to_string())?;
    pool.set_numa_policy(policy).map_err(|error| error.to_string())?;
    Ok(vec![Message::Info(format!("NUMA nodes: {}", pool.describe_numa()))])
}

/// Loads the network in a file. On failure the old network stays.
fn load_network(pool: &mut Pool, file: &str) -> Result<(), String> {
    let file = unquoted(file);
    let network = match file {
        "" | EMPTY | BUILT_IN => default_network(),
        file => Arc::new(Network::load(Path::new(file)).map_err(|error| format!("{file}: {error}"))?),
    };
    pool.set_network(network).map_err(|error| format!("{file}: {error}"))
}

/// Logs all input and output from now on to a file.
fn open_log(settings: &mut UciSettings, file: &str) -> Result<(), String> {
    match unquoted(file) {
        "" | EMPTY => {
            settings.log.close();
            Ok(())
        }
        file => settings.log.open(Path::new(file)).map_err(|error: io::Error| format!("{file}: {error}")),
    }
}

/// The options of play: moves, time, strength, output.
fn play() -> Vec<UciOption> {
    let overhead = SearchOptions::default().move_overhead.as_millis() as i64;
    vec![
        spin("MultiPV", 1, 1..=256, |_, settings, lines| settings.search.multi_pv = lines as usize),
        // It only tells GUIs that the engine can ponder; `go ponder` works in any case.
        check("Ponder", false, |_, _, _| ()),
        spin("Move Overhead", overhead, 0..=5000, |_, settings, milliseconds| {
            settings.search.move_overhead = Duration::from_millis(milliseconds as u64);
        }),
        check("UCI_Chess960", false, |_, settings, on| settings.chess960 = on),
        check("UCI_ShowWDL", false, |_, settings, on| settings.show_wdl = on),
        check("UCI_LimitStrength", false, |_, settings, on| settings.level.limit_strength = on),
        spin("UCI_Elo", DEFAULT_ELO.into(), MIN_ELO.into()..=MAX_ELO.into(), |_, settings, elo| {
            settings.level.elo = elo as i32;
        }),
        spin("Skill Level", TOP_SKILL_LEVEL.into(), 0..=TOP_SKILL_LEVEL.into(), |_, settings, level| {
            settings.level.skill_level = level as i32;
        }),
        // For tests and measurements: the same game again, and no waits on the clock.
        spin("Level Seed", 0, 0..=i64::MAX, |_, settings, seed| {
            settings.level.seed = (seed > 0).then_some(seed as u64);
        })
        .unlisted(),
        spin("nodestime", 0, 0..=10_000, |_, settings, nodes| settings.search.nodes_per_ms = nodes as u64),
        check("Minimal", false, |_, settings, on| settings.minimal = on),
    ]
}

/// The options of Syzygy tablebases.
fn tablebases() -> Vec<UciOption> {
    let SyzygyOptions { depth, max_pieces, fifty_moves } = SyzygyOptions::default();
    vec![
        string("SyzygyPath", EMPTY, |pool, _, list| open_tables(pool, list)),
        spin("SyzygyProbeDepth", depth.into(), 1..=100, |_, settings, depth| {
            settings.search.syzygy.depth = depth as i32;
        }),
        spin("SyzygyProbeLimit", max_pieces.into(), 0..=7, |_, settings, pieces| {
            settings.search.syzygy.max_pieces = pieces as u32;
        }),
        check("Syzygy50MoveRule", fifty_moves, |pool, settings, on| {
            // Results in the transposition table hold for the other rule only.
            if std::mem::replace(&mut settings.search.syzygy.fifty_moves, on) != on {
                pool.clear();
            }
        }),
    ]
}

/// Uses the tables in a list of folders and no others. Missing folders and damaged files are named and left out.
fn open_tables(pool: &mut Pool, list: &str) -> SetResult {
    if matches!(unquoted(list), "" | EMPTY) {
        pool.set_tables(None);
        return Ok(Vec::new());
    }
    let (tables, problems) = Tables::open(list);
    let more = problems.len().saturating_sub(MAX_PROBLEMS_NAMED);
    let more = (more > 0).then(|| format!("{more} more could not be used"));
    let problems = problems.into_iter().take(MAX_PROBLEMS_NAMED).chain(more);
    let (outcomes, distances) = tables.count();
    let found = Message::Info(format!("found {outcomes} WDL and {distances} DTZ tables"));
    pool.set_tables((tables.max_pieces() > 0).then(|| Arc::new(tables)));
    let problems = problems.map(|problem| Message::Error(format!("SyzygyPath: {problem}")));
    Ok(problems.chain([found]).collect())
}

/// Options that GUIs set unasked, by the protocol's text, if they are listed. They change nothing here.
fn without_effect() -> Vec<UciOption> {
    vec![
        string("UCI_Opponent", EMPTY, |_, _, _| ()),
        check("UCI_AnalyseMode", false, |_, _, _| ()),
        string("UCI_EngineAbout", ABOUT, |_, _, _| ()),
    ]
}

/// The options that earlier builds listed for what `loadhash` and `savehash` do: GUIs keep them, and send them with all others.
fn hash_files() -> Vec<UciOption> {
    vec![
        string("Load Hash", EMPTY, load_hash).unlisted(),
        string(SAVE_HASH, EMPTY, |pool, _, file| match unquoted(file) {
            "" | EMPTY => Ok(Vec::new()),
            _ => hash_file::save(pool, file).map(|done| vec![Message::Info(done)]),
        })
        .unlisted(),
    ]
}

/// Loads a table, unless the one in use began with the same file: what has been searched since would be lost.
fn load_hash(pool: &mut Pool, settings: &mut UciSettings, file: &str) -> SetResult {
    let is_there = pool.tt().is_restored() && settings.loaded_hash == file;
    if is_there || matches!(unquoted(file), "" | EMPTY) {
        return Ok(Vec::new());
    }
    let done = hash_file::load(pool, file)?;
    settings.loaded_hash = file.to_string();
    Ok(vec![Message::Info(done)])
}

/// The options of the features `lab` and `tune`.
fn experiments() -> Vec<UciOption> {
    let switch = |&Technique { name, values, default, set }: &Technique| combo(name, default, values, set);
    #[allow(unused_mut)]
    let mut options: Vec<UciOption> = TECHNIQUES.iter().map(switch).collect();
    #[cfg(feature = "tune")]
    options.extend(crate::tunable::all().into_iter().map(|tunable| {
        let [default, min, max] = [tunable.default, tunable.min, tunable.max].map(i64::from);
        spin(tunable.name, default, min..=max, move |_, _, value| (tunable.set)(value as i32))
    }));
    options
}

/// The tunables as OpenBench takes them for SPSA, a line each: name, type, value, minimum, maximum, final step, final
/// learning rate.
#[cfg(feature = "tune")]
pub fn tunables() -> impl Iterator<Item = String> {
    crate::tunable::all().into_iter().map(|tunable| {
        let Tunable { name, default, min, max, step, .. } = tunable;
        format!("{name}, int, {default}, {min}, {max}, {step}, 0.002")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue::network::{Shape, sample};

    /// All options, and what they act on.
    struct Fixture {
        options: Options,
        pool: Pool,
        settings: UciSettings,
    }

    impl Fixture {
        fn new() -> Fixture {
            let pool = Pool::new(DEFAULT_HASH as usize).unwrap();
            Fixture { options: Options::new(), pool, settings: UciSettings::default() }
        }

        fn try_set(&mut self, name: &str, value: Option<&str>) -> Result<Vec<Message>, OptionError> {
            self.options.set(&mut self.pool, &mut self.settings, name, value)
        }

        /// Sets an option; what is said.
        fn say(&mut self, name: &str, value: &str) -> Vec<Message> {
            self.try_set(name, Some(value)).unwrap()
        }

        /// Sets an option about which nothing is said.
        fn set(&mut self, name: &str, value: &str) {
            assert_eq!(self.say(name, value), [], "{name} {value}");
        }

        fn error(&mut self, name: &str, value: Option<&str>) -> String {
            self.try_set(name, value).unwrap_err().to_string()
        }
    }

    #[test]
    fn every_default_that_is_listed_can_be_set_and_names_are_different() {
        let mut fixture = Fixture::new();
        let options = &fixture.options.0;
        for option in options {
            let named = options.iter().filter(|other| is_same_name(other.name, option.name));
            assert_eq!(named.count(), 1, "{}", option.name);
        }
        let lines: Vec<String> = fixture.options.lines().collect();
        for line in &lines {
            let (name, description) =
                line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
            let default = description.split_once(" default ").map(|(_, values)| values);
            let is_string = description.starts_with("string");
            let default =
                default.and_then(|text| if is_string { Some(text) } else { text.split(' ').next() });
            let said = fixture.try_set(name, default).unwrap();
            assert!(said.is_empty() || name == "NumaPolicy", "{line}: {said:?}");
        }
    }

    /// Builds without the laboratory have no techniques to choose.
    #[test]
    fn techniques_are_options_of_the_laboratory() {
        let mut fixture = Fixture::new();
        for &Technique { name, values, default, .. } in TECHNIQUES {
            let choices: String = values.iter().map(|value| format!(" var {value}")).collect();
            let line = format!("option name {name} type combo default {}{choices}", values[default]);
            assert!(fixture.options.lines().any(|listed| listed == line), "{line}");
            for value in values.iter().chain([&values[default]]) {
                fixture.set(name, value);
            }
            fixture.error(name, Some("Sometimes"));
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn tunables_are_options_and_a_list_for_openbench() {
        use crate::commands::bench::{self, BenchConfig, BenchLimit};
        use crate::uci::Command;
        use chess::Position;
        use std::sync::atomic::AtomicBool;

        let mut fixture = Fixture::new();
        assert_eq!(Command::parse("tunables"), Ok(Some(Command::Tunables)));
        assert!(tunables().next().is_some());
        for row in tunables() {
            let columns: Vec<&str> = row.split(", ").collect();
            let [name, "int", value, min, max, _, _] = columns[..] else { panic!("{row}") };
            let line = format!("option name {name} type spin default {value} min {min} max {max}");
            assert!(fixture.options.lines().any(|listed| listed == line), "{line}");
            fixture.set(name, min);
            fixture.set(name, max);
        }
        let shallow = BenchConfig { limit: BenchLimit::Depth(4), hash: 1, ..BenchConfig::default() };
        let searched = bench::run(&shallow, fixture.pool.network(), &AtomicBool::new(false), |result| {
            let moves = result.fen.parse::<Position>().unwrap().legal_moves();
            assert_eq!(result.best.is_some(), !moves.is_empty(), "{}", result.fen);
        });
        assert!(searched.unwrap().is_some());
        for tunable in crate::tunable::all() {
            (tunable.set)(tunable.default);
        }
    }

    #[test]
    fn case_and_blanks_of_names_are_ignored() {
        let mut fixture = Fixture::new();
        for (name, value) in [("Move Overhead", 30), ("MoveOverhead", 40), ("move overhead", 50)] {
            fixture.set(name, &value.to_string());
            assert_eq!(fixture.settings.search.move_overhead, Duration::from_millis(value));
        }
        fixture.set("uci_chess960", "TRUE");
        assert!(fixture.settings.chess960);
        fixture.try_set("clear hash", None).unwrap();
    }

    /// Programs set only what is listed.
    #[test]
    fn options_that_programs_set_unasked_are_listed_and_change_nothing() {
        let mut fixture = Fixture::new();
        for (name, value) in [("UCI_Opponent", "GM 2800 human Gary Kasparov"), ("UCI_AnalyseMode", "true")] {
            fixture.set(name, value);
            let line = format!("option name {name} type ");
            assert!(fixture.options.lines().any(|listed| listed.starts_with(&line)), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_no_network_leaves_the_old_one() {
        let mut fixture = Fixture::new();
        let before = Arc::clone(fixture.pool.network());
        for wrong in ["/nowhere/at/all.net", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
            let error = fixture.error("EvalFile", Some(wrong));
            assert!(error.starts_with(&format!("option EvalFile: {wrong}: ")), "{error}");
            assert!(Arc::ptr_eq(fixture.pool.network(), &before));
        }
        let file = std::env::temp_dir().join(format!("tamarack-{}.net", std::process::id()));
        let other = sample(Shape { hidden: 32, buckets: 1 }, 3);
        std::fs::write(&file, other.to_bytes()).unwrap();
        fixture.set("EvalFile", &format!("\"{}\"", file.display()));
        std::fs::remove_file(&file).unwrap();
        assert!(**fixture.pool.network() == other);
        fixture.set("EvalFile", "<empty>");
        assert!(Arc::ptr_eq(fixture.pool.network(), &before));
    }

    #[test]
    fn tablebases_are_found_or_problems_are_named() {
        let mut fixture = Fixture::new();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
        let found = |text: &str| Message::Info(format!("found {text} tables"));
        for list in [folder.to_string(), format!(" \"{folder}\""), format!("{folder};{folder}")] {
            assert_eq!(fixture.say("SyzygyPath", &list), [found("4 WDL and 4 DTZ")], "{list}");
            assert_eq!(fixture.pool.tables().map(|tables| tables.max_pieces()), Some(4));
        }
        let said = fixture.say("SyzygyPath", &format!("/nowhere/at all;{folder}"));
        assert!(
            matches!(&said[0], Message::Error(text) if text.starts_with("SyzygyPath: /nowhere/at all: "))
        );
        assert_eq!(said[1..], [found("4 WDL and 4 DTZ")]);
        for nothing in ["", "<empty>", "/nowhere", "\0", "::;;\"\""] {
            fixture.say("SyzygyPath", nothing);
            assert!(fixture.pool.tables().is_none());
        }
        for (name, wrong) in
            [("SyzygyProbeDepth", "x"), ("SyzygyProbeLimit", "1.5"), ("Syzygy50MoveRule", "no")]
        {
            fixture.error(name, Some(wrong));
        }
        fixture.set("syzygyprobelimit", "5");
        fixture.set("SyzygyProbeDepth", "9");
        fixture.set("Syzygy50MoveRule", "false");
        let SyzygyOptions { depth, max_pieces, fifty_moves } = fixture.settings.search.syzygy;
        assert_eq!((depth, max_pieces, fifty_moves), (9, 5, false));
    }

    #[test]
    fn values_take_effect_or_are_refused() {
        let mut fixture = Fixture::new();
        fixture.set("Threads", "3");
        fixture.set("Hash", "2");
        fixture.set("MultiPV", "7");
        for (name, value, error) in [
            ("Hash", None, "option Hash needs a value"),
            ("hash", Some(""), "option Hash: '' is not a whole number from 1 to 33554432"),
            ("Ponder", Some("1"), "option Ponder: '1' is not true or false"),
            ("Hush", Some("1"), "there is no option 'Hush'"),
        ] {
            assert_eq!(fixture.error(name, value), error);
        }
        assert_eq!(
            (fixture.pool.threads(), fixture.pool.tt().mebibytes(), fixture.settings.search.multi_pv),
            (3, 2, 7)
        );
    }

    #[test]
    fn numbers_out_of_range_are_clamped_with_a_word_about_it() {
        let mut fixture = Fixture::new();
        for (value, set) in
            [("0", 1), ("257", 256), ("-9999999999999999999999", 1), ("9999999999999999999999", 256)]
        {
            let text = format!("option MultiPV: {value} is not from 1 to 256, set to {set}");
            assert_eq!(fixture.say("MultiPV", value), [Message::Error(text)]);
            assert_eq!(fixture.settings.search.multi_pv, set);
        }
        fixture.set("MultiPV", "256");
    }

    #[test]
    fn one_name_of_an_option_is_listed_and_the_others_are_understood() {
        let mut fixture = Fixture::new();
        let listed: Vec<String> =
            fixture.options.lines().map(|line| line.replace(' ', "").to_lowercase()).collect();
        let named = |name: &str| {
            listed.iter().filter(|line| line.starts_with(&format!("optionname{name}type"))).count()
        };
        assert_eq!(["moveoverhead", "debuglogfile", "loadhash", "savehash"].map(named), [1, 1, 0, 0]);
        for (name, value) in
            [("MoveOverhead", "70"), ("Load Hash", "<empty>"), ("SaveHash", ""), ("DebugLogFile", "")]
        {
            fixture.set(name, value);
        }
        assert_eq!(fixture.settings.search.move_overhead, Duration::from_millis(70));
    }
}
