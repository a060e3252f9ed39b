//! Castling rights, for standard chess and Chess960 alike.

use super::square::{Color, File, Rank, Square};

/// The wing towards which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the H file: king to G, rook to F.
    King,
    /// Towards the A file: king to C, rook to D.
    Queen,
}

impl CastlingSide {
    /// King's wing, then queen's wing.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// Where the king of `color` stands after castling.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// Where the rook of `color` stands after castling.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }
}

/// For each side and wing the file of the rook that may still castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights { files: [[None; 2]; 2] };

    /// The file of the rook with which `color` may castle on `wing`.
    #[inline(always)]
    pub const fn rook_file(&self, color: Color, wing: CastlingSide) -> Option<File> {
        self.files[color as usize][wing as usize]
    }

    /// The square of the rook with which `color` may castle on `wing`.
    #[inline(always)]
    pub fn rook_square(&self, color: Color, wing: CastlingSide) -> Option<Square> {
        self.rook_file(color, wing).map(|file| Square::new(file, Rank::R1.relative_to(color)))
    }

    /// Gives (`Some`) or takes (`None`) a right.
    #[inline(always)]
    pub fn set(&mut self, color: Color, wing: CastlingSide, rook: Option<File>) {
        self.files[color as usize][wing as usize] = rook;
    }

    /// Takes both rights of `color`.
    #[inline(always)]
    pub fn clear(&mut self, color: Color) {
        self.files[color as usize] = [None; 2];
    }

    /// Takes the right of `color` that uses the rook on `square`, if there is one.
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

    /// Whether `color` may still castle on some wing.
    #[inline(always)]
    pub fn any(&self, color: Color) -> bool {
        self.files[color as usize] != [None; 2]
    }

    /// Whether nobody may castle any more.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        *self == CastlingRights::NONE
    }

    /// A number below 16 that tells which of the four rights exist, for hashing.
    #[inline(always)]
    pub fn mask(&self) -> usize {
        let [[white_king, white_queen], [black_king, black_queen]] = self.files;
        usize::from(white_king.is_some())
            | usize::from(white_queen.is_some()) << 1
            | usize::from(black_king.is_some()) << 2
            | usize::from(black_queen.is_some()) << 3
    }
}
