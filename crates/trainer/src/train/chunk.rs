//! The positions that one thread works on at a time, laid out so that the kernels run over memory in order, and for the
//! way back, for each input the list of the views in which it is active.

use super::features::{InputPair, Target, push_extras, push_inputs};
use super::model::{ALL_INPUTS, InputSets, THREAT_ROW, TILE_ROWS};
use super::simd::{Row, SHORTS, Shorts};
use bulletformat::ChessBoard;
use nnue::architecture::{MAX_PAWN_PAIRS, MAX_THREATS};
use nnue::network::Shape;
use std::ops::Range;

/// The maximum number of positions of a chunk.
pub const CHUNK: usize = 1024;
/// Positions of a group, of each of which it has one view: 256 pairs of rows of derivatives are 32 KiB, which a
/// first-level cache holds, and a number fits in one byte.
pub const GROUP: usize = 256;
/// Bytes of a row of rounded weights.
pub const ROW_BYTES: u32 = size_of::<Shorts>() as u32;
/// The maximum number of inputs of a view; a power of two, so that a masked index needs no check.
const MAX_ACTIVE: usize = (32 + MAX_THREATS + MAX_PAWN_PAIRS).next_power_of_two();
/// The maximum number of inputs of all views of a group.
const GROUP_INPUTS: usize = MAX_ACTIVE * GROUP;

/// The input whose weights lie there in a tile.
#[inline(always)]
pub fn input_at(offset: u32) -> usize {
    (offset / ROW_BYTES) as usize
}

/// Where an input is active: the next `views` entries of the list.
#[derive(Clone, Copy, Debug)]
pub struct InputRun {
    /// The input.
    pub input: u16,
    /// The number of perspectives that have it.
    pub views: u16,
}

/// Inputs of one view of up to [`GROUP`] positions, each with the list of the positions in which it is active;
/// longest lists first, so that the processor can predict where a list ends.
#[derive(Clone, Debug)]
pub struct Group {
    /// One for each active input.
    pub runs: Vec<InputRun>,
    /// The positions, counted within the group, of all runs one after the other; what comes after them means nothing.
    pub views: Box<[u8; GROUP_INPUTS]>,
}

impl Default for Group {
    fn default() -> Group {
        Group { runs: Vec::new(), views: Box::new([0; GROUP_INPUTS]) }
    }
}

/// The active inputs of one kind, of all positions of a chunk.
pub struct ActiveInputs {
    /// The range of input indices of this kind.
    kind: Range<usize>,
    /// Those of position after position, times [`ROW_BYTES`]: where their weights lie in a tile, so that the forward pass,
    /// which needs each of them for every tile, has no shifting to do.
    pub(super) offsets: Vec<InputPair>,
    /// Where the inputs of each position begin, and the end of the last.
    pub(super) starts: Vec<u32>,
    /// The inputs that occur, for the side to move's view and for the other.
    pub(super) listed: [Vec<u16>; 2],
    /// The groups of the side to move's view, then those of the other.
    pub(super) groups: [Vec<Group>; 2],
}

impl ActiveInputs {
    fn new(kind: Range<usize>) -> ActiveInputs {
        ActiveInputs {
            kind,
            offsets: Vec::with_capacity(CHUNK * 32),
            starts: Vec::with_capacity(CHUNK + 1),
            listed: [const { Vec::new() }; 2],
            groups: [const { Vec::new() }; 2],
        }
    }

    fn clear(&mut self) {
        self.offsets.clear();
        self.starts.clear();
    }

    /// Begins the next position, or ends the last one.
    fn begin(&mut self) {
        self.starts.push(self.offsets.len() as u32);
    }

    /// The offsets of each position's inputs.
    #[inline(always)]
    pub fn positions(&self) -> impl Iterator<Item = &[InputPair]> {
        self.starts.windows(2).map(|place| &self.offsets[place[0] as usize..place[1] as usize])
    }

