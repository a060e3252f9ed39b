//! The techniques that the laboratory can replace, the engine's own as defaults. The search calls them as functions of
//! [`Active`](crate::search::lab::Active), which is chosen at compile time: in the plain build each is the default.

use super::{extensions, pruning, reductions};
use crate::score::Score;
use crate::search::node_types::{Candidate, MadeMove, MoveLoopResult, Node, NodeType, SearchResult, Stopped};
use crate::search::searcher::Searcher;

/// A switch of the laboratory, as the front end shows it.
pub struct Technique {
    /// The name.
    pub name: &'static str,
    /// The names of its values.
    pub values: &'static [&'static str],
    /// The index of the value that the plain build has.
    pub default: usize,
    /// Chooses a value by index; a higher index chooses the last.
    pub set: fn(usize),
}

/// The replaceable techniques.
pub trait Techniques {
    /// Null move pruning: the score of a node that is cut.
    #[inline(always)]
    fn nmp<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        pruning::nmp::<NT>(searcher, node)
    }

    /// The treatment of a node without a table move; also called where there is one.
    #[inline(always)]
    fn without_tt_move<NT: NodeType>(_: &mut Searcher<'_>, node: &mut Node<'_>) -> Result<(), Stopped> {
        reductions::iir::<NT>(node);
        Ok(())
    }

    /// Plies that a move is searched deeper, if it is not the table's move with an extension of its own.
    #[inline(always)]
    fn check_extension(root_depth: i32, node: &Node<'_>, candidate: &Candidate, gives_check: bool) -> i32 {
        extensions::check_extension(root_depth, node, candidate, gives_check)
    }

    /// Plies that a move is searched less deep at first.
    #[inline(always)]
    fn lmr_reduction<NT: NodeType>(node: &Node<'_>, made: &MadeMove) -> i32 {
        reductions::lmr_reduction::<NT>(node, made)
    }

    /// True if a reduced move that beats alpha is searched again.
    #[inline(always)]
    fn researches<NT: NodeType>() -> bool {
        true
    }

    /// The zero-width search of a move of `node` without reduction; the score is the child's.
    #[inline(always)]
    fn search_unreduced<NT: NodeType>(
        searcher: &mut Searcher<'_>,
        _: &Node<'_>,
        child: Node<'_>,
    ) -> SearchResult {
        searcher.search_node::<NT::ZeroWidth>(child)
    }

    /// The score of a node whose moves have been searched.
    #[inline(always)]
    fn after_moves<NT: NodeType>(
        _: &mut Searcher<'_>,
        _: &Node<'_>,
        _: &MoveLoopResult,
        score: Score,
    ) -> SearchResult {
        Ok(score)
    }
}
