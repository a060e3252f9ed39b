//! Quiescence search: captures and promotions until the position is quiet enough to be evaluated; in its first plies
//! quiet checks too (as in Fruit and Glaurung), in check and after a quiet table move all moves.

use super::entry;
use super::move_picker::{MoveFilter, MovePicker, ScoredMove};
use crate::score::{Bound, Score};
use crate::search::memory::history::{HistoryContext, captured_value};
use crate::search::node_types::{Node, NodeType, SearchResult, Stage, Stopped, Window};
use crate::search::searcher::Searcher;
use crate::tunables;
use chess::Move;

tunables! {
    /// Quiescence futility: centipawns that a capture must bring beyond what it takes.
    qs_futility = 83, 40..=400, step 15;
    /// Quiescence: captures searched in a node that is not in check.
    qs_moves = 3, 2..=12, step 1;
    /// Quiescence: its first plies in which quiet checks that lose nothing by exchange are searched too.
    qs_check_plies = 2, 0..=6, step 1;
}

impl Searcher<'_> {
    /// Quiescence search (fail-soft); `qs_ply` counts its plies from 0. Not in check the side to move may stand pat: the
    /// evaluation is a lower bound.
    pub fn qsearch<NT: NodeType>(&mut self, mut node: Node<'_>, qs_ply: i32) -> SearchResult {
        node.depth = 0;
        if let Some(score) = entry::begin_node::<NT>(self, &mut node)? {
            return Ok(score);
        }
        let in_check = node.static_eval.is_none();
        let mut best_score = -Score::INFINITE;
        if !in_check {
            best_score = node.eval;
            if best_score >= node.window.beta {
                if node.tt_entry.is_none() {
                    self.tt_store(&node, None, best_score, Bound::Lower);
                }
                return Ok(best_score);
            }
        }
        let (best_score, best_move) = self.qsearch_moves::<NT>(&node, qs_ply, best_score)?;
        if in_check && best_score == -Score::INFINITE {
            return Ok(Score::mated_in(node.ply));
        }
        let bound = if best_score >= node.window.beta { Bound::Lower } else { Bound::Upper };
        self.tt_store(&node, best_move, best_score, bound);
        Ok(best_score)
    }

    /// The move loop of quiescence. Returns the best score, at least `best_score`, and the move that raised alpha last.
    fn qsearch_moves<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        qs_ply: i32,
        mut best_score: Score,
    ) -> Result<(Score, Option<Move>), Stopped> {
        let in_check = node.static_eval.is_none();
        let quiets = in_check || quiet_move_promises_more(node);
        let mut picker = self.qsearch_picker(node, qs_ply, quiets);
        let mut alpha = node.window.alpha.max(best_score);
        let mut best_move = None;
        let mut searched = 0;
        while let Some(ScoredMove { mv, stage, .. }) = picker.next(node.position, self.histories) {
            self.prefetch_tt(node, mv);
            if !best_score.is_loss() {
                match stage {
                    Stage::BadNoisy => break,
                    Stage::Quiet if in_check => break, // one evasion that does not lose is enough
                    Stage::Quiet if quiets && searched >= qs_moves() => {
                        picker.skip_quiets();
                        continue;
                    }
                    Stage::Quiet if !node.position.see_ge(mv, 0) => continue,
                    Stage::Quiet if !quiets => {}
                    Stage::TtMove if mv.is_quiet() => {}
                    _ if !in_check && searched >= qs_moves() => {
                        if quiets {
                            picker.skip_quiets();
                        }
                        picker.skip_good_noisies();
                        continue;
                    }
                    _ => {
                        if let Some(score) = qsearch_futility(node, mv, alpha) {
                            best_score = best_score.max(score);
                            continue;
                        }
                    }
                }
            }
            searched += 1;
            let mut child = *node.position;
            self.make_move(node, mv, &mut child);
            let window = Window { alpha, beta: node.window.beta }.flipped();
            let score = -self.qsearch::<NT>(Node::new(&child, window, 0, node.ply + 1), qs_ply + 1)?;
            self.unmake_move();
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                if NT::PV {
                    self.pv_table.update(node.ply, mv);
                }
                if score >= node.window.beta {
                    break;
                }
            }
        }
        Ok((best_score, best_move))
    }

    /// The moves of a node in quiescence: all if quiet moves are searched too; else captures, and checks in the first plies.
    #[inline(always)]
    fn qsearch_picker(&self, node: &Node<'_>, qs_ply: i32, quiets: bool) -> MovePicker {
        let filter = match quiets {
            true => MoveFilter::All,
            false if qs_ply < qs_check_plies() => MoveFilter::NoisyAndChecks,
            false => MoveFilter::Noisy,
        };
        let context = if quiets { self.history_context(node) } else { HistoryContext::NONE };
        MovePicker::new(filter, node.tt_move(), context)
    }
}

