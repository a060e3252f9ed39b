//! Leaving a node: its score, and what is stored of it in the table.

use super::moves::Outcome;
use super::node::{Node, NodeKind};
use super::table::Entry;
use super::worker::Searcher;
use crate::chess::Move;
use crate::score::{Bound, Score};

impl Searcher<'_> {
    /// The node's score; histories and table are brought up to date.
    #[inline(always)]
    pub(super) fn leave<K: NodeKind>(&mut self, node: &Node<'_>, outcome: &Outcome) -> Score {
        if outcome.count == 0 && node.excluded.is_some() {
            return node.window.alpha;
        }
        if outcome.count == 0 {
            return if node.position.in_check() { Score::mated_in(node.ply) } else { Score::DRAW };
        }
        let bound = match outcome.best_move {
            _ if outcome.best >= node.window.beta => Bound::Lower,
            Some(_) if K::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        match (bound, outcome.best_move) {
            (Bound::Lower, Some(best)) => self.learn(node, best, outcome),
            (Bound::Exact, Some(best)) => self.learn_exact(node, best, outcome),
            (Bound::Upper, _) if node.excluded.is_none() => self.learn_refutation(node),
            _ => {}
        }
        self.correct(node, outcome, bound);
        // A node of which some moves are left out says nothing about the position.
        if node.excluded.is_none() && (!K::ROOT || self.root.is_whole()) {
            self.remember(node, outcome.best_move, outcome.best, bound);
        }
        outcome.best
    }

    /// Stores what a node came to in the table.
    #[inline(always)]
    pub(super) fn remember(&mut self, node: &Node<'_>, mv: Option<Move>, score: Score, bound: Bound) {
        self.remember_as(node, mv, score, bound, node.depth.max(0));
    }

    /// Stores a result of another depth than the node's.
    #[inline(always)]
    pub(super) fn remember_as(
        &mut self,
        node: &Node<'_>,
        mv: Option<Move>,
        score: Score,
        bound: Bound,
        depth: i32,
    ) {
        let was_pv = bound == Bound::Exact || node.was_pv();
        let entry = Entry { mv, score, eval: node.raw_eval, depth, bound: Some(bound), was_pv };
        self.table.store(node.position.key(), node.ply, &entry);
    }
}
