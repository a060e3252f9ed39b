//! Won endings are won without tablebases: games of the engine against itself, 10,000 nodes a move, both sides with a table
//! that they keep from move to move.

use crate::common::Engine;
use chess::random::Random;
use chess::{Color, Game, Move, Piece, PieceType, Position, Setup, Square};
use tamarack::search::{Limits, Strength};

/// A position of these pieces, White first and to move, on random squares: not in check, nothing of White's hanging, no
/// stalemate.
fn random_position(white: &[PieceType], black: &[PieceType], random: &mut Random) -> Position {
    loop {
        let mut setup = Setup::empty();
        let pieces = white.iter().map(|&piece_type| Piece::new(Color::White, piece_type));
        let pieces = pieces.chain(black.iter().map(|&piece_type| Piece::new(Color::Black, piece_type)));
        for piece in pieces {
            setup.board[random.below(64)] = Some(piece);
        }
        setup.fullmove_number = 1;
        let count = setup.board.iter().flatten().count();
        let Ok(position) = Position::from_setup(&setup) else { continue };
        let is_quiet = |mv: &Move| !mv.is_capture();
        let replies_hang_nothing = position.after_null().legal_moves().iter().all(is_quiet);
        if count == white.len() + black.len() && !position.in_check() && replies_hang_nothing {
            return position;
        }
    }
}

/// True if White mates, or promotes in an ending with a pawn, before a draw by any rule.
fn white_wins(start: Position) -> bool {
    plays_to_a_win(start, None)
}

/// The same for White at a level.
fn plays_to_a_win(start: Position, level: Option<Strength>) -> bool {
    let mut game = Game::new(start);
    let mut engines = [Engine::new(), Engine::new()];
    loop {
        let position = *game.position();
        if let Some(outcome) = game.outcome() {
            return outcome.winner() == Some(Color::White);
        }
        let (engine, is_white) =
            (&mut engines[position.side_to_move().index()], position.side_to_move() == Color::White);
        engine.thread.options.strength = level.filter(|_| is_white).map(|level| level.at(&position));
        // Against a level a few nodes are enough to find the longest defence.
        let nodes = if level.is_some() { 2_000 } else { 10_000 };
        let (result, _) = engine.search(game.clone(), Limits { nodes: Some(nodes), ..Limits::default() });
        game.make(result.pv[0]);
    }
}

fn wins(white: &[PieceType], black: &[PieceType], games: usize) -> usize {
    let mut random = Random::new(7);
    (0..games).filter(|_| white_wins(random_position(white, black, &mut random))).count()
}

use PieceType::{Bishop, King, Knight, Queen, Rook};

#[test]
fn a_lone_king_is_mated_by_bishop_and_knight() {
    assert!(wins(&[King, Bishop, Knight], &[King], 20) >= 19);
}

#[test]
fn a_lone_king_is_mated_by_queen_or_rook() {
    assert_eq!(wins(&[King, Queen], &[King], 20), 20);
    assert_eq!(wins(&[King, Rook], &[King], 20), 20);
}

#[test]
fn a_queen_beats_a_rook() {
    assert!(wins(&[King, Queen], &[King, Rook], 20) >= 18);
}

/// Games of these levels against full strength, all won within fifty moves.
#[test]
fn weak_levels_mate_a_lone_king_by_queen_or_rook() {
    let levels =
        [Strength::of_skill_level(0).unwrap()].into_iter().chain([900, 1300, 1700].map(Strength::of_elo));
    for level in levels {
        for pieces in [[King, Queen], [King, Rook]] {
            let mut random = Random::new(11);
            let won = (0..10)
                .filter(|_| plays_to_a_win(random_position(&pieces, &[King], &mut random), Some(level)))
                .count();
            assert_eq!(won, 10, "{pieces:?} {level:?}");
        }
    }
}

#[test]
fn a_level_of_1700_mates_by_two_bishops() {
    let won =
        two_bishops(10).into_iter().filter(|&start| plays_to_a_win(start, Some(Strength::of_elo(1700))));
    assert!(won.count() >= 8);
}

#[test]
fn a_lone_king_is_mated_by_two_bishops() {
    assert_eq!(two_bishops(20).into_iter().filter(|&start| white_wins(start)).count(), 20);
}

/// Positions with two bishops on squares of both colours.
fn two_bishops(count: usize) -> Vec<Position> {
    let mut random = Random::new(9);
    let both_colors = |position: &Position| {
        let bishops = position.pieces(Color::White, Bishop);
        let dark = |square: Square| (square.index() + square.index() / 8).is_multiple_of(2);
        bishops.into_iter().filter(|&square| dark(square)).count() == 1
    };
    let starts = std::iter::repeat_with(|| random_position(&[King, Bishop, Bishop], &[King], &mut random));
    starts.filter(both_colors).take(count).collect()
}
