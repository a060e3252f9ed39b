//! Check and promotion extensions as the literature has them.

use super::switches::{self, CheckExtension, Switch};
use crate::search::node::extensions;
use crate::search::node_types::{Candidate, Node};
use chess::{PieceType, Rank};

/// Plies that a move is searched deeper by the chosen forms, until the line is twice as long as the iteration.
#[inline(always)]
pub fn check_extension(root_depth: i32, node: &Node<'_>, candidate: &Candidate, gives_check: bool) -> i32 {
    if node.ply as i32 >= 2 * root_depth {
        return 0;
    }
    if switches::promotion_extension() == Switch::On && nears_promotion(node, candidate) {
        return 1;
    }
    match switches::check_extension() {
        CheckExtension::Off => 0,
        CheckExtension::All => i32::from(gives_check),
        CheckExtension::Captures => i32::from(gives_check && candidate.mv.is_capture()),
        CheckExtension::Safe => extensions::check_extension(root_depth, node, candidate, gives_check),
    }
}

/// True for a promotion, and for a pawn's step to the seventh rank.
fn nears_promotion(node: &Node<'_>, candidate: &Candidate) -> bool {
    let seventh = candidate.mv.to().rank() == Rank::R7.relative_to(node.position.side_to_move());
    let piece = node.position.piece_on(candidate.mv.from());
    let pawn = piece.is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
    candidate.mv.promotion().is_some() || pawn && seventh
}
