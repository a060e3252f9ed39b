//! Principal variation search: the steps of a node, its move loop, and the searches of each move.

#[cfg(not(feature = "lab"))]
use super::extensions::check_extension;
use super::extensions::{Singular, mate_extension, singular_extension};
use super::move_picker::{MoveFilter, MovePicker, ScoredMove, Stage};
use super::move_pruning::{self, MoveDecision};
use super::probe;
use super::pruning;
#[cfg(not(feature = "lab"))]
use super::pruning::nmp;
use super::reductions;
use super::types::{MoveInfo, MoveLoopResult, Node, NodeType, NonPv, Pv, SearchResult, Stopped, Window};
use crate::chess::Position;
use crate::score::Score;
#[cfg(feature = "lab")]
use crate::search::lab::{check_extension, nmp};
use crate::search::memory::history::{NoisyMove, QuietMove};
use crate::search::searcher::Searcher;

impl Searcher<'_> {
    /// Searches a node (fail-soft): the list of steps. The laboratory has a list of its own
    /// (`crate::search::lab::alpha_beta`).
    #[cfg(not(feature = "lab"))]
    pub fn search_node<NT: NodeType>(&mut self, mut node: Node<'_>) -> SearchResult {
        node.debug_check::<NT>();
        if node.depth <= 0 {
            return self.qsearch::<NT>(node);
        }
        if let Some(score) = self.begin_node::<NT>(&mut node)? {
            return Ok(score);
        }
        if let Some(score) = self.tb_probe::<NT>(&mut node) {
            return Ok(score);
        }
        if !self.is_full_width() {
            reductions::hindsight_reduction(self, &mut node);
            mate_extension::<NT>(&mut node);
        }
        if let Some(score) = self.prune_node::<NT>(&node)? {
            return Ok(score);
        }
        probe::improving_above_beta(&mut node);
        let mut tt_move_extension = 0;
        if !self.is_full_width() {
            reductions::iir::<NT>(&mut node);
            tt_move_extension = match singular_extension::<NT>(self, &node)? {
                Singular::Extend(plies) => plies,
                Singular::Cutoff(score) => return Ok(score),
            };
        }
        let result = self.search_moves::<NT>(&node, tt_move_extension)?;
        Ok(self.finish_node::<NT>(&node, &result))
    }

    /// The prunings of whole nodes: off the principal variation, outside of mate searches.
    #[inline(always)]
    pub(in crate::search) fn prune_node<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
    ) -> Result<Option<Score>, Stopped> {
        if NT::PV || !node.can_prune() || self.is_mate_search() {
            return Ok(None);
        }
        if let Some(score) = pruning::rfp(node) {
            return Ok(Some(score));
        }
        if let Some(score) = nmp(self, node)? {
            return Ok(Some(score));
        }
        pruning::probcut(self, node)
    }

    /// The move loop: searches the moves of a node until one fails high.
    #[inline(always)]
    pub(in crate::search) fn search_moves<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        tt_move_extension: i32,
    ) -> Result<MoveLoopResult, Stopped> {
        self.stack.at(node.ply + 2).cutoff_count = 0;
        let mut result = MoveLoopResult::new(self.history_context(node), node.window.alpha);
        result.best_score = node.tb_min;
        let mut picker = MovePicker::new(MoveFilter::All, node.tt_move(), result.context);
        while let Some(scored) = picker.next(node.position, self.histories) {
            let mv = scored.mv;
            if node.excluded == Some(mv) || NT::ROOT && !self.root.may_search(mv) {
                continue;
            }
            result.move_count += 1;
            self.prefetch_tt(node, mv);
            let mut info = self.move_info(node, scored, &result);
            if move_pruning::may_prune_moves::<NT>(self, result.best_score) {
                match move_pruning::prune_move(node, &info) {
                    MoveDecision::Search => {}
                    MoveDecision::Skip => continue,
                    MoveDecision::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                    MoveDecision::SkipNonChecks => {
                        picker.skip_non_checks(node.position);
                        continue;
                    }
                }
            }
            let mut child = *node.position;
            child.make(mv);
            info.gives_check = child.in_check();
            if self.is_mate_search()
                && let Some(most) = move_pruning::most_without_check::<NT>(node, &info, result.alpha)
            {
                result.best_score = result.best_score.max(most);
                continue;
            }
            info.alpha_raised = result.best_move.is_some();
            info.child_cutoffs = self.stack.back(node.ply + 1, 0).cutoff_count;
            info.tt_move_extension = tt_move_extension;
            info.extension = match scored.stage {
                Stage::TtMove if tt_move_extension != 0 => tt_move_extension,
                _ => check_extension(self.root.depth, node, &info),
            };
            let nodes_before = self.begin_root_move::<NT>(&info);
            let score = self.search_move::<NT>(node, &info, &child, &result)?;
            let window = Window { alpha: result.alpha, beta: node.window.beta };
            self.end_root_move::<NT>(&info, score, window, nodes_before);
            if self.update_best::<NT>(node, &info, score, &mut result) {
                break;
            }
        }
        if NT::PV {
            result.best_score = result.best_score.min(node.tb_max);
        }
        Ok(result)
    }

    /// The facts about a move that the picker has given. The table's move has no order score: it comes first, and what
    /// asks for the score leaves first moves alone.
    #[inline(always)]
    fn move_info(&self, node: &Node<'_>, scored: ScoredMove, result: &MoveLoopResult) -> MoveInfo {
        let ScoredMove { mv, stage, score } = scored;
        let order_score = match stage {
            Stage::Quiet => score,
            Stage::TtMove => 0,
            _ => self.histories.noisy(node.position, mv),
        };
        let touches_threat = result.context.touches_threat(mv);
        MoveInfo { touches_threat, ..MoveInfo::new(mv, stage, result.move_count, order_score) }
    }

    /// Enters the score of a move in the result; true if it fails high.
    #[inline(always)]
    fn update_best<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        info: &MoveInfo,
        score: Score,
        result: &mut MoveLoopResult,
    ) -> bool {
        result.best_score = result.best_score.max(score);
        if score > result.alpha {
            result.alpha = score;
            result.best_move = Some(info.mv);
            if NT::PV {
                self.pv_table.update(node.ply, info.mv);
            }
            if score >= node.window.beta {
                self.stack.at(node.ply).cutoff_count += 1;
                return true;
            }
        }
        // A full list only means that a late move goes without its malus.
        let _ = match info.quiet {
            true => result.quiets.try_push(info.mv),
            false => result.noisies.try_push(info.mv),
        };
        false
    }

    /// Searches the position after a move, `child`.
    #[inline(always)]
    fn search_move<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        info: &MoveInfo,
        child: &Position,
        result: &MoveLoopResult,
    ) -> SearchResult {
        self.push_move(node, info.mv, child);
        let entry = self.stack.at(node.ply);
        entry.move_count = info.move_count;
        if info.quiet {
            entry.quiet = Some(QuietMove::new(node.position, info.mv, &result.context));
        } else {
            entry.noisy = Some(NoisyMove::new(node.position, info.mv));
        }
        let score = self.pvs::<NT>(node, info, child, result.alpha)?;
        self.unmake_move();
        Ok(score)
    }

    /// Principal variation search (PVS; Marsland and Campbell 1982): after the first move of a PV node each move is only
    /// asked if it beats alpha, and each that does in a PV node is searched again with the open window.
    #[inline(always)]
    fn pvs<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        info: &MoveInfo,
        child: &Position,
        alpha: Score,
    ) -> SearchResult {
        if !NT::PV || info.move_count > 1 {
            let score = self.search_zero_width::<NT>(node, info, child, alpha)?;
            if !NT::PV || score <= alpha {
                return Ok(score);
            }
        }
        let window = Window { alpha, beta: node.window.beta }.flipped();
        let depth = node.depth - 1 + info.extension;
        Ok(-self.search_node::<Pv>(Node::new(child, window, depth, node.ply + 1))?)
    }

    /// Asks if a move beats alpha: at reduced depth if late-move reductions apply, and if that says yes, again at about
    /// full depth.
    #[cfg(not(feature = "lab"))]
    #[inline(always)]
    fn search_zero_width<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        info: &MoveInfo,
        child: &Position,
        alpha: Score,
    ) -> SearchResult {
        let window = Window::zero_width(alpha).flipped();
        let mut depth = node.depth - 1 + info.extension;
        let reduced = reductions::lmr::<NT>(node, info, depth).filter(|_| !self.is_full_width());
        if let Some(reduced) = reduced {
            let score = self.search_reduced(node, child, window, reduced, depth - reduced)?;
            if score <= alpha {
                return Ok(score);
            }
            depth += reductions::research_depth_change(score - alpha);
            if depth <= reduced {
                return Ok(score);
            }
        }
        let reply = Node::new(child, window, depth, node.ply + 1).with_cut_node(!node.cut_node);
        let score = -self.search_node::<NonPv>(reply)?;
        if reduced.is_some() && info.quiet {
            self.update_histories_after_research(node, score > alpha);
        }
        Ok(score)
    }

    /// The search of a move at the reduced depth.
    #[inline(always)]
    pub(in crate::search) fn search_reduced(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        window: Window,
        depth: i32,
        reduction: i32,
    ) -> SearchResult {
        let reply = Node::new(child, window, depth, node.ply + 1).with_cut_node(true);
        self.stack.at(node.ply).reduction = reduction;
        let score = -self.search_node::<NonPv>(reply)?;
        self.stack.at(node.ply).reduction = 0;
        Ok(score)
    }
}
