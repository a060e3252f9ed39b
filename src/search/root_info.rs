//! Root moves during the search: their nodes, scores and lines, and the lines of analysis that are sent.

use super::info::{CurrentMove, Info, ThreadResult};
use super::node_types::{Candidate, NodeType, Window};
use super::searcher::Searcher;
use crate::score::{Bound, Score};
use std::time::Duration;

impl Searcher<'_> {
    /// From this time on bounds and current moves are sent too.
    const VERBOSE_AFTER: Duration = Duration::from_secs(3);

    /// True if there is an info sink, and bounds and current moves are sent too.
    pub(super) fn is_verbose(&self) -> bool {
        self.info_sink.is_some() && self.request.started.elapsed() > Self::VERBOSE_AFTER
    }

    /// Sends the root move that is begun, and returns the nodes so far.
    #[inline(always)]
    pub(super) fn begin_root_move<NT: NodeType>(&mut self, candidate: &Candidate) -> u64 {
        if NT::ROOT && self.is_verbose() {
            let number = self.root.pv_index + candidate.move_count as usize;
            let current = CurrentMove { depth: self.root.depth, mv: candidate.mv, number };
            if let Some(info_sink) = &mut self.info_sink {
                info_sink.current_move(current);
            }
        }
        self.nodes()
    }

    /// Enters the score of a root move, and its line if it raised alpha.
    #[inline(always)]
    pub(super) fn end_root_move<NT: NodeType>(
        &mut self,
        candidate: &Candidate,
        score: Score,
        window: Window,
        nodes_before: u64,
    ) {
        if !NT::ROOT {
            return;
        }
        let (nodes, seldepth) = (self.nodes() - nodes_before, self.seldepth);
        let Some(root) = self.root.moves.iter_mut().find(|root| root.mv == candidate.mv) else { return };
        root.nodes += nodes;
        if candidate.move_count > 1 && score <= window.alpha {
            root.score = -Score::INFINITE;
            return;
        }
        root.score = score;
        root.seldepth = seldepth;
        root.bound = match score {
            _ if score >= window.beta => Bound::Lower,
            _ if score <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root.pv.clear();
        root.pv.push(candidate.mv);
        if score > window.alpha {
            root.pv.extend(self.pv_table.after_root_move());
        }
    }

    /// Sends the first `count` lines.
    pub(super) fn send_info(&mut self, count: usize) {
        self.publish_counts();
        let Some(info_sink) = &mut self.info_sink else { return };
        for (index, root) in self.root.moves.iter().take(count).enumerate() {
            let scored_this_iteration = root.scored_this_iteration();
            if !scored_this_iteration && root.previous_score == -Score::INFINITE {
                continue;
            }
            let (score, bound) = root.reported_score();
            let depth = if scored_this_iteration { self.root.depth } else { (self.root.depth - 1).max(1) };
            let line = ThreadResult { depth, seldepth: root.seldepth, score, bound, pv: root.pv.clone() };
            info_sink.info(&Info::new(self.context, index + 1, line));
        }
    }
}
