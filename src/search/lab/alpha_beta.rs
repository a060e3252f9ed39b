//! The functions of [`crate::search::node::alpha_beta`] that the laboratory replaces.

use super::iid::{self, WantedGuard};
use super::reductions::lmr;
use super::switches::{NoTableMove, no_table_move};
use crate::chess::Position;
use crate::score::Score;
use crate::search::node::extensions::{Singular, mate_extension, singular_extension};
use crate::search::node::types::{MoveInfo, Node, NodeType, NonPv, SearchResult, Window};
use crate::search::node::{probe, reductions};
use crate::search::searcher::Searcher;

impl Searcher<'_> {
    /// Searches a node (fail-soft): the list of steps, with the switches.
    pub fn search_node<NT: NodeType>(&mut self, mut node: Node<'_>) -> SearchResult {
        node.debug_check::<NT>();
        if node.depth <= 0 {
            return self.qsearch::<NT>(node);
        }
        if let Some(score) = self.begin_node::<NT>(&mut node)? {
            return Ok(score);
        }
        if let Some(score) = self.tb_probe::<NT>(&mut node) {
            return Ok(score);
        }
        if !self.is_full_width() {
            reductions::hindsight_reduction(self, &mut node);
            mate_extension::<NT>(&mut node);
        }
        if let Some(score) = self.prune_node::<NT>(&node)? {
            return Ok(score);
        }
        probe::improving_above_beta(&mut node);
        let mut tt_move_extension = 0;
        if !self.is_full_width() {
            match no_table_move() {
                NoTableMove::Nothing => {}
                NoTableMove::Reduce => reductions::iir::<NT>(&mut node),
                NoTableMove::Deepen | NoTableMove::SelfDeepen => iid::find_tt_move::<NT>(self, &mut node)?,
            }
            tt_move_extension = match singular_extension::<NT>(self, &node)? {
                Singular::Extend(plies) => plies,
                Singular::Cutoff(score) => return Ok(score),
            };
        }
        let result = self.search_moves::<NT>(&node, tt_move_extension)?;
        let score = self.finish_node::<NT>(&node, &result);
        if no_table_move() == NoTableMove::SelfDeepen && iid::goes_on(&node, &result) {
            return iid::self_deepening::<NT>(self, &node);
        }
        Ok(score)
    }

    /// The zero-width search of a move, with the literature's reductions, without re-search (Fruit 2.0) or with.
    pub(in crate::search) fn search_zero_width<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        info: &MoveInfo,
        child: &Position,
        alpha: Score,
    ) -> SearchResult {
        let window = Window::zero_width(alpha).flipped();
        let mut depth = node.depth - 1 + info.extension;
        let reduced = lmr::<NT>(node, info, depth).filter(|_| !self.is_full_width());
        if let Some(reduced) = &reduced {
            let score = self.search_reduced(node, child, window, reduced.depth, depth - reduced.depth)?;
            if score <= alpha || !reduced.researched {
                return Ok(score);
            }
            depth += reductions::research_depth_change(score - alpha);
            if depth <= reduced.depth {
                return Ok(score);
            }
        }
        let reply = Node::new(child, window, depth, node.ply + 1).with_cut_node(!node.cut_node);
        let wanted = WantedGuard::set(node.ply + 1, iid::wanted_plies(node));
        let score = -self.search_node::<NonPv>(reply)?;
        drop(wanted);
        if reduced.is_some() && info.quiet {
            self.update_histories_after_research(node, score > alpha);
        }
        Ok(score)
    }
}
