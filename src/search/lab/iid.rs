//! Internal iterative deepening (IID), when the table has no move to begin with, and micro-Max's self-deepening.
//!
//! Self-deepening needs to know how many plies deeper than now a node's parent will want it in the end: a number by ply, which each
//! thread keeps here, so that the search knows nothing of it.

use super::switches::{NoTableMove, no_table_move};
use crate::score::MAX_PLY;
use crate::search::node_types::{MoveLoopResult, Node, NodeType, NonPv, Pv, SearchResult, Stopped};
use crate::search::searcher::Searcher;
use std::cell::Cell;

/// The minimum depth of internal iterative deepening.
const IID_DEPTH: i32 = 5;
/// Plies that the inner search of internal iterative deepening is less deep.
const IID_REDUCTION: i32 = 2;

thread_local! {
    /// By ply: plies deeper than it is searched now that a node is wanted in the end.
    static WANTED: [Cell<i32>; MAX_PLY + 2] = const { [const { Cell::new(0) }; MAX_PLY + 2] };
}

/// Runs `search` while the node at `ply` is wanted `plies` plies deeper than it is searched now.
pub fn with_wanted<T>(ply: usize, plies: i32, search: impl FnOnce() -> T) -> T {
    let before = WANTED.with(|wanted| wanted[ply].replace(plies));
    let result = search();
    WANTED.with(|wanted| wanted[ply].set(before));
    result
}

/// Plies deeper than it is searched now that a node is wanted in the end.
pub fn wanted_plies(node: &Node<'_>) -> i32 {
    // A question that a node asks about itself is wanted no deeper.
    let is_question = node.excluded.is_some() || node.is_verification;
    if is_question { 0 } else { WANTED.with(|wanted| wanted[node.ply].get()) }
}

/// Internal iterative deepening: a shallower search of the node finds the move to begin with.
#[cold]
pub fn find_tt_move<NT: NodeType>(searcher: &mut Searcher<'_>, node: &mut Node<'_>) -> Result<(), Stopped> {
    if NT::ROOT || node.depth < IID_DEPTH || node.tt_move().is_some() || !(NT::PV || node.cut_node) {
        return Ok(());
    }
    let plies = if no_table_move() == NoTableMove::SelfDeepen { IID_REDUCTION } else { 0 };
    let shallow = Node::new(node.position, node.window, node.depth - IID_REDUCTION, node.ply);
    search_again::<NT>(searcher, shallow.with_cut_node(node.cut_node), plies)?;
    node.tt_entry = searcher.tt_probe(node);
    Ok(())
}

/// True if a node has found a cut move that its parent will want to know of at greater depth. A stalemate may be above beta,
/// too, but there is no move to go on with.
pub fn goes_on(node: &Node<'_>, result: &MoveLoopResult) -> bool {
    result.best_move.is_some() && result.best_score >= node.window.beta && wanted_plies(node) > 0
}

/// Self-deepening (H. G. Muller's micro-Max): the node that has found a cut move searches itself a ply deeper; the table
/// gives the cut move back.
pub fn self_deepening<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) -> SearchResult {
    let deeper = Node::new(node.position, node.window, node.depth + 1, node.ply);
    let plies = wanted_plies(node) - 1;
    search_again::<NT>(searcher, deeper.with_cut_node(node.cut_node), plies)
}

fn search_again<NT: NodeType>(searcher: &mut Searcher<'_>, node: Node<'_>, plies: i32) -> SearchResult {
    with_wanted(node.ply, plies, || match NT::PV {
        true => searcher.search_node::<Pv>(node),
        false => searcher.search_node::<NonPv>(node),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Bound, Score};
    use crate::search::lab::TECHNIQUES;
    use crate::search::memory::history::HistoryContext;
    use crate::search::node_types::Window;
    use crate::search::searcher::tests::with_searcher;
    use chess::{Move, Position};

    use chess::positions::KIWIPETE;

    #[test]
    fn internal_deepening_finds_the_move_to_begin_with_by_a_search_two_plies_shallower() {
        let position: Position = KIWIPETE.parse().unwrap();
        let found = |depth: i32| {
            with_searcher(position, |searcher| {
                let mut node = Node::new(&position, Window::FULL, depth, 1);
                find_tt_move::<Pv>(searcher, &mut node).unwrap();
                node.tt_entry.map(|tt_entry| (tt_entry.depth, tt_entry.mv.is_some()))
            })
        };
        assert_eq!(found(5), Some((3, true)));
        assert_eq!(found(IID_DEPTH - 1), None, "too shallow to need one");
    }

    #[test]
    fn internal_deepening_leaves_a_node_alone_that_has_a_move_or_expects_none() {
        let position: Position = KIWIPETE.parse().unwrap();
        with_searcher(position, |searcher| {
            let mut all_node = Node::new(&position, Window::zero_width(Score::cp(0)), 7, 1);
            find_tt_move::<NonPv>(searcher, &mut all_node).unwrap();
            assert!(all_node.tt_entry.is_none());
            let mut node = Node::new(&position, Window::FULL, 7, 1);
            find_tt_move::<Pv>(searcher, &mut node).unwrap();
            let searched = searcher.nodes();
            find_tt_move::<Pv>(searcher, &mut node).unwrap();
            assert_eq!(searcher.nodes(), searched);
        });
    }

    #[test]
    fn only_a_cut_move_that_the_parent_will_want_deeper_is_deepened() {
        let position: Position = KIWIPETE.parse().unwrap();
        let result = |best: i32, best_move: Option<Move>| {
            let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
            (result.best_score, result.best_move, result.move_count) = (Score::cp(best), best_move, 1);
            result
        };
        let some = position.legal_moves().first().copied();
        let node = Node::new(&position, Window::zero_width(Score::cp(0)), 3, 1);
        assert!(!goes_on(&node, &result(1, some)), "the parent is satisfied");
        with_wanted(1, 2, || {
            assert!(goes_on(&node, &result(1, some)));
            assert!(!goes_on(&node, &result(0, some)), "no cut");
            assert!(!goes_on(&node, &result(1, None)), "stalemate");
        });
    }

    #[test]
    fn self_deepening_takes_a_cut_move_to_the_depth_that_the_parent_wants_and_stands_still_otherwise() {
        let choose = |value: NoTableMove| {
            let switch = TECHNIQUES.iter().find(|technique| technique.name == "no_table_move").unwrap();
            (switch.set)(value as usize);
        };
        choose(NoTableMove::SelfDeepen);
        let position: Position = KIWIPETE.parse().unwrap();
        let reached = |alpha: i32, wanted: i32| {
            with_searcher(position, |searcher| {
                let node = || Node::new(&position, Window::zero_width(Score::cp(alpha)), 2, 1);
                with_wanted(1, wanted - 2, || searcher.search_node::<Pv>(node())).unwrap();
                let entry = searcher.tt_probe(&node()).unwrap();
                (entry.depth, entry.bound == Some(Bound::Lower))
            })
        };
        assert_eq!(reached(-900, 5), (5, true));
        assert_eq!(reached(-900, 2), (2, true));
        assert_eq!(reached(900, 5), (2, false), "a node that fails low is not deepened");
        choose(NoTableMove::Reduce);
    }
}
