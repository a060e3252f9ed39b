//! Positions and moves as text: what is written and read, what is repaired and what is refused. shakmaty is the referee.

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};
use tamarack_chess::positions::{KIWIPETE, POSITION_3, START};
use tamarack_chess::random::Random;
use tamarack_chess::{CastlingNotation, Epd, FenStyle, MoveError, Position};

/// Positions with much to write: castling, promotions, en passant, Chess960 with inner rooks, many queens.
const STARTS: [&str; 9] = [
    START,
    KIWIPETE,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    POSITION_3,
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "r1r1k1rr/pp1pp1pp/8/8/8/8/PP1PP1PP/R1R1K1RR w GCgc - 0 1",
    "k7/8/8/2N1N3/1N3N2/8/1N3N2/2N1N2K w - - 0 1",
    "6k1/8/8/8/Q6Q/8/8/Q2K3Q w - - 0 1",
];

/// Plays random games and shows every position to `visit`.
fn random_games(seed: u64, games: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    for game in 0..games {
        let mut position: Position = STARTS[game % STARTS.len()].parse().unwrap();
        for _ in 0..120 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() >= 100 {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
        }
    }
}

fn referee(position: &Position) -> Chess {
    let fen = Fen::from_ascii(position.to_string().as_bytes()).unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

#[test]
fn every_position_of_a_game_survives_being_written_and_read() {
    random_games(1, 160, |position| {
        for style in [FenStyle::Standard, FenStyle::Shredder] {
            let (read, repairs) = Position::from_fen_lenient(&position.fen(style)).unwrap();
            assert_eq!(repairs, [], "{position}");
            assert_eq!(read.fen(style), position.fen(style));
            assert_eq!(read.key(), position.key());
            assert_eq!(read.legal_moves(), position.legal_moves(), "{position}");
        }
    });
}

#[test]
fn fen_is_spelt_as_by_shakmaty() {
    random_games(2, 160, |position| {
        let theirs = Fen::from_position(&referee(position), EnPassantMode::Legal);
        assert_eq!(position.to_string(), theirs.to_string());
    });
}

#[test]
fn moves_are_spelt_as_by_shakmaty_and_read_back() {
    random_games(3, 48, |position| {
        let chess = referee(position);
        for mv in position.legal_moves() {
            let uci = mv.uci(CastlingNotation::KingTakesRook);
            assert!(
                UciMove::from_ascii(uci.as_bytes()).unwrap().to_move(&chess).is_ok(),
                "{uci} in {position}"
            );
            assert_eq!(position.parse_uci(&uci), Ok(mv), "{uci} in {position}");
        }
        assert_eq!(position.legal_moves().len(), chess.legal_moves().len());
    });
}

#[test]
fn missing_fields_and_spare_spaces_do_no_harm() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for tail in ["w KQkq - 0 1", "w KQkq - 0", "w KQkq -", "w KQkq", " w   HAha\t- 0 0 \r\n", "w qkQK - 0 1"]
    {
        let position: Position = format!("  {board} {tail}").parse().unwrap();
        assert_eq!(position, Position::startpos(), "{tail:?}");
    }
    let bare: Position = format!("{board} b").parse().unwrap();
    assert_eq!(bare.to_string(), format!("{board} b - - 0 1"));
}

#[test]
fn castling_letters_mean_what_x_fen_says() {
    // K and Q are the outermost rooks; an inner one is called by its file, whatever the style.
    let outer: Position = "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w KQkq - 0 1".parse().unwrap();
    assert_eq!(outer.fen(FenStyle::Shredder), "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w HAha - 0 1");
    let inner: Position = "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w GCkq - 0 1".parse().unwrap();
    assert_eq!(inner.to_string(), "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w GCkq - 0 1");
    assert_eq!(inner.fen(FenStyle::Shredder), "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w GCha - 0 1");
}

#[test]
fn an_en_passant_square_is_kept_only_if_it_matters() {
    let start = Position::startpos();
    let after = start.after(start.parse_uci("e2e4").unwrap());
    assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let given: Position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse().unwrap();
    assert_eq!(given, after);
}

