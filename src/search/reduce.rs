//! Reductions: what looks poor is searched less deep.

use super::lab::{self, Reductions, Switch};
use super::moves::MoveFacts;
use super::node::{Node, NodeKind};
use super::picker::Stage;
use super::worker::Searcher;
use crate::chess::PieceType;
use crate::tunables;
use std::sync::LazyLock;

tunables! {
    /// Late-move reductions of quiet moves: the constant part, in 1024ths of a ply.
    lmr_quiet_base = 899, 0..=2048, step 60;
    /// Late-move reductions of quiet moves: the product of logarithms is divided by this many hundredths.
    lmr_quiet_divisor = 215, 120..=400, step 12;
    /// Late-move reductions of noisy moves: the constant part, in 1024ths of a ply.
    lmr_noisy_base = 205, -512..=1536, step 60;
    /// Late-move reductions of noisy moves: the divisor, in hundredths.
    lmr_noisy_divisor = 417, 150..=600, step 16;
    /// Less in PV nodes.
    lmr_pv = 1000, 0..=2048, step 100;
    /// More where a cut is expected.
    lmr_cut_node = 1016, 0..=3072, step 120;
    /// More when the position is not improving.
    lmr_not_improving = 845, 0..=2048, step 80;
    /// Less for moves that give check.
    lmr_check = 1107, 0..=2048, step 100;
    /// More when the table move is a capture: the position is tactical and it is probably the point.
    lmr_table_capture = 627, 0..=2048, step 80;
    /// Less where the position has been on a principal variation before and the table promises more than alpha.
    lmr_was_pv_good = 512, 0..=2048, step 80;
    /// Less where it has been and was searched as deep as now.
    lmr_was_pv_deep = 512, 0..=2048, step 80;
    /// Less for captures that lose nothing.
    lmr_good_noisy = 854, 0..=4096, step 120;
    /// More where a cut is expected and the table suggests no move.
    lmr_no_table_move = 465, 0..=2048, step 80;
    /// More when a move has raised alpha already.
    lmr_alpha_raised = 609, 0..=2048, step 80;
    /// Pruning expects that a late move is reduced by this much less, in 1024ths of a ply.
    lmr_pruning = 653, 0..=2048, step 80;
    /// More when more than two of the moves tried before were answered by a fail-high.
    lmr_cutoffs = 1090, 0..=2048, step 80;
    /// Less for each centipawn by which the static evaluation is corrected.
    lmr_correction = 3, 0..=40, step 2;
    /// Hindsight: reduced by this many plies or more, a move that turns out well is searched deeper.
    hindsight_deeper = 3, 1..=6, step 1;
    /// Hindsight: when the side to move gained more centipawns than this by the reduced move, less deep.
    hindsight_margin = 84, 10..=300, step 10;
    /// History units worth a ply.
    lmr_history = 8024, 3000..=20000, step 600;
    /// A reduced move that beats alpha by more centipawns than this is searched a ply deeper.
    deeper_margin = 70, 10..=200, step 8;
    /// A reduced move that beats alpha by less than this is searched a ply less deep.
    shallower_margin = 15, 0..=30, step 2;
    /// The least depth at which a node without a table move is searched a ply less deep.
    iir_depth = 5, 2..=8, step 1;
}

/// A reduced search of a move.
pub struct Reduced {
    /// The depth of the child.
    pub depth: i32,
    /// Whether a score above alpha is verified at full depth.
    pub verified: bool,
}

/// Natural logarithms in 1024ths, for 0 to 63.
static LOGARITHMS: LazyLock<[i32; 64]> =
    LazyLock::new(|| std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 1024.0).round() as i32));

/// Late-move reductions (LMR): moves that come late are seldom good, so they are searched less deep, and searched
/// again when they beat alpha after all. `depth` is the child's depth without reduction.
#[inline(always)]
pub fn late_move<K: NodeKind>(node: &Node<'_>, facts: &MoveFacts, depth: i32) -> Option<Reduced> {
    let form = Form { reductions: lab::reductions(), below_pv: lab::reduce_below_pv() };
    late_move_by::<K>(form, node, facts, depth)
}

