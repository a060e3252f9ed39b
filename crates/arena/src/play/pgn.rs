//! Writes games as PGN, with `{eval/depth time}` after each move.

use super::game::PlayedGame;
use super::think::UciScore;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position};
use std::fmt::Write;

/// Tags of the PGN that are not part of the game.
#[derive(Clone, Debug, Default)]
pub struct PgnTags {
    /// Name of the event.
    pub event: String,
    /// Date, `YYYY.MM.DD`.
    pub date: String,
    /// Round, as text.
    pub round: String,
    /// Name of White.
    pub white: String,
    /// Name of Black.
    pub black: String,
    /// Time control of White and Black.
    pub controls: [String; 2],
}

const WIDTH: usize = 100;

/// The game as PGN text, with a blank line at its end.
pub fn write(game: &PlayedGame, tags: &PgnTags, chess960: bool) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{name} \"{value}\"]");
    };
    tag("Event", &tags.event);
    tag("Site", "?");
    tag("Date", &tags.date);
    tag("Round", &tags.round);
    tag("White", &tags.white);
    tag("Black", &tags.black);
    tag("Result", game.outcome.as_str());
    if chess960 {
        tag("Variant", "Chess960");
    }
    if game.opening.start != Chess::default() || chess960 {
        tag("FEN", &Fen::from_position(&game.opening.start, EnPassantMode::Legal).to_string());
        tag("SetUp", "1");
    }
    tag("PlyCount", &(game.plies.len() + game.opening.moves.len()).to_string());
    tag("Termination", termination(game));
    if tags.controls[0] == tags.controls[1] {
        tag("TimeControl", &tags.controls[0]);
    } else {
        tag("WhiteTimeControl", &tags.controls[0]);
        tag("BlackTimeControl", &tags.controls[1]);
    }
    out.push('\n');
    write_moves(game, tags, &mut out);
    out.push('\n');
    out
}

fn termination(game: &PlayedGame) -> &'static str {
    use super::game::Termination::*;
    use super::player::FaultKind;
    match game.termination {
        Checkmate | Stalemate | Material | Repetition | FiftyMoves => "normal",
        AgreedDraw | Resignation | Tablebase | Length => "adjudication",
        Fault(FaultKind::Time) => "time forfeit",
        Fault(FaultKind::Illegal | FaultKind::Line) => "rules infraction",
        Fault(FaultKind::Stall) => "stalled",
        Fault(FaultKind::Crash | FaultKind::Start) => "abandoned",
    }
}

fn write_moves(game: &PlayedGame, tags: &PgnTags, out: &mut String) {
    let mut line = Wrapped { out, column: 0 };
    let mut position = game.opening.start.clone();
    let mut first = true;
    for &mv in &game.opening.moves {
        line.mv(&mut position, mv, first, "{book}");
        first = false;
    }
    let count = game.plies.len();
    for (index, ply) in game.plies.iter().enumerate() {
        let mut comment = match ply.info.score {
            Some(score) => {
                format!("{{{}/{} {:.3}s", score_text(score), ply.info.depth, ply.time.as_secs_f64())
            }
            None => format!("{{{:.3}s", ply.time.as_secs_f64()),
        };
        if ply.info.nodes > 0 {
            let _ = write!(comment, " n={}", ply.info.nodes);
        }
        if index + 1 == count {
            let _ = write!(comment, ", {}", closing_words(game, tags));
        }
        comment.push('}');
        line.mv(&mut position, ply.mv, first, &comment);
        first = false;
    }
    if count == 0 {
        line.word(&format!("{{{}}}", closing_words(game, tags)));
    }
    line.word(game.outcome.as_str());
    line.out.push('\n');
}

/// The end of the game as text, as in "glaurung loses by illegal move: …".
pub fn closing_words(game: &PlayedGame, tags: &PgnTags) -> String {
    let name = |color: Color| color.fold_wb(&tags.white, &tags.black);
    let text = match (&game.fault, game.outcome.winner()) {
        (Some((color, failure)), _) => {
            format!("{} loses by {}: {}", name(*color), failure.kind.words(), failure.detail)
        }
        (None, Some(winner)) => format!("{} wins by {}", name(winner), game.termination.words()),
        (None, None) => format!("Draw by {}", game.termination.words()),
    };
    text.replace(['{', '}', '\n', '\r'], " ")
}

fn score_text(score: UciScore) -> String {
    match score {
        UciScore::Centipawns(0) => "0.00".to_owned(),
        UciScore::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        UciScore::Mate(moves) if moves > 0 => format!("+M{moves}"),
        UciScore::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
    }
}

/// Breaks lines between words.
struct Wrapped<'a> {
    out: &'a mut String,
    column: usize,
}

impl Wrapped<'_> {
    fn mv(&mut self, position: &mut Chess, mv: Move, first: bool, comment: &str) {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if first => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        let san = SanPlus::from_move_and_play_unchecked(position, mv);
        self.word(&san.to_string());
        for word in comment.split(' ') {
            self.word(word);
        }
    }

    fn word(&mut self, word: &str) {
        if self.column > 0 && self.column + word.len() >= WIDTH {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += word.len();
    }
}
