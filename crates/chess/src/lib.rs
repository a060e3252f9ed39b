#![doc = include_str!("../README.md")]
//!
//! ## Files
//!
//! A file uses only those above it in this list:
//!
//! | file | contents |
//! | --- | --- |
//! | text | errors of texts, and how they quote them |
//! | square, piece, bitboard | colours, files, ranks and squares; piece types and pieces; sets of squares |
//! | castling, chess_move, move_list | castling rights; moves in sixteen bits; lists of moves |
//! | magic, attacks | sliding attacks by magic bitboards; all attacks, rays and squares between |
//! | random, zobrist | pseudo-random numbers; hash keys |
//! | position | the position and everything that is read from it without generating moves |
//! | setup | positions from free arrangements, validated; the start position |
//! | movegen, make_move, legality | legal moves; making them; legality and checks of single moves |
//! | chess960, positions | start positions of Chess960; well-known perft positions |
//! | threats, see, repetition, perft | attacked squares; static exchange evaluation; repeated positions; leaf counts |
//! | fen_write, fen, epd | FEN from positions; positions from FEN; positions and operations from EPD |
//! | move_error, uci_move, san, typed_move | errors of moves; moves in UCI notation, in SAN, and as people type them |
//! | game | games and how they end |

#![forbid(unsafe_code)]

pub mod attacks;
mod bitboard;
mod castling;
pub mod chess960;
mod chess_move;
mod epd;
mod fen;
mod fen_write;
mod game;
mod legality;
mod magic;
mod make_move;
mod move_error;
mod move_list;
mod movegen;
mod perft;
mod piece;
mod position;
pub mod positions;
pub mod random;
mod repetition;
mod san;
mod see;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod text;
mod threats;
mod typed_move;
mod uci_move;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use chess_move::{CastlingNotation, Move, MoveKind};
pub use epd::Epd;
pub use fen::{FenError, FenField, FenRepair};
pub use fen_write::FenStyle;
pub use game::{Game, Outcome};
pub use move_error::MoveError;
pub use move_list::{IntoMoves, MoveList};
pub use movegen::Generate;
pub use piece::{Piece, PieceType};
pub use position::Position;
pub use repetition::KeyHistory;
pub use see::SEE_VALUES;
pub use setup::{Setup, SetupError};
pub use square::{Color, File, Rank, Square};
pub use text::ParseError;
pub use threats::Threats;
pub use uci_move::UciMove;
