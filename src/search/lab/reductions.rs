//! Late-move reductions as the literature has them.

use super::switches::{Reductions, Switch};
use crate::search::node::reductions;
use crate::search::node_types::{MadeMove, Node, NodeType};
use chess::PieceType;

/// Plies that a move is searched less deep at first by this form, and by the switch for the children of PV nodes.
pub fn lmr_reduction<NT: NodeType>(
    form: Reductions,
    below_pv: Switch,
    node: &Node<'_>,
    made: &MadeMove,
) -> i32 {
    if NT::PV && !NT::ROOT && below_pv == Switch::Off {
        return 0;
    }
    match form {
        Reductions::Off => 0,
        Reductions::MicroMax => micro_max(node, made),
        Reductions::Romstad => romstad(node, made),
        Reductions::Fruit21 | Reductions::Fruit20 => fruit(node, made),
        Reductions::Tamarack => reductions::lmr_reduction::<NT>(node, made),
    }
}

/// True if a reduced move that beats alpha is searched again: Fruit 2.0 takes the reduced score for the truth, but not on the
/// principal variation.
pub fn researches<NT: NodeType>(form: Reductions) -> bool {
    NT::PV || form != Reductions::Fruit20
}

/// micro-Max 4.8 (H. G. Muller).
fn micro_max(node: &Node<'_>, made: &MadeMove) -> i32 {
    let pawn = node
        .position
        .piece_on(made.candidate.mv.from())
        .is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
    let capture = made.candidate.mv.is_capture() || made.candidate.mv.promotion().is_some();
    i32::from(node.depth >= 5 && made.candidate.move_count > 1 && !capture && !pawn)
}

/// The classic outline (Tord Romstad, "An introduction to late move reductions", 2006).
fn romstad(node: &Node<'_>, made: &MadeMove) -> i32 {
    i32::from(node.depth >= 3 && made.candidate.move_count > 4 && !is_forcing(node, made))
}

/// Fruit 2 (Fabien Letouzey 2005): "history pruning" reduces what has failed high in fewer than six of ten cases. Our
/// histories are signed, so the condition is: no better than nothing known.
fn fruit(node: &Node<'_>, made: &MadeMove) -> i32 {
    i32::from(
        node.depth >= 3
            && made.candidate.move_count > 3
            && !is_forcing(node, made)
            && made.candidate.order_score <= 0,
    )
}

/// The exemptions of the early programs from reduction: captures, promotions, checks, extended moves, and escapes from check.
fn is_forcing(node: &Node<'_>, made: &MadeMove) -> bool {
    let material = made.candidate.mv.is_capture() || made.candidate.mv.promotion().is_some();
    material || made.gives_check || made.extension > 0 || node.position.in_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_types::{Candidate, NonPv, Pv, Root, Stage, Window};
    use chess::Position;

    use chess::positions::KIWIPETE;

    /// The plies that `rule` takes off the move `text`, tried as number `move_count` at `depth`.
    fn plies(
        rule: impl Fn(&Node<'_>, &MadeMove) -> i32,
        text: &str,
        depth: i32,
        move_count: i32,
        history: i32,
    ) -> i32 {
        let position: Position = KIWIPETE.parse().unwrap();
        let node = Node::new(&position, Window::FULL, depth, 3);
        let mv = position.parse_uci(text).unwrap();
        let gives_check = position.gives_check(mv);
        let stage = if mv.is_quiet() { Stage::Quiet } else { Stage::BadNoisy };
        rule(&node, &MadeMove::new(Candidate::new(mv, stage, move_count, history), gives_check))
    }

    #[test]
    fn micro_max_reduces_pieces_that_do_not_capture_from_depth_five() {
        assert_eq!(plies(micro_max, "e1g1", 5, 2, 0), 1);
        assert_eq!(plies(micro_max, "e1g1", 4, 2, 0), 0, "too shallow");
        assert_eq!(plies(micro_max, "a2a3", 9, 30, 0), 0, "a pawn");
        assert_eq!(plies(micro_max, "e2a6", 9, 30, 0), 0, "a capture");
    }

    #[test]
    fn romstad_reduces_after_four_moves_what_is_not_forcing() {
        assert_eq!(plies(romstad, "a2a3", 3, 5, 0), 1);
        assert_eq!(plies(romstad, "a2a3", 3, 4, 0), 0, "among the first four");
        assert_eq!(plies(romstad, "a2a3", 2, 5, 0), 0, "too shallow");
        assert_eq!(plies(romstad, "e2a6", 9, 30, 0), 0, "a capture");
        assert_eq!(plies(romstad, "f3f6", 9, 30, 0), 0, "a capture");
    }

    #[test]
    fn fruit_reduces_only_what_has_no_good_history() {
        assert_eq!(plies(fruit, "a2a3", 5, 9, -1), 1);
        assert_eq!(plies(fruit, "a2a3", 5, 9, 500), 0);
        assert_eq!(plies(fruit, "a2a3", 5, 3, -1), 0);
    }

    /// A node where a cut is expected, and a move there that every form of reduction reduces.
    fn poor_move(position: &Position) -> (Node<'_>, MadeMove) {
        let node = Node::new(position, Window::FULL, 12, 3).with_cut_node(true);
        let mv = position.parse_uci("e1f1").unwrap();
        (node, MadeMove::new(Candidate::new(mv, Stage::Quiet, 40, -30_000), false))
    }

    #[test]
    fn only_fruit_2_0_takes_the_reduced_score_for_the_truth_and_not_on_the_principal_variation() {
        use Reductions::{Fruit20, Fruit21, MicroMax, Romstad, Tamarack};
        for form in [MicroMax, Romstad, Fruit20, Fruit21, Tamarack] {
            assert_eq!(researches::<NonPv>(form), form != Fruit20, "{form:?}");
            assert!(researches::<Pv>(form), "{form:?}");
        }
    }

    #[test]
    fn every_form_but_off_reduces_a_poor_move() {
        use Reductions::{Fruit20, Fruit21, MicroMax, Off, Romstad, Tamarack};
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, made) = poor_move(&position);
        for form in [MicroMax, Romstad, Fruit20, Fruit21, Tamarack] {
            assert!(lmr_reduction::<NonPv>(form, Switch::On, &node, &made) > 0, "{form:?}");
            assert!(lmr_reduction::<Pv>(form, Switch::On, &node, &made) > 0, "{form:?}");
        }
        assert_eq!(lmr_reduction::<NonPv>(Off, Switch::On, &node, &made), 0);
    }

    #[test]
    fn ice_reduces_at_the_root_and_off_the_principal_variation_only() {
        let position: Position = KIWIPETE.parse().unwrap();
        let (node, made) = poor_move(&position);
        let (ours, off) = (Reductions::Tamarack, Switch::Off);
        assert_eq!(lmr_reduction::<Pv>(ours, off, &node, &made), 0);
        assert!(lmr_reduction::<NonPv>(ours, off, &node, &made) > 0);
        assert!(lmr_reduction::<Root>(ours, off, &node, &made) > 0);
    }
}