    /// Lists the inputs that occur, with marks that are for all inputs, and makes offsets of them.
    fn list(&mut self, is_listed: &mut [[bool; TILE_ROWS]; 2]) {
        for (half, (listed, is_listed)) in self.listed.iter_mut().zip(is_listed).enumerate() {
            listed.drain(..).for_each(|input| is_listed[usize::from(input) % TILE_ROWS] = false);
            for pair in &self.offsets {
                let is_listed = &mut is_listed[pair[half] as usize % TILE_ROWS];
                if !*is_listed {
                    *is_listed = true;
                    listed.push(pair[half] as u16);
                }
            }
        }
        for pair in &mut self.offsets {
            *pair = pair.map(|input| input * ROW_BYTES);
        }
    }

    /// Makes the lists for the way back.
    fn group(&mut self, sorter: &mut Sorter) {
        let count = self.starts.len() - 1;
        for (half, groups) in self.groups.iter_mut().enumerate() {
            groups.resize_with(count.div_ceil(GROUP), Group::default);
            for (index, group) in groups.iter_mut().enumerate() {
                let first = index * GROUP;
                let starts = &self.starts[first..=(first + GROUP).min(count)];
                sorter.group(half, &self.kind, starts, &self.offsets, group);
            }
        }
    }
}

/// A chunk and the scratch memory of the passes over it.
pub struct Chunk {
    pub(super) shape: Shape,
    /// The pieces.
    pub(super) pieces: ActiveInputs,
    /// The other inputs, which not all neurons have.
    pub(super) extras: ActiveInputs,
    pub(super) buckets: Vec<u8>,
    pub(super) targets: Vec<f32>,
    /// Derivative of the loss by the network's output, after the forward pass.
    pub(super) errors: Vec<f32>,
    /// Sums of the output neuron that are still spread over lanes.
    pub(super) partial: Vec<Row>,
    /// Activations after clipping, before squaring: [`CHUNK`] positions for each thirty-two neurons, both views.
    pub(super) activations: Vec<[Shorts; 2]>,
    sorter: Sorter,
    is_listed: Box<[[bool; TILE_ROWS]; 2]>,
}

impl Chunk {
    /// An empty chunk for networks of this shape.
    pub fn new(shape: Shape) -> Chunk {
        Chunk {
            shape,
            pieces: ActiveInputs::new(0..THREAT_ROW),
            extras: ActiveInputs::new(THREAT_ROW..ALL_INPUTS),
            buckets: Vec::with_capacity(CHUNK),
            targets: Vec::with_capacity(CHUNK),
            errors: Vec::with_capacity(CHUNK),
            partial: Vec::with_capacity(CHUNK),
            activations: vec![[Shorts::ZERO; 2]; CHUNK * (shape.hidden / SHORTS)],
            sorter: Sorter::default(),
            is_listed: Box::new([[false; TILE_ROWS]; 2]),
        }
    }

    /// The number of positions in it.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// True if it has none.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Takes in at most [`CHUNK`] sound records, for a network with these `input_sets`.
    pub fn fill(&mut self, boards: &[ChessBoard], target: Target, input_sets: InputSets) {
        assert!(boards.len() <= CHUNK, "a chunk takes {CHUNK} positions");
        self.pieces.clear();
        self.extras.clear();
        self.buckets.clear();
        self.targets.clear();
        for board in boards {
            self.pieces.begin();
            push_inputs(board, &mut self.pieces.offsets);
            self.extras.begin();
            push_extras(board, input_sets, &mut self.extras.offsets);
            self.buckets.push(self.shape.bucket(board.occ.count_ones()) as u8);
            self.targets.push(target.of(board));
        }
        for active in [&mut self.pieces, &mut self.extras] {
            active.begin();
            active.list(&mut self.is_listed);
        }
    }

    /// Marks the inputs that occur.
    pub fn mark_inputs(&self, occurs: &mut [bool]) {
        for input in
            [&self.pieces, &self.extras].into_iter().flat_map(|active| active.listed.iter().flatten())
        {
            occurs[usize::from(*input)] = true;
        }
    }

    /// Makes the lists for the way back.
    pub fn group(&mut self) {
        self.pieces.group(&mut self.sorter);
        self.extras.group(&mut self.sorter);
    }
}

