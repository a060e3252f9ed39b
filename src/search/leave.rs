//! What is learned on leaving a node: histories and the table.

use super::moves::Outcome;
use super::node::{Node, NodeKind};
use super::table::Entry;
use super::worker::Searcher;
use crate::chess::Move;
use crate::score::{Bound, Score};
use crate::tunables;

tunables! {
    /// History bonus: units a ply of depth.
    bonus_slope = 190, 60..=400, step 16;
    /// History bonus: taken off.
    bonus_offset = 90, 0..=400, step 16;
    /// History bonus: the most.
    bonus_limit = 1700, 600..=4000, step 120;
    /// History malus: units a ply of depth.
    malus_slope = 180, 60..=400, step 16;
    /// History malus: taken off.
    malus_offset = 60, 0..=400, step 16;
    /// History malus: the most.
    malus_limit = 1300, 600..=4000, step 120;
}

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
        if bound == Bound::Lower
            && let Some(best) = outcome.best_move
        {
            self.learn(node, best, outcome);
        }
        self.correct(node, outcome, bound);
        // A node of which some moves are left out says nothing about the position.
        if node.excluded.is_none() && (!K::ROOT || self.root.is_whole()) {
            self.remember(node, outcome.best_move, outcome.best, bound);
        }
        outcome.best
    }

    /// Learns from the difference between what was evaluated and what was found, where a quiet search shows it.
    fn correct(&mut self, node: &Node<'_>, outcome: &Outcome, bound: Bound) {
        let Some(eval) = node.static_eval else { return };
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => outcome.best > eval,
            Bound::Upper => outcome.best < eval,
        };
        let noisy = outcome.best_move.is_some_and(Move::is_noisy);
        if informative && !noisy && node.excluded.is_none() && !outcome.best.is_decisive() {
            self.corrections.learn(node.position, self.last_two(node.ply), node.depth, outcome.best - eval);
        }
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
        let was_pv = bound == Bound::Exact || node.hit.as_ref().is_some_and(|hit| hit.was_pv);
        let entry = Entry { mv, score, eval: node.raw_eval, depth, bound: Some(bound), was_pv };
        self.table.store(node.position.key(), node.ply, &entry);
    }

    /// The move that failed high gains, those tried before it lose.
    fn learn(&mut self, node: &Node<'_>, best: Move, outcome: &Outcome) {
        let bonus = (bonus_slope() * node.depth - bonus_offset()).min(bonus_limit());
        let malus = (malus_slope() * node.depth - malus_offset()).min(malus_limit());
        let context = self.context(node);
        if best.is_quiet() {
            self.histories.update_quiet(node.position, best, &context, bonus);
            for &mv in &outcome.quiets {
                self.histories.update_quiet(node.position, mv, &context, -malus);
            }
        } else {
            self.histories.update_noisy(node.position, best, bonus);
        }
        for &mv in &outcome.noisies {
            self.histories.update_noisy(node.position, mv, -malus);
        }
    }
}
