//! The positions that one thread works on at a time, laid out so that the kernels run over memory in order: positions
//! by number of men (equal loop lengths and equal buckets follow each other), and for the way back, for each input the
//! list of the views in which it is active.

use super::features::{Pair, Target, push_inputs};
use super::lanes::{LANES, Row};
use super::model::TILE_ROWS;
use bulletformat::ChessBoard;
use tamarack::eval::network::{INPUTS, Shape};

/// The most positions of a chunk.
pub const CHUNK: usize = 1024;
/// Positions of a group. Two views each make 256 rows of gradients: 16 KiB a tile, half of a first-level cache, and a
/// row number in one byte.
pub const GROUP: usize = 128;
/// Views of a group.
pub const VIEWS: usize = 2 * GROUP;

/// Where an input is active: the next `views` entries of the list.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The input.
    pub input: u16,
    /// How many views have it.
    pub views: u16,
}

/// For up to [`GROUP`] positions: which input is active in which view (2 x position + half), shortest lists first, so
/// that the processor can predict where a list ends.
#[derive(Clone, Default, Debug)]
pub struct Group {
    /// One for each active input.
    pub runs: Vec<Run>,
    /// The views of all runs one after the other.
    pub views: Vec<u8>,
}

/// A chunk and the scratch memory of the passes over it.
pub struct Chunk {
    pub(super) shape: Shape,
    /// Inputs of all men, position after position.
    pub(super) pairs: Vec<Pair>,
    /// Where the inputs of each position begin, and the end of the last.
    pub(super) starts: Vec<u32>,
    pub(super) buckets: Vec<u8>,
    pub(super) targets: Vec<f32>,
    /// Derivative of the loss by the network's output, after the forward pass.
    pub(super) errors: Vec<f32>,
    /// Sums of the output neuron that are still spread over lanes.
    pub(super) partial: Vec<Row>,
    /// Activations after clipping, before squaring: [`CHUNK`] positions for each tile, both views.
    pub(super) activations: Vec<[Row; 2]>,
    pub(super) groups: Vec<Group>,
    sorter: Sorter,
}

impl Chunk {
    /// Memory for chunks of this shape.
    pub fn new(shape: Shape) -> Chunk {
        Chunk {
            shape,
            pairs: Vec::with_capacity(CHUNK * 32),
            starts: Vec::with_capacity(CHUNK + 1),
            buckets: Vec::with_capacity(CHUNK),
            targets: Vec::with_capacity(CHUNK),
            errors: Vec::with_capacity(CHUNK),
            partial: Vec::with_capacity(CHUNK),
            activations: vec![[Row::ZERO; 2]; CHUNK * (shape.hidden / LANES)],
            groups: Vec::new(),
            sorter: Sorter::default(),
        }
    }

    /// How many positions are in it.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Takes in at most [`CHUNK`] sound records.
    pub fn fill(&mut self, boards: &[ChessBoard], target: Target) {
        assert!(boards.len() <= CHUNK, "a chunk takes {CHUNK} positions");
        self.pairs.clear();
        self.starts.clear();
        self.buckets.clear();
        self.targets.clear();
        for &index in self.sorter.by_men(boards) {
            let board = &boards[usize::from(index)];
            self.starts.push(self.pairs.len() as u32);
            push_inputs(board, &mut self.pairs);
            self.buckets.push(self.shape.bucket(board.occ.count_ones()) as u8);
            self.targets.push(target.of(board));
        }
        self.starts.push(self.pairs.len() as u32);
    }

    /// Makes the lists for the way back.
    pub fn group(&mut self) {
        let count = self.len().div_ceil(GROUP);
        self.groups.resize_with(count, Group::default);
        for (index, group) in self.groups.iter_mut().enumerate() {
            let first = index * GROUP;
            let last = (first + GROUP).min(self.buckets.len());
            self.sorter.group(&self.starts[first..=last], &self.pairs, group);
        }
    }
}

/// Counting sorts with their counters.
struct Sorter {
    order: Vec<u16>,
    counts: Box<[u16; TILE_ROWS]>,
    next: Box<[u32; TILE_ROWS]>,
}

