//! Chess by shakmaty, with the spellings of moves and FENs that the engine promises.

use chess::FenStyle;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Move, Position, PositionError,
    Setup, Square,
};

/// The position of a start as `position` gives it.
#[derive(Clone, Debug)]
pub enum StartPosition {
    /// This position.
    Known(Chess),
    /// No position: the engine refuses it.
    Refused,
    /// A position that the engine takes, and shakmaty does not.
    Unknown,
}

/// The position of a FEN. One that shakmaty would write has the position that shakmaty reads. Other spellings and faults, which
/// are refused or repaired as the engine's library documents, are asked there.
pub fn start(fen: &str) -> StartPosition {
    let strict = |fen: Fen| fen.into_position::<Chess>(CastlingMode::Chess960).ok();
    if let Some(position) = fen.parse().ok().and_then(strict).filter(|position| self::fen(position) == fen) {
        return StartPosition::Known(position);
    }
    match chess::Position::from_fen_lenient(fen) {
        Ok((position, _)) => match position.fen(FenStyle::Shredder).parse().ok().and_then(lenient) {
            Some(position) => StartPosition::Known(position),
            None => StartPosition::Unknown,
        },
        Err(_) => StartPosition::Refused,
    }
}

fn lenient(fen: Fen) -> Option<Chess> {
    from_setup(fen.into_setup())
}

/// The position of a setup, even if the check in it is one that no game can have led to.
pub fn from_setup(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Chess960).or_else(PositionError::ignore_impossible_check).ok()
}

/// The position as the engine takes it without `UCI_Chess960`: without the castling rights that only Chess960 has.
pub fn in_standard_chess(position: Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let rights = setup.castling_rights;
    for color in Color::ALL {
        let at_home = setup.board.king_of(color) == Some(Square::from_coords(File::E, color.backrank()));
        let rooks = if at_home {
            Bitboard::from_iter([File::A, File::H].map(|file| Square::from_coords(file, color.backrank())))
        } else {
            Bitboard::EMPTY
        };
        setup.castling_rights &= rooks | !Bitboard::from_rank(color.backrank());
    }
    if setup.castling_rights == rights { Some(position) } else { from_setup(setup) }
}

/// The legal move that a user's word means: castling as `e1g1` or `e1h1`, the letter of a promotion in either case. Where
/// `f1g1` could be both a king move and castling, it is the king move.
pub fn user_move(position: &Chess, word: &str) -> Option<Move> {
    let at = word.char_indices().nth(4).map_or(word.len(), |(at, _)| at);
    let word = format!("{}{}", &word[..at], word[at..].to_ascii_lowercase());
    let legal = position.legal_moves();
    let spelt = |mode| legal.iter().find(|mv| mv.to_uci(mode).to_string() == word).copied();
    spelt(CastlingMode::Chess960).or_else(|| spelt(CastlingMode::Standard))
}

/// The spelling of a move by the engine. Without `UCI_Chess960`, castling of a king on the e-file names its target.
pub fn spelling(mv: Move, chess960: bool) -> String {
    let by_target = matches!(mv, Move::Castle { king, .. } if king.file() == File::E) && !chess960;
    mv.to_uci(if by_target { CastlingMode::Standard } else { CastlingMode::Chess960 }).to_string()
}

/// The legal move that an engine's word means.
pub fn engine_move(position: &Chess, word: &str, chess960: bool) -> Option<Move> {
    position.legal_moves().into_iter().find(|&mv| spelling(mv, chess960) == word)
}

/// The position with colours exchanged.
pub fn flipped(position: &Chess) -> Option<Chess> {
    let setup = position.to_setup(EnPassantMode::Legal);
    from_setup(Setup {
        board: setup.board.into_mirrored(),
        turn: !setup.turn,
        castling_rights: Bitboard::flip_vertical(setup.castling_rights),
        ep_square: setup.ep_square.map(Square::flip_vertical),
        ..setup
    })
}

/// The position as FEN.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The leaves of the tree of legal moves, unless there are more than `most` at the depth before.
pub fn perft(position: &Chess, depth: u32, most: u64) -> Option<u64> {
    let mut leaves = 1;
    for depth in 0..=depth {
        if leaves > most {
            return None;
        }
        leaves = shakmaty::perft(position, depth);
    }
    Some(leaves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_spelt_as_the_engine_promises() {
        let StartPosition::Known(position) = start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1") else { panic!() };
        let short = user_move(&position, "e1g1").unwrap();
        assert_eq!(user_move(&position, "e1h1"), Some(short));
        assert_eq!((spelling(short, false), spelling(short, true)), ("e1g1".into(), "e1h1".into()));
        assert_eq!(engine_move(&position, "e1h1", false), None);
        let StartPosition::Known(position) = start("4k3/8/8/8/8/8/8/5K1R w K - 0 1") else { panic!() };
        let castling = user_move(&position, "f1h1").unwrap();
        assert_eq!(spelling(castling, false), "f1h1");
        assert_ne!(user_move(&position, "f1g1"), Some(castling));
        assert!(user_move(&position, "f1\u{e9}").is_none() && user_move(&position, "0000").is_none());
    }

    #[test]
    fn wrong_fens_are_refused_or_repaired_as_documented() {
        for refused in ["8/8/8 w", "4k3/8/8/8/8/8/8/4K3"] {
            assert!(matches!(start(refused), StartPosition::Refused), "{refused}");
        }
        assert!(matches!(start("4k3/8/8/8/8/8/8/4K3 w KQ - - -"), StartPosition::Known(_)));
    }

    #[test]
    fn a_position_flipped_twice_is_the_same() {
        let StartPosition::Known(position) =
            start("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3")
        else {
            panic!()
        };
        let once = flipped(&position).unwrap();
        assert_eq!(fen(&once), "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3");
        assert_eq!(flipped(&once).unwrap(), position);
        assert_eq!((perft(&once, 2, 1000), perft(&once, 3, 10)), (Some(shakmaty::perft(&position, 2)), None));
    }
}
