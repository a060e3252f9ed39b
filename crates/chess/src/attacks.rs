//! Attack sets of every piece, the squares between two squares, and the rays through them. Sliders are looked up by magic
//! bitboards, everything else in tables. All tables are filled at compile time.
//!
//! ```
//! use tamarack_chess::attacks::{between, rook_attacks};
//! use tamarack_chess::{Bitboard, Square};
//! let occupied = Bitboard::of(Square::E6);
//! assert!(rook_attacks(Square::E1, occupied).contains(Square::E6));
//! assert!(!rook_attacks(Square::E1, occupied).contains(Square::E7));
//! assert_eq!(between(Square::E1, Square::E6).count(), 4);
//! ```

use super::bitboard::Bitboard;
use super::piece::PieceType;
use super::square::{Color, Square};

pub use super::magic::{bishop_attacks, rook_attacks};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [Bitboard; 64] = steps(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = steps(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];
static BISHOP_RAYS: [Bitboard; 64] = rays(true);
static ROOK_RAYS: [Bitboard; 64] = rays(false);
static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static RAY_THROUGH: [[Bitboard; 64]; 64] = pairs(true);

/// The squares that a pawn of `color` on `square` attacks.
///
/// ```
/// use tamarack_chess::{Bitboard, Color, Square, attacks::pawn_attacks};
/// assert_eq!(pawn_attacks(Color::White, Square::A2), Bitboard::of(Square::B3));
/// ```
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that the pawns of `color` on the squares of `pawns` attack.
///
/// ```
/// use tamarack_chess::{Bitboard, Color, Rank, attacks::pawns_attack};
/// let pawns = Bitboard::rank(Rank::R2);
/// assert_eq!(pawns_attack(Color::White, pawns), Bitboard::rank(Rank::R3));
/// ```
#[inline(always)]
pub const fn pawns_attack(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    Bitboard(ahead.left().0 | ahead.right().0)
}

/// The squares that a knight on `square` attacks.
///
/// ```
/// use tamarack_chess::{Square, attacks::knight_attacks};
/// assert_eq!(knight_attacks(Square::A1).iter().collect::<Vec<_>>(), [Square::C2, Square::B3]);
/// ```
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king on `square` attacks.
///
/// ```
/// use tamarack_chess::{Square, attacks::king_attacks};
/// assert_eq!(king_attacks(Square::E1).count(), 5);
/// ```
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a queen on `square` attacks when the pieces of `occupied` are in its way.
///
/// ```
/// use tamarack_chess::{Bitboard, Square, attacks::queen_attacks};
/// assert_eq!(queen_attacks(Square::D4, Bitboard::EMPTY).count(), 27);
/// ```
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The squares that a piece of `piece_type` on `square` attacks when the pieces of `occupied` are in its way. None for a
/// pawn, whose attacks depend on its colour: see [`pawn_attacks`].
///
/// ```
/// use tamarack_chess::{Bitboard, PieceType, Square, attacks::piece_attacks};
/// let rook = piece_attacks(PieceType::Rook, Square::A1, Bitboard::of(Square::A3));
/// assert_eq!(rook.count(), 2 + 7);
/// ```
#[inline(always)]
pub fn piece_attacks(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Queen => queen_attacks(square, occupied),
        PieceType::King => king_attacks(square),
    }
}

