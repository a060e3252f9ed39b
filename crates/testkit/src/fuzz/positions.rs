//! Random positions and games for `position`: standard, Chess960 with equal and with different arrays, few pieces, long games,
//! ended games.

use super::dice::Dice;
use super::rules;
use arena::epd;
use arena::play::openings::chess960_start;
use chess::PieceType;
use chess::chess960::back_rank;
use chess::positions::{KIWIPETE, POSITION_3, POSITION_4};
use chess::random::Random;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role,
    Setup, Square,
};

/// Positions that are hard in some way: ended games, en passant under pins, double checks, promotions, very many moves.
const HARD: [&str; 16] = [
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    KIWIPETE,
    POSITION_3,
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    POSITION_4,
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/P1k5/K7/8/8/8/8/8 w - - 99 200",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K2 w - - 10 90",
    "6k1/4K3/8/7B/2N5/8/8/8 b - - 0 1",
    "bqrbknnr/pppppppp/8/8/8/8/PPPPPPPP/BQRBKNNR w HChc - 0 1",
    "1nb2k1r/4r3/1pqp1pnp/p1p1p1p1/P1P1P1P1/1PQPRP1P/3BB3/1N4KR w H - 0 16",
    "8/8/8/8/8/8/6k1/4K2R w K - 0 1",
    "rr5k/8/8/8/8/8/8/RRRRK3 w B - 98 70",
    "3k4/3r4/8/8/8/8/8/3RK3 w - - 65535 65535",
];

/// A start position with its text, and the moves from there.
#[derive(Clone, Debug)]
pub struct FuzzGame {
    /// `startpos` or `fen …`.
    pub start: String,
    /// The moves, as a user would write them.
    pub moves: Vec<String>,
    /// The position after them.
    pub end: Chess,
}

impl FuzzGame {
    /// The line `position …`.
    pub fn line(&self) -> String {
        let mut line = format!("position {}", self.start);
        if !self.moves.is_empty() {
            line.push_str(" moves ");
            line.push_str(&self.moves.join(" "));
        }
        line
    }

    /// Plays this many random moves, or to the end of the game.
    pub fn play_on(&mut self, plies: usize, random: &mut Random) {
        // Castling as its user writes it, always the same way within a game.
        let chess960 = random.one_in(2);
        for _ in 0..plies {
            let Some(mv) = random_move(&self.end, random) else { break };
            self.moves.push(rules::spelling(mv, chess960));
            self.end.play_unchecked(mv);
        }
    }
}

/// A random game.
pub fn game(random: &mut Random) -> FuzzGame {
    let (start, position) = match random.below(10) {
        0..3 => ("startpos".to_owned(), Chess::default()),
        3 => from_position(chess960_start(random.below(960)), random),
        4 => from_position(double_chess960(random), random),
        5 | 6 => from_position(few_pieces(random), random),
        7 => from_position(middle_game(random), random),
        _ => {
            let fen = *random.pick(&HARD);
            match rules::start(fen) {
                rules::StartPosition::Known(position) => (format!("fen {fen}"), position),
                _ => ("startpos".to_owned(), Chess::default()),
            }
        }
    };
    let mut game = FuzzGame { start, moves: Vec::new(), end: position };
    match random.below(12) {
        0..4 => {}
        4..8 => game.play_on(random.between(1, 12), random),
        8..10 => game.play_on(random.between(10, 120), random),
        10 => game.play_on(600, random),
        _ => shuffle(&mut game, random),
    }
    game
}

fn from_position(position: Chess, random: &mut Random) -> (String, Chess) {
    let fen = rules::fen(&position);
    let text = match random.below(4) {
        0 => shredder(&fen, &position),
        // Missing counters have their defaults, as the README says; the clocks of the position are theirs then.
        1 if position.halfmoves() == 0 && position.fullmoves().get() == 1 => epd::board(&fen),
        _ => fen,
    };
    (format!("fen {text}"), position)
}

