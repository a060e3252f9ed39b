//! Tablebases in the search: the rank of the root moves, and the score of positions inside.

use super::request::{SearchRequest, SyzygyOptions};
use crate::score::{Bound, Score};
use crate::tablebase::{Tables, Wdl};
use chess::{Move, Position};
use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

/// Plies without capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// Plies added to the node's depth when a tablebase score is stored in the transposition table (Stockfish).
pub const TB_DEPTH_BONUS: i32 = 6;

/// Distances of root moves (DTZ) are probed until this part of the time (1/n) is used, since disks can be slow.
const TIME_PARTS_DTZ: u32 = 4;
/// After that their results (WDL), which need fewer probes, until this part (1/n) is used.
const TIME_PARTS_WDL: u32 = 2;

/// The tables of one search and, found out once for all threads, the ranks of its root moves.
pub struct TbProbe {
    tables: Arc<Tables>,
    options: SyzygyOptions,
    ranking: OnceLock<Option<RootRanking>>,
}

/// The ranks of the root moves.
pub struct RootRanking {
    /// Each legal move with its rank.
    pub moves: Vec<(Move, TbRank)>,
    /// True if the ranks are by distance, so that playing them makes progress.
    pub progress_is_certain: bool,
}

/// The rank of a root move by tablebases, the worst first. Plies are those from the last capture or pawn move to the next
/// (after Stockfish).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TbRank {
    /// Loses.
    Lost,
    /// Loses, or draws by the fifty-move rule (blessed loss): the more plies the better.
    MaybeBlessedLoss(i32),
    /// Draws.
    Draw,
    /// Wins, or draws by the fifty-move rule (cursed win): the fewer plies the better.
    MaybeCursedWin(Reverse<i32>),
    /// Wins well within the fifty moves: any such move will do.
    Won,
}

impl TbRank {
    /// The rank of a move after which `plies` are left to the next capture or pawn move, positive in a win and negative in a
    /// loss, when the halfmove clock stands at `clock`. If positions have come again (`repeats`), a move that merely keeps
    /// the win is not enough.
    fn by_dtz(plies: i32, clock: i32, repeats: bool) -> TbRank {
        match plies {
            0 => TbRank::Draw,
            1.. if plies + clock < FIFTY_MOVES && !repeats => TbRank::Won,
            1.. => TbRank::MaybeCursedWin(Reverse(plies + clock)),
            // With twice as many plies as needed the winner cannot go wrong.
            _ if -2 * plies + clock < FIFTY_MOVES => TbRank::Lost,
            _ => TbRank::MaybeBlessedLoss(-plies + clock),
        }
    }

    fn by_wdl(wdl: Wdl) -> TbRank {
        match wdl {
            Wdl::Loss => TbRank::Lost,
            Wdl::BlessedLoss => TbRank::MaybeBlessedLoss(FIFTY_MOVES + 1),
            Wdl::Draw => TbRank::Draw,
            Wdl::CursedWin => TbRank::MaybeCursedWin(Reverse(FIFTY_MOVES + 1)),
            Wdl::Win => TbRank::Won,
        }
    }

    /// The result when both sides play on perfectly.
    fn wdl(self) -> Wdl {
        match self {
            TbRank::Won => Wdl::Win,
            TbRank::MaybeCursedWin(Reverse(plies)) if plies <= FIFTY_MOVES => Wdl::Win,
            TbRank::MaybeCursedWin(_) => Wdl::CursedWin,
            TbRank::Draw => Wdl::Draw,
            TbRank::MaybeBlessedLoss(plies) if plies <= FIFTY_MOVES => Wdl::Loss,
            TbRank::MaybeBlessedLoss(_) => Wdl::BlessedLoss,
            TbRank::Lost => Wdl::Loss,
        }
    }
}

impl TbProbe {
    /// The tables for one search; `None` if nothing is to be probed.
    pub fn new(tables: &Arc<Tables>, options: &SyzygyOptions) -> Option<TbProbe> {
        let max_pieces = options.max_pieces.min(tables.max_pieces());
        let options = SyzygyOptions { max_pieces, ..*options };
        (max_pieces > 0).then(|| TbProbe { tables: Arc::clone(tables), options, ranking: OnceLock::new() })
    }

    /// The score of a result at `ply`, and its bound: a win may turn out to be a mate by searching.
    fn score(&self, wdl: Wdl, ply: usize) -> (Score, Bound) {
        let rule = self.options.fifty_moves;
        match wdl {
            Wdl::CursedWin if rule => (Score::DRAW + 1, Bound::Exact),
            Wdl::BlessedLoss if rule => (Score::DRAW - 1, Bound::Exact),
            Wdl::Draw => (Score::DRAW, Bound::Exact),
            Wdl::Win | Wdl::CursedWin => (Score::tablebase_win(ply), Bound::Lower),
            Wdl::Loss | Wdl::BlessedLoss => (-Score::tablebase_win(ply), Bound::Upper),
        }
    }

