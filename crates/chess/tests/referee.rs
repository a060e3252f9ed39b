//! Thousands of random games played in step with independent implementations of the rules: after every move both
//! sides must see the same position, the same legal moves and the same end of the game.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _};
use tamarack_chess::random::Random;
use tamarack_chess::{
    CastlingRights, CastlingSide, Color, FenStyle, File, Move, Piece, PieceType, Position, Rank, Setup,
    SetupError, Square,
};

/// A legal move, captures preferred half the time so that endgames come up.
fn choose(random: &mut Random, moves: &[Move]) -> Move {
    let captures: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
    let from = if captures.is_empty() || random.below(2) == 0 { moves } else { &captures };
    from[random.below(from.len())]
}

/// The identity of a move for everybody: squares (the rook's for castling) and the promoted piece, 0 for none.
type PlainMove = (usize, usize, usize);

fn plain_move(mv: Move) -> PlainMove {
    (mv.from().index(), mv.to().index(), mv.promotion().map_or(0, PieceType::index))
}

fn sorted(mut plain_moves: Vec<PlainMove>) -> Vec<PlainMove> {
    plain_moves.sort_unstable();
    plain_moves
}

fn shakmaty_move(mv: &shakmaty::Move) -> PlainMove {
    let from = mv.from().expect("no drops in chess");
    (from as usize, mv.to() as usize, mv.promotion().map_or(0, |role| role as usize - 1))
}

fn pleco_move(mv: pleco::BitMove) -> PlainMove {
    let promoted = if mv.is_promo() {
        "nbrq".find(mv.promo_piece().char_lower()).map_or(0, |place| place + 1)
    } else {
        0
    };
    (usize::from(mv.get_src_u8()), usize::from(mv.get_dest_u8()), promoted)
}

fn agree_with_shakmaty(ours: &Position, theirs: &Chess) {
    let moves = ours.legal_moves();
    let plain_moves = sorted(moves.iter().map(|&mv| plain_move(mv)).collect());
    assert_eq!(
        plain_moves,
        sorted(theirs.legal_moves().iter().map(shakmaty_move).collect()),
        "moves in {ours}"
    );
    assert_eq!(ours.in_check(), theirs.is_check(), "check in {ours}");
    assert_eq!(moves.is_empty() && ours.in_check(), theirs.is_checkmate(), "mate in {ours}");
    assert_eq!(moves.is_empty() && !ours.in_check(), theirs.is_stalemate(), "stalemate in {ours}");
    assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "material in {ours}");
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours.fen(FenStyle::Standard), fen);
    ours.assert_consistent();
}

/// Plays from one position until the game ends or `plies` are made; returns how many were.
fn play_with_shakmaty(mut ours: Position, mode: CastlingMode, plies: usize, random: &mut Random) -> usize {
    let fen: Fen = ours.fen(FenStyle::Standard).parse().expect("a FEN");
    let mut theirs: Chess = fen.into_position(mode).expect("a legal position");
    for ply in 0..plies {
        agree_with_shakmaty(&ours, &theirs);
        let moves = ours.legal_moves();
        if moves.is_empty() {
            return ply;
        }
        let mv = choose(random, &moves);
        let same = theirs.legal_moves().into_iter().find(|other| shakmaty_move(other) == plain_move(mv));
        theirs.play_unchecked(same.expect("the moves are the same"));
        ours = ours.after(mv);
    }
    plies
}

