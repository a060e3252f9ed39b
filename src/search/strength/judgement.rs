//! The judgement of a weak player: what beginners are taught about a position that is quiet. Material counts most; then the centre,
//! development, a castled king, open files, passed pawns, and in the endgame the king's walk. The network is not asked: it sees threats at
//! a glance, which a weak player has to find.

use super::attention::{distance, relative_rank};
use chess::attacks::{bishop_attacks, rook_attacks};
use chess::{Bitboard, CastlingSide, Color, File, PieceType, Position, Rank, Square};

/// Centipawns of a piece by type.
pub const VALUES: [i32; 6] = [100, 310, 320, 500, 920, 0];

/// The weight of all pieces of the start, by which opening and endgame are told apart.
const FULL_PHASE: i32 = 24;

/// Centipawns that a minor piece on its first rank is worth less in the opening.
const HOME: i32 = 22;

/// The judgement in centipawns from the side to move's view.
pub fn judge(position: &Position) -> i32 {
    let phase = phase(position);
    let [white, black] = [Color::White, Color::Black].map(|color| side(position, color, phase));
    match position.side_to_move() {
        Color::White => white - black,
        Color::Black => black - white,
    }
}

/// How much of the start's pieces is there: 24 at the start, 0 with pawns alone.
fn phase(position: &Position) -> i32 {
    let count = |piece_type| position.of_type(piece_type).count() as i32;
    let minors = count(PieceType::Knight) + count(PieceType::Bishop);
    (minors + 2 * count(PieceType::Rook) + 4 * count(PieceType::Queen)).min(FULL_PHASE)
}

/// What a side has.
fn side(position: &Position, color: Color, phase: i32) -> i32 {
    let blend = |opening: i32, endgame: i32| (opening * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    let occupied = position.occupied();
    let mut sum = 0;
    for square in position.pieces(color, PieceType::Pawn) {
        sum += VALUES[0] + pawn(position, color, square, &blend);
    }
    for square in position.pieces(color, PieceType::Knight) {
        let home = if relative_rank(square, color) == 0 { blend(HOME, 0) } else { 0 };
        sum += VALUES[1] + 16 - 6 * steps_from_centre(square) - home;
    }
    for square in position.pieces(color, PieceType::Bishop) {
        let home = if relative_rank(square, color) == 0 { blend(HOME, 0) } else { 0 };
        sum += VALUES[2] + 3 * bishop_attacks(square, occupied).count() as i32 - 12 - home;
    }
    for square in position.pieces(color, PieceType::Rook) {
        sum += VALUES[3]
            + rook(position, color, square)
            + blend(0, rook_attacks(square, occupied).count() as i32);
    }
    for square in position.pieces(color, PieceType::Queen) {
        let early = undeveloped(position, color) * if relative_rank(square, color) > 0 { 8 } else { 0 };
        sum += VALUES[4] - blend(early, 0) - 2 * steps_from_centre(square);
    }
    let king = position.king(color);
    sum + blend(king_in_the_opening(position, color, king), -6 * steps_from_centre(king))
        + mop_up(position, color)
}

fn pawn(position: &Position, color: Color, square: Square, blend: &impl Fn(i32, i32) -> i32) -> i32 {
    let advance = relative_rank(square, color) as i32 - 1;
    let opening = match square.file() {
        File::D | File::E => 12 * advance.min(3),
        File::C | File::F => 4 * advance.min(3),
        _ => 0,
    };
    let file = Bitboard::file(square.file());
    let wide = file | file.left() | file.right();
    let is_before = |other: Square| relative_rank(other, color) > relative_rank(square, color);
    let rivals = position.pieces(!color, PieceType::Pawn) & wide;
    let passed = if rivals.iter().any(is_before) { 0 } else { 3 * advance * advance };
    let doubled = if (position.pieces(color, PieceType::Pawn) & file).more_than_one() { 10 } else { 0 };
    blend(opening, 5 * advance) + passed - doubled
}

fn rook(position: &Position, color: Color, square: Square) -> i32 {
    let pawns = Bitboard::file(square.file()) & position.of_type(PieceType::Pawn);
    match (pawns.is_empty(), (pawns & position.color(color)).is_empty()) {
        (true, _) => 18,
        (false, true) => 9,
        _ => 0,
    }
}

/// Minor pieces on the first rank.
fn undeveloped(position: &Position, color: Color) -> i32 {
    let minors = position.pieces(color, PieceType::Knight) | position.pieces(color, PieceType::Bishop);
    (minors & Bitboard::rank(Rank::R1.relative_to(color))).count() as i32
}

/// A castled king behind its pawns is good, a king that walks is bad.
fn king_in_the_opening(position: &Position, color: Color, king: Square) -> i32 {
    let rank = relative_rank(king, color) as i32;
    if rank > 0 {
        return -20 * rank;
    }
    if matches!(king.file(), File::D | File::E | File::F) {
        let may_castle =
            CastlingSide::ALL.iter().any(|&side| position.castling().rook_square(color, side).is_some());
        return if may_castle { 0 } else { -30 };
    }
    let shelter = position.pieces(color, PieceType::Pawn);
    let within =
        |steps: usize| shelter.iter().filter(|&square| distance(square, king) <= steps).count() as i32;
    28 + 6 * within(2).min(3) - if within(1) > 0 { 0 } else { 15 }
}

/// With much more than the opponent and few pieces left, his king is driven to the edge.
fn mop_up(position: &Position, color: Color) -> i32 {
    let material = |color: Color| -> i32 {
        let count = |piece_type: PieceType| position.pieces(color, piece_type).count() as i32;
        PieceType::ALL.into_iter().map(|piece_type| VALUES[piece_type.index()] * count(piece_type)).sum()
    };
    if position.non_pawn_count(!color) > 1 || material(color) < material(!color) + 400 {
        return 0;
    }
    let (own, other) = (position.king(color), position.king(!color));
    10 * steps_from_centre(other) + 4 * (7 - distance(own, other) as i32)
}

/// Steps of file and rank from the four squares of the centre, 0 to 6.
fn steps_from_centre(square: Square) -> i32 {
    let steps = |index: usize| if index < 4 { 3 - index as i32 } else { index as i32 - 4 };
    steps(square.file().index()) + steps(square.rank().index())
}
