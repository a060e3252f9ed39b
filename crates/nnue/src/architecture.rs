//! The architecture of the network, in one place for the engine and the trainer: inputs, king buckets, output buckets,
//! the activation and the quantisation constants.
//!
//! `7 x 768 -> hidden` for each of two [perspectives](super::features), then `2 x hidden -> 1` (the net of most engines
//! since 2020; an efficiently updatable network, NNUE, after Yu Nasu, 2018). Some networks have 5,120 extra inputs, for
//! [threats](super::threats), or 1,536 for [pawn pairs](super::pawn_pairs), or both, of the first [`SPARSE_EXTRA_NEURONS`] neurons.
//! The activation is the squared clipped rectifier ([`screlu`]). The output weights may differ by the number of pieces on the
//! board (output buckets).

use super::error::NetworkError;

/// Inputs of one perspective for one king bucket: 2 colours x 6 piece types x 64 squares.
pub const KING_BUCKET_INPUTS: usize = 768;
/// King buckets: regions of the board that have inputs of their own while the own king stands there.
pub const KING_BUCKETS: usize = 7;
/// Piece inputs of one perspective, those of king bucket 0 first.
pub const INPUTS: usize = KING_BUCKETS * KING_BUCKET_INPUTS;
/// Classes of attackers of a piece, by the least valuable of them: pawn; knight or bishop; rook; queen or king.
pub const ATTACKERS: usize = 4;
/// Inputs of one perspective for pieces that are attacked by one class of attackers and are defended, or are not:
/// 2 colours x 5 piece types (without the king) x 64 squares.
pub const THREAT_CLASS_INPUTS: usize = 640;
/// Threat inputs of one perspective, the same for all king buckets: of each class of attackers first the undefended
/// pieces, then the defended ones.
pub const THREAT_INPUTS: usize = 2 * ATTACKERS * THREAT_CLASS_INPUTS;
/// The most pieces that can be attacked: all but the kings.
pub const MAX_THREATS: usize = 30;
/// Pawns that can be on a file, by colour and rank.
pub const FILE_PAWNS: usize = 12;
/// Inputs of one perspective for two pawns on the same file.
pub const FILE_PAIR_INPUTS: usize = FILE_PAWNS * (FILE_PAWNS - 1) / 2;
/// Inputs of one perspective for two pawns on two neighbouring files.
pub const NEIGHBOUR_PAIR_INPUTS: usize = FILE_PAWNS * FILE_PAWNS;
/// Pawn pair inputs of one perspective, the same for all king buckets: first those on one file, from the a file to the h file,
/// then those on two.
pub const PAWN_PAIR_INPUTS: usize = 8 * FILE_PAIR_INPUTS + 7 * NEIGHBOUR_PAIR_INPUTS;
/// The most pairs of sixteen pawns, six or four of them on a file between two files.
pub const MAX_PAWN_PAIRS: usize = 96;
/// Neurons of a perspective that have weights for threats and pawn pairs; the others see pieces only. Of 512 neurons half
/// learn nearly all that all would, and a quarter clearly less.
pub const SPARSE_EXTRA_NEURONS: usize = 256;
/// The king bucket by file from e to h, one row for each rank of the king, seen from its own side. Finer where kings
/// stand more often.
const KING_BUCKETS_E_TO_H: [[u8; 4]; 8] = [
    [0, 1, 2, 2],
    [3, 3, 4, 4],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
];
/// The king bucket of a square (a1 = 0, b1 = 1, ..., h8 = 63) seen from the king's own side, below [`KING_BUCKETS`];
/// files a to d are those of files h to e.
pub const KING_BUCKET: [u8; 64] = {
    let mut buckets = [0; 64];
    let mut square = 0;
    while square < 64 {
        let file = square % 8;
        let from_e = if file < 4 { 3 - file } else { file - 4 };
        buckets[square] = KING_BUCKETS_E_TO_H[square / 8][from_e];
        square += 1;
    }
    buckets
};

