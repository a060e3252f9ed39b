//! The vote of the threads on the move to play (Stockfish, 2018).
//!
//! Each thread has searched the same position on its own and may prefer another move. Its vote grows with the depth that it
//! has reached and with its score above the worst one; a proven mate needs no vote, and a proven loss has none.

use crate::search::info::ThreadResult;
use chess::Move;

/// Votes of a thread for each ply of depth, with the worst score of all.
const BASE: i64 = 14;

/// The index of the result to play; 0 when there is nothing to choose between, so that the main thread wins ties.
pub fn best(results: &[ThreadResult]) -> usize {
    let candidates = || results.iter().enumerate().filter(|(_, result)| !result.pv.is_empty());
    // Of several mates the shortest; when all are mated, the one that takes longest.
    let winning = candidates().filter(|(_, result)| result.score.is_win());
    if let Some(index) = highest(winning, |result| i64::from(result.score.raw())) {
        return index;
    }
    let open = || candidates().filter(|(_, result)| !result.score.is_loss());
    let Some(worst) = open().map(|(_, result)| result.score).min() else {
        return highest(candidates(), |result| i64::from(result.score.raw())).unwrap_or(0);
    };
    let weight = |result: &ThreadResult| (i64::from(result.score - worst) + BASE) * i64::from(result.depth);
    let votes = |mv: Option<&Move>| -> i64 {
        open().filter(|(_, result)| result.pv.first() == mv).map(|(_, result)| weight(result)).sum()
    };
    // First the move, then among those who voted for it the one who knows most of it.
    let Some(chosen) = highest(open(), |result| votes(result.pv.first())) else { return 0 };
    let supporters = open().filter(|(_, result)| result.pv.first() == results[chosen].pv.first());
    highest(supporters, weight).unwrap_or(chosen)
}

/// The first of those with the highest value.
fn highest<'a>(
    candidates: impl Iterator<Item = (usize, &'a ThreadResult)>,
    value: impl Fn(&ThreadResult) -> i64,
) -> Option<usize> {
    let mut best: Option<(usize, i64)> = None;
    for (index, result) in candidates {
        let value = value(result);
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((index, value));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Bound, Score};
    use chess::{MoveKind, Square};

    fn result(to: Square, depth: i32, score: Score) -> ThreadResult {
        let pv = vec![Move::new(Square::E4, to, MoveKind::Quiet)];
        ThreadResult { depth, seldepth: 0, score, bound: Bound::Exact, pv }
    }

    const A: Square = Square::A4;
    const B: Square = Square::B4;
    const C: Square = Square::C4;

    #[test]
    fn one_thread_or_none_needs_no_vote() {
        assert_eq!(best(&[]), 0);
        assert_eq!(best(&[result(A, 5, Score::cp(3))]), 0);
        assert_eq!(best(&[ThreadResult { pv: Vec::new(), ..result(A, 0, Score::DRAW) }]), 0);
    }

    #[test]
    fn the_main_thread_wins_ties() {
        assert_eq!(best(&[result(A, 9, Score::cp(3)), result(B, 9, Score::cp(3))]), 0);
    }

    #[test]
    fn the_deeper_and_the_better_score_is_believed() {
        assert_eq!(best(&[result(A, 9, Score::cp(3)), result(B, 10, Score::cp(3))]), 1);
        assert_eq!(best(&[result(A, 9, Score::cp(3)), result(B, 9, Score::cp(4))]), 1);
    }

    #[test]
    fn two_threads_that_agree_outvote_one() {
        let results = [result(A, 10, Score::cp(5)), result(B, 9, Score::cp(3)), result(B, 9, Score::cp(4))];
        assert_eq!(best(&results), 2, "and the one that knows most answers for them");
    }

    #[test]
    fn the_shortest_mate_is_played_whatever_the_votes() {
        let results = [
            result(A, 30, Score::cp(900)),
            result(B, 9, Score::mate_in(9)),
            result(C, 8, Score::mate_in(5)),
            result(A, 30, Score::cp(900)),
        ];
        assert_eq!(best(&results), 2);
    }

    #[test]
    fn a_proven_loss_is_avoided_and_otherwise_put_off() {
        assert_eq!(best(&[result(A, 30, Score::mated_in(4)), result(B, 9, Score::cp(-700))]), 1);
        assert_eq!(best(&[result(A, 30, Score::mated_in(4)), result(B, 9, Score::mated_in(8))]), 1);
    }

    #[test]
    fn a_thread_that_has_found_nothing_is_not_heard() {
        let silent = ThreadResult { pv: Vec::new(), ..result(A, 0, Score::INFINITE) };
        assert_eq!(best(&[silent, result(B, 1, Score::cp(-50))]), 1);
    }
}
