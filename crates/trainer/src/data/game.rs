//! Games as they are stored: viriformat, 32 bytes for the start and four for each move.
//!
//! Written through the crate `viriformat`; read by a decoder of our own, which refuses damaged games instead of
//! panicking and needs no second set of rules.

use anyhow::{Context, ensure};
use chess::{
    CastlingRights, CastlingSide, Color, FenStyle, Move, MoveKind, Piece, PieceType, Position, Setup, Square,
};
use std::io::BufRead;
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::Move as StoredMove;
use viriformat::dataformat::Game as StoredGame;

/// Bytes of the start of a game.
const HEADER_BYTES: usize = 32;
/// The byte of the start that viriformat leaves to its users: 1 for a branch.
const EXTRA_BYTE: usize = 31;
/// The piece code of a rook that may still castle.
const CASTLING_ROOK: u8 = 6;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Black has won.
    BlackWins,
    /// Nobody has won.
    Draw,
    /// White has won.
    WhiteWins,
}

impl GameResult {
    /// All results: Black wins, draw, White wins.
    pub const ALL: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// The win of a side.
    pub fn win(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Half points of a side: 0, 1 or 2.
    pub fn points(self, side: Color) -> u8 {
        match side {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }
}

/// A game with the score of each position.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoredGame {
    /// The position before the first move.
    pub start: Position,
    /// Each move with the score, in centipawns from White's view, of the search that chose it.
    pub moves: Vec<(Move, i16)>,
    /// The result; of a branch that was cut off, the one nearest to its last score.
    pub outcome: GameResult,
    /// True for a branch that was cut off after some plies: nobody knows how it would have ended.
    pub is_cut_off: bool,
}

impl ScoredGame {
    /// Appends the stored form. A game that starts beyond the fifty-move limit is an error.
    pub fn encode(&self, bytes: &mut Vec<u8>) -> anyhow::Result<()> {
        ensure_live(&self.start)?;
        let mut board = Board::new();
        board.set_from_fen(&self.start.fen(FenStyle::Shredder), true)?;
        let mut stored = StoredGame::new(&board);
        stored.set_outcome(match self.outcome {
            GameResult::WhiteWins => GameOutcome::WhiteWin(WinType::Adjudication),
            GameResult::BlackWins => GameOutcome::BlackWin(WinType::Adjudication),
            GameResult::Draw => GameOutcome::Draw(DrawType::Adjudication),
        });
        for &(mv, score) in &self.moves {
            stored.add_move(StoredMove::from_raw(move_bits(mv)).context("a move without bits")?, score);
        }
        let begin = bytes.len();
        stored.serialise_into(bytes)?;
        bytes[begin + EXTRA_BYTE] = self.is_cut_off.into();
        Ok(())
    }

    /// Reads one stored game; `None` at the end of the file.
    pub fn decode(reader: &mut impl BufRead) -> anyhow::Result<Option<ScoredGame>> {
        if reader.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut header = [0; HEADER_BYTES];
        reader.read_exact(&mut header).context("the file ends within a game")?;
        let start =
            Position::from_setup(&setup(&header)?).context("a game starts from an impossible position")?;
        ensure_live(&start)?;
        let is_cut_off = header[EXTRA_BYTE] == 1;
        let outcome = *GameResult::ALL.get(usize::from(header[30])).context("a game has no known result")?;
        let mut moves = Vec::new();
        let mut position = start;
        loop {
            let mut bytes = [0; 4];
            reader.read_exact(&mut bytes).context("the file ends within a game")?;
            if bytes == [0; 4] {
                return Ok(Some(ScoredGame { start, moves, outcome, is_cut_off }));
            }
            let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
            let mv = position.legal_moves().into_iter().find(|&mv| move_bits(mv) == bits);
            let mv = mv.with_context(|| format!("move {bits:#06x} is not legal in {position}"))?;
            moves.push((mv, i16::from_le_bytes([bytes[2], bytes[3]])));
            position = position.after(mv);
        }
    }

    /// Each position before a move, with the move and the score from White's view.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move, i16)> {
        self.moves.iter().scan(self.start, |position, &(mv, score)| {
            let before = *position;
            *position = before.after(mv);
            Some((before, mv, score))
        })
    }
}

/// Refuses a start beyond the fifty-move limit: no game goes on there, and viriformat panics in debug builds.
fn ensure_live(start: &Position) -> anyhow::Result<()> {
    ensure!(start.halfmove_clock() <= 100, "a game starts beyond the fifty-move limit: {start}");
    Ok(())
}

/// Plies of the game before this position, as its move number tells.
pub fn plies_before(position: &Position) -> u32 {
    position.fullmove_number().saturating_sub(1) * 2 + position.side_to_move() as u32
}

/// True if a position in which `mv` was best is quiet: not in check, the move no capture or promotion.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !mv.is_capture() && mv.promotion().is_none() && !position.in_check()
}

