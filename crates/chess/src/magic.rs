//! Fancy magic bitboards (Pradu Kannan 2007): the attacks of a bishop or rook by one multiplication and one look-up. The
//! relevant occupancy times a magic number, shifted down, is the index into a table of attack sets.
//!
//! The table is built by `const fn`, so there is no start-up cost and nothing to initialise; the build stops if a
//! magic number lets two different attack sets collide. The numbers were found by random trials (`tools magics` at commit 706b9be).
//!
//! With the feature `compact` there is no table, and the attacks are computed each time.
#![cfg_attr(feature = "compact", allow(dead_code))]

use super::bitboard::Bitboard;
use super::square::Square;

/// The number of entries for all squares of both sliders: the sum of 2^(relevant squares).
const TABLE_SIZE: usize = 107_648;

const BORDER_FILES: u64 = 0x8181_8181_8181_8181;
const BORDER_RANKS: u64 = 0xFF00_0000_0000_00FF;

/// The parameters that turn an occupancy into a table index, for one slider on one square.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    multiplier: u64,
    shift: u32,
    offset: u32,
}

impl Magic {
    #[inline(always)]
    const fn index(&self, occupied: u64) -> usize {
        self.entry((occupied & self.mask).wrapping_mul(self.multiplier))
    }

    /// The index for the product of an occupancy and the multiplier.
    #[inline(always)]
    const fn entry(&self, product: u64) -> usize {
        // The offset is added as a whole register; the shift is below 64.
        (product >> (self.shift & 63)) as usize + self.offset as usize
    }
}

#[cfg(not(feature = "compact"))]
static BISHOPS: [Magic; 64] = magics(Slider::Bishop);
#[cfg(not(feature = "compact"))]
static ROOKS: [Magic; 64] = magics(Slider::Rook);
#[cfg(not(feature = "compact"))]
#[allow(long_running_const_eval)] // about a second
static TABLE: [u64; TABLE_SIZE] = table();

/// The squares that a bishop on `square` attacks when the pieces of `occupied` are in its way.
///
/// ```
/// use tamarack_chess::{Bitboard, Square, attacks::bishop_attacks};
/// let blocked = bishop_attacks(Square::A1, Bitboard::of(Square::C3));
/// assert_eq!(blocked.iter().collect::<Vec<_>>(), [Square::B2, Square::C3]);
/// ```
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    slider_attacks(Slider::Bishop, square, occupied)
}

/// The squares that a rook on `square` attacks when the pieces of `occupied` are in its way.
///
/// ```
/// use tamarack_chess::{Bitboard, Square, attacks::rook_attacks};
/// let attacks = rook_attacks(Square::A1, Bitboard::of(Square::A3) | Bitboard::of(Square::C1));
/// assert_eq!(attacks.iter().collect::<Vec<_>>(), [Square::B1, Square::C1, Square::A2, Square::A3]);
/// ```
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    slider_attacks(Slider::Rook, square, occupied)
}

#[cfg(not(feature = "compact"))]
#[inline(always)]
fn slider_attacks(slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
    let magics = match slider {
        Slider::Bishop => &BISHOPS,
        Slider::Rook => &ROOKS,
    };
    Bitboard(TABLE[magics[square.index()].index(occupied.0)])
}

#[cfg(feature = "compact")]
fn slider_attacks(slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
    let [a, b] = lines(slider, square.index());
    Bitboard(line_attacks(square.index(), a, occupied.0) | line_attacks(square.index(), b, occupied.0))
}

#[derive(Clone, Copy)]
enum Slider {
    Bishop,
    Rook,
}

/// The two lines (rank and file, or both diagonals) of the slider through `square`, without `square` itself.
const fn lines(slider: Slider, square: usize) -> [u64; 2] {
    let (file, rank) = (square as i32 & 7, square as i32 >> 3);
    let mut lines = [0; 2];
    let mut other = 0;
    while other < 64 {
        let (files, ranks) = ((other as i32 & 7) - file, (other as i32 >> 3) - rank);
        let on_line = match slider {
            Slider::Bishop => [files == ranks, files == -ranks],
            Slider::Rook => [files == 0, ranks == 0],
        };
        if other != square {
            lines[0] |= (on_line[0] as u64) << other;
            lines[1] |= (on_line[1] as u64) << other;
        }
        other += 1;
    }
    lines
}

