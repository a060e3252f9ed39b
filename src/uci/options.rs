//! The option table: everything `setoption` can set, once.

use crate::chess::CastlingNotation;
use crate::eval::{Network, default_network};
use crate::search::{self, Pool, SearchOptions, SyzygyOptions};
use crate::tablebase::Tables;
#[cfg(feature = "tune")]
use crate::tunable::Tunable;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The largest transposition table in MiB: 32 TiB.
pub const MAX_HASH: i64 = 33_554_432;

/// The default transposition table in MiB.
pub const DEFAULT_HASH: i64 = 16;

/// The most threads.
pub const MAX_THREADS: i64 = search::MAX_THREADS as i64;

/// How GUIs show an option that has no text.
const EMPTY: &str = "<empty>";

/// The most files and folders without usable tablebases that are named.
const PROBLEMS_NAMED: usize = 5;

/// How the option `EvalFile` calls the network that is part of the program.
pub const BUILT_IN: &str = "<built-in>";

/// What options act on.
pub struct Configuration {
    /// The threads and the transposition table.
    pub pool: Pool,
    /// What each search is told.
    pub settings: SearchOptions,
    /// How castling is spelt.
    pub notation: CastlingNotation,
    /// Whether the chances to win, draw and lose are shown beside the score.
    pub show_chances: bool,
    /// What the user is to be told of the option that has been set last.
    pub notes: Vec<Note>,
}

/// What there is to say of an option that has been set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Something worth knowing.
    Plain(String),
    /// Something that may not be as the user wants it.
    Complaint(String),
}

/// One option.
pub struct UciOption {
    /// The name as it is shown; case and blanks do not matter when it is set.
    pub name: &'static str,
    /// The kind of value, its range, its default and its effect.
    pub kind: Kind,
}

/// Sets a number.
pub type SetNumber = Box<dyn Fn(&mut Configuration, i64) -> Result<(), String> + Send>;

/// What an option takes and does. The default is what holds before anything is set.
#[allow(missing_docs)]
pub enum Kind {
    /// A whole number.
    Spin { default: i64, min: i64, max: i64, set: SetNumber },
    /// Yes or no.
    Check { default: bool, set: fn(&mut Configuration, bool) },
    /// One of some words; the effect takes the word's index.
    Combo { default: usize, values: &'static [&'static str], set: fn(usize) },
    /// Any text.
    Text { default: &'static str, set: fn(&mut Configuration, &str) -> Result<(), String> },
    /// Nothing: it is pressed.
    Button { press: fn(&mut Configuration) },
}