/// A start position of Double Chess960: each side's back rank drawn by itself.
fn double_chess960(random: &mut Random) -> Position {
    let mut setup = Setup { castling: CastlingRights::NONE, ..Setup::startpos() };
    for color in Color::ALL {
        let mut back = [None; 8];
        back[random.below(4) * 2] = Some(PieceType::Bishop);
        back[random.below(4) * 2 + 1] = Some(PieceType::Bishop);
        for piece_type in [PieceType::Queen, PieceType::Knight, PieceType::Knight] {
            let free: Vec<usize> = (0..8).filter(|&file| back[file].is_none()).collect();
            back[free[random.below(free.len())]] = Some(piece_type);
        }
        let free: Vec<usize> = (0..8).filter(|&file| back[file].is_none()).collect();
        for (file, piece_type) in free.iter().zip([PieceType::Rook, PieceType::King, PieceType::Rook]) {
            back[*file] = Some(piece_type);
        }
        setup.castling.set(color, CastlingSide::Queen, Some(File::from_index(free[0])));
        setup.castling.set(color, CastlingSide::King, Some(File::from_index(free[2])));
        for (file, piece_type) in File::ALL.into_iter().zip(back) {
            let square = Square::new(file, Rank::R1.relative_to(color));
            setup.board[square.index()] = piece_type.map(|piece_type| Piece::new(color, piece_type));
        }
    }
    Position::from_setup(&setup).expect("a legal start")
}

/// A handful of pieces on random squares, so that endings without enough material are common.
fn few_pieces(random: &mut Random) -> Option<Position> {
    let mut setup = Setup::empty();
    let extra = [PieceType::Knight, PieceType::Bishop, PieceType::Bishop, PieceType::Pawn];
    let mut pieces = vec![Piece::WhiteKing, Piece::BlackKing];
    for _ in 0..random.below(4) {
        pieces.push(Piece::new(Color::ALL[random.below(2)], extra[random.below(4)]));
    }
    for piece in pieces {
        setup.board[random.below(64)] = Some(piece);
    }
    setup.side_to_move = Color::ALL[random.below(2)];
    // shakmaty refuses double checks that no move can give; we do not look that closely.
    Position::from_setup(&setup).ok().filter(|position| !position.checkers().more_than_one())
}

/// Pieces thrown on the board with kings and rooks often at home, and castling rights and an en passant square to match
/// most of the time: some possible, most not.
fn arrangement(random: &mut Random) -> Setup {
    let mut setup = Setup::empty();
    setup.side_to_move = Color::ALL[random.below(2)];
    for color in Color::ALL {
        let back = Rank::R1.relative_to(color);
        for _ in 0..random.below(14) {
            let piece_type = PieceType::ALL[[0, 0, 0, 0, 1, 2, 3, 4][random.below(8)]];
            let shallow = if piece_type == PieceType::Pawn { 8 + random.below(48) } else { random.below(64) };
            setup.board[shallow] = Some(Piece::new(color, piece_type));
        }
        let king =
            Square::new(File::from_index(random.below(8)), if random.below(3) > 0 { back } else { Rank::R4 });
        setup.board[king.index()] = Some(Piece::new(color, PieceType::King));
        for castling_side in CastlingSide::ALL {
            let file = File::from_index(random.below(8));
            let outside =
                if castling_side == CastlingSide::King { file > king.file() } else { file < king.file() };
            if outside && random.below(2) == 0 {
                let rook = Square::new(file, back);
                setup.castling.set(color, castling_side, Some(file));
                setup.board[rook.index()] =
                    Some(Piece::new(color, PieceType::Rook)).filter(|_| random.below(20) > 0);
            }
        }
    }
    let us = setup.side_to_move;
    for file in File::ALL {
        let pawn = Square::new(file, Rank::R5.relative_to(us));
        if setup.board[pawn.index()] == Some(Piece::new(!us, PieceType::Pawn)) && random.below(2) == 0 {
            setup.en_passant = Some(pawn.forward(us));
        }
    }
    setup
}

fn shakmaty_setup(setup: &Setup) -> shakmaty::Setup {
    let square = |square: Square| shakmaty::Square::new(square.index() as u32);
    let mut other = shakmaty::Setup::empty();
    for (place, piece) in Square::ALL.into_iter().zip(setup.board) {
        if let Some(piece) = piece.and_then(|piece| shakmaty::Piece::from_char(piece.letter())) {
            other.board.set_piece_at(square(place), piece);
        }
    }
    other.turn = shakmaty::Color::from_white(setup.side_to_move == Color::White);
    other.ep_square = setup.en_passant.map(square);
    for color in Color::ALL {
        for rook in CastlingSide::ALL
            .into_iter()
            .filter_map(|castling_side| setup.castling.rook_square(color, castling_side))
        {
            other.castling_rights.toggle(square(rook));
        }
    }
    other
}

