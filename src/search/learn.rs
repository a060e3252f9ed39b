//! What nodes teach: which moves are good, and how wrong the evaluation is.

use super::history::NoisyMove;
use super::moves::Outcome;
use super::node::Node;
use super::worker::{Frame, Searcher};
use crate::chess::Move;
use crate::score::{Bound, Score};
use crate::tunables;

tunables! {
    /// History bonus: units a ply of depth.
    bonus_slope = 157, 60..=400, step 16;
    /// History bonus: taken off.
    bonus_offset = 90, 0..=400, step 16;
    /// History bonus: the most.
    bonus_limit = 2176, 600..=4000, step 120;
    /// A score more centipawns above beta than this earns the bonus of a ply more.
    surplus_margin = 80, 20..=300, step 12;
    /// History malus: units a ply of depth.
    malus_slope = 224, 60..=400, step 16;
    /// History malus: taken off.
    malus_offset = 60, 0..=400, step 16;
    /// History malus: the most.
    malus_limit = 1142, 600..=4000, step 120;
    /// Each earlier move's malus is this many 64ths of the one's before it.
    malus_decay = 61, 40..=64, step 2;
    /// Share of a bonus, in 64ths, for a quiet table move that answers for its node.
    table_share = 29, 0..=128, step 8;
    /// Share of a bonus, in 64ths, for the opponent's quiet move after which no move of ours is good enough.
    refutation_share = 47, 0..=128, step 8;
    /// The same for a noisy move.
    noisy_refutation_share = 32, 0..=128, step 8;
    /// Share of a malus, in 64ths, for the opponent's early quiet move that is answered from the table.
    early_share = 55, 0..=128, step 8;
    /// Share of a bonus or malus, in 64ths, for a move that is searched again without reduction.
    verification_share = 9, 0..=128, step 8;
    /// Units of history for a centipawn that a quiet move gained by evaluation, in eighths.
    gain_weight = 19, 0..=80, step 4;
}

/// The bonus of a move that was good at `depth`.
fn bonus(depth: i32) -> i32 {
    (bonus_slope() * depth - bonus_offset()).min(bonus_limit())
}

/// The malus of a move that was not good enough at `depth`.
fn malus(depth: i32) -> i32 {
    (malus_slope() * depth - malus_offset()).min(malus_limit())
}

