//! Early returns: draws, mate distance, the transposition table, tablebases; then the static evaluation.

use super::{static_eval, update};
use crate::score::{Bound, MAX_PLY, Score};
use crate::search::memory::tt::TtEntry;
use crate::search::node_types::{Node, NodeType, Stopped, Window};
use crate::search::searcher::Searcher;
use crate::search::tb::{TB_DEPTH_BONUS, TbProbe};
use crate::tunables;
use chess::Position;

tunables! {
    /// Transposition cutoffs: up to this depth the entry must agree with the expected node type.
    tt_cutoff_expected_depth = 5, 0..=10, step 1;
    /// Transposition cutoffs: none from this halfmove clock on, where the fifty-move rule changes scores; plies.
    tt_cutoff_halfmove_clock = 90, 60..=100, step 5;
}

/// The steps that every node begins with, quiescence nodes included. Returns a score if one answers for the node; otherwise
/// the node is evaluated.
#[inline(always)]
pub fn begin_node<NT: NodeType>(
    searcher: &mut Searcher<'_>,
    node: &mut Node<'_>,
) -> Result<Option<Score>, Stopped> {
    searcher.count_node(node.ply)?;
    if let Some(score) = draw_or_mate_distance::<NT>(searcher, node) {
        return Ok(Some(score));
    }
    node.tt_entry = searcher.tt_probe(node);
    if NT::ROOT {
        set_root_tt_move(searcher, node);
    }
    if may_cut_off::<NT>(node)
        && let Some(entry) = &node.tt_entry
    {
        // No lesson for the histories: mates come at any depth.
        if let Some(score) = tt_mate_cutoff(node, entry) {
            return Ok(Some(score));
        }
        if let Some(score) = tt_cutoff(node, entry) {
            update::update_histories_on_tt_cutoff(searcher, node, score);
            return Ok(Some(score));
        }
    }
    static_eval::evaluate(searcher, node);
    Ok(None)
}

/// Draws by rule, the greatest ply, upcoming repetition, and mate distance pruning.
#[inline(always)]
fn draw_or_mate_distance<NT: NodeType>(searcher: &mut Searcher<'_>, node: &mut Node<'_>) -> Option<Score> {
    if NT::ROOT {
        return None;
    }
    if is_draw(searcher, node.position) {
        return Some(Score::DRAW);
    }
    if node.ply >= MAX_PLY - 1 {
        let in_check = node.position.in_check();
        return Some(if in_check { Score::DRAW } else { searcher.nnue_eval(node.position) });
    }
    // Upcoming repetition (Marcel van Kervinck): a move leads to an earlier position, so there is at least a draw.
    if node.window.alpha < Score::DRAW && searcher.keys.upcoming_repetition(node.position) {
        node.window.alpha = Score::DRAW;
    }
    // Mate distance pruning: no line from here is better than mating at once, or worse than being mated now.
    node.window.alpha = node.window.alpha.max(Score::mated_in(node.ply));
    node.window.beta = node.window.beta.min(Score::mate_in(node.ply + 1));
    (node.window.alpha >= node.window.beta).then_some(node.window.alpha)
}

/// True if the position is drawn by material, by repetition, or by the fifty-move rule.
#[inline(always)]
fn is_draw(searcher: &Searcher<'_>, position: &Position) -> bool {
    position.is_drawn_by_fifty_moves() || position.is_insufficient_material() || searcher.keys.is_repetition()
}

/// True if the table may answer for the node: off the principal variation, without an excluded move, far from the
/// fifty-move limit.
#[inline(always)]
fn may_cut_off<NT: NodeType>(node: &Node<'_>) -> bool {
    !NT::PV && node.excluded.is_none() && (node.position.halfmove_clock() as i32) < tt_cutoff_halfmove_clock()
}

/// Mate cutoff: an entry that proves a mate answers for the node whatever its depth.
#[inline(always)]
fn tt_mate_cutoff(node: &Node<'_>, entry: &TtEntry) -> Option<Score> {
    let mate_bound = entry.mate_bound()?;
    mate_bound.causes_cutoff(entry.score, node.window.beta).then_some(entry.score)
}

/// Transposition cutoff: an entry that is deep enough answers for the node. At low depth only if it agrees with the expected
/// node type: a contradiction is searched again where that is cheap. Quiescence expects nothing of its nodes.
#[inline(always)]
fn tt_cutoff(node: &Node<'_>, entry: &TtEntry) -> Option<Score> {
    let expected = node.depth <= 0
        || tt_cutoff_expected_depth() < node.depth
        || node.cut_node == (entry.score >= node.window.beta);
    let deep = entry.depth >= node.depth;
    (deep && expected && entry.bound?.causes_cutoff(entry.score, node.window.beta)).then_some(entry.score)
}

/// The best move so far is the root's table move from the second iteration on, whatever the table says.
fn set_root_tt_move(searcher: &Searcher<'_>, node: &mut Node<'_>) {
    if searcher.root.depth > 1 {
        let unknown = TtEntry { tt_pv: true, ..TtEntry::unsearched(None) };
        node.tt_entry.get_or_insert(unknown).mv = Some(searcher.root.best().mv);
    }
}