#[test]
fn errors_say_which_field_is_wrong_and_why() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let cases = [
        ("".to_string(), "placement: there is none"),
        ("hello".to_string(), "placement: 1 ranks instead of 8"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1".to_string(), "placement: 7 ranks instead of 8"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1".to_string(), "placement: 9 ranks instead of 8"),
        ("k7/8/8/7/8/8/8/K7 w - - 0 1".to_string(), "placement: rank 5 has 7 squares"),
        ("k7/8/8/88888888888/8/8/8/K7 w - - 0 1".to_string(), "placement: rank 5 has 88 squares"),
        ("k7/8/8/pppppppppp/8/8/8/K7 w - - 0 1".to_string(), "placement: rank 5 has 10 squares"),
        ("k7/8/8/9/8/8/8/K7 w - - 0 1".to_string(), "placement: '9' in rank 5"),
        ("k7/8/8/x7/8/8/8/K7 w - - 0 1".to_string(), "placement: 'x' in rank 5"),
        ("k7/8/8/\u{265e}7/8/8/8/K7 w - - 0 1".to_string(), "placement: '\u{265e}' in rank 5"),
        (start.to_string(), "side to move: there is none"),
        (format!("{start} W KQkq - 0 1"), "side to move: \"W\" is neither w nor b"),
        (format!("{start} w KQxq - 0 1"), "castling: 'x' in \"KQxq\""),
        (format!("{start} w KQkk - 0 1"), "castling: 'k' in \"KQkk\": a second right on the same side"),
        (format!("{start} w KHkq - 0 1"), "castling: 'H' in \"KHkq\": a second right on the same side"),
        (format!("{start} w KQ-q - 0 1"), "castling: '-' in \"KQ-q\""),
        (format!("{start} w KQkqK - 0 1"), "castling: more than four rights in \"KQkqK\""),
        (format!("{start} w KBkq - 0 1"), "castling: 'B' in \"KBkq\": no rook to castle with"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1".to_string(),
            "castling: 'K' in \"KQkq\": no rook to castle with",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR w KQkq - 0 1".to_string(),
            "castling: 'K' in \"KQkq\": no king on its back rank",
        ),
        (format!("{start} w KQkq e9 0 1"), "en passant: \"e9\" is no square"),
        (format!("{start} w KQkq e3 0 1"), "en passant: no pawn can have passed e3 with its last move"),
        (format!("{start} w KQkq - -1 1"), "halfmove clock: \"-1\" is no number"),
        (format!("{start} w KQkq - +1 1"), "halfmove clock: \"+1\" is no number"),
        (format!("{start} w KQkq - 99999999999 1"), "halfmove clock: \"99999999999\" is too large"),
        (format!("{start} w KQkq - 65536 1"), "halfmove clock: \"65536\" is too large"),
        (format!("{start} w KQkq - 0 -"), "fullmove number: \"-\" is no number"),
        (format!("{start} w KQkq - bm e4;"), "after the last field: EPD operations \"bm e4;\""),
        (format!("{start} w KQkq - 0 one"), "fullmove number: \"one\" is no number"),
        (format!("{start} w KQkq - 0 1 moves"), "after the last field: unexpected \"moves\""),
    ];
    for (fen, expected) in cases {
        let error = fen.parse::<Position>().expect_err(&fen).to_string();
        assert!(error.starts_with(expected), "{fen}: {error}, expected {expected}");
    }
}

