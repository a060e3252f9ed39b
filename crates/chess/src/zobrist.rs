//! Zobrist hashing (Albert Zobrist 1970): the key of a position is the exclusive or of one random number for each piece
//! on its square, each castling right, the en passant file and Black to move.

use super::castling::CastlingRights;
use super::piece::{Piece, PieceType};
use super::square::{File, Square};
use crate::random::splitmix64;

/// The key of Black to move.
pub const BLACK_TO_MOVE: u64 = KEYS.black_to_move;

/// The key of `piece` on `square`.
#[inline(always)]
pub const fn piece_key(piece: Piece, square: Square) -> u64 {
    TABLE.pieces[piece.index()][square.index()]
}

/// The key of a set of castling rights. The rook's file is not in it: it never changes within a game.
#[inline(always)]
pub fn castling(rights: &CastlingRights) -> u64 {
    TABLE.castling[rights.mask()]
}

/// The key of the file of the en passant square, 0 without one.
#[inline(always)]
pub fn en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| en_passant_file(square.file()))
}

#[inline(always)]
fn en_passant_file(file: File) -> u64 {
    TABLE.en_passant[file.index()]
}

/// The keys of a position that are updated move by move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keys {
    /// The key of the whole position: pieces, side to move, castling rights and en passant.
    pub position: u64,
    /// The keys of some pieces alone: pawns; White's other pieces; Black's other pieces; knights and bishops of both.
    pub groups: [u64; 4],
}

impl Keys {
    /// The keys of an empty board, White to move.
    pub const NONE: Keys = Keys { position: 0, groups: [0; 4] };

    /// Adds `piece` on `square`, or removes it.
    #[inline(always)]
    pub fn toggle_piece(&mut self, piece: Piece, square: Square) {
        let key = piece_key(piece, square);
        self.position ^= key;
        self.groups[GROUPS[piece.index()] & 3] ^= key;
        self.groups[MINOR_PIECES] ^=
            if matches!(piece.piece_type(), PieceType::Knight | PieceType::Bishop) { key } else { 0 };
    }
}

/// The pawns of both sides in [`Keys::groups`].
pub const PAWNS: usize = 0;

/// White's pieces but the pawns in [`Keys::groups`]; Black's follow.
pub const NON_PAWNS: usize = 1;

/// The knights and bishops of both sides in [`Keys::groups`].
pub const MINOR_PIECES: usize = 3;

/// For each piece (by [`Piece::index`]) its index in [`Keys::groups`].
static GROUPS: [usize; 12] = {
    const WHITE: usize = NON_PAWNS;
    const BLACK: usize = NON_PAWNS + 1;
    [PAWNS, WHITE, WHITE, WHITE, WHITE, WHITE, PAWNS, BLACK, BLACK, BLACK, BLACK, BLACK]
};

struct Numbers {
    pieces: [[u64; 64]; 12],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const KEYS: Numbers = numbers();
static TABLE: Numbers = KEYS;

const fn numbers() -> Numbers {
    let mut state = 0x7A6D_6172_6163_6B21;
    let mut keys = Numbers { pieces: [[0; 64]; 12], castling: [0; 16], en_passant: [0; 8], black_to_move: 0 };
    let mut index = 0;
    while index < 12 * 64 {
        keys.pieces[index / 64][index % 64] = splitmix64(&mut state);
        index += 1;
    }
    // One number for each right, so that rights lost one by one or at once give the same key.
    let mut right = 0;
    while right < 4 {
        let key = splitmix64(&mut state);
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
        keys.en_passant[file] = splitmix64(&mut state);
        file += 1;
    }
    keys.black_to_move = splitmix64(&mut state);
    keys
}