/// 1.0 in the accumulator: quantisation of the first layer's weights and biases.
pub const QA: i32 = 511;
/// The left shift of a clipped activation before it is squared, so that the square fills sixteen bits.
pub const SQUARE_SHIFT: i32 = 6;
/// 1.0 after [`screlu`], nearly: `QA * QA / 8`.
const SQUARED_UNIT: i64 = QA as i64 * QA as i64 / 8;
/// 1.0 in the output weights.
pub const QB: i32 = 256;
/// 1.0 in the sum of the output layer and in its biases: `QA * QA / 8 * QB`.
pub const OUTPUT_UNIT: i64 = SQUARED_UNIT * QB as i64;
/// The evaluation that an output of 1.0 stands for. The network is trained so that it means an expected score of
/// `1 / (1 + 1/e)`, 73% of the points.
pub const SCALE: i32 = 400;

/// Sixteen-bit lanes of a cache line; the width of the first layer is a multiple of it.
pub const LANES: usize = 32;
/// The widest first layer that can be loaded.
pub const MAX_HIDDEN: usize = 2048;
/// The most output buckets.
pub const MAX_OUTPUT_BUCKETS: usize = 8;

/// The sizes that can vary from network to network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Neurons of the first layer for each perspective: a multiple of 32, at most [`MAX_HIDDEN`].
    pub hidden: usize,
    /// Output buckets: sets of output weights, chosen by the number of pieces. 1, 2, 4 or 8.
    pub buckets: usize,
}

impl Shape {
    /// The largest network.
    pub const MAX: Shape = Shape { hidden: MAX_HIDDEN, buckets: MAX_OUTPUT_BUCKETS };

    /// A shape within the limits; [`NetworkError::Shape`] beyond them.
    pub fn new(hidden: usize, buckets: usize) -> Result<Shape, NetworkError> {
        let fits = hidden > 0 && hidden <= MAX_HIDDEN && hidden.is_multiple_of(LANES);
        if fits && (1..=MAX_OUTPUT_BUCKETS).contains(&buckets) && 32 % buckets == 0 {
            Ok(Shape { hidden, buckets })
        } else {
            Err(NetworkError::Shape { hidden, buckets })
        }
    }

    /// The output bucket of a board with 2 to 32 pieces, below `buckets`.
    #[inline(always)]
    pub const fn bucket(self, pieces: u32) -> usize {
        (pieces as usize).saturating_sub(2) * self.buckets / 32
    }

    /// Neurons with weights for threats and pawn pairs, if the network has those: [`SPARSE_EXTRA_NEURONS`], or all if there are fewer.
    #[inline(always)]
    pub const fn extra_hidden(self) -> usize {
        if self.hidden < SPARSE_EXTRA_NEURONS { self.hidden } else { SPARSE_EXTRA_NEURONS }
    }

    /// Cache lines of the neurons of [`Self::extra_hidden`].
    #[inline(always)]
    pub const fn extra_blocks(self) -> usize {
        self.extra_hidden() / LANES
    }

    /// Cache lines of the accumulator of one perspective.
    #[inline(always)]
    pub const fn blocks(self) -> usize {
        self.hidden / LANES
    }
}

/// The activation, a squared clipped rectifier (SCReLU), as the kernels compute it: clipped to 0 to [`QA`], shifted by
/// [`SQUARE_SHIFT`], and squared by the rounding 16-bit multiplication that x86 (`pmulhrsw`) and ARM (`sqrdmulh`) have.
/// The result is 0 to 32640.
#[inline(always)]
pub const fn screlu(sum: i16) -> i32 {
    let clipped = if sum < 0 {
        0
    } else if sum as i32 > QA {
        QA
    } else {
        sum as i32
    };
    let shifted = clipped << SQUARE_SHIFT;
    (shifted * shifted + 0x4000) >> 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_buckets_follow_the_number_of_pieces() {
        let shape = Shape::new(64, 8).unwrap();
        assert_eq!([2, 5, 6, 9, 29, 30, 32].map(|pieces| shape.bucket(pieces)), [0, 0, 1, 1, 6, 7, 7]);
        assert_eq!(Shape::new(64, 1).unwrap().bucket(32), 0);
    }

    #[test]
    fn the_activation_is_clipped_and_squared() {
        assert_eq!([i16::MIN, -1, 0].map(screlu), [0; 3]);
        assert_eq!([511, 512, i16::MAX].map(screlu), [32_640; 3]);
        for sum in 0..=511 {
            assert!((screlu(sum) * 8 - i32::from(sum).pow(2)).abs() <= 4, "{sum}");
        }
    }
}