#[test]
fn positions_that_no_game_can_have_are_refused() {
    let cases = [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "no black king"),
        ("k7/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "two white kings"),
        ("k7/8/8/8/8/8/8/R3K3 w - - 0 1", "Black, not to move, in check"),
        ("8/8/8/8/8/8/kK6/8 w - - 0 1", "kings side by side"),
        ("k3P3/8/8/8/8/8/8/K7 w - - 0 1", "a pawn on rank 8"),
        ("k7/8/8/8/8/8/8/K2p4 w - - 0 1", "a pawn on rank 1"),
        ("rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "17 white pieces"),
        ("k7/8/8/8/8/P7/PPPPPPPP/K7 w - - 0 1", "nine pawns"),
    ];
    for (fen, why) in cases {
        let error = fen.parse::<Position>().expect_err(why).to_string();
        assert_eq!(Position::from_fen_lenient(fen).expect_err(why).to_string(), error);
        assert!(error.starts_with("impossible position: "), "{fen} ({why}): {error}");
        assert!(error.len() > "impossible position: ".len() + 5);
    }
}

/// FENs as programs send them, as they are read, and the fields that were repaired.
const REPAIRED: [(&str, &str, &str); 31] = [
    // Castling rights without king or rook at home.
    ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling castling castling"),
    ("4k2r/8/8/8/8/8/8/4K3 b Kk - 3 9", "4k2r/8/8/8/8/8/8/4K3 b k - 3 9", "castling"),
    ("r3k2r/8/8/8/8/4K3/8/R6R w KQkq - 0 1", "r3k2r/8/8/8/8/4K3/8/R6R w kq - 0 1", "castling castling"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQHA - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "castling castling"),
    ("4k3/8/8/8/8/8/8/R3K2R w HB - 0 1", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "castling"),
    ("r3k2r/8/8/8/8/8/8/4K3 w kqkq - 0 1", "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", "castling castling"),
    ("4k3/8/8/8/8/8/8/4K2N w K -", "4k3/8/8/8/8/8/8/4K2N w - - 0 1", "castling"),
    // En passant squares that no pawn can have passed.
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "en passant"),
    ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1", "en passant"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "en passant"),
    ("4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", "en passant"),
    ("k3r3/8/4P3/3Pp3/8/8/8/4K3 w - e6 0 1", "k3r3/8/4P3/3Pp3/8/8/8/4K3 w - - 0 1", "en passant"),
    ("4k3/8/8/8/4P3/8/8/4K3 b - e9 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "en passant"),
    // In capitals.
    ("4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "en passant"),
    // An en passant square where nobody can take is usual, and no fault.
    ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", ""),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", ""),
    // Counters that are missing, no counters, or beyond any game.
    ("4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/4K3 b - - 7", "4k3/8/8/8/8/8/8/4K3 b - - 7 1", ""),
    ("4k3/8/8/8/8/8/8/4K3 b - - 0 0", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/4K3 b - - - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "halfmove clock fullmove number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 -3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "halfmove clock fullmove number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 150 5949", "4k3/8/8/8/8/8/8/4K3 w - - 150 5949", ""),
    ("4k3/8/8/8/8/8/8/4K3 w - - 70000 8", "4k3/8/8/8/8/8/8/4K3 w - - 65535 8", "halfmove clock"),
    ("4k3/8/8/8/8/8/8/4K3 b - - 9 4294967296", "4k3/8/8/8/8/8/8/4K3 b - - 9 65535", "fullmove number"),
    // EPD operations.
    ("4k3/8/8/8/8/8/8/4K2R w K - bm O-O;", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "after the last field"),
    ("4k3/8/8/8/8/8/8/4K3 w - - id \"one; two\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "after the last field"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - hmvc 12; fmvn 40;",
        "4k3/8/8/8/8/8/8/4K3 w - - 12 40",
        "after the last field",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - c0 \"; hmvc 9;\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "after the last field"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 3 20 acd 9; ce 31;",
        "4k3/8/8/8/8/8/8/4K3 w - - 3 20",
        "after the last field",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 b KQkq d6 - 0 ;D1 5 ;D2 25",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        "castling castling castling castling en passant halfmove clock after the last field",
    ),
];

#[test]
fn fens_with_plain_faults_are_repaired() {
    for (fen, expected, fields) in REPAIRED {
        let (position, repairs) = Position::from_fen_lenient(fen).expect(fen);
        position.assert_consistent();
        assert_eq!(position.to_string(), expected, "{fen}");
        let repaired: Vec<String> = repairs.iter().map(|repair| repair.field.to_string()).collect();
        assert_eq!(repaired.join(" "), fields, "{fen}: {repairs:?}");
        assert_eq!(fen.parse::<Position>().is_err(), !repairs.is_empty(), "{fen}");
    }
}

type Operations = &'static [(&'static str, &'static str)];

/// Lines of books, test suites and perft lists, with the position and the operations that are read.
const LINES: [(&str, &str, Operations); 10] = [
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1;", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[]),
    ("4k3/8/8/8/8/8/8/4K3 w - -;", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[]),
    ("4k3/8/8/8/8/8/8/4K3 w;", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[]),
    ("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1;", "5k1r/8/8/8/8/8/8/5K1R w Kk - 0 1", &[]),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2 Kf2; id \"a; b\";",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &[("bm", "Kd2 Kf2"), ("id", "a; b")],
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 12; fmvn 40;", "4k3/8/8/8/8/8/8/4K3 w - - 12 40", &[("hmvc", "12")]),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 3 20 acd 9; draw_offer;",
        "4k3/8/8/8/8/8/8/4K3 w - - 3 20",
        &[("acd", "9"), ("draw_offer", "")],
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1 ;D1 5 ;D2 25",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        &[("D1", "5"), ("D2", "25")],
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1;D1 5;D2 25",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        &[("D1", "5"), ("D2", "25")],
    ),
];

#[test]
fn counters_in_operations_are_judged_as_those_in_fields_are() {
    let line = |clock: &str, number: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - hmvc {clock}; fmvn {number};");
    for (clock, number, fields, repaired) in [
        ("70000", "4", "65535 4", 1),
        ("7", "-3", "7 1", 1),
        ("-", "-", "0 1", 2),
        ("", "0", "0 1", 1),
        ("3", "9", "3 9", 0),
    ] {
        let (epd, repairs) = Epd::from_lenient(&line(clock, number)).unwrap();
        assert!(epd.position.to_string().ends_with(&format!(" {fields}")), "{epd}");
        assert_eq!(repairs.len(), repaired, "{repairs:?}");
        assert_eq!(epd.to_string().parse(), Ok(epd), "what was repaired is written as it was read");
    }
    for line in [line("x", "1"), line("1", "1.5")] {
        assert!(Epd::from_lenient(&line).is_err() && line.parse::<Position>().is_err(), "{line}");
    }
}

#[test]
fn lines_of_books_and_suites_are_read() {
    for (line, fen, operations) in LINES {
        let epd: Epd = line.parse().expect(line);
        assert_eq!(epd.position.to_string(), fen, "{line}");
        for (code, operand) in operations {
            assert_eq!(epd.operand(code), Some(*operand), "{line}");
        }
        assert_eq!(epd.operand("c9"), None);
        assert_eq!(epd.to_string().parse::<Epd>().as_ref(), Ok(&epd), "{epd}");
        let (position, repairs) = Position::from_fen_lenient(line).unwrap();
        assert_eq!(
            (position, repairs.len()),
            (epd.position, usize::from(!epd.operations.is_empty())),
            "{line}"
        );
        // A FEN has no operations, and a semicolon at the end is no fault.
        assert_eq!(line.parse::<Position>().is_ok(), epd.operations.is_empty(), "{line}");
    }
}

#[test]
fn wrong_lines_are_refused_with_field_text_and_reason() {
    for (line, expected) in [
        (
            "4k3/8/8/8/8/8/8/4K3 w - - id \"open;",
            "after the last field: a quotation mark is not closed in \"id \\\"open;\"",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2;", "after the last field: unexpected \"2\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - x;1", "after the last field: \"1\" is no operation"),
        ("4k3/8/8/8/8/8/8/4K3 w K - bm O-O;", "castling: 'K' in \"K\": no rook to castle with"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1x;", "fullmove number: \"1x\" is no number"),
        ("4k3/8/8/8/8/8/8/4K3", "side to move: there is none"),
        (";", "placement: there is none"),
        ("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - bm e4; id \"17\";", ""),
        (
            "1nbqkbn1/pppppppp/8/8/8/8/PPPPPPP1/NNNQKBNR w - - 0 1;",
            "impossible position: White has more promoted pieces than missing pawns",
        ),
    ] {
        let error = line.parse::<Epd>().map_or_else(|error| error.to_string(), |_| String::new());
        assert!(error.starts_with(expected) && error.is_empty() == expected.is_empty(), "{line}: {error}");
    }
}

#[test]
fn rights_of_chess960_can_be_removed_for_standard_chess() {
    for (fen, expected, removed) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0),
        ("4k3/8/8/8/8/8/8/2KR3R w K - 0 1", "4k3/8/8/8/8/8/8/2KR3R w - - 0 1", 1),
        ("1r2k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 5 9", "1r2k2r/8/8/8/8/8/8/R3K1R1 w Qk - 5 9", 2),
        ("r1kr4/8/8/8/8/8/8/R1KR4 b KQkq - 0 1", "r1kr4/8/8/8/8/8/8/R1KR4 b - - 0 1", 4),
    ] {
        let mut position: Position = fen.parse().unwrap();
        assert_eq!(position.has_chess960_rights(), removed > 0, "{fen}");
        assert_eq!(position.remove_chess960_rights().len(), removed, "{fen}");
        position.assert_consistent();
        assert_eq!(position.to_string(), expected);
    }
}

