//! One engine against a list of known opponents, and its rating on the scale of theirs.

use super::arguments::{PlayArguments, Tournament};
use super::elo::EloDifference;
use super::play_match::play_match;
use super::{build, opponents, rating};
use anyhow::Result;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// Arguments of `gauntlet`.
#[derive(Args, Clone, Debug)]
pub struct GauntletArguments {
    /// Our engine: name=A,cmd=path,option.Hash=16,tc=..
    #[arg(long, value_name = "SETTINGS", required_unless_present = "new")]
    pub engine: Option<String>,
    /// Or build this git revision (`work` is the working tree with its changes)
    #[arg(long, value_name = "REVISION", conflicts_with = "engine")]
    pub new: Option<String>,
    /// Opponents by name; all that are installed without it
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub against: Vec<String>,
    /// Another list of opponents than the built-in one
    #[arg(long, value_name = "TOML")]
    pub opponents: Option<PathBuf>,
    /// Everything else.
    #[command(flatten)]
    pub play: PlayArguments,
}

/// The job `gauntlet`.
pub fn run(arguments: &GauntletArguments) -> Result<()> {
    let each = arguments.play.options.each()?;
    let (given, revision) = (arguments.engine.as_deref(), arguments.new.as_deref());
    let ours = build::given_or_built(given, revision, ("", "tamarack"), &each)?;
    let known = opponents::pick(opponents::read(arguments.opponents.as_deref())?, &arguments.against)?;
    let mut engines = vec![ours];
    engines.extend(known.iter().map(|opponent| opponent.spec(&each)));
    let pairings = Tournament::Gauntlet.pairings(engines.len());
    let setup = arguments.play.setup(engines, pairings, None)?;
    let summary = play_match(&setup, &arguments.play)?;
    print!("{}", summary.text);

    let names = setup.names();
    let references: Vec<Option<f64>> =
        std::iter::once(None).chain(known.iter().map(|opponent| opponent.rating)).collect();
    let pentanomials = &summary.results.pentanomials;
    let ratings = rating::rate(names.len(), &setup.pairings, pentanomials, &references);
    let totals = rating::totals(names.len(), &setup.pairings, pentanomials);
    println!("\nOn the scale of the references:");
    print!("{}", rating::table(&names, &totals, &ratings, &references));
    let mut text = String::new();
    for (pentanomial, opponent) in pentanomials.iter().zip(&known) {
        let Some(reference) = opponent.rating else { continue };
        let elo = EloDifference::of(pentanomial).elo;
        let _ = writeln!(
            text,
            "  against {:16} {elo:24} → {:.0}   (reference {reference:.0} ± {:.0}: {})",
            opponent.name,
            reference + elo.value,
            opponent.uncertainty,
            opponent.source
        );
    }
    print!("{text}");
    Ok(())
}
