//! How the kernels want their numbers: cache lines of sixteen-bit lanes.

use crate::platform::pages::collect_on_huge_pages;

/// Lanes of a [`Block`].
pub const LANES: usize = 32;

/// One cache line of sixteen-bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zero.
    pub const ZERO: Block = Block([0; LANES]);

    /// Numbers packed into blocks; the last one is filled up with zeros.
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