#[test]
fn repairs_tell_field_fault_and_remedy() {
    let told =
        |fen| Position::from_fen_lenient(fen).unwrap().1.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        told("4k3/8/8/8/8/8/8/4K3 b K d3 - 70000 dm 3;"),
        [
            "castling: 'K' in \"K\": no rook to castle with, dropped",
            "en passant: no pawn can have passed d3 with its last move, dropped",
            "halfmove clock: \"-\" is no number, taken as 0",
            "fullmove number: \"70000\" is too large, taken as 65535",
            "after the last field: EPD operations \"dm 3;\", ignored",
        ]
    );
}

#[test]
fn counters_stay_at_their_end_and_do_not_stop_the_game() {
    let mut position: Position = "4k3/8/8/8/8/8/8/4K2R b K - 65535 65535".parse().unwrap();
    for text in ["e8d8", "h1h2", "d8e8"] {
        position = position.after(position.parse_uci(text).unwrap());
        position.assert_consistent();
    }
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (65535, 65535));
    assert_eq!(position.after_null().halfmove_clock(), 65535);
    assert!(position.is_drawn_by_fifty_moves());
}

#[test]
fn move_errors_tell_syntax_and_illegality_apart() {
    let position: Position = "4k3/8/8/8/4N3/8/8/4K1N1 w - - 0 1".parse().unwrap();
    for text in ["", "e1", "e1e", "e1e9", "e1e2x", "e1e2k", "e1e2qq", "e1\u{e9}2", "\u{e9}\u{e9}"] {
        assert!(matches!(position.parse_uci(text), Err(MoveError::Syntax(_))), "{text}");
    }
    assert!(matches!(position.parse_uci("0000"), Err(MoveError::Null(_))));
    assert_eq!(
        position.parse_uci("e1e3").unwrap_err().to_string(),
        "\"e1e3\" is not legal in 4k3/8/8/8/4N3/8/8/4K1N1 w - - 0 1: the king on e1 cannot go to e3"
    );
}

