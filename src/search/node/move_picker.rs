//! Staged move picker: moves are generated and scored only when the search gets to them.

use crate::search::memory::history::{Histories, HistoryContext, PieceTo, captured_value};
use crate::search::node_types::Stage;
use crate::tunables;
use arrayvec::ArrayVec;
use chess::{Generate, Move, MoveList, PieceType, Position, SEE_VALUES};

tunables! {
    /// Captures: units of history that one centipawn of the captured piece is worth.
    capture_value_weight = 12, 4..=64, step 3;
    /// Captures: units of order score that excuse the loss of a centipawn before a capture counts as bad.
    good_capture_history = 105, 16..=256, step 12;
    /// Quiet moves: units of history that a direct check is worth.
    check_bonus = 9641, 0..=16384, step 800;
    /// Quiet moves: centipawns that such a check may lose by exchange.
    check_see_margin = 75, 0..=300, step 10;
    /// Quiet moves: units of history for each centipawn that leaves a square attacked by lesser pieces.
    escape_weight = 10, 0..=40, step 2;
    /// Quiet moves: units of history more for each centipawn of a rook that does.
    rook_escape_weight = 4, 0..=40, step 2;
    /// Quiet moves: units of history for each centipawn that enters a square attacked by lesser pieces.
    enter_weight = 9, 0..=40, step 2;
    /// Quiet moves: units of history that the attack of a more valuable piece is worth, if no lesser piece answers it.
    attack_bonus = 1800, 0..=12000, step 500;
    /// Quiet moves: units of history more if no piece at all answers it.
    safe_attack_bonus = 3200, 0..=12000, step 500;
}

/// A sort key holds the score in its high bits and, in these low bits, a number that counts down the move list. So no two
/// keys are equal, and of moves of equal score the first has the greatest.
const INDEX_BITS: u32 = 8;
const MAX_INDEX: i32 = (1 << INDEX_BITS) - 1;
/// The sort key of a move that has been given or left out.
const TAKEN: i32 = i32::MIN;

/// The moves that a node asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFilter {
    /// Every legal move.
    All,
    /// Captures and queen promotions.
    Noisy,
    /// Captures, queen promotions, and quiet moves that check directly.
    NoisyAndChecks,
}

/// A move and its stage. Small enough to be returned in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The stage that it comes from.
    pub stage: Stage,
    /// The score by which good noisy moves and quiet moves are picked; 0 in the other stages. For a quiet move: histories,
    /// threats, and checks.
    pub score: i32,
}

/// Gives the moves of one node, the most promising first, each legal move once.
pub struct MovePicker {
    filter: MoveFilter,
    stage: Stage,
    tt_move: Option<Move>,
    context: HistoryContext,
    moves: MoveList,
    /// The sort key of each of the moves; in a list of their own, so that many can be compared at once.
    keys: ArrayVec<i32, 256>,
    /// Bad noisy moves, in the order in which they were found bad.
    bad_noisies: MoveList,
    /// The number of bad noisy moves that have been given.
    bad_given: usize,
}

impl MovePicker {
    /// A picker that begins with `tt_move`, which must be legal.
    pub fn new(filter: MoveFilter, tt_move: Option<Move>, context: HistoryContext) -> MovePicker {
        MovePicker {
            filter,
            stage: Stage::TtMove,
            tt_move: tt_move.filter(|mv| filter == MoveFilter::All || mv.is_noisy()),
            context,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad_noisies: MoveList::new(),
            bad_given: 0,
        }
    }

