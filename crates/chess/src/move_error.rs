//! The errors of moves, in words.

use super::attacks::{between, piece_attacks};
use super::bitboard::Bitboard;
use super::castling::CastlingSide;
use super::chess_move::{Move, MoveKind};
use super::piece::{Piece, PieceType};
use super::position::Position;
use super::square::Square;
use super::text::quoted;

/// The reason why a text, or a move, is no legal move of a position.
///
/// ```
/// use tamarack_chess::{MoveError, Position};
/// let parse = |text| Position::startpos().parse_uci(text);
/// assert!(matches!(parse("e2e5"), Err(MoveError::Illegal { .. })));
/// assert!(matches!(parse("castle"), Err(MoveError::Syntax(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in the notation that is read.
    #[error("{} is not a move", quoted(.0))]
    Syntax(String),
    /// The text is `0000`, the null move.
    #[error("{} is a null move, which is not allowed here", quoted(.0))]
    Null(String),
    /// The text is a move, but not a legal one here.
    #[error("{} is not legal in {position}: {reason}", quoted(.text))]
    Illegal {
        /// The move as given.
        text: String,
        /// The position as FEN.
        position: String,
        /// The rule that forbids it.
        reason: String,
    },
    /// The text fits several legal moves.
    #[error("{} is ambiguous: {}", quoted(.text), moves.join(" or "))]
    Ambiguous {
        /// The move as given.
        text: String,
        /// The legal moves that it fits, in SAN.
        moves: Vec<String>,
    },
}

impl Position {
    /// The error of a move that is not legal here.
    pub(super) fn illegal(&self, text: &str, reason: String) -> MoveError {
        MoveError::Illegal { text: text.to_string(), position: self.to_string(), reason }
    }

    /// The rule that forbids a move from `from` to `to` with this promotion, which is not legal.
    pub(super) fn why_not_from(&self, from: Square, to: Square, promotion: Option<PieceType>) -> String {
        let us = self.side_to_move();
        let Some(piece) = self.piece_on(from) else { return format!("there is no piece on {from}") };
        let piece_type = piece.piece_type();
        if piece.color() != us {
            return format!("the {} on {from} is not {}'s", piece_type.name(), us.name());
        }
        if let Some(side) = self.castling_meant(from, to) {
            return self.why_not_castle(side);
        }
        let reason = self.why_not(piece_type, Bitboard::of(from), to);
        reason.unwrap_or_else(|| match promotion {
            None => format!("a pawn that reaches {to} becomes a queen, rook, bishop or knight: {from}{to}q"),
            Some(_) => format!("no piece promotes on {to}"),
        })
    }

    /// The rule that forbids pieces of one type on `sources` to go to `to`. `None` if one of them may, so that something else
    /// is wrong.
    pub(super) fn why_not(&self, piece_type: PieceType, sources: Bitboard, to: Square) -> Option<String> {
        let us = self.side_to_move();
        let name = piece_type.name();
        if self
            .legal_moves()
            .iter()
            .any(|mv| !mv.is_castling() && sources.contains(mv.from()) && mv.to() == to)
        {
            return None;
        }
        if self.color(us).contains(to) {
            return Some(format!("{}'s own piece is on {to}", us.name()));
        }
        let mut reaching = sources;
        for from in sources.into_iter().filter(|&from| !self.reaches(Piece::new(us, piece_type), from, to)) {
            reaching ^= Bitboard::of(from);
        }
        Some(match (reaching.is_empty(), self.in_check()) {
            (true, _) if sources.count() == 1 => {
                format!("the {name} on {} cannot go to {to}", sources.single())
            }
            (true, _) => format!("no {name} of {} can go to {to}", us.name()),
            (false, true) => format!("{}'s king would still be in check", us.name()),
            (false, false) => format!("{}'s king would be in check", us.name()),
        })
    }

    /// True if `piece` could go from `from` to `to`, were it not for its king's safety.
    fn reaches(&self, piece: Piece, from: Square, to: Square) -> bool {
        match piece.piece_type() {
            PieceType::Pawn => {
                let kinds = [MoveKind::Quiet, MoveKind::DoublePush, MoveKind::Capture];
                let promotions =
                    [MoveKind::Promotion, MoveKind::CapturePromotion].map(|kind| kind(PieceType::Queen));
                let us = piece.color();
                kinds.into_iter().chain(promotions).any(|kind| self.pawn_can_reach(us, from, to, kind))
            }
            piece_type => piece_attacks(piece_type, from, self.occupied()).contains(to),
        }
    }

    /// The side to which a move of the king from `from` to `to` would castle: onto a rook of its own, or two files or more
    /// away on its rank.
    fn castling_meant(&self, from: Square, to: Square) -> Option<CastlingSide> {
        let us = self.side_to_move();
        let is_king = self.piece_on(from) == Some(Piece::new(us, PieceType::King));
        let onto_rook = self.piece_on(to) == Some(Piece::new(us, PieceType::Rook));
        let far = from.file().index().abs_diff(to.file().index()) >= 2;
        (is_king && from.rank() == to.rank() && (onto_rook || far))
            .then(|| Move::new(from, to, MoveKind::Castling).castling_side())
    }

    /// The rule that forbids castling to `side`, which is not legal.
    pub(super) fn why_not_castle(&self, side: CastlingSide) -> String {
        let us = self.side_to_move();
        let Some(rook) = self.castling().rook_square(us, side) else {
            let side = if side == CastlingSide::King { "king's side" } else { "queen's side" };
            return format!("{} has no right to castle on the {side}", us.name());
        };
        if self.in_check() {
            return format!("{} is in check, and may not castle", us.name());
        }
        let king = self.king(us);
        let ways = [(king, side.king_target(us)), (rook, side.rook_target(us))];
        let crossed = |(from, to)| between(from, to) | Bitboard::of(to);
        let both = Bitboard::of(king) | Bitboard::of(rook);
        if ways.into_iter().any(|way| crossed(way).without(both).intersects(self.occupied())) {
            return "a piece stands between king and rook, or where they go".to_string();
        }
        format!("{}'s king would cross or reach an attacked square", us.name())
    }
}
