//! The loops, for any instruction set. Everything is `inline(always)`, to be compiled with the caller's target features.

use super::{Activations, Block, ByteBlock, FeatureDelta, Lanes, LayerWeights, Rows, Simd, Sums};
use crate::architecture::{L2_HIDDEN, L2_SIZE, L2_SQUARE_SHIFT, L2_UNIT, LANES, SPARSE_EXTRA_NEURONS};

/// Blocks that are kept in registers while rows are added up: 4 of 512 bits, or 16 of 128.
const TILE: usize = 4;

// Rows of extra inputs and inputs of the second layer end where a tile does.
const _: () =
    assert!(SPARSE_EXTRA_NEURONS.is_multiple_of(TILE * LANES) && L2_HIDDEN.is_multiple_of(TILE * LANES));
// The upper half of the product of twice a number and twice a number is its square, shifted.
const _: () = assert!(L2_SQUARE_SHIFT == 14 && 2 * L2_UNIT <= i16::MAX as i32);

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
    layers: Option<(LayerWeights<'_>, &mut [Activations])>,
) -> i64 {
    let Some((layers, activations)) = layers else {
        return i64::from(direct(simd, accumulators, rows, added, weights, &mut []));
    };
    let direct = direct(simd, accumulators, rows, added, weights, activations);
    i64::from(direct) + i64::from(through_layers(simd, activations, layers))
}

/// The sum of the direct way from the first layer to the output. The first activations of each perspective are written to
/// `activations`, as many as there is room for.
#[inline(always)]
fn direct<S: Simd>(
    simd: S,
    accumulators: [&[Block]; 2],
    rows: Rows<'_, ByteBlock>,
    added: [&[u16]; 2],
    weights: [&[Block]; 2],
    activations: &mut [Activations],
) -> i32 {
    // Two sums, so that an addition need not wait for the one before.
    let mut sums = [simd.zero(), simd.zero()];
    let (own, opponent) = activations.split_at_mut(activations.len() / 2);
    for (half, mut activations) in [own, opponent].into_iter().enumerate() {
        // The rows may end at a tile before the accumulator does.
        let added_from = |first: usize| if first < rows.length() { added[half] } else { &[] };
        let (tiles, rest) = accumulators[half].as_chunks::<TILE>();
        let (weight_tiles, weight_rest) = weights[half].as_chunks::<TILE>();
        for (number, (tile, weights)) in tiles.iter().zip(weight_tiles).enumerate() {
            let first = number * TILE;
            let written = activations.split_off_mut(..TILE);
            sums = output_tile(simd, sums, tile, weights, rows, added_from(first), first, written);
        }
        let first = tiles.len() * TILE;
        for (number, (block, weight)) in rest.iter().zip(weight_rest).enumerate() {
            let first = first + number;
            let written = activations.split_off_mut(..1);
            sums = output_tile(simd, sums, &[*block], &[*weight], rows, added_from(first), first, written);
        }
    }
    simd.total(sums[0]).wrapping_add(simd.total(sums[1]))
}

/// Adds what `N` blocks of an accumulator contribute to the output, after the rows of `added` from block `first` on are
/// added to them; writes their activations, if there is a place for them.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn output_tile<S: Simd, const N: usize>(
    simd: S,
    mut sums: [S::Sum; 2],
    blocks: &[Block; N],
    weights: &[Block; N],
    rows: Rows<'_, ByteBlock>,
    added: &[u16],
    first: usize,
    activations: Option<&mut [Activations]>,
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
    if let Some(activations) = activations {
        for at in 0..N {
            simd.store_activations(vectors[at], &mut activations[at]);
        }
    }
    sums
}

/// The output of the layers behind the first for the activations of both perspectives.
#[inline(always)]
fn through_layers<S: Simd>(simd: S, activations: &[Activations], layers: LayerWeights<'_>) -> i32 {
    let unit = L2_UNIT as i16;
    let sums = simd.add_sums(simd.l2_sums(activations, layers.l2), simd.load_sums(layers.l2_bias));
    let clipped = simd.clamp(simd.pack(sums, sums), -unit, unit);
    let twice = simd.add(clipped, clipped);
    // Each sum is in both halves of a vector; of the clipped ones the first is taken, of the squares the second.
    let [mut positive, mut squares] = [Block::ZERO; 2];
    simd.store(simd.clamp(clipped, 0, unit), &mut positive);
    simd.store(simd.mul_high(twice, twice), &mut squares);
    // Two sums of each neuron, so that an addition need not wait for the one before.
    let [mut a, mut b] = [&layers.l3_bias[0], &layers.l3_bias[1]].map(|sums| simd.load_sums(sums));
    let [mut c, mut d] = [simd.load_sums(&Sums([0; L2_SIZE])); 2];
    let (first, second) = layers.l3.split_at(layers.l3.len() / 2);
    for ((positive, first), (square, second)) in positive.pairs().zip(first).zip(squares.pairs().zip(second))
    {
        a = simd.add_pair(a, positive, &first[0]);
        b = simd.add_pair(b, positive, &first[1]);
        c = simd.add_pair(c, square, &second[0]);
        d = simd.add_pair(d, square, &second[1]);
    }
    let (low, high) = (simd.add_sums(a, c), simd.add_sums(b, d));
    let inputs = simd.clamp(simd.pack(simd.shift(low), simd.shift(high)), 0, unit);
    simd.total(simd.add_products(simd.zero(), inputs, simd.load(layers.l4)))
}