    /// The next move.
    #[inline]
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<ScoredMove> {
        loop {
            let found = match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::ScoreNoisy;
                    if let Some(mv) = self.tt_move {
                        return Some(ScoredMove { mv, stage: Stage::TtMove, score: 0 });
                    }
                    continue;
                }
                Stage::ScoreNoisy => {
                    self.score_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                    continue;
                }
                Stage::GoodNoisy => self.next_good_noisy(position),
                Stage::ScoreQuiet => {
                    self.score_quiet(position, histories);
                    self.stage = Stage::Quiet;
                    continue;
                }
                Stage::GenerateChecks => {
                    self.moves.clear();
                    position.generate_quiet_checks(&mut self.moves);
                    self.set_keys(|_| 0);
                    self.stage = Stage::Quiet;
                    continue;
                }
                Stage::Quiet => self.pick_best(),
                Stage::BadNoisy => {
                    let mv = self.bad_noisies.get(self.bad_given).copied();
                    self.bad_given += 1;
                    return mv.map(|mv| ScoredMove { mv, stage: Stage::BadNoisy, score: 0 });
                }
            };
            if let Some((mv, score)) = found {
                return Some(ScoredMove { mv, stage: self.stage, score });
            }
            self.end_stage();
        }
    }

    /// Leaves out the good noisy moves that have not been given yet. To be called in their stage or in that of the table's
    /// move.
    #[inline]
    pub fn skip_good_noisies(&mut self) {
        debug_assert!(self.stage <= Stage::GoodNoisy);
        self.stage = Stage::GoodNoisy;
        self.end_stage();
    }

    /// Leaves out the quiet moves that have not been given yet.
    #[inline]
    pub fn skip_quiets(&mut self) {
        match self.stage {
            Stage::Quiet => self.end_stage(),
            Stage::BadNoisy => {}
            _ => self.filter = MoveFilter::Noisy,
        }
    }

    /// Leaves out the quiet moves that have not been given yet, except direct checks. To be called in the stage of quiet
    /// moves.
    #[inline(never)]
    pub fn skip_non_checks(&mut self, position: &Position) {
        debug_assert!(self.stage == Stage::Quiet);
        let check_squares = position.check_squares();
        for (key, mv) in self.keys.iter_mut().zip(&self.moves) {
            let piece_type = position.piece_on(mv.from()).map_or(PieceType::King, |piece| piece.piece_type());
            if !check_squares[piece_type.index()].contains(mv.to()) {
                *key = TAKEN;
            }
        }
    }

    fn end_stage(&mut self) {
        self.stage = match self.stage {
            Stage::GoodNoisy if self.filter == MoveFilter::All => Stage::ScoreQuiet,
            Stage::GoodNoisy if self.filter == MoveFilter::NoisyAndChecks => Stage::GenerateChecks,
            _ => Stage::BadNoisy,
        };
    }

    /// The best noisy move that does not lose material; bad ones are put off. The order score, mostly history, excuses small
    /// losses.
    fn next_good_noisy(&mut self, position: &Position) -> Option<(Move, i32)> {
        while let Some((mv, score)) = self.pick_best() {
            if position.see_ge(mv, -score / good_capture_history()) {
                return Some((mv, score));
            }
            self.bad_noisies.push(mv);
        }
        None
    }

    /// Takes the move of the highest score that is left, and of equals the first. Nothing is sorted: most nodes look at few
    /// moves.
    #[inline]
    fn pick_best(&mut self) -> Option<(Move, i32)> {
        let best = self.keys.iter().copied().max().filter(|&best| best != TAKEN)?;
        let index = (MAX_INDEX - (best & MAX_INDEX)) as usize;
        *self.keys.get_mut(index)? = TAKEN;
        Some((*self.moves.get(index)?, best >> INDEX_BITS))
    }

    /// Scores noisy moves by history and by the value of what they capture and promote to (MVV); underpromotions come last.
    // Not inlined, nor is the next: their registers would be saved for every move that is picked.
    #[inline(never)]
    fn score_noisy(&mut self, position: &Position, histories: &Histories) {
        self.generate(Generate::Noisy, position, |mv| {
            let gain = captured_value(position, mv);
            let promotion = mv.promotion().map_or(0, |piece_type| SEE_VALUES[piece_type.index()]);
            let is_underpromotion =
                matches!(mv.promotion(), Some(PieceType::Knight | PieceType::Bishop | PieceType::Rook));
            let value = match is_underpromotion {
                true => gain - SEE_VALUES[PieceType::Queen.index()],
                false => gain + promotion,
            };
            histories.noisy(position, mv) + value * capture_value_weight()
        });
    }

    /// Scores quiet moves by their histories, by threats of lesser pieces on the squares they leave and enter, by attacks of
    /// more valuable and undefended pieces, most of all from safe squares (Reckless 2025 and 2026), and by direct checks,
    /// which histories cannot foresee (Stockfish 2022).
    #[inline(never)]
    fn score_quiet(&mut self, position: &Position, histories: &Histories) {
        let context = self.context;
        let check_squares = position.check_squares();
        let lesser_threats = PieceType::ALL.map(|piece_type| context.threats.by_lesser(piece_type));
        // Masks, since a branch that depends on a move's squares is seldom foreseen: 3% of the time of `bench`.
        let mut attack_squares = position.attack_squares(&context.threats);
        attack_squares.iter_mut().zip(lesser_threats).for_each(|(squares, threats)| *squares &= !threats);
        let safe = !context.threats.all;
        let mut escape_bonus = SEE_VALUES.map(|value| value * escape_weight());
        let rook = PieceType::Rook.index();
        escape_bonus[rook] += SEE_VALUES[rook] * rook_escape_weight();
        let rows = histories.quiets(position, &context);
        // In check there are few moves.
        if !position.in_check() {
            rows.prefetch(position);
        }
        self.generate(Generate::Quiet, position, |mv| {
            let Some(piece) = position.piece_on(mv.from()) else { return 0 };
            let piece_type = piece.piece_type().index();
            let checks = check_squares[piece_type].contains(mv.to())
                && (!context.may_lose_material(mv) || position.see_ge(mv, -check_see_margin()));
            let (value, threats) = (SEE_VALUES[piece_type], lesser_threats[piece_type]);
            let attacks = attack_squares[piece_type];
            rows.score(mv, PieceTo::by(piece, mv))
                + i32::from(checks) * check_bonus()
                + i32::from(attacks.contains(mv.to())) * attack_bonus()
                + i32::from((attacks & safe).contains(mv.to())) * safe_attack_bonus()
                + i32::from(threats.contains(mv.from())) * escape_bonus[piece_type]
                - i32::from(threats.contains(mv.to())) * value * enter_weight()
        });
    }

    /// Generates moves and their sort keys.
    #[inline(always)]
    fn generate(&mut self, which: Generate, position: &Position, score: impl Fn(Move) -> i32) {
        self.moves.clear();
        position.generate(which, &mut self.moves);
        self.set_keys(score);
    }

    /// The sort keys of the moves; the table's move counts as taken. Scores must fit into the high bits of a key.
    #[inline(always)]
    fn set_keys(&mut self, score: impl Fn(Move) -> i32) {
        let key = |(&mv, index): (&Move, i32)| {
            let score = score(mv);
            debug_assert!(score.abs() < 1 << (31 - INDEX_BITS));
            score << INDEX_BITS | index
        };
        self.keys.clear();
        // With an inclusive range it took 72 instructions a node more.
        self.keys.extend(self.moves.iter().zip((0..MAX_INDEX + 1).rev()).map(key));
        if let Some(tt_move) = self.tt_move
            && let Some(index) = self.moves.iter().position(|&mv| mv == tt_move)
        {
            self.keys[index] = TAKEN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::positions::KIWIPETE;

    fn picked(fen: &str, wanted: MoveFilter, tt_move: Option<&str>) -> Vec<ScoredMove> {
        let position: Position = fen.parse().unwrap();
        let tt_move = tt_move.map(|text| position.parse_uci(text).unwrap());
        let mut picker = MovePicker::new(wanted, tt_move, HistoryContext::NONE);
        let histories = Histories::alone();
        std::iter::from_fn(|| picker.next(&position, &histories)).collect()
    }

    /// The scores of quiet moves of a position in which nothing is known but the threats.
    fn quiet_scores<const N: usize>(fen: &str, moves: [&str; N]) -> [i32; N] {
        let position: Position = fen.parse().unwrap();
        let threats = position.threats_of(!position.side_to_move());
        let context = HistoryContext { threats, ..HistoryContext::NONE };
        let mut picker = MovePicker::new(MoveFilter::All, None, context);
        let histories = Histories::alone();
        let picked: Vec<_> = std::iter::from_fn(|| picker.next(&position, &histories)).collect();
        moves.map(|text| {
            let mv = position.parse_uci(text).unwrap();
            picked.iter().find(|m| m.mv == mv && m.stage == Stage::Quiet).unwrap().score
        })
    }

    #[test]
    fn attacks_come_first_and_those_from_safe_squares_before_those_that_can_be_answered() {
        // Knight moves: f6 attacks the rook and is safe, c5 does so beside the king, g3 attacks nothing.
        let [safe, answered, idle] =
            quiet_scores("8/3r4/1k6/8/4N3/8/8/6K1 w - - 0 1", ["e4f6", "e4c5", "e4g3"]);
        assert!(safe > answered && answered > idle, "{safe} {answered} {idle}");
        // A queen gains nothing by attacking what is defended.
        let [defended, undefended] =
            ["8/3r4/1k2p3/2n5/8/4Q3/8/6K1 w - - 0 1", "8/3r4/k3p3/2n5/8/4Q3/8/6K1 w - - 0 1"]
                .map(|fen| quiet_scores(fen, ["e3e5"])[0]);
        assert!(undefended > defended && defended == 0, "{undefended} {defended}");
    }

    #[test]
    fn every_legal_move_comes_once() {
        for tt_move in [None, Some("e1g1"), Some("e2a6")] {
            let mut moves: Vec<u16> =
                picked(KIWIPETE, MoveFilter::All, tt_move).iter().map(|m| m.mv.bits()).collect();
            let position: Position = KIWIPETE.parse().unwrap();
            let mut legal: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            moves.sort_unstable();
            legal.sort_unstable();
            assert_eq!(moves, legal);
        }
    }

    #[test]
    fn stages_come_in_order_and_losing_captures_last() {
        let moves = picked(KIWIPETE, MoveFilter::All, Some("e1g1"));
        assert!(moves.is_sorted_by_key(|m| m.stage));
        assert_eq!(moves[0].stage, Stage::TtMove);
        let losing = moves.iter().find(|m| format!("{:?}", m.mv) == "f3f6").unwrap();
        assert_eq!(losing.stage, Stage::BadNoisy);
    }

    #[test]
    fn noisy_only_gives_no_quiet_move() {
        let moves = picked(KIWIPETE, MoveFilter::Noisy, Some("e1g1"));
        assert_eq!(moves.len(), 8);
        assert!(moves.iter().all(|m| m.mv.is_noisy()));
    }

    #[test]
    fn noisy_moves_and_checks_are_those_and_no_others() {
        // The knight's moves on e3 check by discovery, which does not count.
        for fen in [KIWIPETE, "4k3/8/8/1p6/2B5/4N3/8/R3R1K1 w - - 0 1"] {
            let position: Position = fen.parse().unwrap();
            let check_squares = position.check_squares();
            let moves = picked(fen, MoveFilter::NoisyAndChecks, None);
            assert!(moves.is_sorted_by_key(|m| m.stage));
            let mut found: Vec<u16> = moves.iter().map(|m| m.mv.bits()).collect();
            let is_wanted = |mv: &Move| {
                let piece = position.piece_on(mv.from()).unwrap();
                mv.is_noisy() || check_squares[piece.piece_type().index()].contains(mv.to())
            };
            let mut expected: Vec<u16> =
                position.legal_moves().iter().filter(|mv| is_wanted(mv)).map(|mv| mv.bits()).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{fen}");
        }
    }

    #[test]
    fn checks_come_next_where_good_noisy_moves_are_left_out() {
        let position: Position = "4k3/8/8/1p6/2B5/8/8/R3K3 w - - 0 1".parse().unwrap();
        let histories = Histories::alone();
        let mut picker = MovePicker::new(MoveFilter::NoisyAndChecks, None, HistoryContext::NONE);
        picker.skip_good_noisies();
        let mut rest: Vec<String> = std::iter::from_fn(|| picker.next(&position, &histories))
            .map(|m| format!("{:?}", m.mv))
            .collect();
        rest.sort();
        assert_eq!(rest, ["a1a8", "c4f7"]);
    }

    #[test]
    fn quiets_that_give_no_check_can_be_left_out() {
        let position: Position = "8/8/8/8/3RN3/7k/7p/7K w - - 0 1".parse().unwrap();
        let histories = Histories::alone();
        let mut picker = MovePicker::new(MoveFilter::All, None, HistoryContext::NONE);
        let first =
            std::iter::from_fn(|| picker.next(&position, &histories)).find(|m| m.stage == Stage::Quiet);
        picker.skip_non_checks(&position);
        let left: Vec<_> =
            first.into_iter().chain(std::iter::from_fn(|| picker.next(&position, &histories))).collect();
        assert!(left.iter().skip(1).all(|m| position.gives_check(m.mv)), "{left:?}");
        let checks = position.legal_moves().iter().filter(|&&mv| position.gives_check(mv)).count();
        assert_eq!(left.iter().filter(|m| position.gives_check(m.mv)).count(), checks);
    }

    #[test]
    fn quiets_can_be_skipped_at_any_time() {
        let position: Position = KIWIPETE.parse().unwrap();
        for after in 0..20 {
            let mut picker = MovePicker::new(MoveFilter::All, None, HistoryContext::NONE);
            let histories = Histories::alone();
            for _ in 0..after {
                picker.next(&position, &histories);
            }
            picker.skip_quiets();
            assert!(std::iter::from_fn(|| picker.next(&position, &histories)).all(|m| m.mv.is_noisy()));
        }
    }
}
