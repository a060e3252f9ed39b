//! The inputs of the network ("features"): the pieces on their squares as one side sees them, and the inputs that a move
//! changes.
//!
//! A perspective has the own pieces first, is turned so that the side plays up the board, and is mirrored so that its
//! king stands on files e to h. Each king bucket has inputs of its own (after Yu Nasu's networks of 2018, HalfKP, which
//! have a set for each square of the king): a danger to a king on g1 is none to one on e5.

use super::threats::Threat;
use crate::architecture::{
    FILE_PAIR_INPUTS, FILE_PAWNS, KING_BUCKET, KING_BUCKET_INPUTS, KING_BUCKETS, NEIGHBOUR_PAIR_INPUTS,
    THREAT_CLASS_INPUTS,
};
use chess::{Color, Move, Piece, PieceType, Position, Square};

/// The refresh keys: one for each mapping from pieces on squares to inputs, each king bucket plain and mirrored.
pub const REFRESH_KEYS: usize = 2 * KING_BUCKETS;

/// The board as one side sees it: its mapping from a piece on a square to an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    flip: usize,
    king_bucket: usize,
}

impl Perspective {
    /// The perspective of `color`, whose king stands on `king`.
    #[inline(always)]
    pub const fn new(color: Color, king: Square) -> Perspective {
        let ranks = color as usize * 56;
        let king_bucket = KING_BUCKET[king as usize ^ ranks] as usize;
        let files = if (king as usize) & 4 == 0 { 7 } else { 0 };
        Perspective { color, flip: ranks ^ files, king_bucket }
    }

    /// Both perspectives of a position, White's first.
    #[inline(always)]
    pub fn both(position: &Position) -> [Perspective; 2] {
        Color::ALL.map(|color| Perspective::new(color, position.king(color)))
    }

    /// The side that sees.
    #[inline(always)]
    pub const fn color(self) -> Color {
        self.color
    }

    /// The number of a square is combined with this by exclusive or: 56 turns the ranks round, 7 mirrors the files.
    #[inline(always)]
    pub const fn flip(self) -> usize {
        self.flip
    }

    /// The king bucket, below [`KING_BUCKETS`].
    #[inline(always)]
    pub const fn king_bucket(self) -> usize {
        self.king_bucket
    }

    /// The number of its mapping, below [`REFRESH_KEYS`]. While it stays the same, a piece on a square stays the same input,
    /// and an accumulator can be updated instead of refreshed.
    #[inline(always)]
    pub const fn refresh_key(self) -> usize {
        2 * self.king_bucket + self.flip % 2
    }

    /// The first input of its king bucket.
    #[inline(always)]
    pub const fn first_input(self) -> usize {
        self.king_bucket * KING_BUCKET_INPUTS
    }

    /// The input of `piece` on `square`, below [`INPUTS`](crate::architecture::INPUTS).
    #[inline(always)]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        self.first_input() + first_input_of(self.color, piece) + (square as usize ^ self.flip)
    }

    /// The threat input of an attacked piece, below [`THREAT_INPUTS`](crate::architecture::THREAT_INPUTS).
    #[inline(always)]
    pub const fn threat_input(self, threat: Threat) -> usize {
        let Threat { piece, square, class } = threat;
        // Own pieces from pawn to queen, then the opponent's.
        let first = first_input_of(self.color, piece);
        let first = if first < 6 * 64 { first } else { first - 64 };
        class * THREAT_CLASS_INPUTS + first + (square as usize ^ self.flip)
    }

    /// A square with a piece of `color` as it is seen from here: 0 to 63 for an own one, 64 more for the opponent's.
    #[inline(always)]
    pub const fn relative(self, (color, square): (Color, Square)) -> usize {
        (color as usize ^ self.color as usize) << 6 | (square as usize ^ self.flip)
    }

    /// The inputs of a pawn and any other on the same file or a neighbouring one, by [`Self::relative`] of that pawn; below
    /// [`PAWN_PAIR_INPUTS`](crate::architecture::PAWN_PAIR_INPUTS).
    #[inline(always)]
    pub fn pawn_pair_inputs(self, pawn: (Color, Square)) -> &'static [u16; 128] {
        &PAWN_PAIR_INPUT_TABLE[self.relative(pawn)]
    }

    /// The input of two such pawns; in either order the same.
    #[inline(always)]
    pub fn pawn_pair_input(self, one: (Color, Square), other: (Color, Square)) -> usize {
        self.pawn_pair_inputs(one)[self.relative(other)].into()
    }
}

/// The inputs of two pawns by [`Perspective::relative`] of both; `u16::MAX` where there is none.
static PAWN_PAIR_INPUT_TABLE: [[u16; 128]; 128] = {
    let mut table = [[u16::MAX; 128]; 128];
    let mut one = 0;
    while one < 128 {
        let mut other = 0;
        while other < 128 {
            if let Some(input) = pawn_pair_input_of(one, other) {
                table[one][other] = input as u16;
            }
            other += 1;
        }
        one += 1;
    }
    table
};

/// The input of two pawns by [`Perspective::relative`] of both.
const fn pawn_pair_input_of(one: usize, other: usize) -> Option<usize> {
    let ((file, low), (other_file, high)) = match (pawn_place(one), pawn_place(other)) {
        (Some(one), Some(other)) if one.0 < other.0 || one.0 == other.0 && one.1 < other.1 => (one, other),
        (Some(one), Some(other)) => (other, one),
        _ => return None,
    };
    if file == other_file && low < high {
        Some(file * FILE_PAIR_INPUTS + high * (high - 1) / 2 + low)
    } else if file + 1 == other_file {
        Some(8 * FILE_PAIR_INPUTS + file * NEIGHBOUR_PAIR_INPUTS + low * FILE_PAWNS + high)
    } else {
        None
    }
}

