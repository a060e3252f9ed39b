//! The thinking of a weak player: a search of a ply or three and the exchanges behind it, in which moves are overlooked on both sides.
//!
//! The errors are those of people: a capture that is not considered, a reply that is not seen, a threat two moves away, a move made without a
//! look at the replies (a lapse), a plan that is followed a little longer than is good, and a judgement that is a little off. The weaker the
//! level, the oftener.

use super::attention::{Attention, Before, distance};
use super::draws::{Draws, Subject};
use super::judgement::{VALUES, judge};
use crate::score::Score;
use arrayvec::ArrayVec;
use chess::{File, KeyHistory, Move, Piece, PieceType, Position, Rank, Square};

/// How a weak player thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beginner {
    /// The chance of overlooking an ordinary capture, 0 to 1.
    pub misses: f64,
    /// The chance that a move is made without a look at the replies, but for the recapture, 0 to 1.
    pub lapses: f64,
    /// The mean number of plies that are looked ahead; the exchanges behind them are looked at too.
    pub plies: f64,
    /// The standard deviation of the judgement about a move, in centipawns.
    pub error: f64,
    /// The centipawns that a move is thought better if it serves the plan.
    pub plan: f64,
}

/// What is thought about.
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Position,
    /// The keys of the game up to and including it.
    pub keys: KeyHistory,
    /// The opponent's last move.
    pub last_move: Option<Move>,
    /// The moves to choose from, at least one.
    pub moves: &'a [Move],
    /// The number of moves to have a line for.
    pub lines: usize,
    /// The maximum of nodes.
    pub nodes: u64,
    /// True once an answer is wanted now.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// What is thought of a move.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The score that the move is believed to have. Of mates only the one on the move is told.
    pub score: Score,
    /// The line, which begins with the move.
    pub pv: Vec<Move>,
}

/// The result of thinking.
pub struct Thoughts {
    /// The moves with a line, the one to play first.
    pub thoughts: Vec<Thought>,
    /// The plies looked ahead.
    pub depth: i32,
    /// The longest line looked at, in plies.
    pub seldepth: usize,
    /// The positions looked at.
    pub nodes: u64,
}

/// The plies of the longest line.
const MAX_PLIES: usize = 16;

/// The value of mate on the board.
const MATE: i32 = 100_000;

/// The largest score told, in centipawns.
const MAX_TOLD: i32 = 5_000;

/// Moves of the game in which everybody knows a little of what is good.
const KNOWN_MOVES: u32 = 7;

/// Moves of the game for which a plan is kept.
const PLAN_MOVES: u32 = 5;

type Line = ArrayVec<Move, MAX_PLIES>;

/// The weak player's mind during one move.
struct Mind<'a> {
    beginner: Beginner,
    attention: Attention,
    keys: KeyHistory,
    is_stopped: &'a dyn Fn() -> bool,
    /// True if replies are not looked at, but for recaptures.
    lapse: bool,
    /// Plies of exchanges behind the plies looked ahead.
    tail: i32,
    nodes: u64,
    max_nodes: u64,
    seldepth: usize,
}

impl Beginner {
    /// Thinks about a move to make.
    pub fn think(&self, situation: &Situation<'_>, draws: Draws) -> Thoughts {
        let number = situation.position.fullmove_number();
        let matter = u64::from(number);
        let depth = ((self.plies + draws.unit(Subject::Depth, matter)).floor() as i32).max(1);
        let mut keys = situation.keys.clone();
        keys.mark_root();
        let mut mind = Mind {
            beginner: *self,
            attention: Attention { draws, misses: self.misses, move_number: number },
            keys,
            is_stopped: situation.is_stopped,
            lapse: draws.unit(Subject::Lapse, matter) < self.lapses,
            tail: 2 * depth,
            nodes: 0,
            max_nodes: situation.nodes,
            seldepth: 1,
        };
        let thoughts = mind.choose(situation, depth);
        Thoughts { thoughts, depth, seldepth: mind.seldepth, nodes: mind.nodes }
    }
}

