//! Pruning of nodes: those that are given up without a search of their moves. Each technique's whole condition and amount
//! stand in its own function.

use super::move_picker::{MoveFilter, MovePicker, ScoredMove};
use crate::score::{Bound, Score};
use crate::search::memory::history::{HistoryContext, PieceTo};
use crate::search::node_types::{Node, NodeType, NonPv, Stage, Stopped, Window};
use crate::search::searcher::Searcher;
use crate::tunables;
use chess::attacks::piece_attacks;
use chess::{PieceType, Position};

tunables! {
    /// RFP: the maximum depth.
    rfp_depth = 7, 4..=14, step 1;
    /// RFP: centipawns a ply of remaining depth.
    rfp_margin = 90, 30..=160, step 6;
    /// RFP: centipawns at depth 0.
    rfp_base = -15, -80..=80, step 6;
    /// RFP: centipawns more when a piece of the side to move is attacked by a lesser one.
    rfp_threatened = 40, 0..=160, step 6;
    /// RFP: centipawns less when the position is improving.
    rfp_improving = 46, 0..=160, step 6;
    /// RFP: centipawns more where the position has been on a principal variation.
    rfp_tt_pv = 41, 0..=160, step 8;
    /// RFP: 64ths of the size of the evaluation's correction.
    rfp_correction = 52, 0..=128, step 8;
    /// NMP: the minimum depth.
    nmp_depth = 3, 1..=6, step 1;
    /// NMP: the constant part of the reduction, in 1024ths of a ply.
    nmp_base = 4583, 2048..=6144, step 256;
    /// NMP: the reduction for each ply of depth, in 1024ths of a ply.
    nmp_slope = 260, 64..=512, step 24;
    /// NMP: more reduction when the position is improving, in 1024ths of a ply.
    nmp_improving = 334, 0..=1536, step 128;
    /// NMP: centipawns above beta that reduce by one ply more.
    nmp_eval = 161, 80..=400, step 15;
    /// NMP: the maximum number of plies that the evaluation above beta reduces by.
    nmp_eval_max = 6, 0..=10, step 1;
    /// NMP: centipawns above beta that the static evaluation needs at depth 0; the same below beta are enough when deep.
    nmp_eval_margin = 132, 0..=300, step 15;
    /// NMP: centipawns that this margin falls by for each ply of depth.
    nmp_eval_slope = 20, 0..=60, step 4;
    /// NMP: centipawns that this margin is lower when the position is improving.
    nmp_eval_improving = 18, 0..=80, step 6;
    /// NMP: from this depth on a cutoff is verified by a search without null moves.
    nmp_verification_depth = 14, 8..=24, step 1;
    /// ProbCut: centipawns above beta.
    probcut_margin = 159, 80..=320, step 12;
    /// ProbCut: centipawns less when the position is improving.
    probcut_improving = 72, 0..=120, step 8;
    /// ProbCut: the minimum depth.
    probcut_depth = 5, 4..=8, step 1;
    /// ProbCut: plies that its search is reduced by.
    probcut_reduction = 4, 2..=6, step 1;
}

/// Reverse futility pruning (RFP, static null move): at low depth a node is cut whose evaluation exceeds beta by a margin
/// that grows with depth; more is needed on a former principal variation, after large corrections, and while a piece hangs.
/// The score is halfway between evaluation and beta.
#[inline(always)]
pub fn rfp(node: &Node<'_>) -> Option<Score> {
    let margin = rfp_base() + rfp_margin() * node.depth - rfp_improving() * i32::from(node.improving)
        + rfp_tt_pv() * i32::from(node.tt_pv())
        + node.correction() * rfp_correction() / 64;
    let excess = node.eval - margin - node.window.beta;
    let applies = node.depth <= rfp_depth()
        && excess >= 0
        && (excess >= rfp_threatened() || !node.position.is_threatened());
    applies.then(|| Score::cp((node.eval.raw() + node.window.beta.raw()) / 2))
}

/// With fewer pieces beside king and pawns, no queen among them, and little mobility the side to move may be in zugzwang.
const ZUGZWANG_FREE_PIECES: u32 = 3;

/// The mobility that those pieces need together: squares that they can go to.
const ZUGZWANG_FREE_MOBILITY: u32 = 9;

/// True if the side to move may be in zugzwang, where passing proves nothing.
#[inline(always)]
fn may_be_zugzwang(position: &Position) -> bool {
    let us = position.side_to_move();
    position.non_pawn_count(us) < ZUGZWANG_FREE_PIECES
        && position.pieces(us, PieceType::Queen).is_empty()
        && minor_and_rook_mobility(position) < ZUGZWANG_FREE_MOBILITY
}

