//! The experiments of the literature: an engine with one technique changed against the standard engine.
//!
//! The engine must be built with the feature `lab`, which makes the techniques UCI options.

use super::arguments::PlayArguments;
use super::build;
use super::elo::EloDifference;
use super::play_match::{MatchSummary, play_match};
use crate::play::spec::EngineSpec;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The limits and the concurrency of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowConditions {
    /// Those of the command line, usually nodes.
    CommandLine,
    /// A clock and one game at a time, because it uses several threads.
    Clock,
}

/// One row of the table. Our figure is the Elo of `options` against `against`.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Name for `--only` and for the files.
    pub name: &'static str,
    /// The change, for people.
    pub change: &'static str,
    /// Options of the changed engine, `name=value,name=value`.
    pub options: &'static str,
    /// Options of its opponent; empty for the standard engine.
    pub against: &'static str,
    /// The figure or the remark of the literature.
    pub literature: &'static str,
    /// Limits and concurrency.
    pub conditions: RowConditions,
}

const fn row(
    name: &'static str,
    options: &'static str,
    change: &'static str,
    literature: &'static str,
) -> Experiment {
    Experiment { name, change, options, against: "", literature, conditions: RowConditions::CommandLine }
}

/// The table. The names of options and values are those of `src/search/lab/switches.rs`.
pub const EXPERIMENTS: &[Experiment] = &[
    row(
        "no-lmr",
        "reductions=Off",
        "no late-move reductions",
        "\"100 Elo or more\" for some programs (Romstad); 7:3 in ten games (iCE, 2010), so −147",
    ),
    row(
        "lmr-micromax",
        "reductions=MicroMax",
        "micro-Max's reductions",
        "all reduced moves re-searched when they beat alpha",
    ),
    row("lmr-romstad", "reductions=Romstad", "Romstad's reductions", "the classic outline"),
    row("lmr-fruit21", "reductions=Fruit21", "Fruit 2.1's history condition, with re-search", "was used"),
    row("lmr-fruit20", "reductions=Fruit20", "Fruit 2.0's, without re-search", "was used"),
    row(
        "lmr-ice",
        "reduce_below_pv=Off",
        "iCE's: no reduction in children of PV nodes",
        "without the restriction it searched deeper and played worse",
    ),
    row(
        "no-check-extension",
        "check_extension=Off",
        "no check extension",
        "extension worth 56.6 ± 16.8 (Prophet4, 5+0.25)",
    ),
    Experiment {
        against: "check_extension=Off",
        ..row(
            "check-all",
            "check_extension=All",
            "extension of every check, against none",
            "56.6 ± 16.8 (Prophet4, 5+0.25)",
        )
    },
    Experiment {
        against: "check_extension=Off",
        ..row(
            "check-captures",
            "check_extension=Captures",
            "extension of capturing checks only, against none",
            "2.8 ± 5.0 (Prophet4)",
        )
    },
    row(
        "promotion-extension",
        "promotion_extension=On",
        "promotion extension",
        "no measurable effect (Prophet4)",
    ),
    row("no-null-move", "null_move=Off", "no null move", ""),
    row("no-table-move-nothing", "no_table_move=Nothing", "nothing done without a table move", ""),
    row("no-table-move-iid", "no_table_move=Deepen", "internal iterative deepening instead of reduction", ""),
    row(
        "no-table-move-self",
        "no_table_move=SelfDeepen",
        "micro-Max's self-deepening instead of internal iterative reduction",
        "",
    ),
    Experiment {
        conditions: RowConditions::Clock,
        ..row("two-threads", "Threads=2", "two threads against one", "")
    },
];

/// Arguments of `ablate`.
#[derive(Args, Clone, Debug)]
pub struct AblateArguments {
    /// An engine built with the feature lab
    #[arg(long, value_name = "SETTINGS")]
    pub engine: Option<String>,
    /// Or the git revision to build with it (`work` is the working tree with its changes)
    #[arg(long, default_value = "HEAD", value_name = "REVISION")]
    pub revision: String,
    /// Only these rows
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub only: Vec<String>,
    /// Clock of the rows that must be played by the clock
    #[arg(long, default_value = "2+0.02")]
    pub clock: String,
    /// Folder for the results, which are continued if they are there, and for the table
    #[arg(long, default_value = "ablation")]
    pub folder: PathBuf,
    /// Show the rows and end
    #[arg(long)]
    pub list: bool,
    /// Everything else; --precision 15 --games 20000 ends each row when its error is small enough.
    #[command(flatten)]
    pub play: PlayArguments,
}