/// The FEN with the rights to castle as files of rooks.
fn shredder(fen: &str, position: &Chess) -> String {
    let mut files = String::new();
    for color in Color::ALL {
        let rooks = position.castles().castling_rights() & Bitboard::from_rank(color.backrank());
        for rook in rooks {
            let file = rook.file().char();
            files.push(if color == Color::White { file.to_ascii_uppercase() } else { file });
        }
    }
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if !files.is_empty() {
        fields[2] = &files;
    }
    fields.join(" ")
}

/// A start of Chess960 with different arrays for the two sides.
fn double_chess960(random: &mut Random) -> Chess {
    let mut rank = || -> String { back_rank(random.below(960)).map(PieceType::letter).iter().collect() };
    let (white, black) = (rank().to_uppercase(), rank());
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    match rules::start(&fen) {
        rules::StartPosition::Known(position) => position,
        _ => Chess::default(),
    }
}

/// A few pieces on random squares, some with clocks near the fifty moves.
fn few_pieces(random: &mut Random) -> Chess {
    loop {
        let mut board = Board::empty();
        let mut put = |role: Role, color: Color, random: &mut Random| {
            board.set_piece_at(Square::ALL[random.below(64)], Piece { color, role });
        };
        put(Role::King, Color::White, random);
        put(Role::King, Color::Black, random);
        for _ in 0..random.between(1, 4) {
            let role =
                *random.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
            put(role, *random.pick(&Color::ALL), random);
        }
        let turn = *random.pick(&Color::ALL);
        let halfmoves = if random.one_in(3) { random.between(90, 110) as u32 } else { 0 };
        let setup = Setup { board, turn, halfmoves, ..Setup::empty() };
        if let Ok(position) = Chess::from_setup(setup, CastlingMode::Chess960) {
            return position;
        }
    }
}

fn middle_game(random: &mut Random) -> Chess {
    let start = if random.one_in(3) { chess960_start(random.below(960)) } else { Chess::default() };
    let mut game = FuzzGame { start: String::new(), moves: Vec::new(), end: start };
    game.play_on(random.between(4, 80), random);
    // The FEN of an en passant square is the same for both only where the capture is legal.
    rules::from_setup(game.end.to_setup(EnPassantMode::Legal)).unwrap_or_default()
}

/// Repeats moves back and forth, up to thousands of plies.
fn shuffle(game: &mut FuzzGame, random: &mut Random) {
    game.start = "startpos".to_owned();
    game.end = Chess::default();
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let most = if random.one_in(6) { 6000 } else { 130 };
    let plies = random.between(1, most);
    game.moves = cycle.iter().cycle().take(plies).map(|&word| word.to_owned()).collect();
    for word in &game.moves {
        if let Some(mv) = rules::user_move(&game.end, word) {
            game.end.play_unchecked(mv);
        }
    }
}

/// A random move, special ones more often than by chance; `None` at the end of the game.
pub fn random_move(position: &Chess, random: &mut Random) -> Option<Move> {
    let legal = position.legal_moves();
    let special = |mv: &&Move| mv.is_castle() || mv.is_en_passant() || mv.is_promotion();
    let special: Vec<Move> = legal.iter().filter(special).copied().collect();
    match (special.is_empty(), legal.is_empty()) {
        (false, _) if random.one_in(3) => Some(*random.pick(&special)),
        (_, false) => Some(legal[random.below(legal.len())]),
        (_, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::reading::{Reading, read};

    #[test]
    fn random_games_are_read_back_as_they_were_made() {
        let mut random = Random::new(1);
        let (mut castlings, mut longest) = (0, 0);
        for _ in 0..300 {
            let game = game(&mut random);
            let Reading::Position { fen, moves } = read(game.line().as_bytes()) else {
                panic!("{}", game.line())
            };
            let start = fen.map_or(rules::StartPosition::Known(Chess::default()), |fen| rules::start(&fen));
            let rules::StartPosition::Known(mut position) = start else { panic!("{}", game.line()) };
            for word in &moves {
                let mv = rules::user_move(&position, word).unwrap();
                castlings += usize::from(mv.is_castle());
                position.play_unchecked(mv);
            }
            longest = longest.max(moves.len());
            assert_eq!(position, game.end, "{}", game.line());
        }
        assert!(castlings > 10 && longest > 400, "{castlings} castlings, {longest} plies");
    }
}
