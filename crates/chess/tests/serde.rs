//! The feature `serde`: texts in JSON, and errors of texts that are none.
#![cfg(feature = "serde")]

use serde_json::{from_str, to_string};
use tamarack_chess::positions::KIWIPETE;
use tamarack_chess::{CastlingSide, Color, Epd, File, Piece, PieceType, Position, Rank, Square, UciMove};

#[test]
fn everything_is_its_text_and_reads_back() {
    let position: Position = KIWIPETE.parse().unwrap();
    assert_eq!(to_string(&position).unwrap(), format!("\"{KIWIPETE}\""));
    assert_eq!(from_str::<Position>(&to_string(&position).unwrap()).unwrap(), position);
    let mv = position.parse_san("O-O").unwrap();
    assert_eq!(to_string(&mv).unwrap(), "\"e1g1\"");
    let read: UciMove = from_str(&to_string(&mv).unwrap()).unwrap();
    assert_eq!(position.find_uci(read), Ok(mv));
    let epd: Epd = format!("{KIWIPETE} bm O-O; id \"a; b\";").parse().unwrap();
    assert_eq!(from_str::<Epd>(&to_string(&epd).unwrap()).unwrap(), epd);
    assert_eq!(
        to_string(&(Square::E4, File::E, Rank::R4, Color::Black, Piece::WhiteKnight, PieceType::Queen))
            .unwrap(),
        r#"["e4","e","4","b","N","q"]"#
    );
    assert_eq!(from_str::<[CastlingSide; 2]>(r#"["O-O","O-O-O"]"#).unwrap(), CastlingSide::ALL);
}

#[test]
fn wrong_texts_are_refused_with_their_reason() {
    let error = from_str::<Square>("\"e9\"").unwrap_err().to_string();
    assert!(error.starts_with("\"e9\" is no square"), "{error}");
    let error = from_str::<Position>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").unwrap_err().to_string();
    assert!(error.starts_with("impossible position: White has 0 kings instead of one"), "{error}");
    let error = from_str::<Color>("5").unwrap_err().to_string();
    assert!(error.contains("expected a colour, w or b"), "{error}");
}
