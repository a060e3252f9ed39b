//! Limited strength in the search: the thinking of a beginner in place of the iterations, and the choice among their lines.

use super::info::ThreadResult;
use super::searcher::Searcher;
use super::strength::{Beginner, Situation, Thoughts};
use crate::score::{Bound, Score};
use chess::Move;

impl Searcher<'_> {
    /// The result of a beginner's thinking, if the level is one. Its lines are sent as those of a search.
    pub(super) fn think_as_beginner(&mut self) -> Option<ThreadResult> {
        let strength = self.request.options.strength?;
        let beginner: Beginner = strength.beginner?;
        let moves: Vec<Move> = self.root.moves.iter().map(|root| root.mv).collect();
        let situation = Situation {
            position: self.request.game.position(),
            keys: self.request.game.history().clone(),
            last_move: self.request.game.moves().last().copied(),
            moves: &moves,
            lines: self.shown_lines(),
            nodes: self.time.node_limit().unwrap_or(strength.nodes),
            is_stopped: &|| self.shared.is_stopped(),
        };
        let Thoughts { thoughts, depth, seldepth, nodes } = beginner.think(&situation, strength.draws);
        self.count_nodes(nodes);
        self.root.depth = depth.min(self.time.max_depth());
        for (place, thought) in thoughts.into_iter().enumerate() {
            let Some(found) = self.root.moves[place..].iter().position(|root| root.mv == thought.pv[0])
            else {
                continue;
            };
            self.root.moves[place..=place + found].rotate_right(1);
            let root = &mut self.root.moves[place];
            (root.score, root.bound, root.seldepth, root.pv) =
                (thought.score, Bound::Exact, seldepth, thought.pv);
        }
        self.send_info(self.shown_lines());
        Some(self.best_result(self.root.depth))
    }

    /// Puts the line that the level plays first and sends the lines in their new order.
    pub(super) fn choose_by_strength(&mut self) {
        let Some(strength) = self.request.options.strength else { return };
        let lines = &self.root.moves[..self.multi_pv()];
        let scores: Vec<Score> = lines.iter().map(|root| root.reported_score().0).collect();
        let chosen = strength.choose(&scores, self.request.game.position());
        if chosen > 0 {
            self.root.moves[..=chosen].rotate_right(1);
            self.send_info(self.shown_lines());
        }
    }
}
