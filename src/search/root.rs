//! Root moves: what is known of each, which may be searched, and what is reported of them.

use super::endgame::Rank;
use super::moves::MoveFacts;
use super::node::{Node, NodeKind, Window};
use super::table::Entry;
use super::worker::Searcher;
use super::{CurrentMove, Report, Task};
use crate::chess::{Move, MoveList};
use crate::score::{Bound, Score};
use std::cmp::Reverse;
use std::time::Duration;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Minus infinity unless the move has been best at its turn, in this iteration and for this line.
    pub(super) score: Score,
    /// The score of the iteration before.
    pub(super) previous: Score,
    pub(super) bound: Bound,
    pub(super) seldepth: usize,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
    /// What it comes to, if tablebases know.
    pub(super) rank: Option<Rank>,
    /// What that is worth.
    known: Option<Score>,
    /// The line, beginning with the move itself.
    pub(super) pv: Vec<Move>,
}

/// The root moves, best first, and where the search among them stands.
pub(super) struct RootMoves {
    pub(super) moves: Vec<RootMove>,
    /// The iteration.
    pub(super) depth: i32,
    /// The line that is being searched; the moves before it are settled (MultiPV).
    pub(super) first: usize,
    /// No move is left out by `searchmoves` or tablebases.
    all: bool,
}

impl RootMoves {
    pub(super) fn new(task: &Task) -> RootMoves {
        let legal: MoveList = task.game.position.legal_moves();
        let wanted = &task.limits.search_moves;
        let chosen = legal.iter().copied().filter(|mv| wanted.is_empty() || wanted.contains(mv));
        let moves: Vec<RootMove> = chosen.map(RootMove::new).collect();
        RootMoves { all: moves.len() == legal.len(), moves, depth: 0, first: 0 }
    }

    /// Enters what tablebases know of each move, the rank and what it is worth, and puts the moves in that order.
    pub(super) fn rank(&mut self, known: impl Fn(&RootMove) -> Option<(Rank, Score)>) {
        for root in &mut self.moves {
            (root.rank, root.known) = known(root).unzip();
        }
        self.moves.sort_by_key(RootMove::order);
        self.all &= self.choices() == self.moves.len();
    }

    /// The moves that may be played: those of the best rank.
    pub(super) fn choices(&self) -> usize {
        self.moves.iter().take_while(|root| root.rank == self.moves[0].rank).count()
    }

    /// Whether `mv` belongs to the line that is being searched: it is not settled, and no worse than the others as far as
    /// tablebases know.
    pub(super) fn may_search(&self, mv: Move) -> bool {
        if self.is_whole() {
            return true;
        }
        let rank = self.best().rank;
        self.moves[self.first..].iter().any(|root| root.mv == mv && root.rank == rank)
    }

    /// Whether every legal move is being searched.
    pub(super) fn is_whole(&self) -> bool {
        self.all && self.first == 0
    }

    /// The best move of the line that is being searched.
    pub(super) fn best(&self) -> &RootMove {
        &self.moves[self.first]
    }

    /// Puts the best moves first. Stable: what failed low keeps its order.
    pub(super) fn sort_current(&mut self) {
        self.moves[self.first..].sort_by_key(RootMove::order);
    }

    /// Puts the settled lines in order.
    pub(super) fn sort_settled(&mut self) {
        self.moves[..=self.first].sort_by_key(RootMove::order);
    }

    /// The iteration was stopped: lines that it has not reached are as the last iteration `settled` them. So is the line
    /// that was being searched if its best move so far is lost, for a move that was not reached may still hold
    /// (Stockfish, 2023).
    pub(super) fn break_off(&mut self, settled: &[RootMove]) {
        self.sort_current();
        let score = self.moves[self.first].score;
        let mut place = self.first;
        if score > -Score::INFINITE && !score.is_loss() {
            self.sort_settled();
            place += 1;
        }
        for known in settled {
            if place == settled.len() {
                break;
            }
            let line = &mut self.moves[place..];
            if let Some(index) = line.iter().position(|root| root.mv == known.mv) {
                line[..=index].rotate_right(1);
                line[0] = RootMove { previous: known.score, score: -Score::INFINITE, ..known.clone() };
                place += 1;
            }
        }
    }

