//! Pruning of moves: those that are given up without a search. Each technique's whole condition and amount stand in its own
//! function.

use super::reductions;
use crate::score::Score;
use crate::search::memory::history::captured_value;
use crate::search::node_types::{Candidate, Node, NodeType, Stage};
use crate::search::searcher::Searcher;
use crate::tunables;

tunables! {
    /// LMP: the maximum depth.
    lmp_depth = 8, 4..=16, step 1;
    /// LMP: the move count at depth 0.
    lmp_base = 8, 1..=16, step 1;
    /// LMP: 64ths of the move count that moves with check are allowed.
    lmp_checks = 128, 64..=256, step 16;
    /// Futility: the maximum LMR depth.
    futility_depth = 6, 3..=14, step 1;
    /// Futility: centipawns at LMR depth 0.
    futility_base = 106, 20..=300, step 12;
    /// Futility: centipawns more when the position is improving.
    futility_improving = 80, 0..=200, step 10;
    /// Futility: centipawns a ply of LMR depth.
    futility_margin = 66, 40..=200, step 8;
    /// Futility: 64ths of the size of the evaluation's correction.
    futility_correction = 32, 0..=128, step 8;
    /// Futility: units of order score worth a centipawn.
    futility_history_divisor = 128, 32..=512, step 16;
    /// Futility of bad captures: the maximum depth.
    noisy_futility_depth = 9, 3..=14, step 1;
    /// Futility of bad captures: centipawns at depth 0.
    noisy_futility_base = 137, 0..=400, step 16;
    /// Futility of bad captures: centipawns a ply.
    noisy_futility_margin = 111, 30..=300, step 10;
    /// Futility of good captures: the maximum depth.
    good_noisy_futility_depth = 6, 3..=14, step 1;
    /// Futility of good captures: centipawns at depth 0.
    good_noisy_futility_base = 150, 0..=400, step 16;
    /// Futility of good captures: centipawns a ply.
    good_noisy_futility_margin = 150, 30..=300, step 10;
    /// Futility of good captures: units of history worth a centipawn.
    good_noisy_futility_history_divisor = 64, 16..=256, step 8;
    /// History pruning: the maximum LMR depth.
    history_pruning_depth = 4, 2..=10, step 1;
    /// History pruning: units of order score a ply of depth.
    history_pruning_margin = 4312, 1000..=9000, step 300;
    /// SEE pruning of quiet moves: the maximum depth.
    see_quiet_depth = 8, 4..=16, step 1;
    /// SEE pruning of quiet moves: centipawns a squared ply of LMR depth.
    see_quiet_margin = 14, 8..=60, step 3;
    /// SEE pruning of quiet moves: centipawns more for 1024 units of order score.
    see_quiet_history = 4, 0..=40, step 3;
    /// SEE pruning of noisy moves: centipawns a ply of depth.
    see_noisy_margin = 104, 30..=200, step 8;
}

/// The decision about a move before it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveDecision {
    /// Search it.
    Search,
    /// Skip it.
    Skip,
    /// Skip it and all quiet moves after it.
    SkipQuiets,
    /// Skip it and all quiet moves after it but direct checks.
    SkipNonChecks,
}

/// In `go mate`: a move without check cannot mate now, so its score is at most mate at ply + 3. The bound, if alpha is as
/// high already. Exact, unlike the other prunings.
#[inline(always)]
pub fn mate_search_upper_bound<NT: NodeType>(
    node: &Node<'_>,
    gives_check: bool,
    alpha: Score,
) -> Option<Score> {
    let bound = Score::mate_in(node.ply + 3);
    (!NT::ROOT && !gives_check && alpha >= bound).then_some(bound)
}

/// True if moves may be pruned: not at the root, once a move has been found that does not lose, not in a search for a mate,
/// nor in PV nodes of searches for training.
#[inline(always)]
pub fn may_prune_moves<NT: NodeType>(searcher: &Searcher<'_>, best_score: Score) -> bool {
    let whole_node = NT::ROOT || NT::PV && searcher.training;
    !whole_node && !best_score.is_loss() && !searcher.is_mate_search()
}

