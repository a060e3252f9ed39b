//! From a 32-byte record to what the trainer works on: the inputs of both views, and the target.

use super::model::{InputSets, PAWN_PAIR_ROW, THREAT_ROW};
use bulletformat::ChessBoard;
use chess::{Bitboard, Color, Piece, PieceType, Square};
use nnue::architecture::SCALE;
use nnue::features::{Perspective, first_input_of};
use nnue::pawn_pairs::each_pawn_pair;
use nnue::threats::each_threat;

/// The inputs of one piece, for the side to move and for the other.
pub type InputPair = [u32; 2];

/// The mixture that is taught: `wdl_weight` of the game's result, the rest of the search's score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// From 0 (score alone) to 1 (result alone).
    pub wdl_weight: f32,
}

impl Target {
    /// The share of the points that the side to move is taught to expect, 0 to 1.
    pub fn of(self, board: &ChessBoard) -> f32 {
        let by_score = sigmoid(f32::from(board.score) / SCALE as f32);
        let by_result = f32::from(board.result) / 2.0;
        by_score + self.wdl_weight * (by_result - by_score)
    }
}

/// The logistic function.
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The pieces of a record as (piece, square): the piece's lower three bits are its kind, bit 3 means the other side's; squares
/// as the side to move sees them.
pub fn pieces(board: &ChessBoard) -> impl Iterator<Item = (u8, u8)> {
    let nibbles = u128::from_le_bytes(board.pcs);
    let mut occupied = board.occ;
    let mut index = 0;
    std::iter::from_fn(move || {
        if occupied == 0 {
            return None;
        }
        let square = occupied.trailing_zeros() as u8;
        occupied &= occupied - 1;
        let piece_index = (nibbles.wrapping_shr(index) & 15) as u8;
        index += 4;
        Some((piece_index, square))
    })
}

/// True if the record is a position: two kings where it says, at most 32 pieces, known kinds, no pawn on the first or last
/// rank, at most sixteen pawns, a known result.
pub fn is_sound(board: &ChessBoard) -> bool {
    if board.occ.count_ones() > 32 || board.result > 2 || board.ksq > 63 || board.opp_ksq > 63 {
        return false;
    }
    let mut kings = [0, 0];
    let mut pawns = 0;
    for (piece_index, square) in pieces(board) {
        match piece_index {
            5 => kings[0] += 1 + 2 * u32::from(square != board.ksq),
            13 => kings[1] += 1 + 2 * u32::from(square != board.opp_ksq ^ 56),
            0 | 8 if matches!(square, 0..8 | 56..) => return false,
            0 | 8 => pawns += 1,
            6 | 7 | 14 | 15 => return false,
            _ => {}
        }
    }
    kings == [1, 1] && pawns <= 16
}

/// The first input of each piece of a record, counted from the first input of the king bucket.
const FIRST_INPUTS: [InputPair; 16] = {
    let mut inputs = [[0; 2]; 16];
    let mut piece_index = 0;
    while piece_index < 12 {
        // Pieces 0 to 5 and 8 to 13: the side to move, which counts as White, and the other.
        let (kind, color) = (PieceType::ALL[piece_index % 6], Color::ALL[piece_index / 6]);
        let piece = Piece::new(color, kind);
        let own = first_input_of(Color::White, piece) as u32;
        inputs[piece_index % 6 + 8 * (piece_index / 6)] = [own, first_input_of(Color::Black, piece) as u32];
        piece_index += 1;
    }
    inputs
};

/// The perspectives of the side to move, as White, and of the other, as Black.
#[inline]
fn perspectives(board: &ChessBoard) -> [Perspective; 2] {
    let square = |index: u8| Square::from_index(usize::from(index));
    // In a record each king stands as its own side sees it.
    [
        Perspective::new(Color::White, square(board.ksq)),
        Perspective::new(Color::Black, square(board.opp_ksq ^ 56)),
    ]
}

/// The king buckets of the side to move and of the other.
#[inline]
pub fn king_buckets(board: &ChessBoard) -> [usize; 2] {
    perspectives(board).map(Perspective::king_bucket)
}

