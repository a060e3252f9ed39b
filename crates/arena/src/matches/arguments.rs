//! The command line of `match`.

use super::build;
use super::options::{GameOptions, game_count};
use super::setup::MatchSetup;
use super::sprt::Sprt;
use crate::play::spec::EngineSpec;
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The schedule of more than two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tournament {
    /// Everybody against everybody.
    RoundRobin,
    /// The first against all others.
    Gauntlet,
}

/// Options of a match besides its engines. Shared by all jobs that play matches.
#[derive(Args, Clone, Debug)]
pub struct PlayArguments {
    /// Games for each pairing (rounded up to whole pairs)
    #[arg(long, default_value_t = 100, value_parser = game_count())]
    pub games: usize,
    /// End the match when the 95% error is at most this (two engines)
    #[arg(long, value_name = "ELO")]
    pub precision: Option<f64>,
    /// Limits, openings, adjudication and faults.
    #[command(flatten)]
    pub options: GameOptions,
    /// Event tag of the PGN
    #[arg(long, default_value = "Tamarack laboratory")]
    pub event: String,
    /// Write the games here; without --results they are added to those that are there
    #[arg(long)]
    pub pgn: Option<PathBuf>,
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
    /// Build this git revision and play it (`work` is the working tree with its changes)
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
    /// Schedule of more than two engines
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
    pub fn setup(&self) -> Result<MatchSetup> {
        let each = self.play.options.each()?;
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
        let pairings = self.tournament.pairings(engines.len());
        self.play.setup(engines, pairings, self.sprt)
    }
}

impl Tournament {
    /// The pairs of engines that meet.
    pub fn pairings(self, engines: usize) -> Vec<(usize, usize)> {
        let hosts = match self {
            Self::RoundRobin => engines,
            Self::Gauntlet => engines.min(1),
        };
        (0..hosts).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
    }
}

impl PlayArguments {
    /// The match between these engines.
    pub fn setup(
        &self,
        engines: Vec<EngineSpec>,
        pairings: Vec<(usize, usize)>,
        sprt: Option<Sprt>,
    ) -> Result<MatchSetup> {
        let precision = self.precision.filter(|_| engines.len() == 2);
        let setup = self.options.setup(engines, pairings, self.games.div_ceil(2))?;
        Ok(MatchSetup { sprt, precision, event: self.event.clone(), ..setup })
    }
}
