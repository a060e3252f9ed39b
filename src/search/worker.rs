//! Everything that one thread owns.

use super::clock::Clock;
use super::correction::Corrections;
use super::endgame::Endgame;
use super::history::{Histories, Moved, NoisyMove, QuietMove};
use super::node::{Node, Stopped};
use super::root::RootMoves;
use super::signals::Signals;
use super::table::Table;
use super::{Listener, Search, Task};
use crate::chess::{KeyHistory, Move, Position};
use crate::eval::{self, Accumulators, default_network};
use crate::score::{Bound, MAX_PLY, Score};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// What one thread's search came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The last finished iteration.
    pub depth: i32,
    /// The deepest ply reached on the way to `pv`.
    pub seldepth: usize,
    /// The score of `pv`.
    pub score: Score,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// The best line; empty only when there is no legal move.
    pub pv: Vec<Move>,
}

/// What a node leaves for its neighbours in the line.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move that was played here.
    pub(super) moved: Moved,
    /// The same in full when it was a quiet move, for the node below to learn from.
    pub(super) quiet: Option<QuietMove>,
    /// The same when it was a noisy one of the main search.
    pub(super) noisy: Option<NoisyMove>,
    /// The number of `moved` among its node's moves, from 1; means nothing unless `quiet` or `noisy` is known.
    pub(super) count: i32,
    /// What the evaluation said here; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Plies that the search of `moved` is reduced by.
    pub(super) reduction: i32,
    /// Nodes at this ply that failed high since the node above their parents was entered.
    pub(super) cutoffs: i32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        moved: Moved::NOTHING,
        quiet: None,
        noisy: None,
        count: 0,
        static_eval: None,
        reduction: 0,
        cutoffs: 0,
    };
}

/// The best line found below each ply (a triangular array).
pub(super) struct Lines(Vec<ArrayVec<Move, MAX_PLY>>);

impl Lines {
    fn new() -> Lines {
        Lines(vec![ArrayVec::new(); MAX_PLY + 1])
    }

    #[inline(always)]
    fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line at `ply` becomes `mv` and what follows it.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(mv);
        line.extend(rest.iter().take(MAX_PLY - 1).copied());
    }

    /// The line below a root move.
    pub(super) fn below_root(&self) -> &[Move] {
        &self.0[1]
    }
}

/// What a thread keeps from search to search.
pub struct Worker {
    index: usize,
    histories: Histories,
    corrections: Corrections,
    accumulators: Accumulators,
    frames: Vec<Frame>,
    lines: Lines,
}

impl Worker {
    /// The worker of thread `index`; 0 leads.
    pub fn new(index: usize) -> Box<Worker> {
        Box::new(Worker {
            index,
            histories: Histories::new(),
            corrections: Corrections::new(),
            accumulators: Accumulators::new(default_network()),
            frames: vec![Frame::EMPTY; MAX_PLY + Searcher::GUARDS + Searcher::BELOW],
            lines: Lines::new(),
        })
    }

    /// Forgets what earlier searches have taught: a new game begins.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Searches until a limit is reached or `signals` says stop. The listener is told what is found, but not the end.
    pub fn search(&mut self, search: &Search, listener: Option<&mut dyn Listener>) -> Outcome {
        self.begin(search, listener.map(|listener| listener as &mut dyn Listener)).deepen()
    }

    /// A searcher at the root of the task.
    pub(super) fn begin<'a>(
        &'a mut self,
        search: &'a Search,
        listener: Option<&'a mut dyn Listener>,
    ) -> Searcher<'a> {
        let Search { task, table, signals, network, endgame } = search;
        if !Arc::ptr_eq(self.accumulators.network(), network) {
            self.accumulators = Accumulators::new(Arc::clone(network));
        }
        self.accumulators.reset();
        self.frames.fill(Frame::EMPTY);
        let mut keys = task.game.line.clone();
        keys.mark_root();
        Searcher {
            index: self.index,
            task,
            table,
            signals,
            listener,
            histories: &mut self.histories,
            corrections: &mut self.corrections,
            accumulators: &mut self.accumulators,
            lines: &mut self.lines,
            keys,
            root: RootMoves::new(task),
            endgame: endgame.as_deref(),
            clock: Clock::new(task, task.game.position.side_to_move()),
            seldepth: 0,
            null_move_from: 0,
            frames: &mut self.frames,
            nodes: 0,
            hits: 0,
            next_check: 0,
        }
    }
}

/// One thread at work on one task.
pub struct Searcher<'a> {
    pub(super) index: usize,
    pub(super) task: &'a Task,
    pub(super) table: &'a Table,
    pub(super) signals: &'a Signals,
    pub(super) listener: Option<&'a mut dyn Listener>,
    pub(super) histories: &'a mut Histories,
    pub(super) corrections: &'a mut Corrections,
    accumulators: &'a mut Accumulators,
    pub(super) lines: &'a mut Lines,
    /// The keys of the game and of the line being searched.
    pub(super) keys: KeyHistory,
    pub(super) root: RootMoves,
    /// Tablebases, where they are of use inside the search.
    pub(super) endgame: Option<&'a Endgame>,
    pub(super) clock: Clock,
    /// The deepest ply of this iteration.
    pub(super) seldepth: usize,
    /// The ply from which null moves are allowed (later than 0 inside a verification).
    pub(super) null_move_from: usize,
    frames: &'a mut [Frame],
    nodes: u64,
    /// Positions that tablebases have known.
    pub(super) hits: u64,
    next_check: u64,
}

