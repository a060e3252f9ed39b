//! What tablebases tell a search: which root moves keep the result, and what positions inside are worth.

use super::node::{Node, NodeKind, Window};
use super::root::RootMove;
use super::worker::Searcher;
use super::{Settings, Task};
use crate::chess::{Move, Position};
use crate::score::{Bound, Score};
use crate::tablebase::{Outcome, Tables};
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

/// Plies without capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// How much deeper than searched a position that the tables know counts in the transposition table (Stockfish).
const DEPTH_KNOWN: i32 = 6;

/// The distances of root moves may be looked up for one of so many parts of the time, for disks can be slow; ...
const PARTS_DISTANCES: u32 = 4;
/// ... after that the outcomes, which need fewer lookups.
const PARTS_OUTCOMES: u32 = 2;

/// How the user wants tablebases to be used.
#[derive(Clone, Copy, Debug)]
pub struct Probing {
    /// Positions of the most pieces are looked up from this depth on, others at any.
    pub depth: i32,
    /// The most pieces; 0 for no lookups.
    pub max_pieces: u32,
    /// Whether the fifty-move rule holds.
    pub fifty_moves: bool,
}

impl Default for Probing {
    fn default() -> Probing {
        Probing { depth: 1, max_pieces: 7, fifty_moves: true }
    }
}

/// The tables of one search, and what they say of the root, which the threads find out once for all.
pub struct Endgame {
    tables: Arc<Tables>,
    probing: Probing,
    ranking: OnceLock<Option<Ranking>>,
}

/// What the tables say of the root moves.
struct Ranking {
    moves: Vec<(Move, Rank)>,
    /// Whether distances are known, too.
    progress_is_certain: bool,
}

/// What a root move comes to, the worst first. The plies are those to the next capture or pawn move, counted from the
/// last one (after Stockfish).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// Loses.
    Lost,
    /// Loses unless the fifty moves are soon over: the more plies the better.
    HardlyLost(i32),
    /// Draws.
    Draw,
    /// Wins unless the fifty moves are soon over: the fewer plies the better.
    HardlyWon(Reverse<i32>),
    /// Wins, and leaves the time to choose among all moves that do.
    Won,
}

impl Rank {
    /// Of a move after which so many plies are left in a win, or as many below zero in a loss, when `clock` plies have
    /// been used. Where positions come again, moves that merely keep the win would lead nowhere: `repeats`.
    fn by_distance(plies: i32, clock: i32, repeats: bool) -> Rank {
        match plies {
            0 => Rank::Draw,
            1.. if plies + clock < FIFTY_MOVES && !repeats => Rank::Won,
            1.. => Rank::HardlyWon(Reverse(plies + clock)),
            // With twice as many plies as needed the winner cannot go wrong.
            _ if -2 * plies + clock < FIFTY_MOVES => Rank::Lost,
            _ => Rank::HardlyLost(-plies + clock),
        }
    }

    fn by_outcome(outcome: Outcome) -> Rank {
        match outcome {
            Outcome::Loss => Rank::Lost,
            Outcome::BlessedLoss => Rank::HardlyLost(FIFTY_MOVES + 1),
            Outcome::Draw => Rank::Draw,
            Outcome::CursedWin => Rank::HardlyWon(Reverse(FIFTY_MOVES + 1)),
            Outcome::Win => Rank::Won,
        }
    }

    /// The result when both sides play on perfectly.
    fn outcome(self) -> Outcome {
        match self {
            Rank::Won => Outcome::Win,
            Rank::HardlyWon(Reverse(plies)) if plies <= FIFTY_MOVES => Outcome::Win,
            Rank::HardlyWon(_) => Outcome::CursedWin,
            Rank::Draw => Outcome::Draw,
            Rank::HardlyLost(plies) if plies <= FIFTY_MOVES => Outcome::Loss,
            Rank::HardlyLost(_) => Outcome::BlessedLoss,
            Rank::Lost => Outcome::Loss,
        }
    }
}

impl Endgame {
    /// For one search; `None` where nothing is to be looked up. A search for a mate wants the mate, not to know who wins.
    pub fn new(tables: &Arc<Tables>, task: &Task) -> Option<Endgame> {
        let Settings { probing, .. } = task.settings;
        let pieces = probing.max_pieces.min(tables.max_pieces());
        let wanted = pieces > 0 && task.limits.mate.is_none();
        let probing = Probing { max_pieces: pieces, ..probing };
        wanted.then(|| Endgame { tables: Arc::clone(tables), probing, ranking: OnceLock::new() })
    }

    /// What an outcome is worth, and whether more can be found by searching.
    fn worth(&self, outcome: Outcome, ply: usize) -> (Score, Bound) {
        let rule = self.probing.fifty_moves;
        match outcome {
            Outcome::CursedWin if rule => (Score::DRAW + 1, Bound::Exact),
            Outcome::BlessedLoss if rule => (Score::DRAW - 1, Bound::Exact),
            Outcome::Draw => (Score::DRAW, Bound::Exact),
            Outcome::Win | Outcome::CursedWin => (Score::tablebase_win(ply), Bound::Lower),
            Outcome::Loss | Outcome::BlessedLoss => (-Score::tablebase_win(ply), Bound::Upper),
        }
    }

