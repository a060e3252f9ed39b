//! Extensions: what is forcing is searched deeper.

use super::lab::{self, CheckExtension, Switch};
use super::moves::MoveFacts;
use super::node::{Node, NodeKind, NonPv, Stopped, Window};
use super::worker::Searcher;
use crate::chess::{PieceType, Rank};
use crate::score::{Bound, Score};
use crate::tunables;

tunables! {
    /// Singular extension: the least depth.
    singular_depth = 6, 4..=10, step 1;
    /// Singular extension: how far below the table's score the other moves must stay, in 16ths of a centipawn a ply.
    singular_margin = 26, 4..=64, step 3;
    /// Double extension: centipawns further below.
    double_margin = 17, 0..=80, step 4;
    /// Triple extension: centipawns further below.
    triple_margin = 94, 30..=240, step 10;
}

/// What the search without the table move says about the table move.
pub enum Singular {
    /// How many plies deeper to search it; negative when others are as good.
    Extend(i32),
    /// Another move fails high as well: the node is cut (multi-cut).
    Cut(Score),
}

/// Singular extension (Anantharaman, Campbell and Hsu 1988, in the form that re-searches the node without its table
/// move): a move that is much better than all others is searched deeper.
#[inline(always)]
pub fn singular<K: NodeKind>(search: &mut Searcher<'_>, node: &Node<'_>) -> Result<Singular, Stopped> {
    let candidate = node.hit.as_ref().and_then(|hit| hit.mv.map(|mv| (mv, hit.score, hit.depth, hit.bound)));
    let Some((mv, score, depth, Some(Bound::Lower | Bound::Exact))) = candidate else {
        return Ok(Singular::Extend(0));
    };
    let applies = !K::ROOT
        && node.depth >= singular_depth()
        && node.excluded.is_none()
        && depth >= node.depth - 3
        && !score.is_decisive()
        && (node.ply as i32) < 2 * search.root.depth;
    if !applies {
        return Ok(Singular::Extend(0));
    }
    let limit = score - singular_margin() * node.depth / 16;
    let others = Node::new(node.position, Window::null_above(limit - 1), (node.depth - 1) / 2, node.ply);
    let best = search.search_node::<NonPv>(others.expecting_cut(node.cut_node).excluding(mv))?;
    Ok(if best < limit {
        let further = |margin| !K::PV && best < limit - margin;
        Singular::Extend(1 + i32::from(further(double_margin())) + i32::from(further(triple_margin())))
    } else if limit >= node.window.beta {
        Singular::Cut(limit)
    } else if score >= node.window.beta || node.cut_node {
        Singular::Extend(-2)
    } else {
        Singular::Extend(0)
    })
}

/// How many plies deeper a move is searched. No line gets longer than twice the iteration's depth by this.
#[inline(always)]
pub fn checks_and_promotions(root_depth: i32, node: &Node<'_>, facts: &MoveFacts) -> i32 {
    if node.ply as i32 >= 2 * root_depth {
        return 0;
    }
    let check = facts.gives_check
        && match lab::check_extension() {
            CheckExtension::Off => false,
            CheckExtension::All => true,
            CheckExtension::Captures => facts.mv.is_capture(),
            CheckExtension::Safe => !facts.loses_exchange(node.position, 0),
        };
    let promotion = lab::promotion_extension() == Switch::On && nears_promotion(node, facts);
    i32::from(check || promotion)
}

/// A promotion, or a pawn's step to the seventh rank.
fn nears_promotion(node: &Node<'_>, facts: &MoveFacts) -> bool {
    let seventh = facts.mv.to().rank() == Rank::R7.relative_to(node.position.side_to_move());
    let pawn =
        node.position.piece_on(facts.mv.from()).is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
    facts.mv.promotion().is_some() || pawn && seventh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::search::node::Window;
    use crate::search::picker::Stage;

    fn extension(position: &Position, mv: Move, ply: usize, root_depth: i32) -> i32 {
        let node = Node::new(position, Window::FULL, 5, ply);
        let gives_check = position.gives_check(mv);
        let facts = MoveFacts { gives_check, ..MoveFacts::new(mv, Stage::Quiet, 2, 0) };
        checks_and_promotions(root_depth, &node, &facts)
    }

    #[test]
    fn safe_checks_are_extended_until_the_line_is_twice_the_depth_of_the_iteration() {
        let position: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
        let check = position.parse_uci("a1a8").unwrap();
        assert_eq!(extension(&position, check, 3, 8), 1);
        assert_eq!(extension(&position, check, 16, 8), 0);
        assert_eq!(extension(&position, position.parse_uci("a1a7").unwrap(), 3, 8), 0);
    }

    #[test]
    fn checks_that_lose_material_are_not_extended() {
        let position: Position = "r3k3/8/8/8/4p3/8/8/4KQ2 w - - 0 1".parse().unwrap();
        assert_eq!(extension(&position, position.parse_uci("f1f8").unwrap(), 3, 8), 0, "the king takes");
    }
}
