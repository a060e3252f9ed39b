//! The trace of an evaluation, for people: the value of each piece where it stands, and the evaluation by each output
//! bucket.

use super::network::Network;
use chess::{Color, File, PieceType, Position, Rank, Square};
use std::fmt::Write;

/// The value of the piece on a square for White, in internal centipawns: the evaluation less that without the piece.
/// `None` on empty squares and for kings, and where the rest would be no legal position.
pub fn piece_value(network: &Network, position: &Position, square: Square) -> Option<i32> {
    let piece = position.piece_on(square).filter(|piece| piece.piece_type() != PieceType::King)?;
    let mut setup = position.to_setup();
    setup.board[square.index()] = None;
    if piece.piece_type() == PieceType::Rook {
        setup.castling.clear_rook(piece.color(), square);
    }
    setup.en_passant = None;
    let without = Position::from_setup(&setup).ok()?;
    Some(for_white(position, network.evaluate(position)) - for_white(&without, network.evaluate(&without)))
}

/// The board with the value of each piece, and the evaluation by each output bucket with the one in use marked; all from
/// White's view in units of 100 internal centipawns.
pub fn trace(network: &Network, position: &Position) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        for line in 0..2 {
            for file in File::ALL {
                let square = Square::new(file, rank);
                let cell = match (line, position.piece_on(square)) {
                    (0, Some(piece)) => piece.letter().to_string(),
                    (1, Some(_)) => piece_value(network, position, square).map_or(String::new(), pawns),
                    _ => String::new(),
                };
                let _ = write!(text, "|{cell:^7}");
            }
            text.push_str("|\n");
        }
        text.push_str(&"+-------".repeat(8));
        text.push_str("+\n");
    }
    let shape = network.shape();
    let used = shape.bucket(position.occupied().count());
    for bucket in 0..shape.buckets {
        let mark = if bucket == used { " <- in use" } else { "" };
        let value = for_white(position, network.evaluate_bucket(position, bucket));
        let _ = writeln!(text, "bucket {bucket}: {}{mark}", pawns(value));
    }
    text
}

fn for_white(position: &Position, value: i32) -> i32 {
    if position.side_to_move() == Color::White { value } else { -value }
}

fn pawns(value: i32) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Shape, sample};

    #[test]
    fn every_piece_and_every_bucket_is_shown() {
        let network = sample(Shape { hidden: 32, buckets: 8 }, 5);
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1".parse().unwrap();
        let text = trace(&network, &position);
        let numbers = text.split(['|', ' ', '\n']).filter(|word| word.parse::<f64>().is_ok()).count();
        // A piece whose absence would leave a king to be taken has no value.
        assert!(numbers as u32 >= position.occupied().count() - 6 + 8, "{text}");
        assert_eq!(text.matches("in use").count(), 1);
        assert!(text.contains("bucket 7") && text.contains("<- in use"));
        assert_eq!(piece_value(&network, &position, Square::E8), None);
        assert!(piece_value(&network, &position, Square::E6).is_some());
    }
}