/// Appends the piece inputs of a sound record.
#[inline]
pub fn push_inputs(board: &ChessBoard, pairs: &mut Vec<InputPair>) {
    let perspectives = perspectives(board);
    let [own_first, other_first] = perspectives.map(|perspective| perspective.first_input() as u32);
    let [own_flip, other_flip] = perspectives.map(|perspective| perspective.flip() as u32);
    let mut nibbles = u128::from_le_bytes(board.pcs);
    let mut occupied = board.occ;
    // An array of the most pieces, so that no bound is checked and no memory asked for piece by piece.
    let mut list = [[0; 2]; 32];
    for pair in &mut list {
        if occupied == 0 {
            break;
        }
        let square = occupied.trailing_zeros();
        occupied &= occupied - 1;
        let [own, other] = FIRST_INPUTS[(nibbles & 15) as usize];
        nibbles >>= 4;
        *pair = [own_first + own + (square ^ own_flip), other_first + other + (square ^ other_flip)];
    }
    let end = pairs.len() + board.occ.count_ones() as usize;
    pairs.extend_from_slice(&list);
    pairs.truncate(end);
}

/// Appends the inputs of a sound record beside its pieces; they come behind those of pieces.
#[inline]
pub fn push_extras(board: &ChessBoard, input_sets: InputSets, pairs: &mut Vec<InputPair>) {
    if input_sets == InputSets::default() {
        return;
    }
    let perspectives = perspectives(board);
    let mut sets = [[Bitboard::EMPTY; 6]; 2];
    for (piece_index, square) in pieces(board) {
        // The side to move counts as White.
        let square = Bitboard::of(Square::from_index(usize::from(square)));
        sets[usize::from(piece_index >> 3)][usize::from(piece_index & 7)] |= square;
    }
    if input_sets.threats {
        each_threat(&sets, |threat| {
            pairs
                .push(perspectives.map(|perspective| (THREAT_ROW + perspective.threat_input(threat)) as u32));
        });
    }
    if input_sets.pawn_pairs {
        each_pawn_pair(&sets.map(|pieces| pieces[PieceType::Pawn.index()]), |one, other| {
            let input = |side: Perspective| (PAWN_PAIR_ROW + side.pawn_pair_input(one, other)) as u32;
            pairs.push(perspectives.map(input));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    /// The inputs as the engine names them.
    fn engine_inputs(position: &Position) -> Vec<InputPair> {
        let side = position.side_to_move();
        let perspectives = [side, !side].map(|color| Perspective::new(color, position.king(color)));
        let mut pairs: Vec<InputPair> = position
            .occupied()
            .iter()
            .map(|square| {
                perspectives.map(|side| side.input(position.piece_on(square).unwrap(), square) as u32)
            })
            .collect();
        each_threat(&nnue::threats::pieces(position), |threat| {
            pairs.push(perspectives.map(|side| (THREAT_ROW + side.threat_input(threat)) as u32));
        });
        each_pawn_pair(&nnue::pawn_pairs::pawns(position), |one, other| {
            pairs.push(perspectives.map(|side| (PAWN_PAIR_ROW + side.pawn_pair_input(one, other)) as u32));
        });
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn inputs_are_those_of_the_engine() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2k5/3p4/8/2N5/8/1K6/8 b - - 0 1",
            "8/6k1/3p4/8/2N5/8/1K6/8 w - - 0 1",
            "8/8/3p1k2/8/2N5/K7/8/8 w - - 0 1",
            "2k5/8/3p4/8/2N5/8/8/5K2 b - - 0 1",
        ] {
            let board: ChessBoard = format!("{fen} | 12 | 1.0").parse().unwrap();
            assert!(is_sound(&board));
            let mut pairs = Vec::new();
            push_inputs(&board, &mut pairs);
            push_extras(&board, InputSets::ALL, &mut pairs);
            pairs.sort_unstable();
            assert_eq!(pairs, engine_inputs(&fen.parse().unwrap()), "{fen}");
        }
    }

    #[test]
    fn targets_mix_score_and_result_from_the_side_to_move() {
        let board: ChessBoard = "8/2k5/3p4/8/2N5/8/1K6/8 b - - 0 1 | 400 | 1.0".parse().unwrap();
        assert_eq!(Target { wdl_weight: 1.0 }.of(&board), 0.0);
        assert!((Target { wdl_weight: 0.0 }.of(&board) - 0.268_94).abs() < 1e-4);
        assert!((Target { wdl_weight: 0.5 }.of(&board) - 0.134_47).abs() < 1e-4);
    }

    #[test]
    fn nonsense_is_not_sound() {
        let board: ChessBoard = "8/2k5/3p4/8/2N5/8/1K6/8 w - - 0 1 | 0 | 0.5".parse().unwrap();
        for change in [
            (|board: &mut ChessBoard| board.occ = !0) as fn(&mut ChessBoard),
            |board| board.ksq = 3,
            |board| board.opp_ksq = 200,
            |board| board.result = 3,
            |board| board.pcs = [0xFF; 16],
            |board| board.occ = 0,
        ] {
            let mut bad = board;
            change(&mut bad);
            assert!(!is_sound(&bad));
        }
    }
}
