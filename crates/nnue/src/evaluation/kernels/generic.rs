//! The loops, for any instruction set. Everything is `inline(always)`, to be compiled with the caller's target features.

use super::{Block, ByteBlock, FeatureDelta, Lanes, Rows, Simd};
use crate::architecture::{LANES, SPARSE_EXTRA_NEURONS};

/// Blocks that are kept in registers while rows are added up: 4 of 512 bits, or 16 of 128.
const TILE: usize = 4;

// Rows of extra inputs end where a tile does.
const _: () = assert!(SPARSE_EXTRA_NEURONS.is_multiple_of(TILE * LANES));

#[inline(always)]
pub(super) fn update<S: Simd>(
    simd: S,
    rows: Rows<'_>,
    from: &[Block],
    to: &mut [Block],
    deltas: &[FeatureDelta<usize>],
) {
    let (mut from, mut to) = (from, to);
    for delta in deltas {
        let (from_one, from_rest) = from.split_at(rows.length());
        let (to_one, to_rest) = to.split_at_mut(rows.length());
        update_one(simd, from_one, to_one, delta.map(|index| rows.row(index)));
        (from, to) = (from_rest, to_rest);
    }
}

#[inline(always)]
fn update_one<S: Simd>(simd: S, from: &[Block], to: &mut [Block], delta: FeatureDelta<&[Block]>) {
    match delta {
        FeatureDelta::Nothing => to.copy_from_slice(from),
        FeatureDelta::Move { add, sub } => {
            each(simd, from, to, |at, sum| simd.sub(simd.add(sum, simd.load(&add[at])), simd.load(&sub[at])))
        }
        FeatureDelta::Capture { add, sub: [x, y] } => each(simd, from, to, |at, sum| {
            let more = simd.sub(simd.add(sum, simd.load(&add[at])), simd.load(&x[at]));
            simd.sub(more, simd.load(&y[at]))
        }),
        FeatureDelta::Castling { add: [a, b], sub: [x, y] } => each(simd, from, to, |at, sum| {
            let more = simd.sub(simd.add(sum, simd.load(&a[at])), simd.load(&x[at]));
            simd.sub(simd.add(more, simd.load(&b[at])), simd.load(&y[at]))
        }),
    }
}

#[inline(always)]
fn each<S: Simd>(simd: S, from: &[Block], to: &mut [Block], change: impl Fn(usize, S::Vector) -> S::Vector) {
    for at in 0..to.len() {
        simd.store(change(at, simd.load(&from[at])), &mut to[at]);
    }
}

/// `accumulator += added - removed`, where `row` finds the row of each.
#[inline(always)]
pub(super) fn refresh<'a, S: Simd, B: Lanes + 'a, R: Copy>(
    simd: S,
    accumulator: &mut [Block],
    row: impl Fn(R) -> &'a [B],
    added: &[R],
    removed: &[R],
) {
    let (tiles, rest) = accumulator.as_chunks_mut::<TILE>();
    for (number, [w, x, y, z]) in tiles.iter_mut().enumerate() {
        // Spelled out: a closure given to the standard library would be compiled without the caller's features.
        let (mut a, mut b, mut c, mut d) = (simd.load(w), simd.load(x), simd.load(y), simd.load(z));
        for &item in added {
            let row = &row(item)[number * TILE..][..TILE];
            a = simd.add(a, row[0].lanes(simd));
            b = simd.add(b, row[1].lanes(simd));
            c = simd.add(c, row[2].lanes(simd));
            d = simd.add(d, row[3].lanes(simd));
        }
        for &item in removed {
            let row = &row(item)[number * TILE..][..TILE];
            a = simd.sub(a, row[0].lanes(simd));
            b = simd.sub(b, row[1].lanes(simd));
            c = simd.sub(c, row[2].lanes(simd));
            d = simd.sub(d, row[3].lanes(simd));
        }
        simd.store(a, w);
        simd.store(b, x);
        simd.store(c, y);
        simd.store(d, z);
    }
    let first = tiles.len() * TILE;
    for (number, block) in rest.iter_mut().enumerate() {
        let at = first + number;
        let mut vector = simd.load(block);
        for &item in added {
            vector = simd.add(vector, row(item)[at].lanes(simd));
        }
        for &item in removed {
            vector = simd.sub(vector, row(item)[at].lanes(simd));
        }
        simd.store(vector, block);
    }
}

#[inline(always)]
pub(super) fn output<S: Simd>(
    simd: S,
    accumulators: [&[Block]; 2],
    rows: Rows<'_, ByteBlock>,
    added: [&[u16]; 2],
    weights: [&[Block]; 2],
) -> i32 {
    // Two sums, so that an addition need not wait for the one before.
    let mut sums = [simd.zero(), simd.zero()];
    for half in 0..2 {
        // The rows may end at a tile before the accumulator does.
        let added_from = |first: usize| if first < rows.length() { added[half] } else { &[] };
        let (tiles, rest) = accumulators[half].as_chunks::<TILE>();
        let (weight_tiles, weight_rest) = weights[half].as_chunks::<TILE>();
        for (number, (tile, weights)) in tiles.iter().zip(weight_tiles).enumerate() {
            let first = number * TILE;
            sums = output_tile(simd, sums, tile, weights, rows, added_from(first), first);
        }
        let first = tiles.len() * TILE;
        for (number, (block, weight)) in rest.iter().zip(weight_rest).enumerate() {
            let first = first + number;
            sums = output_tile(simd, sums, &[*block], &[*weight], rows, added_from(first), first);
        }
    }
    simd.total(sums[0]).wrapping_add(simd.total(sums[1]))
}

/// Adds what `N` blocks of an accumulator contribute to the output, after the rows of `added` from block `first` on are
/// added to them.
#[inline(always)]
fn output_tile<S: Simd, const N: usize>(
    simd: S,
    mut sums: [S::Sum; 2],
    blocks: &[Block; N],
    weights: &[Block; N],
    rows: Rows<'_, ByteBlock>,
    added: &[u16],
    first: usize,
) -> [S::Sum; 2] {
    let mut vectors = [simd.load(&blocks[0]); N];
    for at in 1..N {
        vectors[at] = simd.load(&blocks[at]);
    }
    for &index in added {
        let row = &rows.row(index.into())[first..][..N];
        for at in 0..N {
            vectors[at] = simd.add(vectors[at], simd.load_bytes(&row[at]));
        }
    }
    for at in 0..N {
        vectors[at] = simd.screlu(vectors[at]);
        sums[at % 2] = simd.add_products(sums[at % 2], vectors[at], simd.load(&weights[at]));
    }
    sums
}
