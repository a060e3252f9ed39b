//! The loops, for any instruction set. Everything is `inline(always)`, to be compiled with the caller's features.

use super::{Block, Change, Lanes, Rows};

/// Blocks that are kept in registers while rows are added up: 4 of 512 bits, or 16 of 128.
const TILE: usize = 4;

#[inline(always)]
pub(super) fn update<L: Lanes>(
    lanes: L,
    rows: Rows<'_>,
    from: &[Block],
    to: &mut [Block],
    changes: &[Change<usize>],
) {
    let (mut from, mut to) = (from, to);
    for change in changes {
        let (from_view, from_rest) = from.split_at(rows.length);
        let (to_view, to_rest) = to.split_at_mut(rows.length);
        update_view(lanes, from_view, to_view, change.map(|index| rows.row(index)));
        (from, to) = (from_rest, to_rest);
    }
}

#[inline(always)]
fn update_view<L: Lanes>(lanes: L, from: &[Block], to: &mut [Block], change: Change<&[Block]>) {
    match change {
        Change::Nothing => to.copy_from_slice(from),
        Change::Move { down, up } => each(lanes, from, to, |at, sum| {
            lanes.sub(lanes.add(sum, lanes.load(&down[at])), lanes.load(&up[at]))
        }),
        Change::Capture { down, up: [x, y] } => each(lanes, from, to, |at, sum| {
            let more = lanes.sub(lanes.add(sum, lanes.load(&down[at])), lanes.load(&x[at]));
            lanes.sub(more, lanes.load(&y[at]))
        }),
        Change::Castling { down: [a, b], up: [x, y] } => each(lanes, from, to, |at, sum| {
            let more = lanes.sub(lanes.add(sum, lanes.load(&a[at])), lanes.load(&x[at]));
            lanes.sub(lanes.add(more, lanes.load(&b[at])), lanes.load(&y[at]))
        }),
    }
}

#[inline(always)]
fn each<L: Lanes>(
    lanes: L,
    from: &[Block],
    to: &mut [Block],
    change: impl Fn(usize, L::Vector) -> L::Vector,
) {
    for at in 0..to.len() {
        lanes.store(change(at, lanes.load(&from[at])), &mut to[at]);
    }
}

#[inline(always)]
pub(super) fn refresh<L: Lanes>(lanes: L, sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
    let (tiles, rest) = sums.as_chunks_mut::<TILE>();
    for (number, [w, x, y, z]) in tiles.iter_mut().enumerate() {
        // Spelled out: a closure given to the standard library would be compiled without the caller's features.
        let (mut a, mut b, mut c, mut d) = (lanes.load(w), lanes.load(x), lanes.load(y), lanes.load(z));
        for row in added {
            let row = &row[number * TILE..][..TILE];
            a = lanes.add(a, lanes.load(&row[0]));
            b = lanes.add(b, lanes.load(&row[1]));
            c = lanes.add(c, lanes.load(&row[2]));
            d = lanes.add(d, lanes.load(&row[3]));
        }
        for row in removed {
            let row = &row[number * TILE..][..TILE];
            a = lanes.sub(a, lanes.load(&row[0]));
            b = lanes.sub(b, lanes.load(&row[1]));
            c = lanes.sub(c, lanes.load(&row[2]));
            d = lanes.sub(d, lanes.load(&row[3]));
        }
        lanes.store(a, w);
        lanes.store(b, x);
        lanes.store(c, y);
        lanes.store(d, z);
    }
    let first = tiles.len() * TILE;
    for (number, block) in rest.iter_mut().enumerate() {
        let at = first + number;
        let mut vector = lanes.load(block);
        for row in added {
            vector = lanes.add(vector, lanes.load(&row[at]));
        }
        for row in removed {
            vector = lanes.sub(vector, lanes.load(&row[at]));
        }
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