    /// The scores become those of the iteration before.
    pub(super) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous = root.score;
        }
    }

    /// The moves before `first` are settled, and of the others nothing is known.
    pub(super) fn begin_line(&mut self, first: usize) {
        self.first = first;
        for root in &mut self.moves[first..] {
            root.score = -Score::INFINITE;
        }
    }
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        let score = -Score::INFINITE;
        let (bound, pv) = (Bound::Exact, vec![mv]);
        RootMove { mv, score, previous: score, bound, seldepth: 0, nodes: 0, rank: None, known: None, pv }
    }

    /// What the moves are sorted by.
    fn order(&self) -> (Reverse<Option<Rank>>, Reverse<Score>) {
        (Reverse(self.rank), Reverse(self.score))
    }

    /// Whether this iteration has reached the move.
    fn is_fresh(&self) -> bool {
        self.score > -Score::INFINITE
    }

    /// What the user is told: the score as this iteration or the last one left it. What tablebases know is better, but for a
    /// mate that has been found.
    pub(super) fn shown(&self) -> (Score, Bound) {
        let (score, bound) =
            if self.is_fresh() { (self.score, self.bound) } else { (self.previous, Bound::Exact) };
        match self.known {
            Some(known) if score.moves_to_mate().is_none() => (known, Bound::Exact),
            _ => (score, bound),
        }
    }
}

