//! Promises about bytes from outside, one function for each kind: each takes any bytes and panics if a promise is broken.
//! The fuzz targets feed them; `tools/tests/tools/corpus.rs` includes this file and runs them over `corpus/` in `cargo test`.

use arena::matches::results_file::{self, GameRecord, MatchHeader, ResultsFile};
use arena::matches::{report, results::Results};
use arena::play::openings::Opening;
use arena::play::pgn_book::parse_pgn;
use chess::{CastlingNotation, Epd, FenStyle, Position};
use nnue::Network;
use nnue::network::{NetworkError, checksum};
use shakmaty::CastlingMode;
use shakmaty::Position as _;
use shakmaty::san::San;
use std::fs;
use std::path::{Path, PathBuf};
use tamarack::tablebase::Tables;
use tamarack::uci::{Command, Start};
use trainer::data::file::{self, GameWriter};
use trainer::data::game::ScoredGame;

/// Bytes of the header of a network file.
const NETWORK_HEADER: usize = 64;
/// The width to which [`complete_network`] narrows a network: wider ones are the same, only slower.
const MAX_HIDDEN: u32 = 64;
/// Parts a file of games from the part beside it.
const PART: &[u8] = b"PART";
/// The names that a tablebase file can be given, chosen by its first byte.
const TABLES: [&str; 8] = [
    "KQvK.rtbw",
    "KQvK.rtbz",
    "KRvK.rtbw",
    "KRvK.rtbz",
    "KPvK.rtbw",
    "KPvK.rtbz",
    "KRvKR.rtbw",
    "KRvKR.rtbz",
];

/// A FEN is refused, or it is a position that survives being written, and all of whose moves can be made.
pub fn fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let strict = text.parse::<Position>();
    let Ok((position, repairs)) = Position::from_fen_lenient(&text) else { return assert!(strict.is_err()) };
    assert_eq!(strict.is_ok(), repairs.is_empty(), "{repairs:?}");
    for style in [FenStyle::Standard, FenStyle::Shredder] {
        let (read, repairs) = Position::from_fen_lenient(&position.fen(style)).expect("what was written");
        assert!(read == position && repairs.is_empty(), "{position}: {repairs:?}");
    }
    for mv in position.legal_moves() {
        assert_eq!(position.parse_uci(&mv.uci(CastlingNotation::KingTakesRook)), Ok(mv));
        position.after(mv).assert_consistent();
    }
}

/// A line of EPD is refused, or what was read of it is written as a line that is read strictly, and as the same.
pub fn epd(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        let strict = line.parse::<Epd>();
        let Ok((epd, repairs)) = Epd::from_lenient(line) else {
            assert!(strict.is_err());
            continue;
        };
        assert_eq!(strict.is_ok(), repairs.is_empty(), "{repairs:?}");
        assert_eq!(epd.to_string().parse::<Epd>().as_ref(), Ok(&epd));
    }
}

/// Lines of moves after a first line that is a FEN, or else from the start: each is refused, or means a legal move that is written
/// in SAN and read from that, strictly and as people type moves. Those that are SAN are played.
pub fn san(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().peekable();
    let mut position = lines.peek().and_then(|line| line.parse().ok()).unwrap_or_else(Position::startpos);
    for line in lines {
        let (strict, typed) = (position.parse_san(line), position.parse_move(line));
        for mv in [&strict, &typed].into_iter().flatten() {
            let san = position.san(*mv);
            assert!(position.is_legal(*mv), "{line} in {position}");
            assert_eq!([position.parse_san(&san), position.parse_move(&san)], [Ok(*mv), Ok(*mv)], "{san}");
        }
        if let Ok(mv) = strict {
            position = position.after(mv);
        }
    }
}

/// A PGN text is refused, or its games are read again from their FENs and moves in SAN.
pub fn pgn(bytes: &[u8]) {
    let read = |text: &str| parse_pgn(text, CastlingMode::Standard, usize::MAX);
    for game in read(&String::from_utf8_lossy(bytes)).unwrap_or_default() {
        let start = Opening { start: game.start.clone(), moves: Vec::new() }.fen();
        let (mut text, mut position) = (format!("[FEN \"{start}\"]\n\n"), game.start.clone());
        for &mv in &game.moves {
            text += &format!("{} ", San::from_move(&position, mv));
            position.play_unchecked(mv);
        }
        let again = read(&(text + "*")).expect("what was written");
        assert_eq!(again.len(), 1);
        assert_eq!((&again[0].moves, again[0].fen()), (&game.moves, game.fen()));
    }
}

/// A line is a command or an error of one line. The moves behind `position` are played until one is not legal.
pub fn command(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).split('\n') {
        let (start, moves) = match Command::parse(line) {
            Ok(Some(Command::Position { start, moves })) => (start, moves),
            Ok(_) => continue,
            Err(error) => return assert!(!error.to_string().contains('\n')),
        };
        let position = match start {
            Start::Standard => Ok((Position::startpos(), Vec::new())),
            Start::Fen(fen) => Position::from_fen_lenient(&fen),
        };
        let Ok((mut position, _)) = position else { continue };
        for text in &moves {
            let Ok(mv) = position.parse_uci(text) else { break };
            position = position.after(mv);
            position.assert_consistent();
        }
    }
}

/// A network file is refused, or its network evaluates without overflow and survives being written. Tried as it is, and
/// [completed](complete_network).
pub fn network(bytes: &[u8]) {
    use_network(bytes);
    if let Some(file) = complete_network(bytes) {
        use_network(&file);
    }
}

