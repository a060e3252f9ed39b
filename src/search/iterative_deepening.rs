//! Iterative deepening with aspiration windows: one depth after the other, until a limit ends the search.

use super::context::SearchContext;
use super::info::{Info, InfoSink, ThreadResult};
use super::node_types::{Node, Root, Stopped, Window};
use super::root_moves::RootMove;
use super::searcher::Searcher;
use super::tb::RootRanking;
use super::time::Progress;
use super::worker::Worker;
use crate::score::{Bound, Score};
use crate::tunables;
use chess::Move;

tunables! {
    /// Aspiration windows: the minimum depth.
    aspiration_depth = 4, 2..=8, step 1;
    /// Aspiration windows: the first half-width in centipawns.
    aspiration_width = 22, 5..=60, step 3;
    /// Aspiration windows: hundredths of itself that the half-width grows by after a failure.
    aspiration_growth = 60, 20..=150, step 8;
    /// Aspiration windows: a half-width of more centipawns than this is open.
    aspiration_width_limit = 500, 100..=2000, step 50;
    /// Aspiration windows: around a score of more centipawns than this a window is open.
    aspiration_score_limit = 5000, 1000..=20000, step 500;
}

/// The best moves and scores of the finished iterations.
#[derive(Default)]
struct IterationHistory {
    best_move: Option<Move>,
    /// Iterations since the best move changed.
    stability: u32,
    /// The score of each iteration.
    scores: Vec<Score>,
}

impl IterationHistory {
    /// The score three iterations before the last, or the oldest there is, to see it fall or rise.
    const SCORE_BACK: usize = 3;

    fn note(&mut self, best: &RootMove) {
        self.stability = if self.best_move == Some(best.mv) { self.stability + 1 } else { 0 };
        self.best_move = Some(best.mv);
        self.scores.push(best.score);
    }

    fn earlier_score(&self) -> Option<Score> {
        self.scores.iter().rev().nth(Self::SCORE_BACK).or(self.scores.first()).copied()
    }
}

/// Helpers after which the pattern of [`skips_depth`] begins anew: two with a period of one depth, four of two, six of three, eight of
/// four.
const SPREAD_HELPERS: usize = 2 + 4 + 6 + 8;

/// True if a helper skips the iteration of a depth (Stockfish 2016 to 2020). It searches `period` depths, skips as many, and so on, the
/// others of its group with another offset; so the threads are spread, and those ahead fill the table for those behind.
fn skips_depth(helper: usize, depth: i32) -> bool {
    let (mut offset, mut period) = (helper % SPREAD_HELPERS, 1);
    while offset >= 2 * period {
        offset -= 2 * period;
        period += 1;
    }
    // The first iteration gives every thread a move.
    depth > 1 && (depth as usize + offset) / period % 2 == 1
}

impl Worker {
    /// Searches until a limit is reached or the shared state says stop. Lines of analysis go to `info_sink`, but not the
    /// best move.
    pub fn search(&mut self, context: &SearchContext, info_sink: Option<&mut dyn InfoSink>) -> ThreadResult {
        self.begin(context, info_sink.map(|info_sink| info_sink as &mut dyn InfoSink)).iterative_deepening()
    }
}

