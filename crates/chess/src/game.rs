//! A game: where it began, what was played, and how it ended by the rules.

use super::chess_move::Move;
use super::move_error::MoveError;
use super::position::Position;
use super::repetition::KeyHistory;
use super::square::Color;
use std::fmt;

/// A game of chess: its start, its moves, and the positions that count for repetitions.
///
/// ```
/// use tamarack_chess::{Color, Game, Outcome};
/// let mut game = Game::default();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     let mv = game.position().parse_san(text)?;
///     game.play(mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
/// assert_eq!(game.outcome().unwrap().result(), "0-1");
/// # Ok::<(), tamarack_chess::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
    history: KeyHistory,
}

impl Game {
    /// A game that begins with `start`; [`Game::default`] is one from the start position of standard chess.
    ///
    /// ```
    /// use tamarack_chess::{Game, Position};
    /// let game = Game::new(Position::chess960(0));
    /// assert_eq!(game.position(), &Position::chess960(0));
    /// ```
    pub fn new(start: Position) -> Game {
        Game { start, moves: Vec::new(), position: start, history: KeyHistory::new(&start) }
    }

    /// The position before the first move.
    ///
    /// ```
    /// use tamarack_chess::{Game, Position};
    /// assert_eq!(Game::default().start(), &Position::startpos());
    /// ```
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last move.
    ///
    /// ```
    /// use tamarack_chess::{Color, Game};
    /// let mut game = Game::default();
    /// game.make(game.position().parse_uci("e2e4")?);
    /// assert_eq!(game.position().side_to_move(), Color::Black);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves played, the first one first.
    ///
    /// ```
    /// use tamarack_chess::Game;
    /// let mut game = Game::default();
    /// game.make(game.position().parse_uci("e2e4")?);
    /// assert_eq!(game.moves().len(), 1);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Every position of the game, from the start to the present one.
    ///
    /// ```
    /// use tamarack_chess::{Game, Position};
    /// let mut game = Game::default();
    /// game.make(game.position().parse_uci("e2e4")?);
    /// let positions: Vec<Position> = game.positions().collect();
    /// assert_eq!(positions, [Position::startpos(), *game.position()]);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.start;
        let later = self.moves.iter().map(move |&mv| {
            position.make(mv);
            position
        });
        std::iter::once(self.start).chain(later)
    }

    /// The keys of all positions, for a search that is to see repetitions of the game.
    ///
    /// ```
    /// use tamarack_chess::Game;
    /// let mut history = Game::default().history().clone();
    /// history.mark_root();
    /// assert_eq!(history.len(), 1);
    /// ```
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// Plays a move of any origin.
    ///
    /// # Errors
    /// [`MoveError::Illegal`] if it is not legal. The game stays as it was.
    ///
    /// ```
    /// use tamarack_chess::{Game, Move, MoveKind, Square};
    /// let mut game = Game::default();
    /// let error = game.play(Move::new(Square::E2, Square::E5, MoveKind::Quiet)).unwrap_err();
    /// assert!(error.to_string().ends_with("the pawn on e2 cannot go to e5"));
    /// assert!(game.moves().is_empty());
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        self.position.check_legal(mv)?;
        self.make(mv);
        Ok(())
    }

    /// Plays a legal move, without a test.
    ///
    /// ```
    /// use tamarack_chess::Game;
    /// let mut game = Game::default();
    /// let mv = game.position().legal_moves()[0];
    /// game.make(mv);
    /// assert_eq!(game.moves(), [mv]);
    /// ```
    pub fn make(&mut self, mv: Move) {
        self.position.make(mv);
        self.history.push(&self.position);
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it; `None` at the start. The game is played again up to there, which takes some
    /// 20 microseconds for a hundred moves.
    ///
    /// ```
    /// use tamarack_chess::{Game, Position};
    /// let mut game = Game::default();
    /// let mv = game.position().parse_uci("e2e4")?;
    /// game.make(mv);
    /// assert_eq!((game.undo(), game.undo()), (Some(mv), None));
    /// assert_eq!(game.position(), &Position::startpos());
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.history.pop();
        self.position = self.positions().last().unwrap_or(self.start);
        Some(last)
    }

    /// The end of the game by the rules; `None` while it goes on. Draws that a player has to claim end it too, as in matches
    /// of engines: see [`Outcome::is_claim`].
    ///
    /// ```
    /// use tamarack_chess::{Game, Outcome};
    /// let mut game = Game::default();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     game.make(game.position().parse_uci(text)?);
    /// }
    /// assert_eq!(game.outcome(), Some(Outcome::ThreefoldRepetition));
    /// assert_eq!(game.outcome().filter(|outcome| !outcome.is_claim()), None);
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        match self.position.outcome() {
            Some(outcome) if !outcome.is_claim() => Some(outcome),
            claim => match self.history.occurrences() {
                5.. => Some(Outcome::FivefoldRepetition),
                3.. => Some(Outcome::ThreefoldRepetition),
                _ => claim,
            },
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::startpos())
    }
}

