//! The table of several networks beside each other.

use super::labelled::{Labelled, LabelledPositions, Truth};
use super::measure::{GROUPS, Judgement, Measure};
use std::fmt::Write;

/// A table of all measures: a row for each network, and under it the difference to the first network with the standard error
/// of the paired differences.
pub fn table(
    file: &str,
    positions: &LabelledPositions,
    names: &[String],
    judgements: &[Judgement],
) -> String {
    let labelled = &positions.labelled;
    let truth = match positions.truth {
        Truth::Wdl => "win, draw and loss",
        Truth::Ce => "centipawns",
    };
    let mut text =
        format!("{file}: {} positions, truth from {truth}\n{:24} {:>6}", labelled.len(), "", "scale");
    Measure::all().for_each(|measure| write!(text, " {:>8}", title(measure)).unwrap_or_default());
    write!(text, "\n{:24} {:>6}", "positions", "").unwrap_or_default();
    for measure in Measure::all() {
        let count = labelled.iter().filter(|labelled| measure.includes(labelled)).count();
        write!(text, " {count:>8}").unwrap_or_default();
    }
    text.push('\n');
    for (number, (name, judgement)) in names.iter().zip(judgements).enumerate() {
        let first = (number > 0).then(|| &judgements[0]);
        rows(&mut text, name, judgement, first, labelled);
    }
    text
}

fn rows(
    text: &mut String,
    name: &str,
    judgement: &Judgement,
    first: Option<&Judgement>,
    labelled: &[Labelled],
) {
    write!(text, "{name:24} {:6.1}", judgement.scale).unwrap_or_default();
    for measure in Measure::all() {
        let value = judgement.value(measure, labelled);
        write!(text, " {value:8.*}", digits(measure)).unwrap_or_default();
    }
    text.push('\n');
    let Some(first) = first else { return };
    let differences: Vec<_> =
        Measure::all().map(|measure| judgement.difference(first, measure, labelled)).collect();
    let mut row = |title: &str, numbers: &[f64], is_signed: bool| {
        write!(text, "{title:>24} {:6}", "").unwrap_or_default();
        for (measure, number) in Measure::all().zip(numbers) {
            let digits = digits(measure);
            let number = if is_signed { format!("{number:+.digits$}") } else { format!("{number:.digits$}") };
            write!(text, " {number:>8}").unwrap_or_default();
        }
        text.push('\n');
    };
    row("difference", &differences.iter().map(|difference| difference.value).collect::<Vec<_>>(), true);
    row("±", &differences.iter().map(|difference| difference.error).collect::<Vec<_>>(), false);
}

fn title(measure: Measure) -> String {
    match measure {
        Measure::Error => "error".to_owned(),
        Measure::BalancedError => "bal.err".to_owned(),
        Measure::BalancedRank => "rank".to_owned(),
        Measure::DrawBias => "bias".to_owned(),
        Measure::GroupError(group) => format!("{}-{}", GROUPS[group].0, GROUPS[group].1),
    }
}

fn digits(measure: Measure) -> usize {
    if matches!(measure, Measure::BalancedRank | Measure::DrawBias) { 3 } else { 5 }
}
