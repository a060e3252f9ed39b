//! Reductions: moves and nodes that look poor are searched less deep.

use crate::search::node_types::{Candidate, MadeMove, Node, NodeType, Stage};
use crate::search::searcher::Searcher;
use crate::tunables;
use std::sync::LazyLock;

tunables! {
    /// LMR of quiet moves: the constant part, in 1024ths of a ply.
    lmr_quiet_base = 899, 0..=2048, step 60;
    /// LMR of quiet moves: the product of logarithms is divided by this many hundredths.
    lmr_quiet_divisor = 215, 120..=400, step 12;
    /// LMR of noisy moves: the constant part, in 1024ths of a ply.
    lmr_noisy_base = 205, -512..=1536, step 60;
    /// LMR of noisy moves: the product of logarithms is divided by this many hundredths.
    lmr_noisy_divisor = 417, 150..=600, step 16;
    /// LMR: less in PV nodes, in 1024ths of a ply as all that follow.
    lmr_pv = 1000, 0..=2048, step 100;
    /// LMR: more in expected cut nodes.
    lmr_cut_node = 1016, 0..=3072, step 120;
    /// LMR: more when the position is not improving.
    lmr_not_improving = 1024, 0..=2048, step 80;
    /// LMR: less for moves that give check.
    lmr_check = 1107, 0..=2048, step 100;
    /// LMR: more when the table's move is noisy: the position is tactical and that move is probably the point.
    lmr_tt_capture = 627, 0..=2048, step 80;
    /// LMR: less on a former principal variation whose table score is above alpha.
    lmr_tt_pv_good = 512, 0..=2048, step 80;
    /// LMR: less on a former principal variation that was searched at least as deep.
    lmr_tt_pv_deep = 512, 0..=2048, step 80;
    /// LMR: less for captures that lose nothing.
    lmr_good_noisy = 854, 0..=4096, step 120;
    /// LMR: more in expected cut nodes without a table move.
    lmr_no_tt_move = 465, 0..=2048, step 80;
    /// LMR: more when a move has raised alpha already.
    lmr_alpha_raised = 609, 0..=2048, step 80;
    /// LMR: more when two of the moves before were answered by a fail-high.
    lmr_two_cutoffs = 120, 0..=1024, step 60;
    /// LMR: more when more than two were.
    lmr_cutoffs = 1090, 0..=2048, step 80;
    /// LMR: more when more than three were.
    lmr_many_cutoffs = 100, 0..=1024, step 60;
    /// LMR: more in expected all nodes when two or more were: those then do what is expected of them.
    lmr_cutoffs_all_node = 400, 0..=2048, step 80;
    /// LMR: more for each ply beyond the first that the table's move is extended by: the others are much worse.
    lmr_singular = 512, 0..=2048, step 80;
    /// LMR: less for each centipawn of the static evaluation's correction.
    lmr_correction = 3, 0..=40, step 2;
    /// LMR: more for every move.
    lmr_offset = 200, 0..=1024, step 60;
    /// LMR: less for each move before, which the product of logarithms counts too much.
    lmr_move_count = 32, 0..=128, step 8;
    /// LMR: units of order score worth a ply.
    lmr_history_divisor = 14000, 3000..=30000, step 1000;
    /// The depth that pruning goes by is reduced by this much less than LMR would, in 1024ths of a ply.
    lmr_depth_offset = 653, 0..=2048, step 80;
    /// Re-search: a reduced move that beats alpha by more centipawns than this is searched a ply deeper.
    lmr_deeper_margin = 70, 10..=200, step 8;
    /// Re-search: a reduced move that beats alpha by more centipawns than this is searched two plies deeper.
    lmr_even_deeper_margin = 250, 100..=600, step 30;
    /// Re-search: a reduced move that beats alpha by fewer centipawns than this is searched a ply less deep.
    lmr_shallower_margin = 15, 0..=30, step 2;
    /// IIR: the minimum depth.
    iir_depth = 5, 2..=8, step 1;
    /// Hindsight: a reduction of fewer plies is left as it is.
    hindsight_depth = 2, 1..=6, step 1;
    /// Hindsight: a reduction of this many plies or more is corrected where the move turns out well.
    hindsight_deeper = 3, 1..=6, step 1;
    /// Hindsight: centipawns that the side to move must have gained for a search a ply less deep.
    hindsight_margin = 84, 10..=300, step 10;
}

