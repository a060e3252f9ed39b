//! Reports of a tuning run: a line while it runs, a table and a picture.

use super::parameters::Parameter;
use super::state::{PLUS, TuneState};
use crate::matches::setup::MatchSetup;
use crate::plot::{Chart, Series};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::Path;

/// Number of curves with a name in the picture: those of the parameters that have gone furthest.
const NAMED: usize = 12;

/// The state in one line: results of the + side, the parameters that have gone furthest, faults.
pub fn short(state: &TuneState, setup: &MatchSetup) -> String {
    let [lost, drawn, won] = state.results.pentanomials[PLUS].games;
    let mut text = format!("+{won} -{lost} ={drawn}");
    for index in furthest(state).into_iter().take(3) {
        let (parameter, value) = (&state.parameters[index], state.theta[index]);
        let _ = write!(text, "  {} {}→{value:.1}", parameter.name, parameter.start);
    }
    let faults = state.results.fault_words(&setup.names());
    if !faults.is_empty() {
        let _ = write!(text, "  faults: {faults}");
    }
    text
}

/// Indices of the parameters, those first that have gone furthest in their own steps.
fn furthest(state: &TuneState) -> Vec<usize> {
    let steps: Vec<f64> = state.moved().map(|(_, steps)| steps.abs()).collect();
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by(|&one, &other| steps[other].total_cmp(&steps[one]));
    order
}

/// A line for each parameter: where it began and where it is, and the change also in steps (c_end).
pub fn table(state: &TuneState) -> String {
    let width = state.parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0).max(9);
    let mut text =
        format!("{:width$} {:>9} {:>9} {:>9} {:>7}  range\n", "parameter", "start", "now", "change", "steps");
    for ((parameter, steps), now) in state.moved().zip(&state.theta) {
        let Parameter { name, start, min, max, .. } = parameter;
        let change = now - start;
        let _ =
            writeln!(text, "{name:width$} {start:>9} {now:>9.2} {change:>+9.2} {steps:>+7.2}  {min}..{max}");
    }
    text
}

/// The parameters as they are now, rounded, in the form that OpenBench and `--parameters` take.
pub fn lines(state: &TuneState) -> String {
    let pairs = state.parameters.iter().zip(&state.theta);
    pairs.map(|(parameter, value)| parameter.line(value.round()) + "\n").collect()
}

/// Draws how far each parameter has gone from its start, in steps, over the iterations.
pub fn draw(path: &Path, state: &TuneState) -> Result<()> {
    let named = furthest(state);
    let named = &named[..named.len().min(NAMED)];
    let mut history = state.history.clone();
    history.push((state.finished, state.theta.clone()));
    let curve = |(index, parameter): (usize, &Parameter)| Series {
        name: if named.contains(&index) { parameter.name.clone() } else { String::new() },
        points: history
            .iter()
            .map(|(finished, theta)| (*finished as f64, (theta[index] - parameter.start) / parameter.c_end))
            .collect(),
    };
    let chart = Chart {
        title: format!("{} of {} iterations", state.finished, state.iterations()),
        x_label: "iterations".into(),
        y_label: "steps (c_end) from the start".into(),
        curves: state.parameters.iter().enumerate().map(curve).collect(),
        levels: vec![0.0],
        ..Chart::default()
    };
    std::fs::write(path, chart.svg()?).with_context(|| format!("the picture {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::parameters;
    use crate::tune::spsa::SpsaSchedule;
    use crate::tune::state::Iteration;

    fn state() -> TuneState {
        let text = "margin, int, 100, 0, 200, 8, 0.5\ndepth, int, 5, 0, 9, 1, 0.002";
        let mut state =
            TuneState::new(parameters::parse(text.lines()).unwrap(), SpsaSchedule { iterations: 4 }, 1);
        for k in 1..=3 {
            let mut iteration = Iteration::new(state.perturb(k));
            iteration.signs = "+-".to_owned().try_into().unwrap();
            iteration.add_pair([2, 1]);
            state.add(&iteration).unwrap();
        }
        state
    }

    #[test]
    fn the_table_tells_start_now_and_change() {
        let state = state();
        let text = table(&state);
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!((row[0], row[1], row[5]), ("margin", "100", "0..200"));
        let (now, change): (f64, f64) = (row[2].parse().unwrap(), row[3].parse().unwrap());
        assert!(change > 8.0 && (now - change - 100.0).abs() < 0.02, "{text}");
        assert!(text.lines().nth(2).unwrap().contains("-0.0"), "{text}");
        let again = parameters::parse(lines(&state).lines()).unwrap();
        assert_eq!(again[0].start, now.round());
        assert_eq!(lines(&state).lines().nth(1), Some("depth, int, 5, 0, 9, 1, 0.002"));
    }

    #[test]
    fn the_picture_names_curves() {
        let path = std::env::temp_dir().join(format!("tamarack-tune-{}.svg", std::process::id()));
        draw(&path, &state()).unwrap();
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.contains("margin") && svg.contains("3 of 4 iterations"), "{svg}");
        std::fs::remove_file(path).unwrap();
        assert!(draw(Path::new("/no/such/folder/x.svg"), &state()).is_err());
    }
}
