//! The loops, for any instruction set. Everything is `inline(always)`, to be compiled with the caller's features.

use super::{Block, Lanes};

/// Blocks that are kept in registers while rows are added up: 4 of 512 bits, or 16 of 128.
const TILE: usize = 4;

#[inline(always)]
pub(super) fn update<L: Lanes>(
    lanes: L,
    from: &[Block],
    to: &mut [Block],
    added: &[&[Block]],
    removed: &[&[Block]],
) {
    match (added, removed) {
        ([a], [x]) => {
            each(lanes, from, to, |at, sum| lanes.sub(lanes.add(sum, lanes.load(&a[at])), lanes.load(&x[at])))
        }
        ([a], [x, y]) => each(lanes, from, to, |at, sum| {
            let more = lanes.sub(lanes.add(sum, lanes.load(&a[at])), lanes.load(&x[at]));
            lanes.sub(more, lanes.load(&y[at]))
        }),
        ([a, b], [x, y]) => each(lanes, from, to, |at, sum| {
            let more = lanes.sub(lanes.add(sum, lanes.load(&a[at])), lanes.load(&x[at]));
            lanes.sub(lanes.add(more, lanes.load(&b[at])), lanes.load(&y[at]))
        }),
        _ => {
            to.copy_from_slice(from);
            refresh(lanes, to, added, removed);
        }
    }
}

#[inline(always)]
fn each<L: Lanes>(
    lanes: L,
    from: &[Block],
    to: &mut [Block],
    change: impl Fn(usize, L::Vector) -> L::Vector,
) {
    for (at, (from, to)) in from.iter().zip(to).enumerate() {
        lanes.store(change(at, lanes.load(from)), to);
    }
}

#[inline(always)]
pub(super) fn refresh<L: Lanes>(lanes: L, sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
    let (tiles, rest) = sums.as_chunks_mut::<TILE>();
    for (number, tile) in tiles.iter_mut().enumerate() {
        let at = number * TILE;
        let mut vectors = [0, 1, 2, 3].map(|block| lanes.load(&tile[block]));
        for row in added {
            let row = &row[at..at + TILE];
            vectors = [0, 1, 2, 3].map(|block| lanes.add(vectors[block], lanes.load(&row[block])));
        }
        for row in removed {
            let row = &row[at..at + TILE];
            vectors = [0, 1, 2, 3].map(|block| lanes.sub(vectors[block], lanes.load(&row[block])));
        }
        for (block, vector) in tile.iter_mut().zip(vectors) {
            lanes.store(vector, block);
        }
    }
    let first = tiles.len() * TILE;
    for (number, block) in rest.iter_mut().enumerate() {
        let at = first + number;
        let mut vector = lanes.load(block);
        vector = added.iter().fold(vector, |sum, row| lanes.add(sum, lanes.load(&row[at])));
        vector = removed.iter().fold(vector, |sum, row| lanes.sub(sum, lanes.load(&row[at])));
        lanes.store(vector, block);
    }
}

#[inline(always)]
pub(super) fn output<L: Lanes>(lanes: L, sums: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
    let mut totals = [lanes.zero(); 2];
    for half in 0..2 {
        for (pair, weights) in sums[half].chunks(2).zip(weights[half].chunks(2)) {
            for ((total, values), weights) in totals.iter_mut().zip(pair).zip(weights) {
                *total = lanes.add_squares(*total, lanes.load(values), lanes.load(weights));
            }
        }
    }
    lanes.total(totals[0]).wrapping_add(lanes.total(totals[1]))
}
