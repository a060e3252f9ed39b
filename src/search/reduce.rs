//! Reductions: what looks poor is searched less deep.

use super::lab::{self, Reductions, Switch};
use super::moves::MoveFacts;
use super::node::{Node, NodeKind};
use super::picker::Stage;
use crate::chess::Kind;
use crate::tunables;
use std::sync::LazyLock;

tunables! {
    /// Late-move reductions of quiet moves: the constant part, in 1024ths of a ply.
    lmr_quiet_base = 900, 0..=2048, step 60;
    /// Late-move reductions of quiet moves: the product of logarithms is divided by this many hundredths.
    lmr_quiet_divisor = 230, 120..=400, step 12;
    /// Late-move reductions of noisy moves: the constant part, in 1024ths of a ply.
    lmr_noisy_base = 200, -512..=1536, step 60;
    /// Late-move reductions of noisy moves: the divisor, in hundredths.
    lmr_noisy_divisor = 330, 150..=600, step 16;
    /// Less in PV nodes.
    lmr_pv = 1024, 0..=2048, step 100;
    /// More where a cut is expected.
    lmr_cut_node = 1200, 0..=3072, step 120;
    /// More when the position is not improving.
    lmr_not_improving = 700, 0..=2048, step 80;
    /// Less for moves that give check.
    lmr_check = 900, 0..=2048, step 100;
    /// More when the table move is a capture: the position is tactical and it is probably the point.
    lmr_table_capture = 700, 0..=2048, step 80;
    /// History units worth a ply.
    lmr_history = 9000, 3000..=20000, step 600;
    /// The least depth at which a node without a table move is searched a ply less deep.
    iir_depth = 4, 2..=8, step 1;
}

/// A reduced search of a move.
pub struct Reduced {
    /// The depth of the child.
    pub depth: i32,
    /// Whether a score above alpha is verified at full depth.
    pub verified: bool,
}

/// Natural logarithms in 1024ths, for 0 to 63.
static LOGARITHMS: LazyLock<[i32; 64]> =
    LazyLock::new(|| std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 1024.0).round() as i32));

/// Late-move reductions (LMR): moves that come late are seldom good, so they are searched less deep, and searched
/// again when they beat alpha after all. `depth` is the child's depth without reduction.
#[inline(always)]
pub fn late_move<K: NodeKind>(node: &Node<'_>, facts: &MoveFacts, depth: i32) -> Option<Reduced> {
    if K::PV && !K::ROOT && lab::reduce_below_pv() == Switch::Off {
        return None;
    }
    let plies = match lab::reductions() {
        Reductions::Off => 0,
        Reductions::MicroMax => micro_max(node, facts),
        Reductions::Romstad => romstad(node, facts),
        Reductions::Fruit21 | Reductions::Fruit20 => fruit(node, facts),
        Reductions::Tamarack => tamarack::<K>(node, facts),
    };
    let reduced = (depth - plies).max(1);
    let verified = K::PV || lab::reductions() != Reductions::Fruit20;
    (reduced < depth).then_some(Reduced { depth: reduced, verified })
}

/// Internal iterative reduction (Ed Schröder): without a table move the order of moves is poor, and the next
/// iteration will do better, so this one is made cheaper.
#[inline(always)]
pub fn without_table_move<K: NodeKind>(node: &mut Node<'_>) {
    if node.depth >= iir_depth() && node.table_move().is_none() && (K::PV || node.cut_node) {
        node.depth -= 1;
    }
}

/// Ours: the product of the logarithms of depth and move number, adjusted by what else is known.
#[inline(always)]
fn tamarack<K: NodeKind>(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    if node.depth < 2 || facts.count < 2 + i32::from(K::PV) || facts.stage < Stage::Quiet {
        return 0;
    }
    let logarithms = &*LOGARITHMS;
    let product =
        logarithms[node.depth.min(63) as usize] * logarithms[facts.count.min(63) as usize] / 1024 * 100;
    let mut reduction = match facts.quiet {
        true => lmr_quiet_base() + product / lmr_quiet_divisor(),
        false => lmr_noisy_base() + product / lmr_noisy_divisor(),
    };
    reduction -= i32::from(K::PV) * lmr_pv();
    reduction += i32::from(node.cut_node) * lmr_cut_node();
    reduction += i32::from(!node.improving) * lmr_not_improving();
    reduction -= i32::from(facts.gives_check) * lmr_check();
    reduction += i32::from(node.table_move().is_some_and(|mv| mv.is_noisy())) * lmr_table_capture();
    reduction -= facts.history * 1024 / lmr_history();
    (reduction / 1024).max(0)
}

/// micro-Max 4.8 (H. G. Muller).
fn micro_max(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    let pawn = node.position.piece_on(facts.mv.from()).is_some_and(|piece| piece.kind() == Kind::Pawn);
    let capture = facts.mv.is_capture() || facts.mv.promotion().is_some();
    i32::from(node.depth >= 5 && facts.count > 1 && !capture && !pawn)
}

/// The classic outline (Tord Romstad, "An introduction to late move reductions", 2006).
fn romstad(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    let exempt =
        facts.mv.is_capture() || facts.mv.promotion().is_some() || facts.gives_check || facts.extension > 0;
    i32::from(node.depth >= 3 && facts.count > 4 && !exempt && !node.position.in_check())
}

/// Fruit 2 (Fabien Letouzey 2005): "history pruning" reduces what has failed high in fewer than six of ten cases. Our
/// histories are signed, so the condition is: no better than nothing known.
fn fruit(node: &Node<'_>, facts: &MoveFacts) -> i32 {
    let exempt =
        facts.mv.is_capture() || facts.mv.promotion().is_some() || facts.gives_check || facts.extension > 0;
    i32::from(
        node.depth >= 3 && facts.count > 3 && !exempt && !node.position.in_check() && facts.history <= 0,
    )
}
