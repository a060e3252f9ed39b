//! Staged move ordering: moves are generated and ranked only when the search gets to them.

use super::history::{Context, Histories, Moved, captured};
use crate::chess::{Generate, Move, MoveList, PieceType, Position, SEE_VALUES};
use crate::tunables;
use arrayvec::ArrayVec;

tunables! {
    /// Captures: units of history that one centipawn of what is taken is worth.
    capture_value_weight = 12, 4..=64, step 3;
    /// Captures: how much loss of material history can excuse before a capture counts as bad; history units a centipawn.
    good_capture_history = 105, 16..=256, step 12;
    /// Quiet moves: what a direct check that does not lose much is worth, in units of history.
    check_bonus = 9641, 0..=16384, step 800;
    /// Quiet moves: units of history for a centipawn that leaves a square attacked by lesser pieces.
    escape_weight = 10, 0..=40, step 2;
    /// Quiet moves: units of history for a centipawn that enters such a square.
    enter_weight = 9, 0..=40, step 2;
}

/// The low bits of a key count down the moves of a list; the others hold the rank. So no two keys are equal, and of
/// moves of equal rank the first has the greatest.
const PLACE_BITS: u32 = 8;
const PLACES: i32 = (1 << PLACE_BITS) - 1;
/// The key of a move that has been given.
const GIVEN: i32 = i32::MIN;

/// Which moves a node wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Every legal move.
    All,
    /// Captures and queen promotions.
    Noisy,
}

/// The stage that a move comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The move of the transposition table.
    Table,
    /// Noisy moves are to be generated.
    RankNoisy,
    /// Captures and promotions that seem to lose nothing.
    GoodNoisy,
    /// Quiet moves are to be generated.
    RankQuiet,
    /// Quiet moves.
    Quiet,
    /// Captures and promotions that lose material.
    BadNoisy,
}

/// A move, and where it was found. Small enough to be returned in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picked {
    /// The move.
    pub mv: Move,
    /// The stage that it comes from.
    pub stage: Stage,
    /// What it was chosen by in the stages of good noisy moves and quiet moves, else 0; for a quiet move what the
    /// histories say with what danger and check add.
    pub rank: i32,
}

/// Gives the moves of one node, the most promising first, each legal move once.
pub struct Picker {
    wanted: Wanted,
    stage: Stage,
    table_move: Option<Move>,
    context: Context,
    moves: MoveList,
    /// The key of each of the moves; beside them, so that many can be compared at once.
    keys: ArrayVec<i32, 256>,
    /// Noisy moves put off, in the order they were found bad.
    bad: MoveList,
    /// Bad moves that have been given.
    bad_given: usize,
}

impl Picker {
    /// `table_move` must be legal; it comes first.
    pub fn new(wanted: Wanted, table_move: Option<Move>, context: Context) -> Picker {
        Picker {
            wanted,
            stage: Stage::Table,
            table_move: table_move.filter(|mv| wanted == Wanted::All || mv.is_noisy()),
            context,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad: MoveList::new(),
            bad_given: 0,
        }
    }

    /// The next move.
    #[inline]
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Picked> {
        loop {
            let found = match self.stage {
                Stage::Table => {
                    self.stage = Stage::RankNoisy;
                    if let Some(mv) = self.table_move {
                        return Some(Picked { mv, stage: Stage::Table, rank: 0 });
                    }
                    continue;
                }
                Stage::RankNoisy => {
                    self.rank_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                    continue;
                }
                Stage::GoodNoisy => self.next_good(position),
                Stage::RankQuiet => {
                    self.rank_quiet(position, histories);
                    self.stage = Stage::Quiet;
                    continue;
                }
                Stage::Quiet => self.best_left(),
                Stage::BadNoisy => {
                    let mv = self.bad.get(self.bad_given).copied();
                    self.bad_given += 1;
                    return mv.map(|mv| Picked { mv, stage: Stage::BadNoisy, rank: 0 });
                }
            };
            if let Some((mv, rank)) = found {
                return Some(Picked { mv, stage: self.stage, rank });
            }
            self.end_stage();
        }
    }

    /// Leaves out the quiet moves that have not been given yet.
    #[inline]
    pub fn skip_quiets(&mut self) {
        match self.stage {
            Stage::Quiet => self.end_stage(),
            Stage::BadNoisy => {}
            _ => self.wanted = Wanted::Noisy,
        }
    }

    /// Leaves out the quiet moves that have not been given yet, but those of a piece that attacks the king from where it goes.
    #[inline(never)]
    pub fn skip_without_check(&mut self, position: &Position) {
        let checks = position.check_squares();
        for (key, mv) in self.keys.iter_mut().zip(&self.moves) {
            let kind = position.piece_on(mv.from()).map_or(PieceType::King, |piece| piece.piece_type());
            if !checks[kind.index()].contains(mv.to()) {
                *key = GIVEN;
            }
        }
    }

    fn end_stage(&mut self) {
        self.stage = match self.stage {
            Stage::GoodNoisy if self.wanted == Wanted::All => Stage::RankQuiet,
            _ => Stage::BadNoisy,
        };
    }

    /// The best noisy move that does not lose material; the others are put off.
    fn next_good(&mut self, position: &Position) -> Option<(Move, i32)> {
        while let Some((mv, rank)) = self.best_left() {
            if position.see_ge(mv, -rank / good_capture_history()) {
                return Some((mv, rank));
            }
            self.bad.push(mv);
        }
        None
    }