/// Natural logarithms in 1024ths, of 0 (taken as 1) to 63.
static LOGARITHMS: LazyLock<[i32; 64]> =
    LazyLock::new(|| std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 1024.0).round() as i32));

/// The depth of the zero-width search of a move whose depth without reduction is `depth`, if late move reductions reduce it
/// by `plies`: not in a full-width iteration, and at least one ply stays.
#[inline(always)]
pub fn lmr(searcher: &Searcher<'_>, depth: i32, plies: i32) -> Option<i32> {
    let reduced = (depth - plies).max(depth.min(1));
    (reduced < depth && !searcher.is_full_width()).then_some(reduced)
}

/// Late move reductions (LMR; Romstad's Glaurung, Letouzey's Fruit, and every engine since): moves that come late are seldom
/// good, so all but the first (in PV nodes the first two) are searched less deep. Returns plies.
#[inline(always)]
pub fn lmr_reduction<NT: NodeType>(node: &Node<'_>, made: &MadeMove) -> i32 {
    if node.depth < 2 || made.candidate.move_count < 2 + i32::from(NT::PV) {
        return 0;
    }
    let all_node = !NT::PV && !node.cut_node;
    let mut reduction = base_reduction(node, &made.candidate);
    reduction -= i32::from(NT::PV) * lmr_pv();
    reduction += i32::from(node.cut_node) * lmr_cut_node();
    reduction -= i32::from(made.gives_check) * lmr_check();
    reduction += i32::from(node.tt_move().is_some_and(|mv| mv.is_noisy())) * lmr_tt_capture();
    reduction -= tt_pv_reduction(node);
    reduction -= i32::from(made.candidate.stage == Stage::GoodNoisy) * lmr_good_noisy();
    reduction += i32::from(node.cut_node && node.tt_move().is_none()) * lmr_no_tt_move();
    reduction += i32::from(made.alpha_raised) * lmr_alpha_raised();
    reduction += child_cutoffs_reduction(made.child_cutoffs, all_node);
    reduction += (made.tt_move_extension - 1).max(0) * lmr_singular();
    reduction -= node.correction() * lmr_correction();
    reduction += lmr_offset() - made.candidate.move_count * lmr_move_count();
    // More in expected all nodes, the more so the less deep (Stockfish).
    if all_node {
        reduction += reduction / (node.depth + 1);
    }
    (reduction / 1024).max(0)
}

/// The reduction by the number of moves before that were answered by a fail-high (Stockfish), in 1024ths of a ply: from two
/// on, most at the third.
#[inline(always)]
fn child_cutoffs_reduction(cutoffs: i32, all_node: bool) -> i32 {
    i32::from(cutoffs > 1) * (lmr_two_cutoffs() + i32::from(all_node) * lmr_cutoffs_all_node())
        + i32::from(cutoffs > 2) * lmr_cutoffs()
        + i32::from(cutoffs > 3) * lmr_many_cutoffs()
}

/// The part of the reduction that is known before anything costs time, in 1024ths of a ply: the product of the logarithms of
/// depth and move number, improving, and the order score.
#[inline(always)]
fn base_reduction(node: &Node<'_>, candidate: &Candidate) -> i32 {
    let logarithms = &*LOGARITHMS;
    let product = logarithms[node.depth.min(63) as usize] * logarithms[candidate.move_count.min(63) as usize]
        / 1024
        * 100;
    let reduction = match candidate.quiet {
        true => lmr_quiet_base() + product / lmr_quiet_divisor(),
        false => lmr_noisy_base() + product / lmr_noisy_divisor(),
    };
    reduction + i32::from(!node.improving_or_above_beta()) * lmr_not_improving()
        - candidate.order_score * 1024 / lmr_history_divisor()
}