/// A network file with its numbers repeated to the length that its kind and shape need, and the checksum put right. `None` if
/// the header is refused.
pub fn complete_network(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, numbers) = bytes.split_at_checked(NETWORK_HEADER)?;
    let mut file = header.to_vec();
    let hidden = u32::from_le_bytes(*file[16..].first_chunk()?).min(MAX_HIDDEN);
    file[16..20].copy_from_slice(&hidden.to_le_bytes());
    let Err(NetworkError::Length { expected, .. }) = Network::from_bytes(&file) else { return None };
    let numbers = if numbers.is_empty() { &[0] } else { numbers };
    file.extend(numbers.iter().cycle().take(expected - NETWORK_HEADER));
    let sum = checksum(&file[NETWORK_HEADER..]);
    file[32..40].copy_from_slice(&sum.to_le_bytes());
    Some(file)
}

fn use_network(bytes: &[u8]) {
    let Ok(network) = Network::from_bytes(bytes) else { return };
    for fen in [chess::positions::KIWIPETE, "8/8/8/2k5/8/8/8/KQ6 b - - 0 1"] {
        network.evaluate(&fen.parse().expect("a position"));
    }
    let again = Network::from_bytes(&network.to_bytes()).expect("what was written");
    assert_eq!(again.parts(), network.parts());
}

/// A file of games, with its part beside it if the bytes say [`PART`]: each game that is read can be written again, and a
/// writer that opens a file that is whole loses none of them.
pub fn games(bytes: &[u8]) {
    let folder = Folder::new();
    let path = folder.0.join("x.games");
    match bytes.windows(PART.len()).position(|window| window == PART) {
        Some(at) => {
            folder.write("x.games", &bytes[..at]);
            folder.write("x.games.part", &bytes[at + PART.len()..]);
        }
        None => folder.write("x.games", bytes),
    }
    let read = || file::read(&path).and_then(|games| games.collect::<anyhow::Result<Vec<ScoredGame>>>());
    for game in file::read(&path).into_iter().flatten().map_while(Result::ok) {
        let mut stored = Vec::new();
        game.encode(&mut stored).expect("a game that was read");
        assert_eq!(ScoredGame::decode(&mut stored.as_slice()).expect("a game that was written"), Some(game));
    }
    let before = read();
    if let Ok(writer) = GameWriter::open(&path) {
        drop(writer);
        if let Ok(before) = before {
            assert_eq!(read().expect("it was whole before"), before);
        }
    }
}

/// A results file is refused, or a page can be made of it, it can be continued, and it is read when its end is missing.
pub fn results(bytes: &[u8]) {
    let folder = Folder::new();
    let path = folder.0.join("r.jsonl");
    folder.write("r.jsonl", bytes);
    let Ok((header, records)) = results_file::read(&path) else { return };
    let mut counted = Results::new(&header.pairings);
    for record in &records {
        counted.add(record);
    }
    let _ = counted.fault_words(&header.names);
    // It may be refused, as with a FEN that is none.
    let _ = report::page(&header, &records, None);
    let opened = ResultsFile::open::<MatchHeader, GameRecord>(Some(&path), &header, "match");
    assert_eq!(opened.expect("the same match").1, records);
    let first_line = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1);
    for length in [bytes.len() - 1, bytes.len() / 2] {
        folder.write("r.jsonl", &bytes[..length.max(first_line)]);
        let (_, fewer) = results_file::read(&path).expect("its last line is dropped");
        assert_eq!(fewer[..], records[..fewer.len()]);
    }
}

/// A tablebase file, named by its first byte, is left out, or answers, or is reported as one that cannot be read.
pub fn tablebase(bytes: &[u8]) {
    let Some((&name, table)) = bytes.split_first() else { return };
    let folder = Folder::new();
    let name = TABLES[usize::from(name) % TABLES.len()];
    folder.write(name, table);
    let (tables, problems) = Tables::open(folder.0.to_str().expect("a path of this program"));
    let (outcomes, distances) = tables.count();
    assert_eq!(outcomes + distances + problems.len(), 1, "{problems:?}");
    for number in 0..128 {
        let squares = [7, 11, 13, 29].map(|step| (number * step + step) % 64);
        if let Some(position) = place(name, squares, number % 2 == 0) {
            let _ = (tables.wdl(&position), tables.dtz(&position));
        }
    }
    assert!(tables.take_read_error().is_none_or(|fault| fault.contains("cannot be read")));
}

/// A list of folders with tablebases names what is wrong with it and gives no tables.
pub fn tablebase_path(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (tables, problems) = Tables::open(&text);
    assert!(problems.iter().all(|problem| !problem.is_empty()));
    assert!(tables.max_pieces() == 0 || tables.count() != (0, 0));
}

/// The pieces of a table on these squares, if a game can lead there.
fn place(table: &str, squares: [usize; 4], white: bool) -> Option<Position> {
    let (first, second) = table.strip_suffix(".rtbw").or(table.strip_suffix(".rtbz"))?.split_once('v')?;
    let pieces = first.chars().chain(second.chars().map(|piece| piece.to_ascii_lowercase()));
    let mut board = [' '; 64];
    for (piece, square) in pieces.zip(squares) {
        if std::mem::replace(&mut board[square], piece) != ' ' {
            return None;
        }
    }
    let rank = |squares: &[char]| squares.iter().map(|&c| if c == ' ' { '1' } else { c }).collect::<String>();
    let ranks: Vec<String> = board.chunks(8).map(rank).collect();
    format!("{} {} - - 0 1", ranks.join("/"), if white { 'w' } else { 'b' }).parse().ok()
}

/// An empty folder for one call, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let name = format!("tamarack-{}-{:?}", std::process::id(), std::thread::current().id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder for temporary files");
        Folder(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(Path::new(&self.0).join(name), bytes).expect("a temporary file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
