//! The end of a node: histories and corrections learn from its result, and the result is stored in the transposition
//! table.

use crate::score::{Bound, Score};
use crate::search::memory::history::NoisyMove;
use crate::search::memory::stack::StackEntry;
use crate::search::node_types::{MoveLoopResult, Node, NodeType};
use crate::search::searcher::Searcher;
use crate::tunables;
use chess::Move;

tunables! {
    /// History bonus: units a ply of depth.
    bonus_slope = 157, 60..=400, step 16;
    /// History bonus: units taken off.
    bonus_offset = 90, 0..=400, step 16;
    /// History bonus: the maximum, in units.
    bonus_limit = 2176, 600..=4000, step 120;
    /// History bonus: a score more centipawns above beta than this earns the bonus of a ply more.
    bonus_beta_margin = 80, 20..=300, step 12;
    /// History bonus: 64ths of it more for each move that was tried before.
    bonus_tried = 2, 0..=16, step 1;
    /// History malus: units a ply of depth.
    malus_slope = 224, 60..=400, step 16;
    /// History malus: units taken off.
    malus_offset = 60, 0..=400, step 16;
    /// History malus: the maximum, in units.
    malus_limit = 1142, 600..=4000, step 120;
    /// History malus: 64ths of the malus of the move tried before it that each quiet move gets.
    malus_decay = 61, 40..=64, step 2;
    /// History bonus of noisy moves: units a ply of depth.
    noisy_bonus_slope = 150, 60..=400, step 16;
    /// History bonus of noisy moves: units taken off.
    noisy_bonus_offset = 70, 0..=400, step 16;
    /// History bonus of noisy moves: the maximum, in units.
    noisy_bonus_limit = 1800, 600..=4000, step 120;
    /// History malus of noisy moves: units a ply of depth.
    noisy_malus_slope = 256, 60..=600, step 16;
    /// History malus of noisy moves: units taken off.
    noisy_malus_offset = 60, 0..=400, step 16;
    /// History malus of noisy moves: the maximum, in units.
    noisy_malus_limit = 1600, 600..=4000, step 120;
    /// History malus: 64ths of the malus of the move tried before it that each noisy move gets.
    noisy_malus_decay = 60, 40..=64, step 2;
    /// Table cutoffs: 64ths of a bonus for the table's quiet move.
    tt_bonus_scale = 29, 0..=128, step 8;
    /// Table cutoffs: 64ths of a malus for the opponent's early quiet move before.
    prior_quiet_malus_scale = 55, 0..=128, step 8;
    /// Table cutoffs: the opponent's move is early up to this number among its node's moves.
    prior_malus_move_count = 3, 1..=8, step 1;
    /// Fail-lows: 64ths of a bonus for the opponent's quiet move before.
    prior_quiet_bonus_scale = 47, 0..=128, step 8;
    /// Fail-lows: 64ths of a bonus for the opponent's noisy move before.
    prior_noisy_bonus_scale = 32, 0..=128, step 8;
    /// Re-searches: 64ths of a bonus or malus for a move that is searched again without reduction.
    research_bonus_scale = 9, 0..=128, step 8;
    /// Evaluation history: eighths of a unit for each centipawn that a quiet move gained.
    eval_history_weight = 19, 0..=80, step 4;
    /// Evaluation history: the maximum, in units.
    eval_history_limit = 600, 100..=2000, step 60;
}

/// The bonus of a quiet move that was good at `depth`, in units of history.
fn bonus(depth: i32) -> i32 {
    (bonus_slope() * depth - bonus_offset()).min(bonus_limit())
}

/// The malus of a quiet move that was not good enough at `depth`, in units of history.
fn malus(depth: i32) -> i32 {
    (malus_slope() * depth - malus_offset()).min(malus_limit())
}

/// The bonus of a noisy move: there are fewer of them, which are met again more often, so they have numbers of their own
/// (Stockfish 2025).
fn noisy_bonus(depth: i32) -> i32 {
    (noisy_bonus_slope() * depth - noisy_bonus_offset()).min(noisy_bonus_limit())
}

