//! Zobrist keys (1970): a random number for each piece on each square and for everything else that makes positions differ.

use super::castling::CastlingRights;
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::square::{Color, File, Square};

/// The key of Black to move.
pub const BLACK_TO_MOVE: u64 = KEYS.black_to_move;

/// The key of `piece` on `square`.
#[inline(always)]
pub const fn piece_key(piece: Piece, square: Square) -> u64 {
    TABLE.pieces[piece.index()][square.index()]
}

/// The key of which castling rights exist. (The rook's file is not in it: it never changes within a game.)
#[inline(always)]
pub fn castling(rights: &CastlingRights) -> u64 {
    TABLE.castling[rights.mask()]
}

/// The key of an en passant capture being possible on `square`'s file.
#[inline(always)]
pub fn en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| en_passant_file(square.file()))
}

#[inline(always)]
fn en_passant_file(file: File) -> u64 {
    TABLE.en_passant[file.index()]
}

/// The keys that a position carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keys {
    /// Pieces, side to move, castling rights and en passant.
    pub all: u64,
    /// Pawns; White's other pieces; Black's other pieces; knights and bishops of both.
    pub groups: [u64; 4],
}

impl Keys {
    /// The keys of an empty board, White to move.
    pub const NONE: Keys = Keys { all: 0, groups: [0; 4] };

    /// The keys of `position`, worked out from scratch.
    pub fn of(position: &Position) -> Keys {
        let mut keys = Keys::NONE;
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        keys.all ^= castling(position.castling()) ^ en_passant(position.en_passant());
        if position.side_to_move() == Color::Black {
            keys.all ^= BLACK_TO_MOVE;
        }
        keys
    }

    /// Puts `piece` on `square` or takes it away.
    #[inline(always)]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        let key = piece_key(piece, square);
        self.all ^= key;
        self.groups[GROUPS[piece.index()] & 3] ^= key;
        self.groups[3] ^=
            if matches!(piece.piece_type(), PieceType::Knight | PieceType::Bishop) { key } else { 0 };
    }
}

/// For each piece its place in [`Keys::groups`].
static GROUPS: [usize; 12] = [0, 1, 1, 1, 1, 1, 0, 2, 2, 2, 2, 2];

struct Numbers {
    pieces: [[u64; 64]; 12],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const KEYS: Numbers = numbers();
static TABLE: Numbers = KEYS;

/// SplitMix64 (Steele, Lea and Flood 2014): every state gives a well mixed number.
const fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

const fn numbers() -> Numbers {
    let mut state = 0x7A6D_6172_6163_6B21;
    let mut keys = Numbers { pieces: [[0; 64]; 12], castling: [0; 16], en_passant: [0; 8], black_to_move: 0 };
    let mut index = 0;
    while index < 12 * 64 {
        keys.pieces[index / 64][index % 64] = random(&mut state);
        index += 1;
    }
    // One number for each right, so that rights lost one by one or at once give the same key.
    let mut right = 0;
    while right < 4 {
        let key = random(&mut state);
        let mut mask = 0;
        while mask < 16 {
            if mask >> right & 1 != 0 {
                keys.castling[mask] ^= key;
            }
            mask += 1;
        }
        right += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.en_passant[file] = random(&mut state);
        file += 1;
    }
    keys.black_to_move = random(&mut state);
    keys
}
