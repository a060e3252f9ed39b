//! Castling rights, for standard chess and Chess960 alike.

use super::square::{Color, File, Rank, Square};
use super::text::{ParseError, named};
use std::fmt;
use std::str::FromStr;

/// The side of the board to which the king castles.
///
/// ```
/// use tamarack_chess::CastlingSide;
/// assert_eq!(CastlingSide::ALL, [CastlingSide::King, CastlingSide::Queen]);
/// assert_eq!((CastlingSide::Queen.to_string(), "O-O".parse()), ("O-O-O".into(), Ok(CastlingSide::King)));
/// ```
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
    ///
    /// ```
    /// use tamarack_chess::{CastlingSide, Color, Square};
    /// assert_eq!(CastlingSide::Queen.king_target(Color::Black), Square::C8);
    /// ```
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The square of the rook of `color` after castling.
    ///
    /// ```
    /// use tamarack_chess::{CastlingSide, Color, Square};
    /// assert_eq!(CastlingSide::Queen.rook_target(Color::Black), Square::D8);
    /// ```
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }
}

impl fmt::Display for CastlingSide {
    /// As SAN spells it: `O-O` or `O-O-O`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        })
    }
}

impl FromStr for CastlingSide {
    type Err = ParseError;

    /// Reads `O-O` or `O-O-O`.
    fn from_str(text: &str) -> Result<CastlingSide, ParseError> {
        let side = CastlingSide::ALL.into_iter().find(|side| side.to_string() == text);
        named(side, "side to castle", text)
    }
}

/// The castling rights of both colours: for each side of the board the file of the rook that may still castle.
///
/// ```
/// use tamarack_chess::{CastlingSide, Color, File, Position};
/// let position: Position = "1r2k1r1/8/8/8/8/8/8/4K3 b gb - 0 1".parse()?; // Chess960
/// assert_eq!(position.castling().rook_file(Color::Black, CastlingSide::Queen), Some(File::B));
/// assert!(!position.castling().any(Color::White));
/// # Ok::<(), tamarack_chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights { files: [[None; 2]; 2] };

    /// The file of the rook with which `color` may castle to `castling_side`.
    ///
    /// ```
    /// use tamarack_chess::{CastlingSide, Color, File, Position};
    /// let start = Position::startpos();
    /// assert_eq!(start.castling().rook_file(Color::White, CastlingSide::King), Some(File::H));
    /// ```
    #[inline(always)]
    pub const fn rook_file(&self, color: Color, castling_side: CastlingSide) -> Option<File> {
        self.files[color as usize][castling_side as usize]
    }

    /// The square of the rook with which `color` may castle to `castling_side`.
    ///
    /// ```
    /// use tamarack_chess::{CastlingSide, Color, Position, Square};
    /// let start = Position::startpos();
    /// assert_eq!(start.castling().rook_square(Color::Black, CastlingSide::King), Some(Square::H8));
    /// ```
    #[inline(always)]
    pub fn rook_square(&self, color: Color, castling_side: CastlingSide) -> Option<Square> {
        self.rook_file(color, castling_side).map(|file| Square::new(file, Rank::R1.relative_to(color)))
    }

    /// Sets the right with the rook on a file (`Some`), or removes the right (`None`).
    ///
    /// ```
    /// use tamarack_chess::{CastlingRights, CastlingSide, Color, File};
    /// let mut rights = CastlingRights::NONE;
    /// rights.set(Color::White, CastlingSide::Queen, Some(File::B)); // Chess960
    /// assert!(rights.any(Color::White) && !rights.any(Color::Black));
    /// ```
    #[inline(always)]
    pub fn set(&mut self, color: Color, castling_side: CastlingSide, rook: Option<File>) {
        self.files[color as usize][castling_side as usize] = rook;
    }

    /// Removes both rights of `color`.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// let mut rights = *Position::startpos().castling();
    /// rights.clear(Color::White);
    /// assert_eq!(rights.mask(), 0b1100);
    /// ```
    #[inline(always)]
    pub fn clear(&mut self, color: Color) {
        self.files[color as usize] = [None; 2];
    }

    /// Removes the right of `color` that uses the rook on `square`, if there is one.
    ///
    /// ```
    /// use tamarack_chess::{Color, Position, Square};
    /// let mut rights = *Position::startpos().castling();
    /// rights.clear_rook(Color::White, Square::H1);
    /// assert_eq!(rights.mask(), 0b1110);
    /// ```
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
    ///
    /// ```
    /// use tamarack_chess::{Color, Position};
    /// assert!(Position::startpos().castling().any(Color::Black));
    /// ```
    #[inline(always)]
    pub fn any(&self, color: Color) -> bool {
        self.files[color as usize] != [None; 2]
    }

    /// True if neither colour has a castling right.
    ///
    /// ```
    /// use tamarack_chess::CastlingRights;
    /// assert!(CastlingRights::NONE.is_empty());
    /// ```
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        *self == CastlingRights::NONE
    }

    /// The four rights as bits: white king side 1, white queen side 2, black king side 4, black queen side 8.
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// assert_eq!(Position::startpos().castling().mask(), 0b1111);
    /// ```
    #[inline(always)]
    pub fn mask(&self) -> usize {
        let [[white_king, white_queen], [black_king, black_queen]] = self.files;
        usize::from(white_king.is_some())
            | usize::from(white_queen.is_some()) << 1
            | usize::from(black_king.is_some()) << 2
            | usize::from(black_queen.is_some()) << 3
    }
}