#[test]
fn arrangements_are_accepted_as_by_shakmaty() {
    let mut random = Random::new(5);
    let (mut accepted, mut en_passant) = (0, 0);
    for _ in 0..200_000 {
        let setup = arrangement(&mut random);
        let ours = Position::from_setup(&setup);
        let theirs = Chess::from_setup(shakmaty_setup(&setup), CastlingMode::Chess960);
        // shakmaty goes further in telling which checks no move can have given.
        match (ours, theirs.or_else(shakmaty::PositionError::ignore_impossible_check)) {
            (Ok(ours), Ok(theirs)) => {
                accepted += 1;
                en_passant += u32::from(ours.en_passant().is_some());
                agree_with_shakmaty(&ours, &theirs);
            }
            (Err(SetupError::TooManyCheckers(_)), Ok(_)) | (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{setup:?}: {ours:?}, {theirs:?}"),
        }
    }
    assert!(accepted > 5_000 && en_passant > 100, "{accepted} {en_passant}");
}

#[test]
fn standard_games_agree_with_shakmaty() {
    let mut random = Random::new(1);
    let start = Position::startpos();
    let plies: usize =
        (0..1500).map(|_| play_with_shakmaty(start, CastlingMode::Standard, 300, &mut random)).sum();
    assert!(plies > 100_000);
}

#[test]
fn chess960_games_agree_with_shakmaty() {
    let mut random = Random::new(2);
    let mut plies = 0;
    for _ in 0..2500 {
        let start = double_chess960(&mut random);
        plies += play_with_shakmaty(start, CastlingMode::Chess960, 120, &mut random);
    }
    assert!(plies > 150_000);
}

#[test]
fn endings_agree_with_shakmaty() {
    let mut random = Random::new(3);
    let starts: Vec<Position> = (0..6000).filter_map(|_| few_pieces(&mut random)).collect();
    assert!(starts.iter().filter(|start| start.is_insufficient_material()).count() > 100);
    for start in starts {
        play_with_shakmaty(start, CastlingMode::Standard, 20, &mut random);
    }
}

/// pleco writes the en passant square after every double push that a pawn stands beside, legal to take or not; ours is
/// written only when the capture is legal. Whether it is has been settled by comparing the moves.
fn same_fen(ours: &Position, theirs: &pleco::Board) {
    let (own, other) = (ours.fen(FenStyle::Standard), theirs.fen());
    let fields = |fen: &str| fen.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (own, mut other) = (fields(&own), fields(&other));
    if ours.en_passant().is_none() {
        other[3] = "-".to_owned();
    }
    assert_eq!(own, other);
}

/// pleco's `stalemate` counts the fifty-move rule in as well (and at 50 plies), so its move list is asked instead.
#[test]
fn standard_games_agree_with_pleco() {
    let mut random = Random::new(4);
    for _ in 0..1500 {
        let mut ours = Position::startpos();
        let mut theirs = pleco::Board::start_pos();
        for _ in 0..200 {
            let moves = ours.legal_moves();
            let other = theirs.generate_moves();
            let plain_moves = sorted(moves.iter().map(|&mv| plain_move(mv)).collect());
            assert_eq!(
                plain_moves,
                sorted(other.iter().map(|&mv| pleco_move(mv)).collect()),
                "moves in {ours}"
            );
            assert_eq!(ours.in_check(), theirs.in_check(), "check in {ours}");
            assert_eq!(moves.is_empty() && ours.in_check(), theirs.checkmate(), "mate in {ours}");
            same_fen(&ours, &theirs);
            if moves.is_empty() {
                break;
            }
            let mv = choose(&mut random, &moves);
            let same = other
                .iter()
                .copied()
                .find(|&other| pleco_move(other) == plain_move(mv))
                .expect("the same moves");
            assert_eq!(ours.gives_check(mv), theirs.gives_check(same), "{mv:?} in {ours}");
            theirs.apply_move(same);
            ours = ours.after(mv);
        }
    }
}