/// The file of a pawn, and its number among those of a file: own pawns first, from the second rank on.
const fn pawn_place(relative: usize) -> Option<(usize, usize)> {
    let (owner, square) = (relative / 64, relative % 64);
    match square / 8 {
        rank @ 1..=6 => Some((square % 8, FILE_PAWNS / 2 * owner + rank - 1)),
        _ => None,
    }
}

/// The first of the 64 inputs of `piece` as `color` sees it, counted from the first input of the king bucket: own pieces
/// before the opponent's, pawn to king.
#[inline(always)]
pub const fn first_input_of(color: Color, piece: Piece) -> usize {
    // All White's pieces come first among the pieces, and the own ones first among the inputs.
    let index = piece.index() + 6 * color as usize;
    64 * if index < 12 { index } else { index - 12 }
}

/// The difference that a move makes: `add` is added to the accumulator, `sub` subtracted from it. `T` is a piece on a
/// square, its input, or the weights of that input.
#[derive(Clone, Copy, Debug)]
pub enum FeatureDelta<T> {
    /// Nothing: a null move.
    Nothing,
    /// A quiet move or a promotion without capture.
    Move {
        /// The piece where it lands.
        add: T,
        /// The piece where it stood.
        sub: T,
    },
    /// A capture.
    Capture {
        /// The piece where it lands.
        add: T,
        /// The piece where it stood, and the captured piece.
        sub: [T; 2],
    },
    /// King and rook.
    Castling {
        /// King and rook where they land.
        add: [T; 2],
        /// King and rook where they stood.
        sub: [T; 2],
    },
}

impl<T> FeatureDelta<T> {
    /// What is subtracted.
    #[inline(always)]
    pub fn removed(&self) -> &[T] {
        match self {
            FeatureDelta::Nothing => &[],
            FeatureDelta::Move { sub, .. } => std::slice::from_ref(sub),
            FeatureDelta::Capture { sub, .. } | FeatureDelta::Castling { sub, .. } => sub,
        }
    }

    /// What is added.
    #[inline(always)]
    pub fn added(&self) -> &[T] {
        match self {
            FeatureDelta::Nothing => &[],
            FeatureDelta::Move { add, .. } | FeatureDelta::Capture { add, .. } => std::slice::from_ref(add),
            FeatureDelta::Castling { add, .. } => add,
        }
    }

    /// The same difference with each item converted.
    #[inline(always)]
    pub fn map<U>(self, each: impl Fn(T) -> U) -> FeatureDelta<U> {
        match self {
            FeatureDelta::Nothing => FeatureDelta::Nothing,
            FeatureDelta::Move { add, sub } => FeatureDelta::Move { add: each(add), sub: each(sub) },
            FeatureDelta::Capture { add, sub } => {
                FeatureDelta::Capture { add: each(add), sub: sub.map(each) }
            }
            FeatureDelta::Castling { add, sub } => {
                FeatureDelta::Castling { add: add.map(&each), sub: sub.map(&each) }
            }
        }
    }
}

impl FeatureDelta<(Piece, Square)> {
    /// The difference that a legal move makes to the board.
    #[inline(always)]
    pub fn of_move(before: &Position, mv: Move) -> FeatureDelta<(Piece, Square)> {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = before.piece_on(from) else { return FeatureDelta::Nothing };
        if mv.is_castling() {
            let rook = Piece::new(piece.color(), PieceType::Rook);
            let add = [(piece, mv.destination()), (rook, mv.castling_side().rook_target(piece.color()))];
            return FeatureDelta::Castling { add, sub: [(piece, from), (rook, to)] };
        }
        let add = (mv.promotion().map_or(piece, |kind| Piece::new(piece.color(), kind)), to);
        let sub = (piece, from);
        if !mv.is_capture() {
            return FeatureDelta::Move { add, sub };
        }
        let square = mv.capture_square();
        match before.piece_on(square) {
            Some(victim) => FeatureDelta::Capture { add, sub: [sub, (victim, square)] },
            None => FeatureDelta::Move { add, sub },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perspective_sees_its_own_pieces_first_and_its_king_on_the_right() {
        let white = Perspective::new(Color::White, Square::E1);
        assert_eq!(white.input(Piece::WhitePawn, Square::A2), 8);
        assert_eq!(white.input(Piece::BlackKing, Square::E8), 384 + 5 * 64 + 60);
        let mirrored = Perspective::new(Color::Black, Square::D8);
        assert_eq!((white.refresh_key(), mirrored.refresh_key()), (0, 1));
        assert_eq!(mirrored.input(Piece::BlackKing, Square::D8), 5 * 64 + 4);
        assert_eq!(mirrored.input(Piece::WhiteRook, Square::A1), 384 + 3 * 64 + 63);
        let castled = Perspective::new(Color::Black, Square::G8);
        assert_eq!(castled.input(Piece::BlackPawn, Square::G7), 2 * KING_BUCKET_INPUTS + 14);
    }

    #[test]
    fn inputs_are_the_same_exactly_where_the_mapping_is() {
        for color in Color::ALL {
            let perspectives = Square::ALL.into_iter().map(|king| Perspective::new(color, king));
            let mappings: std::collections::BTreeSet<usize> =
                perspectives.clone().map(Perspective::refresh_key).collect();
            assert!(mappings.into_iter().eq(0..REFRESH_KEYS));
            for a in perspectives.clone() {
                for b in perspectives.clone() {
                    let input = |of: Perspective| of.input(Piece::WhiteKnight, Square::C6);
                    assert_eq!(input(a) == input(b), a.refresh_key() == b.refresh_key());
                }
            }
        }
    }
}