impl Searcher<'_> {
    /// From the second iteration on the best move so far comes first, whatever the table says.
    pub(super) fn root_table_move(&self, node: &mut Node<'_>) {
        if self.root.depth > 1 {
            let unknown = Entry { was_pv: true, ..Entry::unsearched(None) };
            node.hit.get_or_insert(unknown).mv = Some(self.root.best().mv);
        }
    }

    /// Tells the listener which root move is begun, and returns the nodes so far.
    #[inline(always)]
    pub(super) fn begin_root_move<K: NodeKind>(&mut self, facts: &MoveFacts) -> u64 {
        if K::ROOT && self.started_long_ago() {
            let number = self.root.first + facts.count as usize;
            let current = CurrentMove { depth: self.root.depth, mv: facts.mv, number };
            if let Some(listener) = &mut self.listener {
                listener.current_move(current);
            }
        }
        self.nodes()
    }

    /// Enters what the search of a root move came to.
    #[inline(always)]
    pub(super) fn end_root_move<K: NodeKind>(
        &mut self,
        facts: &MoveFacts,
        score: Score,
        window: Window,
        nodes_before: u64,
    ) {
        if !K::ROOT {
            return;
        }
        let (nodes, seldepth) = (self.nodes() - nodes_before, self.seldepth);
        let Some(root) = self.root.moves.iter_mut().find(|root| root.mv == facts.mv) else { return };
        root.nodes += nodes;
        if facts.count > 1 && score <= window.alpha {
            root.score = -Score::INFINITE;
            return;
        }
        root.score = score;
        root.seldepth = seldepth;
        root.bound = match score {
            _ if score >= window.beta => Bound::Lower,
            _ if score <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root.pv.clear();
        root.pv.push(facts.mv);
        if score > window.alpha {
            root.pv.extend_from_slice(self.lines.below_root());
        }
    }

    /// After this long the listener is told more: bounds and current moves.
    const TALKATIVE_AFTER: Duration = Duration::from_secs(3);

    /// Whether there is a listener and it is told more.
    pub(super) fn started_long_ago(&self) -> bool {
        self.listener.is_some() && self.task.started.elapsed() > Self::TALKATIVE_AFTER
    }

    /// Tells the listener of the first `count` lines.
    pub(super) fn report(&mut self, count: usize) {
        self.publish();
        let Some(listener) = &mut self.listener else { return };
        for (index, root) in self.root.moves.iter().take(count).enumerate() {
            let fresh = root.is_fresh();
            if !fresh && root.previous == -Score::INFINITE {
                continue;
            }
            let (score, bound) = root.shown();
            listener.report(&Report {
                depth: if fresh { self.root.depth } else { (self.root.depth - 1).max(1) },
                seldepth: root.seldepth,
                multi_pv: index + 1,
                score,
                bound,
                nodes: self.signals.nodes(),
                elapsed: self.task.started.elapsed(),
                hashfull: self.table.hashfull(),
                tbhits: self.signals.tbhits(),
                pv: root.pv.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::worker::tests::with_searcher;

    /// The root moves of the starting position with these scores, the others not reached.
    fn scored(root: &mut RootMoves, scores: &[Score]) {
        for (move_, &score) in root.moves.iter_mut().zip(scores) {
            move_.score = score;
        }
    }

    #[test]
    fn a_line_that_was_broken_off_with_a_loss_falls_back_on_what_was_settled() {
        let lost = Score::mated_in(8);
        with_searcher(Position::startpos(), |search| {
            let root = &mut search.root;
            let [first, second] = [root.moves[0].mv, root.moves[1].mv];
            scored(root, &[Score::cp(30), Score::cp(20)]);
            let settled = root.moves[..2].to_vec();
            // The second line has seen one move, the one that was third, and that one loses.
            root.begin_iteration();
            root.begin_line(0);
            root.moves[0].score = Score::cp(25);
            root.begin_line(1);
            root.moves.swap(1, 2);
            root.moves[1].score = lost;
            root.break_off(&settled);
            let lines: Vec<_> = root.moves[..2].iter().map(|line| line.mv).collect();
            assert_eq!(lines, [first, second]);
            assert_eq!((root.moves[0].score, root.moves[1].previous), (Score::cp(25), Score::cp(20)));
            assert_eq!(root.moves[1].score, -Score::INFINITE, "reported as the last iteration left it");
            // What was best at its turn in the last iteration has meanwhile moved up: the next one stands in.
            root.moves.swap(0, 1);
            scored(root, &[Score::cp(40), lost]);
            root.break_off(&settled);
            assert_eq!(root.moves[1].mv, first);
        });
    }

    #[test]
    fn lines_that_an_iteration_did_not_reach_are_those_of_the_last() {
        with_searcher(Position::startpos(), |search| {
            let root = &mut search.root;
            let moves: Vec<Move> = root.moves.iter().map(|root| root.mv).collect();
            scored(root, &[Score::cp(30), Score::cp(20), Score::cp(10)]);
            let settled = root.moves[..3].to_vec();
            // The first line has got worse, a move that was not among the three is second and better, and the third was
            // not reached.
            root.begin_iteration();
            root.begin_line(0);
            root.moves[0].score = Score::cp(5);
            root.begin_line(1);
            root.moves[3].score = Score::cp(15);
            root.break_off(&settled);
            let lines: Vec<_> = root.moves[..3].iter().map(|root| (root.mv, root.score)).collect();
            let unreached = -Score::INFINITE;
            assert_eq!(lines, [(moves[3], Score::cp(15)), (moves[0], Score::cp(5)), (moves[1], unreached)]);
            assert_eq!(root.moves[2].previous, Score::cp(20));
        });
    }

    #[test]
    fn a_line_that_was_broken_off_without_a_loss_stands() {
        with_searcher(Position::startpos(), |search| {
            let root = &mut search.root;
            scored(root, &[Score::cp(30)]);
            let settled = root.moves[..1].to_vec();
            root.begin_iteration();
            root.begin_line(0);
            scored(root, &[Score::cp(-50), Score::cp(-40)]);
            let better = root.moves[1].mv;
            root.break_off(&settled);
            assert_eq!((root.moves[0].mv, root.moves[0].score), (better, Score::cp(-40)));
        });
    }
}
