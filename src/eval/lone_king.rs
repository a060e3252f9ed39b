//! Mop-up evaluation: a lone king against material that mates by force. The network sees a small advantage and no way to
//! go there, so king, bishop and knight won 12 of 20 games; here the king is driven to the edge or the right corner.

use chess::{Bitboard, Color, PieceType, Position, SEE_VALUES, Square};

/// Centipawns beside material that a won ending is worth: about as much as the network gives to clear wins.
const WON: i32 = 1000;
/// Centipawns for each step of the lone king from the centre, 0 to 6 steps.
const EDGE: i32 = 60;
/// Centipawns for each diagonal of the lone king towards a corner of the bishop's colour, 0 to 7.
const CORNER: i32 = 120;
/// Centipawns for each square that the kings are nearer than 7.
const NEAR: i32 = 25;

/// The evaluation in internal centipawns from the side to move's view, `None` unless one side has a lone king and the other
/// has no pawns and can force mate: a queen, a rook, bishops of both colours, or bishop and knight. With pawns the network
/// knows the way.
#[inline]
pub fn lone_king_eval(position: &Position) -> Option<i32> {
    let lone = Color::ALL.into_iter().find(|&color| position.color(color).count() == 1)?;
    if !position.of_type(PieceType::Pawn).is_empty() || !can_force_mate(position, !lone) {
        return None;
    }
    let value = winning_eval(position, lone);
    Some(if position.side_to_move() == lone { -value } else { value })
}

/// True if the side to move can force mate of a lone king without pawns.
pub fn mates_lone_king(position: &Position) -> bool {
    lone_king_eval(position).is_some_and(|value| value > 0)
}

#[cold]
fn can_force_mate(position: &Position, side: Color) -> bool {
    let pieces = |piece_type| position.pieces(side, piece_type);
    let bishops = pieces(PieceType::Bishop);
    let dark = bishops.intersects(Bitboard::DARK);
    let light = bishops.intersects(!Bitboard::DARK);
    !(pieces(PieceType::Queen) | pieces(PieceType::Rook)).is_empty()
        || dark && light
        || !bishops.is_empty() && !pieces(PieceType::Knight).is_empty()
}

fn winning_eval(position: &Position, lone: Color) -> i32 {
    let count = |piece_type| position.pieces(!lone, piece_type).count() as i32;
    let material: i32 =
        PieceType::ALL.into_iter().map(|piece_type| count(piece_type) * SEE_VALUES[piece_type.index()]).sum();
    let (king, other) = (position.king(lone), position.king(!lone));
    // With one bishop and no heavy piece it is a knight that makes the mate possible.
    let heavy_pieces = count(PieceType::Queen) + count(PieceType::Rook);
    let needs_corner = heavy_pieces == 0 && count(PieceType::Bishop) == 1;
    let drive = match needs_corner {
        true => {
            CORNER
                * corner_diagonal(king, position.pieces(!lone, PieceType::Bishop).intersects(Bitboard::DARK))
        }
        false => EDGE * steps_from_centre(king),
    };
    WON + material + drive + NEAR * (7 - distance(king, other))
}

/// The number of diagonals between a square and the long diagonal of the wrong corners: 7 in a corner of the bishop's
/// colour, 0 on the diagonal between the others.
fn corner_diagonal(square: Square, dark: bool) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    if dark { (file + rank - 7).abs() } else { (file - rank).abs() }
}

/// Steps of file and rank from the four squares of the centre.
fn steps_from_centre(square: Square) -> i32 {
    let steps = |index: usize| if index < 4 { 3 - index as i32 } else { index as i32 - 4 };
    steps(square.file().index()) + steps(square.rank().index())
}

/// King moves between two squares.
fn distance(a: Square, b: Square) -> i32 {
    let steps = |a: usize, b: usize| a.abs_diff(b) as i32;
    steps(a.file().index(), b.file().index()).max(steps(a.rank().index(), b.rank().index()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(fen: &str) -> Option<i32> {
        lone_king_eval(&fen.parse().unwrap())
    }

    #[test]
    fn only_material_that_mates_by_force_counts() {
        for fen in ["8/8/4k3/8/8/3K4/8/7R w - - 0 1", "8/8/4k3/8/8/3K4/8/5BN1 w - - 0 1"] {
            assert!(eval(fen).unwrap() > WON, "{fen}");
        }
        for fen in [
            "8/8/4k3/8/8/3K4/8/5NN1 w - - 0 1",
            "8/8/4k3/8/8/3K4/P7/7B w - - 0 1",
            "8/8/4k3/8/8/3K4/P7/7R w - - 0 1",
            "8/8/4k3/8/8/3K4/8/2B1B3 w - - 0 1",
            "8/8/4k2p/8/8/3K4/8/7R w - - 0 1",
        ] {
            assert_eq!(eval(fen), None, "{fen}");
        }
        assert!(eval("8/8/4k3/8/8/3K4/8/7R b - - 0 1").unwrap() < -WON, "the side to move's view");
    }

    #[test]
    fn bishop_and_knight_drive_the_king_to_the_bishops_corner() {
        // f1 is a light square: the corners are a8 and h1.
        let cornered = |king: &str| eval(&format!("{king} w - - 0 1")).unwrap();
        let right = cornered("k7/8/2K5/8/8/8/8/5BN1");
        assert!(right > cornered("7k/8/5K2/8/8/8/8/5BN1"));
        assert!(right > cornered("3k4/8/2K5/8/8/8/8/5BN1"));
    }

    #[test]
    fn others_drive_it_to_any_edge_and_bring_the_king_near() {
        let edge = eval("3k4/8/3K4/8/8/8/8/7R w - - 0 1").unwrap();
        assert!(edge > eval("8/8/3k4/8/3K4/8/8/7R w - - 0 1").unwrap());
        assert!(edge > eval("3k4/8/8/8/8/3K4/8/7R w - - 0 1").unwrap());
    }
}
