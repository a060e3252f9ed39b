//! The numbers of the classical evaluation: tapered values in centipawns, chosen by hand for this engine.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A value in the middlegame and one in the endgame; the position's phase blends them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tapered {
    pub(super) middle: i32,
    pub(super) end: i32,
}

/// A tapered value of `middle` and `end` centipawns.
pub(super) const fn t(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        t(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        t(self.middle - other.middle, self.end - other.end)
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        t(self.middle * factor, self.end * factor)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        t(-self.middle, -self.end)
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(values: I) -> Tapered {
        values.fold(Tapered::default(), Add::add)
    }
}

/// Pawn, knight, bishop, rook, queen, king.
pub(super) const MATERIAL: [Tapered; 6] =
    [t(82, 104), t(335, 300), t(350, 315), t(475, 545), t(990, 1010), t(0, 0)];
/// How much of the middlegame each kind stands for; 24 at the start of the game.
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
pub(super) const BISHOP_PAIR: Tapered = t(26, 52);
pub(super) const TEMPO: Tapered = t(14, 8);

/// Mobility a square beyond the usual number, for knight, bishop, rook, queen.
pub(super) const MOBILITY: [Tapered; 4] = [t(6, 6), t(5, 6), t(3, 6), t(2, 5)];
/// The usual number of squares.
pub(super) const MOBILITY_USUAL: [i32; 4] = [4, 6, 6, 12];

pub(super) const ROOK_OPEN_FILE: Tapered = t(30, 8);
pub(super) const ROOK_HALF_OPEN_FILE: Tapered = t(13, 8);
/// A pawn attacks a piece.
pub(super) const PAWN_THREAT: Tapered = t(52, 38);
/// A minor piece attacks a rook or queen.
pub(super) const MINOR_THREAT: Tapered = t(34, 30);
/// Something attacked that nothing defends.
pub(super) const HANGING: Tapered = t(26, 22);
/// A minor piece in front of enemy pawns' reach, defended by a pawn.
pub(super) const OUTPOST: Tapered = t(24, 12);

pub(super) const ISOLATED: Tapered = t(-11, -14);
pub(super) const DOUBLED: Tapered = t(-8, -20);
pub(super) const BACKWARD: Tapered = t(-9, -10);
/// A pawn beside or defended by another, by its rank.
pub(super) const CONNECTED: [Tapered; 8] =
    [t(0, 0), t(4, 0), t(8, 4), t(12, 8), t(24, 22), t(50, 48), t(90, 90), t(0, 0)];
/// A pawn that no enemy pawn can stop, by its rank.
pub(super) const PASSED: [Tapered; 8] =
    [t(0, 0), t(2, 14), t(2, 20), t(8, 42), t(30, 76), t(70, 130), t(120, 205), t(0, 0)];
/// The square before a passed pawn is free.
pub(super) const PASSED_FREE: [Tapered; 8] =
    [t(0, 0), t(0, 2), t(0, 4), t(2, 10), t(8, 26), t(20, 48), t(34, 80), t(0, 0)];
/// Enemy king's distance less own king's, to the square before a passed pawn, a rank beyond the third.
pub(super) const PASSED_KINGS: Tapered = t(0, 5);

/// A pawn of the king's shelter, on the second and on the third rank.
pub(super) const SHELTER: [Tapered; 2] = [t(22, 0), t(12, 0)];
/// A file at the king without own pawn.
pub(super) const KING_OPEN_FILE: Tapered = t(-19, 4);
/// Attack units for each piece that reaches the king's zone: knight, bishop, rook, queen.
pub(super) const ATTACKER: [i32; 4] = [9, 8, 12, 16];
/// Attack units for each attacked square of the zone that only king or queen or nothing defends.
pub(super) const WEAK_ZONE: i32 = 7;
/// Attack units for each kind of safe check: knight, bishop, rook, queen.
pub(super) const SAFE_CHECK: [i32; 4] = [18, 12, 20, 18];

/// Half of a board, from A1 to D8 as the pieces' owner sees it; the other half mirrors it.
type Half = [[i32; 4]; 8];

/// Middlegame and endgame tables for pawn, knight, bishop, rook, queen, king.
pub(super) const SQUARES: [[Half; 2]; 6] = [
    [
        [
            [0; 4],
            [-8, 4, -6, -12],
            [-10, -4, 0, 4],
            [-12, -4, 6, 20],
            [-4, 4, 10, 24],
            [4, 14, 28, 32],
            [30, 40, 44, 50],
            [0; 4],
        ],
        [
            [0; 4],
            [8, 8, 6, 4],
            [4, 6, 0, 0],
            [10, 8, -2, -6],
            [18, 14, 4, -2],
            [34, 30, 22, 14],
            [54, 50, 42, 36],
            [0; 4],
        ],
    ],
    [
        [
            [-70, -22, -30, -18],
            [-24, -26, -6, 2],
            [-20, -2, 6, 14],
            [-8, 4, 14, 16],
            [0, 10, 22, 32],
            [-10, 24, 34, 44],
            [-24, -10, 28, 30],
            [-120, -60, -40, -10],
        ],
        [
            [-44, -34, -20, -14],
            [-30, -16, -12, -4],
            [-20, -6, 0, 12],
            [-12, 2, 14, 22],
            [-10, 6, 18, 24],
            [-18, -4, 12, 16],
            [-26, -12, -8, 4],
            [-66, -40, -22, -16],
        ],
    ],
    [
        [
            [-18, 0, -12, -14],
            [4, 14, 10, 0],
            [0, 12, 10, 8],
            [-2, 4, 8, 18],
            [-6, 8, 14, 24],
            [-4, 12, 20, 18],
            [-24, -4, -4, -8],
            [-28, -20, -40, -34],
        ],
        [
            [-18, -10, -12, -4],
            [-12, -10, -4, 2],
            [-6, 0, 6, 8],
            [-4, 2, 8, 12],
            [-2, 6, 8, 12],
            [0, 4, 4, 6],
            [-6, -2, 2, 0],
            [-10, -8, -8, -4],
        ],
    ],
    [
        [
            [-14, -10, 0, 8],
            [-30, -12, -8, -4],
            [-24, -8, -8, -6],
            [-20, -8, -8, -2],
            [-12, 0, 6, 12],
            [-2, 14, 18, 22],
            [10, 12, 26, 32],
            [14, 16, 12, 18],
        ],
        [
            [-6, -2, 0, -6],
            [-8, -6, -4, -6],
            [-6, -2, -4, -4],
            [2, 4, 4, 2],
            [8, 6, 8, 4],
            [10, 8, 8, 6],
            [14, 14, 10, 8],
            [12, 10, 12, 10],
        ],
    ],
    [
        [
            [-4, -10, -4, 6],
            [-10, -4, 6, 4],
            [-8, 0, -2, -4],
            [-6, -6, -6, -8],
            [-12, -10, -6, -8],
            [0, -4, 4, 6],
            [-6, -28, -2, -4],
            [-4, 6, 12, 16],
        ],
        [
            [-34, -30, -26, -22],
            [-24, -22, -20, -10],
            [-16, -4, 6, 4],
            [-6, 10, 16, 26],
            [4, 20, 22, 36],
            [4, 14, 28, 34],
            [6, 26, 32, 38],
            [6, 14, 20, 22],
        ],
    ],
    [
        [
            [16, 34, 2, -12],
            [14, 12, -14, -34],
            [-20, -14, -34, -44],
            [-36, -30, -44, -56],
            [-30, -30, -40, -50],
            [-20, -10, -20, -30],
            [-10, 0, -10, -20],
            [-20, -10, -20, -30],
        ],
        [
            [-54, -32, -20, -26],
            [-28, -12, 0, 6],
            [-18, 0, 12, 18],
            [-12, 12, 22, 28],
            [0, 24, 30, 32],
            [6, 30, 34, 30],
            [-8, 20, 20, 18],
            [-60, -26, -18, -16],
        ],
    ],
];
