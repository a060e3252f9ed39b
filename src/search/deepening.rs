//! Iterative deepening: one depth after the other, until a limit says that it is enough.

use super::Report;
use super::node::Stopped;
use super::progress::Progress;
use super::worker::{Outcome, Searcher};
use crate::score::{Bound, MAX_PLY, Score};

/// How the best move has fared from iteration to iteration.
#[derive(Default)]
struct Trend {
    best: Option<crate::chess::Move>,
    /// Iterations since the best move changed.
    stability: u32,
    /// The scores of the finished iterations.
    scores: Vec<Score>,
}

impl Searcher<'_> {
    /// Searches deeper and deeper, and says what was found.
    pub(super) fn deepen(&mut self) -> Outcome {
        if self.root.moves.is_empty() {
            return self.nothing_to_do();
        }
        self.rank_root();
        let (mut trend, mut finished, mut settled) = (Trend::default(), 0, Vec::new());
        let deepest = self.task.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1);
        for depth in 1..=deepest {
            self.root.depth = depth;
            if self.iterate().is_err() {
                self.root.break_off(&settled);
                self.report(self.lines_wanted());
                break;
            }
            finished = depth;
            settled = self.root.moves[..self.lines_wanted()].to_vec();
            trend.note(self);
            if self.index == 0 && self.is_enough(&trend) {
                break;
            }
        }
        self.publish();
        let best = &self.root.moves[0];
        let (score, bound) = best.shown();
        Outcome { depth: finished, seldepth: best.seldepth, score, bound, pv: best.pv.clone() }
    }

    /// Mate or stalemate: the score is all there is to say.
    fn nothing_to_do(&mut self) -> Outcome {
        let score = if self.task.game.position.in_check() { Score::mated_in(0) } else { Score::DRAW };
        if let Some(listener) = &mut self.listener {
            listener.report(&Report {
                depth: 0,
                seldepth: 0,
                multi_pv: 1,
                score,
                bound: Bound::Exact,
                nodes: 0,
                elapsed: self.signals.timing().since_go,
                hashfull: self.table.hashfull(),
                tbhits: 0,
                pv: Vec::new(),
            });
        }
        Outcome { depth: 0, seldepth: 0, score, bound: Bound::Exact, pv: Vec::new() }
    }

    fn lines_wanted(&self) -> usize {
        self.task.settings.multi_pv.clamp(1, self.root.moves.len())
    }

    /// One iteration: as many lines as are wanted.
    fn iterate(&mut self) -> Result<(), Stopped> {
        self.root.begin_iteration();
        for first in 0..self.lines_wanted() {
            self.root.begin_line(first);
            self.seldepth = 0;
            self.search_root()?;
            self.root.sort_settled();
        }
        self.report(self.lines_wanted());
        self.root.first = 0;
        Ok(())
    }

    /// Whether no further iteration is wanted.
    fn is_enough(&mut self, trend: &Trend) -> bool {
        let best = self.root.best();
        let progress = Progress {
            depth: self.root.depth,
            score: best.score,
            earlier_score: trend
                .scores
                .iter()
                .rev()
                .nth(3)
                .or(trend.scores.first())
                .copied()
                .unwrap_or(best.score),
            best_move_stability: trend.stability,
            best_move_node_share: best.nodes as f64 / self.nodes().max(1) as f64,
            legal_moves: self.root.choices(),
        };
        self.clock.should_stop_iterating(&progress, self.signals)
    }
}

impl Trend {
    fn note(&mut self, searcher: &Searcher<'_>) {
        let best = searcher.root.best();
        self.stability = if self.best == Some(best.mv) { self.stability + 1 } else { 0 };
        self.best = Some(best.mv);
        self.scores.push(best.score);
    }
}
