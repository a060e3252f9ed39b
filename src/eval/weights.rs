//! The numbers as the kernels read them: cache lines of sixteen-bit lanes, and rows of such lines.

use super::architecture::LANES;
use crate::platform::pages::collect_on_huge_pages;

/// One cache line of sixteen-bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All lanes zero.
    pub const ZERO: Block = Block([0; LANES]);

    /// Numbers packed into blocks, on huge pages where the system has them; the last block is filled up with zeros.
    pub fn from_numbers(numbers: &[i16]) -> Vec<Block> {
        let pack = |chunk: &[i16]| {
            let mut block = Block::ZERO;
            block.0[..chunk.len()].copy_from_slice(chunk);
            block
        };
        collect_on_huge_pages(numbers.chunks(LANES).map(pack))
    }

    /// The numbers of all blocks in order.
    pub fn to_numbers(blocks: &[Block]) -> Vec<i16> {
        blocks.iter().flat_map(|block| block.0).collect()
    }
}

/// A matrix of weights: rows of equal length, one after the other.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    blocks: &'a [Block],
    length: usize,
}

impl<'a> Rows<'a> {
    /// `blocks` cut into rows of `length` blocks.
    #[inline(always)]
    pub fn new(blocks: &'a [Block], length: usize) -> Rows<'a> {
        Rows { blocks, length }
    }

    /// Blocks of a row.
    #[inline(always)]
    pub fn length(self) -> usize {
        self.length
    }

    /// The row of that number.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline(always)]
    pub fn row(self, index: usize) -> &'a [Block] {
        &self.blocks[index * self.length..][..self.length]
    }
}