/// The squares that knights, bishops and rooks of the side to move can go to, whatever becomes of their king.
fn minor_and_rook_mobility(position: &Position) -> u32 {
    let us = position.side_to_move();
    let targets = |piece_type, square| {
        piece_attacks(piece_type, square, position.occupied()).without(position.color(us))
    };
    let mobility = |piece_type| -> u32 {
        position.pieces(us, piece_type).iter().map(|square| targets(piece_type, square).count()).sum()
    };
    mobility(PieceType::Knight) + mobility(PieceType::Bishop) + mobility(PieceType::Rook)
}

/// The condition of null move pruning: a minimum depth, evaluation at least beta, static evaluation above beta by a margin
/// that falls with depth, ends below beta and is lower when improving (Stockfish), no null move before, and no likely zugzwang.
#[inline(always)]
fn nmp_applies(searcher: &Searcher<'_>, node: &Node<'_>) -> bool {
    let beta = node.window.beta;
    let margin = (nmp_eval_margin() - nmp_eval_slope() * node.depth).max(-nmp_eval_margin())
        - nmp_eval_improving() * i32::from(node.improving);
    node.depth >= nmp_depth()
        && node.eval >= beta
        && node.static_eval.is_some_and(|eval| eval >= beta + margin)
        && searcher.stack.back(node.ply, 1).piece_to != PieceTo::NONE
        && node.ply >= searcher.nmp_min_ply
        && !may_be_zugzwang(node.position)
}

/// Null move pruning (NMP; Beal 1989, Donninger 1993): when even passing keeps the score above beta in a search reduced by
/// `by_depth` plies, and more by the evaluation's excess over beta, a move will too, and the node is cut. Deep cutoffs are
/// verified by a search of the node itself in which null moves are forbidden for three quarters of the way.
#[inline(always)]
pub fn nmp<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    if !nmp_applies(searcher, node) {
        return Ok(None);
    }
    let beta = node.window.beta;
    let by_depth =
        (nmp_base() + nmp_slope() * node.depth + nmp_improving() * i32::from(node.improving)) / 1024;
    let excess = node.static_eval.map_or(0, |eval| (eval - beta).max(0));
    let depth = node.depth - by_depth - (excess / nmp_eval()).min(nmp_eval_max());
    let child = searcher.make_null_move(node);
    let window = Window::zero_width(beta - 1);
    let reply = Node::new(&child, window.flipped(), depth, node.ply + 1).with_cut_node(!node.cut_node);
    let score = -searcher.search_node::<NT::ZeroWidth>(reply)?;
    searcher.unmake_move();
    if score < beta {
        return Ok(None);
    }
    // A mate found after passing is no proof.
    let score = if score.is_win() { beta } else { score };
    if node.depth < nmp_verification_depth() || searcher.nmp_min_ply > 0 {
        return Ok(Some(score));
    }
    searcher.nmp_min_ply = node.ply + (3 * depth.max(0) / 4) as usize;
    let verified = searcher
        .search_node::<NT::ZeroWidth>(Node::new(node.position, window, depth, node.ply).verifying())?;
    searcher.nmp_min_ply = 0;
    Ok((verified >= beta).then_some(score))
}

