//! The positions that one thread works on at a time, laid out so that the kernels run over memory in order, and for the
//! way back, for each input the list of the views in which it is active.

use super::features::{Pair, Target, push_extras, push_inputs};
use super::model::{ALL_INPUTS, Extras, TILE_ROWS};
use super::simd::{Row, SHORTS, Shorts};
use bulletformat::ChessBoard;
use tamarack::eval::architecture::{MAX_PAWN_PAIRS, MAX_THREATS};
use tamarack::eval::network::Shape;

/// The most positions of a chunk.
pub const CHUNK: usize = 1024;
/// Positions of a group, of each of which it has one view: 256 pairs of rows of derivatives are 32 KiB, which a
/// first-level cache holds, and a number fits in one byte.
pub const GROUP: usize = 256;
/// Bytes of a row of rounded weights.
pub const ROW_BYTES: u32 = size_of::<Shorts>() as u32;
/// The most inputs that a view has; a power of two, so that a masked index needs no check.
const MAX_ACTIVE: usize = (32 + MAX_THREATS + MAX_PAWN_PAIRS).next_power_of_two();
/// The most inputs that the views of a group have together.
const GROUP_INPUTS: usize = MAX_ACTIVE * GROUP;

/// The input whose weights lie there in a tile.
#[inline(always)]
pub fn input_at(offset: u32) -> usize {
    (offset / ROW_BYTES) as usize
}

/// Where an input is active: the next `views` entries of the list.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The input.
    pub input: u16,
    /// The number of perspectives that have it.
    pub views: u16,
}

/// The inputs of one view of up to [`GROUP`] positions, each with the list of the positions in which it is active;
/// longest lists first, so that the processor can predict where a list ends.
#[derive(Clone, Debug)]
pub struct Group {
    /// One for each active input.
    pub runs: Vec<Run>,
    /// The positions, counted within the group, of all runs one after the other; what comes after them means nothing.
    pub views: Box<[u8; GROUP_INPUTS]>,
}

impl Default for Group {
    fn default() -> Group {
        Group { runs: Vec::with_capacity(ALL_INPUTS), views: Box::new([0; GROUP_INPUTS]) }
    }
}

/// A chunk and the scratch memory of the passes over it.
pub struct Chunk {
    pub(super) shape: Shape,
    /// Inputs of all pieces, position after position, times [`ROW_BYTES`]: where their weights lie in a tile, so that the
    /// forward pass, which needs each of them for every tile, has no shifting to do.
    pub(super) offsets: Vec<Pair>,
    /// The inputs that occur, for the side to move's view and for the other.
    pub(super) inputs: [Vec<u16>; 2],
    /// Where the inputs of each position begin, and the end of the last.
    pub(super) starts: Vec<u32>,
    pub(super) buckets: Vec<u8>,
    pub(super) targets: Vec<f32>,
    /// Derivative of the loss by the network's output, after the forward pass.
    pub(super) errors: Vec<f32>,
    /// Sums of the output neuron that are still spread over lanes.
    pub(super) partial: Vec<Row>,
    /// Activations after clipping, before squaring: [`CHUNK`] positions for each thirty-two neurons, both views.
    pub(super) activations: Vec<[Shorts; 2]>,
    /// The groups of the side to move's view, then those of the other.
    pub(super) groups: [Vec<Group>; 2],
    sorter: Sorter,
    is_listed: Box<[[bool; TILE_ROWS]; 2]>,
}

impl Chunk {
    /// Memory for chunks of this shape.
    pub fn new(shape: Shape) -> Chunk {
        Chunk {
            shape,
            offsets: Vec::with_capacity(CHUNK * 32),
            inputs: [const { Vec::new() }; 2],
            starts: Vec::with_capacity(CHUNK + 1),
            buckets: Vec::with_capacity(CHUNK),
            targets: Vec::with_capacity(CHUNK),
            errors: Vec::with_capacity(CHUNK),
            partial: Vec::with_capacity(CHUNK),
            activations: vec![[Shorts::ZERO; 2]; CHUNK * (shape.hidden / SHORTS)],
            groups: [Vec::new(), Vec::new()],
            sorter: Sorter::default(),
            is_listed: Box::new([[false; TILE_ROWS]; 2]),
        }
    }

