//! Aspiration windows: an iteration first looks only at scores near the last one.

use super::node::{Node, Root, Stopped, Window};
use super::worker::Searcher;
use crate::score::Score;
use crate::tunables;

tunables! {
    /// The least depth at which the window is narrow.
    aspiration_depth = 4, 2..=8, step 1;
    /// The first half-width in centipawns.
    aspiration_width = 22, 5..=60, step 3;
    /// After a failure the half-width grows by this many hundredths of itself.
    aspiration_growth = 60, 20..=150, step 8;
}

impl Searcher<'_> {
    /// Searches the root to the depth of the iteration, widening the window until the score lies inside.
    pub(super) fn search_root(&mut self) -> Result<(), Stopped> {
        let last = self.root.best().previous;
        let mut depth = self.root.depth;
        let (mut width, mut window) = (aspiration_width(), Window::FULL);
        if depth >= aspiration_depth() && !last.is_decisive() && !self.is_full_width() {
            window = Window { alpha: last - width, beta: last + width };
        }
        loop {
            let position = self.task.game.position;
            let score = self.search_node::<Root>(Node::new(&position, window, depth, 0))?;
            self.root.sort_current();
            if score <= window.alpha {
                window.beta = Score::from_raw((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha = widened(score, -width);
                depth = self.root.depth;
            } else if score >= window.beta {
                window.beta = widened(score, width);
                // The move is good: how good can be learned more cheaply.
                depth = (depth - 1).max(self.root.depth - 3).max(1);
            } else {
                return Ok(());
            }
            width += width * aspiration_growth() / 100;
            if self.started_long_ago() && self.task.settings.multi_pv == 1 {
                self.report(1);
            }
        }
    }
}

/// A bound moved by `width`, or removed when it gets far from ordinary scores.
fn widened(score: Score, width: i32) -> Score {
    let bound = score + width;
    let limit = if width > 0 { Score::INFINITE } else { -Score::INFINITE };
    if width.abs() > 500 || score.raw().abs() > 5_000 { limit } else { bound }
}