impl Searcher<'_> {
    /// The move that failed high gains, those tried before it lose.
    pub(super) fn learn(&mut self, node: &Node<'_>, best: Move, outcome: &Outcome) {
        // What the evaluation did not foresee is worth more, and what beats beta by far.
        let surprise = node.static_eval.is_some_and(|eval| eval <= node.window.alpha);
        let surplus = outcome.best > node.window.beta + surplus_margin();
        self.reward(node, best, outcome, bonus(node.depth + i32::from(surprise) + i32::from(surplus)));
        let malus = malus(node.depth);
        if best.is_quiet() {
            let mut malus = malus;
            for &mv in &outcome.quiets {
                self.histories.update_quiet(node.position, mv, &outcome.context, -malus);
                malus = malus * malus_decay() / 64;
            }
        }
        for &mv in &outcome.noisies {
            self.histories.update_noisy(NoisyMove::new(node.position, mv), -malus);
        }
    }

    /// The best move of a node whose score is exact gains; that those tried before it lose as well did great harm.
    pub(super) fn learn_exact(&mut self, node: &Node<'_>, best: Move, outcome: &Outcome) {
        self.reward(node, best, outcome, bonus(node.depth));
    }

    fn reward(&mut self, node: &Node<'_>, best: Move, outcome: &Outcome, bonus: i32) {
        match best.is_quiet() {
            true => self.histories.update_quiet(node.position, best, &outcome.context, bonus),
            false => self.histories.update_noisy(NoisyMove::new(node.position, best), bonus),
        }
    }

    /// The move that led to a node gains: the node found no answer to it (Stockfish).
    pub(super) fn learn_refutation(&mut self, node: &Node<'_>) {
        self.learn_played(node.ply, bonus(node.depth) * refutation_share() / 64);
        if let Some(noisy) = self.frame(node.ply, 1).noisy {
            self.histories.update_noisy(noisy, bonus(node.depth) * noisy_refutation_share() / 64);
        }
    }

    /// Learns about the quiet move, if it was one, that led to a node at `ply`.
    fn learn_played(&mut self, ply: usize, bonus: i32) {
        if let Some(quiet) = self.frame(ply, 1).quiet {
            let preceding = self.preceding(ply, 1);
            self.histories.update_played(&quiet, &preceding, bonus);
        }
    }

    /// A node that the table answers teaches what it would have taught had it been searched (Stockfish).
    pub(super) fn learn_from_table(&mut self, node: &Node<'_>, score: Score) {
        if score < node.window.beta || node.depth <= 0 {
            return;
        }
        let quiet = node.table_move().filter(|mv| mv.is_quiet());
        if let Some(mv) = quiet {
            let context = self.context(node);
            let bonus = bonus(node.depth) * table_share() / 64;
            self.histories.update_quiet(node.position, mv, &context, bonus);
        }
        if self.frame(node.ply, 1).count <= 3 {
            self.learn_played(node.ply, -malus(node.depth) * early_share() / 64);
        }
    }

    /// A late move that is searched again without reduction teaches how it fits those before it (Stockfish).
    pub(super) fn learn_from_verification(&mut self, node: &Node<'_>, good: bool) {
        let amount = if good { bonus(node.depth) } else { -malus(node.depth) };
        let (moved, preceding) = (self.frame(node.ply, 0).moved, self.preceding(node.ply, 0));
        self.histories.update_continuation(moved, &preceding, amount * verification_share() / 64);
    }

    /// The quiet move that led to `ply` gains what it did for the evaluation, before anything is searched (Stockfish
    /// 2020).
    #[inline(always)]
    pub(super) fn learn_from_evaluation(&mut self, ply: usize, eval: Score) {
        let &Frame { quiet: Some(quiet), static_eval: Some(before), .. } = self.frame(ply, 1) else { return };
        let gain = -(eval.raw() + before.raw());
        let bonus = (gain * gain_weight() / 8).clamp(-600, 600);
        self.histories.update_butterfly(&quiet, bonus);
    }

    /// Learns from the difference between what was evaluated and what was found, where a quiet search shows it.
    pub(super) fn correct(&mut self, node: &Node<'_>, outcome: &Outcome, bound: Bound) {
        let Some(eval) = node.static_eval.filter(|_| !self.training) else { return };
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => outcome.best > eval,
            Bound::Upper => outcome.best < eval,
        };
        let noisy = outcome.best_move.is_some_and(Move::is_noisy);
        if informative && !noisy && node.excluded.is_none() && !outcome.best.is_decisive() {
            self.corrections.learn(node.position, self.last_moves(node.ply), node.depth, outcome.best - eval);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::history::{Context, QuietMove};
    use crate::search::node::{NonPv, Window};
    use crate::search::worker::tests::with_searcher;

    #[test]
    fn the_move_that_fails_high_gains_and_those_before_it_lose_less_and_less() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let mut outcome = Outcome::before_moves(Context::NOTHING, Score::DRAW);
        outcome.quiets.extend(moves[1..4].iter().copied());
        with_searcher(position, |search| {
            let node = Node::new(&position, Window::null_above(Score::cp(0)), 6, 1);
            search.learn(&node, moves[0], &outcome);
            let known = |mv| search.histories.quiet(&position, mv, &Context::NOTHING);
            let [best, first, .., last] = [0, 1, 2, 3].map(|n| known(moves[n]));
            assert!(best > 0 && first < last && last < 0, "{best} {first} {last}");
            assert_eq!(known(moves[5]), 0);
        });
    }

    /// What a quiet move gains that fails high at depth 4 over beta 1, by the evaluation and by its score.
    fn gain(eval: Option<Score>, score: Score) -> i32 {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        with_searcher(position, |search| {
            let mut node = Node::new(&position, Window::null_above(Score::cp(0)), 4, 1);
            node.static_eval = eval;
            let mut outcome = Outcome::before_moves(Context::NOTHING, Score::DRAW);
            outcome.best = score;
            search.learn(&node, mv, &outcome);
            search.histories.quiet(&position, mv, &Context::NOTHING)
        })
    }

    #[test]
    fn a_move_that_the_evaluation_did_not_foresee_gains_more() {
        let gain_with = |eval| gain(Some(eval), Score::cp(5));
        assert!(gain_with(Score::cp(-30)) > gain_with(Score::cp(30)));
        assert!(gain_with(Score::cp(30)) > 0);
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
        let mut outcome = Outcome::before_moves(Context::NOTHING, Score::DRAW);
        outcome.quiets.extend(moves[..3].iter().copied());
        with_searcher(position, |search| {
            search.learn_exact(&Node::new(&position, Window::FULL, 6, 1), moves[1], &outcome);
            let known = |mv| search.histories.quiet(&position, mv, &Context::NOTHING);
            assert_eq!([0, 1, 2].map(|n| known(moves[n]).signum()), [0, 1, 0]);
        });
    }

    #[test]
    fn a_quiet_move_gains_when_the_table_answers_for_its_node() {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        with_searcher(position, |search| {
            let node = Node::new(&position, Window::null_above(Score::cp(0)), 6, 1).expecting_cut(true);
            search.remember(&node, Some(mv), Score::cp(50), Bound::Lower);
            let context = search.context(&node);
            assert_eq!(search.histories.quiet(&position, mv, &context), 0);
            assert_eq!(search.search_node::<NonPv>(node).unwrap(), Score::cp(50));
            assert_eq!(search.nodes(), 1);
            assert!(search.histories.quiet(&position, mv, &context) > 0);
        });
    }

    #[test]
    fn a_quiet_move_is_judged_by_what_comes_after_it() {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        let known_after = |teach: &dyn Fn(&mut Searcher<'_>)| {
            with_searcher(position, |search| {
                let node = Node::new(&position, Window::null_above(Score::cp(0)), 6, 1);
                let context = search.context(&node);
                search.descend(&node, mv, &mut node.position.clone());
                let frame = search.frame_mut(1);
                frame.quiet = Some(QuietMove::new(&position, mv, &context));
                frame.static_eval = Some(Score::DRAW);
                teach(search);
                search.histories.quiet(&position, mv, &context)
            })
        };
        let child = Node::new(&position, Window::null_above(Score::cp(0)), 6, 2);
        assert!(known_after(&|search| search.learn_refutation(&child)) > 0);
        assert!(known_after(&|search| search.learn_from_evaluation(2, Score::cp(-80))) > 0);
        assert!(known_after(&|search| search.learn_from_evaluation(2, Score::cp(80))) < 0);
    }
}