/// The squares of a bishop's diagonals through `square` on an empty board.
///
/// ```
/// use tamarack_chess::{Bitboard, Square, attacks::{between, bishop_rays}};
/// assert_eq!(bishop_rays(Square::A1), between(Square::A1, Square::H8) | Bitboard::of(Square::H8));
/// ```
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The squares of a rook's rank and file through `square` on an empty board.
///
/// ```
/// use tamarack_chess::{Square, attacks::rook_rays};
/// assert_eq!(rook_rays(Square::D4).count(), 14);
/// ```
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// The squares strictly between `a` and `b`; empty if they share no rank, file or diagonal.
///
/// ```
/// use tamarack_chess::{Square, attacks::between};
/// assert_eq!(between(Square::A1, Square::D4).iter().collect::<Vec<_>>(), [Square::B2, Square::C3]);
/// assert!(between(Square::A1, Square::B3).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal, from edge to edge, through both `a` and `b`; empty if they share none.
///
/// ```
/// use tamarack_chess::{Square, attacks::ray_through};
/// assert!(ray_through(Square::C3, Square::B2).contains(Square::H8));
/// ```
#[inline(always)]
pub fn ray_through(a: Square, b: Square) -> Bitboard {
    RAY_THROUGH[a.index()][b.index()]
}

const fn steps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(target) = Square::from_index(index).offset(steps[step].0, steps[step].1) {
                table[index].0 |= 1 << target as u32;
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// The squares from `square`, which is left out, to the edge.
const fn ray(square: Square, step: (i8, i8)) -> u64 {
    let (mut set, mut next) = (0, square.offset(step.0, step.1));
    while let Some(reached) = next {
        set |= 1 << reached as u32;
        next = reached.offset(step.0, step.1);
    }
    set
}

/// Odd entries of [`KING_STEPS`] are diagonal.
const fn rays(diagonal: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut direction = diagonal as usize;
        while direction < 8 {
            table[index].0 |= ray(Square::from_index(index), KING_STEPS[direction]);
            direction += 2;
        }
        index += 1;
    }
    table
}

/// For each pair of squares on a common rank, file or diagonal: all of it (`whole`), or the squares between them.
const fn pairs(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index);
        let mut direction = 0;
        while direction < 8 {
            let step = KING_STEPS[direction];
            let line = ray(from, step) | ray(from, (-step.0, -step.1)) | 1 << index;
            let (mut passed, mut next) = (0, from.offset(step.0, step.1));
            while let Some(reached) = next {
                table[index][reached as usize] = Bitboard(if whole { line } else { passed });
                passed |= 1 << reached as u32;
                next = reached.offset(step.0, step.1);
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn steps_stay_on_the_board() {
        assert_eq!(knight_attacks(Square::A1), set(&[Square::B3, Square::C2]));
        assert_eq!(king_attacks(Square::H8), set(&[Square::G8, Square::G7, Square::H7]));
        assert_eq!(pawn_attacks(Color::White, Square::A2), set(&[Square::B3]));
        assert_eq!(pawn_attacks(Color::Black, Square::E5), set(&[Square::D4, Square::F4]));
        for color in Color::ALL {
            for square in Square::ALL {
                assert_eq!(pawn_attacks(color, square), pawns_attack(color, Bitboard::of(square)));
            }
        }
    }

    #[test]
    fn rays_are_attacks_on_an_empty_board() {
        for square in Square::ALL {
            assert_eq!(bishop_rays(square), bishop_attacks(square, Bitboard::EMPTY));
            assert_eq!(rook_rays(square), rook_attacks(square, Bitboard::EMPTY));
        }
    }

    #[test]
    fn between_and_ray_through_follow_queen_moves() {
        assert_eq!(between(Square::A1, Square::D4), set(&[Square::B2, Square::C3]));
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(
            ray_through(Square::C3, Square::B2),
            set(&[Square::A1, Square::H8]) | between(Square::A1, Square::H8)
        );
        for a in Square::ALL {
            for b in Square::ALL.into_iter().filter(|&b| b != a) {
                let seen = queen_attacks(a, Bitboard::EMPTY).contains(b);
                assert_eq!(!ray_through(a, b).is_empty(), seen);
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(ray_through(a, b), ray_through(b, a));
                if seen {
                    let both = Bitboard::of(a) | Bitboard::of(b);
                    assert_eq!(
                        between(a, b),
                        ray_through(a, b) & queen_attacks(a, both) & queen_attacks(b, both)
                    );
                }
            }
        }
    }
}
