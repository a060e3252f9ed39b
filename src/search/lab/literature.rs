//! The techniques by the switches.

use super::switches::{NoTableMove, Switch, no_table_move, null_move};
use super::{extensions, iid, reductions, switches};
use crate::score::Score;
use crate::search::node::techniques::Techniques;
use crate::search::node::{pruning, reductions as standard};
use crate::search::node_types::{Candidate, MadeMove, MoveLoopResult, Node, NodeType, SearchResult, Stopped};
use crate::search::searcher::Searcher;

/// The techniques by the switches.
pub struct Active;

impl Techniques for Active {
    fn nmp<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        if null_move() == Switch::On { pruning::nmp::<NT>(searcher, node) } else { Ok(None) }
    }

    fn without_tt_move<NT: NodeType>(
        searcher: &mut Searcher<'_>,
        node: &mut Node<'_>,
    ) -> Result<(), Stopped> {
        match no_table_move() {
            NoTableMove::Nothing => {}
            NoTableMove::Reduce => standard::iir::<NT>(node),
            NoTableMove::Deepen | NoTableMove::SelfDeepen => iid::find_tt_move::<NT>(searcher, node)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn check_extension(root_depth: i32, node: &Node<'_>, candidate: &Candidate, gives_check: bool) -> i32 {
        extensions::check_extension(root_depth, node, candidate, gives_check)
    }

    fn lmr_reduction<NT: NodeType>(node: &Node<'_>, made: &MadeMove) -> i32 {
        reductions::lmr_reduction::<NT>(switches::reductions(), switches::reduce_below_pv(), node, made)
    }

    fn researches<NT: NodeType>() -> bool {
        reductions::researches::<NT>(switches::reductions())
    }

    fn search_unreduced<NT: NodeType>(
        searcher: &mut Searcher<'_>,
        node: &Node<'_>,
        child: Node<'_>,
    ) -> SearchResult {
        iid::with_wanted(child.ply, iid::wanted_plies(node), || searcher.search_node::<NT::ZeroWidth>(child))
    }

    fn after_moves<NT: NodeType>(
        searcher: &mut Searcher<'_>,
        node: &Node<'_>,
        result: &MoveLoopResult,
        score: Score,
    ) -> SearchResult {
        if no_table_move() == NoTableMove::SelfDeepen && iid::goes_on(node, result) {
            return iid::self_deepening::<NT>(searcher, node);
        }
        Ok(score)
    }
}