/// What the laboratory chooses among.
#[derive(Clone, Copy)]
struct Form {
    reductions: Reductions,
    below_pv: Switch,
}

#[inline(always)]
fn late_move_by<K: NodeKind>(form: Form, node: &Node<'_>, facts: &MoveFacts, depth: i32) -> Option<Reduced> {
    if K::PV && !K::ROOT && form.below_pv == Switch::Off {
        return None;
    }
    let plies = match form.reductions {
        Reductions::Off => 0,
        Reductions::MicroMax => micro_max(node, facts),
        Reductions::Romstad => romstad(node, facts),
        Reductions::Fruit21 | Reductions::Fruit20 => fruit(node, facts),
        Reductions::Tamarack => tamarack::<K>(node, facts),
    };
    let reduced = (depth - plies).max(depth.min(1));
    let verified = K::PV || form.reductions != Reductions::Fruit20;
    (reduced < depth).then_some(Reduced { depth: reduced, verified })
}

/// How much deeper a reduced move that beat alpha by `surplus` centipawns is searched again than first planned.
#[inline(always)]
pub fn after_surprise(surplus: i32) -> i32 {
    i32::from(surplus > deeper_margin()) - i32::from(surplus < shallower_margin())
}

/// Internal iterative reduction (Ed Schröder): without a table move the order of moves is poor, and the next
/// iteration will do better, so this one is made cheaper.
#[inline(always)]
pub fn without_table_move<K: NodeKind>(node: &mut Node<'_>) {
    if node.depth >= iir_depth() && node.table_move().is_none() && (K::PV || node.cut_node) {
        node.change_depth(-1);
    }
}

/// Hindsight (Stockfish 2024, Reckless): what the evaluations now say about a move that was reduced corrects the reduction.
#[inline(always)]
pub fn in_hindsight(search: &Searcher<'_>, node: &mut Node<'_>) {
    let parent = search.frame(node.ply, 1);
    let (Some(eval), Some(before)) = (node.static_eval, parent.static_eval) else { return };
    if node.excluded.is_some() || parent.reduction < 2 {
        return;
    }
    let gained = eval + before.raw();
    let change = if parent.reduction >= hindsight_deeper() && gained.raw() < 0 {
        1
    } else {
        -i32::from(gained.raw() > hindsight_margin() && node.depth > 1)
    };
    node.change_depth(change);
}

/// Ours: the product of the logarithms of depth and move number, adjusted by what else is known.
#[inline(always)]
fn tamarack<K: NodeKind>(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    if node.depth < 2 || facts.count < 2 + i32::from(K::PV) || node.asks_for_mate() {
        return 0;
    }
    let mut reduction = by_lateness(node, facts);
    reduction -= i32::from(K::PV) * lmr_pv();
    reduction += i32::from(node.cut_node) * lmr_cut_node();
    reduction -= i32::from(facts.gives_check) * lmr_check();
    reduction += i32::from(node.table_move().is_some_and(|mv| mv.is_noisy())) * lmr_table_capture();
    reduction -= by_former_pv(node);
    reduction -= i32::from(facts.stage == Stage::GoodNoisy) * lmr_good_noisy();
    reduction += i32::from(node.cut_node && node.table_move().is_none()) * lmr_no_table_move();
    reduction += i32::from(facts.alpha_raised) * lmr_alpha_raised();
    reduction += i32::from(facts.cutoffs > 2) * lmr_cutoffs();
    reduction -= node.correction() * lmr_correction();
    if !K::PV && !node.cut_node {
        // Where every move is expected to fail, the more so the less deep (Stockfish).
        reduction += reduction / (node.depth + 1);
    }
    (reduction / 1024).max(0)
}

/// What the table's entry says of a position that has been on a principal variation, in 1024ths of a ply.
#[inline(always)]
fn by_former_pv(node: &Node<'_>) -> i32 {
    let Some(hit) = node.hit.as_ref().filter(|hit| hit.was_pv) else { return 0 };
    let good = hit.bound.is_some() && hit.score > node.window.alpha;
    i32::from(good) * lmr_was_pv_good() + i32::from(hit.depth >= node.depth) * lmr_was_pv_deep()
}

