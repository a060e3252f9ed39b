//! The loops, for any instruction set. Everything is `inline(always)`, to be compiled with the caller's target features.

use super::{Activations, Block, ByteBlock, FeatureDelta, Lanes, LayerWeights, Rows, Simd, Sums};
use crate::eval::architecture::{EXTRA_HIDDEN, L2_SIZE, LANES};
use crate::eval::layers::{l3_inputs, l4_inputs};

/// Blocks that are kept in registers while rows are added up: 4 of 512 bits, or 16 of 128.
const TILE: usize = 4;

// Rows of extra inputs end where a tile does.
const _: () = assert!(EXTRA_HIDDEN.is_multiple_of(TILE * LANES));

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

/// The sum of the direct way from the first layer to the output. Its activations are written to `activations`, unless that
/// is empty.
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
    let mut activations = activations;
    for half in 0..2 {
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
    let zero = Sums([0; L2_SIZE]);
    // Several sums of each neuron, so that an addition need not wait for the one before.
    let [mut a, mut b, mut c, mut d] = [layers.l2_bias, &zero, &zero, &zero].map(|sums| simd.load_sums(sums));
    for (activations, rows) in activations.iter().zip(layers.l2.as_chunks::<{ LANES / 4 }>().0) {
        let quads = activations.0.as_chunks::<4>().0;
        for at in 0..LANES / 16 {
            let quad = |index: usize| i32::from_ne_bytes(quads[4 * at + index]);
            a = simd.add_quad(a, quad(0), &rows[4 * at]);
            b = simd.add_quad(b, quad(1), &rows[4 * at + 1]);
            c = simd.add_quad(c, quad(2), &rows[4 * at + 2]);
            d = simd.add_quad(d, quad(3), &rows[4 * at + 3]);
        }
    }
    let mut sums = zero;
    simd.store_sums(simd.add_sums(simd.add_sums(a, b), simd.add_sums(c, d)), &mut sums);
    let inputs = l3_inputs(&sums);
    let pairs = inputs.0.as_chunks::<2>().0;
    let [mut a, mut b] = [&layers.l3_bias[0], &layers.l3_bias[1]].map(|sums| simd.load_sums(sums));
    let [mut c, mut d] = [simd.load_sums(&zero); 2];
    let (l3, _) = layers.l3.as_chunks::<2>();
    for (at, [first, second]) in l3.iter().enumerate() {
        let [one, other] = [pairs[2 * at], pairs[2 * at + 1]]
            .map(|[low, high]| i32::from(low) & 0xFFFF | i32::from(high) << 16);
        a = simd.add_pair(a, one, &first[0]);
        b = simd.add_pair(b, one, &first[1]);
        c = simd.add_pair(c, other, &second[0]);
        d = simd.add_pair(d, other, &second[1]);
    }
    let mut sums = [zero; 2];
    simd.store_sums(simd.add_sums(a, c), &mut sums[0]);
    simd.store_sums(simd.add_sums(b, d), &mut sums[1]);
    let inputs = simd.load(&l4_inputs(&sums));
    simd.total(simd.add_products(simd.zero(), inputs, simd.load(layers.l4)))
}