/// A counting sort with its counters.
struct Sorter {
    counts: Box<[u16; TILE_ROWS]>,
    next: Box<[u16; TILE_ROWS]>,
}

impl Default for Sorter {
    fn default() -> Sorter {
        Sorter { counts: Box::new([0; TILE_ROWS]), next: Box::new([0; TILE_ROWS]) }
    }
}

impl Sorter {
    fn group(
        &mut self,
        half: usize,
        kind: &Range<usize>,
        starts: &[u32],
        offsets: &[InputPair],
        group: &mut Group,
    ) {
        let (counts, next) = (&mut *self.counts, &mut *self.next);
        let active = &offsets[starts[0] as usize..starts[starts.len() - 1] as usize];
        if active.is_empty() {
            group.runs.clear();
            return;
        }
        counts[kind.clone()].fill(0);
        for pair in active {
            counts[input_at(pair[half]) % TILE_ROWS] += 1;
        }
        list_runs(counts, kind, &mut group.runs);
        let mut total = 0;
        for run in &group.runs {
            next[usize::from(run.input) % TILE_ROWS] = total;
            total += run.views;
        }
        let views = &mut *group.views;
        for (position, window) in starts.windows(2).enumerate() {
            for pair in &offsets[window[0] as usize..window[1] as usize] {
                let next = &mut next[input_at(pair[half]) % TILE_ROWS];
                views[usize::from(*next) % GROUP_INPUTS] = position as u8;
                *next += 1;
            }
        }
    }
}

/// Lists the inputs of a kind that occur, those in the most views first.
fn list_runs(counts: &[u16; TILE_ROWS], kind: &Range<usize>, runs: &mut Vec<InputRun>) {
    let counts = &counts[kind.clone()];
    let mut with_count = [0_u16; GROUP + 1];
    for &views in counts {
        with_count[usize::from(views)] += 1;
    }
    let occurring = counts.len() - usize::from(with_count[0]);
    let mut begin = [0_u16; GROUP + 1];
    for views in (0..GROUP).rev() {
        begin[views] = begin[views + 1] + with_count[views + 1];
    }
    // Inputs that do not occur are listed last and cut off: cheaper than a branch for each that goes either way.
    runs.resize(counts.len(), InputRun { input: 0, views: 0 });
    for (input, &views) in kind.clone().zip(counts) {
        let slot = &mut begin[usize::from(views)];
        runs[usize::from(*slot)] = InputRun { input: input as u16, views };
        *slot += 1;
    }
    runs.truncate(occurring);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::sample::boards;

    #[test]
    fn groups_list_every_active_input_once() {
        let mut chunk = Chunk::new(Shape { hidden: 32, buckets: 8 });
        // Without extras after all of them: nothing of the first may be left.
        for input_sets in [InputSets::ALL, InputSets::default()] {
            chunk.fill(&boards(300, 1), Target { wdl_weight: 0.5 }, input_sets);
            chunk.group();
            for active in [&chunk.pieces, &chunk.extras] {
                (0..2).for_each(|half| assert_groups_list_every_input_once(active, half));
            }
        }
    }

    /// For a view of 300 positions.
    fn assert_groups_list_every_input_once(active: &ActiveInputs, half: usize) {
        let groups = &active.groups[half];
        assert_eq!(groups.len(), 2);
        let positions: Vec<_> = active.positions().collect();
        assert_eq!(positions.len(), 300);
        for (group, positions) in groups.iter().zip(positions.chunks(GROUP)) {
            let mut expected = Vec::new();
            for (position, pairs) in positions.iter().enumerate() {
                expected.extend(pairs.iter().map(|pair| (input_at(pair[half]) as u16, position as u8)));
            }
            let mut at = 0;
            let mut found = Vec::new();
            for run in &group.runs {
                found.extend(
                    group.views[at..][..usize::from(run.views)].iter().map(|&view| (run.input, view)),
                );
                at += usize::from(run.views);
            }
            assert!(group.runs.is_sorted_by_key(|run| GROUP - usize::from(run.views)));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