    /// The number of positions in it.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Takes in at most [`CHUNK`] sound records, and of their inputs beside pieces those of `extras`.
    pub fn fill(&mut self, boards: &[ChessBoard], target: Target, extras: Extras) {
        assert!(boards.len() <= CHUNK, "a chunk takes {CHUNK} positions");
        self.offsets.clear();
        self.starts.clear();
        self.buckets.clear();
        self.targets.clear();
        for board in boards {
            self.starts.push(self.offsets.len() as u32);
            push_inputs(board, &mut self.offsets);
            push_extras(board, extras, &mut self.offsets);
            self.buckets.push(self.shape.bucket(board.occ.count_ones()) as u8);
            self.targets.push(target.of(board));
        }
        self.starts.push(self.offsets.len() as u32);
        self.list_inputs();
        for pair in &mut self.offsets {
            *pair = pair.map(|input| input * ROW_BYTES);
        }
    }

    fn list_inputs(&mut self) {
        for (half, (inputs, is_listed)) in self.inputs.iter_mut().zip(&mut *self.is_listed).enumerate() {
            inputs.drain(..).for_each(|input| is_listed[usize::from(input) % TILE_ROWS] = false);
            for pair in &self.offsets {
                let is_listed = &mut is_listed[pair[half] as usize % TILE_ROWS];
                if !*is_listed {
                    *is_listed = true;
                    inputs.push(pair[half] as u16);
                }
            }
        }
    }

    /// Makes the lists for the way back.
    pub fn group(&mut self) {
        let count = self.len().div_ceil(GROUP);
        for (half, groups) in self.groups.iter_mut().enumerate() {
            groups.resize_with(count, Group::default);
            for (index, group) in groups.iter_mut().enumerate() {
                let first = index * GROUP;
                let last = (first + GROUP).min(self.buckets.len());
                self.sorter.group(half, &self.starts[first..=last], &self.offsets, group);
            }
        }
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
    fn group(&mut self, half: usize, starts: &[u32], offsets: &[Pair], group: &mut Group) {
        let (counts, next) = (&mut *self.counts, &mut *self.next);
        counts.fill(0);
        for pair in &offsets[starts[0] as usize..starts[starts.len() - 1] as usize] {
            counts[input_at(pair[half]) % TILE_ROWS] += 1;
        }
        list_runs(counts, &mut group.runs);
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

/// Lists the inputs that occur, those in the most views first.
fn list_runs(counts: &[u16; TILE_ROWS], runs: &mut Vec<Run>) {
    let mut with_count = [0_u16; GROUP + 1];
    for &views in &counts[..ALL_INPUTS] {
        with_count[usize::from(views)] += 1;
    }
    let occurring = ALL_INPUTS - usize::from(with_count[0]);
    let mut begin = [0_u16; GROUP + 1];
    for views in (0..GROUP).rev() {
        begin[views] = begin[views + 1] + with_count[views + 1];
    }
    // Inputs that do not occur are listed last and cut off: cheaper than a branch for each that goes either way.
    runs.resize(ALL_INPUTS, Run { input: 0, views: 0 });
    for (input, &views) in counts[..ALL_INPUTS].iter().enumerate() {
        let slot = &mut begin[usize::from(views)];
        runs[usize::from(*slot)] = Run { input: input as u16, views };
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
        let shape = Shape { hidden: 32, buckets: 8 };
        let mut chunk = Chunk::new(shape);
        chunk.fill(&boards(300, 1), Target { wdl_weight: 0.5 }, Extras::ALL);
        chunk.group();
        for (half, groups) in chunk.groups.iter().enumerate() {
            assert_eq!(groups.len(), 2);
            for (index, group) in groups.iter().enumerate() {
                let first = index * GROUP;
                let mut expected = Vec::new();
                for position in first..(first + GROUP).min(chunk.len()) {
                    let [begin, end] = [position, position + 1].map(|at| chunk.starts[at] as usize);
                    for pair in &chunk.offsets[begin..end] {
                        expected.push((input_at(pair[half]) as u16, (position - first) as u8));
                    }
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
}