/// A move as viriformat spells it.
fn move_bits(mv: Move) -> u16 {
    let squares = mv.from() as u16 | (mv.to() as u16) << 6;
    let special = match mv.kind() {
        Some(MoveKind::EnPassant) => 0x4000,
        Some(MoveKind::Castling) => 0x8000,
        Some(MoveKind::Promotion(kind) | MoveKind::CapturePromotion(kind)) => {
            0xC000 + 0x1000 * (kind as u16 - 1)
        }
        _ => 0,
    };
    squares + special
}

fn setup(header: &[u8; HEADER_BYTES]) -> anyhow::Result<Setup> {
    let part = |at: usize| -> [u8; 8] { std::array::from_fn(|index| header[at + index]) };
    let occupied = u64::from_le_bytes(part(0));
    ensure!(occupied.count_ones() <= 32, "a game starts with more than 32 pieces");
    let mut setup = Setup::empty();
    let mut castling = CastlingRights::NONE;
    let mut king_seen = [false; 2];
    let squares = Square::ALL.into_iter().filter(|&square| occupied >> square as u32 & 1 != 0);
    for (index, square) in squares.enumerate() {
        let code = header[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let kind = match code & 7 {
            CASTLING_ROOK => {
                let wing = if king_seen[color.index()] { CastlingSide::King } else { CastlingSide::Queen };
                castling.set(color, wing, Some(square.file()));
                PieceType::Rook
            }
            kind => *PieceType::ALL.get(usize::from(kind)).context("a game starts with an unknown piece")?,
        };
        king_seen[color.index()] |= kind == PieceType::King;
        setup.board[square.index()] = Some(Piece::new(color, kind));
    }
    setup.castling = castling;
    setup.side_to_move = if header[24] & 0x80 == 0 { Color::White } else { Color::Black };
    let en_passant = usize::from(header[24] & 0x7F);
    setup.en_passant = (en_passant < 64).then(|| Square::from_index(en_passant));
    setup.halfmove_clock = header[25].into();
    setup.fullmove_number = u16::from_le_bytes([header[26], header[27]]).max(1).into();
    Ok(setup)
}

/// Every game of a reader.
pub fn games(mut reader: impl BufRead) -> impl Iterator<Item = anyhow::Result<ScoredGame>> {
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let game = ScoredGame::decode(&mut reader).transpose();
        failed = matches!(game, Some(Err(_)));
        game
    })
}

/// A random legal game from a start, for tests.
#[cfg(test)]
pub fn random_game(start: Position, seed: u64) -> ScoredGame {
    let mut random = chess::random::Random::new(seed);
    let mut position = start;
    let mut moves = Vec::new();
    while moves.len() < 250 && position.halfmove_clock() < 100 && position.has_legal_move() {
        let all = position.legal_moves();
        let mv = all[random.below(all.len())];
        moves.push((mv, random.below(2000) as i16 - 1000));
        position = position.after(mv);
    }
    let outcome = GameResult::ALL[random.below(3)];
    ScoredGame { start, moves, outcome, is_cut_off: seed % 4 == 3 }
}

/// Starts that exercise the header: castling of all kinds, en passant, Black to move.
#[cfg(test)]
pub const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 12",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 40",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_survive_their_stored_form() {
        let all: Vec<ScoredGame> = STARTS
            .iter()
            .enumerate()
            .map(|(seed, fen)| random_game(fen.parse().unwrap(), seed as u64))
            .collect();
        let mut bytes = Vec::new();
        all.iter().for_each(|game| game.encode(&mut bytes).unwrap());
        let read: Vec<ScoredGame> = games(bytes.as_slice()).map(|game| game.unwrap()).collect();
        assert_eq!(read, all);
    }

    #[test]
    fn the_crate_reads_what_is_stored() {
        for (seed, fen) in STARTS.iter().enumerate() {
            let game = random_game(fen.parse().unwrap(), 50 + seed as u64);
            let mut bytes = Vec::new();
            game.encode(&mut bytes).unwrap();
            let theirs = StoredGame::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
            assert_eq!(theirs.len(), game.moves.len());
            let mut ours = game.positions();
            theirs.visit_positions(|board, score| {
                let (position, _, expected) = ours.next().unwrap();
                assert_eq!(score, i32::from(expected));
                assert_eq!(board.pieces.occupied().inner(), position.occupied().0);
            });
        }
    }

    #[test]
    fn damaged_games_are_refused_without_panic() {
        let mut good = Vec::new();
        random_game(STARTS[1].parse().unwrap(), 3).encode(&mut good).unwrap();
        for at in 0..200 {
            for value in [0, 0x55, 0xFF] {
                let mut bytes = good.clone();
                bytes[at] = value;
                let _ = games(bytes.as_slice()).count();
            }
            assert!(ScoredGame::decode(&mut &good[..at]).is_err() || at == 0);
        }
    }
}
