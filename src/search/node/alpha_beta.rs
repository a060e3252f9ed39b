//! Principal variation search: the steps of a node, its move loop, and the searches of each move.

use super::entry;
use super::extensions::{self, Singular};
use super::move_picker::{MoveFilter, MovePicker, ScoredMove};
use super::move_pruning::{self, MoveDecision};
use super::pruning;
use super::reductions;
use super::techniques::Techniques;
use super::update;
use crate::score::Score;
use crate::search::lab::Active;
use crate::search::memory::history::{NoisyMove, QuietMove};
use crate::search::node_types::{
    Candidate, MadeMove, MoveLoopResult, Node, NodeType, NonPv, Pv, SearchResult, Stage, Stopped, TURN_DEPTH,
    Window,
};
use crate::search::searcher::Searcher;
use chess::Position;
use platform::clock::give_turn;

impl Searcher<'_> {
    /// Searches a node (fail-soft): the list of steps.
    pub fn search_node<NT: NodeType>(&mut self, mut node: Node<'_>) -> SearchResult {
        node.debug_check::<NT>();
        if NT::GIVES_TURNS {
            if !NT::PV && node.depth < TURN_DEPTH {
                return self.search_node::<NonPv>(node);
            }
            give_turn();
        }
        if node.depth <= 0 {
            return self.qsearch::<NT>(node, 0);
        }
        if let Some(score) = entry::begin_node::<NT>(self, &mut node)? {
            return Ok(score);
        }
        if let Some(score) = entry::tb_probe::<NT>(self, &mut node) {
            return Ok(score);
        }
        if !self.is_full_width() {
            reductions::hindsight_reduction(self, &mut node);
            extensions::mate_extension::<NT>(self.root.depth, &mut node);
        }
        if let Some(score) = prune_node::<NT>(self, &node)? {
            return Ok(score);
        }
        let mut tt_move_extension = 0;
        if !self.is_full_width() {
            Active::without_tt_move::<NT>(self, &mut node)?;
            tt_move_extension = match extensions::singular_extension::<NT>(self, &node)? {
                Singular::Extend(plies) => plies,
                Singular::Cutoff(score) => return Ok(score),
            };
        }
        let result = self.search_moves::<NT>(&node, tt_move_extension)?;
        let score = update::finish_node::<NT>(self, &node, &result);
        Active::after_moves::<NT>(self, &node, &result, score)
    }

    /// The move loop: searches the moves of a node until one fails high.
    #[inline(always)]
    fn search_moves<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        tt_move_extension: i32,
    ) -> Result<MoveLoopResult, Stopped> {
        self.stack.at(node.ply + 2).cutoff_count = 0;
        let mut result = MoveLoopResult::new(self.history_context(node), node.entry_alpha());
        result.best_score = node.tb_min;
        let mut picker = MovePicker::new(MoveFilter::All, node.tt_move(), result.context);
        while let Some(scored) = picker.next(node.position, self.histories) {
            let mv = scored.mv;
            if node.excluded == Some(mv) || NT::ROOT && !self.root.may_search(mv) {
                continue;
            }
            result.move_count += 1;
            self.prefetch_tt(node, mv);
            let candidate = self.candidate(node, scored, &result);
            if move_pruning::may_prune_moves::<NT>(self, result.best_score) {
                match move_pruning::prune_move(node, &candidate) {
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
            let gives_check = child.in_check();
            if self.is_mate_search()
                && let Some(bound) =
                    move_pruning::mate_search_upper_bound::<NT>(node, gives_check, result.raised_alpha)
            {
                result.best_score = result.best_score.max(bound);
                continue;
            }
            let nodes_before = self.begin_root_move::<NT>(&candidate);
            let made = self.made_move(node, candidate, gives_check, &result, tt_move_extension);
            let score = self.search_move::<NT>(node, &made, &child, &result)?;
            let window = Window { alpha: result.raised_alpha, beta: node.window.beta };
            self.end_root_move::<NT>(&made.candidate, score, window, nodes_before);
            if self.update_best::<NT>(node, &made.candidate, score, &mut result) {
                break;
            }
        }
        if NT::PV {
            result.best_score = result.best_score.min(node.tb_max);
        }
        Ok(result)
    }

    /// A move that the picker has given.
    #[inline(always)]
    fn candidate(&self, node: &Node<'_>, scored: ScoredMove, result: &MoveLoopResult) -> Candidate {
        let ScoredMove { mv, stage, score } = scored;
        let order_score = match stage {
            Stage::Quiet => score,
            Stage::TtMove => 0,
            _ => self.histories.noisy(node.position, mv),
        };
        Candidate {
            mv,
            stage,
            move_count: result.move_count,
            quiet: mv.is_quiet(),
            may_lose_material: result.context.may_lose_material(mv),
            order_score,
        }
    }

    /// A move that has been made, with its extension.
    #[inline(always)]
    fn made_move(
        &self,
        node: &Node<'_>,
        candidate: Candidate,
        gives_check: bool,
        result: &MoveLoopResult,
        tt_move_extension: i32,
    ) -> MadeMove {
        let extension = match candidate.stage {
            Stage::TtMove if tt_move_extension != 0 => tt_move_extension,
            _ => Active::check_extension(self.root.depth, node, &candidate, gives_check),
        };
        MadeMove {
            candidate,
            gives_check,
            extension,
            alpha_raised: result.best_move.is_some(),
            child_cutoffs: self.stack.back(node.ply + 1, 0).cutoff_count,
            tt_move_extension,
        }
    }

    /// Enters the score of a move in the result; true if it fails high.
    #[inline(always)]
    fn update_best<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        score: Score,
        result: &mut MoveLoopResult,
    ) -> bool {
        result.best_score = result.best_score.max(score);
        if score > result.raised_alpha {
            result.raised_alpha = score;
            result.best_move = Some(candidate.mv);
            if NT::PV {
                self.pv_table.update(node.ply, candidate.mv);
            }
            if score >= node.window.beta {
                self.stack.at(node.ply).cutoff_count += 1;
                return true;
            }
        }
        // A full list only means that a late move goes without its malus.
        let _ = match candidate.quiet {
            true => result.quiets.try_push(candidate.mv),
            false => result.noisies.try_push(candidate.mv),
        };
        false
    }

    /// Searches the position after a move, `child`.
    #[inline(always)]
    fn search_move<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        made: &MadeMove,
        child: &Position,
        result: &MoveLoopResult,
    ) -> SearchResult {
        self.push_move(node, made.candidate.mv, child);
        let entry = self.stack.at(node.ply);
        entry.move_count = made.candidate.move_count;
        if made.candidate.quiet {
            entry.quiet = Some(QuietMove::new(node.position, made.candidate.mv, &result.context));
        } else {
            entry.noisy = Some(NoisyMove::new(node.position, made.candidate.mv));
        }
        let score = self.pvs::<NT>(node, made, child, result.raised_alpha)?;
        self.unmake_move();
        Ok(score)
    }

    /// Principal variation search (PVS; Marsland and Campbell 1982): after the first move of a PV node each move is only
    /// asked if it beats alpha, and each that does in a PV node is searched again with the open window.
    #[inline(always)]
    fn pvs<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        made: &MadeMove,
        child: &Position,
        raised_alpha: Score,
    ) -> SearchResult {
        if !NT::PV || made.candidate.move_count > 1 {
            let score = self.search_zero_width::<NT>(node, made, child, raised_alpha)?;
            if !NT::PV || score <= raised_alpha {
                return Ok(score);
            }
        }
        let window = Window { alpha: raised_alpha, beta: node.window.beta }.flipped();
        let depth = node.depth - 1 + made.extension;
        Ok(-self.search_node::<Pv>(Node::new(child, window, depth, node.ply + 1))?)
    }

    /// Asks if a move beats alpha: at reduced depth if late-move reductions apply, and if that says yes, again at about
    /// full depth.
    #[inline(always)]
    fn search_zero_width<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        made: &MadeMove,
        child: &Position,
        raised_alpha: Score,
    ) -> SearchResult {
        let window = Window::zero_width(raised_alpha).flipped();
        let mut depth = node.depth - 1 + made.extension;
        let reduced = reductions::lmr(self, depth, Active::lmr_reduction::<NT>(node, made));
        if let Some(reduced) = reduced {
            let score = self.search_reduced::<NT>(node, child, window, reduced, depth - reduced)?;
            if score <= raised_alpha || !Active::researches::<NT>() {
                return Ok(score);
            }
            depth += reductions::research_depth_change(score - raised_alpha);
            if depth <= reduced {
                return Ok(score);
            }
        }
        let reply = Node::new(child, window, depth, node.ply + 1).with_cut_node(!node.cut_node);
        let score = -Active::search_unreduced::<NT>(self, node, reply)?;
        if reduced.is_some() && made.candidate.quiet {
            update::update_histories_after_research(self, node, score > raised_alpha);
        }
        Ok(score)
    }

    /// The search of a move at the reduced depth.
    #[inline(always)]
    fn search_reduced<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        window: Window,
        depth: i32,
        reduction: i32,
    ) -> SearchResult {
        let reply = Node::new(child, window, depth, node.ply + 1).with_cut_node(true);
        self.stack.at(node.ply).reduction = reduction;
        let score = -self.search_node::<NT::ZeroWidth>(reply)?;
        self.stack.at(node.ply).reduction = 0;
        Ok(score)
    }
}

/// The prunings of whole nodes: off the principal variation, outside of mate searches.
#[inline(always)]
fn prune_node<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    if NT::PV || !node.can_prune() || searcher.is_mate_search() {
        return Ok(None);
    }
    if let Some(score) = pruning::rfp(node) {
        return Ok(Some(score));
    }
    if let Some(score) = Active::nmp::<NT>(searcher, node)? {
        return Ok(Some(score));
    }
    pruning::probcut::<NT>(searcher, node)
}
