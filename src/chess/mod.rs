//! The rules of chess: squares, moves, positions, and what can be asked of them. Imports nothing of ours.

pub mod attacks;
mod bitboard;
mod castling;
mod chess_move;
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
mod see;
mod setup;
mod square;
mod threats;
mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use chess_move::{CastlingNotation, Move, MoveKind, en_passant_victim};
pub use fen::{FenError, FenField, FenStyle};
pub use movegen::{Generate, MoveList};
pub use piece::{Piece, PieceType};
pub use position::Position;
pub use repetition::KeyHistory;
pub use san::MoveError;
pub use see::SEE_VALUES;
pub use setup::{Setup, SetupError};
pub use square::{Color, File, Rank, Square};
pub use threats::Threats;
