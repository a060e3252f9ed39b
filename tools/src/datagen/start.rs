//! Starts of games: the usual array, Chess960 or a different array for each side, and then some random moves.

use super::Settings;
use crate::chess960::back_rank;
use crate::epd;
use crate::random::Random;
use anyhow::Context;
use std::path::Path;
use tamarack::chess::{
    CastlingRights, CastlingSide, Color, File, Piece, PieceType, Position, Rank, Setup, Square,
};

/// Draws of a random move, each again if it hangs too much.
const TRIES: usize = 4;
/// A random move may lose this many centipawns in exchanges.
const MAY_LOSE: i32 = 300;

/// Reads the positions of a book, one a line.
pub fn read_book(path: &Path) -> anyhow::Result<Vec<Position>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    epd::lines(&text, |_, line| epd::position(line)).with_context(|| path.display().to_string())
}

/// A position some random moves after the first one.
pub fn random_start(settings: &Settings, book: &[Position], random: &mut Random) -> Position {
    loop {
        let mut position = first_position(settings, book, random);
        let plies = settings.random_plies + random.below(2) as u32;
        let reached = (0..plies).all(|_| match random_move(&position, random) {
            Some(next) => {
                position = next;
                true
            }
            None => false,
        });
        if reached && position.has_legal_move() {
            return position;
        }
    }
}

fn random_move(position: &Position, random: &mut Random) -> Option<Position> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let mut mv = moves[random.below(moves.len())];
    for _ in 0..TRIES {
        if position.see_ge(mv, -MAY_LOSE) {
            break;
        }
        mv = moves[random.below(moves.len())];
    }
    Some(position.after(mv))
}

/// A Chess960 or double Chess960 array as often as the settings say; else a position of the book, if there is one, or the
/// usual array.
fn first_position(settings: &Settings, book: &[Position], random: &mut Random) -> Position {
    let kind = random.unit();
    let ranks = if kind < settings.chess960 {
        let rank = back_rank(random.below(960));
        [rank, rank]
    } else if kind < settings.chess960 + settings.double_chess960 {
        [back_rank(random.below(960)), back_rank(random.below(960))]
    } else {
        return match book.len() {
            0 => Position::startpos(),
            count => book[random.below(count)],
        };
    };
    from_back_ranks(ranks).unwrap_or_else(Position::startpos)
}

/// Both sides' back ranks, with pawns before them and all castling rights.
fn from_back_ranks(ranks: [[PieceType; 8]; 2]) -> Option<Position> {
    let mut setup = Setup::empty();
    let mut castling = CastlingRights::NONE;
    for (color, rank) in Color::ALL.into_iter().zip(ranks) {
        let mut wing = CastlingSide::Queen;
        for (file, kind) in File::ALL.into_iter().zip(rank) {
            setup.board[Square::new(file, Rank::R1.relative_to(color)).index()] =
                Some(Piece::new(color, kind));
            setup.board[Square::new(file, Rank::R2.relative_to(color)).index()] =
                Some(Piece::new(color, PieceType::Pawn));
            match kind {
                PieceType::King => wing = CastlingSide::King,
                PieceType::Rook => castling.set(color, wing, Some(file)),
                _ => {}
            }
        }
    }
    setup.castling = castling;
    setup.fullmove_number = 1;
    Position::from_setup(&setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tamarack::chess::FenStyle;

    #[test]
    fn array_518_is_the_usual_one() {
        let usual = from_back_ranks([back_rank(518); 2]).unwrap();
        assert_eq!(usual, Position::startpos());
        let first = from_back_ranks([back_rank(0), back_rank(959)]).unwrap();
        assert_eq!(first.fen(FenStyle::Shredder), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    }

    #[test]
    fn starts_are_playable_and_differ() {
        let settings = Settings { chess960: 0.3, double_chess960: 0.3, ..Settings::for_tests() };
        let mut random = Random::new(3);
        let starts: Vec<Position> = (0..200).map(|_| random_start(&settings, &[], &mut random)).collect();
        assert!(starts.iter().all(|start| start.has_legal_move()));
        assert!(starts.iter().map(|start| start.key()).collect::<HashSet<_>>().len() > 195);
        assert!(starts.iter().any(|start| start.side_to_move() == Color::White));
        assert!(starts.iter().any(|start| start.side_to_move() == Color::Black));
    }

    #[test]
    fn books_are_read_and_their_errors_have_a_line() {
        let path = std::env::temp_dir().join(format!("tamarack-book-{}", std::process::id()));
        let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";";
        std::fs::write(&path, format!("# two of a kind\n{epd}\n\n{epd}\n")).unwrap();
        let book = read_book(&path).unwrap();
        assert_eq!(book.len(), 2);
        let settings = Settings { chess960: 0.0, double_chess960: 0.0, ..Settings::for_tests() };
        let start = random_start(&settings, &book, &mut Random::new(1));
        assert!(start.occupied().count() <= 3);
        std::fs::write(&path, format!("{epd}\nnonsense\n")).unwrap();
        assert!(format!("{:#}", read_book(&path).unwrap_err()).contains("line 2"));
    }
}
