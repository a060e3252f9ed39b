//! The move loop of a node: scout, re-search and full window of each move.

use super::extend;
use super::history::{Context, NoisyMove, QuietMove};
use super::node::{Node, NodeKind, NonPv, Pv, Searched, Stopped, Window};
use super::picker::{Picked, Picker, Stage, Wanted};
use super::prune::{self, Verdict};
use super::reduce;
use super::worker::Searcher;
use crate::chess::{Move, Position};
use crate::score::Score;
use arrayvec::ArrayVec;

/// What is known of a move before it is searched.
pub struct MoveFacts {
    /// The move.
    pub mv: Move,
    /// Where the picker found it.
    pub stage: Stage,
    /// 1 for the first move tried.
    pub count: i32,
    /// Not a capture or queen promotion.
    pub quiet: bool,
    /// It gives check; worked out when pruning has let the move pass.
    pub gives_check: bool,
    /// Whether it may lose material by exchange: see [`Context::exposes`].
    pub exposed: bool,
    /// What the histories say; for a quiet move with what danger and check add in the order.
    pub history: i32,
    /// Plies that it is searched deeper.
    pub extension: i32,
    /// A move before it has raised alpha.
    pub alpha_raised: bool,
    /// How many nodes that answer this node's moves have failed high.
    pub cutoffs: i32,
}

impl MoveFacts {
    /// The `count`th move of a node; what costs time is not yet known.
    #[inline(always)]
    pub fn new(mv: Move, stage: Stage, count: i32, history: i32) -> MoveFacts {
        MoveFacts {
            mv,
            stage,
            count,
            quiet: mv.is_quiet(),
            gives_check: false,
            exposed: true,
            history,
            extension: 0,
            alpha_raised: false,
            cutoffs: 0,
        }
    }

    /// Whether the move loses more than `margin` centipawns, at least 0, by static exchange.
    #[inline(always)]
    pub fn loses_exchange(&self, position: &Position, margin: i32) -> bool {
        debug_assert!(self.exposed || position.see_ge(self.mv, 0));
        self.exposed && !position.see_ge(self.mv, -margin)
    }
}

/// What a node's moves came to.
pub struct Outcome {
    /// What their histories were looked up by.
    pub context: Context,
    /// The best score.
    pub best: Score,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    /// Moves tried or pruned.
    pub count: i32,
    /// Quiet moves that did not fail high.
    pub quiets: ArrayVec<Move, 64>,
    /// Noisy moves that did not fail high.
    pub noisies: ArrayVec<Move, 32>,
    alpha: Score,
}

impl Outcome {
    /// Nothing has been tried.
    #[inline(always)]
    pub fn before_moves(context: Context, alpha: Score) -> Outcome {
        Outcome {
            context,
            best: -Score::INFINITE,
            best_move: None,
            count: 0,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
            alpha,
        }
    }
}

