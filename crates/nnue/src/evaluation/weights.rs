//! The numbers as the kernels read them: cache lines of sixteen-bit lanes, and rows of such lines.

use crate::architecture::LANES;
use platform::pages::try_collect_on_huge_pages;
use std::io;

/// One cache line of sixteen-bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All lanes zero.
    pub const ZERO: Block = Block([0; LANES]);

    /// Numbers packed into blocks, on huge pages where the system has them; the last block is filled up with zeros.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn from_numbers(numbers: &[i16]) -> io::Result<Vec<Block>> {
        pack(numbers, Block)
    }

    /// The numbers of all blocks in order.
    pub fn to_numbers(blocks: &[Block]) -> Vec<i16> {
        blocks.iter().flat_map(|block| block.0).collect()
    }
}

/// Half a cache line of eight-bit numbers, as many as a [`Block`] has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct ByteBlock(pub [i8; LANES]);

impl ByteBlock {
    /// Numbers packed into blocks, as [`Block::from_numbers`] packs them.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn from_numbers(numbers: &[i8]) -> io::Result<Vec<ByteBlock>> {
        pack(numbers, ByteBlock)
    }

    /// The numbers of all blocks in order.
    pub fn to_numbers(blocks: &[ByteBlock]) -> Vec<i8> {
        blocks.iter().flat_map(|block| block.0).collect()
    }
}

/// Blocks of these numbers, the last one filled up with zeros.
fn pack<T: Copy + Default, B>(numbers: &[T], block: fn([T; LANES]) -> B) -> io::Result<Vec<B>> {
    let fill = |chunk: &[T]| {
        let mut lanes = [T::default(); LANES];
        lanes[..chunk.len()].copy_from_slice(chunk);
        block(lanes)
    };
    try_collect_on_huge_pages(numbers.chunks(LANES).map(fill))
}

/// A matrix of weights: rows of equal length, one after the other.
#[derive(Clone, Copy)]
pub struct Rows<'a, B = Block> {
    blocks: &'a [B],
    length: usize,
}

impl<'a, B> Rows<'a, B> {
    /// `blocks` cut into rows of `length` blocks.
    #[inline(always)]
    pub fn new(blocks: &'a [B], length: usize) -> Rows<'a, B> {
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
    pub fn row(self, index: usize) -> &'a [B] {
        &self.blocks[index * self.length..][..self.length]
    }
}
