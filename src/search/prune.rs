//! Pruning: nodes and moves that are given up without a search of their own.

use super::history::{Context, Moved};
use super::lab::{self, Switch};
use super::moves::MoveFacts;
use super::node::{Node, NodeKind, NonPv, Stopped, Window};
use super::picker::{Picked, Picker, Stage, Wanted};
use super::reduce;
use super::worker::Searcher;
use crate::score::{Bound, Score};
use crate::tunables;

tunables! {
    /// Reverse futility: the greatest depth.
    rfp_depth = 7, 4..=14, step 1;
    /// Reverse futility: centipawns a ply of remaining depth.
    rfp_margin = 90, 30..=160, step 6;
    /// Reverse futility: centipawns at depth 0.
    rfp_base = -15, -80..=80, step 6;
    /// Reverse futility: centipawns more when a piece may be taken by a lesser one.
    rfp_threatened = 40, 0..=160, step 6;
    /// Reverse futility: centipawns less when the position is improving.
    rfp_improving = 46, 0..=160, step 6;
    /// Reverse futility: centipawns more where the position has been on a principal variation.
    rfp_was_pv = 41, 0..=160, step 8;
    /// Reverse futility: 64ths of the evaluation's correction.
    rfp_correction = 52, 0..=128, step 8;
    /// Null move: what the reply is reduced by whatever the depth, in 1024ths of a ply.
    null_base = 4583, 2048..=6144, step 256;
    /// Null move: how much more for each ply of depth, in 1024ths of a ply.
    null_slope = 260, 64..=512, step 24;
    /// Null move: how much more when the position is improving, in 1024ths of a ply.
    null_improving = 334, 0..=1536, step 128;
    /// Null move: centipawns above beta that reduce one ply more, six at most.
    null_eval = 161, 80..=400, step 15;
    /// Null move: a static evaluation this many centipawns below beta, less 20 a ply, still qualifies.
    null_gate = 132, 0..=300, step 15;
    /// Null move: from this depth on a fail-high is verified by a search without null moves.
    null_verification_depth = 14, 8..=24, step 1;
    /// ProbCut: centipawns above beta.
    probcut_margin = 159, 80..=320, step 12;
    /// ProbCut: centipawns less when the position is improving.
    probcut_improving = 72, 0..=120, step 8;
    /// ProbCut: the least depth.
    probcut_depth = 5, 4..=8, step 1;
    /// Late-move pruning: the count at depth 0.
    lmp_base = 8, 1..=16, step 1;
    /// Futility: centipawns at lmr depth 0.
    futility_base = 106, 20..=300, step 12;
    /// Futility: centipawns more when the position is improving.
    futility_improving = 80, 0..=200, step 10;
    /// Futility: centipawns a ply.
    futility_margin = 66, 40..=200, step 8;
    /// Futility of bad captures: centipawns at depth 0.
    noisy_futility_base = 137, 0..=400, step 16;
    /// Futility of bad captures: centipawns a ply.
    noisy_futility_margin = 111, 30..=300, step 10;
    /// History pruning: history units a ply.
    history_margin = 4312, 1000..=9000, step 300;
    /// Exchange pruning of quiet moves: centipawns a squared ply.
    see_quiet_margin = 14, 8..=60, step 3;
    /// Exchange pruning of quiet moves: centipawns more for 1024 units of history.
    see_history = 4, 0..=40, step 3;
    /// Exchange pruning of noisy moves: centipawns a ply.
    see_noisy_margin = 104, 30..=200, step 8;
}

/// Reverse futility pruning (static null move): far above beta, the opponent has no hope in the plies that are left.
#[inline(always)]
pub fn reverse_futility(node: &Node<'_>) -> Option<Score> {
    let margin = rfp_base() + rfp_margin() * node.depth - rfp_improving() * i32::from(node.improving)
        + rfp_was_pv() * i32::from(node.was_pv())
        + node.correction() * rfp_correction() / 64;
    let surplus = node.estimate - margin - node.window.beta;
    let applies = node.depth <= rfp_depth()
        && surplus >= 0
        && (surplus >= rfp_threatened() || !node.position.is_threatened());
    // Halfway to beta: the evaluation overstates what the opponent will allow.
    applies.then(|| Score::cp((node.estimate.raw() + node.window.beta.raw()) / 2))
}

/// Null move pruning (Beal 1989, Donninger 1993): when even passing keeps the score above beta, a move will too.
/// Not with pawns alone, where passing may be the best move (zugzwang); deep fail-highs are verified.
#[inline(always)]
pub fn null_move(search: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    let beta = node.window.beta;
    let gate = (null_gate() - 20 * node.depth).max(-null_gate());
    let applies = lab::null_move() == Switch::On
        && node.depth >= 3
        && node.estimate >= beta
        && node.static_eval.is_some_and(|eval| eval >= beta + gate)
        && search.frame(node.ply, 1).moved != Moved::NOTHING
        && node.ply >= search.null_move_from
        && node.position.has_non_pawns(node.position.side_to_move());
    if !applies {
        return Ok(None);
    }
    let by_depth =
        (null_base() + null_slope() * node.depth + null_improving() * i32::from(node.improving)) / 1024;
    let reduction = by_depth + ((node.estimate - beta) / null_eval()).min(6);
    let child = search.descend_null(node);
    let window = Window::null_above(beta - 1).flipped();
    let reply = Node::new(&child, window, node.depth - reduction, node.ply + 1).expecting_cut(!node.cut_node);
    let score = -search.search_node::<NonPv>(reply)?;
    search.ascend();
    if score < beta {
        return Ok(None);
    }
    // A mate found after passing is not a proof.
    let score = if score.is_win() { beta } else { score };
    if node.depth < null_verification_depth() || search.null_move_from > 0 {
        return Ok(Some(score));
    }
    let depth = node.depth - reduction;
    search.null_move_from = node.ply + (3 * depth.max(0) / 4) as usize;
    let verified =
        search.search_node::<NonPv>(Node::new(node.position, window.flipped(), depth, node.ply).again())?;
    search.null_move_from = 0;
    Ok((verified >= beta).then_some(score))
}

