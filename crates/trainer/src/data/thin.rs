//! Thinning: positions that teach little are sampled, always the same ones.

use super::partition::position_hash;
use bulletformat::ChessBoard;
use clap::Args;
use std::str::FromStr;

/// The seed of the choice; it must not be that of the order.
const SEED: u64 = 0x7468_696E;

/// The sampling rate of positions within a range.
#[derive(Clone, PartialEq, Debug)]
pub struct SamplingRate {
    min: u32,
    max: u32,
    fraction: f64,
}

/// Reads `3-6:0.5` or `1000:0.5`: range (without an end: this and all above), then the fraction that is kept.
impl FromStr for SamplingRate {
    type Err = String;

    fn from_str(text: &str) -> Result<SamplingRate, String> {
        let wrong = || format!("{text} is not like 3-6:0.5 or 1000:0.5");
        let (range, fraction) = text.split_once(':').ok_or_else(wrong)?;
        let (min, max) = range.split_once('-').unwrap_or((range, "4294967295"));
        let bound = |bound: &str| bound.parse::<u32>().map_err(|_| wrong());
        let fraction = fraction.parse::<f64>().map_err(|_| wrong())?;
        let (min, max) = (bound(min)?, bound(max)?);
        if min <= max && (0.0..=1.0).contains(&fraction) {
            Ok(SamplingRate { min, max, fraction })
        } else {
            Err(wrong())
        }
    }
}

impl SamplingRate {
    fn of(rates: &[SamplingRate], value: u32) -> f64 {
        let here = rates.iter().filter(|rate| (rate.min..=rate.max).contains(&value));
        here.map(|rate| rate.fraction).product()
    }
}

/// Sampling rates of positions, by score and by number of pieces; where both apply, the product.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub struct Thinning {
    /// The fraction kept of positions by their distance from zero: 1000:0.5 keeps half of those beyond 1,000 centipawns.
    #[arg(long, value_delimiter = ',')]
    pub thin_scores: Vec<SamplingRate>,
    /// The fraction kept of positions by their number of pieces, kings and pawns counted: 3-6:0.3,32:0.5.
    #[arg(long, value_delimiter = ',')]
    pub thin_pieces: Vec<SamplingRate>,
}

impl Thinning {
    /// Whether a record is sampled, at these rates times `fraction`. The answer depends on position, score and rate alone.
    pub fn keeps(&self, board: &ChessBoard, fraction: f64) -> bool {
        let fraction = fraction
            * SamplingRate::of(&self.thin_scores, u32::from(board.score.unsigned_abs()))
            * SamplingRate::of(&self.thin_pieces, board.occ.count_ones());
        is_sampled(board, fraction)
    }
}

/// Whether a position is sampled at a rate from 0 to 1. What is sampled at one rate is so at every higher one.
pub fn is_sampled(board: &ChessBoard, fraction: f64) -> bool {
    fraction >= 1.0 || ((position_hash(board, SEED) >> 11) as f64) < fraction * (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::sample::boards;

    #[test]
    fn the_asked_part_stays_and_all_else() {
        let thinning = Thinning {
            thin_scores: vec!["500:0.25".parse().unwrap()],
            thin_pieces: vec!["30-32:0.5".parse().unwrap()],
        };
        let mut counts = [[0.0_f64; 2]; 2];
        for board in boards(20_000, 5) {
            let is_lopsided = usize::from(board.score.unsigned_abs() >= 500);
            counts[is_lopsided][usize::from(thinning.keeps(&board, 1.0))] +=
                f64::from(u8::from(board.occ.count_ones() < 30));
            assert!(Thinning::default().keeps(&board, 1.0));
        }
        assert_eq!(counts[0][0], 0.0);
        assert!((counts[1][1] / (counts[1][0] + counts[1][1]) - 0.25).abs() < 0.03, "{counts:?}");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "5", "5-3:0.5", "5:1.5", "a:0.5", "5:"] {
            assert!(text.parse::<SamplingRate>().is_err(), "{text}");
        }
    }
}
