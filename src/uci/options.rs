//! All options, and the effect of each.

use super::config::{Config, DEFAULT_HASH, Level, MAX_HASH, MAX_THREADS, Message};
use super::option::{OptionError, OptionType, UciOption, normalised_name};
use crate::commands::hash_file;
use crate::eval::default_network;
use crate::search::{
    DEFAULT_ELO, MAX_ELO, MIN_ELO, NumaPolicyError, Pool, SearchOptions, SyzygyOptions, TECHNIQUES,
    TOP_SKILL_LEVEL, Technique,
};
use crate::tablebase::{Tables, unquoted};
#[cfg(feature = "tune")]
use crate::tunable::Tunable;
use chess::CastlingNotation;
use nnue::Network;
use platform::machine::{ThisMachine, memory_limit_mebibytes};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The value of an empty string option, as GUIs show it.
const EMPTY: &str = "<empty>";

/// The greatest number of unusable tablebase files and folders that are named.
const MAX_PROBLEMS_NAMED: usize = 5;

/// The option of several words that OpenBench and the command line of fastchess set. They take only listed names without
/// blanks.
const LISTED_TWICE: &str = "Move Overhead";

/// Options that GUIs set unasked, by the protocol's text, and that change nothing here.
const WITHOUT_EFFECT: [&str; 3] = ["UCI_Opponent", "UCI_AnalyseMode", "UCI_EngineAbout"];

/// The value of `EvalFile` for the embedded network.
const BUILT_IN: &str = "<built-in>";

/// The table of all options.
pub struct Options(Vec<UciOption>);

impl Options {
    /// The table of all options.
    pub fn new() -> Options {
        let mut table = vec![
            spin("Hash", DEFAULT_HASH, 1, MAX_HASH, set_hash),
            spin("Threads", 1, 1, MAX_THREADS, |config, threads| {
                config.pool.set_threads(threads as usize).map_err(|error| error.to_string())
            }),
            UciOption {
                name: "NumaPolicy",
                option_type: OptionType::String { default: "auto", set: set_numa_policy },
            },
            UciOption {
                name: "Clear Hash",
                option_type: OptionType::Button { press: |config| config.pool.clear() },
            },
            spin("MultiPV", 1, 1, 256, |config, lines| {
                config.search_options.multi_pv = lines as usize;
                Ok(())
            }),
            // It only tells GUIs that the engine can ponder; `go ponder` works in any case.
            UciOption { name: "Ponder", option_type: OptionType::Check { default: false, set: |_, _| {} } },
            spin("Move Overhead", default_overhead(), 0, 5000, |config, milliseconds| {
                config.search_options.move_overhead = Duration::from_millis(milliseconds as u64);
                Ok(())
            }),
            UciOption {
                name: "UCI_Chess960",
                option_type: OptionType::Check { default: false, set: set_chess960 },
            },
            UciOption {
                name: "UCI_ShowWDL",
                option_type: OptionType::Check { default: false, set: |config, on| config.show_wdl = on },
            },
            UciOption {
                name: "EvalFile",
                option_type: OptionType::String { default: BUILT_IN, set: load_network },
            },
            UciOption {
                name: "Debug Log File",
                option_type: OptionType::String { default: EMPTY, set: open_log },
            },
        ];
        table.extend(play());
        table.extend(tablebases());
        table.extend(experiments());
        table.extend(hash_files());
        Options(table)
    }

