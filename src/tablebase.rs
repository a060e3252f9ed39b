//! Syzygy tablebases (Ronald de Man 2013): the outcome (WDL) and distance (DTZ) of positions with few pieces under perfect
//! play.
//!
//! The crate `shakmaty-syzygy` reads the files; only this module uses it. Files are read, not mapped into memory: a
//! mapped file that is changed or truncated meanwhile would end the program.

use crate::chess::{Bitboard, Color, PieceType, Position};
use parking_lot::Mutex;
use shakmaty::{Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{ProbeError, Syzygy, SyzygyError, TableType, Tablebase};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroU32;
use std::ops::Neg;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The outcome (WDL) of perfect play for the side to move, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Wdl {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        }
    }
}

/// The tables that were found. Any number of threads may probe at once; a file is opened when it is first needed.
pub struct Tables {
    base: Tablebase<Chess>,
    outcomes: usize,
    distances: usize,
    /// The largest number of pieces that is probed.
    pieces: AtomicU32,
    /// The message about an unreadable table, until it is taken.
    fault: Mutex<Option<String>>,
}

impl Tables {
    /// The tables of a list of folders, and a message for each file or folder that is left out. The folders are separated
    /// by `;`, on other systems than Windows also by `:`, and may be quoted.
    pub fn open(list: &str) -> (Tables, Vec<String>) {
        let mut tables = Tables {
            base: Tablebase::new(),
            outcomes: 0,
            distances: 0,
            pieces: AtomicU32::new(0),
            fault: Mutex::new(None),
        };
        let (mut names, mut problems) = (HashSet::new(), Vec::new());
        for folder in folders(list) {
            if let Err(error) = tables.add_folder(&folder, &mut names, &mut problems) {
                problems.push(format!("{}: {error}", folder.display()));
            }
        }
        tables.pieces = AtomicU32::new(u32::try_from(tables.base.max_pieces()).unwrap_or(0));
        (tables, problems)
    }

    /// Adds every table of a folder whose name has not been seen before.
    fn add_folder(
        &mut self,
        folder: &Path,
        names: &mut HashSet<OsString>,
        problems: &mut Vec<String>,
    ) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let known = [(Chess::TBW, &mut self.outcomes), (Chess::TBZ, &mut self.distances)];
            let Some((kind, count)) = known.into_iter().find(|(kind, _)| has_extension(&path, kind)) else {
                continue;
            };
            let Some(name) = path.file_name().filter(|name| !names.contains(*name)) else { continue };
            match check_start(&path, &kind).and_then(|()| self.base.add_file(&path)) {
                Ok(()) => {
                    *count += 1;
                    names.insert(name.to_owned());
                }
                // Its name is not that of a table.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                Err(error) => problems.push(format!("{} left out: {error}", path.display())),
            }
        }
        Ok(())
    }

    /// The number of WDL tables and of DTZ tables.
    pub fn count(&self) -> (usize, usize) {
        (self.outcomes, self.distances)
    }

    /// The largest number of pieces of a position that can be probed; 0 if none can.
    pub fn max_pieces(&self) -> u32 {
        self.pieces.load(Relaxed)
    }

    /// The outcome (WDL), valid right after a capture or pawn move, when the fifty moves begin anew. `None` if no table has
    /// the position, it has castling rights, or the table cannot be read.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        // Small sets of tables leave out what nobody can win.
        if self.max_pieces() > 0 && position.is_insufficient_material() {
            return Some(Wdl::Draw);
        }
        let position = self.askable(position)?;
        let answer = self.base.probe_wdl_after_zeroing(&position);
        answer.map(Wdl::from).map_err(|error| self.note(&error)).ok()
    }

    /// The distance to zeroing (DTZ): plies to the next capture, pawn move or mate when the winner hurries and the loser
    /// delays; positive in a win, negative in a loss, 0 in a draw, beyond 100 in size where the fifty-move rule saves the
    /// loser. It can be one too small, since some tables count in moves. `None` as for the outcome.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let position = self.askable(position)?;
        let answer = self.base.probe_dtz(&position);
        answer.map(|distance| distance.ignore_rounding().0).map_err(|error| self.note(&error)).ok()
    }

    /// The message about an unreadable table, once.
    pub fn take_fault(&self) -> Option<String> {
        self.fault.lock().take()
    }

    /// The position for the tables, if it has few enough pieces and no castling rights, which tables do not cover.
    fn askable(&self, position: &Position) -> Option<Chess> {
        let few = position.occupied().count() <= self.max_pieces();
        (few && position.castling().is_empty()).then(|| converted(position)).flatten()
    }

    /// A missing table is nothing unusual. After one that cannot be read no position of as many pieces is looked up any
    /// more: it would be tried again and again, and what is wrong with a disk is seldom wrong with one file.
    #[cold]
    fn note(&self, error: &SyzygyError) {
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return };
        let reason = match &**error {
            ProbeError::Read { error } => error.to_string(),
            ProbeError::Magic { .. } => "it is no table".to_string(),
            ProbeError::CorruptedTable { .. } => "it is damaged".to_string(),
        };
        let name = material.to_string();
        let pieces = name.chars().filter(|&letter| letter != 'v').count() as u32;
        if self.pieces.fetch_min(pieces.saturating_sub(1), Relaxed) >= pieces {
            *self.fault.lock() = Some(format!(
                "the {metric} table {name} cannot be read, {reason}; tables of {pieces} pieces and more are no longer used"
            ));
        }
    }
}

