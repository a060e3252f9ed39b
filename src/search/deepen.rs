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
