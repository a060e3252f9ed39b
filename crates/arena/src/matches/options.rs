//! The options of the command line about games: limits, openings, adjudication, faults.

use super::setup::MatchSetup;
use crate::play::adjudicate::{AdjudicationTables, DrawRule, ResignRule};
use crate::play::game::Rules;
use crate::play::limits::{MAX_MILLISECONDS, parse_seconds};
use crate::play::openings::{BOOK_PLIES, MAX_RANDOM_PLIES, Openings};
use crate::play::player::Patience;
use crate::play::spec::EngineSpec;
use anyhow::{Result, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use shakmaty::ByColor;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The order in which the openings of a book are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BookOrder {
    /// Shuffled by the seed.
    Random,
    /// As in the file.
    Sequential,
}

/// Reads a number of games: a match without games has no result.
pub fn game_count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1_000_000_000)
}

/// Reads the number of an opening, to which numbers of games are added.
fn opening_number() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=1_000_000_000_000)
}

/// Reads milliseconds, which are added to the time of a move.
fn milliseconds() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(0..=MAX_MILLISECONDS)
}

/// Options about games: limits, openings, adjudication, faults. Shared by all jobs that play games between engines.
#[derive(Args, Clone, Debug)]
pub struct GameOptions {
    /// Settings for every engine, e.g. option.Hash=16,option.Threads=1
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    pub each: String,
    /// Clock for engines without limits of their own: `[moves/]time[+inc]` in seconds
    #[arg(long)]
    pub tc: Option<String>,
    /// Nodes for each move
    #[arg(long)]
    pub nodes: Option<String>,
    /// Plies for each move
    #[arg(long)]
    pub depth: Option<String>,
    /// Milliseconds for each move
    #[arg(long)]
    pub movetime: Option<String>,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    pub concurrency: usize,
    /// Openings: EPD, FEN or PGN; random ones are generated if there is no book
    #[arg(long)]
    pub book: Option<PathBuf>,
    /// Moves taken from each game of a PGN book
    #[arg(long, default_value_t = BOOK_PLIES, value_name = "PLIES")]
    pub book_plies: usize,
    /// Length of generated openings
    #[arg(long, default_value_t = 8, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_RANDOM_PLIES)))]
    pub random_plies: u32,
    /// Order of the book
    #[arg(long, value_enum, default_value = "random")]
    pub order: BookOrder,
    /// Seed of the order and of generated openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of the first opening
    #[arg(long, default_value_t = 0, value_parser = opening_number())]
    pub start: usize,
    /// Chess960
    #[arg(long)]
    pub chess960: bool,
    /// Adjudicate draws: from-move,moves,centipawns (e.g. 34,8,20)
    #[arg(long)]
    pub draw: Option<DrawRule>,
    /// Adjudicate wins: moves,centipawns (e.g. 3,600); `,one` if the loser's opinion suffices
    #[arg(long)]
    pub resign: Option<ResignRule>,
    /// Folder of Syzygy tablebases to adjudicate with
    #[arg(long, value_name = "FOLDER")]
    pub tb: Option<PathBuf>,
    /// Adjudicate a draw after this many moves
    #[arg(long, value_name = "MOVES")]
    pub max_moves: Option<u32>,
    /// Milliseconds by which a clock may be overrun
    #[arg(long, default_value_t = 0, value_parser = milliseconds())]
    pub margin: u64,
    /// Milliseconds by which a fixed time for a move may be overrun
    #[arg(long, default_value_t = 100, value_parser = milliseconds())]
    pub movetime_margin: u64,
    /// Waits of an engine for a processor do not take its clock below this many milliseconds (Linux)
    #[arg(long, value_name = "MILLISECONDS", value_parser = milliseconds())]
    pub forgive_waits: Option<u64>,
    /// Engines think on their opponent's time
    #[arg(long)]
    pub ponder: bool,
    /// Whoever shows a line with an illegal move has lost
    #[arg(long)]
    pub check_lines: bool,
    /// Seconds after which an engine without a clock has stalled
    #[arg(long, default_value = "120", value_parser = parse_seconds, value_name = "SECONDS")]
    pub stall: Duration,
    /// Seconds for an engine to start or to be ready
    #[arg(long, default_value = "30", value_parser = parse_seconds, value_name = "SECONDS")]
    pub ready: Duration,
    /// Start engines anew for every game
    #[arg(long)]
    pub restart: bool,
    /// End at the first fault of an engine
    #[arg(long)]
    pub stop_on_fault: bool,
    /// Results file; if it exists, what is in it is continued
    #[arg(long)]
    pub results: Option<PathBuf>,
}

impl GameOptions {
    /// The settings of every engine that has none of its own.
    pub fn each(&self) -> Result<EngineSpec> {
        let mut each = EngineSpec::default();
        for (key, value) in
            [("tc", &self.tc), ("nodes", &self.nodes), ("depth", &self.depth), ("movetime", &self.movetime)]
        {
            if let Some(value) = value {
                each.limits.set(key, value)?;
            }
        }
        each.apply(&self.each)?;
        Ok(each)
    }