/// The folders of a list. A single folder may have `:` or `;` in its name.
fn folders(list: &str) -> Vec<PathBuf> {
    let list = unquoted(list);
    if Path::new(list).is_dir() {
        return vec![PathBuf::from(list)];
    }
    let parts = list.split(|letter| letter == ';' || letter == ':' && cfg!(not(windows)));
    parts.map(unquoted).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

/// The text without surrounding blanks and quotes.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside =
        |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|text| !text.contains(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text).trim()
}

fn has_extension(path: &Path, kind: &TableType) -> bool {
    path.extension().is_some_and(|extension| extension == kind.ext)
}

/// Checks the magic number at the start of a table.
fn check_start(path: &Path, kind: &TableType) -> io::Result<()> {
    let mut start = [0; 4];
    File::open(path)?.read_exact(&mut start)?;
    let error = || io::Error::new(ErrorKind::InvalidData, "it is no table");
    (start == kind.magic).then_some(()).ok_or_else(error)
}

/// The position as a position of `shakmaty`.
fn converted(position: &Position) -> Option<Chess> {
    let set = |squares: Bitboard| shakmaty::Bitboard(squares.0);
    let kind = |kind: PieceType| set(position.of_type(kind));
    let roles = ByRole {
        pawn: kind(PieceType::Pawn),
        knight: kind(PieceType::Knight),
        bishop: kind(PieceType::Bishop),
        rook: kind(PieceType::Rook),
        queen: kind(PieceType::Queen),
        king: kind(PieceType::King),
    };
    let colors =
        ByColor { white: set(position.color(Color::White)), black: set(position.color(Color::Black)) };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        promoted: shakmaty::Bitboard::EMPTY,
        pockets: None,
        turn: shakmaty::Color::from_white(position.side_to_move() == Color::White),
        castling_rights: shakmaty::Bitboard::EMPTY,
        ep_square: position.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        remaining_checks: None,
        halfmoves: position.halfmove_clock(),
        fullmoves: NonZeroU32::MIN,
    };
    // Checks that no game leads to are as good as others.
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_folders_are_taken_apart() {
        let names = |list| folders(list).iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(names(" "), [""; 0]);
        assert_eq!(names("a b;c"), ["a b", "c"]);
        assert_eq!(names("\"a b\" ; 'c d';;"), ["a b", "c d"]);
        assert_eq!(names("\"a;b\""), ["a", "b"]);
        #[cfg(not(windows))]
        assert_eq!(names("/a:/b"), ["/a", "/b"]);
    }

    #[test]
    fn without_files_nothing_is_known() {
        let (tables, problems) = Tables::open("/nowhere/at/all");
        assert_eq!((tables.count(), tables.max_pieces(), problems.len()), ((0, 0), 0, 1));
        let position: Position = "8/8/8/8/8/k7/8/KQ6 w - - 0 1".parse().unwrap();
        assert_eq!((tables.wdl(&position), tables.dtz(&position)), (None, None));
    }
}
