#![doc = include_str!("../README.md")]
//!
//! ## Files
//!
//! A file uses only those above it in this list:
//!
//! | file | contents |
//! | --- | --- |
//! | square, piece, bitboard | colours, files, ranks and squares; piece types and pieces; sets of squares |
//! | castling, chess_move | castling rights; moves in sixteen bits |
//! | magic, attacks | sliding attacks by magic bitboards; all attacks, rays and squares between |
//! | random, zobrist | pseudo-random numbers; hash keys |
//! | position | the position and everything that is read from it without generating moves |
//! | setup | positions from free arrangements, validated; the start position |
//! | movegen, make_move, legality | legal moves; making them; legality and checks of single moves |
//! | chess960, positions | start positions of Chess960; well-known perft positions |
//! | threats, see, repetition, perft | attacked squares; static exchange evaluation; repeated positions; leaf counts |
//! | fen_write, fen, uci_move | FEN from positions; positions from FEN; moves from text |

#![forbid(unsafe_code)]

pub mod attacks;
mod bitboard;
mod castling;
pub mod chess960;
mod chess_move;
mod fen;
mod fen_write;
mod legality;
mod magic;
mod make_move;
mod movegen;
mod perft;
mod piece;
mod position;
pub mod positions;
pub mod random;
mod repetition;
mod see;
mod setup;
mod square;
mod threats;
mod uci_move;
mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use chess_move::{CastlingNotation, Move, MoveKind};
pub use fen::{FenError, FenField, FenRepair};
pub use fen_write::FenStyle;
pub use movegen::{Generate, MoveList};
pub use piece::{Piece, PieceType};
pub use position::Position;
pub use repetition::KeyHistory;
pub use see::SEE_VALUES;
pub use setup::{Setup, SetupError};
pub use square::{Color, File, Rank, Square};
pub use threats::Threats;
pub use uci_move::MoveError;
