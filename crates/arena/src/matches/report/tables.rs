//! The tables of a report.

use crate::matches::elo::EloDifference;
use crate::matches::results::Results;
use crate::matches::results_file::{GameRecord, MatchHeader};
use crate::matches::session::EngineCard;
use crate::matches::sprt::Sprt;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A table with a row of headings; the cells are HTML.
fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = format!("<table><tr><th>{}</th></tr>\n", headings.join("</th><th>"));
    for row in rows {
        let _ = writeln!(out, "<tr><td>{}</td></tr>", row.join("</td><td>"));
    }
    out.push_str("</table>\n");
    out
}

/// The text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Engines with version, options and limits.
pub fn engines(header: &MatchHeader) -> String {
    let rows = header.names.iter().enumerate().map(|(index, name)| {
        // A file of an older version has all of it in one text.
        let old = || EngineCard { program: header.engines[index].clone(), ..EngineCard::default() };
        let card = header.session.engines.get(index).cloned().unwrap_or_else(old);
        let options = card.options.join(", ");
        [name, &card.version, &options, &card.limit, &card.program].map(|text| escape(text)).to_vec()
    });
    table(&["engine", "version", "options", "time control", "program"], rows)
}

/// Dates, machine, openings and adjudication.
pub fn conditions(header: &MatchHeader, records: &[GameRecord]) -> String {
    let mut dates: Vec<&str> = records.iter().filter_map(date).collect();
    dates.sort_unstable();
    let date = match (dates.first(), dates.last()) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (first, _) => first.map_or("no game yet".to_owned(), |date| (*date).to_owned()),
    };
    let session = &header.session;
    let mut rows = vec![vec!["date".to_owned(), date]];
    if session.conditions.is_empty() {
        rows.push(vec!["settings".to_owned(), escape(&header.settings)]);
    } else {
        rows.push(vec!["machine".to_owned(), escape(&session.machine)]);
    }
    rows.extend(session.conditions.iter().map(|(name, value)| vec![escape(name), escape(value)]));
    table(&["condition", ""], rows)
}

/// The date of a game.
fn date(record: &GameRecord) -> Option<&str> {
    record.pgn.split_once("[Date \"")?.1.split('"').next()
}

/// The result of each pairing with Elo and its error, and the test if there is one.
pub fn results(header: &MatchHeader, results: &Results, sprt: Option<&Sprt>) -> String {
    let rows = results.pentanomials.iter().zip(&header.pairings).map(|(pentanomial, &(first, second))| {
        let EloDifference { elo, nelo, los } = EloDifference::of(pentanomial);
        let [lost, drawn, won] = pentanomial.games;
        vec![
            escape(&format!("{} – {}", header.names[first], header.names[second])),
            format!("+{won} −{lost} ={drawn}"),
            format!("{:.2}%", 100.0 * pentanomial.score()),
            elo.to_string(),
            nelo.map_or("unknown".to_owned(), |nelo| nelo.to_string()),
            format!("{:.1}%", 100.0 * los),
            pentanomial.pairs.map(|count| count.to_string()).join(" / "),
        ]
    });
    let pairs = "pairs with 0 / ½ / 1 / 1½ / 2 points";
    let mut out = table(&["match", "games", "score", "Elo (95%)", "nElo (95%)", "LOS", pairs], rows);
    for (sprt, pentanomial) in sprt.iter().zip(&results.pentanomials) {
        let (low, high) = sprt.bounds();
        let decision = sprt.decision_word(pentanomial);
        let llr = sprt.llr(pentanomial);
        let _ = writeln!(out, "<p>{sprt}: {decision}, LLR {llr:.2} between {low:.2} and {high:.2}</p>");
    }
    let faults = results.fault_words(&header.names);
    let faults = if faults.is_empty() { "none".to_owned() } else { escape(&faults) };
    let _ = writeln!(out, "<p>Faults: {faults}</p>");
    out
}