/// The squares attacked along one line, by hyperbola quintessence (Aleks Peshkov 2007, after Glen Pepicelli's o^(o-2r)),
/// whose few steps keep the compile time short.
const fn line_attacks(square: usize, line: u64, occupied: u64) -> u64 {
    let (bit, blockers) = (1u64 << square, occupied & line);
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers.reverse_bits().wrapping_sub(bit.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

const fn magics(slider: Slider) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, multiplier: 0, shift: 0, offset: 0 }; 64];
    let (multipliers, mut offset) = match slider {
        Slider::Bishop => (&BISHOP_MULTIPLIERS, 0),
        Slider::Rook => (&ROOK_MULTIPLIERS, BISHOP_ENTRIES),
    };
    let mut square = 0;
    while square < 64 {
        let [a, b] = lines(slider, square);
        // The last square of a line makes no difference: nothing stands behind it.
        let mask = match slider {
            Slider::Bishop => (a | b) & !BORDER_FILES & !BORDER_RANKS,
            Slider::Rook => a & !BORDER_RANKS | b & !BORDER_FILES,
        };
        magics[square] =
            Magic { mask, multiplier: multipliers[square], shift: 64 - mask.count_ones(), offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    magics
}

/// The subsets of a line's part of a mask, at most 64: of each the attacks along the line, and its product with the multiplier.
const fn subsets(square: usize, line: u64, magic: &Magic) -> ([(u64, u64); 64], usize) {
    let (mut subsets, mut count) = ([(0, 0); 64], 0);
    let mask = line & magic.mask;
    let mut occupied = 0u64;
    loop {
        subsets[count] = (line_attacks(square, line, occupied), occupied.wrapping_mul(magic.multiplier));
        count += 1;
        // The next subset of the mask (carry rippler).
        occupied = occupied.wrapping_sub(mask) & mask;
        if occupied == 0 {
            return (subsets, count);
        }
    }
}

/// Fills in one slider's part. The two lines share no square, so that attacks and products of both are sums: hardly anything is
/// left to do for each of the entries, and the compile time stays short.
const fn fill(table: &mut [u64; TABLE_SIZE], slider: Slider) {
    let magics = magics(slider);
    let mut square = 0;
    while square < 64 {
        let [a, b] = lines(slider, square);
        let magic = &magics[square];
        let (first, first_count) = subsets(square, a, magic);
        let (second, second_count) = subsets(square, b, magic);
        let mut i = 0;
        while i < first_count {
            let mut j = 0;
            while j < second_count {
                let entry = &mut table[magic.entry(first[i].1.wrapping_add(second[j].1))];
                let attacks = first[i].0 | second[j].0;
                assert!(
                    *entry == 0 || *entry == attacks,
                    "two attack sets collide: the multiplier is no magic"
                );
                *entry = attacks;
                j += 1;
            }
            i += 1;
        }
        square += 1;
    }
}

const fn table() -> [u64; TABLE_SIZE] {
    let mut table = [0; TABLE_SIZE];
    fill(&mut table, Slider::Bishop);
    fill(&mut table, Slider::Rook);
    table
}

const BISHOP_ENTRIES: u32 = 5_248;

#[rustfmt::skip]
const ROOK_MULTIPLIERS: [u64; 64] = [
    0x0180_0040_0018_2280, 0x2240_0020_0040_1000, 0x0200_0840_2012_0080, 0x0900_0410_0100_2109,
    0x0200_0804_0200_2010, 0x0200_0410_0801_0200, 0x0200_0801_0084_0200, 0x0300_004B_0000_892A,
    0x0631_8000_21C0_0090, 0x4000_8040_0080_2000, 0x5400_8080_1000_2000, 0x0008_8008_0081_1002,
    0x3011_0007_0010_0800, 0x0007_0003_0004_0048, 0x8214_0010_0102_24C8, 0x8020_8001_0000_5080,
    0x0101_8280_0040_0020, 0x0080_8480_4000_2000, 0x8220_8080_1000_2000, 0x8008_8080_1000_0800,
    0x0010_0500_1008_0100, 0x1000_8080_0400_0201, 0x9913_C101_0004_0200, 0x0484_0200_0044_00A1,
    0x8240_0040_8000_3080, 0x0110_1041_C002_2000, 0x0089_0013_0020_0140, 0x0084_0901_0020_1000,
    0x4080_1101_0004_0800, 0x0002_0002_8004_0080, 0x02C0_0204_00B0_0108, 0x0031_2942_0004_1081,
    0x4010_4000_2080_0091, 0x8110_0420_0840_0040, 0x0000_2000_8880_1002, 0x0000_8008_0080_1001,
    0x0400_0408_0100_1100, 0x0000_0400_8080_0200, 0x0412_0018_0600_0304, 0x0063_0100_6200_0084,
    0x0280_0040_2000_4002, 0x1010_2082_0102_0040, 0x0000_2000_4105_0010, 0x0080_1000_0800_8080,
    0xA000_0801_0005_0010, 0xA002_0400_0200_8080, 0x0102_0004_0182_0048, 0x0000_0243_9402_0003,
    0x0200_5020_8102_0200, 0x0242_0081_0020_4200, 0x0E00_8010_0020_0080, 0x0010_0010_0800_8080,
    0x0000_4400_8008_0280, 0x0002_0004_0080_0280, 0x0084_1001_18AA_0400, 0x0020_8001_0000_4080,
    0x0080_0080_2012_4505, 0x8600_1021_0042_0082, 0x2502_100A_0122_4082, 0x0031_0004_4822_9001,
    0x0103_0002_0800_0411, 0x1091_0008_0204_0003, 0x0000_40A1_0208_1004, 0x0181_0C00_4285_0132,
];

#[rustfmt::skip]
const BISHOP_MULTIPLIERS: [u64; 64] = [
    0x0002_2002_0202_1020, 0x0010_0408_8402_4144, 0x0010_0082_0450_0846, 0x0020_A104_4040_2000,
    0x8001_1041_0840_4080, 0x8282_0104_2010_0000, 0x060C_0104_7004_0001, 0x5002_0C80_8088_2000,
    0x0004_4418_0848_2880, 0x0004_0204_0104_2102, 0x0400_2128_0100_4410, 0x0008_0425_0208_0202,
    0x8900_0202_1020_0000, 0x0082_0910_0210_1008, 0x0070_0208_0104_1009, 0x0000_4282_5128_2020,
    0x2110_1004_1050_8104, 0x0102_0E08_0801_0C00, 0x0804_0882_0824_0102, 0x50A0_2002_0200_4080,
    0x000C_0062_0094_0000, 0xA412_00C0_4100_A008, 0x0004_420A_0210_8480, 0x8021_0012_0482_2180,
    0x0088_0820_4110_2120, 0x9124_1001_0250_8100, 0x0024_0380_4403_0402, 0x0060_0800_0100_4009,
    0x01C9_0804_0100_4000, 0x4140_4200_0101_0101, 0x8100_8400_0125_1800, 0x084A_0450_0600_4220,
    0xC084_20A0_0804_0420, 0x0420_9004_0408_0800, 0x0A10_8401_05C0_8201, 0x0B00_400A_0001_2200,
    0x4008_0204_0128_1100, 0x0020_0401_0010_2080, 0x1001_0865_0200_8402, 0x000D_0119_0082_0840,
    0x8801_1002_1014_2230, 0x48A1_0128_200C_0200, 0x8800_8208_0102_0203, 0x4500_0122_1800_0400,
    0x4004_2001_4041_0400, 0x0040_0808_0243_4020, 0x1208_0104_4400_0089, 0x0010_0101_3422_5102,
    0x8000_4804_100A_0028, 0x0203_00A0_8420_00A0, 0x2240_2042_2090_1084, 0x0010_0000_2088_4440,
    0x050F_3040_0282_0401, 0x8000_0810_3080_8011, 0x0088_2801_5404_0100, 0x0C05_2802_0400_2004,
    0x0044_2402_0801_0820, 0x0602_1825_0910_1000, 0x0010_8823_0888_2400, 0x0808_8140_1242_0880,
    0x8404_1001_0420_8618, 0x0100_81C0_8841_0100, 0x3820_A298_1111_0400, 0x0810_1411_0042_1200,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::splitmix64;

    /// The attacks found by walking, square by square.
    fn walk(square: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in steps {
            let mut next = square.offset(files, ranks);
            while let Some(reached) = next {
                attacks |= Bitboard::of(reached);
                next = if occupied.contains(reached) { None } else { reached.offset(files, ranks) };
            }
        }
        attacks
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        let mut seed = 1;
        for round in 0..64 * 200 {
            let square = Square::from_index(round);
            let occupied = Bitboard(splitmix64(&mut seed) & splitmix64(&mut seed));
            let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
            let diagonal = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
            assert_eq!(rook_attacks(square, occupied), walk(square, occupied, straight));
            assert_eq!(bishop_attacks(square, occupied), walk(square, occupied, diagonal));
        }
    }
}