/// The malus of a noisy move.
fn noisy_malus(depth: i32) -> i32 {
    (noisy_malus_slope() * depth - noisy_malus_offset()).min(noisy_malus_limit())
}

/// The end of a node: its score; histories, corrections and the table are brought up to date. Without legal moves it is
/// mate or stalemate.
#[inline(always)]
pub fn finish_node<NT: NodeType>(
    searcher: &mut Searcher<'_>,
    node: &Node<'_>,
    result: &MoveLoopResult,
) -> Score {
    if result.move_count == 0 && node.excluded.is_some() {
        return node.window.alpha;
    }
    if result.move_count == 0 {
        return if node.position.in_check() { Score::mated_in(node.ply) } else { Score::DRAW };
    }
    let bound = match result.best_move {
        _ if result.best_score >= node.window.beta => Bound::Lower,
        Some(_) if NT::PV => Bound::Exact,
        _ => Bound::Upper,
    };
    match (bound, result.best_move) {
        (Bound::Lower, Some(best_move)) => update_histories(searcher, node, best_move, result),
        (Bound::Exact, Some(best_move)) => update_histories_exact(searcher, node, best_move, result),
        (Bound::Upper, _) => prior_move_bonus::<NT>(searcher, node),
        _ => {}
    }
    update_correction_history(searcher, node, result, bound);
    // A node of which some moves are left out says nothing about the position.
    if node.excluded.is_none() && (!NT::ROOT || searcher.root.covers_all_moves()) {
        searcher.tt_store(node, result.best_move, result.best_score, bound);
    }
    result.best_score
}

/// A fail-high: the move gains, the more if the static evaluation did not foresee it or the score is far above beta, and, off
/// the principal variation, the more moves were tried before it (Stockfish 2026); quiet moves before a quiet one lose, and
/// all noisy moves before, those tried later less (Reckless 2026).
fn update_histories(searcher: &mut Searcher<'_>, node: &Node<'_>, best_move: Move, result: &MoveLoopResult) {
    let eval_below_alpha = node.static_eval.is_some_and(|eval| eval <= node.entry_alpha());
    let far_above_beta = result.best_score > node.window.beta + bonus_beta_margin();
    let depth = node.depth + i32::from(eval_below_alpha) + i32::from(far_above_beta);
    let tried = match node.window.is_open() {
        true => 0,
        false => (result.quiets.len() + result.noisies.len()) as i32,
    };
    apply_bonus(searcher, node, best_move, result, depth, 64 + tried * bonus_tried());
    if best_move.is_quiet() {
        let mut malus = malus(node.depth);
        for &mv in &result.quiets {
            searcher.histories.update_quiet(node.position, mv, &result.context, -malus);
            malus = malus * malus_decay() / 64;
        }
    }
    let mut malus = noisy_malus(node.depth);
    for &mv in &result.noisies {
        searcher.histories.update_noisy(NoisyMove::new(node.position, mv), -malus);
        malus = malus * noisy_malus_decay() / 64;
    }
}

/// An exact score: the best move gains. A malus for the moves before it cost 46 to 57 Elo (docs/experiments.md).
fn update_histories_exact(
    searcher: &mut Searcher<'_>,
    node: &Node<'_>,
    best_move: Move,
    result: &MoveLoopResult,
) {
    apply_bonus(searcher, node, best_move, result, node.depth, 64);
}

/// The bonus of the best move, `scale` 64ths of that of `depth`.
fn apply_bonus(
    searcher: &mut Searcher<'_>,
    node: &Node<'_>,
    best_move: Move,
    result: &MoveLoopResult,
    depth: i32,
    scale: i32,
) {
    if best_move.is_quiet() {
        let bonus = bonus(depth) * scale / 64;
        searcher.histories.update_quiet(node.position, best_move, &result.context, bonus);
    } else {
        let bonus = noisy_bonus(depth) * scale / 64;
        searcher.histories.update_noisy(NoisyMove::new(node.position, best_move), bonus);
    }
}

