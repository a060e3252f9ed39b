//! The games of a PGN file as openings: read strictly, since a word that is skipped makes another game of the rest.

use super::opening::{Opening, fen_to_position, referee_move};
use crate::epd;
use anyhow::{Context, Result, bail, ensure};
use chess::CastlingNotation;
use shakmaty::{CastlingMode, Chess, Position};
use std::path::Path;

/// Reads the games of a PGN file, each up to this many plies. Comments, side lines, annotations and tags other than `FEN` are skipped; every
/// other word must be a move, the number of a move or a result, also beyond the plies that are taken.
///
/// # Errors
/// Names the game, the line and the word that is wrong, but not the file.
pub fn read_pgn(path: &Path, mode: CastlingMode, plies: usize) -> Result<Vec<Opening>> {
    parse_pgn(&epd::read(path)?, mode, plies)
}

/// Reads the games of a text, as [`read_pgn`] does.
///
/// # Errors
/// Names the game, the line and the word that is wrong.
pub fn parse_pgn(text: &str, mode: CastlingMode, plies: usize) -> Result<Vec<Opening>> {
    let mut games = Games { mode, plies, games: Vec::new(), game: None };
    for word in words(text) {
        let Word { line, text, kind } = word?;
        let number = games.games.len() + 1;
        games.take(kind, text).with_context(|| format!("game {number}, line {line}"))?;
    }
    games.end_game();
    Ok(games.games)
}

/// The games read so far, and the one that is being read.
struct Games {
    mode: CastlingMode,
    plies: usize,
    games: Vec<Opening>,
    game: Option<Game>,
}

/// A game that is being read.
struct Game {
    opening: Opening,
    position: chess::Position,
    /// The position after the moves of the opening, as the referee has it.
    end: Chess,
    /// True once a word of the movetext has been read.
    has_begun: bool,
}

impl Games {
    fn take(&mut self, kind: Kind, text: &str) -> Result<()> {
        if kind == Kind::Tag {
            // Tags behind moves are those of the next game.
            if self.game.as_ref().is_some_and(|game| game.has_begun) {
                self.end_game();
            }
            let game = self.game.get_or_insert_default();
            return tag_value(text, "FEN").map_or(Ok(()), |fen| game.begin_at(&fen, self.mode));
        }
        if matches!(text, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.game.get_or_insert_default();
            self.end_game();
            return Ok(());
        }
        let game = self.game.get_or_insert_default();
        game.has_begun = true;
        match without_number(text) {
            "" => Ok(()),
            word => game.play(word, self.mode, self.plies),
        }
    }

    fn end_game(&mut self) {
        self.games.extend(self.game.take().map(|game| game.opening));
    }
}

impl Default for Game {
    fn default() -> Game {
        Game {
            opening: Opening::default(),
            position: chess::Position::startpos(),
            end: Chess::default(),
            has_begun: false,
        }
    }
}

impl Game {
    fn begin_at(&mut self, fen: &str, mode: CastlingMode) -> Result<()> {
        (self.position, self.opening.start) = fen_to_position(fen, mode)?;
        self.end = self.opening.start.clone();
        Ok(())
    }

    fn play(&mut self, word: &str, mode: CastlingMode, plies: usize) -> Result<()> {
        let is_annotation = word.trim_matches(['!', '?']).is_empty() || word == "e.p.";
        if is_annotation {
            return Ok(());
        }
        // Castling with zeros is common, and can be nothing else.
        let san = word.replace("0-0", "O-O").replace("O-0", "O-O");
        let mv = self.position.parse_san(&san).map_err(|error| anyhow::anyhow!("no move: {error}"))?;
        let notation = match mode {
            CastlingMode::Standard => CastlingNotation::KingTarget,
            CastlingMode::Chess960 => CastlingNotation::KingTakesRook,
        };
        if self.opening.moves.len() < plies {
            let mv = referee_move(&self.end, &mv.uci(notation))?;
            self.end.play_unchecked(mv);
            self.opening.moves.push(mv);
        }
        self.position = self.position.after(mv);
        Ok(())
    }
}

/// The word behind the number of a move, as in `12.Nf3` and `12...`; the word itself if it has none.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match rest.strip_prefix('.').map(|rest| rest.trim_start_matches('.')) {
        Some(rest) => rest,
        None if rest.is_empty() => "",
        None => word,
    }
}

/// The value of the tag in `[Name "value"]` if it is the one of this name.
fn tag_value(tag: &str, name: &str) -> Option<String> {
    let rest = tag.trim().strip_prefix(name)?.strip_prefix(char::is_whitespace)?;
    Some(rest.trim().trim_matches('"').to_string())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The inside of the brackets of a tag.
    Tag,
    /// A word of the movetext.
    Text,
}

/// A tag, or a word of the movetext outside of comments and side lines.
struct Word<'t> {
    /// The number of its line, from 1.
    line: usize,
    text: &'t str,
    kind: Kind,
}

/// The words of a PGN text. Annotations (`$1`) are left out.
fn words(text: &str) -> impl Iterator<Item = Result<Word<'_>>> {
    let mut scanner = Scanner { text, place: 0, line: 1 };
    std::iter::from_fn(move || scanner.next_word().transpose())
}