impl Searcher<'_> {
    /// Searches the moves of a node until one fails high.
    #[inline(always)]
    pub(super) fn try_moves<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        table_extension: i32,
    ) -> Result<Outcome, Stopped> {
        self.frame_mut(node.ply + 2).cutoffs = 0;
        let mut outcome = Outcome::before_moves(self.context(node), node.window.alpha);
        if K::PV {
            outcome.best = node.least;
        }
        let mut picker = Picker::new(Wanted::All, node.table_move(), outcome.context);
        while let Some(picked) = picker.next(node.position, self.histories) {
            let mv = picked.mv;
            if node.excluded == Some(mv) || K::ROOT && !self.root.may_search(mv) {
                continue;
            }
            outcome.count += 1;
            self.prefetch_after(node, mv);
            let mut facts = self.facts(node, picked, &outcome);
            if !K::ROOT && !outcome.best.is_loss() && !self.is_proving() && !node.asks_for_mate() {
                match prune::late(node, &facts) {
                    Verdict::Try => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                    Verdict::OnlyChecks => {
                        picker.skip_without_check(node.position);
                        continue;
                    }
                }
            }
            facts.gives_check = node.position.gives_check(mv);
            if self.is_proving()
                && let Some(most) = prune::without_check::<K>(node, &facts, outcome.alpha)
            {
                outcome.best = outcome.best.max(most);
                continue;
            }
            facts.alpha_raised = outcome.best_move.is_some();
            facts.cutoffs = self.frame(node.ply + 1, 0).cutoffs;
            facts.extension = match picked.stage {
                Stage::Table if table_extension != 0 => table_extension,
                _ => extend::checks_and_promotions(self.root.depth, node, &facts),
            };
            let before = self.begin_root_move::<K>(&facts);
            let score = self.try_move::<K>(node, &facts, &outcome)?;
            let window = Window { alpha: outcome.alpha, beta: node.window.beta };
            self.end_root_move::<K>(&facts, score, window, before);
            if self.note::<K>(node, &facts, score, &mut outcome) {
                break;
            }
        }
        if K::PV {
            outcome.best = outcome.best.min(node.most);
        }
        Ok(outcome)
    }

    /// What the ordering knows of a move. The history of a move from the table is not looked up: it comes first, and what
    /// asks for history leaves first moves alone.
    #[inline(always)]
    fn facts(&self, node: &Node<'_>, picked: Picked, outcome: &Outcome) -> MoveFacts {
        let Picked { mv, stage, rank } = picked;
        let history = match stage {
            Stage::Quiet => rank,
            Stage::Table => 0,
            _ => self.histories.noisy(node.position, mv),
        };
        let exposed = outcome.context.exposes(mv);
        MoveFacts { exposed, ..MoveFacts::new(mv, stage, outcome.count, history) }
    }

    /// Enters a score in the outcome; true when it fails high.
    #[inline(always)]
    fn note<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        facts: &MoveFacts,
        score: Score,
        outcome: &mut Outcome,
    ) -> bool {
        outcome.best = outcome.best.max(score);
        if score > outcome.alpha {
            outcome.alpha = score;
            outcome.best_move = Some(facts.mv);
            if K::PV {
                self.lines.extend(node.ply, facts.mv);
            }
            if score >= node.window.beta {
                self.frame_mut(node.ply).cutoffs += 1;
                return true;
            }
        }
        // A full list only means that a late move goes without its malus.
        let _ = match facts.quiet {
            true => outcome.quiets.try_push(facts.mv),
            false => outcome.noisies.try_push(facts.mv),
        };
        false
    }

    /// Plays a move and searches what follows; the score is from the view of the side that moved.
    #[inline(always)]
    fn try_move<K: NodeKind>(&mut self, node: &Node<'_>, facts: &MoveFacts, outcome: &Outcome) -> Searched {
        let mut child = *node.position;
        self.descend(node, facts.mv, &mut child);
        let frame = self.frame_mut(node.ply);
        frame.count = facts.count;
        if facts.quiet {
            frame.quiet = Some(QuietMove::new(node.position, facts.mv, &outcome.context));
        } else {
            frame.noisy = Some(NoisyMove::new(node.position, facts.mv));
        }
        let score = self.search_child::<K>(node, facts, &child, outcome.alpha)?;
        self.ascend();
        Ok(score)
    }

    /// Principal variation search (Marsland and Campbell 1982): after the first move of a PV node each move is only
    /// asked whether it beats alpha, and each yes in a PV node is followed by a search with the open window.
    #[inline(always)]
    fn search_child<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        facts: &MoveFacts,
        child: &Position,
        alpha: Score,
    ) -> Searched {
        if !K::PV || facts.count > 1 {
            let score = self.scout::<K>(node, facts, child, alpha)?;
            if !K::PV || score <= alpha {
                return Ok(score);
            }
        }
        let window = Window { alpha, beta: node.window.beta }.flipped();
        let depth = node.depth - 1 + facts.extension;
        Ok(-self.search_node::<Pv>(Node::new(child, window, depth, node.ply + 1))?)
    }

    /// Asks whether a move beats alpha: at reduced depth if it looks poor, and if that says yes, at full depth.
    #[inline(always)]
    fn scout<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        facts: &MoveFacts,
        child: &Position,
        alpha: Score,
    ) -> Searched {
        let window = Window::null_above(alpha).flipped();
        let mut depth = node.depth - 1 + facts.extension;
        let reduced = reduce::late_move::<K>(node, facts, depth).filter(|_| !self.is_full_width());
        if let Some(reduced) = &reduced {
            let reply = Node::new(child, window, reduced.depth, node.ply + 1).expecting_cut(true);
            self.frame_mut(node.ply).reduction = depth - reduced.depth;
            let score = -self.search_node::<NonPv>(reply)?;
            self.frame_mut(node.ply).reduction = 0;
            if score <= alpha || !reduced.verified {
                return Ok(score);
            }
            depth += reduce::after_surprise(score - alpha);
            if depth <= reduced.depth {
                return Ok(score);
            }
        }
        let reply = Node::new(child, window, depth, node.ply + 1).expecting_cut(!node.cut_node);
        let score = -self.search_node::<NonPv>(reply.wanted_to(depth + node.wanted - node.depth))?;
        if reduced.is_some() && facts.quiet {
            self.learn_from_verification(node, score > alpha);
        }
        Ok(score)
    }
}