    /// The score and bound of a position inside the search, `None` if it is not probed or not known. `depth` is the depth
    /// left, `ply` the distance from the root.
    pub fn probe(&self, position: &Position, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        let few_enough = depth >= self.options.depth || position.occupied().count() < self.options.max_pieces;
        if !self.covers(position) || !few_enough {
            return None;
        }
        Some(self.score(self.tables.wdl(position)?, ply))
    }

    /// The ranks of the root moves, `None` if the tables do not know them all. Found out by the first thread that asks;
    /// `in_time(n)` says if less than one of `n` parts of the time is used.
    pub fn root_ranking(
        &self,
        request: &SearchRequest,
        in_time: impl Fn(u32) -> bool,
    ) -> Option<&RootRanking> {
        self.ranking.get_or_init(|| self.rank(request, in_time)).as_ref()
    }

    /// The score of a root move with this rank.
    pub fn rank_score(&self, rank: TbRank) -> Score {
        self.score(rank.wdl(), 0).0
    }

    /// True if the tables may hold a position; they hold none with castling rights.
    fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.options.max_pieces && position.castling().is_empty()
    }

    /// Ranks the root moves by distance (DTZ), or by result (WDL) where tables are missing or time is short.
    fn rank(&self, request: &SearchRequest, in_time: impl Fn(u32) -> bool) -> Option<RootRanking> {
        let position = request.game.position();
        if !self.covers(position) {
            return None;
        }
        let clock = position.halfmove_clock() as i32;
        let repeats = request.game.history().has_repeated();
        let by_dtz = |child: &Position, drawn: bool| {
            Some(TbRank::by_dtz(self.dtz_after(child, drawn)?, clock, repeats))
        };
        let by_wdl = |child: &Position, drawn: bool| match drawn {
            true => Some(TbRank::Draw),
            false => self.tables.wdl(child).map(|wdl| TbRank::by_wdl(-wdl)),
        };
        let ranked = |moves, progress_is_certain| RootRanking { moves, progress_is_certain };
        rank_each(request, || in_time(TIME_PARTS_DTZ), by_dtz).map(|moves| ranked(moves, true)).or_else(
            || rank_each(request, || in_time(TIME_PARTS_WDL), by_wdl).map(|moves| ranked(moves, false)),
        )
    }

    /// Plies to the next capture or pawn move for the side that has just moved, its move counted.
    fn dtz_after(&self, child: &Position, drawn: bool) -> Option<i32> {
        if child.halfmove_clock() == 0 {
            return Some(match -self.tables.wdl(child)? {
                Wdl::Loss => -1,
                Wdl::BlessedLoss => -1 - FIFTY_MOVES,
                Wdl::Draw => 0,
                Wdl::CursedWin => 1 + FIFTY_MOVES,
                Wdl::Win => 1,
            });
        }
        if drawn {
            return Some(0);
        }
        let plies = -self.tables.dtz(child)?;
        let mates = plies == 1 && child.in_check() && !child.has_legal_move();
        Some(if mates { 1 } else { plies + plies.signum() })
    }
}

/// The rank of every root move; `None` when one is not known or the time is up.
fn rank_each(
    request: &SearchRequest,
    in_time: impl Fn() -> bool,
    rank: impl Fn(&Position, bool) -> Option<TbRank>,
) -> Option<Vec<(Move, TbRank)>> {
    let position = request.game.position();
    let mut keys = request.game.history().clone();
    let legal = position.legal_moves();
    let ranked = legal.iter().map(|&mv| {
        let child = position.after(mv);
        keys.push(&child);
        // Draws by rule, which are not in the tables.
        let drawn = keys.is_threefold() || child.is_drawn_by_fifty_moves();
        keys.pop();
        if in_time() { rank(&child, drawn).map(|rank| (mv, rank)) } else { None }
    });
    ranked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order_and_mean_what_they_say() {
        let rank = TbRank::by_dtz;
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
        let results = ordered.map(TbRank::wdl);
        let (loss, win) = (Wdl::Loss, Wdl::Win);
        let middle = [Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin];
        assert_eq!(results, [loss, loss, loss, middle[0], middle[1], middle[2], win, win, win]);
        assert_eq!(rank(1, 0, false), rank(99, 0, false), "there is time for either");
        for wdl in [loss, middle[0], middle[1], middle[2], win] {
            assert_eq!(TbRank::by_wdl(wdl).wdl(), wdl);
        }
    }
}
