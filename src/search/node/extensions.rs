//! Extensions: forcing moves are searched deeper.

use crate::score::{Bound, Score};
use crate::search::node_types::{Candidate, Node, NodeType, Stopped, Window};
use crate::search::searcher::Searcher;
use crate::tunables;
use chess::Move;

tunables! {
    /// Singular extension: the minimum depth.
    singular_depth = 6, 4..=10, step 1;
    /// Singular extension: plies that the table's entry may be less deep than the node.
    singular_tt_depth = 3, 1..=5, step 1;
    /// Singular extension: 16ths of a centipawn a ply that the other moves must stay below the table's score.
    singular_margin = 26, 4..=64, step 3;
    /// Double extension: centipawns further below.
    double_margin = 17, 0..=80, step 4;
    /// Triple extension: centipawns further below.
    triple_margin = 94, 30..=240, step 10;
}

/// The result of the singular search.
pub enum Singular {
    /// Plies that the table's move is searched deeper; negative when other moves are as good.
    Extend(i32),
    /// The node is cut: another move fails high as well (multi-cut).
    Cutoff(Score),
}

/// The table's score and move that are tested for singularity: from some depth on, not at the root, with a lower bound or
/// exact score of little less depth that is no proven result, and before the line is twice as long as the iteration.
#[inline(always)]
fn singular_candidate<NT: NodeType>(root_depth: i32, node: &Node<'_>) -> Option<(Move, Score)> {
    let entry = node.tt_entry.as_ref()?;
    let mv = entry.mv?;
    let applies = matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
        && !NT::ROOT
        && node.depth >= singular_depth()
        && node.excluded.is_none()
        && entry.depth >= node.depth - singular_tt_depth()
        && !entry.score.is_decisive()
        && (node.ply as i32) < 2 * root_depth;
    applies.then_some((mv, entry.score))
}

/// Singular extension (Anantharaman, Campbell and Hsu 1988, in the form that searches the node again without its table
/// move, at half the depth): a move that is better than all others by a margin is searched one ply deeper, off the
/// principal variation up to three. If the others beat beta too, the node is cut (multi-cut); if the table's score beats
/// beta, or a cut is expected, its move is searched two plies less deep.
#[inline(always)]
pub fn singular_extension<NT: NodeType>(
    searcher: &mut Searcher<'_>,
    node: &Node<'_>,
) -> Result<Singular, Stopped> {
    let Some((mv, tt_score)) = singular_candidate::<NT>(searcher.root.depth, node) else {
        return Ok(Singular::Extend(0));
    };
    let singular_beta = tt_score - singular_margin() * node.depth / 16;
    let others_depth = (node.depth - 1) / 2;
    let others = Node::new(node.position, Window::zero_width(singular_beta - 1), others_depth, node.ply);
    let score = searcher.search_node::<NT::ZeroWidth>(others.with_cut_node(node.cut_node).excluding(mv))?;
    Ok(if score < singular_beta {
        let further = |margin| !NT::PV && score < singular_beta - margin;
        Singular::Extend(1 + i32::from(further(double_margin())) + i32::from(further(triple_margin())))
    } else if score >= node.window.beta && !score.is_decisive() {
        Singular::Cutoff(multi_cut_score(node.window.beta, score, others_depth))
    } else if tt_score >= node.window.beta || node.cut_node {
        Singular::Extend(-2)
    } else {
        Singular::Extend(0)
    })
}

/// The score of a node that multi-cut ends: that of the other moves, the nearer to beta the less deep their search
/// (Reckless).
#[inline(always)]
fn multi_cut_score(beta: Score, score: Score, depth: i32) -> Score {
    beta + (score - beta) * depth / (depth + 1)
}

/// Mate extension: a node of the principal variation of which the table knows a mate is searched as deep as the search that
/// found it, but not beyond the mate, so that its line is found again. Not in the first iteration, whose first move is
/// searched even after a stop.
#[inline(always)]
pub fn mate_extension<NT: NodeType>(root_depth: i32, node: &mut Node<'_>) {
    let applies = NT::PV && !NT::ROOT && root_depth > 1;
    let mate = node.tt_entry.as_ref().filter(|entry| applies && entry.mate_bound().is_some());
    if let Some(entry) = mate {
        let plies_to_mate = Score::MATE.raw() - entry.score.raw().abs() - node.ply as i32;
        node.depth = node.depth.max(entry.depth.min(plies_to_mate));
    }
}

/// Check extension (measured by James Swafford's Prophet): a check that loses no material is searched one ply deeper, until
/// the line is twice as long as the iteration.
#[inline(always)]
pub fn check_extension(root_depth: i32, node: &Node<'_>, candidate: &Candidate, gives_check: bool) -> i32 {
    let applies = (node.ply as i32) < 2 * root_depth && gives_check && candidate.see_ge(node.position, 0);
    i32::from(applies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_types::Stage;
    use chess::Position;

    fn extension(fen: &str, mv: &str, ply: usize, root_depth: i32) -> i32 {
        let position: Position = fen.parse().unwrap();
        let mv = position.parse_uci(mv).unwrap();
        let node = Node::new(&position, Window::FULL, 5, ply);
        let candidate = Candidate::new(mv, Stage::Quiet, 2, 0);
        check_extension(root_depth, &node, &candidate, position.gives_check(mv))
    }

    #[test]
    fn safe_checks_are_extended_until_the_line_is_twice_the_depth_of_the_iteration() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(extension(fen, "a1a8", 3, 8), 1);
        assert_eq!(extension(fen, "a1a8", 16, 8), 0);
        assert_eq!(extension(fen, "a1a7", 3, 8), 0);
    }

    #[test]
    fn checks_that_lose_material_are_not_extended() {
        assert_eq!(extension("r3k3/8/8/8/4p3/8/8/4KQ2 w - - 0 1", "f1f8", 3, 8), 0, "the king takes");
    }

    #[test]
    fn a_multi_cuts_score_lies_between_beta_and_what_was_found_nearer_to_it_the_deeper() {
        let score = |depth| multi_cut_score(Score::cp(100), Score::cp(220), depth).raw();
        assert_eq!([1, 2, 5].map(score), [160, 180, 200]);
    }
}
