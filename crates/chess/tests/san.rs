//! Moves in SAN, as written and as read, and moves as people type them. shakmaty is the referee.

use proptest::prelude::*;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};
use tamarack_chess::positions::{KIWIPETE, START};
use tamarack_chess::random::Random;
use tamarack_chess::{MoveError, Position};

/// Positions with much to tell apart: castling, promotions, en passant, Chess960, many pieces of a type.
const STARTS: [&str; 8] = [
    START,
    KIWIPETE,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "k7/8/8/2N1N3/1N3N2/8/1N3N2/2N1N2K w - - 0 1",
    "6k1/8/8/8/Q6Q/8/8/Q2K3Q w - - 0 1",
    "r2k3r/8/8/3pP3/8/8/6p1/R3K2R w KQ d6 0 1",
];

#[test]
fn san_of_all_legal_moves_of_10000_positions_is_shakmatys_and_reads_back() {
    let mut random = Random::new(1);
    let (mut positions, mut ambiguous, mut mates) = (0, 0, 0);
    for game in 0.. {
        let mut position: Position = STARTS[game % STARTS.len()].parse().unwrap();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() >= 100 {
                break;
            }
            let fen: Fen = position.to_string().parse().unwrap();
            let theirs: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
            for &mv in &moves {
                let san = position.san(mv);
                let same = format!("{mv:#}").parse::<UciMove>().unwrap().to_move(&theirs).unwrap();
                assert_eq!(san, SanPlus::from_move(theirs.clone(), same).to_string(), "{mv} in {position}");
                assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {position}");
                assert_eq!(position.parse_move(&san), Ok(mv), "{san} in {position}");
                ambiguous += u32::from(matches!(
                    San::from_move(&theirs, same),
                    San::Normal { role, file, rank, .. } if role != shakmaty::Role::Pawn && (file, rank) != (None, None)
                ));
                mates += u32::from(san.ends_with('#'));
            }
            positions += 1;
            position = position.after(moves[random.below(moves.len())]);
        }
        if positions >= 10_000 {
            break;
        }
    }
    assert!(ambiguous > 1000 && mates > 100, "{ambiguous} {mates}");
}

const CASTLING: &str = "r3k2r/pppq1ppp/2n2n2/1B1pp3/8/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 9";

#[test]
fn pgn_is_read_strictly() {
    let position: Position = CASTLING.parse().unwrap();
    let san = |text: &str| position.parse_san(text).map(|mv| position.san(mv));
    for (text, expected) in [
        ("O-O", "O-O"),
        ("O-O-O+", "O-O-O"),
        ("Nxe5", "Nxe5"),
        ("Nxe5+!?", "Nxe5"),
        ("Nf3xe5", "Nxe5"),
        ("Nfxe5", "Nxe5"),
        ("d4??", "d4"),
    ] {
        assert_eq!(san(text).as_deref(), Ok(expected), "{text}");
    }
    // What a person may type, and a file may not have.
    for text in ["0-0", "o-o", "Ne5", "nxe5", "e2e4", "d3-d4", "d3d4", "Pd4", "d4 ", "d4e.p.", "\u{2658}xe5"]
    {
        assert!(san(text).is_err(), "{text}");
    }
}

#[test]
fn what_people_type_is_understood() {
    for (fen, typed, expected) in [
        (CASTLING, "0-0", "O-O"),
        (CASTLING, "o-o-o", "O-O-O"),
        (CASTLING, "OO", "O-O"),
        (CASTLING, "e1g1", "O-O"),
        (CASTLING, "Ke1-g1", "O-O"),
        (CASTLING, "e1h1", "O-O"),
        (CASTLING, "ne5", "Nxe5"),
        (CASTLING, "Ne5", "Nxe5"),
        (CASTLING, "N:e5", "Nxe5"),
        (CASTLING, "N\u{d7}e5", "Nxe5"),
        (CASTLING, "Nf3-e5", "Nxe5"),
        (CASTLING, "nf3xe5", "Nxe5"),
        (CASTLING, "f3e5", "Nxe5"),
        (CASTLING, " NXE5 ", "Nxe5"),
        (CASTLING, "\u{2658}e5", "Nxe5"),
        (CASTLING, "\u{265e}e5", "Nxe5"),
        (CASTLING, "\u{2659}d4", "d4"),
        (CASTLING, "bc6", "Bxc6"),
        (CASTLING, "bxc6!", "Bxc6"),
        (CASTLING, "D4", "d4"),
        (CASTLING, "pd4", "d4"),
        (CASTLING, "d3 - d4", "d4"),
        // Of a bishop and a pawn, SAN decides; so does a capital.
        ("4k3/8/8/3n4/2P5/1B6/8/4K3 w - - 0 1", "cxd5", "cxd5"),
        ("4k3/8/8/8/2n5/1P6/B7/4K3 w - - 0 1", "bxc4", "bxc4"),
        ("4k3/8/8/8/2n5/1P1B4/8/4K3 w - - 0 1", "Bc4", "Bxc4"),
        // UCI: the knight on b1, not a bishop on the first rank.
        ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "b1d2", "Nd2"),
        // Promotions and en passant.
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a8=Q+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8(N)", "a8=N"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8/r", "a8=R+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7-a8=b", "a8=B"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8Q", "a8=Q+"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "abq", "axb8=Q+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "exd6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "exd6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd", "exd6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "xd6", "exd6"),
    ] {
        let position: Position = fen.parse().unwrap();
        let san = position.parse_move(typed).map(|mv| position.san(mv));
        assert_eq!(san.as_deref(), Ok(expected), "{typed} in {fen}");
    }
}