impl Default for Sorter {
    fn default() -> Sorter {
        Sorter { order: Vec::new(), counts: Box::new([0; TILE_ROWS]), next: Box::new([0; TILE_ROWS]) }
    }
}

impl Sorter {
    /// The indices of the records, fewest men first.
    fn by_men(&mut self, boards: &[ChessBoard]) -> &[u16] {
        let mut begin = [0_u16; 66];
        for board in boards {
            begin[board.occ.count_ones() as usize + 1] += 1;
        }
        for men in 1..begin.len() {
            begin[men] += begin[men - 1];
        }
        self.order.resize(boards.len(), 0);
        for (index, board) in boards.iter().enumerate() {
            let slot = &mut begin[board.occ.count_ones() as usize];
            self.order[usize::from(*slot)] = index as u16;
            *slot += 1;
        }
        &self.order
    }

    fn group(&mut self, starts: &[u32], pairs: &[Pair], group: &mut Group) {
        let pairs_of = |window: &[u32]| &pairs[window[0] as usize..window[1] as usize];
        self.counts.fill(0);
        for &[own, other] in &pairs[starts[0] as usize..starts[starts.len() - 1] as usize] {
            self.counts[usize::from(own) % TILE_ROWS] += 1;
            self.counts[usize::from(other) % TILE_ROWS] += 1;
        }
        self.list_runs(group);
        let mut total = 0;
        for run in &group.runs {
            self.next[usize::from(run.input) % TILE_ROWS] = total;
            total += u32::from(run.views);
        }
        group.views.resize(total as usize, 0);
        for (position, window) in starts.windows(2).enumerate() {
            for pair in pairs_of(window) {
                for (half, &input) in pair.iter().enumerate() {
                    let next = &mut self.next[usize::from(input) % TILE_ROWS];
                    group.views[*next as usize] = (2 * position + half) as u8;
                    *next += 1;
                }
            }
        }
    }

    /// Lists the inputs that occur, those in the fewest views first.
    fn list_runs(&self, group: &mut Group) {
        let mut begin = [0_u16; VIEWS + 2];
        for &views in &self.counts[..INPUTS] {
            begin[usize::from(views) + 1] += 1;
        }
        begin[1] = 0;
        for views in 1..begin.len() {
            begin[views] += begin[views - 1];
        }
        group.runs.resize(usize::from(begin[VIEWS + 1]), Run { input: 0, views: 0 });
        for (input, &views) in self.counts[..INPUTS].iter().enumerate() {
            if views > 0 {
                let slot = &mut begin[usize::from(views)];
                group.runs[usize::from(*slot)] = Run { input: input as u16, views };
                *slot += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::sample::boards;

    #[test]
    fn groups_list_every_active_input_once() {
        let shape = Shape { hidden: 32, buckets: 8 };
        let mut chunk = Chunk::new(shape);
        chunk.fill(&boards(300, 1), Target { result_share: 0.5 });
        chunk.group();
        assert_eq!(chunk.groups.len(), 3);
        for (index, group) in chunk.groups.iter().enumerate() {
            let first = index * GROUP;
            let mut expected = Vec::new();
            for position in first..(first + GROUP).min(chunk.len()) {
                let pairs =
                    &chunk.pairs[chunk.starts[position] as usize..chunk.starts[position + 1] as usize];
                for (half, input) in pairs.iter().flat_map(|pair| pair.iter().enumerate()) {
                    expected.push((*input, (2 * (position - first) + half) as u8));
                }
            }
            let mut at = 0;
            let mut found = Vec::new();
            for run in &group.runs {
                for &view in &group.views[at..][..usize::from(run.views)] {
                    found.push((run.input, view));
                }
                at += usize::from(run.views);
            }
            assert!(group.runs.is_sorted_by_key(|run| run.views));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_chunk_has_its_positions_by_number_of_men() {
        let mut chunk = Chunk::new(Shape { hidden: 32, buckets: 8 });
        chunk.fill(&boards(CHUNK, 2), Target { result_share: 0.5 });
        assert_eq!(chunk.len(), CHUNK);
        assert!(chunk.starts.windows(2).map(|pair| pair[1] - pair[0]).is_sorted());
        assert!(chunk.buckets.is_sorted());
    }
}