impl Searcher<'_> {
    /// Frames before the root, so that looking back needs no test.
    const GUARDS: usize = 7;
    /// Frames after the last ply, for what a node prepares for its grandchildren.
    const BELOW: usize = 2;
    /// Nodes between looks at the clock and the stop signal.
    const CHECK_EVERY: u64 = 256;

    /// What the node `back` plies above `ply` has left.
    #[inline(always)]
    pub(super) fn frame(&self, ply: usize, back: usize) -> &Frame {
        debug_assert!(back <= Self::GUARDS);
        &self.frames[ply + Self::GUARDS - back]
    }

    #[inline(always)]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + Self::GUARDS]
    }

    /// Nodes of this thread.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a mate is looked for, so that nothing may be overlooked because it seems to lose.
    #[inline(always)]
    pub(super) fn is_proving(&self) -> bool {
        self.task.limits.mate.is_some()
    }

    /// Whether this iteration searches every move at full depth, to prove that there is no mate as near as wanted.
    #[inline(always)]
    pub(super) fn is_full_width(&self) -> bool {
        self.task.limits.mate_proof_depth().is_some_and(|depth| self.root.depth >= depth)
    }

    /// Counts a node, and now and then asks whether to stop.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.lines.clear(ply);
        Ok(())
    }

    /// Notes in the line what was played at `ply` and where it leads.
    #[inline(always)]
    fn enter_line(&mut self, ply: usize, moved: Moved, child: &Position) {
        let frame = self.frame_mut(ply);
        (frame.moved, frame.quiet, frame.noisy) = (moved, None, None);
        self.keys.push(child.key(), child.reversible_plies());
    }

    /// Brings near what the table knows of the position after a move. To be called as soon as the move is known, even if
    /// it may be pruned: the way from memory takes longer than making the move.
    #[inline(always)]
    pub(super) fn prefetch_after(&self, node: &Node<'_>, mv: Move) {
        self.table.prefetch(node.position.key_after(mv));
    }

    /// Makes a move on `child`, which is a copy of the node's position (the caller's, see [`Position::after`]), and
    /// enters it in the line.
    #[inline(always)]
    pub(super) fn descend(&mut self, node: &Node<'_>, mv: Move, child: &mut Position) {
        child.make(mv);
        self.enter_line(node.ply, Moved::new(node.position, mv), child);
        self.accumulators.push(node.position, mv, child);
    }

    /// Passes: the position after it.
    #[inline(always)]
    pub(super) fn descend_null(&mut self, node: &Node<'_>) -> Position {
        self.table.prefetch(node.position.key_after_null());
        let child = node.position.after_null();
        self.enter_line(node.ply, Moved::NOTHING, &child);
        self.accumulators.push_null();
        child
    }

    /// Takes back what was made last.
    #[inline(always)]
    pub(super) fn ascend(&mut self) {
        self.keys.pop();
        self.accumulators.pop();
    }

    /// What the network says about the position at the end of the line.
    #[inline(always)]
    pub(super) fn network_eval(&mut self, position: &Position) -> Score {
        eval::evaluate(self.accumulators, position)
    }

    /// Tells the other threads what this one has counted.
    pub(super) fn publish(&self) {
        self.signals.set_nodes(self.index, self.nodes);
        self.signals.set_hits(self.index, self.hits);
    }

    /// Has the next node ask whether to stop.
    pub(super) fn check_soon(&mut self) {
        self.next_check = self.nodes;
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.publish();
        self.next_check = self.nodes + Self::CHECK_EVERY;
        let leads = self.index == 0;
        // The first line of the first iteration is always finished: there must be a move worth playing.
        if leads && self.root.depth == 1 && self.root.first == 0 {
            return Ok(());
        }
        if leads && self.root.depth > 1 {
            if self.clock.is_over(self.signals) {
                self.signals.stop();
            }
            if let Some(limit) = self.clock.node_limit() {
                self.next_check =
                    self.next_check.min(self.nodes + limit.saturating_sub(self.signals.nodes()));
            }
        }
        if self.signals.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::search::{Game, Limits, Settings};
    use std::time::Instant;

    /// Runs `test` on a searcher at the root of `position`, in its eighth iteration.
    pub(in crate::search) fn with_searcher<T>(
        position: Position,
        test: impl FnOnce(&mut Searcher<'_>) -> T,
    ) -> T {
        let now = Instant::now();
        let task = Task {
            game: Game::new(position),
            started: now,
            limits: Limits::default(),
            settings: Settings::default(),
        };
        let search = Search {
            task: Arc::new(task),
            table: Arc::new(Table::new(1).unwrap()),
            signals: Arc::new(Signals::new(1, now, false)),
            network: default_network(),
            endgame: None,
        };
        let mut worker = Worker::new(0);
        let mut searcher = worker.begin(&search, None);
        searcher.root.depth = 8;
        test(&mut searcher)
    }
}
