//! One thread's part of a search: what it has at hand ([`Searcher`]), making moves, counting nodes, and looking at the limits.

use super::context::SearchContext;
use super::eval_sample::EvalSample;
use super::info::InfoSink;
use super::memory::correction::{CONT_CORRECTION_PLIES, CorrectionHistory, CorrectionKeys};
use super::memory::history::{CONT_HIST_PLIES, ContHistKeys, Histories, HistoryContext, PieceTo};
use super::memory::pv::PvTable;
use super::memory::stack::Stack;
use super::memory::tt::{TranspositionTable, TtEntry};
use super::node_types::{Node, Stopped};
use super::request::SearchRequest;
use super::root_moves::RootMoves;
use super::shared_state::SharedState;
use super::tb::TbProbe;
use super::time::TimeManager;
use super::worker::Worker;
use crate::eval;
use crate::score::{Bound, Score};
use chess::{KeyHistory, Move, Position};
use nnue::Accumulators;
use std::sync::Arc;

impl Worker {
    /// A searcher at the root of the position.
    pub(super) fn begin<'a>(
        &'a mut self,
        context: &'a SearchContext,
        info_sink: Option<&'a mut dyn InfoSink>,
    ) -> Searcher<'a> {
        let SearchContext { request, time, tt, shared, network, tb } = context;
        // In a pool the thread has those of the network already. Without memory for others the old ones go on evaluating.
        if !Arc::ptr_eq(self.accumulators.network(), network)
            && let Ok(accumulators) = Accumulators::try_new(Arc::clone(network))
        {
            self.accumulators = accumulators;
        }
        self.accumulators.reset();
        self.stack.clear();
        self.histories.begin_search();
        self.eval_sample = EvalSample::new(request.game.position().key());
        self.used = true;
        self.corrections_used |= !request.options.training;
        let mut keys = request.game.history().clone();
        keys.mark_root();
        Searcher {
            index: self.index,
            context,
            request,
            training: request.options.training,
            tt,
            tt_salt: 0,
            shared,
            info_sink,
            histories: &mut self.histories,
            correction_history: &mut self.correction_history,
            accumulators: &mut self.accumulators,
            stack: &mut self.stack,
            pv_table: &mut self.pv_table,
            eval_sample: &mut self.eval_sample,
            keys,
            root: RootMoves::new(request),
            tb: tb.as_deref(),
            time: time.clone(),
            seldepth: 0,
            nmp_min_ply: 0,
            nodes: 0,
            tb_hits: 0,
            next_check: 0,
        }
    }
}

/// One thread at work on one search.
pub struct Searcher<'a> {
    pub(super) index: usize,
    pub(super) context: &'a SearchContext,
    pub(super) request: &'a SearchRequest,
    /// [`SearchOptions::training`](super::request::SearchOptions::training).
    pub(super) training: bool,
    pub(super) tt: &'a TranspositionTable,
    /// XORed to the keys of the table's entries: not 0 in a full-width iteration, and only there.
    tt_salt: u64,
    pub(super) shared: &'a SharedState,
    pub(super) info_sink: Option<&'a mut dyn InfoSink>,
    pub(super) histories: &'a mut Histories,
    pub(super) correction_history: &'a mut CorrectionHistory,
    accumulators: &'a mut Accumulators,
    pub(super) stack: &'a mut Stack,
    pub(super) pv_table: &'a mut PvTable,
    eval_sample: &'a mut EvalSample,
    /// The keys of the game and of the line being searched.
    pub(super) keys: KeyHistory,
    pub(super) root: RootMoves,
    /// Tablebases; `None` when the root ranking already decided the result.
    pub(super) tb: Option<&'a TbProbe>,
    pub(super) time: TimeManager,
    /// The deepest ply of this iteration.
    pub(super) seldepth: usize,
    /// The ply from which on null moves are allowed: above 0 while a null-move cutoff is verified.
    pub(super) nmp_min_ply: usize,
    nodes: u64,
    /// Positions found in tablebases.
    pub(super) tb_hits: u64,
    next_check: u64,
}