    /// Whether the tables may know a position. They know nothing of castling.
    fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.probing.max_pieces && position.castling().is_empty()
    }

    /// Ranks the root moves by distances, or by outcomes where those are missing or there is no time left for them.
    fn rank(&self, task: &Task, in_time: impl Fn(u32) -> bool) -> Option<Ranking> {
        let position = &task.game.position;
        if !self.covers(position) {
            return None;
        }
        let clock = position.halfmove_clock() as i32;
        let repeats = task.game.line.has_repeated();
        let by_distance = |child: &Position, drawn: bool| {
            Some(Rank::by_distance(self.plies_after(child, drawn)?, clock, repeats))
        };
        let by_outcome = |child: &Position, drawn: bool| match drawn {
            true => Some(Rank::Draw),
            false => self.tables.outcome(child).map(|outcome| Rank::by_outcome(-outcome)),
        };
        let ranked = |moves, progress_is_certain| Ranking { moves, progress_is_certain };
        rank_each(task, || in_time(PARTS_DISTANCES), by_distance).map(|moves| ranked(moves, true)).or_else(
            || rank_each(task, || in_time(PARTS_OUTCOMES), by_outcome).map(|moves| ranked(moves, false)),
        )
    }

    /// Plies to the next capture or pawn move for the side that has just moved, its move counted.
    fn plies_after(&self, child: &Position, drawn: bool) -> Option<i32> {
        if child.halfmove_clock() == 0 {
            return Some(match -self.tables.outcome(child)? {
                Outcome::Loss => -1,
                Outcome::BlessedLoss => -1 - FIFTY_MOVES,
                Outcome::Draw => 0,
                Outcome::CursedWin => 1 + FIFTY_MOVES,
                Outcome::Win => 1,
            });
        }
        if drawn {
            return Some(0);
        }
        let plies = -self.tables.distance(child)?;
        let mates = plies == 1 && child.in_check() && !child.has_legal_move();
        Some(if mates { 1 } else { plies + plies.signum() })
    }
}

/// The rank of every root move; `None` when one is not known or the time is up.
fn rank_each(
    task: &Task,
    in_time: impl Fn() -> bool,
    rank: impl Fn(&Position, bool) -> Option<Rank>,
) -> Option<Vec<(Move, Rank)>> {
    let position = &task.game.position;
    let mut line = task.game.line.clone();
    let legal = position.legal_moves();
    let ranked = legal.iter().map(|&mv| {
        let child = position.after(mv);
        line.push(child.key(), child.reversible_plies());
        // Draws that the tables know nothing of.
        let drawn = line.is_threefold() || child.is_drawn_by_fifty_moves();
        line.pop();
        if in_time() { rank(&child, drawn).map(|rank| (mv, rank)) } else { None }
    });
    ranked.collect()
}

impl Searcher<'_> {
    /// Ranks the root moves, if the tables know them all. The search inside is then better off without them: it has
    /// nothing to gain but mates, and where all wins look alike it would find none.
    pub(super) fn rank_root(&mut self) {
        let Some(endgame) = self.endgame else { return };
        let in_time = |parts: u32| {
            !self.signals.is_stopped() && !self.clock.is_part_gone(&self.signals.timing(), parts)
        };
        let ranking = endgame.ranking.get_or_init(|| endgame.rank(self.task, in_time));
        let Some(Ranking { moves, progress_is_certain }) = ranking else { return };
        if self.index == 0 {
            self.hits += moves.len() as u64;
        }
        let rank_of = |root: &RootMove| moves.iter().find(|(mv, _)| *mv == root.mv).map(|&(_, rank)| rank);
        let worth = |rank: Rank| endgame.worth(rank.outcome(), 0).0;
        self.root.rank(|root| rank_of(root).map(|rank| (rank, worth(rank))));
        let best = self.root.moves.first().and_then(|root| root.rank);
        if *progress_is_certain || best <= Some(Rank::Draw) {
            self.endgame = None;
        }
    }

    /// Asks the tables, which answer for a node or narrow its window. They know positions right after a capture or pawn
    /// move; what has happened since then does not show in them.
    #[inline(always)]
    pub(super) fn known_from_tables<K: NodeKind>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        match self.endgame {
            Some(endgame) if !K::ROOT && node.position.halfmove_clock() == 0 => {
                self.look_up::<K>(endgame, node)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn look_up<K: NodeKind>(&mut self, endgame: &Endgame, node: &mut Node<'_>) -> Option<Score> {
        let Probing { depth, max_pieces: pieces, .. } = endgame.probing;
        let deep_enough = node.depth >= depth || node.position.occupied().count() < pieces;
        if !endgame.covers(node.position) || !deep_enough || node.excluded.is_some() {
            return None;
        }
        let outcome = endgame.tables.outcome(node.position)?;
        self.hits += 1;
        // It may have taken long.
        self.check_soon();
        let (score, bound) = endgame.worth(outcome, node.ply);
        let Window { alpha, beta } = node.window;
        let settled = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        if settled {
            self.remember_as(node, None, score, bound, node.depth + DEPTH_KNOWN);
            return Some(score);
        }
        if K::PV && bound == Bound::Lower {
            node.window.alpha = alpha.max(score);
            node.least = score;
        } else if K::PV {
            node.most = score;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order_and_mean_what_they_say() {
        let rank = Rank::by_distance;
        let ordered = [
            rank(-20, 0, false),
            rank(-20, 70, false),
            rank(-80, 15, false),
            rank(-90, 20, false),
            rank(0, 50, false),
            rank(60, 50, false),
            rank(60, 40, false),
            rank(40, 30, true),
            rank(99, 0, false),
        ];
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]), "{ordered:?}");
        let outcomes = ordered.map(Rank::outcome);
        let (loss, win) = (Outcome::Loss, Outcome::Win);
        let middle = [Outcome::BlessedLoss, Outcome::Draw, Outcome::CursedWin];
        assert_eq!(outcomes, [loss, loss, loss, middle[0], middle[1], middle[2], win, win, win]);
        assert_eq!(rank(1, 0, false), rank(99, 0, false), "there is time for either");
        for outcome in [loss, middle[0], middle[1], middle[2], win] {
            assert_eq!(Rank::by_outcome(outcome).outcome(), outcome);
        }
    }
}