struct Scanner<'t> {
    text: &'t str,
    place: usize,
    line: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.place..]
    }

    /// Goes on by so many bytes.
    fn skip(&mut self, bytes: usize) {
        self.line += self.rest()[..bytes].matches('\n').count();
        self.place += bytes;
    }

    /// The next word; `None` at the end of the text.
    fn next_word(&mut self) -> Result<Option<Word<'t>>> {
        let mut side_lines = 0_usize;
        loop {
            let blank = self.rest().len() - self.rest().trim_start().len();
            self.skip(blank);
            let (line, rest) = (self.line, self.rest());
            let is_line_start = self.place == 0 || self.text[..self.place].ends_with('\n');
            let Some(first) = rest.chars().next() else {
                ensure!(side_lines == 0, "line {line}: a side line is not closed");
                return Ok(None);
            };
            match first {
                ';' => self.skip(rest.find('\n').unwrap_or(rest.len())),
                '%' if is_line_start => self.skip(rest.find('\n').unwrap_or(rest.len())),
                '{' => match rest.find('}') {
                    Some(end) => self.skip(end + 1),
                    None => bail!("line {line}: a comment is not closed"),
                },
                '(' => (side_lines, self.place) = (side_lines + 1, self.place + 1),
                ')' if side_lines > 0 => (side_lines, self.place) = (side_lines - 1, self.place + 1),
                ')' => bail!("line {line}: a side line is closed that was not opened"),
                '[' if side_lines == 0 => {
                    let end = tag_end(rest).with_context(|| format!("line {line}: a tag is not closed"))?;
                    self.skip(end + 1);
                    return Ok(Some(Word { line, text: &rest[1..end], kind: Kind::Tag }));
                }
                _ => {
                    let ends =
                        |letter: char| letter.is_whitespace() || matches!(letter, '{' | '(' | ')' | ';');
                    let length = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
                    self.skip(length);
                    if side_lines == 0 && first != '$' {
                        return Ok(Some(Word { line, text: &rest[..length], kind: Kind::Text }));
                    }
                }
            }
        }
    }
}

/// The place of the bracket that closes the tag at the start of `text`: the last one of its line, since values hold brackets and quotation
/// marks of their own.
fn tag_end(text: &str) -> Option<usize> {
    text.lines().next()?.rfind(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Opening>> {
        parse_pgn(text, CastlingMode::Standard, 16)
    }

    #[test]
    fn everything_that_pgn_has_beside_moves_is_skipped() {
        let text = "; a book\n% escaped\n[Event \"5th \"Old [Mill]\" Cup\"]\n[Result \"*\"]\n\n\
             1. e4! $1 {good; (really)} e5 (1... c5 2. Nf3 (2. c3 {c} d5)) 2.Nf3 ; line\n2...Nc6 3.Bb5 ?! a6 1/2-1/2\n\n\
             [White \"M\u{fc}ller\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. 0-0 O-O-O+ *\n\n1. d4 d5\n";
        let games = read(text).unwrap();
        let counts: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
        assert_eq!(counts, [6, 2, 2]);
        assert_eq!(games[1].fen(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    }

    /// A reader that went through the moves again for each word would take hours.
    #[test]
    fn a_game_of_any_length_is_read_word_by_word() {
        const ROUNDS: usize = 50_000;
        let shuffled = "Nf3 Nf6 Ng1 Ng8 ".repeat(ROUNDS);
        let nested = format!("{}{}", "( ".repeat(ROUNDS), ") ".repeat(ROUNDS));
        let text = format!("{shuffled}{nested}{}1-0", "{a} $1 ; b\n".repeat(ROUNDS));
        let games = parse_pgn(&text, CastlingMode::Standard, usize::MAX).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [4 * ROUNDS]);
    }

    #[test]
    fn a_word_that_is_no_move_is_an_error_with_game_line_and_word() {
        for (name, text, words) in [
            ("nf6", "1. e4 e5 *\n\n1. e4 nf6 2. e5 nd5 *", ["game 2", "line 3", "\"nf6\""]),
            ("sf3", "1. e4 e5 2. Sf3 Sc6 3. d4 exd4 *", ["game 1", "line 1", "\"Sf3\""]),
            ("figurine", "1. \u{2658}f3\n", ["game 1", "line 1", "\u{2658}f3"]),
            ("illegal", "1. e4 e5\n2. Ke3 *", ["game 1", "line 2", "\"Ke3\""]),
            ("prose", "this is no book at all", ["game 1", "line 1", "\"this\""]),
            ("open", "1. e4 {open", ["line 1", "a comment", "not closed"]),
            (
                "late",
                "1. a3 a6 2. a4 a5 3. b3 b6 4. c3 c6 5. d3 d6 6. e3 e6 7. f3 f6 8. g3 g6 9. Sf3",
                ["game 1", "line 1", "Sf3"],
            ),
            (
                "fen",
                "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQNBNR w - - 0 1\"]\n\n1. e4",
                ["game 1", "line 1", "king"],
            ),
        ] {
            let error = format!("{:#}", read(text).unwrap_err());
            assert!(words.iter().all(|word| error.contains(word)), "{name}: {error}");
        }
    }
}
