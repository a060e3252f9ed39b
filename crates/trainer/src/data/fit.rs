//! The win-rate model of `nnue::wdl`, fitted to games by maximum likelihood.

use super::file;
use super::game::{ScoredGame, plies_before};
use chess::Color;
use nnue::wdl::WinRateModel;
use std::path::PathBuf;

/// Scores beyond this say nothing about the curve and would hide it.
const MAX_SCORE: i32 = 2000;
/// Positions before this ply are random.
const FIRST_PLY: u32 = 16;

/// Positions that agree in pieces and score, with their results.
#[derive(Clone, Copy, Debug)]
struct Cell {
    pieces: u32,
    score: f64,
    /// Games lost, drawn, won.
    results: [f64; 3],
}

/// Fits the curve to the games of these files; also returns how many positions were used.
pub fn fit(paths: &[PathBuf]) -> anyhow::Result<(WinRateModel, u64)> {
    const STEP: i32 = 10;
    let mut cells = vec![[0.0_f64; 3]; 33 * (2 * MAX_SCORE / STEP + 1) as usize];
    let mut count = 0;
    for path in paths {
        for game in file::read(path)? {
            for (pieces, score, result) in samples(&game?) {
                let index = pieces as usize * (2 * MAX_SCORE / STEP + 1) as usize
                    + ((score + MAX_SCORE + STEP / 2) / STEP) as usize;
                cells[index][usize::from(result)] += 1.0;
                count += 1;
            }
        }
    }
    let width = (2 * MAX_SCORE / STEP + 1) as usize;
    let cell = |(index, results): (usize, &[f64; 3])| Cell {
        pieces: (index / width) as u32,
        score: f64::from((index % width) as i32 * STEP - MAX_SCORE),
        results: *results,
    };
    let cells: Vec<Cell> =
        cells.iter().enumerate().map(cell).filter(|cell| cell.results.iter().sum::<f64>() > 0.0).collect();
    Ok((climb(&cells), count))
}

/// Pieces, score and result (0 lost, 1 drawn, 2 won) of the side to move, of games that were played to their end.
fn samples(game: &ScoredGame) -> impl Iterator<Item = (u32, i32, u8)> {
    game.positions().filter_map(|(position, _, score)| {
        let side = position.side_to_move();
        let score = if side == Color::White { i32::from(score) } else { -i32::from(score) };
        let used = !game.is_cut_off && score.abs() <= MAX_SCORE && plies_before(&position) >= FIRST_PLY;
        used.then(|| (position.occupied().count(), score, game.outcome.points(side)))
    })
}

/// The curve of the greatest likelihood, by coordinate ascent: each number in turn is changed by steps that shrink.
fn climb(cells: &[Cell]) -> WinRateModel {
    let curve =
        |numbers: [f64; 4]| WinRateModel { half: [numbers[0], numbers[1]], width: [numbers[2], numbers[3]] };
    let mut numbers = [150.0, 100.0, 60.0, 60.0];
    let mut best = likelihood(cells, curve(numbers));
    let mut step = 64.0;
    while step > 0.05 {
        let mut improved = false;
        for index in 0..numbers.len() {
            for sign in [-1.0, 1.0] {
                let mut next = numbers;
                next[index] += sign * step;
                // The two numbers of a line pull against each other: try both at once too.
                for partner in [0.0, -sign * step] {
                    let mut pair = next;
                    pair[index ^ 1] += partner;
                    let value = likelihood(cells, curve(pair));
                    if value > best {
                        (best, numbers, improved) = (value, pair, true);
                    }
                }
            }
        }
        if !improved {
            step /= 2.0;
        }
    }
    curve(numbers)
}

fn likelihood(cells: &[Cell], curve: WinRateModel) -> f64 {
    let log = |chance: f64| chance.max(1e-9).ln();
    let of_cell = |cell: &Cell| {
        let win = curve.win(cell.score, cell.pieces);
        let loss = curve.win(-cell.score, cell.pieces);
        let [lost, drawn, won] = cell.results;
        lost * log(loss) + drawn * log(1.0 - win - loss) + won * log(win)
    };
    cells.iter().map(of_cell).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_curve_is_found_again() {
        let truth = WinRateModel { half: [120.0, 180.0], width: [90.0, -20.0] };
        let mut cells = Vec::new();
        for pieces in 6..=32 {
            for score in (-600..=600).step_by(20).map(f64::from) {
                let (win, loss) = (truth.win(score, pieces), truth.win(-score, pieces));
                cells.push(Cell { pieces, score, results: [loss, 1.0 - win - loss, win] });
            }
        }
        let found = climb(&cells);
        for pieces in [6, 20, 32] {
            assert!((found.half_at(pieces) - truth.half_at(pieces)).abs() < 2.0, "{found:?}");
            assert!((found.width_at(pieces) - truth.width_at(pieces)).abs() < 2.0, "{found:?}");
        }
    }
}
