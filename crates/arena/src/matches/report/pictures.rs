//! The pictures of a report.

use super::tables::OpeningScore;
use crate::matches::elo::EloDifference;
use crate::matches::results::Results;
use crate::matches::results_file::{GameRecord, MatchHeader};
use crate::matches::sprt::Sprt;
use crate::plot::{self, Chart, Series};
use anyhow::Result;
use std::collections::BTreeMap;

/// The statistics after each pair of games.
pub struct History {
    /// For each pairing: games, Elo, low, high.
    elo: Vec<Vec<(f64, f64, f64, f64)>>,
    llr: Vec<(f64, f64)>,
}

impl History {
    /// The history of these games, which are added to `results`.
    pub fn new(
        header: &MatchHeader,
        records: &[GameRecord],
        sprt: Option<&Sprt>,
        results: &mut Results,
    ) -> Self {
        /// Elo, beyond which the curve is cut: the first pairs may be all won.
        const MAX_ELO: f64 = 800.0;
        let bounded = |elo: f64| elo.clamp(-MAX_ELO, MAX_ELO);
        let mut history = Self { elo: vec![Vec::new(); header.pairings.len()], llr: vec![(0.0, 0.0)] };
        for record in records {
            if !results.add(record) {
                continue;
            }
            let index = record.number / 2 % header.pairings.len();
            let pentanomial = &results.pentanomials[index];
            let (games, elo) = (pentanomial.count() as f64, EloDifference::of(pentanomial).elo);
            history.elo[index].push((games, bounded(elo.value), bounded(elo.low), bounded(elo.high)));
            if let Some(sprt) = sprt.filter(|_| index == 0) {
                history.llr.push((games, sprt.llr(pentanomial)));
            }
        }
        history
    }

    /// Elo by the number of games, from the first pair on.
    pub fn elo_picture(&self, header: &MatchHeader) -> Result<String> {
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

    /// The log likelihood ratio by the number of games.
    pub fn llr_picture(&self, sprt: &Sprt) -> Result<String> {
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
    let kept = points.iter().enumerate().filter(|(index, _)| index % step == 0 || *index == last);
    kept.map(|(_, point)| *point).collect()
}

/// Openings by White's score, which shows lines that decide games by themselves.
pub fn openings(scores: &BTreeMap<usize, OpeningScore<'_>>) -> Result<String> {
    let mut classes: BTreeMap<u64, f64> = BTreeMap::new();
    for score in scores.values() {
        *classes.entry((score.white / score.games * 20.0).round() as u64).or_default() += 1.0;
    }
    let bars: Vec<(f64, f64)> =
        classes.iter().map(|(&class, &count)| (class as f64 * 5.0 - 2.5, count)).collect();
    plot::bars("Openings by White's score", "White's score, %", "openings", 5.0, &bars)
}

/// Games by their number of moves.
pub fn lengths(records: &[GameRecord]) -> Result<String> {
    const WIDTH: usize = 10;
    let mut classes: BTreeMap<usize, f64> = BTreeMap::new();
    for record in records {
        *classes.entry(record.times.len() / 2 / WIDTH).or_default() += 1.0;
    }
    let bars: Vec<(f64, f64)> =
        classes.iter().map(|(&class, &count)| ((class * WIDTH) as f64, count)).collect();
    plot::bars("Length of games", "moves", "games", WIDTH as f64, &bars)
}

/// Sums over the moves of one number.
#[derive(Clone, Copy, Debug, Default)]
struct MoveSums {
    moves: f64,
    milliseconds: f64,
    /// Moves whose score is no mate: a mate that is seen ends the search at any depth.
    deepened: f64,
    plies: f64,
}

/// Mean time and depth by number of the move, for each engine.
pub fn times(header: &MatchHeader, records: &[GameRecord]) -> Result<String> {
    let sums = sums(header.names.len(), records);
    let chart = |title: &str, unit: &str, value: &dyn Fn(&MoveSums) -> (f64, f64)| {
        let curve = |(name, sums): (&String, &Vec<MoveSums>)| Series {
            name: name.clone(),
            // Few games are that long: their mean would only jump about.
            points: (1_u32..)
                .zip(sums)
                .map(|(number, sums)| (number, value(sums)))
                .filter(|(_, (count, _))| *count >= 3.0)
                .map(|(number, (count, sum))| (f64::from(number), sum / count))
                .collect(),
        };
        let (title, x_label) = (title.to_owned(), "move after the opening".to_owned());
        let curves = header.names.iter().zip(&sums).map(curve).collect();
        Chart { title, x_label, y_label: unit.to_owned(), curves, ..Chart::default() }.svg()
    };
    let mut out = chart("Time for a move", "milliseconds", &|sums| (sums.moves, sums.milliseconds))?;
    let depth = chart("Nominal depth, mates left out", "plies", &|sums| (sums.deepened, sums.plies))?;
    out.push_str(&depth);
    Ok(out)
}

fn sums(engines: usize, records: &[GameRecord]) -> Vec<Vec<MoveSums>> {
    const MAX_MOVES: usize = 120;
    let mut sums = vec![vec![MoveSums::default(); MAX_MOVES]; engines];
    for record in records {
        let black_first = record.fen.split(' ').nth(1) == Some("b");
        let mates = mates(&record.pgn).chain(std::iter::repeat(false));
        for (ply, ((&time, &depth), mate)) in record.times.iter().zip(&record.depths).zip(mates).enumerate() {
            let white_moves = (ply % 2 == 0) != black_first;
            let engine = if white_moves { record.white } else { record.black };
            let Some(sums) = sums[engine].get_mut(ply / 2) else { break };
            sums.moves += 1.0;
            sums.milliseconds += f64::from(time);
            if !mate {
                sums.deepened += 1.0;
                sums.plies += f64::from(depth);
            }
        }
    }
    sums
}

/// For each move of the engines in a PGN of ours, true if its score is a mate.
fn mates(pgn: &str) -> impl Iterator<Item = bool> {
    let moves = pgn.split_once("\n\n").map_or("", |(_, moves)| moves);
    let comments = moves.split('{').skip(1).filter(|comment| !comment.starts_with("book}"));
    comments.map(|comment| comment.starts_with("+M") || comment.starts_with("-M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_known_by_the_comments() {
        let pgn = "[White \"a {+M1\"]\n\n1. e4 {book} e5 {+0.10/5 0.1s} 2. Qh5 {+M2/9 0.1s} Ke7\n{-M1/3 0.1s, a wins}\n";
        assert_eq!(mates(pgn).collect::<Vec<_>>(), [false, true, true]);
    }
}
