//! Taking up an analysis from a table that was loaded from a file.

use super::searcher::Searcher;
use crate::score::{Bound, MAX_PLY};
use chess::Move;

impl Searcher<'_> {
    /// Resumes an analysis: where the table comes from a file and holds a result for the root, that is the last iteration. Returns
    /// its depth, no more than `deepest`, or 0. An exact score is sent at once with its line; a bound is searched again, and so are
    /// several lines, so their last iteration is the one before.
    ///
    /// Only without clock, level, and choice of moves: a game is played as with any table.
    pub(super) fn resume(&mut self, deepest: i32) -> i32 {
        if !self.context.tt.is_restored() || !self.is_analysis() {
            return 0;
        }
        let position = self.request.game.position();
        let Some(entry) = self.tt.probe(position.key(), 0, position.halfmove_clock()) else { return 0 };
        let place = self.root.moves.iter().position(|root| Some(root.mv) == entry.mv);
        let (Some(place), Some(bound)) = (place, entry.bound) else { return 0 };
        let pv = self.line_in_table(self.root.moves[place].mv);
        self.root.moves[..=place].rotate_right(1);
        let first = &mut self.root.moves[0];
        (first.score, first.bound, first.seldepth, first.pv) = (entry.score, bound, pv.len(), pv);
        let depth = entry.depth.clamp(0, deepest);
        if bound != Bound::Exact || self.request.options.multi_pv > 1 || depth == 0 {
            return (depth - 1).max(0);
        }
        self.root.depth = depth;
        self.send_info(1);
        depth
    }

    /// True for a search of all moves of the position at full strength that no clock ends.
    fn is_analysis(&self) -> bool {
        let ranked = self.root.moves.iter().any(|root| root.tb_rank.is_some());
        let playing = self.request.options.strength.is_some() || self.training;
        self.time.is_analysis() && !ranked && !playing && self.request.limits.search_moves.is_empty()
    }

    /// The line that begins with `first` and goes on with the best moves of the table, up to a repetition.
    fn line_in_table(&self, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let mut position = self.request.game.position().after(first);
        let mut keys = vec![self.request.game.position().key()];
        while line.len() < MAX_PLY && !keys.contains(&position.key()) {
            let entry = self.tt.probe(position.key(), line.len(), position.halfmove_clock());
            let best = entry.filter(|entry| entry.bound == Some(Bound::Exact)).and_then(|entry| entry.mv);
            let Some(mv) = best.filter(|&mv| position.is_legal(mv)) else { break };
            keys.push(position.key());
            position = position.after(mv);
            line.push(mv);
        }
        line
    }
}
