//! Extensions: what is forcing is searched deeper.

use super::lab::{self, CheckExtension, Switch};
use super::moves::MoveFacts;
use super::node::Node;
use crate::chess::{Kind, Rank};

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
            CheckExtension::Safe => node.position.exchange_at_least(facts.mv, 0),
        };
    let promotion = lab::promotion_extension() == Switch::On && nears_promotion(node, facts);
    i32::from(check || promotion)
}

/// A promotion, or a pawn's step to the seventh rank.
fn nears_promotion(node: &Node<'_>, facts: &MoveFacts) -> bool {
    let seventh = facts.mv.to().rank() == Rank::R7.relative_to(node.position.side_to_move());
    let pawn = node.position.piece_on(facts.mv.from()).is_some_and(|piece| piece.kind() == Kind::Pawn);
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
        let (quiet, gives_check) = (mv.is_quiet(), position.gives_check(mv));
        let facts =
            MoveFacts { mv, stage: Stage::Quiet, count: 2, quiet, gives_check, history: 0, extension: 0 };
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