/// ProbCut (Buro 1995): a capture that beats beta by a margin in a search a few plies less deep would very probably
/// beat beta in the full one.
#[inline(always)]
pub fn probcut(search: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    let beta = node.window.beta + probcut_margin() - probcut_improving() * i32::from(node.improving);
    let depth = node.depth - 4;
    let denied =
        node.hit.as_ref().is_some_and(|hit| hit.depth >= depth && hit.bound.is_some() && hit.score < beta);
    if node.depth < probcut_depth() || denied || beta.is_decisive() {
        return Ok(None);
    }
    let needed = node.static_eval.map_or(0, |eval| (beta - eval).max(0));
    let mut picker = Picker::new(Wanted::Noisy, node.table_move(), Context::NOTHING);
    while let Some(Picked { mv, stage, .. }) = picker.next(node.position, search.histories) {
        if stage == Stage::BadNoisy {
            break;
        }
        if !node.position.see_ge(mv, needed) {
            continue;
        }
        search.prefetch_after(node, mv);
        let mut child = *node.position;
        search.descend(node, mv, &mut child);
        let window = Window::null_above(beta - 1).flipped();
        let mut score = -search.quiescence::<NonPv>(Node::new(&child, window, 0, node.ply + 1))?;
        if score >= beta && depth > 0 {
            let reply = Node::new(&child, window, depth, node.ply + 1).expecting_cut(!node.cut_node);
            score = -search.search_node::<NonPv>(reply)?;
        }
        search.ascend();
        if score >= beta {
            search.remember_as(node, Some(mv), score, Bound::Lower, depth + 1);
            return Ok(Some(if score.is_decisive() { score } else { score - (beta - node.window.beta) }));
        }
    }
    Ok(None)
}

/// What becomes of a move before it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is searched.
    Try,
    /// It is not.
    Skip,
    /// Neither it nor any quiet move after it is.
    SkipQuiets,
    /// Neither it nor any quiet move after it is, but those that give check directly.
    OnlyChecks,
}

/// Where only mate at once would beat alpha, a move that gives no check is known not to: the most that it can be worth,
/// a mate one move later. Exact, unlike the others.
#[inline(always)]
pub fn without_check<K: NodeKind>(node: &Node<'_>, facts: &MoveFacts, alpha: Score) -> Option<Score> {
    let most = Score::mate_in(node.ply + 3);
    (!K::ROOT && !facts.gives_check && alpha >= most).then_some(most)
}

/// Pruning of late moves once a move has been found that does not lose.
#[inline(always)]
pub fn late(node: &Node<'_>, facts: &MoveFacts) -> Verdict {
    match facts.quiet {
        true => late_quiet(node, facts),
        false if facts.stage == Stage::BadNoisy && late_noisy(node, facts) => Verdict::Skip,
        false => Verdict::Try,
    }
}

/// Whether a capture that loses material is given up: it loses too much, or even so the evaluation is hopeless.
#[inline(always)]
fn late_noisy(node: &Node<'_>, facts: &MoveFacts) -> bool {
    let margin = noisy_futility_base() + noisy_futility_margin() * node.depth;
    let hopeless = node.static_eval.is_some_and(|eval| eval + margin <= node.window.alpha);
    hopeless && node.depth <= 9 && !node.position.gives_check(facts.mv)
        || facts.loses_exchange(node.position, see_noisy_margin() * node.depth)
}

/// Quiet moves come by falling rank, and the expected depth falls with it: where futility or history gives one up, it would
/// give up all that follow.
#[inline(always)]
fn late_quiet(node: &Node<'_>, facts: &MoveFacts) -> Verdict {
    let depth = node.depth;
    // Late-move pruning: the ordering is trusted to have put what matters first.
    let enough = (lmp_base() + depth * depth) / if node.improving { 1 } else { 2 };
    if depth <= 8 && facts.count > enough {
        return Verdict::SkipQuiets;
    }
    let expected = reduce::expected_depth(node, facts);
    // Futility pruning: a quiet move will not lift a hopeless evaluation above alpha.
    let futile = node.static_eval.is_some_and(|eval| {
        let improving = futility_improving() * i32::from(node.improving);
        let margin = futility_base() + improving + futility_margin() * expected + facts.history / 128;
        eval + margin <= node.window.alpha
    });
    if expected <= 6 && futile && !node.position.gives_check(facts.mv) {
        return Verdict::OnlyChecks;
    }
    // History pruning: it has failed too often.
    if expected <= 4 && facts.history < -history_margin() * depth {
        return Verdict::SkipQuiets;
    }
    let margin = see_quiet_margin() * expected * expected + facts.history * see_history() / 1024;
    if depth <= 8 && facts.loses_exchange(node.position, margin.max(0)) {
        return Verdict::Skip;
    }
    Verdict::Try
}
