//! Scores: centipawns, distances to a tablebase win, and distances to mate.

use nnue::wdl::{WIN_RATE_MODEL, WdlRates};
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// The deepest ply of the search, counted from the root.
pub const MAX_PLY: usize = 246;

/// A score from the point of view of the side to move, -32001 to 32001: centipawns up to [`Score::EVAL_LIMIT`], from
/// [`Score::TABLEBASE_BOUND`] on a win with its distance in plies to a tablebase position, from [`Score::MATE_BOUND`] on
/// a mate with its distance. Negative scores are the losses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// A bound above every score, for search windows.
    pub const INFINITE: Score = Score(32_001);
    /// Mate on the board, for the winner.
    pub const MATE: Score = Score(32_000);
    /// The slowest mate: in [`MAX_PLY`] plies.
    pub const MATE_BOUND: Score = Score(32_000 - MAX_PLY as i32);
    /// A tablebase win on the board, just below every mate.
    pub const TABLEBASE: Score = Score(Score::MATE_BOUND.0 - 1);
    /// The slowest tablebase win: in [`MAX_PLY`] plies. Every score of this size or more is a proven win or loss.
    pub const TABLEBASE_BOUND: Score = Score(Score::TABLEBASE.0 - MAX_PLY as i32);
    /// The centipawns reported for a tablebase win on the board, the same as in other engines.
    const TABLEBASE_REPORTED: i32 = 20_000;
    /// The largest size of an evaluation, below every proven win.
    pub const EVAL_LIMIT: Score = Score(30_000);

    /// A score of `centipawns`, clamped to plus or minus [`Score::EVAL_LIMIT`].
    #[inline(always)]
    pub const fn cp(centipawns: i32) -> Score {
        let limit = Score::EVAL_LIMIT.0;
        Score(if centipawns > limit {
            limit
        } else if centipawns < -limit {
            -limit
        } else {
            centipawns
        })
    }

    /// The number behind the score, for arithmetic with margins.
    #[inline(always)]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The inverse of [`Self::raw`]; clamped to the infinite scores.
    #[inline(always)]
    pub const fn from_raw(raw: i32) -> Score {
        let limit = Score::INFINITE.0;
        Score(if raw > limit {
            limit
        } else if raw < -limit {
            -limit
        } else {
            raw
        })
    }

    /// The score of the side that is mated at `ply`.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE.0)
    }

    /// The score of the side that mates with the move that leads to `ply`.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE.0 - ply as i32)
    }

    /// The score of a tablebase win that is reached at `ply`.
    #[inline(always)]
    pub const fn tablebase_win(ply: usize) -> Score {
        Score(Score::TABLEBASE.0 - ply as i32)
    }

    /// True for a proven win (mate or tablebase) of the side to move.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::TABLEBASE_BOUND.0
    }

    /// True for a proven loss (mate or tablebase) of the side to move.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::TABLEBASE_BOUND.0
    }

    /// True for a proven win or loss.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Full moves until mate, negative when the side to move is mated; `None` for other scores.
    pub const fn moves_to_mate(self) -> Option<i32> {
        if self.0 >= Score::MATE_BOUND.0 {
            Some((Score::MATE.0 - self.0 + 1) / 2)
        } else if self.0 <= -Score::MATE_BOUND.0 {
            Some(-((Score::MATE.0 + self.0) / 2))
        } else {
            None
        }
    }

    /// The score from which proven wins of this kind are counted down.
    #[inline(always)]
    const fn origin(self) -> Score {
        if self.0.abs() >= Score::MATE_BOUND.0 { Score::MATE } else { Score::TABLEBASE }
    }

    /// The score as the transposition table stores it: distances counted from the node at `ply` instead of from the root.
    #[inline(always)]
    pub const fn to_table(self, ply: usize) -> i16 {
        (if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        }) as i16
    }

    /// The inverse of [`Self::to_table`] for a node at `ply`. A win beyond the fifty-move limit, of which
    /// `halfmove_clock` plies are used up, or beyond [`MAX_PLY`] is not proven here and becomes the largest evaluation.
    #[inline(always)]
    pub const fn from_table(stored: i16, ply: usize, halfmove_clock: usize) -> Score {
        let score = Score(stored as i32);
        if !score.is_decisive() {
            return score;
        }
        let distance = score.origin().0 - score.0.abs();
        let unproven = distance + halfmove_clock as i32 > 100 || distance + ply as i32 > MAX_PLY as i32;
        match (unproven, score.is_win()) {
            (true, true) => Score::EVAL_LIMIT,
            (true, false) => Score(-Score::EVAL_LIMIT.0),
            (false, true) => Score(score.0 - ply as i32),
            (false, false) => Score(score.0 + ply as i32),
        }
    }

    /// The rates of win, draw and loss for the side to move with this score and number of pieces.
    pub fn wdl(self, pieces: u32) -> WdlRates {
        if self.is_decisive() {
            let win = if self.is_win() { 1000 } else { 0 };
            return WdlRates { win, draw: 0, loss: 1000 - win };
        }
        WIN_RATE_MODEL.rates(self.0, pieces)
    }

    /// The score in centipawns of the output: 100 mean that half of the games are won. Proven wins and losses stay
    /// unchanged.
    pub fn normalised(self, pieces: u32) -> Score {
        if self.is_decisive() { self } else { Score::cp(WIN_RATE_MODEL.normalised(self.0, pieces)) }
    }

    /// The score clamped to the range of evaluations.
    #[inline(always)]
    pub const fn clamp_eval(self) -> Score {
        Score::cp(self.0)
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// A margin in centipawns on top of a score; saturates at the infinite scores.
impl Add<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, margin: i32) -> Score {
        Score::from_raw(self.0 + margin)
    }
}

