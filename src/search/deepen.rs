//! Deepening inside a node, when the table suggests no move to begin with.

use super::lab::{self, NoTableMove};
use super::moves::Outcome;
use super::node::{Node, NodeKind, NonPv, Pv, Searched, Stopped};
use super::worker::Searcher;
use crate::tunables;

tunables! {
    /// The least depth of internal iterative deepening.
    iid_depth = 5, 3..=10, step 1;
}

/// Internal iterative deepening: a shallower search of the node finds the move to begin with.
#[cold]
pub fn find_table_move<K: NodeKind>(search: &mut Searcher<'_>, node: &mut Node<'_>) -> Result<(), Stopped> {
    if K::ROOT || node.depth < iid_depth() || node.table_move().is_some() || !(K::PV || node.cut_node) {
        return Ok(());
    }
    let wanted = if lab::no_table_move() == NoTableMove::SelfDeepen { node.depth } else { node.depth - 2 };
    let shallow = Node::new(node.position, node.window, node.depth - 2, node.ply);
    search_again::<K>(search, shallow.expecting_cut(node.cut_node).wanted_to(wanted))?;
    node.hit = search.probe(node);
    Ok(())
}

/// Whether a node has found a cut move, and its parent will want to know whether it also holds at greater depth. A
/// stalemate may be above beta, too, but there is no move to go on with.
#[inline(always)]
pub fn goes_on(node: &Node<'_>, outcome: &Outcome) -> bool {
    outcome.best_move.is_some() && outcome.best >= node.window.beta && node.wanted > node.depth
}

/// Self-deepening: the node that has found a cut move searches itself a ply deeper; the table gives the cut move back.
pub fn itself<K: NodeKind>(search: &mut Searcher<'_>, node: &Node<'_>) -> Searched {
    let deeper = Node::new(node.position, node.window, node.depth + 1, node.ply);
    search_again::<K>(search, deeper.expecting_cut(node.cut_node).wanted_to(node.wanted))
}

fn search_again<K: NodeKind>(search: &mut Searcher<'_>, node: Node<'_>) -> Searched {
    if K::PV { search.search_node::<Pv>(node) } else { search.search_node::<NonPv>(node) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    #[cfg(feature = "lab")]
    use crate::score::Bound;
    use crate::score::Score;
    use crate::search::history::Context;
    use crate::search::node::Window;
    use crate::search::worker::tests::with_searcher;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn internal_deepening_finds_the_move_to_begin_with_by_a_search_two_plies_shallower() {
        let position: Position = KIWIPETE.parse().unwrap();
        let found = |depth: i32| {
            with_searcher(position, |search| {
                let mut node = Node::new(&position, Window::FULL, depth, 1);
                find_table_move::<Pv>(search, &mut node).unwrap();
                node.hit.map(|hit| (hit.depth, hit.mv.is_some()))
            })
        };
        assert_eq!(found(5), Some((3, true)));
        assert_eq!(found(iid_depth() - 1), None, "too shallow to need one");
    }

    #[test]
    fn internal_deepening_leaves_a_node_alone_that_has_a_move_or_expects_none() {
        let position: Position = KIWIPETE.parse().unwrap();
        with_searcher(position, |search| {
            let mut all_node = Node::new(&position, Window::null_above(Score::cp(0)), 7, 1);
            find_table_move::<NonPv>(search, &mut all_node).unwrap();
            assert!(all_node.hit.is_none());
            let mut node = Node::new(&position, Window::FULL, 7, 1);
            find_table_move::<Pv>(search, &mut node).unwrap();
            let searched = search.nodes();
            find_table_move::<Pv>(search, &mut node).unwrap();
            assert_eq!(search.nodes(), searched);
        });
    }

    #[test]
    fn only_a_cut_move_that_the_parent_will_want_deeper_is_deepened() {
        let position: Position = KIWIPETE.parse().unwrap();
        let outcome = |best: i32, best_move: Option<Move>| {
            let mut outcome = Outcome::before_moves(Context::NOTHING, Score::DRAW);
            (outcome.best, outcome.best_move, outcome.count) = (Score::cp(best), best_move, 1);
            outcome
        };
        let some = position.legal_moves().first().copied();
        let node = |wanted| Node::new(&position, Window::null_above(Score::cp(0)), 3, 1).wanted_to(wanted);
        assert!(goes_on(&node(5), &outcome(1, some)));
        assert!(!goes_on(&node(3), &outcome(1, some)), "the parent is satisfied");
        assert!(!goes_on(&node(5), &outcome(0, some)), "no cut");
        assert!(!goes_on(&node(5), &outcome(1, None)), "stalemate");
    }

    #[test]
    #[cfg(feature = "lab")]
    fn self_deepening_takes_a_cut_move_to_the_depth_that_the_parent_wants_and_stands_still_otherwise() {
        let choose = |value: NoTableMove| {
            let switch = lab::TECHNIQUES.iter().find(|technique| technique.name == "no_table_move").unwrap();
            (switch.set)(value as usize);
        };
        choose(NoTableMove::SelfDeepen);
        let position: Position = KIWIPETE.parse().unwrap();
        let reached = |alpha: i32, wanted: i32| {
            with_searcher(position, |search| {
                let node = Node::new(&position, Window::null_above(Score::cp(alpha)), 2, 1).wanted_to(wanted);
                search.search_node::<Pv>(node).unwrap();
                let entry =
                    search.probe(&Node::new(&position, Window::null_above(Score::cp(alpha)), 2, 1)).unwrap();
                (entry.depth, entry.bound == Some(Bound::Lower))
            })
        };
        assert_eq!(reached(-900, 5), (5, true));
        assert_eq!(reached(-900, 2), (2, true));
        assert_eq!(reached(900, 5), (2, false), "a node that fails low is not deepened");
        choose(NoTableMove::Reduce);
    }
}
