//! Well-known perft positions: the numbered list of the chess programming wiki, as FEN.
//!
//! ```
//! use tamarack_chess::{Position, positions};
//! for (name, fen) in positions::ALL {
//!     let position: Position = fen.parse()?;
//!     println!("{name}: {} leaves at depth 3", position.perft(3));
//! }
//! # Ok::<(), tamarack_chess::FenError>(())
//! ```

/// Position 1: the start position. 20, 400, 8902, 197281, 4865609 leaves at depth 1 to 5.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Position 2, Kiwipete (Peter McKenzie): castling, pins and captures. 48, 2039, 97862, 4085603 leaves.
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Position 3: a pawn endgame with en passant under pins. 14, 191, 2812, 43238, 674624 leaves.
pub const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
/// Position 4: promotions with capture, in check. 6, 264, 9467, 422333, 15833292 leaves.
pub const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
/// Position 5: a promotion with capture beside castling rights. 44, 1486, 62379, 2103487 leaves.
pub const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
/// Position 6: a symmetrical middlegame. 46, 2079, 89890, 3894594 leaves.
pub const POSITION_6: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// All of them with a name.
pub const ALL: [(&str, &str); 6] = [
    ("start", START),
    ("kiwipete", KIWIPETE),
    ("position 3", POSITION_3),
    ("position 4", POSITION_4),
    ("position 5", POSITION_5),
    ("position 6", POSITION_6),
];