    /// The lines of the options in the answer to `uci`. `MoveOverhead` is listed as one word, too.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let twice = self.0.iter().filter(|option| option.name == LISTED_TWICE);
        let aliases = twice.filter_map(|option| option.alias().map(|alias| option.line(&alias)));
        self.0.iter().map(|option| option.line(option.name)).chain(aliases)
    }

    /// Sets the option `name` to `value`, the text after the word `value` if it was there.
    ///
    /// # Errors
    /// If there is no such option, it does not take the value, or setting it fails. Then nothing has changed.
    pub fn set(&self, config: &mut Config, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        if WITHOUT_EFFECT.iter().any(|known| normalised_name(known).eq(normalised_name(name))) {
            return Ok(());
        }
        let option = self.find(name).ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        if let OptionType::Button { press } = option.option_type {
            press(config);
            return Ok(());
        }
        let value = value.ok_or(OptionError::Missing(option.name))?;
        // A GUI that sends the defaults of all options must not undo by the one name what the user has set by the other.
        let by_alias = option.alias().is_some_and(|alias| alias.eq_ignore_ascii_case(name));
        if by_alias && config.set_by_name.contains(option.name) && option.is_default(value) {
            config.messages.push(Message::Info(format!("option {name}: stays as '{}' was set", option.name)));
            return Ok(());
        }
        option.set(config, value)?;
        match by_alias || option.is_default(value) {
            true => config.set_by_name.remove(option.name),
            false => config.set_by_name.insert(option.name),
        };
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&UciOption> {
        let same = |option: &&UciOption| normalised_name(option.name).eq(normalised_name(name));
        self.0.iter().find(same)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

fn spin(
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    set: impl Fn(&mut Config, i64) -> Result<(), String> + Send + 'static,
) -> UciOption {
    UciOption { name, option_type: OptionType::Spin { default, min, max, set: Box::new(set) } }
}

fn default_overhead() -> i64 {
    SearchOptions::default().move_overhead.as_millis() as i64
}

/// Sets the size of the table. A table beyond the limit of a container can be had, and ends the program once it fills.
fn set_hash(config: &mut Config, mebibytes: i64) -> Result<(), String> {
    config.pool.set_hash(mebibytes as usize).map_err(|error| error.to_string())?;
    if let Some(limit) = memory_limit_mebibytes(&ThisMachine).filter(|&limit| mebibytes as usize > limit) {
        let message = format!(
            "option Hash: {mebibytes} MB is more than the {limit} MB that this process may use; the system may end it"
        );
        config.messages.push(Message::Info(message));
    }
    Ok(())
}

/// Applies a NUMA policy and reports the resulting binding.
fn set_numa_policy(config: &mut Config, policy: &str) -> Result<(), String> {
    config
        .pool
        .set_numa_policy(policy.parse().map_err(|error: NumaPolicyError| error.to_string())?)
        .map_err(|error| error.to_string())?;
    let message = format!("NUMA nodes: {}", config.pool.describe_numa());
    config.messages.push(Message::Info(message));
    Ok(())
}

fn set_chess960(config: &mut Config, on: bool) {
    config.notation = if on { CastlingNotation::KingTakesRook } else { CastlingNotation::KingTarget };
}

/// Loads the network in a file. On failure the old network stays.
fn load_network(config: &mut Config, file: &str) -> Result<(), String> {
    let network = match unquoted(file) {
        "" | EMPTY | BUILT_IN => default_network(),
        file => Arc::new(Network::load(Path::new(file)).map_err(|error| format!("{file}: {error}"))?),
    };
    config.pool.set_network(network).map_err(|error| format!("{}: {error}", unquoted(file)))
}

/// Logs all input and output from now on to a file.
fn open_log(config: &mut Config, file: &str) -> Result<(), String> {
    let file = unquoted(file);
    if matches!(file, "" | EMPTY) {
        config.log.close();
        return Ok(());
    }
    config.log.open(Path::new(file)).map_err(|error| format!("{file}: {error}"))
}

/// The options of strength, of time that is counted in nodes, and of output.
fn play() -> [UciOption; 5] {
    [
        UciOption {
            name: "UCI_LimitStrength",
            option_type: OptionType::Check {
                default: false,
                set: |config, on| set_level(config, |level| level.limit_strength = on),
            },
        },
        spin("UCI_Elo", DEFAULT_ELO.into(), MIN_ELO.into(), MAX_ELO.into(), |config, elo| {
            set_level(config, |level| level.elo = elo as i32);
            Ok(())
        }),
        spin("Skill Level", TOP_SKILL_LEVEL.into(), 0, TOP_SKILL_LEVEL.into(), |config, skill_level| {
            set_level(config, |level| level.skill_level = skill_level as i32);
            Ok(())
        }),
        spin("nodestime", 0, 0, 10_000, |config, nodes| {
            config.search_options.nodes_per_ms = nodes as u64;
            Ok(())
        }),
        UciOption {
            name: "Minimal",
            option_type: OptionType::Check { default: false, set: |config, on| config.minimal = on },
        },
    ]
}

fn set_level(config: &mut Config, change: impl FnOnce(&mut Level)) {
    change(&mut config.level);
    config.search_options.strength = config.level.strength();
}

/// The options of Syzygy tablebases.
fn tablebases() -> [UciOption; 4] {
    let SyzygyOptions { depth, max_pieces, fifty_moves } = SyzygyOptions::default();
    let set_rule = |config: &mut Config, on: bool| {
        // Results in the transposition table hold for the other rule only.
        if std::mem::replace(&mut config.search_options.syzygy.fifty_moves, on) != on {
            config.pool.clear();
        }
    };
    [
        UciOption {
            name: "SyzygyPath",
            option_type: OptionType::String { default: EMPTY, set: open_tables },
        },
        spin("SyzygyProbeDepth", i64::from(depth), 1, 100, |config, depth| {
            config.search_options.syzygy.depth = depth as i32;
            Ok(())
        }),
        spin("SyzygyProbeLimit", i64::from(max_pieces), 0, 7, |config, pieces| {
            config.search_options.syzygy.max_pieces = pieces as u32;
            Ok(())
        }),
        UciOption {
            name: "Syzygy50MoveRule",
            option_type: OptionType::Check { default: fifty_moves, set: set_rule },
        },
    ]
}

/// Uses the tables in a list of folders and no others. Missing folders and damaged files are named and left out.
fn open_tables(config: &mut Config, list: &str) -> Result<(), String> {
    if matches!(list, "" | EMPTY) {
        config.pool.set_tables(None);
        return Ok(());
    }
    let (tables, problems) = Tables::open(list);
    let more = problems.len().saturating_sub(MAX_PROBLEMS_NAMED);
    let named = problems.into_iter().take(MAX_PROBLEMS_NAMED);
    config.messages.extend(named.map(|problem| Message::Error(format!("SyzygyPath: {problem}"))));
    if more > 0 {
        config.messages.push(Message::Error(format!("SyzygyPath: {more} more could not be used")));
    }
    let (outcomes, distances) = tables.count();
    config.messages.push(Message::Info(format!("found {outcomes} WDL and {distances} DTZ tables")));
    config.pool.set_tables((tables.max_pieces() > 0).then(|| Arc::new(tables)));
    Ok(())
}

/// The table in a file, for GUIs that send no commands of their own. GUIs that send all options in the order of the list do so when
/// everything that empties the table is set.
fn hash_files() -> [UciOption; 2] {
    let option = |name, set| UciOption { name, option_type: OptionType::String { default: EMPTY, set } };
    [
        option("Load Hash", |config, file| in_file(config, file, hash_file::load)),
        option("Save Hash", |config, file| in_file(config, file, hash_file::save)),
    ]
}

fn in_file(
    config: &mut Config,
    file: &str,
    act: fn(&mut Pool, &str) -> Result<String, String>,
) -> Result<(), String> {
    if matches!(unquoted(file), "" | EMPTY) {
        return Ok(());
    }
    let said = act(&mut config.pool, file)?;
    config.messages.push(Message::Info(said));
    Ok(())
}

/// The options of the features `lab` and `tune`.
fn experiments() -> Vec<UciOption> {
    let switch = |&Technique { name, values, default, set }: &Technique| UciOption {
        name,
        option_type: OptionType::Combo { default, values, set },
    };
    #[allow(unused_mut)]
    let mut options: Vec<UciOption> = TECHNIQUES.iter().map(switch).collect();
    #[cfg(feature = "tune")]
    options.extend(crate::tunable::all().into_iter().map(|tunable| {
        let limits = [tunable.default, tunable.min, tunable.max].map(i64::from);
        spin(tunable.name, limits[0], limits[1], limits[2], |_, value| {
            (tunable.set)(value as i32);
            Ok(())
        })
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

    #[test]
    fn names_are_different_and_defaults_possible() {
        let options = Options::new();
        let mut names: Vec<String> =
            options.0.iter().map(|option| normalised_name(option.name).collect()).collect();
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        for option in &options.0 {
            match &option.option_type {
                OptionType::Spin { default, min, max, .. } => {
                    assert!((min..=max).contains(&default), "{}", option.name)
                }
                OptionType::Combo { default, values, .. } => {
                    assert!(*default < values.len(), "{}", option.name)
                }
                OptionType::Check { .. } | OptionType::String { .. } | OptionType::Button { .. } => {}
            }
        }
    }

    /// Builds without the laboratory have no techniques to choose.
    #[test]
    fn techniques_are_options_of_the_laboratory() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        for &Technique { name, values, default, .. } in TECHNIQUES {
            let choices: String = values.iter().map(|value| format!(" var {value}")).collect();
            let line = format!("option name {name} type combo default {}{choices}", values[default]);
            assert!(options.lines().any(|listed| listed == line), "{line}");
            for value in values.iter().chain([&values[default]]) {
                options.set(&mut config, name, Some(value)).unwrap();
            }
            assert!(options.set(&mut config, name, Some("Sometimes")).is_err());
        }
        assert!(config.messages.is_empty());
    }

    #[cfg(feature = "tune")]
    #[test]
    fn tunables_are_options_and_a_list_for_openbench() {
        use crate::commands::bench::{self, BenchConfig, BenchLimit};
        use crate::uci::Command;
        use chess::Position;
        use std::sync::atomic::AtomicBool;

        let (options, mut config) = (Options::new(), Config::new().unwrap());
        assert_eq!(Command::parse("tunables"), Ok(Some(Command::Tunables)));
        assert!(tunables().next().is_some());
        for row in tunables() {
            let columns: Vec<&str> = row.split(", ").collect();
            let [name, "int", value, min, max, _, _] = columns[..] else { panic!("{row}") };
            let line = format!("option name {name} type spin default {value} min {min} max {max}");
            assert!(options.lines().any(|listed| listed == line), "{line}");
            options.set(&mut config, name, Some(min)).unwrap();
            options.set(&mut config, name, Some(max)).unwrap();
        }
        assert!(config.messages.is_empty());
        let shallow = BenchConfig { limit: BenchLimit::Depth(4), hash: 1, ..BenchConfig::default() };
        let searched = bench::run(&shallow, config.pool.network(), &AtomicBool::new(false), |result| {
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
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        for (name, value) in [("Move Overhead", 30), ("MoveOverhead", 40), ("move overhead", 50)] {
            options.set(&mut config, name, Some(&value.to_string())).unwrap();
            assert_eq!(config.search_options.move_overhead, Duration::from_millis(value));
        }
        options.set(&mut config, "uci_chess960", Some("TRUE")).unwrap();
        assert_eq!(config.notation, CastlingNotation::KingTakesRook);
        options.set(&mut config, "clear hash", None).unwrap();
    }

    #[test]
    fn options_without_effect_are_accepted_and_not_listed() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        for (name, value) in [("UCI_Opponent", "GM 2800 human Gary Kasparov"), ("uci_analysemode", "true")] {
            options.set(&mut config, name, Some(value)).unwrap();
            assert!(config.messages.is_empty());
            assert!(options.lines().all(|line| !line.to_lowercase().contains(&name.to_lowercase())));
        }
    }

    #[test]
    fn a_file_that_is_no_network_leaves_the_old_one() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        let before = Arc::clone(config.pool.network());
        for wrong in ["/nowhere/at/all.net", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
            let error = options.set(&mut config, "EvalFile", Some(wrong)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("option EvalFile: {wrong}: ")), "{error}");
            assert!(Arc::ptr_eq(config.pool.network(), &before));
        }
        let copy = std::env::temp_dir().join(format!("tamarack-{}.net", std::process::id()));
        std::fs::write(&copy, before.to_bytes()).unwrap();
        options.set(&mut config, "EvalFile", Some(&format!("\"{}\"", copy.display()))).unwrap();
        std::fs::remove_file(&copy).unwrap();
        assert!(!Arc::ptr_eq(config.pool.network(), &before) && **config.pool.network() == *before);
        options.set(&mut config, "EvalFile", Some("<empty>")).unwrap();
        assert!(Arc::ptr_eq(config.pool.network(), &before));
    }

    #[test]
    fn tablebases_are_found_or_problems_are_named() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
        let found = |text: &str| Message::Info(format!("found {text} tables"));
        for list in [folder.to_string(), format!(" \"{folder}\""), format!("{folder};{folder}")] {
            options.set(&mut config, "SyzygyPath", Some(&list)).unwrap();
            assert_eq!(std::mem::take(&mut config.messages), [found("4 WDL and 4 DTZ")], "{list}");
            assert_eq!(config.pool.tables().map(|tables| tables.max_pieces()), Some(4));
        }
        options.set(&mut config, "SyzygyPath", Some(&format!("/nowhere/at all;{folder}"))).unwrap();
        assert!(
            matches!(&config.messages[0], Message::Error(text) if text.starts_with("SyzygyPath: /nowhere/at all: "))
        );
        assert_eq!(config.messages[1..], [found("4 WDL and 4 DTZ")]);
        for nothing in ["", "<empty>", "/nowhere", "\0", "::;;\"\""] {
            options.set(&mut config, "SyzygyPath", Some(nothing)).unwrap();
            assert!(config.pool.tables().is_none());
        }
        for (name, wrong) in
            [("SyzygyProbeDepth", "x"), ("SyzygyProbeLimit", "1.5"), ("Syzygy50MoveRule", "no")]
        {
            assert!(options.set(&mut config, name, Some(wrong)).is_err());
        }
        options.set(&mut config, "syzygyprobelimit", Some("5")).unwrap();
        options.set(&mut config, "SyzygyProbeDepth", Some("9")).unwrap();
        options.set(&mut config, "Syzygy50MoveRule", Some("false")).unwrap();
        let SyzygyOptions { depth, max_pieces, fifty_moves } = config.search_options.syzygy;
        assert_eq!((depth, max_pieces, fifty_moves), (9, 5, false));
    }

    #[test]
    fn values_take_effect_or_are_refused() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        options.set(&mut config, "Threads", Some("3")).unwrap();
        options.set(&mut config, "Hash", Some("2")).unwrap();
        options.set(&mut config, "MultiPV", Some("7")).unwrap();
        let error =
            |config: &mut Config, name, value| options.set(config, name, value).unwrap_err().to_string();
        assert_eq!(error(&mut config, "Hash", None), "option Hash needs a value");
        assert_eq!(
            error(&mut config, "hash", Some("")),
            "option Hash: '' is not a whole number from 1 to 33554432"
        );
        assert_eq!(error(&mut config, "Ponder", Some("1")), "option Ponder: '1' is not true or false");
        assert_eq!(error(&mut config, "Hush", Some("1")), "there is no option 'Hush'");
        assert_eq!(
            (config.pool.threads(), config.pool.tt().mebibytes(), config.search_options.multi_pv),
            (3, 2, 7)
        );
    }

    #[test]
    fn numbers_out_of_range_are_clamped_with_a_word_about_it() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        for (value, set) in
            [("0", 1), ("257", 256), ("-9999999999999999999999", 1), ("9999999999999999999999", 256)]
        {
            options.set(&mut config, "MultiPV", Some(value)).unwrap();
            assert_eq!(config.search_options.multi_pv, set);
            let text = format!("option MultiPV: {value} is not from 1 to 256, set to {set}");
            assert_eq!(std::mem::take(&mut config.messages), [Message::Error(text)]);
        }
        options.set(&mut config, "MultiPV", Some("256")).unwrap();
        assert!(config.messages.is_empty());
    }

    #[test]
    fn of_the_options_of_several_words_the_overhead_alone_is_listed_as_one_word_too() {
        let (options, mut config) = (Options::new(), Config::new().unwrap());
        let lines: Vec<String> = options.lines().collect();
        let overhead = "option name MoveOverhead type spin default 20 min 0 max 5000".to_string();
        assert!(lines.contains(&overhead) && lines.len() == options.0.len() + 1, "{lines:#?}");
        for name in ["ClearHash", "DebugLogFile", "SkillLevel"] {
            options.set(&mut config, name, Some("20").filter(|_| name == "SkillLevel").or(Some(""))).unwrap();
        }
        let mut overhead = |name, value| {
            options.set(&mut config, name, Some(value)).unwrap();
            config.search_options.move_overhead.as_millis()
        };
        assert_eq!(overhead("MoveOverhead", "70"), 70);
        assert_eq!(overhead("MoveOverhead", "20"), 20);
        assert_eq!(overhead("Move Overhead", "80"), 80);
        assert_eq!(overhead("MoveOverhead", "20"), 80, "a default sent beside the value of the user");
        assert_eq!(overhead("MoveOverhead", "30"), 30);
        assert_eq!(overhead("MoveOverhead", "20"), 20, "nothing else is set any more");
        assert_eq!(overhead("Move Overhead", "20"), 20);
        assert_eq!(overhead("MoveOverhead", "90"), 90);
        assert_eq!(overhead("MoveOverhead", "20"), 20, "the default by the name was not the user's");
        let kept = Message::Info("option MoveOverhead: stays as 'Move Overhead' was set".to_string());
        assert_eq!(config.messages, [kept]);
    }
}