/// The prunings of single moves.
#[inline(always)]
pub fn prune_move(node: &Node<'_>, candidate: &Candidate) -> MoveDecision {
    match candidate.quiet {
        true => prune_quiet(node, candidate),
        false if candidate.stage == Stage::GoodNoisy && good_noisy_futility(node, candidate) => {
            MoveDecision::Skip
        }
        false if candidate.stage == Stage::BadNoisy && prune_noisy(node, candidate) => MoveDecision::Skip,
        false => MoveDecision::Search,
    }
}

/// Futility of captures that lose nothing (Stockfish): at low depth those that give no check where even with what they take the
/// evaluation is hopeless.
#[inline(always)]
fn good_noisy_futility(node: &Node<'_>, candidate: &Candidate) -> bool {
    let gain = captured_value(node.position, candidate.mv);
    let margin = good_noisy_futility_base()
        + good_noisy_futility_margin() * node.depth
        + candidate.order_score / good_noisy_futility_history_divisor();
    let futile = node.static_eval.is_some_and(|eval| eval + gain + margin <= node.entry_alpha());
    node.depth <= good_noisy_futility_depth()
        && futile
        && candidate.mv.promotion().is_none()
        && !node.position.gives_check(candidate.mv)
}

/// Futility and SEE pruning of captures that lose material: at low depth those that give no check where the evaluation is
/// hopeless, and at any depth those that lose more than a margin a ply.
#[inline(always)]
fn prune_noisy(node: &Node<'_>, candidate: &Candidate) -> bool {
    let margin = noisy_futility_base() + noisy_futility_margin() * node.depth;
    let futile = node.static_eval.is_some_and(|eval| eval + margin <= node.entry_alpha());
    futile && node.depth <= noisy_futility_depth() && !node.position.gives_check(candidate.mv)
        || !candidate.see_ge(node.position, see_noisy_margin() * node.depth)
}

/// Late move, futility, history and SEE pruning of quiet moves. They come by falling order score, and the LMR depth falls
/// with it: where futility or history prunes one, it would prune all that follow.
#[inline(always)]
fn prune_quiet(node: &Node<'_>, candidate: &Candidate) -> MoveDecision {
    let late = late_move_pruning(node, candidate);
    if late != MoveDecision::Search {
        return late;
    }
    let lmr_depth = reductions::lmr_depth(node, candidate);
    if futility_pruning(node, candidate, lmr_depth) {
        return MoveDecision::SkipNonChecks;
    }
    if history_pruning(node, candidate, lmr_depth) {
        return MoveDecision::SkipQuiets;
    }
    if see_pruning(node, candidate, lmr_depth) { MoveDecision::Skip } else { MoveDecision::Search }
}

/// Late move pruning (LMP, move count pruning): at low depth the ordering is trusted after a number of moves that grows
/// with the square of depth, and is half as large if the position is not improving. Moves that check have a larger number
/// (Reckless, pawnocchio), since histories know little of them.
#[inline(always)]
fn late_move_pruning(node: &Node<'_>, candidate: &Candidate) -> MoveDecision {
    let enough = (lmp_base() + node.depth * node.depth) / if node.improving_or_above_beta() { 1 } else { 2 };
    if node.depth > lmp_depth() || candidate.move_count <= enough {
        MoveDecision::Search
    } else if candidate.move_count > enough * lmp_checks() / 64 {
        MoveDecision::SkipQuiets
    } else if node.position.gives_check(candidate.mv) {
        MoveDecision::Search
    } else {
        MoveDecision::SkipNonChecks
    }
}

/// Futility pruning: at low LMR depth a quiet move without check will not lift a hopeless static evaluation above alpha; the
/// larger its correction, the less sure that is (Reckless).
#[inline(always)]
fn futility_pruning(node: &Node<'_>, candidate: &Candidate, lmr_depth: i32) -> bool {
    let futile = node.static_eval.is_some_and(|eval| {
        let improving = futility_improving() * i32::from(node.improving_or_above_beta());
        let history = candidate.order_score / futility_history_divisor();
        let correction = node.correction() * futility_correction() / 64;
        eval + correction + futility_base() + improving + futility_margin() * lmr_depth + history
            <= node.entry_alpha()
    });
    lmr_depth <= futility_depth() && futile && !node.position.gives_check(candidate.mv)
}

/// History pruning: at low LMR depth a quiet move that has failed too often, the more often the deeper.
#[inline(always)]
fn history_pruning(node: &Node<'_>, candidate: &Candidate, lmr_depth: i32) -> bool {
    lmr_depth <= history_pruning_depth() && candidate.order_score < -history_pruning_margin() * node.depth
}