impl Mind<'_> {
    /// The moves with a line, the preferred one first.
    fn choose(&mut self, situation: &Situation<'_>, depth: i32) -> Vec<Thought> {
        let Situation { position, last_move, moves, lines, .. } = *situation;
        let before = Before { last: last_move, previous: None };
        let mut moves: Vec<Move> = moves.to_vec();
        if moves.iter().any(|&mv| !is_underpromotion(mv)) {
            moves.retain(|&mv| !is_underpromotion(mv));
        }
        moves.sort_by_key(|&mv| -self.promise(position, mv));
        let is_seen = |mv: &Move| position.in_check() || !self.attention.overlooks(position, *mv, before, 0);
        let (mut seen, mut rest): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(is_seen);
        if seen.is_empty() {
            std::mem::swap(&mut seen, &mut rest);
        }
        let mut liked = self.weigh(position, before, &seen, depth, lines);
        let missing = lines.saturating_sub(liked.len());
        if missing > 0 && !rest.is_empty() {
            // Lines that somebody asks for are shown, but they are not the ones that it would play.
            liked.extend(self.weigh(position, before, &rest, depth, missing));
        }
        liked
    }

    /// The best `lines` of these moves by what is thought of them.
    fn weigh(
        &mut self,
        position: &Position,
        before: Before,
        moves: &[Move],
        depth: i32,
        lines: usize,
    ) -> Vec<Thought> {
        let mut liked: Vec<(i32, Thought)> = Vec::new();
        for &mv in moves {
            if !liked.is_empty() && self.must_end() {
                break;
            }
            let liking = self.liking(position, mv);
            let alpha = if liked.len() < lines { -2 * MATE } else { liked[lines - 1].0 - liking };
            let mut line = Line::new();
            let child = position.after(mv);
            let score = -self.after(&child, before.then(mv), (-2 * MATE, -alpha), depth - 1, 1, &mut line);
            if score <= alpha {
                continue;
            }
            let mates = score >= MATE - 1;
            let preference = if mates { 2 * MATE } else { score + liking };
            let told = if mates { Score::mate_in(1) } else { Score::cp(score.clamp(-MAX_TOLD, MAX_TOLD)) };
            let pv = std::iter::once(mv).chain(line).collect();
            let place = liked.partition_point(|(other, _)| *other >= preference);
            liked.insert(place, (preference, Thought { score: told, pv }));
            liked.truncate(lines);
        }
        liked.into_iter().map(|(_, thought)| thought).collect()
    }

    fn must_end(&self) -> bool {
        self.nodes >= self.max_nodes || (self.is_stopped)()
    }

    /// What is added to the score of a move: an error of judgement, and what it does for the plan.
    fn liking(&self, position: &Position, mv: Move) -> i32 {
        let Attention { draws, move_number, .. } = self.attention;
        let matter = u64::from(move_number) << 16 | u64::from(mv.bits());
        let known = if move_number <= KNOWN_MOVES { 0.5 } else { 1.0 };
        let error = known * self.beginner.error * draws.normal(Subject::Error, matter);
        let plan =
            if serves(position, mv, goal(position, draws, move_number)) { self.beginner.plan } else { 0.0 };
        (error + plan).round() as i32
    }

    /// The score of the position after a move, which is put into the game for as long.
    fn after(
        &mut self,
        position: &Position,
        before: Before,
        window: (i32, i32),
        depth: i32,
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        self.keys.push(position);
        let score = self.search(position, before, window, depth, ply, line);
        self.keys.pop();
        score
    }

    /// The score of a position from the side to move's view, fail-soft.
    fn search(
        &mut self,
        position: &Position,
        before: Before,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.keys.is_repetition()
            || position.is_drawn_by_fifty_moves()
            || position.is_insufficient_material()
        {
            return 0;
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return if position.in_check() { ply as i32 - MATE } else { 0 };
        }
        let stand = judge(position);
        if ply >= MAX_PLIES || self.must_end() {
            return stand;
        }
        let must_move = position.in_check();
        let is_quiescent = depth <= 0 && !must_move;
        let mut best = if is_quiescent { stand } else { -2 * MATE };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        moves.sort_by_key(|&mv| -self.promise(position, mv));
        for mv in moves {
            if !self.considers(position, mv, before, depth, ply) {
                continue;
            }
            let mut rest = Line::new();
            let child = position.after(mv);
            let score = -self.after(&child, before.then(mv), (-beta, -alpha), depth - 1, ply + 1, &mut rest);
            if score > best {
                best = score;
                line.clear();
                line.push(mv);
                line.extend(rest.into_iter().take(MAX_PLIES - 1));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        // Nothing is seen that could be done: then what is seen is the position.
        if best == -2 * MATE { stand } else { best }
    }

    /// True if a move inside a line of thought is looked at.
    fn considers(&self, position: &Position, mv: Move, before: Before, depth: i32, ply: usize) -> bool {
        let is_recapture =
            before.last.is_some_and(|last| mv.is_capture() && mv.capture_square() == last.to());
        if position.in_check() {
            return depth > -self.tail;
        }
        if is_underpromotion(mv) {
            return false;
        }
        if self.lapse && !is_recapture || depth <= 0 && !mv.is_noisy() {
            return false;
        }
        (depth > -self.tail || is_recapture) && !self.attention.overlooks(position, mv, before, ply)
    }

    /// The order of moves: captures of much by little first.
    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let value =
            |square: Square| position.piece_on(square).map_or(0, |piece| VALUES[piece.piece_type().index()]);
        let captured = if mv.is_capture() { value(mv.capture_square()) * 16 - value(mv.from()) } else { 0 };
        captured + if mv.promotion() == Some(PieceType::Queen) { 10_000 } else { 0 }
    }
}

/// True for a promotion to anything but a queen, which no beginner thinks of.
fn is_underpromotion(mv: Move) -> bool {
    mv.promotion().is_some_and(|piece| piece != PieceType::Queen)
}