/// A margin in centipawns below a score; saturates at the infinite scores.
impl Sub<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, margin: i32) -> Score {
        Score::from_raw(self.0 - margin)
    }
}

/// The difference of two scores in centipawns.
impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl AddAssign<i32> for Score {
    fn add_assign(&mut self, margin: i32) {
        *self = *self + margin;
    }
}

/// The score in UCI notation: `cp 31` or `mate -4` (moves); a tablebase win is `cp 20000` less the plies to it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None if self.is_decisive() => {
                let plies = Score::TABLEBASE.0 - self.0.abs();
                write!(f, "cp {}", self.0.signum() * (Score::TABLEBASE_REPORTED - plies))
            }
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The relation of a stored or reported score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The true score is at most this one: all moves failed low (All-node).
    Upper,
    /// The true score is at least this one: a move failed high (Cut-node).
    Lower,
    /// The true score of a search to that depth (PV-node).
    Exact,
}

impl Bound {
    /// True if a score with this bound decides a node against `beta`: a lower bound of at least `beta`, an upper bound below
    /// it, or an exact score.
    #[inline(always)]
    pub const fn causes_cutoff(self, score: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score.0 >= beta.0,
            Bound::Upper => score.0 < beta.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::cp(-31).to_string(), "cp -31");
    }

    #[test]
    fn proven_wins_survive_the_table_at_every_ply() {
        for ply in 0..100 {
            for distance in ply..ply + 100 {
                let won = Score::tablebase_win(distance);
                for score in [Score::mate_in(distance), Score::mated_in(distance), won, -won] {
                    assert_eq!(Score::from_table(score.to_table(ply), ply, 0), score);
                }
            }
        }
    }

    #[test]
    fn tablebase_wins_lie_between_evaluations_and_mates() {
        for ply in [0, 1, MAX_PLY] {
            let won = Score::tablebase_win(ply);
            assert!(
                won > Score::EVAL_LIMIT && won < Score::mate_in(MAX_PLY) && won.is_win() && (-won).is_loss()
            );
            assert_eq!((won.moves_to_mate(), (-won).moves_to_mate()), (None, None));
            assert_eq!(
                (won.to_string(), won.clamp_eval()),
                (format!("cp {}", 20_000 - ply), Score::EVAL_LIMIT)
            );
            assert_eq!((-won).to_string(), format!("cp -{}", 20_000 - ply));
        }
        assert!(!Score::EVAL_LIMIT.is_decisive() && Score::TABLEBASE.to_string() == "cp 20000");
    }

    #[test]
    fn a_mate_beyond_fifty_moves_is_no_mate() {
        let stored = Score::mate_in(20).to_table(0);
        assert!(Score::from_table(stored, 0, 80).is_win());
        assert_eq!(Score::from_table(stored, 0, 81), Score::EVAL_LIMIT);
        let stored = (-Score::tablebase_win(20)).to_table(0);
        assert!(Score::from_table(stored, 0, 80).is_loss());
        assert_eq!(Score::from_table(stored, 0, 81), -Score::EVAL_LIMIT);
    }

    #[test]
    fn decisive_scores_are_certain_and_not_normalised() {
        assert_eq!(Score::mate_in(3).wdl(5), WdlRates { win: 1000, draw: 0, loss: 0 });
        assert_eq!(Score::mated_in(3).wdl(5), WdlRates { win: 0, draw: 0, loss: 1000 });
        assert_eq!(Score::mate_in(3).normalised(5), Score::mate_in(3));
        assert_eq!(Score::cp(150).normalised(32).raw(), WIN_RATE_MODEL.normalised(150, 32));
    }

    #[test]
    fn margins_never_leave_the_range() {
        assert_eq!(Score::INFINITE + 500, Score::INFINITE);
        assert_eq!(-Score::INFINITE - 500, -Score::INFINITE);
        assert_eq!(Score::cp(1 << 20), Score::EVAL_LIMIT);
    }
}
