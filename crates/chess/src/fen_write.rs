//! Writing FEN: X-FEN and Shredder-FEN. [`super::fen`] reads it.

use super::castling::CastlingSide;
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::square::{Color, File, Rank, Square};
use std::fmt;

/// The notation of castling rights in FEN: see [`Position::fen`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenStyle {
    /// `KQkq`, as in X-FEN: the rook's file only where it is not the outermost rook.
    Standard,
    /// Always the rook's file, as Shredder does for Chess960: `HAha`.
    Shredder,
}

impl Position {
    /// The six fields of FEN. The en passant square is given only when an en passant capture is legal.
    ///
    /// ```
    /// use tamarack_chess::{FenStyle, Position};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K".parse()?;
    /// assert_eq!(position.fen(FenStyle::Shredder), "4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    /// let error = "4k3/8/8/8/8/8/8/4K3 w K".parse::<Position>().unwrap_err();
    /// assert_eq!(error.to_string(), "castling: 'K' in \"K\": no rook to castle with");
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn fen(&self, style: FenStyle) -> String {
        let side = self.side_to_move();
        let en_passant = self.en_passant().map_or("-".to_string(), |square| square.to_string());
        let (clock, number) = (self.halfmove_clock(), self.fullmove_number());
        format!("{} {side} {} {en_passant} {clock} {number}", self.placement(), self.castling_field(style))
    }

    fn placement(&self) -> String {
        let mut text = String::with_capacity(72);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    Some(piece) => {
                        push_count(&mut text, empty);
                        empty = 0;
                        text.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            push_count(&mut text, empty);
            if rank != Rank::R1 {
                text.push('/');
            }
        }
        text
    }

    fn castling_field(&self, style: FenStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for castling_side in CastlingSide::ALL {
                let Some(file) = self.castling().rook_file(color, castling_side) else { continue };
                let rank = Rank::R1.relative_to(color);
                let rook = Piece::new(color, PieceType::Rook);
                let is_rook = |file: &File| self.piece_on(Square::new(*file, rank)) == Some(rook);
                let letter = match castling_side {
                    _ if style == FenStyle::Shredder => file.letter(),
                    CastlingSide::King if File::ALL.into_iter().rev().find(is_rook) == Some(file) => 'k',
                    CastlingSide::Queen if File::ALL.into_iter().find(is_rook) == Some(file) => 'q',
                    _ => file.letter(),
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_string() } else { text }
    }
}

impl fmt::Display for Position {
    /// As [`Position::fen`] in the standard style.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(FenStyle::Standard))
    }
}

fn push_count(text: &mut String, empty: u32) {
    text.extend(char::from_digit(empty, 10).filter(|digit| *digit != '0'));
}