/// What is known before anything costs time, in 1024ths of a ply: the logarithms and history.
#[inline(always)]
fn by_lateness(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    let logarithms = &*LOGARITHMS;
    let product =
        logarithms[node.depth.min(63) as usize] * logarithms[facts.count.min(63) as usize] / 1024 * 100;
    let reduction = match facts.quiet {
        true => lmr_quiet_base() + product / lmr_quiet_divisor(),
        false => lmr_noisy_base() + product / lmr_noisy_divisor(),
    };
    reduction + i32::from(!node.improving) * lmr_not_improving() - facts.history * 1024 / lmr_history()
}

/// The depth that a late move can expect: what pruning goes by.
#[inline(always)]
pub fn expected_depth(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    (node.depth - (by_lateness(node, facts) - lmr_pruning()).max(0) / 1024).max(0)
}

/// micro-Max 4.8 (H. G. Muller).
fn micro_max(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    let pawn =
        node.position.piece_on(facts.mv.from()).is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
    let capture = facts.mv.is_capture() || facts.mv.promotion().is_some();
    i32::from(node.depth >= 5 && facts.count > 1 && !capture && !pawn)
}

/// The classic outline (Tord Romstad, "An introduction to late move reductions", 2006).
fn romstad(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    i32::from(node.depth >= 3 && facts.count > 4 && !is_forcing(node, facts))
}

/// Fruit 2 (Fabien Letouzey 2005): "history pruning" reduces what has failed high in fewer than six of ten cases. Our
/// histories are signed, so the condition is: no better than nothing known.
fn fruit(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    i32::from(node.depth >= 3 && facts.count > 3 && !is_forcing(node, facts) && facts.history <= 0)
}