#[test]
fn a_typed_move_is_never_guessed() {
    for (fen, typed, expected) in [
        ("4k3/8/8/8/2n5/1P1B4/8/4K3 w - - 0 1", "bc4", "\"bc4\" is ambiguous: Bxc4 or bxc4"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "\"a8\" is ambiguous: a8=B or a8=N or a8=Q+ or a8=R+"),
        ("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "nd2", "\"nd2\" is ambiguous: Nbd2 or Nfd2"),
        (
            "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1",
            "Nf3",
            "\"Nf3\" is not legal in 4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1: White has no knight",
        ),
        // No pawn is meant, and no bishop on the first rank.
        (
            "4k3/8/8/8/2n5/1P6/8/4K3 w - - 0 1",
            "Bxc4",
            "\"Bxc4\" is not legal in 4k3/8/8/8/2n5/1P6/8/4K3 w - - 0 1: White has no bishop",
        ),
        (
            "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
            "b1d2",
            "\"b1d2\" is not legal in 4k3/8/8/8/8/8/8/2B1K3 w - - 0 1: there is no piece on b1",
        ),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.parse_move(typed).unwrap_err().to_string(), expected);
    }
    let start = Position::startpos();
    for typed in ["", "hello", "e", "N", "xx", "e9", "\u{e9}4", "1", "Nb", "nf3f3f3", "O-O-O-O", "--", "e4e"]
    {
        assert_eq!(start.parse_move(typed), Err(MoveError::Syntax(typed.into())), "{typed}");
    }
    assert!(matches!(start.parse_move("0000"), Err(MoveError::Null(_))));
}

#[test]
fn errors_say_which_rule_forbids_the_move() {
    const CHECK: &str = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
    const PINNED: &str = "4k3/4r3/8/8/8/8/4N3/R3K2R w KQ - 0 1";
    for (fen, text, reason) in [
        (START, "e3e4", "there is no piece on e3"),
        (START, "e7e5", "the pawn on e7 is not White's"),
        (START, "e2e5", "the pawn on e2 cannot go to e5"),
        (START, "g1e2", "White's own piece is on e2"),
        (START, "Nf6", "no knight of White can go to f6"),
        (START, "Nbd2", "White's own piece is on d2"),
        (START, "e5", "no pawn of White can go to e5"),
        (START, "O-O", "a piece stands between king and rook, or where they go"),
        (START, "e1g1", "a piece stands between king and rook, or where they go"),
        (START, "Nxf3", "there is nothing to take on f3"),
        (START, "e4=Q", "no piece promotes on e4"),
        (CHECK, "Ra2", "White's king would still be in check"),
        (CHECK, "e1c1", "White is in check, and may not castle"),
        (PINNED, "Nc3", "White's king would be in check"),
        (PINNED, "e2c3", "White's king would be in check"),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "White has no right to castle on the king's side"),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "White's king would cross or reach an attacked square"),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8",
            "a pawn that reaches a8 becomes a queen, rook, bishop or knight: a7a8q",
        ),
    ] {
        let position: Position = fen.parse().unwrap();
        let error = position.parse_move(text).unwrap_err();
        assert_eq!(error.to_string(), format!("{text:?} is not legal in {fen}: {reason}"));
    }
    let castling: Position = CASTLING.parse().unwrap();
    let error = castling.parse_san("Ne5").unwrap_err().to_string();
    assert!(error.ends_with(": it is a capture, which is written with x: xe5"), "{error}");
    let promotion: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    let error = promotion.parse_san("a8").unwrap_err().to_string();
    assert!(
        error.ends_with(": a pawn that reaches a8 becomes a queen, rook, bishop or knight: a8=Q"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(text in any::<String>(), move_like in "[a-hA-HKQRBNPkqrbnpoOx0-9=+# :.-]{0,9}") {
        for start in STARTS {
            let position: Position = start.parse().unwrap();
            for text in [&text, &move_like] {
                if let Ok(mv) = position.parse_san(text) {
                    prop_assert_eq!(position.parse_move(text), Ok(mv));
                }
                if let Ok(mv) = position.parse_uci(text) {
                    prop_assert_eq!(position.parse_move(text), Ok(mv));
                }
                let _ = position.parse_move(text);
            }
        }
    }
}
