//! The report of a match: one HTML page with its pictures inside.

use super::elo::Strength;
use super::results::Results;
use super::results_file::{GameRecord, MatchHeader, read};
use super::sprt::Sprt;
use super::summary;
use crate::plot::{self, Chart, Series};
use anyhow::{Context, Result};
use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

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
    let mut results = Results::new(&header.pairings);
    let history = History::new(header, records, sprt, &mut results);
    let title = escape(&header.names.join(" – "));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>\
         body{{font:15px sans-serif;max-width:800px;margin:2em auto;padding:0 1em}}pre{{background:#f4f4f4;\
         padding:1em;overflow-x:auto}}table{{border-collapse:collapse}}td,th{{border:1px solid #ccc;\
         padding:.2em .6em;text-align:right}}svg{{max-width:100%;height:auto}}</style></head>\n<body><h1>{title}</h1>\n"
    );
    let _ = writeln!(out, "<pre>{}</pre>", escape(&summary_text(header, &results, sprt)));
    let _ = writeln!(out, "<h2>Strength</h2>\n{}", history.elo_picture(header)?);
    if let Some(sprt) = sprt.filter(|_| header.pairings.len() == 1) {
        out.push_str(&history.llr_picture(sprt)?);
    }
    let _ = writeln!(out, "<h2>Openings</h2>\n{}", openings(header, records)?);
    let _ = writeln!(out, "<h2>Games</h2>\n{}{}", lengths(records)?, endings(header, records));
    let _ = writeln!(out, "<h2>Time</h2>\n{}", times(header, records)?);
    out.push_str("</body></html>\n");
    Ok(out)
}

fn summary_text(header: &MatchHeader, results: &Results, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    for (name, engine) in header.names.iter().zip(&header.engines) {
        let _ = writeln!(text, "{name}: {engine}");
    }
    let _ = writeln!(text, "{}\n", header.settings);
    text.push_str(&summary::statistics(&header.names, &header.pairings, &results.pentanomials, sprt));
    match results.fault_words(&header.names) {
        faults if faults.is_empty() => text.push_str("Faults: none"),
        faults => text.push_str(&format!("Faults: {faults}")),
    }
    text
}

/// The statistics after each pair of games.
struct History {
    /// For each pairing: games, Elo, low, high.
    elo: Vec<Vec<(f64, f64, f64, f64)>>,
    llr: Vec<(f64, f64)>,
}

impl History {
    fn new(header: &MatchHeader, records: &[GameRecord], sprt: Option<&Sprt>, results: &mut Results) -> Self {
        let mut history = Self { elo: vec![Vec::new(); header.pairings.len()], llr: vec![(0.0, 0.0)] };
        for record in records {
            if !results.add(record) {
                continue;
            }
            let index = record.number / 2 % header.pairings.len();
            let pentanomial = &results.pentanomials[index];
            let (games, elo) = (pentanomial.count() as f64, Strength::of(pentanomial).elo);
            // Before a few pairs have come in the curve only jumps about.
            if pentanomial.pair_count() >= 5 && elo.value.is_finite() {
                history.elo[index].push((games, elo.value, elo.low, elo.high));
            }
            if let Some(sprt) = sprt.filter(|_| index == 0) {
                history.llr.push((games, sprt.llr(pentanomial)));
            }
        }
        history
    }

    fn elo_picture(&self, header: &MatchHeader) -> Result<String> {
        let curves = self.elo.iter().zip(&header.pairings).map(|(history, &(first, second))| Series {
            name: format!("{} – {}", header.names[first], header.names[second]),
            points: thin(history).iter().map(|&(games, elo, _, _)| (games, elo)).collect(),
        });
        let band = match &self.elo[..] {
            [only] => thin(only).iter().map(|&(games, _, low, high)| (games, low, high)).collect(),
            _ => Vec::new(),
        };
        Chart {
            title: "Elo difference with its 95% interval".to_owned(),
            x_label: "games".to_owned(),
            y_label: "Elo".to_owned(),
            curves: curves.collect(),
            band,
            levels: vec![0.0],
            log_x: false,
        }
        .svg()
    }

    fn llr_picture(&self, sprt: &Sprt) -> Result<String> {
        let (low, high) = sprt.bounds();
        Chart {
            title: format!("{sprt}: log likelihood ratio"),
            x_label: "games".to_owned(),
            y_label: "LLR".to_owned(),
            curves: vec![Series { name: "LLR".to_owned(), points: thin(&self.llr) }],
            levels: vec![low, 0.0, high],
            ..Chart::default()
        }
        .svg()
    }
}

/// At most about a thousand points: more cannot be seen.
fn thin<T: Copy>(points: &[T]) -> Vec<T> {
    let step = points.len().div_ceil(1000).max(1);
    let last = points.len().saturating_sub(1);
    points
        .iter()
        .enumerate()
        .filter(|(index, _)| index % step == 0 || *index == last)
        .map(|(_, point)| *point)
        .collect()
}

