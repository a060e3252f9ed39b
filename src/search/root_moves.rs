//! Root moves: the score, line and tablebase rank of each, and which of them may be searched.

use super::request::SearchRequest;
use super::tb::TbRank;
use crate::score::{Bound, Score};
use chess::{Move, MoveList};
use std::cmp::Reverse;

/// A root move.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The score in this iteration; minus infinity unless the move has been best at its turn for this line.
    pub score: Score,
    /// The score of the iteration before.
    pub previous_score: Score,
    /// The bound of `score`.
    pub bound: Bound,
    /// The deepest ply reached on the way to `pv`.
    pub seldepth: usize,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// The rank by tablebases, if they know the move.
    pub tb_rank: Option<TbRank>,
    /// The score of that rank.
    tb_score: Option<Score>,
    /// The line, beginning with the move itself.
    pub pv: Vec<Move>,
}

/// The root moves, best first, and the line that is being searched among them.
pub struct RootMoves {
    /// The moves.
    pub moves: Vec<RootMove>,
    /// The iteration.
    pub depth: i32,
    /// The index of the line that is being searched; the moves before it are completed (MultiPV).
    pub pv_index: usize,
    /// True if no move is left out by `searchmoves` or tablebases.
    all: bool,
}

impl RootMoves {
    /// The legal moves, or those of `searchmoves`.
    pub fn new(request: &SearchRequest) -> RootMoves {
        let legal: MoveList = request.game.position().legal_moves();
        let wanted = &request.limits.search_moves;
        let chosen = legal.iter().copied().filter(|mv| wanted.is_empty() || wanted.contains(mv));
        let moves: Vec<RootMove> = chosen.map(RootMove::new).collect();
        RootMoves { all: moves.len() == legal.len(), moves, depth: 0, pv_index: 0 }
    }

    /// Sets each move's rank and score by tablebases, and sorts the moves by rank.
    pub fn set_tb_ranks(&mut self, known: impl Fn(&RootMove) -> Option<(TbRank, Score)>) {
        for root in &mut self.moves {
            (root.tb_rank, root.tb_score) = known(root).unzip();
        }
        self.moves.sort_by_key(RootMove::sort_key);
        self.all &= self.playable() == self.moves.len();
    }

    /// The number of moves that may be played: those of the best tablebase rank.
    pub fn playable(&self) -> usize {
        self.moves.iter().take_while(|root| root.tb_rank == self.moves[0].tb_rank).count()
    }

    /// True if tablebases say that the best move wins.
    pub fn best_rank_wins(&self) -> bool {
        self.moves.first().and_then(|root| root.tb_rank) > Some(TbRank::Draw)
    }

    /// True if `mv` may be searched for this line: it is not completed, and has the best tablebase rank.
    pub fn may_search(&self, mv: Move) -> bool {
        if self.covers_all_moves() {
            return true;
        }
        let tb_rank = self.best().tb_rank;
        self.moves[self.pv_index..].iter().any(|root| root.mv == mv && root.tb_rank == tb_rank)
    }

    /// True if every legal move is being searched.
    pub fn covers_all_moves(&self) -> bool {
        self.all && self.pv_index == 0
    }

    /// True once a move has a score.
    pub fn has_scored_move(&self) -> bool {
        self.depth > 1 || self.pv_index > 0 || self.moves.iter().any(RootMove::scored_this_iteration)
    }

    /// The best move of the line that is being searched.
    pub fn best(&self) -> &RootMove {
        &self.moves[self.pv_index]
    }

    /// Sorts the moves that are not completed. Stable: those that failed low keep their order.
    pub fn sort_current(&mut self) {
        self.moves[self.pv_index..].sort_by_key(RootMove::sort_key);
    }

    /// Sorts the completed lines and the one being searched.
    pub fn sort_completed(&mut self) {
        self.moves[..=self.pv_index].sort_by_key(RootMove::sort_key);
    }

    /// Restores the lines that a stopped iteration has not reached as the last iteration `completed` them. So is the line
    /// being searched if its best move so far loses, since a move that was not reached may still hold (Stockfish, 2023), and
    /// if only an upper bound of it is known, which may not stand before the lines that are completed.
    pub fn restore_previous(&mut self, completed: &[RootMove]) {
        self.sort_current();
        let RootMove { score, bound, .. } = self.moves[self.pv_index];
        let failed_low = self.pv_index > 0 && bound == Bound::Upper;
        let mut place = self.pv_index;
        if score > -Score::INFINITE && !score.is_loss() && !failed_low {
            self.sort_completed();
            place += 1;
        }
        for known in completed {
            if place == completed.len() {
                break;
            }
            let line = &mut self.moves[place..];
            if let Some(index) = line.iter().position(|root| root.mv == known.mv) {
                line[..=index].rotate_right(1);
                line[0] = RootMove { previous_score: known.score, score: -Score::INFINITE, ..known.clone() };
                place += 1;
            }
        }
    }