    /// Takes the highest-ranked move that is left, and of equals the first, without sorting: most nodes look at few moves.
    #[inline]
    fn best_left(&mut self) -> Option<(Move, i32)> {
        let best = self.keys.iter().copied().max().filter(|&best| best != GIVEN)?;
        let place = (PLACES - (best & PLACES)) as usize;
        *self.keys.get_mut(place)? = GIVEN;
        Some((*self.moves.get(place)?, best >> PLACE_BITS))
    }

    // Not inlined, nor is the next: their registers would be saved for every move that is picked.
    #[inline(never)]
    fn rank_noisy(&mut self, position: &Position, histories: &Histories) {
        self.generate(Generate::Noisy, position, |mv| {
            let gain = captured(position, mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
            let promotion = mv.promotion().map_or(0, |kind| SEE_VALUES[kind.index()]);
            let under =
                matches!(mv.promotion(), Some(PieceType::Knight | PieceType::Bishop | PieceType::Rook));
            let value = if under { gain - SEE_VALUES[PieceType::Queen.index()] } else { gain + promotion };
            histories.noisy(position, mv) + value * capture_value_weight()
        });
    }

    /// By history, and by what a lesser piece may take or a check may do, which history cannot foresee (Stockfish 2022).
    #[inline(never)]
    fn rank_quiet(&mut self, position: &Position, histories: &Histories) {
        let context = self.context;
        let checks = position.check_squares();
        let dangers = PieceType::ALL.map(|kind| context.threats.by_lesser(kind));
        let quiets = histories.quiets(position, &context);
        quiets.prefetch(position.side_to_move());
        self.generate(Generate::Quiet, position, |mv| {
            let Some(piece) = position.piece_on(mv.from()) else { return 0 };
            let kind = piece.piece_type().index();
            let checks = checks[kind].contains(mv.to()) && (!context.exposes(mv) || position.see_ge(mv, -75));
            let (worth, danger) = (SEE_VALUES[kind], dangers[kind]);
            quiets.sum(mv, Moved::by(piece, mv))
                + i32::from(checks) * check_bonus()
                + i32::from(danger.contains(mv.from())) * worth * escape_weight()
                - i32::from(danger.contains(mv.to())) * worth * enter_weight()
        });
    }

    /// Ranks must fit into what a key leaves beside the place.
    #[inline(always)]
    fn generate(&mut self, which: Generate, position: &Position, rank: impl Fn(Move) -> i32) {
        self.moves.clear();
        position.generate(which, &mut self.moves);
        let key = |(&mv, place): (&Move, i32)| {
            let rank = rank(mv);
            debug_assert!(rank.abs() < 1 << (31 - PLACE_BITS));
            rank << PLACE_BITS | place
        };
        self.keys.clear();
        // With an inclusive range it took 72 instructions a node more.
        self.keys.extend(self.moves.iter().zip((0..PLACES + 1).rev()).map(key));
        if let Some(table_move) = self.table_move
            && let Some(given) = self.moves.iter().position(|&mv| mv == table_move)
        {
            self.keys[given] = GIVEN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(fen: &str, wanted: Wanted, table_move: Option<&str>) -> Vec<Picked> {
        let position: Position = fen.parse().unwrap();
        let table_move = table_move.map(|text| position.parse_uci(text).unwrap());
        let mut picker = Picker::new(wanted, table_move, Context::NOTHING);
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(&position, &histories)).collect()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_once() {
        for table_move in [None, Some("e1g1"), Some("e2a6")] {
            let mut moves: Vec<u16> =
                picked(KIWIPETE, Wanted::All, table_move).iter().map(|m| m.mv.bits()).collect();
            let position: Position = KIWIPETE.parse().unwrap();
            let mut legal: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            moves.sort_unstable();
            legal.sort_unstable();
            assert_eq!(moves, legal);
        }
    }

    #[test]
    fn stages_come_in_order_and_losing_captures_last() {
        let moves = picked(KIWIPETE, Wanted::All, Some("e1g1"));
        assert!(moves.is_sorted_by_key(|m| m.stage));
        assert_eq!(moves[0].stage, Stage::Table);
        let losing = moves.iter().find(|m| format!("{:?}", m.mv) == "f3f6").unwrap();
        assert_eq!(losing.stage, Stage::BadNoisy);
    }

    #[test]
    fn noisy_only_gives_no_quiet_move() {
        let moves = picked(KIWIPETE, Wanted::Noisy, Some("e1g1"));
        assert_eq!(moves.len(), 8);
        assert!(moves.iter().all(|m| m.mv.is_noisy()));
    }

    #[test]
    fn quiets_that_give_no_check_can_be_left_out() {
        let position: Position = "8/8/8/8/3RN3/7k/7p/7K w - - 0 1".parse().unwrap();
        let histories = Histories::new();
        let mut picker = Picker::new(Wanted::All, None, Context::NOTHING);
        let first =
            std::iter::from_fn(|| picker.next(&position, &histories)).find(|m| m.stage == Stage::Quiet);
        picker.skip_without_check(&position);
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
            let mut picker = Picker::new(Wanted::All, None, Context::NOTHING);
            let histories = Histories::new();
            for _ in 0..after {
                picker.next(&position, &histories);
            }
            picker.skip_quiets();
            assert!(std::iter::from_fn(|| picker.next(&position, &histories)).all(|m| m.mv.is_noisy()));
        }
    }
}