/// The square that the plan of these moves aims at: the opponent's king, the centre, or a wing.
fn goal(position: &Position, draws: Draws, move_number: u32) -> Square {
    let us = position.side_to_move();
    let span = u64::from((move_number + 2) / PLAN_MOVES);
    match draws.random(Subject::Plan, span).below(5) {
        0 | 1 => position.king(!us),
        2 => Square::new(File::E, Rank::R5).relative_to(us),
        3 => Square::new(File::C, Rank::R6).relative_to(us),
        _ => Square::new(File::G, Rank::R6).relative_to(us),
    }
}

/// True if a move brings a piece or pawn nearer to the goal of the plan. The king takes no part in it.
fn serves(position: &Position, mv: Move, goal: Square) -> bool {
    let is_king = position.piece_on(mv.from()).map(Piece::piece_type) == Some(PieceType::King);
    !is_king && mv.is_quiet() && distance(mv.to(), goal) < distance(mv.from(), goal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player who overlooks nothing.
    const ATTENTIVE: Beginner = Beginner { misses: 0.0, lapses: 0.0, plies: 2.0, error: 0.0, plan: 0.0 };

    fn thoughts(beginner: Beginner, fen: &str, seed: u64, lines: usize) -> Thoughts {
        thoughts_until(&|| false, beginner, fen, seed, lines)
    }

    fn thoughts_until(
        is_stopped: &dyn Fn() -> bool,
        beginner: Beginner,
        fen: &str,
        seed: u64,
        lines: usize,
    ) -> Thoughts {
        let position: Position = fen.parse().unwrap();
        let moves = position.legal_moves();
        let situation = Situation {
            position: &position,
            keys: KeyHistory::new(&position),
            last_move: None,
            moves: &moves,
            lines,
            nodes: 100_000,
            is_stopped,
        };
        beginner.think(&situation, Draws::new(seed))
    }

    fn plays(beginner: Beginner, fen: &str, seed: u64) -> String {
        thoughts(beginner, fen, seed, 1).thoughts[0].pv[0].uci(chess::CastlingNotation::KingTarget)
    }

    /// The games of 200 in which the move is `wanted`.
    fn count(beginner: Beginner, fen: &str, wanted: impl Fn(&str) -> bool) -> usize {
        (0..200).filter(|&seed| wanted(&plays(beginner, fen, seed))).count()
    }

    const HANGING: &str = "4k3/2p2n2/1p6/3n4/8/8/B4PPP/6K1 w - - 0 20";
    const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 20";

    #[test]
    fn who_overlooks_nothing_takes_what_hangs_mates_and_sees_an_exchange_through() {
        assert_eq!(count(ATTENTIVE, HANGING, |mv| mv == "a2d5"), 200);
        assert_eq!(count(ATTENTIVE, MATE, |mv| mv == "a1a8"), 200);
        assert_eq!(thoughts(ATTENTIVE, MATE, 1, 1).thoughts[0].score, Score::mate_in(1));
        let guarded = "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 20";
        assert_eq!(count(ATTENTIVE, guarded, |mv| mv == "d1d5"), 0);
    }

    #[test]
    fn the_weaker_the_player_the_more_hangs_and_is_left_hanging() {
        let at = |misses, lapses| Beginner { misses, lapses, ..ATTENTIVE };
        let takes = |beginner| count(beginner, HANGING, |mv| mv == "a2d5");
        assert!(takes(at(0.6, 0.0)) < takes(at(0.2, 0.0)) && takes(at(0.2, 0.0)) < 200);
        // The knight on c3 is attacked by the bishop on g7.
        let attacked = "4k3/6b1/8/8/8/2N5/5PPP/6K1 w - - 0 20";
        let saved = |beginner| {
            count(beginner, attacked, |mv| {
                let position = attacked.parse::<Position>().unwrap();
                let after = position.after(position.parse_uci(mv).unwrap());
                !after.legal_moves().iter().any(|&reply| reply.is_capture())
            })
        };
        assert_eq!(saved(at(0.0, 0.0)), 200);
        assert!(saved(at(0.5, 0.0)) < 150 && saved(at(0.0, 0.5)) < 180, "{}", saved(at(0.0, 0.5)));
    }

    #[test]
    fn every_line_that_is_asked_for_is_told_and_each_is_legal() {
        let blind = Beginner { misses: 1.0, lapses: 1.0, plies: 3.0, error: 80.0, plan: 50.0 };
        for seed in 0..20 {
            for (fen, lines) in [(HANGING, 5), (MATE, 50), ("7k/6Q1/8/8/8/8/8/K7 b - - 0 9", 3)] {
                let start: Position = fen.parse().unwrap();
                let moves = start.legal_moves();
                let told = thoughts(blind, fen, seed, lines).thoughts;
                assert_eq!(told.len(), lines.min(moves.len()));
                for thought in told {
                    thought.pv.iter().fold(start, |position, &mv| {
                        assert!(position.is_legal(mv));
                        position.after(mv)
                    });
                }
            }
        }
    }

    #[test]
    fn an_answer_that_is_wanted_at_once_is_there_at_once() {
        let Thoughts { thoughts, nodes, .. } =
            thoughts_until(&|| true, ATTENTIVE, chess::positions::KIWIPETE, 1, 1);
        assert!(thoughts.len() == 1 && nodes < 10);
    }
}