    /// Begins an iteration: scores become those of the iteration before.
    pub fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous_score = root.score;
        }
    }

    /// Begins line `pv_index`: the moves before are completed, the others have no score.
    pub fn begin_line(&mut self, pv_index: usize) {
        self.pv_index = pv_index;
        for root in &mut self.moves[pv_index..] {
            root.score = -Score::INFINITE;
        }
    }
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        let score = -Score::INFINITE;
        let (bound, pv) = (Bound::Exact, vec![mv]);
        RootMove {
            mv,
            score,
            previous_score: score,
            bound,
            seldepth: 0,
            nodes: 0,
            tb_rank: None,
            tb_score: None,
            pv,
        }
    }

    /// The sort key: tablebase rank first, then score, the best first.
    fn sort_key(&self) -> (Reverse<Option<TbRank>>, Reverse<Score>) {
        (Reverse(self.tb_rank), Reverse(self.score))
    }

    /// True if the move has a score in this iteration.
    pub fn scored_this_iteration(&self) -> bool {
        self.score > -Score::INFINITE
    }

    /// The score and bound to report: of this iteration or the last one, or, unless a mate has been found, of tablebases.
    pub fn reported_score(&self) -> (Score, Bound) {
        let (score, bound) = if self.scored_this_iteration() {
            (self.score, self.bound)
        } else {
            (self.previous_score, Bound::Exact)
        };
        match self.tb_score {
            Some(known) if score.moves_to_mate().is_none() => (known, Bound::Exact),
            _ => (score, bound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::searcher::tests::with_searcher;
    use chess::Position;

    /// The root moves of the starting position with these scores, the others not reached.
    fn scored(root: &mut RootMoves, scores: &[Score]) {
        for (move_, &score) in root.moves.iter_mut().zip(scores) {
            move_.score = score;
        }
    }

    #[test]
    fn a_line_that_was_broken_off_with_a_loss_falls_back_on_what_was_settled() {
        let lost = Score::mated_in(8);
        with_searcher(Position::startpos(), |searcher| {
            let root = &mut searcher.root;
            let [first, second] = [root.moves[0].mv, root.moves[1].mv];
            scored(root, &[Score::cp(30), Score::cp(20)]);
            let completed = root.moves[..2].to_vec();
            // The second line has seen one move, the one that was third, and that one loses.
            root.begin_iteration();
            root.begin_line(0);
            root.moves[0].score = Score::cp(25);
            root.begin_line(1);
            root.moves.swap(1, 2);
            root.moves[1].score = lost;
            root.restore_previous(&completed);
            let lines: Vec<_> = root.moves[..2].iter().map(|line| line.mv).collect();
            assert_eq!(lines, [first, second]);
            assert_eq!((root.moves[0].score, root.moves[1].previous_score), (Score::cp(25), Score::cp(20)));
            assert_eq!(root.moves[1].score, -Score::INFINITE, "reported as the last iteration left it");
            // What was best at its turn in the last iteration has meanwhile moved up: the next one stands in.
            root.moves.swap(0, 1);
            scored(root, &[Score::cp(40), lost]);
            root.restore_previous(&completed);
            assert_eq!(root.moves[1].mv, first);
        });
    }

    #[test]
    fn lines_that_an_iteration_did_not_reach_are_those_of_the_last() {
        with_searcher(Position::startpos(), |searcher| {
            let root = &mut searcher.root;
            let moves: Vec<Move> = root.moves.iter().map(|root| root.mv).collect();
            scored(root, &[Score::cp(30), Score::cp(20), Score::cp(10)]);
            let completed = root.moves[..3].to_vec();
            // The first line has got worse, a move that was not among the three is second and better, and the third was
            // not reached.
            root.begin_iteration();
            root.begin_line(0);
            root.moves[0].score = Score::cp(5);
            root.begin_line(1);
            root.moves[3].score = Score::cp(15);
            root.restore_previous(&completed);
            let lines: Vec<_> = root.moves[..3].iter().map(|root| (root.mv, root.score)).collect();
            let unreached = -Score::INFINITE;
            assert_eq!(lines, [(moves[3], Score::cp(15)), (moves[0], Score::cp(5)), (moves[1], unreached)]);
            assert_eq!(root.moves[2].previous_score, Score::cp(20));
        });
    }

    #[test]
    fn a_line_of_which_only_an_upper_bound_is_known_stands_before_none_that_is_completed() {
        with_searcher(Position::startpos(), |searcher| {
            let root = &mut searcher.root;
            scored(root, &[Score::cp(50), Score::cp(45)]);
            let completed = root.moves[..2].to_vec();
            root.begin_iteration();
            root.begin_line(0);
            root.moves[0].score = Score::cp(35);
            root.begin_line(1);
            (root.moves[1].score, root.moves[1].bound) = (Score::cp(40), Bound::Upper);
            root.restore_previous(&completed);
            let lines: Vec<_> = root.moves[..2].iter().map(|line| (line.mv, line.score)).collect();
            assert_eq!(lines, [(completed[0].mv, Score::cp(35)), (completed[1].mv, -Score::INFINITE)]);
            assert_eq!(root.moves[1].reported_score(), (Score::cp(45), Bound::Exact));
        });
    }

    #[test]
    fn a_line_that_was_broken_off_without_a_loss_stands() {
        with_searcher(Position::startpos(), |searcher| {
            let root = &mut searcher.root;
            scored(root, &[Score::cp(30)]);
            let completed = root.moves[..1].to_vec();
            root.begin_iteration();
            root.begin_line(0);
            scored(root, &[Score::cp(-50), Score::cp(-40)]);
            let better = root.moves[1].mv;
            root.restore_previous(&completed);
            assert_eq!((root.moves[0].mv, root.moves[0].score), (better, Score::cp(-40)));
        });
    }
}