/// The job `ablate`.
pub fn run(arguments: &AblateArguments) -> Result<()> {
    if arguments.list {
        EXPERIMENTS.iter().for_each(|row| println!("{:24} {} | {}", row.name, row.options, row.change));
        return Ok(());
    }
    for name in &arguments.only {
        if !EXPERIMENTS.iter().any(|row| row.name == name) {
            bail!("no experiment {name:?}; see --list");
        }
    }
    let each = arguments.play.options.each()?;
    let (given, revision) = (arguments.engine.as_deref(), Some(arguments.revision.as_str()));
    let engine = build::given_or_built(given, revision, ("lab", "lab"), &each)?;
    fs::create_dir_all(&arguments.folder).with_context(|| arguments.folder.display().to_string())?;
    let wanted =
        |row: &&Experiment| arguments.only.is_empty() || arguments.only.iter().any(|name| name == row.name);
    let mut table = String::from(
        "| experiment | options | the literature | ours: Elo ± 95% | games | command |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for row in EXPERIMENTS.iter().filter(wanted) {
        eprintln!("{}: {}", row.name, row.change);
        let summary = measure(row, &engine, arguments).with_context(|| row.name.to_owned())?;
        eprint!("{}", summary.text);
        let _ = writeln!(table, "{}", line(row, &summary));
        // After every row: a long run that is stopped leaves what it has.
        fs::write(arguments.folder.join("table.md"), &table)?;
    }
    print!("{table}");
    Ok(())
}

fn measure(row: &Experiment, engine: &EngineSpec, arguments: &AblateArguments) -> Result<MatchSummary> {
    let mut play = arguments.play.clone();
    let file = |extension: &str| Some(arguments.folder.join(row.name).with_extension(extension));
    (play.options.results, play.pgn, play.report) = (file("jsonl"), file("pgn"), file("html"));
    let mut standard = engine.clone();
    if row.conditions == RowConditions::Clock {
        let options = &mut play.options;
        (options.tc, options.nodes, options.depth, options.movetime) =
            (Some(arguments.clock.clone()), None, None, None);
        standard.limits = options.each()?.limits;
        options.concurrency = 1;
    }
    standard.name =
        if row.against.is_empty() { "standard".to_owned() } else { row.against.replace(',', " ") };
    let mut changed = EngineSpec { name: row.name.to_owned(), ..standard.clone() };
    set(&mut changed, row.options)?;
    set(&mut standard, row.against)?;
    let setup = play.setup(vec![changed, standard], vec![(0, 1)], None)?;
    play_match(&setup, &play)
}

fn set(engine: &mut EngineSpec, options: &str) -> Result<()> {
    for option in options.split(',').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').with_context(|| format!("{option:?} has no '='"))?;
        engine.set_option(name, value);
    }
    Ok(())
}

fn line(row: &Experiment, summary: &MatchSummary) -> String {
    let pentanomial = &summary.results.pentanomials[0];
    let against = if row.against.is_empty() { String::new() } else { format!(" against `{}`", row.against) };
    format!(
        "| {} | `{}`{against} | {} | {} | {} | `{}` |",
        row.change,
        row.options,
        row.literature,
        EloDifference::of(pentanomial).elo,
        pentanomial.count(),
        command(row.name, std::env::args())
    )
}

/// The command line for one row: as it was given, with `--only` for this row and without the folder.
fn command(name: &str, given: impl Iterator<Item = String>) -> String {
    let mut words = given.skip_while(|word| word != "ablate").skip(1);
    let mut text = format!("tools ablate --only {name}");
    while let Some(word) = words.next() {
        let dropped = ["--only", "--folder"].into_iter().find(|&option| word.starts_with(option));
        match dropped {
            // The value is the next word, unless it is in this one.
            Some(option) if word == option => drop(words.next()),
            Some(_) => {}
            None => text.push_str(&format!(" {word}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_rows_command_is_the_one_given() {
        let given = "tools ablate --nodes 5000 --only a,b --folder x --games 10 --folder=y --book b.epd";
        let words = given.split(' ').map(str::to_owned);
        assert_eq!(
            command("no-lmr", words),
            "tools ablate --only no-lmr --nodes 5000 --games 10 --book b.epd"
        );
    }

    /// The table speaks of switches that the engine has.
    #[test]
    fn options_are_those_of_the_search() {
        // The packed crate lies beside no search.
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        if !repository.join("crates/arena").is_dir() {
            return;
        }
        let source = fs::read_to_string(repository.join("src/search/lab/switches.rs")).unwrap();
        for row in EXPERIMENTS.iter().filter(|row| row.conditions != RowConditions::Clock) {
            for option in [row.options, row.against].into_iter().filter(|text| !text.is_empty()) {
                let (name, value) = option.split_once('=').unwrap();
                assert!(source.contains(&format!("    {name}: ")), "{name}");
                assert!(source.contains(&format!("        {value},")), "{value}");
            }
        }
    }
}