/// The score of the first engine of each pairing with White and with Black.
pub fn colors(header: &MatchHeader, records: &[GameRecord]) -> String {
    // Won, drawn, lost by pairing and color.
    let mut counts = vec![[[0_u32; 3]; 2]; header.pairings.len()];
    for record in records {
        let index = record.number / 2 % header.pairings.len();
        let white = record.white == header.pairings[index].0;
        let points = usize::from(if white { record.points } else { 2 - record.points });
        counts[index][usize::from(!white)][2 - points] += 1;
    }
    let rows = counts.iter().zip(&header.pairings).flat_map(|(counts, &(first, second))| {
        ["White", "Black"].iter().zip(counts).map(move |(color, &[won, drawn, lost])| {
            let games = f64::from(won + drawn + lost).max(1.0);
            vec![
                escape(&format!("{} with {color} against {}", header.names[first], header.names[second])),
                format!("+{won} −{lost} ={drawn}"),
                format!("{:.1}%", 100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / games),
            ]
        })
    });
    table(&["color", "games", "score"], rows)
}

/// The points of an opening.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpeningScore<'r> {
    /// Games.
    pub games: f64,
    /// White's points.
    pub white: f64,
    /// Points of the first engine of the pairing.
    pub first: f64,
    /// The position.
    pub fen: &'r str,
}

/// The points by number of the opening.
pub fn opening_scores<'r>(
    header: &MatchHeader,
    records: &'r [GameRecord],
) -> BTreeMap<usize, OpeningScore<'r>> {
    let mut scores: BTreeMap<usize, OpeningScore<'r>> = BTreeMap::new();
    for record in records {
        let first = header.pairings[record.number / 2 % header.pairings.len()].0;
        let points = f64::from(record.points) / 2.0;
        let score = scores.entry(record.opening).or_default();
        score.games += 1.0;
        score.white += points;
        score.first += if record.white == first { points } else { 1.0 - points };
        score.fen = &record.fen;
    }
    scores
}

/// The openings in which the first engine did best or worst.
pub fn openings(scores: &BTreeMap<usize, OpeningScore<'_>>) -> String {
    const SHOWN: usize = 20;
    let mut listed: Vec<_> = scores.iter().collect();
    let distance = |score: &OpeningScore<'_>| (score.first / score.games - 0.5).abs();
    listed.sort_by(|a, b| distance(b.1).total_cmp(&distance(a.1)));
    let rows = listed.into_iter().take(SHOWN).map(|(number, score)| {
        let percent = |points: f64| format!("{:.0}%", 100.0 * points / score.games);
        let fen = format!("<code>{}</code>", escape(score.fen));
        vec![number.to_string(), score.games.to_string(), percent(score.first), percent(score.white), fen]
    });
    let table = table(&["number", "games", "first's score", "White's score", "position"], rows);
    format!("<p>Openings in which the first engine did best or worst:</p>\n{table}")
}

/// The kinds of ends, and what the faults were.
pub fn endings(header: &MatchHeader, records: &[GameRecord]) -> String {
    const SHOWN: usize = 100;
    let mut counts: BTreeMap<_, [u64; 3]> = BTreeMap::new();
    for record in records {
        counts.entry(record.termination).or_default()[usize::from(record.points.min(2))] += 1;
    }
    let rows = counts.iter().map(|(ending, [black, drawn, white])| {
        vec![ending.words().to_owned(), white.to_string(), drawn.to_string(), black.to_string()]
    });
    let mut out = table(&["end", "White won", "drawn", "Black won"], rows);
    let faults = records.iter().filter_map(|record| Some((record, record.fault.as_ref()?)));
    for (record, fault) in faults.take(SHOWN) {
        let (number, name) = (record.number + 1, escape(&header.names[fault.engine]));
        let (words, detail) = (fault.kind.words(), escape(&fault.detail));
        let _ = writeln!(out, "<p>Game {number}: {name} loses by {words}: {detail}</p>");
    }
    out
}
