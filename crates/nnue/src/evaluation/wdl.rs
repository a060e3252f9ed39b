//! The win-rate model: from internal centipawns to rates of win, draw and loss (WDL), and to the centipawns of the
//! output, of which 100 mean that half of the games are won (after Stockfish's win-rate model, 2020).
//!
//! The win rate is logistic in the evaluation; the centre and the width of the curve are linear in the number of pieces.
//! The four parameters are fitted to our own games by `tools data fit`.

/// The parameters of a win-rate model, in internal centipawns; `t` is the number of pieces divided by 32.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinRateModel {
    /// The evaluation with which half of the games are won is `half[0] + half[1] * t`.
    pub half: [f64; 2],
    /// The width of the curve is `width[0] + width[1] * t`.
    pub width: [f64; 2],
}

/// The model of the network of generation 17 and long searches: `tools data fit` on 335 games of 48,000 positions, 88,800 nodes
/// a move. Two thirds of them were drawn; before the first move the model promises 70% of draws.
pub const WIN_RATE_MODEL: WinRateModel = WinRateModel { half: [368.1, -222.7], width: [31.9, 49.8] };

/// Rates of win, draw and loss in thousandths, as UCI's `wdl`; the three add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlRates {
    /// Games won by the side to move.
    pub win: u32,
    /// Games drawn.
    pub draw: u32,
    /// Games lost by the side to move.
    pub loss: u32,
}

impl WinRateModel {
    /// The evaluation with which half of the games are won; at least 1.
    pub fn half_at(self, pieces: u32) -> f64 {
        (self.half[0] + self.half[1] * f64::from(pieces) / 32.0).max(1.0)
    }

    /// The width of the curve; at least 1.
    pub fn width_at(self, pieces: u32) -> f64 {
        (self.width[0] + self.width[1] * f64::from(pieces) / 32.0).max(1.0)
    }

    /// The win rate with this evaluation, 0 to 1.
    pub fn win(self, evaluation: f64, pieces: u32) -> f64 {
        1.0 / (1.0 + ((self.half_at(pieces) - evaluation) / self.width_at(pieces)).exp())
    }

    /// The rates of win, draw and loss for the side to move with an evaluation in internal centipawns.
    pub fn rates(self, centipawns: i32, pieces: u32) -> WdlRates {
        let rate = |sign: i32| (1000.0 * self.win(f64::from(sign * centipawns), pieces)).round() as u32;
        // Where the two curves overlap, nothing is left for the draw.
        let (win, loss) = (rate(1), rate(-1));
        let draw = 1000_u32.saturating_sub(win + loss);
        WdlRates { win, draw, loss: 1000 - win - draw }
    }

    /// Internal centipawns as centipawns of the output: 100 mean that half of the games are won.
    pub fn normalised(self, centipawns: i32, pieces: u32) -> i32 {
        (f64::from(centipawns) * 100.0 / self.half_at(pieces)).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        for pieces in 2..=32 {
            let half = WIN_RATE_MODEL.half_at(pieces).round() as i32;
            let WdlRates { win, .. } = WIN_RATE_MODEL.rates(half, pieces);
            assert!((495..=505).contains(&win), "{pieces} pieces: {win}");
            assert!((WIN_RATE_MODEL.normalised(half, pieces) - 100).abs() <= 1);
        }
    }

    #[test]
    fn rates_add_up_and_grow_with_the_score() {
        for pieces in [2, 16, 32] {
            let mut last = 0;
            for centipawns in (-3000..3000).step_by(50) {
                let WdlRates { win, draw, loss } = WIN_RATE_MODEL.rates(centipawns, pieces);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= last);
                assert_eq!(
                    WIN_RATE_MODEL.rates(-centipawns, pieces),
                    WdlRates { win: loss, draw, loss: win }
                );
                last = win;
            }
        }
    }
}