/// The end of a game by the rules.
///
/// ```
/// use tamarack_chess::{Outcome, Position};
/// let position: Position = "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1".parse()?;
/// let outcome = position.outcome().unwrap();
/// assert_eq!((outcome.result(), outcome.to_string().as_str()), ("1/2-1/2", "stalemate"));
/// # Ok::<(), tamarack_chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A king is mated.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move, and is not in check.
    Stalemate,
    /// Neither side has the pieces to mate: [`Position::is_insufficient_material`].
    InsufficientMaterial,
    /// The position is on the board for the third time: a draw if a player claims it.
    ThreefoldRepetition,
    /// Fifty moves of both sides without capture or pawn move: a draw if a player claims it.
    FiftyMoves,
    /// The position is on the board for the fifth time: a draw.
    FivefoldRepetition,
    /// Seventy-five moves of both sides without capture or pawn move: a draw.
    SeventyFiveMoves,
}

impl Outcome {
    /// The side that has won; `None` for a draw.
    ///
    /// ```
    /// use tamarack_chess::{Color, Outcome};
    /// assert_eq!(Outcome::Checkmate { winner: Color::White }.winner(), Some(Color::White));
    /// assert_eq!(Outcome::Stalemate.winner(), None);
    /// ```
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN has it: `1-0`, `0-1` or `1/2-1/2`.
    ///
    /// ```
    /// use tamarack_chess::Outcome;
    /// assert_eq!(Outcome::FiftyMoves.result(), "1/2-1/2");
    /// ```
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// True for the draws that by the laws of FIDE are none until a player claims them: the third repetition, and fifty moves.
    ///
    /// ```
    /// use tamarack_chess::Outcome;
    /// assert!(Outcome::FiftyMoves.is_claim() && !Outcome::SeventyFiveMoves.is_claim());
    /// ```
    pub const fn is_claim(self) -> bool {
        matches!(self, Outcome::ThreefoldRepetition | Outcome::FiftyMoves)
    }
}

impl fmt::Display for Outcome {
    /// In words: `White mates`, `stalemate`, `fifty moves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Checkmate { winner: Color::White } => "White mates",
            Outcome::Checkmate { winner: Color::Black } => "Black mates",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient material",
            Outcome::ThreefoldRepetition => "threefold repetition",
            Outcome::FiftyMoves => "fifty moves",
            Outcome::FivefoldRepetition => "fivefold repetition",
            Outcome::SeventyFiveMoves => "seventy-five moves",
        })
    }
}

