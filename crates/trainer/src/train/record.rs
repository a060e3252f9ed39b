//! The 32-byte records of training data: bulletformat's, with what Tamarack knows beside the position in the three
//! bytes that the format leaves free.

use super::features::pieces;
use bulletformat::ChessBoard;
use chess::{Bitboard, Color, Position, Square, attacks};

/// Bytes of a record.
pub const RECORD_BYTES: usize = 32;

const MARKED: u8 = 0x80;
const IN_CHECK: u8 = 1;
const NOISY: u8 = 2;

/// The content of the free bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    /// The side to move is in check.
    pub in_check: bool,
    /// The move that was found best is a capture or a promotion.
    pub noisy: bool,
    /// Plies played before, counted from the start of the game; 255 for more.
    pub ply: u8,
}

/// The record of a position. `score` in centipawns and `result` (0 lost, 1 drawn, 2 won) are the side to move's.
pub fn pack(position: &Position, score: i16, result: u8, marks: Marks) -> ChessBoard {
    let side = position.side_to_move();
    let turned = |set: Bitboard| if side == Color::White { set } else { set.flipped() };
    let mut nibbles = 0_u128;
    for (index, square) in turned(position.occupied()).iter().enumerate() {
        let Some(piece) = position.piece_on(square.relative_to(side)) else { continue };
        let theirs = u128::from(piece.color() != side);
        let piece_index = piece.piece_type() as u128 + 8 * theirs;
        nibbles |= piece_index << (4 * index);
    }
    let flags = MARKED + IN_CHECK * u8::from(marks.in_check) + NOISY * u8::from(marks.noisy);
    ChessBoard {
        occ: turned(position.occupied()).0,
        pcs: nibbles.to_le_bytes(),
        score,
        result,
        ksq: position.king(side).relative_to(side) as u8,
        opp_ksq: position.king(!side).relative_to(!side) as u8,
        extra: [flags, marks.ply, 0],
    }
}

/// The facts beside the position. For records of other makers: the check is worked out, the rest unknown (no noisy
/// move, late in the game).
pub fn marks(board: &ChessBoard) -> Marks {
    let [flags, ply, _] = board.extra;
    if flags & MARKED != 0 {
        Marks { in_check: flags & IN_CHECK != 0, noisy: flags & NOISY != 0, ply }
    } else {
        Marks { in_check: is_in_check(board), noisy: false, ply: u8::MAX }
    }
}

fn is_in_check(board: &ChessBoard) -> bool {
    let mut theirs = [Bitboard::EMPTY; 8];
    for (piece_index, square) in pieces(board).filter(|(piece_index, _)| piece_index & 8 != 0) {
        theirs[usize::from(piece_index & 7)] |= Bitboard::of(Square::from_index(usize::from(square)));
    }
    let [pawns, knights, bishops, rooks, queens, ..] = theirs;
    let king = Square::from_index(usize::from(board.ksq));
    let occupied = Bitboard(board.occ);
    attacks::pawn_attacks(Color::White, king).intersects(pawns)
        || attacks::knight_attacks(king).intersects(knights)
        || attacks::bishop_attacks(king, occupied).intersects(bishops | queens)
        || attacks::rook_attacks(king, occupied).intersects(rooks | queens)
}

/// The bytes of a record in a file.
pub fn to_bytes(board: &ChessBoard) -> [u8; RECORD_BYTES] {
    let mut bytes = [0; RECORD_BYTES];
    bytes[..8].copy_from_slice(&board.occ.to_le_bytes());
    bytes[8..24].copy_from_slice(&board.pcs);
    bytes[24..26].copy_from_slice(&board.score.to_le_bytes());
    bytes[26..29].copy_from_slice(&[board.result, board.ksq, board.opp_ksq]);
    bytes[29..].copy_from_slice(&board.extra);
    bytes
}

/// The inverse of [`to_bytes`]; any bytes will do.
pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> ChessBoard {
    let part = |at: usize| -> [u8; 8] { std::array::from_fn(|index| bytes[at + index]) };
    let mut pcs = [0; 16];
    pcs.copy_from_slice(&bytes[8..24]);
    ChessBoard {
        occ: u64::from_le_bytes(part(0)),
        pcs,
        score: i16::from_le_bytes([bytes[24], bytes[25]]),
        result: bytes[26],
        ksq: bytes[27],
        opp_ksq: bytes[28],
        extra: [bytes[29], bytes[30], bytes[31]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bulletformat::BulletFormat;

    #[test]
    fn records_are_those_of_the_format() {
        for (fen, score) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 12),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", -40),
        ] {
            let theirs: ChessBoard = format!("{fen} | {score} | 1.0").parse().unwrap();
            let position: Position = fen.parse().unwrap();
            let own_score = if position.side_to_move() == Color::White { score } else { -score };
            let result = if position.side_to_move() == Color::White { 2 } else { 0 };
            let ours = pack(&position, own_score, result, Marks { in_check: false, noisy: true, ply: 9 });
            assert_eq!(marks(&ours), Marks { in_check: false, noisy: true, ply: 9 });
            assert_eq!(ChessBoard { extra: [0; 3], ..ours }, theirs);
            assert_eq!(to_bytes(&theirs), ChessBoard::as_bytes_slice(&[theirs]));
            assert_eq!(from_bytes(&to_bytes(&ours)), ours);
        }
    }

    #[test]
    fn a_check_is_seen_in_a_foreign_record() {
        for (fen, expected) in [
            ("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/4r3/4P3/8/4K3 w - - 0 1", false),
            ("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1", true),
            ("4k3/8/3N4/8/8/8/8/4K3 b - - 0 1", true),
            ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", true),
        ] {
            let board: ChessBoard = format!("{fen} | 0 | 0.5").parse().unwrap();
            assert_eq!(marks(&board).in_check, expected, "{fen}");
        }
    }
}
