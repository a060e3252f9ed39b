//! Results as text: one line while a match runs, all figures at its end.

use super::elo::EloDifference;
use super::pentanomial::Pentanomial;
use super::rating;
use super::results::{Results, SlowestAnswer};
use super::setup::MatchSetup;
use super::sprt::Sprt;
use super::stop::StopReason;
use std::fmt::Write;

/// The results so far in one line: the statistics of a single pairing, or the points of each engine; then the faults.
pub fn progress(setup: &MatchSetup, results: &Results) -> String {
    let text = match &results.pentanomials[..] {
        [only] => pairing_line(only, setup.sprt.as_ref()),
        pentanomials => {
            let totals = rating::totals(setup.engines.len(), &setup.pairings, pentanomials);
            let words = setup.engines.iter().zip(totals);
            words
                .map(|(engine, (points, games))| format!("{} {points}/{games}", engine.name))
                .collect::<Vec<_>>()
                .join("  ")
        }
    };
    let slowest =
        results.slowest.map_or(String::new(), |answer| format!("  slowest {:+.1} ms", answer.overrun));
    let faults = results.fault_words(&setup.names());
    if faults.is_empty() { text + &slowest } else { format!("{text}{slowest}  faults: {faults}") }
}

fn pairing_line(pentanomial: &Pentanomial, sprt: Option<&Sprt>) -> String {
    let EloDifference { elo, los, .. } = EloDifference::of(pentanomial);
    let [lost, drawn, won] = pentanomial.games;
    let mut text = format!("+{won} -{lost} ={drawn}  Elo {elo}  LOS {:.1}%", 100.0 * los);
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let _ = write!(text, "  LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(pentanomial));
    }
    text
}

/// The table of ratings if there are more than two engines, then the statistics of every pairing.
pub fn statistics(
    names: &[String],
    pairings: &[(usize, usize)],
    pentanomials: &[Pentanomial],
    sprt: Option<&Sprt>,
) -> String {
    let (mut text, count) = (String::new(), names.len());
    if count > 2 {
        let ratings = rating::rate(count, pairings, pentanomials, &[]);
        let totals = rating::totals(count, pairings, pentanomials);
        text.push_str(&rating::table(names, &totals, &ratings, &[]));
        text.push('\n');
    }
    for (pentanomial, &(first, second)) in pentanomials.iter().zip(pairings) {
        let (first, second, games) = (&names[first], &names[second], pentanomial.count());
        let _ = writeln!(text, "{first} against {second}: {games} games");
        text.push_str(&pairing(pentanomial, sprt));
    }
    text
}

/// The statistics of one pairing, a line each.
fn pairing(pentanomial: &Pentanomial, sprt: Option<&Sprt>) -> String {
    let EloDifference { elo, nelo, los } = EloDifference::of(pentanomial);
    let [lost, drawn, won] = pentanomial.games;
    let (score, draws) =
        (100.0 * pentanomial.score(), 100.0 * drawn as f64 / pentanomial.count().max(1) as f64);
    let mut out = format!("  score        {score:.2}%  (+{won} -{lost} ={drawn}, {draws:.1}% drawn)\n");
    let _ = writeln!(out, "  Elo          {elo}");
    let _ = writeln!(out, "  nElo         {}", nelo.map_or("-".to_owned(), |estimate| estimate.to_string()));
    let _ = writeln!(out, "  LOS          {:.2}%", 100.0 * los);
    let _ = writeln!(out, "  pentanomial  {:?}", pentanomial.pairs);
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let decision = sprt.decision_word(pentanomial);
        let llr = sprt.llr(pentanomial);
        let _ = writeln!(out, "  {sprt}  LLR {llr:.2} ({low:.2}, {high:.2}): {decision}");
    }
    out
}

/// The summary of a match that has ended.
pub fn match_text(setup: &MatchSetup, results: &Results, stopped: Option<&StopReason>) -> String {
    let names = setup.names();
    let mut text = statistics(&names, &setup.pairings, &results.pentanomials, setup.sprt.as_ref());
    if let Some(stopped) = stopped {
        let _ = writeln!(text, "{}", stopped.words(&names));
    }
    if let Some(SlowestAnswer { overrun, engine, game }) = results.slowest {
        let _ = writeln!(
            text,
            "{} answers; the slowest in time, by {} in game {}, came {:.1} ms {} its allotment (clock less Move Overhead)",
            results.moves,
            names[engine],
            game + 1,
            overrun.abs(),
            if overrun > 0.0 { "after the end of" } else { "before the end of" },
        );
    }
    let _ = writeln!(text, "{}", faults(results, setup));
    text
}

/// The faults and the folder of their logs, or `Faults: none`.
pub fn faults(results: &Results, setup: &MatchSetup) -> String {
    match results.fault_words(&setup.names()) {
        words if words.is_empty() => "Faults: none".to_owned(),
        words => format!("Faults: {words} (logs in {})", setup.fault_folder.display()),
    }
}
