//! The command line of `match`.

use super::build;
use super::runner::Setup;
use super::sprt::Sprt;
use crate::play::adjudicate::{DrawRule, ResignRule, Tables};
use crate::play::game::Rules;
use crate::play::openings::Openings;
use crate::play::player::Patience;
use crate::play::spec::EngineSpec;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// How several engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tournament {
    /// Everybody against everybody.
    RoundRobin,
    /// The first against all others.
    Gauntlet,
}

/// Order of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// Shuffled by the seed.
    Random,
    /// As in the file.
    Sequential,
}

/// What is played: openings, limits, adjudication. Shared by all jobs that play matches.
#[derive(Args, Clone, Debug)]
pub struct PlayArguments {
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
    /// Games for each pairing (rounded up to whole pairs)
    #[arg(long, default_value_t = 100)]
    pub games: usize,
    /// End the match when the 95% error is at most this (two engines)
    #[arg(long, value_name = "ELO")]
    pub precision: Option<f64>,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    pub concurrency: usize,
    /// Openings: EPD, FEN or PGN; random ones are generated if there is no book
    #[arg(long)]
    pub book: Option<PathBuf>,
    /// Moves taken from each game of a PGN book
    #[arg(long, default_value_t = 16, value_name = "PLIES")]
    pub book_plies: usize,
    /// Length of generated openings
    #[arg(long, default_value_t = 8, value_name = "PLIES")]
    pub random_plies: u32,
    /// Order of the book
    #[arg(long, value_enum, default_value = "random")]
    pub order: Order,
    /// Seed of the order and of generated openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of the first opening
    #[arg(long, default_value_t = 0)]
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
    #[arg(long, default_value_t = 0)]
    pub margin: u64,
    /// Milliseconds by which a fixed time for a move may be overrun
    #[arg(long, default_value_t = 100)]
    pub movetime_margin: u64,
    /// Seconds after which an engine without a clock has stalled
    #[arg(long, default_value_t = 120.0)]
    pub stall: f64,
    /// Seconds for an engine to start or to be ready
    #[arg(long, default_value_t = 30.0)]
    pub ready: f64,
    /// Start engines anew for every game
    #[arg(long)]
    pub restart: bool,
    /// End the match at the first fault of an engine
    #[arg(long)]
    pub stop_on_fault: bool,
    /// Event tag of the PGN
    #[arg(long, default_value = "Tamarack laboratory")]
    pub event: String,
    /// Write the games here
    #[arg(long)]
    pub pgn: Option<PathBuf>,
    /// Results file; if it exists, the match in it is continued
    #[arg(long)]
    pub results: Option<PathBuf>,
    /// Write an HTML report here
    #[arg(long)]
    pub report: Option<PathBuf>,
}

/// Arguments of `match`.
#[derive(Args, Clone, Debug)]
pub struct MatchArguments {
    /// An engine: name=A,cmd=path,args=..,dir=..,option.Hash=16,tc=2+0.02,nodes=..,depth=..,movetime=..
    #[arg(long = "engine", value_name = "SETTINGS")]
    pub engines: Vec<String>,
    /// Build this git revision and play it (`work` is the working tree as it is)
    #[arg(long, value_name = "REVISION")]
    pub new: Option<String>,
    /// Build this git revision as the opponent
    #[arg(long, value_name = "REVISION")]
    pub base: Option<String>,
    /// Cargo features of both builds
    #[arg(long, default_value = "")]
    pub features: String,
    /// Settings for --new only
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    pub new_with: String,
    /// Settings for --base only
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    pub base_with: String,
    /// How more than two engines meet
    #[arg(long, value_enum, default_value = "round-robin")]
    pub tournament: Tournament,
    /// Stop when this is decided: `elo0,elo1[,alpha,beta][,logistic|normalised]`
    #[arg(long)]
    pub sprt: Option<Sprt>,
    /// Everything else.
    #[command(flatten)]
    pub play: PlayArguments,
}

impl MatchArguments {
    /// Reads and builds everything that the match needs.
    pub fn setup(&self) -> Result<Setup> {
        let each = self.play.each()?;
        let mut engines = Vec::new();
        for (revision, with, role) in
            [(&self.new, &self.new_with, "new"), (&self.base, &self.base_with, "base")]
        {
            if let Some(revision) = revision {
                engines.push(build::engine(revision, &self.features, role, with, &each)?);
            }
        }
        for text in &self.engines {
            engines.push(EngineSpec::parse(text, &each)?);
        }
        ensure!(engines.len() >= 2, "a match needs two engines: --engine, --new or --base");
        ensure!(self.sprt.is_none() || engines.len() == 2, "SPRT is for two engines");
        let pairings = match self.tournament {
            Tournament::RoundRobin => round_robin(engines.len()),
            Tournament::Gauntlet => (1..engines.len()).map(|other| (0, other)).collect(),
        };
        self.play.setup(engines, pairings, self.sprt)
    }
}

fn round_robin(count: usize) -> Vec<(usize, usize)> {
    (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second))).collect()
}

impl PlayArguments {
    /// What every engine has unless it says otherwise.
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

    /// The match between these engines.
    pub fn setup(
        &self,
        mut engines: Vec<EngineSpec>,
        pairings: Vec<(usize, usize)>,
        sprt: Option<Sprt>,
    ) -> Result<Setup> {
        distinguish(&mut engines);
        let two = engines.len() == 2;
        for engine in &engines {
            ensure!(
                !engine.limits.is_empty(),
                "engine {} would think for ever: give --tc, --nodes, --depth or --movetime",
                engine.name
            );
        }
        let tables = self.tb.as_deref().map(Tables::open).transpose()?;
        let milliseconds = Duration::from_millis;
        let rules = Rules {
            chess960: self.chess960,
            margin: milliseconds(self.margin),
            movetime_margin: milliseconds(self.movetime_margin),
            draw: self.draw,
            resign: self.resign,
            tables,
            longest: self.max_moves,
        };
        let seconds =
            |value: f64| Duration::try_from_secs_f64(value).with_context(|| format!("{value} seconds"));
        let patience =
            Patience { think: seconds(self.stall)?, ready: seconds(self.ready)?, ..Patience::default() };
        Ok(Setup {
            engines,
            pairings,
            rounds: self.games.div_ceil(2),
            openings: self.openings()?,
            first_opening: self.start,
            rules,
            patience,
            concurrency: self.concurrency,
            restart: self.restart,
            stop_on_fault: self.stop_on_fault,
            sprt,
            precision: self.precision.filter(|_| two),
            fault_folder: match &self.results {
                Some(path) => path.with_extension("faults"),
                None => std::env::temp_dir().join(format!("tamarack-faults-{}", std::process::id())),
            },
            event: self.event.clone(),
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
        if self.order == Order::Random {
            openings.shuffle(self.seed);
        }
        Ok(openings)
    }

    /// What must not change when a match is continued.
    pub fn settings(&self) -> String {
        format!(
            "book {:?} ({} plies) or {} random plies, {:?} order, seed {}, start {}, chess960 {}, draw {:?}, \
             resign {:?}, tb {:?}, max moves {:?}, margins {} {} ms",
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