impl Searcher<'_> {
    /// Iterative deepening.
    fn iterative_deepening(&mut self) -> ThreadResult {
        if self.root.moves.is_empty() {
            return self.no_legal_move();
        }
        if let Some(result) = self.think_as_beginner() {
            return result;
        }
        self.rank_root_moves();
        let deepest = self.time.max_depth();
        let (mut history, mut finished) = (IterationHistory::default(), self.resume(deepest));
        let mut completed = self.root.moves[..finished.min(1) as usize].to_vec();
        for depth in finished + 1..=deepest {
            if depth < deepest && self.index > 0 && skips_depth(self.index - 1, depth) {
                continue;
            }
            self.begin_iteration(depth);
            if self.iterate().is_err() {
                self.root.restore_previous(&completed);
                self.send_info(self.shown_lines());
                break;
            }
            finished = depth;
            completed = self.root.moves[..self.multi_pv()].to_vec();
            history.note(self.root.best());
            if self.index == 0 && self.soft_stop(&history) {
                break;
            }
        }
        self.choose_by_strength();
        self.publish_counts();
        self.best_result(finished)
    }

    /// The result with the line that is first now, after the iteration `depth`.
    pub(super) fn best_result(&self, depth: i32) -> ThreadResult {
        let best = &self.root.moves[0];
        let (score, bound) = best.reported_score();
        ThreadResult { depth, seldepth: best.seldepth, score, bound, pv: best.pv.clone() }
    }

    /// The result in mate or stalemate.
    fn no_legal_move(&mut self) -> ThreadResult {
        let score = if self.request.game.position().in_check() { Score::mated_in(0) } else { Score::DRAW };
        let result = ThreadResult { depth: 0, seldepth: 0, score, bound: Bound::Exact, pv: Vec::new() };
        if let Some(info_sink) = &mut self.info_sink {
            info_sink.info(&Info::new(self.context, 1, result.clone()));
        }
        result
    }

    /// The number of lines to search: as many as are asked for or a level of weak play chooses from, and no more than there
    /// are moves.
    pub(super) fn multi_pv(&self) -> usize {
        let choice = self.request.options.strength.map_or(1, |strength| strength.lines);
        self.shown_lines().max(choice).min(self.root.moves.len())
    }

    /// The number of lines to send.
    pub(super) fn shown_lines(&self) -> usize {
        self.request.options.multi_pv.clamp(1, self.root.moves.len())
    }

    /// Ranks the root moves by tablebases, if they know them all. The search inside then goes without them: it has nothing to
    /// gain but mates, and where all wins look alike it would find none.
    fn rank_root_moves(&mut self) {
        let Some(tb) = self.tb else { return };
        let in_time =
            |parts: u32| !self.shared.is_stopped() && !self.time.is_fraction_used(self.shared, parts);
        let Some(RootRanking { moves, progress_is_certain }) = tb.root_ranking(self.request, in_time) else {
            return;
        };
        if self.index == 0 {
            self.tb_hits += moves.len() as u64;
        }
        let rank_of = |root: &RootMove| moves.iter().find(|(mv, _)| *mv == root.mv).map(|&(_, rank)| rank);
        self.root.set_tb_ranks(|root| rank_of(root).map(|rank| (rank, tb.rank_score(rank))));
        if *progress_is_certain || !self.root.best_rank_wins() {
            self.tb = None;
        }
    }

    /// One iteration: all lines.
    fn iterate(&mut self) -> Result<(), Stopped> {
        self.root.begin_iteration();
        for pv_index in 0..self.multi_pv() {
            self.root.begin_line(pv_index);
            self.seldepth = 0;
            self.search_root()?;
            self.root.sort_completed();
        }
        self.send_info(self.shown_lines());
        self.root.pv_index = 0;
        Ok(())
    }

    /// Aspiration windows: searches the root to the depth of the iteration with a window around the last score, which is
    /// widened until the score lies inside.
    fn search_root(&mut self) -> Result<(), Stopped> {
        let last = self.root.best().previous_score;
        let mut depth = self.root.depth;
        let (mut width, mut window) = (aspiration_width(), Window::FULL);
        if depth >= aspiration_depth() && !last.is_decisive() && !self.is_full_width() {
            window = Window { alpha: last - width, beta: last + width };
        }
        loop {
            let position = *self.request.game.position();
            let score = self.search_node::<Root>(Node::new(&position, window, depth, 0))?;
            self.root.sort_current();
            if score <= window.alpha {
                window.beta = Score::from_raw((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha = widened(score, -width);
                depth = self.root.depth;
            } else if score >= window.beta {
                window.beta = widened(score, width);
                // The move is good; one ply less finds out how good.
                depth = (depth - 1).max(self.root.depth - 3).max(1);
            } else {
                return Ok(());
            }
            width += width * aspiration_growth() / 100;
            if self.is_verbose() && self.request.options.multi_pv == 1 {
                self.send_info(1);
            }
        }
    }

    /// True if no further iteration is to begin.
    fn soft_stop(&mut self, history: &IterationHistory) -> bool {
        let best = self.root.best();
        let progress = Progress {
            depth: self.root.depth,
            score: best.score,
            earlier_score: history.earlier_score().unwrap_or(best.score),
            best_move_stability: history.stability,
            best_move_node_share: best.nodes as f64 / self.nodes().max(1) as f64,
            playable_moves: self.root.playable(),
        };
        self.time.soft_stop(&progress, self.shared)
    }
}

/// A bound moved by `width`, or removed when it gets far from ordinary scores.
fn widened(score: Score, width: i32) -> Score {
    let bound = score + width;
    let limit = if width > 0 { Score::INFINITE } else { -Score::INFINITE };
    let far = width.abs() > aspiration_width_limit() || score.raw().abs() > aspiration_score_limit();
    if far { limit } else { bound }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_spread_over_the_depths() {
        let searched = |helper, depth| !skips_depth(helper, depth);
        for helper in 0..60 {
            assert!(searched(helper, 1));
            assert_eq!((2..26).filter(|&depth| searched(helper, depth)).count(), 12, "helper {helper}");
        }
        // Of the helpers of a group half search a depth.
        for depth in 2..60 {
            for group in [0..2, 2..6, 6..12, 12..20] {
                assert_eq!(group.clone().filter(|&helper| searched(helper, depth)).count(), group.len() / 2);
            }
        }
        assert!((1..60).all(|depth| skips_depth(3, depth) == skips_depth(23, depth)));
    }
}
