//! The inputs of the network: how one side sees the board.
//!
//! A view has the own men first, turned so that the side plays up the board, and mirrored so that its king stands on
//! files e to h. Each area in which the own king may stand has inputs of its own (king buckets, from Yu Nasu's nets of
//! 2018): what is a danger to a king on g1 is none to one on e5.

use crate::chess::{Color, Piece, Square};

/// Inputs of one view while the king stays in its area: two colours, six kinds, 64 squares.
pub const AREA_INPUTS: usize = 768;
/// Areas that a king may stand in.
pub const AREAS: usize = 7;
/// Inputs of one view: for each area those of all men.
pub const INPUTS: usize = AREAS * AREA_INPUTS;
/// What a view can look like: in each area as it is and mirrored.
pub const FRAMES: usize = 2 * AREAS;

/// The area of a king on files e to h, from the first rank up. More of them where kings stand more often.
const HALF_BOARD: [[u8; 4]; 8] = [
    [0, 1, 2, 2],
    [3, 3, 4, 4],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
];

/// The area of White's king by square; squares of Black's are mirrored top to bottom.
const AREA: [u8; 64] = {
    let mut areas = [0; 64];
    let mut square = 0;
    while square < 64 {
        let file = square % 8;
        let from_e = if file < 4 { 3 - file } else { file - 4 };
        areas[square] = HALF_BOARD[square / 8][from_e];
        square += 1;
    }
    areas
};

/// How one side looks at the board: what is done to a square, and where its own men begin among the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    turn: usize,
    area: usize,
}

impl View {
    /// The view of `color` whose king stands on `king`.
    #[inline(always)]
    pub const fn new(color: Color, king: Square) -> View {
        let turn = color as usize * 56;
        let area = AREA[king as usize ^ turn] as usize;
        let mirror = if (king as usize) & 4 == 0 { 7 } else { 0 };
        View { color, turn: turn ^ mirror, area }
    }

    /// Whose view it is.
    #[inline(always)]
    pub const fn color(self) -> Color {
        self.color
    }

    /// Which of the [`FRAMES`] it has. As long as it stays the same, a man on a square is the same input.
    #[inline(always)]
    pub const fn frame(self) -> usize {
        2 * self.area + self.turn % 2
    }

    /// The area of its king, below [`AREAS`].
    #[inline(always)]
    pub const fn area(self) -> usize {
        self.area
    }

    /// The input that stands for `piece` on `square`, below [`INPUTS`].
    #[inline(always)]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        // White's pieces come first among all pieces, and the own ones first among the inputs.
        let index = piece.index() + 6 * self.color as usize;
        let index = if index < 12 { index } else { index - 12 };
        self.area * AREA_INPUTS + index * 64 + (square as usize ^ self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_sees_its_own_men_first_and_its_king_on_the_right() {
        let white = View::new(Color::White, Square::E1);
        assert_eq!(white.input(Piece::WhitePawn, Square::A2), 8);
        assert_eq!(white.input(Piece::BlackKing, Square::E8), 384 + 5 * 64 + 60);
        let mirrored = View::new(Color::Black, Square::D8);
        assert_eq!((white.frame(), mirrored.frame()), (0, 1));
        assert_eq!(mirrored.input(Piece::BlackKing, Square::D8), 5 * 64 + 4);
        assert_eq!(mirrored.input(Piece::WhiteRook, Square::A1), 384 + 3 * 64 + 63);
        let castled = View::new(Color::Black, Square::G8);
        assert_eq!(castled.input(Piece::BlackPawn, Square::G7), 2 * AREA_INPUTS + 14);
    }

    #[test]
    fn what_is_seen_changes_with_the_frame_alone() {
        for color in Color::ALL {
            let views = Square::ALL.into_iter().map(|king| View::new(color, king));
            let frames: std::collections::BTreeSet<usize> = views.clone().map(View::frame).collect();
            assert_eq!(frames.len(), FRAMES);
            for a in views.clone() {
                for b in views.clone() {
                    let same =
                        a.input(Piece::WhiteKnight, Square::C6) == b.input(Piece::WhiteKnight, Square::C6);
                    assert_eq!(same, a.frame() == b.frame());
                }
            }
        }
    }
}