/// The reduction that a former principal variation is spared, in 1024ths of a ply.
#[inline(always)]
fn tt_pv_reduction(node: &Node<'_>) -> i32 {
    let Some(entry) = node.tt_entry.as_ref().filter(|entry| entry.tt_pv) else { return 0 };
    let good = entry.bound.is_some() && entry.score > node.entry_alpha();
    i32::from(good) * lmr_tt_pv_good() + i32::from(entry.depth >= node.depth) * lmr_tt_pv_deep()
}

/// LMR depth: the depth that a late move can expect after reduction, by which pruning decides.
#[inline(always)]
pub fn lmr_depth(node: &Node<'_>, candidate: &Candidate) -> i32 {
    (node.depth - (base_reduction(node, candidate) - lmr_depth_offset()).max(0) / 1024).max(0)
}

/// Deeper or shallower re-search: plies added to the full depth of a reduced move that beat alpha by `excess` centipawns;
/// two where it is far better than expected (pawnocchio).
#[inline(always)]
pub fn research_depth_change(excess: i32) -> i32 {
    i32::from(excess > lmr_deeper_margin()) + i32::from(excess > lmr_even_deeper_margin())
        - i32::from(excess < lmr_shallower_margin())
}

/// Internal iterative reduction (IIR; Ed Schröder 2020): a PV or expected cut node of some depth without a table move is
/// searched a ply less deep: its move ordering is poor, and the next iteration will do better.
#[inline(always)]
pub fn iir<NT: NodeType>(node: &mut Node<'_>) {
    if node.depth >= iir_depth() && node.tt_move().is_none() && (NT::PV || node.cut_node) {
        node.depth -= 1;
    }
}

