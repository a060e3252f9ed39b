//! Castling rights, for standard chess and Chess960 alike.

use super::square::{Color, File, Rank, Square};

/// The side of the board to which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the H file: king to G, rook to F.
    King,
    /// Towards the A file: king to C, rook to D.
    Queen,
}

impl CastlingSide {
    /// King's side, then queen's side.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The square of the king of `color` after castling.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The square of the rook of `color` after castling.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }
}

/// The castling rights of both colours: for each side of the board the file of the rook that may still castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights { files: [[None; 2]; 2] };

    /// The file of the rook with which `color` may castle to `castling_side`.
    #[inline(always)]
    pub const fn rook_file(&self, color: Color, castling_side: CastlingSide) -> Option<File> {
        self.files[color as usize][castling_side as usize]
    }

    /// The square of the rook with which `color` may castle to `castling_side`.
    #[inline(always)]
    pub fn rook_square(&self, color: Color, castling_side: CastlingSide) -> Option<Square> {
        self.rook_file(color, castling_side).map(|file| Square::new(file, Rank::R1.relative_to(color)))
    }

    /// Sets the right with the rook on a file (`Some`), or removes the right (`None`).
    #[inline(always)]
    pub fn set(&mut self, color: Color, castling_side: CastlingSide, rook: Option<File>) {
        self.files[color as usize][castling_side as usize] = rook;
    }

    /// Removes both rights of `color`.
    #[inline(always)]
    pub fn clear(&mut self, color: Color) {
        self.files[color as usize] = [None; 2];
    }

    /// Removes the right of `color` that uses the rook on `square`, if there is one.
    #[inline(always)]
    pub fn clear_rook(&mut self, color: Color, square: Square) {
        if square.rank() == Rank::R1.relative_to(color) {
            for right in &mut self.files[color as usize] {
                if *right == Some(square.file()) {
                    *right = None;
                }
            }
        }
    }

    /// True if `color` has a castling right.
    #[inline(always)]
    pub fn any(&self, color: Color) -> bool {
        self.files[color as usize] != [None; 2]
    }

    /// True if neither colour has a castling right.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        *self == CastlingRights::NONE
    }

    /// The four rights as bits: white king side 1, white queen side 2, black king side 4, black queen side 8.
    #[inline(always)]
    pub fn mask(&self) -> usize {
        let [[white_king, white_queen], [black_king, black_queen]] = self.files;
        usize::from(white_king.is_some())
            | usize::from(white_queen.is_some()) << 1
            | usize::from(black_king.is_some()) << 2
            | usize::from(black_queen.is_some()) << 3
    }
}
