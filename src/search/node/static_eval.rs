//! The static evaluation of a node: the network's, corrected; and if it is improving.

use super::update;
use crate::score::{Bound, Score};
use crate::search::memory::correction::CorrectionKeys;
use crate::search::memory::tt::TtEntry;
use crate::search::node_types::Node;
use crate::search::searcher::Searcher;

/// The static evaluation, corrected; the table's score where it is closer to the truth; improving.
#[inline(always)]
pub fn evaluate(searcher: &mut Searcher<'_>, node: &mut Node<'_>) {
    let keys = searcher.correction_keys(node.ply);
    node.raw_eval = raw_eval(searcher, node, keys);
    node.static_eval = match searcher.training {
        false => node.raw_eval.map(|eval| searcher.correction_history.apply(node.position, keys, eval)),
        true => node.raw_eval,
    };
    searcher.stack.at(node.ply).static_eval = node.static_eval;
    let Some(eval) = node.static_eval else { return };
    node.eval = eval;
    if let Some(entry) = &node.tt_entry {
        let closer = match entry.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => entry.score > eval,
            Some(Bound::Upper) => entry.score < eval,
            None => false,
        };
        if closer && !entry.score.is_decisive() {
            node.eval = entry.score;
        }
    }
    if node.excluded.is_none() && !node.is_verification {
        update::update_eval_history(searcher, node.ply, eval);
    }
    let before =
        searcher.stack.back(node.ply, 2).static_eval.or(searcher.stack.back(node.ply, 4).static_eval);
    node.improving = before.is_none_or(|before| eval > before);
}

/// The evaluation that the table keeps, or the network's; `None` in check.
fn raw_eval(searcher: &mut Searcher<'_>, node: &Node<'_>, keys: CorrectionKeys) -> Option<Score> {
    if node.position.in_check() {
        return None;
    }
    if let Some(eval) = node.tt_entry.as_ref().and_then(|entry| entry.eval) {
        return Some(eval);
    }
    searcher.correction_history.prefetch(node.position, keys);
    let eval = searcher.nnue_eval(node.position);
    // A quiescence node is stored when it ends; no line from it leads back to it.
    if node.tt_entry.is_none() && node.depth > 0 {
        searcher.tt_store_entry(node, &TtEntry::unsearched(Some(eval)));
    }
    Some(eval)
}