/// White's score by opening, which shows lines that decide games by themselves.
fn openings(header: &MatchHeader, records: &[GameRecord]) -> Result<String> {
    let mut by_opening: BTreeMap<usize, (f64, f64, f64, &str)> = BTreeMap::new();
    for record in records {
        let first = header.pairings[record.number / 2 % header.pairings.len()].0;
        let points = f64::from(record.points) / 2.0;
        let own = if record.white == first { points } else { 1.0 - points };
        let entry = by_opening.entry(record.opening).or_insert((0.0, 0.0, 0.0, &record.fen));
        *entry = (entry.0 + 1.0, entry.1 + points, entry.2 + own, entry.3);
    }
    let mut classes: BTreeMap<u64, f64> = BTreeMap::new();
    for (games, white, _, _) in by_opening.values() {
        *classes.entry((white / games * 20.0).round() as u64).or_default() += 1.0;
    }
    let bars: Vec<(f64, f64)> =
        classes.iter().map(|(&class, &count)| (class as f64 * 5.0 - 2.5, count)).collect();
    let mut out = plot::bars("Openings by White's score", "White's score, %", "openings", 5.0, &bars)?;
    let mut listed: Vec<_> = by_opening.iter().collect();
    listed.sort_by(|a, b| (b.1.2 / b.1.0 - 0.5).abs().total_cmp(&(a.1.2 / a.1.0 - 0.5).abs()));
    let _ = writeln!(
        out,
        "<p>Openings in which the first engine did best or worst:</p>\n<table><tr><th>number</th><th>games</th><th>first's score</th><th>White's score</th><th>position</th></tr>"
    );
    for (number, (games, white, own, fen)) in listed.into_iter().take(20) {
        let percent = |points: f64| 100.0 * points / games;
        let _ = writeln!(
            out,
            "<tr><td>{number}</td><td>{games}</td><td>{:.0}%</td><td>{:.0}%</td><td style=\"text-align:left\"><code>{}</code></td></tr>",
            percent(*own),
            percent(*white),
            escape(fen)
        );
    }
    out.push_str("</table>\n");
    Ok(out)
}

fn lengths(records: &[GameRecord]) -> Result<String> {
    const WIDTH: usize = 10;
    let mut classes: BTreeMap<usize, f64> = BTreeMap::new();
    for record in records {
        *classes.entry(record.times.len() / 2 / WIDTH).or_default() += 1.0;
    }
    let bars: Vec<(f64, f64)> =
        classes.iter().map(|(&class, &count)| ((class * WIDTH) as f64, count)).collect();
    plot::bars("Length of games", "moves", "games", WIDTH as f64, &bars)
}

fn endings(header: &MatchHeader, records: &[GameRecord]) -> String {
    let mut counts: BTreeMap<_, [u64; 3]> = BTreeMap::new();
    for record in records {
        counts.entry(record.termination).or_default()[usize::from(record.points.min(2))] += 1;
    }
    let mut out =
        String::from("<table><tr><th>end</th><th>White won</th><th>drawn</th><th>Black won</th></tr>\n");
    for (ending, [black, drawn, white]) in counts {
        let words = ending.words();
        let _ = writeln!(out, "<tr><td>{words}</td><td>{white}</td><td>{drawn}</td><td>{black}</td></tr>");
    }
    out.push_str("</table>\n");
    for (record, fault) in
        records.iter().filter_map(|record| Some((record, record.fault.as_ref()?))).take(100)
    {
        let name = escape(&header.names[fault.engine]);
        let _ = writeln!(
            out,
            "<p>Game {}: {name} loses by {}: {}</p>",
            record.number + 1,
            fault.kind.words(),
            escape(&fault.detail)
        );
    }
    out
}

/// Mean time and depth by number of the move, for each engine.
fn times(header: &MatchHeader, records: &[GameRecord]) -> Result<String> {
    const LONGEST: usize = 120;
    let engines = header.names.len();
    let mut sums = vec![vec![(0.0, 0.0, 0.0); LONGEST]; engines];
    for record in records {
        let black_first = record.fen.split(' ').nth(1) == Some("b");
        for (ply, (&time, &depth)) in record.times.iter().zip(&record.depths).enumerate() {
            let white_moves = (ply % 2 == 0) != black_first;
            let engine = if white_moves { record.white } else { record.black };
            if let Some(sum) = sums[engine].get_mut(ply / 2) {
                *sum = (sum.0 + 1.0, sum.1 + f64::from(time), sum.2 + f64::from(depth));
            }
        }
    }
    let chart = |title: &str, unit: &str, value: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let curve = |(name, sums): (&String, &Vec<(f64, f64, f64)>)| Series {
            name: name.clone(),
            // Few games are that long: their mean would only jump about.
            points: sums
                .iter()
                .enumerate()
                .filter(|(_, sum)| sum.0 >= 3.0)
                .map(|(number, sum)| (number as f64 + 1.0, value(sum)))
                .collect(),
        };
        Chart {
            title: title.to_owned(),
            x_label: "move after the opening".to_owned(),
            y_label: unit.to_owned(),
            curves: header.names.iter().zip(&sums).map(curve).collect(),
            ..Chart::default()
        }
        .svg()
    };
    let mut out = chart("Time for a move", "milliseconds", &|sum| sum.1 / sum.0)?;
    out.push_str(&chart("Nominal depth", "plies", &|sum| sum.2 / sum.0)?);
    Ok(out)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