impl Position {
    /// The end of the game as far as the position alone shows it, so repetitions apart: see [`Game::outcome`].
    ///
    /// ```
    /// use tamarack_chess::{Color, Outcome, Position};
    /// let mated: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            let mate = Outcome::Checkmate { winner: !self.side_to_move() };
            return Some(if self.in_check() { mate } else { Outcome::Stalemate });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        match self.halfmove_clock() {
            150.. => Some(Outcome::SeventyFiveMoves),
            100.. => Some(Outcome::FiftyMoves),
            _ => None,
        }
    }

    /// Makes a move of any origin in place. [`Self::make`] makes one that is known to be legal, without a test.
    ///
    /// # Errors
    /// [`MoveError::Illegal`] if it is not legal. The position stays as it was.
    ///
    /// ```
    /// use tamarack_chess::{Move, MoveKind, Position, Square};
    /// let mut position = Position::startpos();
    /// position.play(Move::new(Square::G1, Square::F3, MoveKind::Quiet))?;
    /// assert!(position.play(Move::new(Square::B1, Square::C3, MoveKind::Quiet)).is_err()); // Black is to move
    /// # Ok::<(), tamarack_chess::MoveError>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        self.check_legal(mv)?;
        self.make(mv);
        Ok(())
    }

    fn check_legal(&self, mv: Move) -> Result<(), MoveError> {
        if self.is_legal(mv) {
            return Ok(());
        }
        let text = format!("{mv:#}");
        // A move of other squares' kind, such as a capture of nothing, is told by its squares alone.
        Err(match text.parse().and_then(|uci| self.find_uci(uci)) {
            Ok(_) => self.illegal(&text, "it is a move of another kind there".to_string()),
            Err(error) => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(fen.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn games_end_by_the_rules() {
        let shuffle = "a1a2 h8h7 a2a1 h7h8 ";
        let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - -";
        for (fen, moves, expected) in [
            (&format!("{rooks} 0 1")[..], shuffle, None),
            (&format!("{rooks} 0 1"), &shuffle.repeat(2), Some(Outcome::ThreefoldRepetition)),
            (&format!("{rooks} 0 1"), &shuffle.repeat(3), Some(Outcome::ThreefoldRepetition)),
            (&format!("{rooks} 0 1"), &shuffle.repeat(4), Some(Outcome::FivefoldRepetition)),
            (&format!("{rooks} 98 80"), "a1a2", None),
            (&format!("{rooks} 99 80"), "a1a2", Some(Outcome::FiftyMoves)),
            (&format!("{rooks} 149 80"), "a1a2", Some(Outcome::SeventyFiveMoves)),
            // Mate comes before the fifty moves, stalemate is none, and bare kings are drawn at once.
            ("7k/R7/6K1/8/8/8/8/8 w - - 99 80", "a7a8", Some(Outcome::Checkmate { winner: Color::White })),
            ("7k/R7/5K2/8/8/8/8/8 w - - 0 1", "f6g6", None),
            ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6", Some(Outcome::Stalemate)),
            ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", Some(Outcome::InsufficientMaterial)),
        ] {
            assert_eq!(game(fen, moves).outcome(), expected, "{moves} from {fen}");
        }
    }

    #[test]
    fn what_was_played_can_be_taken_back() {
        let mut played = game("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", &"a1a2 h8h7 a2a1 h7h8 ".repeat(2));
        let positions: Vec<Position> = played.positions().collect();
        assert_eq!((positions.len(), positions.last()), (9, Some(played.position())));
        played.undo();
        assert_eq!(played.outcome(), None);
        assert_eq!(played.position(), &positions[7]);
        played.make(played.position().parse_uci("h7h8").unwrap());
        assert_eq!(played.outcome(), Some(Outcome::ThreefoldRepetition));
    }

    #[test]
    fn a_move_of_the_wrong_kind_is_not_played() {
        use crate::{MoveKind, Square};
        let mut game = Game::default();
        let capture = Move::new(Square::E2, Square::E4, MoveKind::Capture);
        let error = game.play(capture).unwrap_err().to_string();
        assert!(
            error.starts_with("\"e2e4\" is not legal in ") && error.ends_with("another kind there"),
            "{error}"
        );
        assert_eq!(game.position(), &Position::startpos());
    }
}
