//! From evaluations to what a user understands: chances of win, draw and loss, and centipawns of which 100 mean that
//! half of the games are won (after Stockfish's win rate model, 2020).
//!
//! The chance to win is logistic in the evaluation; where the curve stands and how wide it is depends on the number of
//! men. The four numbers are fitted to our own games by `tools data fit`.

use crate::score::Score;

/// The numbers of the curve; `t` is the number of men divided by 32.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The evaluation with which half of the games are won: this plus the next times `t`.
    pub half: [f64; 2],
    /// The width of the curve: this plus the next times `t`.
    pub width: [f64; 2],
}

/// The curve of the network and search of generation 6: `tools data fit` on 5.9 million positions of its games (1,000 nodes
/// a move). Those of generation 7 gave nearly the same; the networks of generations 9 and 10 say 1.05 times as much of a
/// position.
pub const CURVE: Curve = Curve { half: [312.2, -201.6], width: [60.4, 146.2] };

/// What to expect of a game, in thousandths; the three add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// Of winning.
    pub win: u32,
    /// Of drawing.
    pub draw: u32,
    /// Of losing.
    pub loss: u32,
}

impl Curve {
    /// The evaluation with which half of the games are won.
    pub fn half_at(self, men: u32) -> f64 {
        (self.half[0] + self.half[1] * f64::from(men) / 32.0).max(1.0)
    }

    /// The width of the curve.
    pub fn width_at(self, men: u32) -> f64 {
        (self.width[0] + self.width[1] * f64::from(men) / 32.0).max(1.0)
    }

    /// The chance to win with this evaluation.
    pub fn win(self, evaluation: f64, men: u32) -> f64 {
        1.0 / (1.0 + ((self.half_at(men) - evaluation) / self.width_at(men)).exp())
    }
}

/// What the side to move may expect with this score.
pub fn chances(score: Score, men: u32) -> Chances {
    if score.is_decisive() {
        let win = if score.is_win() { 1000 } else { 0 };
        return Chances { win, draw: 0, loss: 1000 - win };
    }
    let chance = |sign: i32| (1000.0 * CURVE.win(f64::from(sign * score.raw()), men)).round() as u32;
    // Where the two curves overlap, nothing is left for the draw.
    let (win, loss) = (chance(1), chance(-1));
    let draw = 1000_u32.saturating_sub(win + loss);
    Chances { win, draw, loss: 1000 - win - draw }
}

/// The score as users see it: 100 means that half of the games are won. Proven wins and losses stay as they are.
pub fn normalised(score: Score, men: u32) -> Score {
    if score.is_decisive() {
        return score;
    }
    Score::cp((f64::from(score.raw()) * 100.0 / CURVE.half_at(men)).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_centipawns_win_half_of_the_games() {
        for men in 2..=32 {
            let half = Score::cp(CURVE.half_at(men).round() as i32);
            let Chances { win, .. } = chances(half, men);
            assert!((495..=505).contains(&win), "{men} men: {win}");
            assert!((normalised(half, men).raw() - 100).abs() <= 1);
        }
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for men in [2, 16, 32] {
            let mut last = 0;
            for raw in (-3000..3000).step_by(50) {
                let Chances { win, draw, loss } = chances(Score::cp(raw), men);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= last);
                assert_eq!(chances(Score::cp(-raw), men), Chances { win: loss, draw, loss: win });
                last = win;
            }
        }
        assert_eq!(chances(Score::mate_in(3), 5), Chances { win: 1000, draw: 0, loss: 0 });
        assert_eq!(chances(Score::mated_in(3), 5), Chances { win: 0, draw: 0, loss: 1000 });
        assert_eq!(normalised(Score::mate_in(3), 5), Score::mate_in(3));
    }
}