/// SEE pruning: at low depth a quiet move that loses more than a margin by exchange, which grows with the square of the LMR
/// depth and with the order score.
#[inline(always)]
fn see_pruning(node: &Node<'_>, candidate: &Candidate, lmr_depth: i32) -> bool {
    let margin =
        see_quiet_margin() * lmr_depth * lmr_depth + candidate.order_score * see_quiet_history() / 1024;
    node.depth <= see_quiet_depth() && !candidate.see_ge(node.position, margin.max(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node::pruning::tests::{KIWIPETE, node};
    use crate::search::node_types::{NonPv, Pv};
    use crate::search::searcher::tests::with_searcher;
    use chess::Position;

    /// The decision about the move `text` of Kiwipete in a node of this depth and evaluation.
    fn decision(text: &str, depth: i32, eval: i32, move_count: i32, order_score: i32) -> MoveDecision {
        let position: Position = KIWIPETE.parse().unwrap();
        let mv = position.parse_uci(text).unwrap();
        let stage = match position.see_ge(mv, 0) {
            _ if mv.is_quiet() => Stage::Quiet,
            true => Stage::GoodNoisy,
            false => Stage::BadNoisy,
        };
        prune_move(&node(&position, depth, eval), &Candidate::new(mv, stage, move_count, order_score))
    }

    #[test]
    fn late_futile_failing_and_losing_moves_are_pruned() {
        assert_eq!(decision("a2a3", 4, 0, 3, 0), MoveDecision::Search);
        assert_eq!(decision("a2a3", 4, 0, 60, 0), MoveDecision::SkipQuiets, "late");
        assert_eq!(decision("a2a3", 4, -2000, 3, 0), MoveDecision::SkipNonChecks, "futile");
        assert_eq!(decision("a2a3", 2, 300, 3, -16_000), MoveDecision::SkipQuiets, "bad history");
        assert_eq!(decision("f3h5", 3, 0, 2, 0), MoveDecision::Skip, "loses the queen");
        assert_eq!(decision("f3f6", 2, 0, 2, 0), MoveDecision::Skip, "a capture that loses the queen");
        assert_eq!(
            decision("d5e6", 2, -2000, 2, 0),
            MoveDecision::Skip,
            "takes a pawn where that is not enough"
        );
        assert_eq!(decision("d5e6", 2, -200, 2, 0), MoveDecision::Search, "takes enough");
        assert_eq!(decision("a2a3", 14, -2000, 3, 0), MoveDecision::Search, "deep enough");
    }

    #[test]
    fn checks_are_late_later_than_other_quiet_moves() {
        let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse().unwrap();
        let decision = |text, move_count| {
            let mv = position.parse_uci(text).unwrap();
            prune_move(&node(&position, 4, 0), &Candidate::new(mv, Stage::Quiet, move_count, 0))
        };
        assert_eq!(decision("a1a2", 20), MoveDecision::SkipNonChecks);
        assert_eq!(decision("a1a8", 20), MoveDecision::Search);
        assert_eq!(decision("a1a8", 30), MoveDecision::SkipQuiets, "too late even for a check");
    }

    #[test]
    fn futility_needs_more_where_the_evaluation_was_corrected_by_much() {
        let position: Position = KIWIPETE.parse().unwrap();
        let mv = position.parse_uci("a2a3").unwrap();
        let decision = |raw_eval| {
            let raw_eval = Some(Score::cp(raw_eval));
            let node = Node { raw_eval, ..node(&position, 2, -300) };
            prune_move(&node, &Candidate::new(mv, Stage::Quiet, 3, 0))
        };
        assert_eq!(decision(-300), MoveDecision::SkipNonChecks);
        assert_eq!(decision(100), MoveDecision::Search, "corrected by 400");
    }

    #[test]
    fn moves_are_pruned_only_off_the_root_and_when_one_holds() {
        let position: Position = KIWIPETE.parse().unwrap();
        with_searcher(position, |searcher| {
            assert!(may_prune_moves::<NonPv>(searcher, Score::cp(-50)));
            assert!(!may_prune_moves::<NonPv>(searcher, Score::mated_in(4)), "all moves lose so far");
            searcher.training = true;
            assert!(!may_prune_moves::<Pv>(searcher, Score::cp(-50)), "for training");
        });
    }
}