    /// The setup of `rounds` pairs of games for each pairing of these engines.
    pub fn setup(
        &self,
        mut engines: Vec<EngineSpec>,
        pairings: Vec<(usize, usize)>,
        rounds: usize,
    ) -> Result<MatchSetup> {
        distinguish(&mut engines);
        for engine in engines.iter_mut().filter(|_| self.ponder) {
            engine.set_option("Ponder", "true");
        }
        for engine in &engines {
            ensure!(
                !engine.limits.is_empty(),
                "engine {} would think for ever: give --tc, --nodes, --depth or --movetime",
                engine.name
            );
        }
        let tables = self.tb.as_deref().map(AdjudicationTables::open).transpose()?;
        let milliseconds = Duration::from_millis;
        let rules = Rules {
            chess960: self.chess960,
            margin: milliseconds(self.margin),
            movetime_margin: milliseconds(self.movetime_margin),
            draw: self.draw,
            resign: self.resign,
            tables,
            longest: self.max_moves,
            check_lines: self.check_lines,
            ponder: ByColor { white: self.ponder, black: self.ponder },
            tell_waits: false,
            forgive_waits: self.forgive_waits.map(milliseconds),
            goes_on: false,
        };
        Ok(MatchSetup {
            engines,
            pairings,
            rounds,
            openings: self.openings()?,
            first_opening: self.start,
            rules,
            patience: Patience { think: self.stall, ready: self.ready, ..Patience::default() },
            concurrency: self.concurrency,
            restart: self.restart,
            stop_on_fault: self.stop_on_fault,
            sprt: None,
            precision: None,
            variation: None,
            deadline: None,
            fault_folder: match &self.results {
                Some(path) => path.with_extension("faults"),
                None => std::env::temp_dir().join(format!("tamarack-faults-{}", std::process::id())),
            },
            event: String::new(),
        })
    }

    fn openings(&self) -> Result<Openings> {
        let Some(path) = &self.book else {
            return Ok(Openings::Random {
                plies: self.random_plies,
                seed: self.seed,
                chess960: self.chess960,
            });
        };
        let mut openings = Openings::load(path, self.chess960, self.book_plies)?;
        if self.order == BookOrder::Random {
            openings.shuffle(self.seed);
        }
        Ok(openings)
    }

    /// Openings, adjudication and margins: names and values.
    pub fn conditions(&self) -> Vec<(String, String)> {
        let openings = match &self.book {
            Some(book) => {
                let name = book.file_name().unwrap_or(book.as_os_str()).to_string_lossy();
                let order = match self.order {
                    BookOrder::Random => format!("shuffled with seed {}", self.seed),
                    BookOrder::Sequential => "in its order".to_owned(),
                };
                format!("{name}, {order}, from number {}", self.start)
            }
            None => format!("{} random plies, seed {}", self.random_plies, self.seed),
        };
        let pairs = "each opening twice with reversed colors";
        let variant = if self.chess960 { "Chess960" } else { "standard chess" };
        let mut rules = Vec::new();
        rules.extend(self.draw.map(|rule| rule.to_string()));
        rules.extend(self.resign.map(|rule| rule.to_string()));
        rules.extend(self.tb.as_ref().map(|_| "by Syzygy tables".to_owned()));
        rules.extend(self.max_moves.map(|moves| format!("draw after {moves} moves")));
        let rules = if rules.is_empty() { "none".to_owned() } else { rules.join("; ") };
        let mut margins =
            format!("{} ms on the clock, {} ms for a fixed time", self.margin, self.movetime_margin);
        if let Some(low) = self.forgive_waits {
            let _ = write!(margins, "; waits for a processor take no clock below {low} ms");
        }
        let mut conditions = vec![
            ("variant".to_owned(), variant.to_owned()),
            ("openings".to_owned(), format!("{openings}; {pairs}")),
            ("adjudication".to_owned(), rules),
            ("margin".to_owned(), margins),
            ("games at once".to_owned(), self.concurrency.to_string()),
        ];
        if self.check_lines {
            conditions.push(("lines".to_owned(), "every line shown must be legal".to_owned()));
        }
        conditions
    }

    /// The options that must not change when a match is continued, in one line.
    pub fn settings(&self) -> String {
        format!(
            "book {:?} ({} plies) or {} random plies, {:?} order, seed {}, start {}, chess960 {}, draw {:?}, \
             resign {:?}, tb {:?}, max moves {:?}, margins {} {} ms{}{}{}",
            self.book,
            self.book_plies,
            self.random_plies,
            self.order,
            self.seed,
            self.start,
            self.chess960,
            self.draw,
            self.resign,
            self.tb,
            self.max_moves,
            self.margin,
            self.movetime_margin,
            self.forgive_waits.map_or(String::new(), |low| format!(", waits forgiven below {low} ms")),
            if self.check_lines { ", lines checked" } else { "" },
            if self.ponder { ", pondering" } else { "" },
        )
    }
}

/// Gives engines of the same name a number.
fn distinguish(engines: &mut [EngineSpec]) {
    for index in 1..engines.len() {
        let name = engines[index].name.clone();
        let same = engines[..index]
            .iter()
            .filter(|other| other.name == name || other.name.starts_with(&format!("{name} #")))
            .count();
        if same > 0 {
            engines[index].name = format!("{name} #{}", same + 1);
        }
    }
}
