//! The first steps of a node, which may answer for it before any move: draws, mate distance, the transposition table,
//! tablebases; and its static evaluation.

use super::types::{Node, NodeType, Stopped, Window};
use crate::chess::Position;
use crate::score::{Bound, MAX_PLY, Score};
use crate::search::memory::correction::CorrectionKeys;
use crate::search::memory::tt::TtEntry;
use crate::search::searcher::Searcher;
use crate::search::tb::{TB_DEPTH_BONUS, TbProbe};
use crate::tunables;

tunables! {
    /// Transposition cutoffs: up to this depth the entry must agree with the expected node type.
    tt_cutoff_expected_depth = 5, 0..=10, step 1;
    /// Transposition cutoffs: none from this halfmove clock on, where the fifty-move rule changes scores; plies.
    tt_cutoff_halfmove_clock = 90, 60..=100, step 5;
}

impl Searcher<'_> {
    /// The steps that every node begins with, quiescence nodes included. Returns a score if it answers for the node;
    /// otherwise the node is evaluated.
    #[inline(always)]
    pub(in crate::search) fn begin_node<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
    ) -> Result<Option<Score>, Stopped> {
        self.count_node(node.ply)?;
        let score = self.draw_or_mate_distance::<NT>(node).or_else(|| self.tt_cutoff::<NT>(node));
        if score.is_none() {
            self.evaluate(node);
        }
        Ok(score)
    }

    /// Draws by rule, the greatest ply, upcoming repetition, and mate distance pruning.
    #[inline(always)]
    fn draw_or_mate_distance<NT: NodeType>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        if NT::ROOT {
            return None;
        }
        if self.is_draw(node.position) {
            return Some(Score::DRAW);
        }
        if node.ply >= MAX_PLY - 1 {
            let in_check = node.position.in_check();
            return Some(if in_check { Score::DRAW } else { self.nnue_eval(node.position) });
        }
        // Upcoming repetition (Marcel van Kervinck): a move leads to an earlier position, so there is at least a draw.
        if node.window.alpha < Score::DRAW && self.keys.upcoming_repetition(node.position) {
            node.window.alpha = Score::DRAW;
        }
        // Mate distance pruning: no line from here is better than mating at once, or worse than being mated now.
        node.window.alpha = node.window.alpha.max(Score::mated_in(node.ply));
        node.window.beta = node.window.beta.min(Score::mate_in(node.ply + 1));
        (node.window.alpha >= node.window.beta).then_some(node.window.alpha)
    }

    /// True if the position is drawn by material, by repetition, or by the fifty-move rule.
    #[inline(always)]
    fn is_draw(&self, position: &Position) -> bool {
        position.is_drawn_by_fifty_moves() || position.is_insufficient_material() || self.keys.is_repetition()
    }

    /// Transposition cutoff: off the principal variation an entry answers for the node if it proves a mate or is deep enough.
    /// At low depth the latter only if it agrees with the expected node type: a contradiction is searched again where that is
    /// cheap. Quiescence expects nothing of its nodes. Histories learn from deep entries alone: a mate comes at any depth.
    #[inline(always)]
    fn tt_cutoff<NT: NodeType>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        node.tt_entry = self.tt_probe(node);
        if NT::ROOT {
            self.set_root_tt_move(node);
            return None;
        }
        let entry = node.tt_entry.as_ref()?;
        let usable = !NT::PV
            && node.excluded.is_none()
            && (node.position.halfmove_clock() as i32) < tt_cutoff_halfmove_clock();
        if !usable {
            return None;
        }
        if entry.mate_bound().is_some_and(|bound| bound.causes_cutoff(entry.score, node.window.beta)) {
            return Some(entry.score);
        }
        let expected = node.depth <= 0
            || tt_cutoff_expected_depth() < node.depth
            || node.cut_node == (entry.score >= node.window.beta);
        if entry.depth < node.depth || !expected || !entry.bound?.causes_cutoff(entry.score, node.window.beta)
        {
            return None;
        }
        let score = entry.score;
        self.update_histories_on_tt_cutoff(node, score);
        Some(score)
    }

    /// The best move so far is the root's table move from the second iteration on, whatever the table says.
    fn set_root_tt_move(&self, node: &mut Node<'_>) {
        if self.root.depth > 1 {
            let unknown = TtEntry { tt_pv: true, ..TtEntry::unsearched(None) };
            node.tt_entry.get_or_insert(unknown).mv = Some(self.root.best().mv);
        }
    }

    /// Tablebase probe: the tables answer for a node or narrow its window. They hold positions right after a capture or
    /// pawn move; plies since then do not show in them.
    #[inline(always)]
    pub(in crate::search) fn tb_probe<NT: NodeType>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        match self.tb {
            Some(tb) if !NT::ROOT && node.position.halfmove_clock() == 0 => self.tb_probe_wdl::<NT>(tb, node),
            _ => None,
        }
    }

    #[inline(never)]
    fn tb_probe_wdl<NT: NodeType>(&mut self, tb: &TbProbe, node: &mut Node<'_>) -> Option<Score> {
        if node.excluded.is_some() {
            return None;
        }
        let (score, bound) = tb.probe(node.position, node.depth, node.ply)?;
        self.tb_hits += 1;
        // The disk may have taken long.
        self.check_limits_soon();
        let Window { alpha, beta } = node.window;
        let cutoff = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        if cutoff {
            self.tt_store_at_depth(node, None, score, bound, node.depth + TB_DEPTH_BONUS);
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

    /// The static evaluation, corrected; the table's score where it is closer to the truth; improving.
    #[inline(always)]
    fn evaluate(&mut self, node: &mut Node<'_>) {
        let keys = self.correction_keys(node.ply);
        node.raw_eval = self.raw_eval(node, keys);
        node.static_eval = match self.training {
            false => node.raw_eval.map(|eval| self.correction_history.apply(node.position, keys, eval)),
            true => node.raw_eval,
        };
        self.stack.at(node.ply).static_eval = node.static_eval;
        let Some(eval) = node.static_eval else { return };
        node.eval = eval;
        if let Some(entry) = &node.tt_entry {
            let closer = match entry.bound {
                Some(Bound::Exact) => true,
                Some(Bound::Lower) => entry.score > eval,
                Some(Bound::Upper) => entry.score < eval,
                None => false,
            };
            if closer && !entry.score.is_decisive() {
                node.eval = entry.score;
            }
        }
        if node.excluded.is_none() && !node.is_verification {
            self.update_eval_history(node.ply, eval);
        }
        let before = self.stack.back(node.ply, 2).static_eval.or(self.stack.back(node.ply, 4).static_eval);
        node.improving = before.is_none_or(|before| eval > before);
    }

    /// The evaluation that the table keeps, or the network's; `None` in check.
    fn raw_eval(&mut self, node: &Node<'_>, keys: CorrectionKeys) -> Option<Score> {
        if node.position.in_check() {
            return None;
        }
        if let Some(eval) = node.tt_entry.as_ref().and_then(|entry| entry.eval) {
            return Some(eval);
        }
        self.correction_history.prefetch(node.position, keys);
        let eval = self.nnue_eval(node.position);
        // A quiescence node is stored when it ends; no line from it leads back to it.
        if node.tt_entry.is_none() && node.depth > 0 {
            self.tt_store_entry(node, &TtEntry::unsearched(Some(eval)));
        }
        Some(eval)
    }
}

/// Improving also counts where the static evaluation stands above beta (Stockfish).
#[inline(always)]
pub fn improving_above_beta(node: &mut Node<'_>) {
    node.improving |= node.static_eval.is_some_and(|eval| eval >= node.window.beta);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node::types::{NonPv, Pv};
    use crate::search::searcher::tests::with_searcher;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

    /// The evaluations, before and after correction, of a position whose corrections are large, and the nodes of a search
    /// of it as a PV node that no move can lift above alpha.
    fn searched(position: Position, training: bool) -> (Score, Score, u64) {
        with_searcher(position, |search| {
            search.training = training;
            let keys = search.correction_keys(1);
            (0..100).for_each(|_| search.correction_history.update(&position, keys, 10, 3000));
            let window = Window { alpha: Score::cp(3000), beta: Score::cp(3001) };
            let mut node = Node::new(&position, window, 2, 1);
            assert_eq!(search.begin_node::<Pv>(&mut node).unwrap(), None);
            search.search_node::<Pv>(Node::new(&position, window, 2, 1)).unwrap();
            (node.raw_eval.unwrap(), node.static_eval.unwrap(), search.nodes())
        })
    }

    #[test]
    fn a_search_for_training_leaves_out_what_the_network_cannot_see() {
        let at = |clock: u32| format!("{KIWIPETE} {clock} 1").parse::<Position>().unwrap();
        let network = Score::cp(crate::eval::default_network().evaluate(&at(0)));
        let (raw, corrected, pruned_nodes) = searched(at(60), false);
        assert!(raw != network && corrected != raw);
        let (raw, corrected, nodes) = searched(at(60), true);
        assert_eq!((raw, corrected), (network, network));
        assert!(nodes > pruned_nodes, "{nodes} {pruned_nodes}: moves of PV nodes are not pruned");
    }

    #[test]
    fn in_quiescence_every_bound_cuts_that_answers() {
        let position: Position = format!("{KIWIPETE} 0 1").parse().unwrap();
        for (score, bound) in [(50, Bound::Lower), (-50, Bound::Upper)] {
            for cut_node in [false, true] {
                with_searcher(position, |search| {
                    let node = || Node::new(&position, Window::zero_width(Score::cp(0)), 0, 1);
                    search.tt_store(&node(), None, Score::cp(score), bound);
                    let mut node = node().with_cut_node(cut_node);
                    assert_eq!(search.tt_cutoff::<NonPv>(&mut node), Some(Score::cp(score)));
                });
            }
        }
    }

    /// The score that a table entry of `depth` with a lower bound of 50 centipawns gives a node of depth 6 with beta 1.
    fn cutoff(entry_depth: i32, excluded: bool, clock: u32) -> Option<Score> {
        let position: Position = format!("{KIWIPETE} {clock} 9").parse().unwrap();
        with_searcher(position, |search| {
            let node = || Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1).with_cut_node(true);
            let stored = Node { depth: entry_depth, ..node() };
            search.tt_store(&stored, None, Score::cp(50), Bound::Lower);
            let mut node = node();
            node.excluded = excluded.then(|| position.legal_moves()[0]);
            search.tt_cutoff::<NonPv>(&mut node)
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
