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