/// A fail-low where an answer was expected: the opponent's move before gains, since there was none (Stockfish; Reckless 2026
/// leaves out the nodes that were expected to fail low).
fn prior_move_bonus<NT: NodeType>(searcher: &mut Searcher<'_>, node: &Node<'_>) {
    let answer_expected = NT::PV || node.cut_node;
    if node.excluded.is_some() || !answer_expected {
        return;
    }
    update_prior_quiet(searcher, node.ply, bonus(node.depth) * prior_quiet_bonus_scale() / 64);
    if let Some(noisy) = searcher.stack.back(node.ply, 1).noisy {
        searcher.histories.update_noisy(noisy, noisy_bonus(node.depth) * prior_noisy_bonus_scale() / 64);
    }
}

/// A bonus for the move that led to a node at `ply`, if it was a quiet one.
fn update_prior_quiet(searcher: &mut Searcher<'_>, ply: usize, bonus: i32) {
    if let Some(quiet) = searcher.stack.back(ply, 1).quiet {
        let keys = searcher.cont_hist_keys(ply, 1);
        searcher.histories.update_prior_quiet(&quiet, &keys, bonus);
    }
}

/// A cutoff by the table teaches as a search would (Stockfish): the table's quiet move gains, the opponent's early quiet
/// move before loses.
pub fn update_histories_on_tt_cutoff(searcher: &mut Searcher<'_>, node: &Node<'_>, score: Score) {
    if score < node.window.beta || node.depth <= 0 {
        return;
    }
    if let Some(mv) = node.tt_move().filter(|mv| mv.is_quiet()) {
        let context = searcher.history_context(node);
        let bonus = bonus(node.depth) * tt_bonus_scale() / 64;
        searcher.histories.update_quiet(node.position, mv, &context, bonus);
    }
    if searcher.stack.back(node.ply, 1).move_count <= prior_malus_move_count() {
        update_prior_quiet(searcher, node.ply, -malus(node.depth) * prior_quiet_malus_scale() / 64);
    }
}

/// A late move that was searched again at full depth: continuation history learns if it was good (Stockfish).
pub fn update_histories_after_research(searcher: &mut Searcher<'_>, node: &Node<'_>, good: bool) {
    let amount = if good { bonus(node.depth) } else { -malus(node.depth) };
    let (piece_to, keys) = (searcher.stack.back(node.ply, 0).piece_to, searcher.cont_hist_keys(node.ply, 0));
    searcher.histories.update_continuation(piece_to, &keys, amount * research_bonus_scale() / 64);
}

/// Evaluation history: the quiet move that led to `ply` gains by the change of the static evaluation, before anything is
/// searched (Stockfish 2020).
#[inline(always)]
pub fn update_eval_history(searcher: &mut Searcher<'_>, ply: usize, eval: Score) {
    let &StackEntry { quiet: Some(quiet), static_eval: Some(before), .. } = searcher.stack.back(ply, 1)
    else {
        return;
    };
    let gain = -(eval.raw() + before.raw());
    let limit = eval_history_limit();
    let bonus = (gain * eval_history_weight() / 8).clamp(-limit, limit);
    searcher.histories.update_butterfly(&quiet, bonus);
}

