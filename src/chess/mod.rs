//! The rules of chess: squares, moves, positions, and what can be asked of them. Imports nothing of ours.

pub mod attacks;
mod bitboard;
mod castling;
mod chess_move;
mod exchange;
mod fen;
mod legality;
mod magic;
mod make_move;
mod movegen;
mod perft;
mod piece;
mod position;
mod repetition;
mod san;
mod setup;
mod square;
mod threats;
mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, Wing};
pub use chess_move::{CastlingNotation, Move, MoveKind, en_passant_victim};
pub use exchange::EXCHANGE_VALUES;
pub use fen::{FenError, FenField, FenStyle};
pub use movegen::{Generate, MoveList};
pub use piece::{Kind, Piece};
pub use position::Position;
pub use repetition::KeyLine;
pub use san::MoveError;
pub use setup::{Setup, SetupError};
pub use square::{Color, File, Rank, Square};
pub use threats::Threats;
