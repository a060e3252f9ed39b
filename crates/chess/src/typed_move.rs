//! Moves as people type them.

use super::castling::CastlingSide;
use super::chess_move::Move;
use super::move_error::MoveError;
use super::piece::PieceType;
use super::position::Position;
use super::san;
use super::uci_move::UciMove;

/// Figurines, White's and Black's, with the letters of their pieces.
const FIGURINES: [(char, &str); 12] = [
    ('\u{2654}', "K"),
    ('\u{2655}', "Q"),
    ('\u{2656}', "R"),
    ('\u{2657}', "B"),
    ('\u{2658}', "N"),
    ('\u{2659}', ""),
    ('\u{265A}', "K"),
    ('\u{265B}', "Q"),
    ('\u{265C}', "R"),
    ('\u{265D}', "B"),
    ('\u{265E}', "N"),
    ('\u{265F}', ""),
];

impl Position {
    /// The legal move that a person means by `text`. SAN and UCI have precedence, so that what is right is never taken for
    /// something else. Beyond them these are read, wherever only one legal move fits:
    ///
    /// - captures without `x`, with `:`, or of pawns by less: `Nf6`, `ed5`, `exd`, `xd5`;
    /// - promotions as `e8Q`, `e8(Q)`, `e8/q`, but the piece must be named;
    /// - castling as `0-0`, `o-o-o`;
    /// - both squares: `e2-e4`, `Ng1-f3`, `Ng1xf3`;
    /// - letters in any case, `nf3`, `BXF7`, and figurines, `♘f3`. A capital `B` before small letters is a bishop;
    /// - marks of check, mate and en passant, right or wrong: `++`, `e.p.`
    ///
    /// # Errors
    /// If the text is no move, or the move is ambiguous or not legal here: see [`MoveError`].
    ///
    /// ```
    /// use tamarack_chess::Position;
    /// let position: Position = "r3k3/1P6/8/8/2p5/1P6/8/R2BK2R w KQ - 0 1".parse()?;
    /// for (typed, san) in [
    ///     ("0-0", "O-O"),
    ///     ("ba8q", "bxa8=Q+"),
    ///     ("b8(N)", "b8=N"),
    ///     ("bg4", "Bg4"),
    ///     ("bc", "bxc4"),
    ///     ("a1-a8", "Rxa8+"),
    ///     ("♖a8", "Rxa8+"),
    /// ] {
    ///     assert_eq!(position.san(position.parse_move(typed).unwrap()), san);
    /// }
    /// let error = position.parse_move("b8").unwrap_err();
    /// assert_eq!(error.to_string(), "\"b8\" is ambiguous: b8=B or b8=N or b8=Q+ or b8=R+");
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let typed = text.trim();
        if let Ok(mv) = self.parse_san(typed) {
            return Ok(mv);
        }
        let plain = plain(typed);
        let small = plain.to_ascii_lowercase();
        match small.parse::<UciMove>() {
            Ok(uci) => return self.legal_uci(uci).ok_or_else(|| self.illegal_uci(typed, uci)),
            Err(error @ MoveError::Null(_)) => return Err(error),
            Err(_) => {}
        }
        let is_capture = typed.contains(['x', 'X', ':', '\u{d7}']);
        let is_bishop = plain.starts_with('B') && plain.contains(|letter: char| letter.is_ascii_lowercase());
        let mut moves = self.legal_moves();
        moves.retain(|mv| {
            let Some(piece) = self.piece_on(mv.from()) else { return false };
            let is_meant =
                (!is_capture || mv.is_capture()) && (!is_bishop || piece.piece_type() == PieceType::Bishop);
            is_meant && spellings(mv, piece.piece_type(), is_capture).contains(&small)
        });
        match &moves[..] {
            &[mv] => Ok(mv),
            [] => Err(self.why_not_typed(typed, &small)),
            several => Err(self.ambiguous(typed, several)),
        }
    }

    /// The error of a typed move that no legal move fits.
    fn why_not_typed(&self, typed: &str, small: &str) -> MoveError {
        let capital = small.get(..1).map_or(String::new(), |first| first.to_ascii_uppercase() + &small[1..]);
        let capture = small.split_at_checked(1).map_or(String::new(), |(file, to)| format!("{file}x{to}"));
        let castling = match small.replace('0', "o").as_str() {
            "oo" => "O-O",
            "ooo" => "O-O-O",
            _ => "",
        };
        let pattern = [typed, castling, small, &capital, &capture].into_iter().find_map(san::read);
        pattern.map_or(MoveError::Syntax(typed.to_string()), |pattern| {
            self.illegal(typed, self.why_not_pattern(&pattern))
        })
    }
}

/// Every text that means `mv` of this piece, in small letters and without marks. A pawn that takes is named by its square alone
/// only where the text is one of a capture.
fn spellings(mv: Move, piece_type: PieceType, is_capture: bool) -> Vec<String> {
    let (from, to) = (mv.from(), mv.to());
    let both = format!("{from}{to}");
    if mv.is_castling() {
        let [letters, zeros] = match mv.castling_side() {
            CastlingSide::King => ["oo", "00"],
            CastlingSide::Queen => ["ooo", "000"],
        };
        return vec![
            letters.into(),
            zeros.into(),
            format!("k{both}"),
            format!("k{from}{}", mv.destination()),
        ];
    }
    let letter = piece_type.letter();
    if piece_type != PieceType::Pawn {
        let sources = [String::new(), from.file().to_string(), from.rank().to_string(), from.to_string()];
        return sources.map(|source| format!("{letter}{source}{to}")).to_vec();
    }
    let mut texts = vec![both];
    if mv.is_capture() {
        texts.extend([format!("{}{to}", from.file()), format!("{}{}", from.file(), to.file())]);
    }
    if mv.is_capture() == is_capture {
        texts.push(to.to_string());
    }
    // Without the new piece it fits all four, so that the error names them.
    let promotion = mv.promotion().map(|piece_type| piece_type.letter());
    let promoted: Vec<String> =
        promotion.iter().flat_map(|new| texts.iter().map(move |text| format!("{text}{new}"))).collect();
    texts.extend(promoted);
    let named: Vec<String> = texts.iter().map(|text| format!("{letter}{text}")).collect();
    texts.extend(named);
    texts
}

/// The letters and digits of a move: no figurines, no marks of captures, checks, promotions, en passant, and no blanks.
fn plain(typed: &str) -> String {
    let mut text = typed.to_string();
    for (figurine, letter) in FIGURINES {
        text = text.replace(figurine, letter);
    }
    let text = ["e.p.", "ep"].into_iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(&text);
    text.chars().filter(|letter| !"xX:\u{d7}-\u{2013}=()/+#!? ".contains(*letter)).collect()
}