#[test]
fn a_plain_king_move_is_preferred_to_castling_of_the_same_spelling() {
    let position: Position = "1k6/8/8/8/8/8/8/R4K1R w KQ - 0 1".parse().unwrap();
    let spelt = |text| position.parse_uci(text).unwrap();
    assert!(!spelt("f1g1").is_castling());
    assert!(spelt("f1h1").is_castling() && spelt("f1a1").is_castling() && spelt("f1c1").is_castling());
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(text in any::<String>(), fen in "[1-8pnbrqkPNBRQK/]{0,72} [wb] [KQkqA-Ha-h-]{1,4} [-a-h3-6]{1,2} [0-9]{1,12}") {
        let start = Position::startpos();
        let _ = (start.parse_uci(&text), Position::from_fen_lenient(&text), Position::from_fen_lenient(&fen));
    }

    #[test]
    fn a_line_of_epd_is_refused_or_survives_being_written(
        start in 0..STARTS.len(),
        operations in "( ?[a-zA-Z0-9;]{0,6} ?[\"a-zA-Z0-9; +=-]{0,12};?){0,3}",
    ) {
        let line = format!("{} {operations}", STARTS[start]);
        if let Ok((epd, repairs)) = Epd::from_lenient(&line) {
            prop_assert_eq!(line.parse::<Epd>().is_ok(), repairs.is_empty());
            if repairs.is_empty() {
                prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd));
            }
        }
    }

    #[test]
    fn a_fen_with_a_wrong_letter_is_refused_or_means_something(
        start in 0..STARTS.len(),
        place in 0..100usize,
        letter in prop::sample::select("12345678/pnbrqkPNBRQK wb-KQkqabcdefghABCDEFGH09x\u{e9}".chars().collect::<Vec<_>>()),
    ) {
        let mut letters: Vec<char> = STARTS[start].chars().collect();
        let place = place % letters.len();
        letters[place] = letter;
        let text: String = letters.into_iter().collect();
        if let Ok((position, repairs)) = Position::from_fen_lenient(&text) {
            prop_assert_eq!(text.parse::<Position>().is_ok(), repairs.is_empty());
            position.assert_consistent();
            let written = position.to_string();
            let again: Position = written.parse().unwrap();
            prop_assert_eq!(&again, &position);
            prop_assert_eq!(again.to_string(), written);
            for mv in position.legal_moves() {
                position.after(mv).assert_consistent();
            }
        }
    }

    #[test]
    fn short_texts_are_moves_or_errors(text in "[a-h1-8qrbnkQ0]{0,6}") {
        let position: Position = STARTS[1].parse().unwrap();
        if let Ok(mv) = position.parse_uci(&text) {
            prop_assert!(position.legal_moves().contains(&mv));
        }
    }
}
