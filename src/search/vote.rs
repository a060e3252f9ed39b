//! Which thread's move is played.
//!
//! Each thread has searched the same position on its own and may prefer another move. Each gives its move votes by the
//! depth it has reached and by how much better its score is than the worst one (Stockfish, 2018); a proven mate needs no
//! vote, and a proven loss has none.

use super::worker::Outcome;
use crate::chess::Move;

/// Votes of a thread for each ply of depth, with the worst score of all.
const BASE: i64 = 14;

/// The index of the outcome to play; 0 when there is nothing to choose between, so that the leading thread wins ties.
pub fn best(outcomes: &[Outcome]) -> usize {
    let candidates = || outcomes.iter().enumerate().filter(|(_, outcome)| !outcome.pv.is_empty());
    // Of several mates the shortest; when all are mated, the one that takes longest.
    let winning = candidates().filter(|(_, outcome)| outcome.score.is_win());
    if let Some(index) = highest(winning, |outcome| i64::from(outcome.score.raw())) {
        return index;
    }
    let open = || candidates().filter(|(_, outcome)| !outcome.score.is_loss());
    let Some(worst) = open().map(|(_, outcome)| outcome.score).min() else {
        return highest(candidates(), |outcome| i64::from(outcome.score.raw())).unwrap_or(0);
    };
    let weight = |outcome: &Outcome| (i64::from(outcome.score - worst) + BASE) * i64::from(outcome.depth);
    let votes = |mv: Option<&Move>| -> i64 {
        open().filter(|(_, outcome)| outcome.pv.first() == mv).map(|(_, outcome)| weight(outcome)).sum()
    };
    // First the move, then among those who voted for it the one who knows most of it.
    let Some(chosen) = highest(open(), |outcome| votes(outcome.pv.first())) else { return 0 };
    let supporters = open().filter(|(_, outcome)| outcome.pv.first() == outcomes[chosen].pv.first());
    highest(supporters, weight).unwrap_or(chosen)
}

/// The first of those with the highest value.
fn highest<'a>(
    candidates: impl Iterator<Item = (usize, &'a Outcome)>,
    value: impl Fn(&Outcome) -> i64,
) -> Option<usize> {
    let mut best: Option<(usize, i64)> = None;
    for (index, outcome) in candidates {
        let value = value(outcome);
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((index, value));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Square};
    use crate::score::{Bound, Score};

    fn outcome(to: Square, depth: i32, score: Score) -> Outcome {
        let pv = vec![Move::new(Square::E4, to, MoveKind::Quiet)];
        Outcome { depth, seldepth: 0, score, bound: Bound::Exact, pv }
    }

    const A: Square = Square::A4;
    const B: Square = Square::B4;
    const C: Square = Square::C4;

    #[test]
    fn one_thread_or_none_needs_no_vote() {
        assert_eq!(best(&[]), 0);
        assert_eq!(best(&[outcome(A, 5, Score::cp(3))]), 0);
        assert_eq!(best(&[Outcome { pv: Vec::new(), ..outcome(A, 0, Score::DRAW) }]), 0);
    }

    #[test]
    fn the_leading_thread_wins_ties() {
        assert_eq!(best(&[outcome(A, 9, Score::cp(3)), outcome(B, 9, Score::cp(3))]), 0);
    }

    #[test]
    fn the_deeper_and_the_better_score_is_believed() {
        assert_eq!(best(&[outcome(A, 9, Score::cp(3)), outcome(B, 10, Score::cp(3))]), 1);
        assert_eq!(best(&[outcome(A, 9, Score::cp(3)), outcome(B, 9, Score::cp(4))]), 1);
    }

    #[test]
    fn two_threads_that_agree_outvote_one() {
        let outcomes =
            [outcome(A, 10, Score::cp(5)), outcome(B, 9, Score::cp(3)), outcome(B, 9, Score::cp(4))];
        assert_eq!(best(&outcomes), 2, "and the one that knows most answers for them");
    }

    #[test]
    fn the_shortest_mate_is_played_whatever_the_votes() {
        let outcomes = [
            outcome(A, 30, Score::cp(900)),
            outcome(B, 9, Score::mate_in(9)),
            outcome(C, 8, Score::mate_in(5)),
            outcome(A, 30, Score::cp(900)),
        ];
        assert_eq!(best(&outcomes), 2);
    }

    #[test]
    fn a_proven_loss_is_avoided_and_otherwise_put_off() {
        assert_eq!(best(&[outcome(A, 30, Score::mated_in(4)), outcome(B, 9, Score::cp(-700))]), 1);
        assert_eq!(best(&[outcome(A, 30, Score::mated_in(4)), outcome(B, 9, Score::mated_in(8))]), 1);
    }

    #[test]
    fn a_thread_that_has_found_nothing_is_not_heard() {
        let silent = Outcome { pv: Vec::new(), ..outcome(A, 0, Score::INFINITE) };
        assert_eq!(best(&[silent, outcome(B, 1, Score::cp(-50))]), 1);
    }
}
