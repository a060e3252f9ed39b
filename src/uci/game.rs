//! `position` and `searchmoves`: text -> positions and legal moves.

use super::command::Start;
use chess::{FenError, FenRepair, Game, Move, MoveError, Position};
use thiserror::Error;

/// The reason why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum GameError {
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
}

/// How the text of a move is read.
pub type ReadMove = fn(&Position, &str) -> Result<Move, MoveError>;

/// The game that begins at `start` and continues with `moves`, each read by `read`, and the repairs of the start's FEN. Unless the
/// game is of `chess960`, castling rights that only Chess960 has are no rights: GUIs of standard chess know no such move.
///
/// # Errors
/// If the start is no possible position, or one of the moves is illegal.
pub fn set_up(
    start: &Start,
    moves: &[String],
    read: ReadMove,
    chess960: bool,
) -> Result<(Game, Vec<FenRepair>), GameError> {
    let (mut position, mut repairs) = match start {
        Start::Standard => (Position::startpos(), Vec::new()),
        Start::Fen(fen) => Position::from_fen_lenient(fen)?,
    };
    if !chess960 {
        let remedy = "dropped without UCI_Chess960".to_string();
        let dropped = position.remove_chess960_rights().into_iter();
        repairs.extend(dropped.map(|repair| FenRepair { remedy: remedy.clone(), ..repair }));
    }
    let mut game = Game::new(position);
    for (index, text) in moves.iter().enumerate() {
        let mv = read(game.position(), text);
        game.make(mv.map_err(|error| GameError::Move { number: index + 1, error })?);
    }
    Ok((game, repairs))
}

/// True if `game` may be `before` some moves later, by the numbers of the moves.
pub fn goes_on(game: &Game, before: &Game) -> bool {
    let plies = |game: &Game| (game.position().fullmove_number(), game.position().side_to_move().index());
    plies(game) > plies(before)
}

/// The legal moves among `words`, each once, and an error for each other word. The null move, which python-chess sends for
/// an empty list, is left out without an error.
pub fn search_moves(position: &Position, words: &[String]) -> (Vec<Move>, Vec<MoveError>) {
    let (mut moves, mut errors) = (Vec::new(), Vec::new());
    for word in words {
        match position.parse_uci(word) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(MoveError::Null(_)) => {}
            Err(error) => errors.push(error),
        }
    }
    (moves, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With moves as GUIs send them.
    fn set_up(start: &Start, moves: &[String]) -> Result<(Game, Vec<FenRepair>), GameError> {
        super::set_up(start, moves, Position::parse_uci, false)
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn games_are_played_out() {
        let (game, _) = set_up(&Start::Standard, &words("e2e4 e7e5 g1f3")).unwrap();
        assert_eq!(
            game.position().to_string(),
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
        );
        assert_eq!(game.history().len(), 4);
        let knights = words("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        assert!(set_up(&Start::Standard, &knights).unwrap().0.history().is_threefold());
    }

    #[test]
    fn a_line_of_a_book_is_a_position() {
        let line = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1;";
        let (start, moves) = (Start::Fen(line.into()), words("f2f4"));
        let (game, repairs) = super::set_up(&start, &moves, Position::parse_uci, true).unwrap();
        assert!(repairs.is_empty() && game.history().len() == 2);
    }

    #[test]
    fn errors_name_the_number_of_the_move() {
        let error = |start, moves| set_up(&start, &words(moves)).err().unwrap().to_string();
        assert!(error(Start::Standard, "e2e4 e2e4").starts_with("move 2: \"e2e4\" is not legal"));
        assert!(error(Start::Fen("8/8/8 w".into()), "").starts_with("FEN: placement"));
    }

    #[test]
    fn moves_are_read_as_people_type_them_where_that_is_asked_for() {
        let moves = words("e4 e7e5 nf3 Nc6 Bb5 a6 0-0");
        let (game, _) = super::set_up(&Start::Standard, &moves, Position::parse_move, false).unwrap();
        assert_eq!(
            game.position().to_string(),
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4"
        );
        assert!(set_up(&Start::Standard, &moves).is_err(), "a GUI that sends such moves is told of it");
        let error =
            super::set_up(&Start::Standard, &words("e4 e5 Nf6"), Position::parse_move, false).err().unwrap();
        assert!(error.to_string().starts_with("move 3: \"Nf6\" is not legal"), "{error}");
    }

    #[test]
    fn castling_is_parsed_in_both_notations() {
        let start = Start::Fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".into());
        let plain = *set_up(&start, &words("e1g1 e8c8")).unwrap().0.position();
        let chess960 = *set_up(&start, &words("e1h1 e8a8")).unwrap().0.position();
        assert_eq!(plain, chess960);
    }

    #[test]
    fn castling_rights_of_chess960_exist_in_chess960_only() {
        let set_up = |fen: &str, chess960| {
            super::set_up(&Start::Fen(fen.into()), &[], Position::parse_uci, chess960).unwrap()
        };
        for (fen, rights, king) in [
            ("4k3/8/8/8/8/8/8/2KR3R w K - 0 1", "K", "c1 with the rook on h1"),
            ("rk5r/8/8/8/8/8/8/4K2R b Kq - 0 1", "Kq", "b8 with the rook on a8"),
            ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "K", "e1 with the rook on f1"),
        ] {
            let (game, repairs) = set_up(fen, true);
            assert!(
                repairs.is_empty() && game.position().to_string().contains(&format!(" {rights} ")),
                "{fen}"
            );
            let (game, repairs) = set_up(fen, false);
            let sentence = format!("castling: {king} is of Chess960 only, dropped without UCI_Chess960");
            assert_eq!(repairs.iter().map(ToString::to_string).collect::<Vec<_>>(), [sentence]);
            assert!(!game.position().has_chess960_rights());
        }
        let (game, repairs) = set_up("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", false);
        assert!(repairs.is_empty() && game.position().to_string().contains(" KQkq "));
    }

    #[test]
    fn search_moves_are_legal_and_single() {
        let position = Position::startpos();
        let (found, errors) = search_moves(&position, &words("e2e4 e2e5 d2d4 e2e4 0000"));
        assert_eq!(found.iter().map(|mv| format!("{mv:?}")).collect::<Vec<_>>(), ["e2e4", "d2d4"]);
        assert_eq!(errors.len(), 1);
    }
}