/// ProbCut (Buro 1995): at expected cut nodes of some depth a capture that beats beta by a margin, first in quiescence and
/// then in a reduced search, would very probably beat beta in the full one, and the node is cut. Not if a table
/// entry of that depth says otherwise. Only captures are tried that win what the static evaluation lacks.
#[inline(always)]
pub fn probcut<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    let beta = node.window.beta + probcut_margin() - probcut_improving() * i32::from(node.improving);
    let depth = node.depth - probcut_reduction();
    let denied = node
        .tt_entry
        .as_ref()
        .is_some_and(|entry| entry.depth >= depth && entry.bound.is_some() && entry.score < beta);
    if !node.cut_node || node.depth < probcut_depth() || denied || beta.is_decisive() {
        return Ok(None);
    }
    let needed = node.static_eval.map_or(0, |eval| (beta - eval).max(0));
    let mut picker = MovePicker::new(MoveFilter::Noisy, node.tt_move(), HistoryContext::NONE);
    while let Some(ScoredMove { mv, stage, .. }) = picker.next(node.position, searcher.histories) {
        if stage == Stage::BadNoisy {
            break;
        }
        if !node.position.see_ge(mv, needed) {
            continue;
        }
        searcher.prefetch_tt(node, mv);
        let mut child = *node.position;
        searcher.make_move(node, mv, &mut child);
        let window = Window::zero_width(beta - 1).flipped();
        let mut score = -searcher.qsearch::<NonPv>(Node::new(&child, window, 0, node.ply + 1), 0)?;
        if score >= beta && depth > 0 {
            let reply = Node::new(&child, window, depth, node.ply + 1).with_cut_node(!node.cut_node);
            score = -searcher.search_node::<NT::ZeroWidth>(reply)?;
        }
        searcher.unmake_move();
        if score >= beta {
            searcher.tt_store_at_depth(node, Some(mv), score, Bound::Lower, depth + 1);
            return Ok(Some(if score.is_decisive() { score } else { score - (beta - node.window.beta) }));
        }
    }
    Ok(None)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::search::searcher::tests::with_searcher;

    pub use chess::positions::KIWIPETE;

    /// A zero-width node with beta 1, of this depth and these evaluations.
    pub fn node(position: &Position, depth: i32, eval: i32) -> Node<'_> {
        let mut node = Node::new(position, Window::zero_width(Score::cp(0)), depth, 1);
        node.raw_eval = Some(Score::cp(eval));
        node.static_eval = node.raw_eval;
        node.eval = Score::cp(eval);
        node
    }

    #[test]
    fn rfp_needs_a_margin_that_grows_with_depth_up_to_its_greatest_depth() {
        let position: Position = KIWIPETE.parse().unwrap();
        assert_eq!(rfp(&node(&position, 3, 900)), Some(Score::cp(450)));
        assert!(rfp(&node(&position, 1, 200)).is_some() && rfp(&node(&position, 5, 200)).is_none());
        assert!(rfp(&node(&position, rfp_depth() + 1, 5000)).is_none());
    }

    /// True if the null move is tried at depth 8 with this evaluation, after this preparation.
    fn nmp_tried(fen: &str, eval: i32, prepare: impl Fn(&mut Searcher<'_>)) -> bool {
        let position: Position = fen.parse().unwrap();
        with_searcher(position, |searcher| {
            searcher.stack.at(0).piece_to = PieceTo::new(&position, position.legal_moves()[0]);
            prepare(searcher);
            nmp_applies(searcher, &node(&position, 8, eval))
        })
    }

    #[test]
    fn no_null_move_below_beta_after_another_with_few_pieces_or_inside_a_verification() {
        assert!(nmp_tried(KIWIPETE, 300, |_| {}));
        assert!(!nmp_tried(KIWIPETE, -10, |_| {}), "below beta");
        assert!(!nmp_tried(KIWIPETE, 300, |searcher| searcher.stack.at(0).piece_to = PieceTo::NONE));
        assert!(!nmp_tried(KIWIPETE, 300, |searcher| searcher.nmp_min_ply = 5));
        assert!(!nmp_tried("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", 300, |_| {}), "zugzwang");
        assert!(!nmp_tried("4k3/pppp4/8/8/8/8/PPPP4/RN2K3 w - - 0 1", 300, |_| {}), "zugzwang of two pieces");
        for pieces in ["R2BNK2", "3QK3", "4K2R"] {
            assert!(
                nmp_tried(&format!("4k3/pppp4/8/8/8/8/PPPP4/{pieces} w - - 0 1"), 300, |_| {}),
                "{pieces}"
            );
        }
    }

    #[test]
    fn the_null_moves_margin_falls_with_depth_and_ends_below_beta() {
        let position: Position = KIWIPETE.parse().unwrap();
        with_searcher(position, |searcher| {
            searcher.stack.at(0).piece_to = PieceTo::new(&position, position.legal_moves()[0]);
            let tried = |depth, eval| {
                let mut node = node(&position, depth, 5);
                node.static_eval = Some(Score::cp(eval));
                nmp_applies(searcher, &node)
            };
            assert!(!tried(3, 20) && !tried(3, 60) && tried(3, 120), "shallow: well above beta");
            let improving = Node { improving: true, ..node(&position, 3, 60) };
            assert!(nmp_applies(searcher, &improving), "less is enough when improving");
            assert!(tried(9, -20) && !tried(9, -200), "deep: below beta will do");
        });
    }

    #[test]
    fn nothing_is_pruned_in_check_with_an_excluded_move_a_mate_as_beta_or_in_a_verification() {
        let position: Position = KIWIPETE.parse().unwrap();
        assert!(node(&position, 3, 0).can_prune());
        assert!(!node(&position, 3, 0).excluding(position.legal_moves()[0]).can_prune());
        assert!(!Node { static_eval: None, ..node(&position, 3, 0) }.can_prune());
        let window = Window::zero_width(Score::mate_in(9));
        assert!(!Node { window, ..node(&position, 3, 0) }.can_prune());
        assert!(!node(&position, 3, 0).verifying().can_prune(), "a verification has to search");
    }
}