/// What the early programs exempt from reduction: captures, promotions, checks, extended moves, and escapes from check.
fn is_forcing(node: &Node<'_>, facts: &MoveFacts) -> bool {
    let material = facts.mv.is_capture() || facts.mv.promotion().is_some();
    material || facts.gives_check || facts.extension > 0 || node.position.in_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::score::Score;
    use crate::search::node::{NonPv, Pv, Root, Window};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// The plies that `rule` takes off the move `text`, tried as number `count` at `depth`.
    fn plies(
        rule: impl Fn(&Node<'_>, &MoveFacts) -> i32,
        text: &str,
        depth: i32,
        count: i32,
        history: i32,
    ) -> i32 {
        let position: Position = KIWIPETE.parse().unwrap();
        let node = Node::new(&position, Window::FULL, depth, 3);
        let mv = position.parse_uci(text).unwrap();
        let gives_check = position.gives_check(mv);
        let stage = if mv.is_quiet() { Stage::Quiet } else { Stage::BadNoisy };
        rule(&node, &MoveFacts { gives_check, ..MoveFacts::new(mv, stage, count, history) })
    }

    #[test]
    fn micro_max_reduces_pieces_that_do_not_capture_from_depth_five() {
        assert_eq!(plies(micro_max, "e1g1", 5, 2, 0), 1);
        assert_eq!(plies(micro_max, "e1g1", 4, 2, 0), 0, "too shallow");
        assert_eq!(plies(micro_max, "a2a3", 9, 30, 0), 0, "a pawn");
        assert_eq!(plies(micro_max, "e2a6", 9, 30, 0), 0, "a capture");
    }

    #[test]
    fn romstad_reduces_after_four_moves_what_is_not_forcing() {
        assert_eq!(plies(romstad, "a2a3", 3, 5, 0), 1);
        assert_eq!(plies(romstad, "a2a3", 3, 4, 0), 0, "among the first four");
        assert_eq!(plies(romstad, "a2a3", 2, 5, 0), 0, "too shallow");
        assert_eq!(plies(romstad, "e2a6", 9, 30, 0), 0, "a capture");
        assert_eq!(plies(romstad, "f3f6", 9, 30, 0), 0, "a capture");
    }

    #[test]
    fn fruit_reduces_only_what_has_no_good_history() {
        assert_eq!(plies(fruit, "a2a3", 5, 9, -1), 1);
        assert_eq!(plies(fruit, "a2a3", 5, 9, 500), 0);
        assert_eq!(plies(fruit, "a2a3", 5, 3, -1), 0);
    }

    #[test]
    fn ours_reduces_more_with_depth_count_and_bad_history_and_less_on_the_principal_variation() {
        let ours = tamarack::<NonPv>;
        assert_eq!(plies(ours, "a2a3", 8, 1, -20_000), 0, "never the first move");
        assert!(plies(ours, "a2a3", 20, 20, 0) > plies(ours, "a2a3", 5, 20, 0));
        assert!(plies(ours, "a2a3", 20, 30, 0) > plies(ours, "a2a3", 20, 3, 0));
        assert!(plies(ours, "a2a3", 12, 12, -9_000) > plies(ours, "a2a3", 12, 12, 9_000));
        assert!(plies(ours, "a2a3", 12, 12, 0) > plies(tamarack::<Pv>, "a2a3", 12, 12, 0));
        assert!(plies(ours, "a2a3", 12, 12, 0) > plies(ours, "e5f7", 12, 12, 0));
    }

    /// A node where a cut is expected, and a move there that every form of reduction reduces.
    fn poor_move(position: &Position) -> (Node<'_>, MoveFacts) {
        let node = Node::new(position, Window::FULL, 12, 3).expecting_cut(true);
        let mv = position.parse_uci("e1f1").unwrap();
        let facts = MoveFacts::new(mv, Stage::Quiet, 40, -30_000);
        (node, facts)
    }

    #[test]
    fn only_fruit_2_0_takes_the_reduced_score_for_the_truth_and_not_on_the_principal_variation() {
        use Reductions::{Fruit20, Fruit21, MicroMax, Romstad, Tamarack};
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, facts) = poor_move(&position);
        for reductions in [MicroMax, Romstad, Fruit20, Fruit21, Tamarack] {
            let form = Form { reductions, below_pv: Switch::On };
            let reduced = late_move_by::<NonPv>(form, &node, &facts, 11).unwrap();
            assert_eq!(reduced.verified, reductions != Fruit20, "{reductions:?}");
            assert!(late_move_by::<Pv>(form, &node, &facts, 11).unwrap().verified, "{reductions:?}");
        }
        let form = Form { reductions: Reductions::Off, below_pv: Switch::On };
        assert!(late_move_by::<NonPv>(form, &node, &facts, 11).is_none());
    }

    #[test]
    fn ice_reduces_at_the_root_and_off_the_principal_variation_only() {
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, facts) = poor_move(&position);
        let ice = Form { reductions: Reductions::Tamarack, below_pv: Switch::Off };
        assert!(late_move_by::<Pv>(ice, &node, &facts, 11).is_none());
        assert!(late_move_by::<NonPv>(ice, &node, &facts, 11).is_some());
        assert!(late_move_by::<Root>(ice, &node, &facts, 11).is_some());
    }

    #[test]
    fn a_reduced_search_keeps_a_ply_and_is_verified() {
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, facts) = poor_move(&position);
        let reduced = late_move::<NonPv>(&node, &facts, 11).unwrap();
        assert!((1..11).contains(&reduced.depth) && reduced.verified);
        assert_eq!(late_move::<NonPv>(&node, &facts, 2).unwrap().depth, 1);
        assert!(late_move::<NonPv>(&node, &facts, 1).is_none());
    }

    #[test]
    fn nothing_is_reduced_where_only_a_mate_nearby_is_asked_for() {
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, facts) = poor_move(&position);
        let asking = |plies| {
            let window = Window::null_above(Score::mate_in(node.ply + plies));
            late_move::<NonPv>(&Node::new(&position, window, node.depth, node.ply), &facts, 11).is_none()
        };
        assert!(asking(5) && asking(7) && !asking(9));
    }

    #[test]
    fn only_nodes_without_a_table_move_are_made_cheaper() {
        let position = Position::startpos();
        let mut node = Node::new(&position, Window::FULL, 8, 3).expecting_cut(true);
        without_table_move::<NonPv>(&mut node);
        assert_eq!(node.depth, 7);
        let mut shallow = Node::new(&position, Window::FULL, 3, 3).expecting_cut(true);
        without_table_move::<NonPv>(&mut shallow);
        assert_eq!(shallow.depth, 3);
    }
}
