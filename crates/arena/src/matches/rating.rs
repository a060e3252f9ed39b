//! Ratings of several engines by maximum likelihood in the model of Bradley and Terry (1952), a draw being half a win.
//! The errors are estimated from pairs of games.

use super::elo::{ELO_SCALE, QUANTILE_95, expected_score};
use super::pentanomial::Pentanomial;

/// Natural logarithm of the odds for each point of Elo.
const SCALE: f64 = 1.0 / ELO_SCALE;

/// The rating of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo: relative to the mean of all, or on the scale of the anchors.
    pub elo: f64,
    /// Half the 95% interval; 0 for an anchor.
    pub error: f64,
    /// It won or lost everything: the rating is only a bound, made finite by half an imagined draw in each pairing.
    pub extreme: bool,
}

/// Rates `count` engines by the results of pairings. Where `anchors` holds a value, it stands.
pub fn rate(
    count: usize,
    pairings: &[(usize, usize)],
    pentanomials: &[Pentanomial],
    anchors: &[Option<f64>],
) -> Vec<Rating> {
    let totals = totals(count, pairings, pentanomials);
    let extreme: Vec<bool> =
        totals.iter().map(|&(points, games)| games > 0.0 && (points == 0.0 || points == games)).collect();
    let pairings: Vec<Pairing> = pairings
        .iter()
        .zip(pentanomials)
        .filter(|(_, pentanomial)| pentanomial.count() > 0)
        .map(|(&(first, second), pentanomial)| {
            Pairing::new(first, second, pentanomial, extreme[first] || extreme[second])
        })
        .collect();
    let model = BradleyTerry {
        anchors: (0..count).map(|index| anchors.get(index).copied().flatten()).collect(),
        pairings,
    };
    let ratings = model.solve();
    let errors = model.errors(&ratings);
    (0..count).map(|i| Rating { elo: ratings[i], error: errors[i], extreme: extreme[i] }).collect()
}

/// Points and games of every engine.
pub fn totals(count: usize, pairings: &[(usize, usize)], pentanomials: &[Pentanomial]) -> Vec<(f64, f64)> {
    let mut totals = vec![(0.0, 0.0); count];
    for (&(first, second), pentanomial) in pairings.iter().zip(pentanomials) {
        let games = pentanomial.count() as f64;
        let points = pentanomial.score() * games;
        for (index, points) in [(first, points), (second, games - points)] {
            totals[index].0 += points;
            totals[index].1 += games;
        }
    }
    totals
}

struct Pairing {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
    /// Variance of `points`, as the pairs show it; `None` if there is no spread.
    variance: Option<f64>,
}

impl Pairing {
    fn new(first: usize, second: usize, pentanomial: &Pentanomial, soften: bool) -> Self {
        let games = pentanomial.count() as f64;
        let extra = if soften { 0.5 } else { 0.0 };
        let outcomes = pentanomial.distribution();
        let variance = outcomes.deviation_per_game().powi(2) * games;
        Self {
            first,
            second,
            games: games + extra,
            points: pentanomial.score() * games + extra / 2.0,
            variance: (variance > 0.0).then_some(variance),
        }
    }

    fn expected(&self, ratings: &[f64]) -> f64 {
        expected_score(ratings[self.first] - ratings[self.second])
    }
}

struct BradleyTerry {
    anchors: Vec<Option<f64>>,
    pairings: Vec<Pairing>,
}

type Matrix = Vec<Vec<f64>>;

impl BradleyTerry {
    /// Newton's method; the likelihood is concave.
    fn solve(&self) -> Vec<f64> {
        let count = self.anchors.len();
        let known: Vec<f64> = self.anchors.iter().copied().flatten().collect();
        let start = if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
        let mut ratings: Vec<f64> = self.anchors.iter().map(|anchor| anchor.unwrap_or(start)).collect();
        for _ in 0..200 {
            let mut gradient = vec![0.0; count];
            for pairing in &self.pairings {
                let surplus = SCALE * (pairing.points - pairing.games * pairing.expected(&ratings));
                gradient[pairing.first] += surplus;
                gradient[pairing.second] -= surplus;
            }
            let inverse = invert(self.information(&ratings));
            let mut largest: f64 = 0.0;
            for index in (0..count).filter(|&index| self.anchors[index].is_none()) {
                let free = (0..count).filter(|&other| self.anchors[other].is_none());
                let step: f64 = free.map(|other| inverse[index][other] * gradient[other]).sum();
                // Far from the top the parabola is a bad guide.
                ratings[index] += step.clamp(-200.0, 200.0);
                largest = largest.max(step.abs());
            }
            if largest < 1e-9 {
                break;
            }
        }
        ratings
    }