/// Correction history learns the difference between score and static evaluation, where the bound shows that there is one and
/// the score is no proven result. What a capture wins no evaluation need know; but where one that loses material is best, it is
/// more than an exchange (pawnocchio 2026).
fn update_correction_history(
    searcher: &mut Searcher<'_>,
    node: &Node<'_>,
    result: &MoveLoopResult,
    bound: Bound,
) {
    let Some(eval) = node.static_eval.filter(|_| !searcher.training) else { return };
    let informative = match bound {
        Bound::Exact => true,
        Bound::Lower => result.best_score > eval,
        Bound::Upper => result.best_score < eval,
    };
    if !informative || node.excluded.is_some() || result.best_score.is_decisive() {
        return;
    }
    let keeps_material = |mv: Move| mv.is_noisy() && node.position.see_ge(mv, 0);
    if !result.best_move.is_some_and(keeps_material) {
        let keys = searcher.correction_keys(node.ply);
        let error = result.best_score - eval;
        searcher.correction_history.update(node.position, keys, node.depth, error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::memory::history::{HistoryContext, QuietMove};
    use crate::search::node_types::{NonPv, Window};
    use crate::search::searcher::tests::with_searcher;
    use chess::Position;
    use chess::positions::KIWIPETE;

    #[test]
    fn the_move_that_fails_high_gains_and_those_before_it_lose_less_and_less() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
        result.quiets.extend(moves[1..4].iter().copied());
        with_searcher(position, |searcher| {
            let node = Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1);
            update_histories(searcher, &node, moves[0], &result);
            let known = |mv| searcher.histories.quiet(&position, mv, &HistoryContext::NONE);
            let [best, first, .., last] = [0, 1, 2, 3].map(|n| known(moves[n]));
            assert!(best > 0 && first < last && last < 0, "{best} {first} {last}");
            assert_eq!(known(moves[5]), 0);
        });
    }

    #[test]
    fn noisy_moves_before_the_one_that_fails_high_lose_less_and_less() {
        let position: Position = KIWIPETE.parse().unwrap();
        let noisies: Vec<Move> = position.legal_moves().iter().copied().filter(|mv| mv.is_noisy()).collect();
        let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
        result.noisies.extend(noisies[1..4].iter().copied());
        with_searcher(position, |searcher| {
            let node = Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1);
            update_histories(searcher, &node, noisies[0], &result);
            let [best, first, .., last] =
                [0, 1, 2, 3].map(|n| searcher.histories.noisy(&position, noisies[n]));
            assert!(best > 0 && first < last && last < 0, "{best} {first} {last}");
        });
    }

    /// The bonus of a quiet move that fails high at depth 4 over beta 1, by the evaluation and by its score.
    fn gain(eval: Option<Score>, score: Score) -> i32 {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        with_searcher(position, |searcher| {
            let mut node = Node::new(&position, Window::zero_width(Score::cp(0)), 4, 1);
            node.static_eval = eval;
            let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
            result.best_score = score;
            update_histories(searcher, &node, mv, &result);
            searcher.histories.quiet(&position, mv, &HistoryContext::NONE)
        })
    }

    #[test]
    fn a_move_that_the_evaluation_did_not_foresee_gains_more() {
        let gain_with = |eval| gain(Some(eval), Score::cp(5));
        assert!(gain_with(Score::cp(-30)) > gain_with(Score::cp(30)));
        assert!(gain_with(Score::cp(30)) > 0);
    }

    #[test]
    fn a_move_that_was_found_late_gains_more() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let gain_after = |tried: usize| {
            let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
            result.quiets.extend(moves[1..=tried].iter().copied());
            with_searcher(position, |searcher| {
                let node = Node::new(&position, Window::zero_width(Score::cp(0)), 4, 1);
                update_histories(searcher, &node, moves[0], &result);
                searcher.histories.quiet(&position, moves[0], &HistoryContext::NONE)
            })
        };
        assert!(gain_after(9) > gain_after(1) && gain_after(1) > 0);
    }

    #[test]
    fn what_beats_beta_by_far_gains_more_than_what_just_does() {
        let gain_with = |score| gain(None, score);
        assert!(gain_with(Score::cp(300)) > gain_with(Score::cp(5)));
    }

    #[test]
    fn the_best_move_of_an_exact_node_gains_and_no_other_loses() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
        result.quiets.extend(moves[..3].iter().copied());
        with_searcher(position, |searcher| {
            update_histories_exact(searcher, &Node::new(&position, Window::FULL, 6, 1), moves[1], &result);
            let known = |mv| searcher.histories.quiet(&position, mv, &HistoryContext::NONE);
            assert_eq!([0, 1, 2].map(|n| known(moves[n]).signum()), [0, 1, 0]);
        });
    }

    #[test]
    fn the_evaluation_is_corrected_by_quiet_moves_and_sacrifices_but_not_by_what_exchanges_win() {
        let position: Position = "4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1".parse().unwrap();
        let taught_by = |text: &str, position: Position| {
            with_searcher(position, |searcher| {
                let mut node = Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1);
                node.static_eval = Some(Score::cp(0));
                let mut result = MoveLoopResult::new(HistoryContext::NONE, Score::DRAW);
                result.best_score = Score::cp(300);
                result.best_move = Some(position.parse_uci(text).unwrap());
                update_correction_history(searcher, &node, &result, Bound::Lower);
                let keys = searcher.correction_keys(node.ply);
                searcher.correction_history.apply(&position, keys, Score::DRAW) > Score::DRAW
            })
        };
        assert!(taught_by("d1d2", position) && taught_by("d1d6", position));
        assert!(!taught_by("d1d6", "4k3/8/3p4/8/8/8/8/3QK3 w - - 0 1".parse().unwrap()));
    }

    #[test]
    fn the_table_knows_that_a_position_was_on_a_principal_variation_whatever_its_bound() {
        let position = Position::startpos();
        let stored = |window, bound| {
            with_searcher(position, |searcher| {
                let node = Node::new(&position, window, 6, 1);
                searcher.tt_store(&node, None, Score::cp(3), bound);
                searcher.tt_probe(&node).unwrap().tt_pv
            })
        };
        let open = Window { alpha: Score::cp(-20), beta: Score::cp(20) };
        assert!([Bound::Exact, Bound::Lower, Bound::Upper].into_iter().all(|bound| stored(open, bound)));
        assert!(!stored(Window::zero_width(Score::cp(0)), Bound::Upper));
    }

    #[test]
    fn a_quiet_move_gains_when_the_table_answers_for_its_node() {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        with_searcher(position, |searcher| {
            let node = Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1).with_cut_node(true);
            searcher.tt_store(&node, Some(mv), Score::cp(50), Bound::Lower);
            let context = searcher.history_context(&node);
            assert_eq!(searcher.histories.quiet(&position, mv, &context), 0);
            assert_eq!(searcher.search_node::<NonPv>(node).unwrap(), Score::cp(50));
            assert_eq!(searcher.nodes(), 1);
            assert!(searcher.histories.quiet(&position, mv, &context) > 0);
        });
    }

    #[test]
    fn a_quiet_move_is_judged_by_what_comes_after_it() {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        let known_after = |teach: &dyn Fn(&mut Searcher<'_>)| {
            with_searcher(position, |searcher| {
                let node = Node::new(&position, Window::zero_width(Score::cp(0)), 6, 1);
                let context = searcher.history_context(&node);
                searcher.make_move(&node, mv, &mut node.position.clone());
                let stack_entry = searcher.stack.at(1);
                stack_entry.quiet = Some(QuietMove::new(&position, mv, &context));
                stack_entry.static_eval = Some(Score::DRAW);
                teach(searcher);
                searcher.histories.quiet(&position, mv, &context)
            })
        };
        let child =
            |cut_node| Node::new(&position, Window::zero_width(Score::cp(0)), 6, 2).with_cut_node(cut_node);
        assert!(known_after(&|searcher| prior_move_bonus::<NonPv>(searcher, &child(true))) > 0);
        let expected = known_after(&|searcher| prior_move_bonus::<NonPv>(searcher, &child(false)));
        assert_eq!(expected, 0, "no answer was expected");
        assert!(known_after(&|searcher| update_eval_history(searcher, 2, Score::cp(-80))) > 0);
        assert!(known_after(&|searcher| update_eval_history(searcher, 2, Score::cp(80))) < 0);
    }
}
