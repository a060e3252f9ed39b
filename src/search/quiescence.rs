//! Quiescence search: captures and promotions until the position is quiet enough to be evaluated; in check all moves.

use super::history::{Context, captured};
use super::node::{Node, NodeKind, Searched, Window};
use super::picker::{Picked, Picker, Stage, Wanted};
use super::worker::Searcher;
use crate::chess::{Move, PieceType, SEE_VALUES};
use crate::score::{Bound, Score};
use crate::tunables;

tunables! {
    /// Quiescence futility: centipawns that a capture must bring beyond what it takes.
    qs_futility = 83, 40..=400, step 15;
    /// Captures tried in a quiescence node that is not in check.
    qs_moves = 3, 2..=12, step 1;
}

impl Searcher<'_> {
    /// Searches until the position is quiet (fail-soft).
    pub fn quiescence<K: NodeKind>(&mut self, mut node: Node<'_>) -> Searched {
        node.depth = 0;
        if let Some(score) = self.begin::<K>(&mut node)? {
            return Ok(score);
        }
        let in_check = node.static_eval.is_none();
        let mut best = -Score::INFINITE;
        if !in_check {
            best = node.estimate; // stand pat: the side to move need not capture
            if best >= node.window.beta {
                if node.hit.is_none() {
                    self.remember(&node, None, best, Bound::Lower);
                }
                return Ok(best);
            }
        }
        let (best, best_move) = self.try_captures::<K>(&node, best)?;
        if in_check && best == -Score::INFINITE {
            return Ok(Score::mated_in(node.ply));
        }
        let bound = if best >= node.window.beta { Bound::Lower } else { Bound::Upper };
        self.remember(&node, best_move, best, bound);
        Ok(best)
    }

    /// The best score and the move that reached it, if a move beat `best` and alpha.
    fn try_captures<K: NodeKind>(
        &mut self,
        node: &Node<'_>,
        mut best: Score,
    ) -> Result<(Score, Option<Move>), super::node::Stopped> {
        let wanted = if node.static_eval.is_none() { Wanted::All } else { Wanted::Noisy };
        let context = if wanted == Wanted::All { self.context(node) } else { Context::NOTHING };
        let mut picker = Picker::new(wanted, node.table_move(), context);
        let mut alpha = node.window.alpha.max(best);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(Picked { mv, stage, .. }) = picker.next(node.position, self.histories) {
            self.prefetch_after(node, mv);
            if !best.is_loss() {
                if tried >= qs_moves() && wanted == Wanted::Noisy {
                    break;
                }
                if stage >= Stage::Quiet {
                    break; // losing captures; in check, one evasion that does not lose will do
                }
                if let Some(hope) = futile_capture(node, mv, alpha) {
                    best = best.max(hope);
                    continue;
                }
            }
            tried += 1;
            let mut child = *node.position;
            self.descend(node, mv, &mut child);
            let window = Window { alpha, beta: node.window.beta }.flipped();
            let score = -self.quiescence::<K>(Node::new(&child, window, 0, node.ply + 1))?;
            self.ascend();
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                if K::PV {
                    self.lines.extend(node.ply, mv);
                }
                if score >= node.window.beta {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }
}

/// Futility in quiescence (delta pruning): a capture that cannot lift the evaluation to alpha even with a margin, and
/// wins nothing by exchange. Gives the score that may be assumed.
#[inline(always)]
fn futile_capture(node: &Node<'_>, mv: Move, alpha: Score) -> Option<Score> {
    let eval = node.static_eval?;
    if mv.promotion().is_some() {
        return None;
    }
    let gain = captured(node.position, mv).map_or(0, |kind: PieceType| SEE_VALUES[kind.index()]);
    let hope = eval + gain + qs_futility();
    (hope <= alpha && !hope.is_decisive() && !node.position.see_ge(mv, 1)).then_some(hope)
}