    /// Fisher information, made regular: anchors stand, and without anchors the mean does.
    fn information(&self, ratings: &[f64]) -> Matrix {
        let count = ratings.len();
        let floating = self.anchors.iter().all(Option::is_none);
        // A trace of weight on every diagonal, for engines without games.
        let weight = if floating { SCALE * SCALE } else { 0.0 };
        let mut matrix = vec![vec![weight; count]; count];
        for (index, row) in matrix.iter_mut().enumerate() {
            row[index] += 1e-12;
        }
        for pairing in &self.pairings {
            let expected = pairing.expected(ratings);
            add_pair(&mut matrix, pairing, SCALE * SCALE * pairing.games * expected * (1.0 - expected));
        }
        for index in (0..count).filter(|&index| self.anchors[index].is_some()) {
            matrix[index].fill(0.0);
            matrix.iter_mut().for_each(|row| row[index] = 0.0);
            matrix[index][index] = 1.0;
        }
        matrix
    }

    /// The "sandwich" of the information round the observed variance: draws and reversed colours make results less
    /// spread than the model believes.
    fn errors(&self, ratings: &[f64]) -> Vec<f64> {
        let count = ratings.len();
        let inverse = invert(self.information(ratings));
        let mut spread = vec![vec![0.0; count]; count];
        for pairing in &self.pairings {
            let expected = pairing.expected(ratings);
            let variance = pairing.variance.unwrap_or(pairing.games * expected * (1.0 - expected));
            add_pair(&mut spread, pairing, SCALE * SCALE * variance);
        }
        let product = multiply(&multiply(&inverse, &spread), &inverse);
        let is_free = |index: usize| self.anchors[index].is_none();
        (0..count)
            .map(|i| if is_free(i) { QUANTILE_95 * product[i][i].max(0.0).sqrt() } else { 0.0 })
            .collect()
    }
}

fn add_pair(matrix: &mut Matrix, pairing: &Pairing, weight: f64) {
    let (first, second) = (pairing.first, pairing.second);
    matrix[first][first] += weight;
    matrix[second][second] += weight;
    matrix[first][second] -= weight;
    matrix[second][first] -= weight;
}

fn multiply(left: &Matrix, right: &Matrix) -> Matrix {
    let cell =
        |row: &Vec<f64>, column: usize| row.iter().zip(right).map(|(a, other)| a * other[column]).sum();
    left.iter().map(|row| (0..row.len()).map(|column| cell(row, column)).collect()).collect()
}

/// Gauss and Jordan, with pivoting.
fn invert(mut matrix: Matrix) -> Matrix {
    let count = matrix.len();
    let mut inverse: Matrix =
        (0..count).map(|i| (0..count).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..count {
        let largest = |&a: &usize, &b: &usize| matrix[a][column].abs().total_cmp(&matrix[b][column].abs());
        let pivot = (column..count).max_by(largest).unwrap_or(column);
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let head = matrix[column][column];
        for rows in [&mut matrix, &mut inverse] {
            rows[column].iter_mut().for_each(|value| *value /= head);
        }
        for row in (0..count).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for rows in [&mut matrix, &mut inverse] {
                let source = rows[column].clone();
                rows[row].iter_mut().zip(&source).for_each(|(value, other)| *value -= factor * other);
            }
        }
    }
    inverse
}

/// The table, best first. `references` are ratings from lists, shown beside ours.
pub fn table(
    names: &[String],
    totals: &[(f64, f64)],
    ratings: &[Rating],
    references: &[Option<f64>],
) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(4).max(6);
    let with_references = references.iter().any(Option::is_some);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let mut text = format!("  # {:width$}      Elo      ±   games   score", "engine");
    text.push_str(if with_references { "   reference\n" } else { "\n" });
    for (place, index) in order.into_iter().enumerate() {
        let (points, games) = totals[index];
        let rating = ratings[index];
        let score = if games > 0.0 { 100.0 * points / games } else { 0.0 };
        let error = if rating.error > 0.0 { format!("{:.1}", rating.error) } else { "fixed".to_owned() };
        let mark = if rating.extreme { "*" } else { " " };
        text.push_str(&format!(
            "{:3} {:width$} {:8.1}{mark} {error:>6} {games:7} {score:6.1}%",
            place + 1,
            names[index],
            rating.elo
        ));
        match references.get(index).copied().flatten() {
            Some(reference) => text.push_str(&format!("   {reference:9.0}\n")),
            None => text.push('\n'),
        }
    }
    if ratings.iter().any(|rating| rating.extreme) {
        text.push_str("  * won or lost every game: only a bound\n");
    }
    text
}