/// Hindsight reduction (Stockfish 2024, Reckless): the evaluation after a reduced move corrects the reduction. Where the
/// move turned out well for its side after a large reduction, one ply deeper; where the reply's side has gained, one ply
/// less deep.
#[inline(always)]
pub fn hindsight_reduction(searcher: &Searcher<'_>, node: &mut Node<'_>) {
    let parent = searcher.stack.back(node.ply, 1);
    let (Some(eval), Some(before)) = (node.static_eval, parent.static_eval) else { return };
    if node.excluded.is_some() || parent.reduction < hindsight_depth() {
        return;
    }
    let gained = eval + before.raw();
    if parent.reduction >= hindsight_deeper() && gained.raw() < 0 {
        node.depth += 1;
    } else if gained.raw() > hindsight_margin() && node.depth > 1 {
        node.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_types::{NonPv, Pv, Window};
    use crate::search::searcher::tests::with_searcher;
    use chess::Position;

    use chess::positions::KIWIPETE;

    /// Plies taken off the move `text`, tried as number `move_count` at `depth`.
    fn plies<NT: NodeType>(text: &str, depth: i32, move_count: i32, order_score: i32) -> i32 {
        let position: Position = KIWIPETE.parse().unwrap();
        let node = Node::new(&position, Window::FULL, depth, 3);
        let mv = position.parse_uci(text).unwrap();
        let gives_check = position.gives_check(mv);
        let stage = if mv.is_quiet() { Stage::Quiet } else { Stage::BadNoisy };
        let candidate = Candidate::new(mv, stage, move_count, order_score);
        lmr_reduction::<NT>(&node, &MadeMove::new(candidate, gives_check))
    }

    #[test]
    fn lmr_grows_with_depth_count_and_bad_history_and_is_less_on_the_principal_variation() {
        let off_pv = plies::<NonPv>;
        assert_eq!(off_pv("a2a3", 8, 1, -20_000), 0, "never the first move");
        assert!(off_pv("a2a3", 20, 20, 0) > off_pv("a2a3", 5, 20, 0));
        assert!(off_pv("a2a3", 20, 30, 0) > off_pv("a2a3", 20, 3, 0));
        assert!(off_pv("a2a3", 12, 12, -9_000) > off_pv("a2a3", 12, 12, 9_000));
        assert!(off_pv("a2a3", 12, 12, 0) > plies::<Pv>("a2a3", 12, 12, 0));
        assert!(off_pv("a2a3", 12, 12, 0) > off_pv("e5f7", 12, 12, 0));
    }

    /// A node where a cut is expected, and a move there that is reduced.
    fn poor_move(position: &Position) -> (Node<'_>, MadeMove) {
        let node = Node::new(position, Window::FULL, 12, 3).with_cut_node(true);
        let mv = position.parse_uci("e1f1").unwrap();
        (node, MadeMove::new(Candidate::new(mv, Stage::Quiet, 40, -30_000), false))
    }

    #[test]
    fn moves_beside_one_that_is_singular_by_far_are_reduced_more() {
        let position: Position = KIWIPETE.parse().unwrap();
        let node = Node::new(&position, Window::FULL, 12, 3);
        let plies = |tt_move_extension| {
            let candidate = Candidate::new(position.parse_uci("a2a3").unwrap(), Stage::Quiet, 6, 0);
            let made = MadeMove::new(candidate, false);
            lmr_reduction::<NonPv>(&node, &MadeMove { tt_move_extension, ..made })
        };
        assert_eq!((plies(-2), plies(0)), (plies(1), plies(1)));
        assert!(plies(3) > plies(1));
    }

    #[test]
    fn answered_moves_reduce_the_others_the_most_in_all_nodes() {
        let position: Position = KIWIPETE.parse().unwrap();
        let plies = |cut_node, child_cutoffs| {
            let node = Node::new(&position, Window::FULL, 30, 3).with_cut_node(cut_node);
            let candidate = Candidate::new(position.parse_uci("a2a3").unwrap(), Stage::Quiet, 6, 0);
            let made = MadeMove::new(candidate, false);
            lmr_reduction::<NonPv>(&node, &MadeMove { child_cutoffs, ..made }) * 1024
        };
        let more = |cut_node| plies(cut_node, 3) - plies(cut_node, 1);
        assert!(more(true) > 0 && more(false) >= more(true));
    }

    #[test]
    fn a_reduced_search_keeps_a_ply() {
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, made) = poor_move(&position);
        let plies = lmr_reduction::<NonPv>(&node, &made);
        with_searcher(position, |searcher| {
            assert!((1..11).contains(&lmr(searcher, 11, plies).unwrap()));
            assert_eq!(lmr(searcher, 2, plies), Some(1));
            assert!(lmr(searcher, 1, plies).is_none());
        });
    }

    #[test]
    fn iir_reduces_expected_cut_nodes_without_a_table_move_from_its_depth_on() {
        let position = Position::startpos();
        let reduced = |depth, cut_node| {
            let mut node = Node::new(&position, Window::FULL, depth, 3).with_cut_node(cut_node);
            iir::<NonPv>(&mut node);
            depth - node.depth
        };
        assert_eq!(reduced(8, true), 1);
        assert_eq!(reduced(8, false), 0, "an all node needs no move");
        assert_eq!(reduced(iir_depth() - 1, true), 0, "too shallow");
    }

    #[test]
    fn moves_are_reduced_a_ply_more_where_the_position_does_not_improve() {
        let position: Position = KIWIPETE.parse().unwrap();
        let plies = |improving, move_count| {
            let node = Node { improving, ..Node::new(&position, Window::FULL, 12, 3).with_cut_node(true) };
            let mv = position.parse_uci("a2a3").unwrap();
            let candidate = Candidate::new(mv, Stage::Quiet, move_count, 0);
            lmr_reduction::<NonPv>(&node, &MadeMove::new(candidate, false))
        };
        for move_count in 6..30 {
            assert_eq!(plies(false, move_count), plies(true, move_count) + 1);
        }
    }

    #[test]
    fn the_further_a_reduced_move_beats_alpha_the_deeper_it_is_searched_again() {
        let plies = [1, 40, 100, 400].map(research_depth_change);
        assert_eq!(plies, [-1, 0, 1, 2]);
    }
}