/// Why an option is not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("option {0} needs a value")]
    Missing(&'static str),
    #[error("option {name}: '{value}' is not {expected}")]
    Value { name: &'static str, value: String, expected: String },
    #[error("option {name}: {reason}")]
    Failed { name: &'static str, reason: String },
}

/// All options.
pub struct Options(Vec<UciOption>);

impl Options {
    /// The table.
    pub fn new() -> Options {
        let mut table = vec![
            spin("Hash", DEFAULT_HASH, 1, MAX_HASH, |held, mebibytes| {
                held.pool.set_hash(mebibytes as usize).map_err(|error| error.to_string())
            }),
            spin("Threads", 1, 1, MAX_THREADS, |held, threads| {
                held.pool.set_threads(threads as usize).map_err(|error| error.to_string())
            }),
            UciOption { name: "Clear Hash", kind: Kind::Button { press: |held| held.pool.clear() } },
            spin("MultiPV", 1, 1, 256, |held, lines| {
                held.settings.multi_pv = lines as usize;
                Ok(())
            }),
            // Only tells the user that pondering works; `go ponder` works in any case.
            UciOption { name: "Ponder", kind: Kind::Check { default: false, set: |_, _| {} } },
            spin("Move Overhead", default_overhead(), 0, 5000, |held, milliseconds| {
                held.settings.move_overhead = Duration::from_millis(milliseconds as u64);
                Ok(())
            }),
            UciOption { name: "UCI_Chess960", kind: Kind::Check { default: false, set: set_chess960 } },
            UciOption {
                name: "UCI_ShowWDL",
                kind: Kind::Check { default: false, set: |held, on| held.show_chances = on },
            },
            UciOption { name: "EvalFile", kind: Kind::Text { default: BUILT_IN, set: load_network } },
        ];
        table.extend(tablebases());
        table.extend(experiments());
        Options(table)
    }

    /// The lines of the answer to `uci`.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(UciOption::line)
    }

    /// Sets the option `name` to what stands after `value`.
    ///
    /// # Errors
    /// If there is no such option, the value is not one that it takes, or it cannot be had. Nothing has changed then.
    pub fn set(&self, held: &mut Configuration, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let option = self.find(name).ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        if let Kind::Button { press } = option.kind {
            press(held);
            return Ok(());
        }
        let value = value.ok_or(OptionError::Missing(option.name))?;
        option.set(held, value)
    }

    fn find(&self, name: &str) -> Option<&UciOption> {
        let same = |option: &&UciOption| plain(option.name).eq(plain(name));
        self.0.iter().find(same)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

impl UciOption {
    fn line(&self) -> String {
        let name = self.name;
        match &self.kind {
            Kind::Spin { default, min, max, .. } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Check { default, .. } => format!("option name {name} type check default {default}"),
            Kind::Text { default, .. } => format!("option name {name} type string default {default}"),
            Kind::Button { .. } => format!("option name {name} type button"),
            Kind::Combo { default, values, .. } => {
                let list: String = values.iter().map(|value| format!(" var {value}")).collect();
                format!("option name {name} type combo default {}{list}", values[*default])
            }
        }
    }

    fn set(&self, held: &mut Configuration, value: &str) -> Result<(), OptionError> {
        match &self.kind {
            Kind::Spin { min, max, set, .. } => {
                let expected = || self.refuse(value, format!("a whole number from {min} to {max}"));
                let number =
                    value.parse().ok().filter(|number| (min..=max).contains(&number)).ok_or_else(expected)?;
                set(held, number).map_err(|reason| OptionError::Failed { name: self.name, reason })
            }
            Kind::Check { set, .. } => {
                let expected = |_| self.refuse(value, "true or false".to_string());
                set(held, value.to_ascii_lowercase().parse().map_err(expected)?);
                Ok(())
            }
            Kind::Combo { values, set, .. } => {
                let expected = || self.refuse(value, format!("one of {}", values.join(", ")));
                set(values
                    .iter()
                    .position(|known| known.eq_ignore_ascii_case(value))
                    .ok_or_else(expected)?);
                Ok(())
            }
            Kind::Text { set, .. } => {
                set(held, value).map_err(|reason| OptionError::Failed { name: self.name, reason })
            }
            Kind::Button { press } => {
                press(held);
                Ok(())
            }
        }
    }

    fn refuse(&self, value: &str, expected: String) -> OptionError {
        OptionError::Value { name: self.name, value: value.to_string(), expected }
    }
}

/// A name without what does not matter: OpenBench writes `MoveOverhead`.
fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase())
}

fn spin(
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    set: impl Fn(&mut Configuration, i64) -> Result<(), String> + Send + 'static,
) -> UciOption {
    UciOption { name, kind: Kind::Spin { default, min, max, set: Box::new(set) } }
}

fn default_overhead() -> i64 {
    SearchOptions::default().move_overhead.as_millis() as i64
}

fn set_chess960(held: &mut Configuration, on: bool) {
    held.notation = if on { CastlingNotation::KingTakesRook } else { CastlingNotation::KingTarget };
}

/// Evaluates with the network in a file. On failure the old one stays.
fn load_network(held: &mut Configuration, file: &str) -> Result<(), String> {
    let network = match file {
        "" | EMPTY | BUILT_IN => default_network(),
        file => Arc::new(Network::load(Path::new(file)).map_err(|error| format!("{file}: {error}"))?),
    };
    held.pool.set_network(network);
    Ok(())
}

/// What concerns Syzygy tablebases.
fn tablebases() -> [UciOption; 4] {
    let SyzygyOptions { depth, max_pieces: men, fifty_moves } = SyzygyOptions::default();
    let set_rule = |held: &mut Configuration, on: bool| {
        // What has been found under the other rule holds no longer.
        if std::mem::replace(&mut held.settings.syzygy.fifty_moves, on) != on {
            held.pool.clear();
        }
    };
    [
        UciOption { name: "SyzygyPath", kind: Kind::Text { default: EMPTY, set: open_tables } },
        spin("SyzygyProbeDepth", i64::from(depth), 1, 100, |held, depth| {
            held.settings.syzygy.depth = depth as i32;
            Ok(())
        }),
        spin("SyzygyProbeLimit", i64::from(men), 0, 7, |held, men| {
            held.settings.syzygy.max_pieces = men as u32;
            Ok(())
        }),
        UciOption { name: "Syzygy50MoveRule", kind: Kind::Check { default: fifty_moves, set: set_rule } },
    ]
}

/// Uses the tables of a list of folders and no others. What is missing or damaged is named and left out.
fn open_tables(held: &mut Configuration, list: &str) -> Result<(), String> {
    if matches!(list, "" | EMPTY) {
        held.pool.set_tables(None);
        return Ok(());
    }
    let (tables, problems) = Tables::open(list);
    let more = problems.len().saturating_sub(PROBLEMS_NAMED);
    let named = problems.into_iter().take(PROBLEMS_NAMED);
    held.notes.extend(named.map(|problem| Note::Complaint(format!("SyzygyPath: {problem}"))));
    if more > 0 {
        held.notes.push(Note::Complaint(format!("SyzygyPath: {more} more could not be used")));
    }
    let (outcomes, distances) = tables.count();
    held.notes.push(Note::Plain(format!("found {outcomes} WDL and {distances} DTZ tables")));
    held.pool.set_tables((tables.max_pieces() > 0).then(|| Arc::new(tables)));
    Ok(())
}

/// What the features `lab` and `tune` add.
fn experiments() -> Vec<UciOption> {
    #[allow(unused_mut)]
    let mut options = Vec::new();
    #[cfg(feature = "lab")]
    options.extend(search::lab::TECHNIQUES.iter().map(|technique| UciOption {
        name: technique.name,
        kind: Kind::Combo { default: technique.default, values: technique.values, set: technique.set },
    }));
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

/// The tunables, one a line, as OpenBench takes them for SPSA: name, type, value, least, greatest, step at the end,
/// learning rate at the end.
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

    fn configuration() -> Configuration {
        let pool = Pool::new(1).unwrap();
        Configuration {
            pool,
            settings: SearchOptions::default(),
            notation: CastlingNotation::KingTarget,
            show_chances: false,
            notes: Vec::new(),
        }
    }

    #[test]
    fn names_are_different_and_defaults_possible() {
        let options = Options::new();
        let mut names: Vec<String> = options.0.iter().map(|option| plain(option.name).collect()).collect();
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        for option in &options.0 {
            match &option.kind {
                Kind::Spin { default, min, max, .. } => {
                    assert!((min..=max).contains(&default), "{}", option.name)
                }
                Kind::Combo { default, values, .. } => assert!(*default < values.len(), "{}", option.name),
                Kind::Check { .. } | Kind::Text { .. } | Kind::Button { .. } => {}
            }
        }
    }

    #[test]
    fn case_and_blanks_of_names_do_not_matter() {
        let (options, mut held) = (Options::new(), configuration());
        for (name, value) in [("Move Overhead", 30), ("MoveOverhead", 40), ("move overhead", 50)] {
            options.set(&mut held, name, Some(&value.to_string())).unwrap();
            assert_eq!(held.settings.move_overhead, Duration::from_millis(value));
        }
        options.set(&mut held, "uci_chess960", Some("TRUE")).unwrap();
        assert_eq!(held.notation, CastlingNotation::KingTakesRook);
        options.set(&mut held, "clear hash", None).unwrap();
    }

    #[test]
    fn a_file_that_is_no_network_leaves_the_old_one() {
        let (options, mut held) = (Options::new(), configuration());
        let before = Arc::clone(held.pool.network());
        for wrong in ["/nowhere/at/all.net", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
            let error = options.set(&mut held, "EvalFile", Some(wrong)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("option EvalFile: {wrong}: ")), "{error}");
            assert!(Arc::ptr_eq(held.pool.network(), &before));
        }
        let copy = std::env::temp_dir().join(format!("tamarack-{}.net", std::process::id()));
        std::fs::write(&copy, before.to_bytes()).unwrap();
        options.set(&mut held, "EvalFile", copy.to_str()).unwrap();
        std::fs::remove_file(&copy).unwrap();
        assert!(!Arc::ptr_eq(held.pool.network(), &before) && **held.pool.network() == *before);
        options.set(&mut held, "EvalFile", Some("<empty>")).unwrap();
        assert!(Arc::ptr_eq(held.pool.network(), &before));
    }

    #[test]
    fn tablebases_are_found_or_what_is_wrong_is_said() {
        let (options, mut held) = (Options::new(), configuration());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/tests/syzygy");
        let found = |text: &str| Note::Plain(format!("found {text} tables"));
        for list in [folder.to_string(), format!(" \"{folder}\""), format!("{folder};{folder}")] {
            options.set(&mut held, "SyzygyPath", Some(&list)).unwrap();
            assert_eq!(std::mem::take(&mut held.notes), [found("4 WDL and 4 DTZ")], "{list}");
            assert_eq!(held.pool.tables().map(|tables| tables.max_pieces()), Some(4));
        }
        options.set(&mut held, "SyzygyPath", Some(&format!("/nowhere/at all;{folder}"))).unwrap();
        assert!(
            matches!(&held.notes[0], Note::Complaint(text) if text.starts_with("SyzygyPath: /nowhere/at all: "))
        );
        assert_eq!(held.notes[1..], [found("4 WDL and 4 DTZ")]);
        for nothing in ["", "<empty>", "/nowhere", "\0", "::;;\"\""] {
            options.set(&mut held, "SyzygyPath", Some(nothing)).unwrap();
            assert!(held.pool.tables().is_none());
        }
        for (name, wrong) in
            [("SyzygyProbeDepth", "0"), ("SyzygyProbeLimit", "8"), ("Syzygy50MoveRule", "no")]
        {
            assert!(options.set(&mut held, name, Some(wrong)).is_err());
        }
        options.set(&mut held, "syzygyprobelimit", Some("5")).unwrap();
        options.set(&mut held, "SyzygyProbeDepth", Some("9")).unwrap();
        options.set(&mut held, "Syzygy50MoveRule", Some("false")).unwrap();
        let SyzygyOptions { depth, max_pieces: men, fifty_moves } = held.settings.syzygy;
        assert_eq!((depth, men, fifty_moves), (9, 5, false));
    }

    #[test]
    fn values_take_effect_or_are_refused() {
        let (options, mut held) = (Options::new(), configuration());
        options.set(&mut held, "Threads", Some("3")).unwrap();
        options.set(&mut held, "Hash", Some("2")).unwrap();
        options.set(&mut held, "MultiPV", Some("7")).unwrap();
        let error =
            |held: &mut Configuration, name, value| options.set(held, name, value).unwrap_err().to_string();
        assert_eq!(error(&mut held, "Hash", None), "option Hash needs a value");
        assert_eq!(
            error(&mut held, "hash", Some("")),
            "option Hash: '' is not a whole number from 1 to 33554432"
        );
        assert_eq!(
            error(&mut held, "MultiPV", Some("257")),
            "option MultiPV: '257' is not a whole number from 1 to 256"
        );
        assert_eq!(error(&mut held, "Ponder", Some("1")), "option Ponder: '1' is not true or false");
        assert_eq!(error(&mut held, "Hush", Some("1")), "there is no option 'Hush'");
        assert_eq!((held.pool.threads(), held.pool.tt().mebibytes(), held.settings.multi_pv), (3, 2, 7));
    }
}
