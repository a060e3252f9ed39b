//! The report of a match: one HTML page with its pictures inside.

mod pictures;
mod tables;

use super::rating;
use super::results::Results;
use super::results_file::{GameRecord, MatchHeader, read};
use super::sprt::Sprt;
use anyhow::{Context, Result};
use clap::Args;
use pictures::History;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tables::escape;

/// Arguments of `report`.
#[derive(Args, Clone, Debug)]
pub struct ReportArguments {
    /// Results file of a match, finished or not
    pub results: PathBuf,
    /// File of the page
    #[arg(long, default_value = "report.html")]
    pub out: PathBuf,
    /// Show this test: `elo0,elo1[,alpha,beta][,logistic|normalised]`
    #[arg(long)]
    pub sprt: Option<Sprt>,
}

/// The head of the page up to its title. Wide texts are wrapped, wide pictures made smaller.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><style>\n\
    body{font:15px sans-serif;max-width:900px;margin:2em auto;padding:0 1em;overflow-wrap:break-word}\n\
    pre{background:#f4f4f4;padding:1em;white-space:pre-wrap}\n\
    table{border-collapse:collapse;margin:.6em 0}\n\
    td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;vertical-align:top}\n\
    th{background:#f4f4f4;overflow-wrap:normal}\n\
    td:last-child,p{overflow-wrap:anywhere}\n\
    svg{max-width:100%;height:auto}\n</style>";

/// The job `report`.
pub fn run(arguments: &ReportArguments) -> Result<()> {
    let (header, records) = read(&arguments.results)?;
    write(&arguments.out, &header, &records, arguments.sprt.as_ref())
}

/// Writes the page.
pub fn write(path: &Path, header: &MatchHeader, records: &[GameRecord], sprt: Option<&Sprt>) -> Result<()> {
    fs::write(path, page(header, records, sprt)?).with_context(|| format!("the report {}", path.display()))
}

/// The page as text.
pub fn page(header: &MatchHeader, records: &[GameRecord], sprt: Option<&Sprt>) -> Result<String> {
    let sprt = sprt.filter(|_| header.pairings.len() == 1);
    let mut results = Results::new(&header.pairings);
    let history = History::new(header, records, sprt, &mut results);
    let title = escape(&header.names.join(" – "));
    let mut out = format!("{HEAD}<title>{title}</title></head>\n<body><h1>{title}</h1>\n");
    out.push_str(&tables::results(header, &results, sprt));
    if header.names.len() > 2 {
        let _ = writeln!(out, "<pre>{}</pre>", escape(&ratings(header, &results)));
    }
    let _ = writeln!(
        out,
        "<h2>Conditions</h2>\n{}{}",
        tables::engines(header),
        tables::conditions(header, records)
    );
    let _ = writeln!(out, "<h2>Strength</h2>\n{}", history.elo_picture(header)?);
    if let Some(sprt) = sprt {
        out.push_str(&history.llr_picture(sprt)?);
    }
    let _ = writeln!(out, "<h2>Colors</h2>\n{}", tables::colors(header, records));
    let openings = tables::opening_scores(header, records);
    let _ =
        writeln!(out, "<h2>Openings</h2>\n{}{}", pictures::openings(&openings)?, tables::openings(&openings));
    let _ =
        writeln!(out, "<h2>Games</h2>\n{}{}", pictures::lengths(records)?, tables::endings(header, records));
    let _ = writeln!(out, "<h2>Time and depth</h2>\n{}", pictures::times(header, records)?);
    out.push_str("</body></html>\n");
    Ok(out)
}

/// The table of ratings of more than two engines.
fn ratings(header: &MatchHeader, results: &Results) -> String {
    let count = header.names.len();
    let ratings = rating::rate(count, &header.pairings, &results.pentanomials, &[]);
    let totals = rating::totals(count, &header.pairings, &results.pentanomials);
    rating::table(&header.names, &totals, &ratings, &[])
}