/// Tablebase probe: the tables answer for a node or narrow its window. They hold positions right after a capture or
/// pawn move; plies since then do not show in them.
#[inline(always)]
pub fn tb_probe<NT: NodeType>(searcher: &mut Searcher<'_>, node: &mut Node<'_>) -> Option<Score> {
    match searcher.tb {
        Some(tb) if !NT::ROOT && node.position.halfmove_clock() == 0 => {
            tb_probe_wdl::<NT>(searcher, tb, node)
        }
        _ => None,
    }
}

#[inline(never)]
fn tb_probe_wdl<NT: NodeType>(
    searcher: &mut Searcher<'_>,
    tb: &TbProbe,
    node: &mut Node<'_>,
) -> Option<Score> {
    if node.excluded.is_some() {
        return None;
    }
    let (score, bound) = tb.probe(node.position, node.depth, node.ply)?;
    searcher.tb_hits += 1;
    // The disk may have taken long.
    searcher.check_limits_soon();
    let Window { alpha, beta } = node.window;
    let cutoff = match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    if cutoff {
        searcher.tt_store_at_depth(node, None, score, bound, node.depth + TB_DEPTH_BONUS);
        return Some(score);
    }
    if NT::PV && bound == Bound::Lower {
        node.window.alpha = alpha.max(score);
        node.tb_min = score;
    } else if NT::PV {
        node.tb_max = score;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_types::{NonPv, Pv};
    use crate::search::searcher::tests::with_searcher;
    use chess::Setup;
    use chess::positions::KIWIPETE;

    /// Kiwipete with this halfmove clock.
    fn kiwipete(halfmove_clock: u32) -> Position {
        let position: Position = KIWIPETE.parse().unwrap();
        Position::from_setup(&Setup { halfmove_clock, ..position.to_setup() }).unwrap()
    }

    /// The evaluations, before and after correction, of a position whose corrections are large, and the nodes of a search
    /// of it as a PV node that no move can lift above alpha.
    fn searched(position: Position, training: bool) -> (Score, Score, u64) {
        with_searcher(position, |searcher| {
            searcher.training = training;
            let keys = searcher.correction_keys(1);
            (0..100).for_each(|_| searcher.correction_history.update(&position, keys, 10, 3000));
            let window = Window { alpha: Score::cp(3000), beta: Score::cp(3001) };
            let mut node = Node::new(&position, window, 2, 1);
            assert_eq!(begin_node::<Pv>(searcher, &mut node).unwrap(), None);
            searcher.search_node::<Pv>(Node::new(&position, window, 2, 1)).unwrap();
            (node.raw_eval.unwrap(), node.static_eval.unwrap(), searcher.nodes())
        })
    }

    #[test]
    fn a_search_for_training_leaves_out_what_the_network_cannot_see() {
        let network = Score::cp(crate::eval::default_network().evaluate(&kiwipete(0)));
        let (raw, corrected, pruned_nodes) = searched(kiwipete(60), false);
        assert!(raw != network && corrected != raw);
        let (raw, corrected, nodes) = searched(kiwipete(60), true);
        assert_eq!((raw, corrected), (network, network));
        assert!(nodes > pruned_nodes, "{nodes} {pruned_nodes}: moves of PV nodes are not pruned");
    }

    /// The score by which the table answers for a node.
    fn answer(searcher: &Searcher<'_>, mut node: Node<'_>) -> Option<Score> {
        node.tt_entry = searcher.tt_probe(&node);
        let entry = node.tt_entry.as_ref().filter(|_| may_cut_off::<NonPv>(&node))?;
        tt_cutoff(&node, entry)
    }

    #[test]
    fn in_quiescence_every_bound_cuts_that_answers() {
        let position = kiwipete(0);
        for (score, bound) in [(50, Bound::Lower), (-50, Bound::Upper)] {
            for cut_node in [false, true] {
                with_searcher(position, |searcher| {
                    let node = || Node::new(&position, Window::zero_width(Score::cp(0)), 0, 1);
                    searcher.tt_store(&node(), None, Score::cp(score), bound);
                    let node = node().with_cut_node(cut_node);
                    assert_eq!(answer(searcher, node), Some(Score::cp(score)));
                });
            }
        }
    }

    /// The score that a table entry of `depth` with a lower bound of 50 centipawns gives a node of depth 6 with beta 1.
    fn cutoff(entry_depth: i32, excluded: bool, clock: u32) -> Option<Score> {
        let position = kiwipete(clock);
        with_searcher(position, |searcher| {
            let node = || Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1).with_cut_node(true);
            let stored = Node { depth: entry_depth, ..node() };
            searcher.tt_store(&stored, None, Score::cp(50), Bound::Lower);
            let mut node = node();
            node.excluded = excluded.then(|| position.legal_moves()[0]);
            answer(searcher, node)
        })
    }

    #[test]
    fn a_table_entry_cuts_if_it_is_deep_enough_and_the_node_is_whole_and_far_from_the_fifty_moves() {
        assert_eq!(cutoff(6, false, 0), Some(Score::cp(50)));
        assert_eq!(cutoff(5, false, 0), None, "too shallow");
        assert_eq!(cutoff(6, true, 0), None, "a move is left out");
        assert_eq!(cutoff(6, false, 95), None, "near the fifty-move limit");
    }
}