/// True if the table knows a quiet move that may raise the score: then quiet moves are searched too, as many as captures
/// (Reckless).
#[inline(always)]
fn quiet_move_promises_more(node: &Node<'_>) -> bool {
    let entry = node.tt_entry.as_ref();
    entry.is_some_and(|entry| {
        entry.mv.is_some_and(Move::is_quiet) && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
    })
}

/// Futility pruning in quiescence (delta pruning): a capture that cannot lift the static evaluation to alpha even with a
/// margin, gives no check (pawnocchio), and wins nothing by exchange. Returns the score that may be assumed.
#[inline(always)]
fn qsearch_futility(node: &Node<'_>, mv: Move, alpha: Score) -> Option<Score> {
    let eval = node.static_eval?;
    if mv.promotion().is_some() {
        return None;
    }
    let score = eval + captured_value(node.position, mv) + qs_futility();
    let futile = score <= alpha
        && !score.is_decisive()
        && !node.position.see_ge(mv, 1)
        && !node.position.gives_check(mv);
    futile.then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node::pruning::tests::node;
    use crate::search::node_types::NonPv;
    use crate::search::searcher::tests::with_searcher;
    use chess::Position;

    /// The score of a quiescence search from this ply of it on, with a mate as beta, and its nodes.
    fn search(fen: &str, qs_ply: i32) -> (Score, u64) {
        let position: Position = fen.parse().unwrap();
        with_searcher(position, |searcher| {
            let window = Window::zero_width(Score::mate_in(60));
            let score = searcher.qsearch::<NonPv>(Node::new(&position, window, 0, 1), qs_ply).ok().unwrap();
            (score, searcher.nodes())
        })
    }

    #[test]
    fn quiet_checks_are_searched_in_the_first_plies_only() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(search(back_rank, 0).0, Score::mate_in(2));
        assert_eq!(search(back_rank, qs_check_plies() - 1).0, Score::mate_in(2));
        assert!(!search(back_rank, qs_check_plies()).0.is_win());
    }

    #[test]
    fn a_check_that_loses_the_piece_is_not_searched() {
        let guarded = "6k1/5ppp/8/8/4b3/8/8/R5K1 w - - 0 1";
        assert_eq!(search(guarded, 0), search(guarded, qs_check_plies()));
    }

    #[test]
    fn a_hopeless_exchange_is_given_up_unless_it_checks() {
        let position: Position = "3rr1k1/5ppp/8/8/8/8/8/3RR1K1 w - - 0 1".parse().unwrap();
        let node = node(&position, 0, -1000);
        let futile = |text| qsearch_futility(&node, position.parse_uci(text).unwrap(), node.entry_alpha());
        assert!(futile("d1d8").is_some());
        assert_eq!(futile("e1e8"), None);
    }

    #[test]
    fn quiet_moves_are_searched_where_the_table_knows_a_quiet_move_that_may_raise_the_score() {
        let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse().unwrap();
        let score = |bound| {
            with_searcher(position, |searcher| {
                let node = |window| Node::new(&position, window, 0, 1);
                let window = Window::zero_width(Score::mate_in(60));
                let quiet = Some(position.parse_uci("g1f1").unwrap());
                searcher.tt_store(&node(window), quiet, Score::cp(100), bound);
                searcher.qsearch::<NonPv>(node(window), qs_check_plies()).ok().unwrap()
            })
        };
        assert_eq!(score(Bound::Lower), Score::mate_in(2));
        assert!(!score(Bound::Upper).is_win());
    }
}
