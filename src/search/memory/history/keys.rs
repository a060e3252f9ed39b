//! The keys by which histories are looked up: of a node, and of its moves.

use chess::{Color, Move, Piece, PieceType, Position, SEE_VALUES, Threats};
use std::ops::Range;

/// A piece and the square it moves to: the index of continuation and pawn history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(pub(super) u16);

impl PieceTo {
    /// The number of different values.
    pub const COUNT: usize = 12 * 64 + 1;
    /// A null move, or a ply before the root.
    pub const NONE: PieceTo = PieceTo(12 * 64);

    /// Piece and target of a move of `position`.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move) -> PieceTo {
        position.piece_on(mv.from()).map_or(PieceTo::NONE, |piece| PieceTo::by(piece, mv))
    }

    /// Target of a move by `piece`.
    #[inline(always)]
    pub fn by(piece: Piece, mv: Move) -> PieceTo {
        PieceTo((piece.index() * 64 + mv.destination().index()) as u16)
    }

    /// The indices of `piece`.
    #[inline(always)]
    pub(super) fn of_piece(piece: Piece) -> Range<usize> {
        let first = piece.index() * 64;
        first..first + 64
    }

    /// The number of different values of [`Self::index_of_side`].
    pub const COUNT_OF_SIDE: usize = 6 * 64 + 1;

    /// The index among the pieces of one side, for tables whose rows know the side: below [`Self::COUNT_OF_SIDE`].
    #[inline(always)]
    pub fn index_of_side(self) -> usize {
        let index = self.index();
        if index < 6 * 64 { index } else { index - 6 * 64 }
    }

    /// The index, below [`Self::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Continuation history looks this many plies back: at the opponent's last two moves, and at our last three.
pub const CONT_HIST_PLIES: [usize; 5] = [1, 2, 3, 4, 6];

/// The moves that led to a node, [`CONT_HIST_PLIES`] back.
pub type ContHistKeys = [PieceTo; CONT_HIST_PLIES.len()];

/// The part of a node by which the histories of its moves are looked up.
#[derive(Clone, Copy)]
pub struct HistoryContext {
    /// The moves that led to the node.
    pub cont_hist_keys: ContHistKeys,
    /// The squares that the opponent attacks.
    pub threats: Threats,
}

impl HistoryContext {
    /// No moves before and no threats.
    pub const NONE: HistoryContext =
        HistoryContext { cont_hist_keys: [PieceTo::NONE; CONT_HIST_PLIES.len()], threats: Threats::NONE };

    /// True if the move leaves or enters an attacked square, or is en passant, which opens a third line: no other loses
    /// material by exchange.
    #[inline(always)]
    pub fn may_lose_material(&self, mv: Move) -> bool {
        self.threat_index(mv) != 0 || mv.is_en_passant()
    }

    /// Bit 0: the move leaves an attacked square; bit 1: it enters one.
    #[inline(always)]
    pub(super) fn threat_index(&self, mv: Move) -> usize {
        usize::from(self.threats.all.contains(mv.from()))
            | usize::from(self.threats.all.contains(mv.to())) << 1
    }
}

/// A quiet move with the keys of its histories.
#[derive(Clone, Copy)]
pub struct QuietMove {
    mv: Move,
    pub(super) piece_to: PieceTo,
    threat_index: u8,
    side: Color,
    pub(super) pawns: u16,
}

impl QuietMove {
    /// Move `mv` of `position`.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move, context: &HistoryContext) -> QuietMove {
        QuietMove {
            mv,
            piece_to: PieceTo::new(position, mv),
            threat_index: context.threat_index(mv) as u8,
            side: position.side_to_move(),
            pawns: pawn_slot(position) as u16,
        }
    }

    /// The indices of its butterfly entry.
    #[inline(always)]
    pub(super) fn butterfly(&self) -> [usize; 4] {
        [self.side.index(), self.threat_index as usize, self.mv.from().index(), self.mv.to().index()]
    }
}

/// A capture or queen promotion with the keys of its history.
#[derive(Clone, Copy)]
pub struct NoisyMove {
    pub(super) piece: usize,
    pub(super) target: usize,
    pub(super) captured: usize,
}

impl NoisyMove {
    /// Move `mv` of `position`.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move) -> NoisyMove {
        NoisyMove {
            piece: position.piece_on(mv.from()).map_or(0, Piece::index),
            target: mv.to().index(),
            captured: captured(position, mv).unwrap_or(PieceType::King).index(),
        }
    }
}

/// Rows of pawn history; a power of two.
pub(super) const PAWN_SLOTS: usize = 4096;

#[inline(always)]
pub(super) fn pawn_slot(position: &Position) -> usize {
    position.pawn_key() as usize & (PAWN_SLOTS - 1)
}

/// The type of the piece that a move takes, if it takes one.
#[inline(always)]
fn captured(position: &Position, mv: Move) -> Option<PieceType> {
    match mv.is_en_passant() {
        true => Some(PieceType::Pawn),
        false if mv.is_capture() => position.piece_on(mv.to()).map(Piece::piece_type),
        false => None,
    }
}

/// The value of the piece that a move takes, in centipawns; 0 if it takes none.
#[inline(always)]
pub fn captured_value(position: &Position, mv: Move) -> i32 {
    captured(position, mv).map_or(0, |piece_type| SEE_VALUES[piece_type.index()])
}