impl Searcher<'_> {
    /// Nodes between looks at clock and node limit. The stop flag is looked at in every node: with more threads than cores a
    /// thread may wait long for a processor; none may search on meanwhile.
    const CHECK_EVERY: u64 = 256;

    /// Changes the keys of the entries that a full-width iteration keeps, so that those of searches with reductions are others.
    const FULL_WIDTH_SALT: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Nodes of this thread.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts nodes that were not searched here.
    pub(super) fn count_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// True in a search for a mate (`go mate`), which may overlook nothing because it seems to lose.
    #[inline(always)]
    pub(super) fn is_mate_search(&self) -> bool {
        self.time.is_mate_search()
    }

    /// True in the last iteration of a search for a mate, which searches every move at full depth.
    #[inline(always)]
    pub(super) fn is_full_width(&self) -> bool {
        self.tt_salt != 0
    }

    /// Counts a node; every [`Self::CHECK_EVERY`] nodes, and after a stop, the limits are looked at.
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.next_check || self.shared.is_stopped() {
            self.check_limits()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.pv_table.clear(ply);
        Ok(())
    }

    /// Prefetches the table's entry of the position after a move. To be called as soon as the move is known, even if it
    /// may be pruned: memory takes longer than making the move.
    #[inline(always)]
    pub(super) fn prefetch_tt(&self, node: &Node<'_>, mv: Move) {
        self.tt.prefetch(node.position.key_after(mv) ^ self.tt_salt);
    }

    /// Makes a move on `child`, a copy of the node's position (the caller's, see [`Position::after`]), and pushes stack,
    /// keys and accumulator.
    #[inline(always)]
    pub(super) fn make_move(&mut self, node: &Node<'_>, mv: Move, child: &mut Position) {
        child.make(mv);
        self.push_move(node, mv, child);
    }

    /// The part of [`Self::make_move`] after the move has been made on `child`.
    #[inline(always)]
    pub(super) fn push_move(&mut self, node: &Node<'_>, mv: Move, child: &Position) {
        self.push(node.ply, PieceTo::new(node.position, mv), child);
        self.accumulators.push(node.position, mv, child);
    }

    /// Makes a null move and returns the position after it.
    #[inline(always)]
    pub(super) fn make_null_move(&mut self, node: &Node<'_>) -> Position {
        self.tt.prefetch(node.position.key_after_null() ^ self.tt_salt);
        let child = node.position.after_null();
        self.push(node.ply, PieceTo::NONE, &child);
        self.accumulators.push_null();
        child
    }

    #[inline(always)]
    fn push(&mut self, ply: usize, piece_to: PieceTo, child: &Position) {
        let entry = self.stack.at(ply);
        (entry.piece_to, entry.quiet, entry.noisy) = (piece_to, None, None);
        self.keys.push(child);
    }

    /// Takes back the last move or null move.
    #[inline(always)]
    pub(super) fn unmake_move(&mut self) {
        self.keys.pop();
        self.accumulators.pop();
    }

    /// The network's evaluation of the position at the end of the line.
    #[inline(always)]
    pub(super) fn nnue_eval(&mut self, position: &Position) -> Score {
        match self.training {
            false => eval::evaluate(self.accumulators, position),
            true => {
                self.eval_sample.add(position);
                eval::evaluate_unscaled(self.accumulators, position)
            }
        }
    }

    /// The table's entry of a node, its move dropped unless it is legal here.
    #[inline(always)]
    pub(super) fn tt_probe(&self, node: &Node<'_>) -> Option<TtEntry> {
        let mut entry = match self.tt_find(node, self.tt_salt) {
            None if self.is_full_width() => self.tt_proven_mate(node)?,
            found => found?,
        };
        entry.mv = entry.mv.filter(|&mv| node.position.is_legal(mv));
        Some(entry)
    }

    /// What a full-width iteration may use of an entry of an iteration with reductions.
    #[cold]
    fn tt_proven_mate(&self, node: &Node<'_>) -> Option<TtEntry> {
        self.tt_find(node, 0).map(TtEntry::proven_mate)
    }

    #[inline(always)]
    fn tt_find(&self, node: &Node<'_>, salt: u64) -> Option<TtEntry> {
        self.tt.probe(node.position.key() ^ salt, node.ply, node.position.halfmove_clock())
    }

    /// Stores an entry of a node's position.
    #[inline(always)]
    pub(super) fn tt_store_entry(&self, node: &Node<'_>, entry: &TtEntry) {
        self.tt.store(node.position.key() ^ self.tt_salt, node.ply, entry);
    }

    /// Stores the result of a node in the table.
    #[inline(always)]
    pub(super) fn tt_store(&mut self, node: &Node<'_>, mv: Option<Move>, score: Score, bound: Bound) {
        self.tt_store_at_depth(node, mv, score, bound, node.depth.max(0));
    }

    /// Stores a result of another depth than the node's.
    #[inline(always)]
    pub(super) fn tt_store_at_depth(
        &mut self,
        node: &Node<'_>,
        mv: Option<Move>,
        score: Score,
        bound: Bound,
        depth: i32,
    ) {
        let tt_pv = node.window.is_open() || node.tt_pv();
        let entry = TtEntry { mv, score, eval: node.raw_eval, depth, bound: Some(bound), tt_pv };
        self.tt_store_entry(node, &entry);
    }

    /// Begins the iteration of this depth.
    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.root.depth = depth;
        self.tt_salt = if self.time.is_mate_proof(depth) { Self::FULL_WIDTH_SALT } else { 0 };
    }

    /// The moves by which the correction of a node's evaluation is looked up.
    #[inline(always)]
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        CorrectionKeys {
            last: self.stack.back(ply, 1).piece_to,
            ours: CONT_CORRECTION_PLIES.map(|plies| self.stack.back(ply, plies).piece_to),
        }
    }

    /// The moves by which continuation history is looked up, for the node `back` plies above `ply`.
    #[inline(always)]
    pub(super) fn cont_hist_keys(&self, ply: usize, back: usize) -> ContHistKeys {
        CONT_HIST_PLIES.map(|plies| self.stack.back(ply, back + plies).piece_to)
    }

    /// The context by which the histories of a node's moves are looked up.
    #[inline(always)]
    pub(super) fn history_context(&self, node: &Node<'_>) -> HistoryContext {
        HistoryContext {
            cont_hist_keys: self.cont_hist_keys(node.ply, 0),
            threats: node.position.threats_of(!node.position.side_to_move()),
        }
    }

    /// Publishes this thread's node and tablebase counts to the other threads.
    pub(super) fn publish_counts(&self) {
        self.shared.set_nodes(self.index, self.nodes);
        self.shared.set_tb_hits(self.index, self.tb_hits);
    }

    /// Has the next node look at the limits.
    pub(super) fn check_limits_soon(&mut self) {
        self.next_check = self.nodes;
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.publish_counts();
        self.next_check = self.nodes + Self::CHECK_EVERY;
        if self.index == 0 {
            if let Some(limit) = self.time.node_limit() {
                self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(self.shared.nodes()));
            }
            // The first root move is always searched: there must be a move worth playing.
            if !self.root.has_scored_move() {
                return Ok(());
            }
            if self.time.hard_stop(self.shared) {
                self.shared.stop();
            }
        } else if self.time.hard_limit_reached(self.shared) {
            // The main thread may be waiting for its turn.
            self.shared.stop();
        }
        if self.shared.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::default_network;
    use crate::search::request::{Limits, SearchOptions};
    use chess::Game;
    use platform::clock::Instant;
    use std::time::Duration;

    /// A search of `position` by two threads.
    pub(in crate::search) fn context(position: Position, limits: Limits) -> SearchContext {
        let (game, options) = (Game::new(position), SearchOptions::default());
        let request = SearchRequest { game, started: Instant::now(), limits, options };
        SearchContext::new(
            request,
            2,
            &Arc::new(TranspositionTable::new(1).unwrap()),
            &default_network(),
            None,
        )
    }

    #[test]
    fn a_helper_stops_all_threads_when_the_time_is_over_and_searches_no_node_after_a_stop() {
        let mut helper = Worker::new(1, default_network()).unwrap();
        let over = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        let timed = context(Position::startpos(), over);
        helper.search(&timed, None);
        assert!(timed.shared.is_stopped());

        let stopped = context(Position::startpos(), Limits { infinite: true, ..Limits::default() });
        stopped.shared.stop();
        let result = helper.search(&stopped, None);
        assert_eq!((stopped.shared.nodes(), result.depth), (0, 0));
    }

    /// Stores this result of every position that a move leads to.
    fn store_after_each_move(context: &SearchContext, score: Score, bound: Bound, depth: i32) {
        let position = context.request.game.position();
        let entry = TtEntry { score, depth, bound: Some(bound), ..TtEntry::unsearched(None) };
        for mv in position.legal_moves() {
            context.tt.store(position.after(mv).key(), 1, &entry);
        }
    }

    #[test]
    fn a_stop_ends_the_first_iteration_even_where_the_table_knows_deep_mates() {
        let position: Position = "8/7k/1K6/8/q7/8/8/8 b - - 0 1".parse().unwrap();
        let stopped = context(position, Limits { infinite: true, ..Limits::default() });
        stopped.shared.stop();
        store_after_each_move(&stopped, Score::mated_in(35), Bound::Exact, 12);
        Worker::new(0, default_network()).unwrap().search(&stopped, None);
        assert!(stopped.shared.nodes() < 1000, "{} nodes", stopped.shared.nodes());
    }

    #[test]
    fn a_search_for_a_mate_believes_no_table_that_denies_it() {
        let position: Position = "1k6/1p1Q4/p1p5/5B1p/P1P5/8/1KP1PPR1/8 w - - 0 1".parse().unwrap();
        let mate = context(position, Limits { mate: Some(2), ..Limits::default() });
        store_after_each_move(&mate, Score::cp(3000), Bound::Lower, 100);
        let result = Worker::new(0, default_network()).unwrap().search(&mate, None);
        assert_eq!(result.score, Score::mate_in(3), "{result:?}");
    }

    /// Runs `test` on a searcher at the root of `position`, in its eighth iteration.
    pub(in crate::search) fn with_searcher<T>(
        position: Position,
        test: impl FnOnce(&mut Searcher<'_>) -> T,
    ) -> T {
        let context = context(position, Limits::default());
        let mut worker = Worker::new(0, default_network()).unwrap();
        let mut searcher = worker.begin(&context, None);
        searcher.root.depth = 8;
        test(&mut searcher)
    }
}
