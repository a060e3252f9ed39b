//! Thinning: of positions that teach little a part is left out, always the same ones.

use super::partition::position_hash;
use bulletformat::ChessBoard;
use clap::Args;
use std::str::FromStr;

/// The seed of the choice; it must not be that of the order.
const SEED: u64 = 0x7468_696E;

/// A part of the positions within a range that is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptPart {
    least: u32,
    most: u32,
    part: f64,
}

/// Reads `3-6:0.5` or `1000:0.5`: range (without an end: this and all above), then the part that is kept.
impl FromStr for KeptPart {
    type Err = String;

    fn from_str(text: &str) -> Result<KeptPart, String> {
        let wrong = || format!("{text} is not like 3-6:0.5 or 1000:0.5");
        let (range, part) = text.split_once(':').ok_or_else(wrong)?;
        let (least, most) = range.split_once('-').unwrap_or((range, "4294967295"));
        let bound = |bound: &str| bound.parse::<u32>().map_err(|_| wrong());
        let part = part.parse::<f64>().map_err(|_| wrong())?;
        let (least, most) = (bound(least)?, bound(most)?);
        if least <= most && (0.0..=1.0).contains(&part) {
            Ok(KeptPart { least, most, part })
        } else {
            Err(wrong())
        }
    }
}

impl KeptPart {
    fn of(parts: &[KeptPart], value: u32) -> f64 {
        let here = parts.iter().filter(|part| (part.least..=part.most).contains(&value));
        here.map(|part| part.part).product()
    }
}

/// Parts of the positions that are kept, by score and by number of pieces; where both apply, the product.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub struct Thinning {
    /// The part kept of positions whose score is as far from zero: 1000:0.5 keeps half of those beyond 1,000 centipawns.
    #[arg(long, value_delimiter = ',')]
    pub thin_scores: Vec<KeptPart>,
    /// The part kept of positions with so many pieces, kings and pawns counted: 3-6:0.3,32:0.5.
    #[arg(long, value_delimiter = ',')]
    pub thin_pieces: Vec<KeptPart>,
}

impl Thinning {
    /// True if this record stays, of whose kind another choice keeps the part `part_of_kind`. The answer depends on position,
    /// score and that part alone.
    pub fn keeps(&self, board: &ChessBoard, part_of_kind: f64) -> bool {
        let part = part_of_kind
            * KeptPart::of(&self.thin_scores, u32::from(board.score.unsigned_abs()))
            * KeptPart::of(&self.thin_pieces, board.occ.count_ones());
        part >= 1.0 || ((position_hash(board, SEED) >> 11) as f64) < part * (1_u64 << 53) as f64
    }
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
            assert!(text.parse::<KeptPart>().is_err(), "{text}");
        }
    }
}
