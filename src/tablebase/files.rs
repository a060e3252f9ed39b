//! Tables in files, which the crate `shakmaty-syzygy` reads; only this module uses it. They are read, not mapped into memory: a
//! mapped file that is changed or truncated meanwhile would end the program.

use super::{Wdl, folders};
use chess::{Bitboard, Color, PieceType, Position};
use parking_lot::{Mutex, RwLock};
use platform::files::open_regular;
use shakmaty::{Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, Position as _, PositionError, Setup};
use shakmaty_syzygy::{Material, ProbeError, Syzygy, SyzygyError, TableType, Tablebase};
use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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

/// The tables that were found, for any number of threads at once. A file is opened when it is first needed.
pub struct Tables {
    base: Tablebase<Chess>,
    files: BTreeSet<PathBuf>,
    outcomes: usize,
    distances: usize,
    /// Lookups that have failed and are not repeated.
    failed: RwLock<HashSet<(Lookup, Material)>>,
    /// True if `failed` is not empty.
    has_failed: AtomicBool,
    faults: Mutex<Faults>,
}

/// The kind of a lookup.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Lookup {
    Wdl,
    Dtz,
}

/// Tables that could not be read.
#[derive(Default)]
struct Faults {
    /// The names of all of them.
    tables: HashSet<String>,
    /// The message about the first one since the user was told, and the number of the others.
    unreported: Option<(String, usize)>,
}

impl Tables {
    /// The tables of a list of folders, and what was wrong with files and folders that are left out. The folders are
    /// parted by `;`, or by `:` where no drive letter can be meant, and may stand in quotes.
    pub fn open(list: &str) -> (Tables, Vec<String>) {
        let mut tables = Tables {
            base: Tablebase::new(),
            files: BTreeSet::new(),
            outcomes: 0,
            distances: 0,
            failed: RwLock::default(),
            has_failed: AtomicBool::new(false),
            faults: Mutex::default(),
        };
        let (mut names, mut problems) = (HashSet::new(), Vec::new());
        for folder in folders(list) {
            if let Err(error) = tables.add_folder(&folder, &mut names, &mut problems) {
                problems.push(format!("{}: {error}", folder.display()));
            }
        }
        (tables, problems)
    }

    /// Takes every table of a folder whose name has not been seen before.
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
                    self.files.insert(path);
                }
                // Its name is not that of a table.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                Err(error) => problems.push(format!("{} left out: {error}", path.display())),
            }
        }
        Ok(())
    }

    /// The files of the tables.
    pub fn files(&self) -> &BTreeSet<PathBuf> {
        &self.files
    }

    /// The numbers of WDL and of DTZ tables.
    pub fn count(&self) -> (usize, usize) {
        (self.outcomes, self.distances)
    }

    /// The most pieces of a position that can be looked up; 0 if none can.
    pub fn max_pieces(&self) -> u32 {
        u32::try_from(self.base.max_pieces()).unwrap_or(0)
    }

    /// The result (WDL), provided that the last move was a capture or pawn move, so that the fifty moves begin anew; `None` if it
    /// is not known.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        // Small sets of tables leave out what nobody can win.
        if self.max_pieces() > 0 && position.is_insufficient_material() {
            return Some(Wdl::Draw);
        }
        let position = self.probeable(position, Lookup::Wdl)?;
        let answer = self.base.probe_wdl_after_zeroing(&position);
        answer.map(Wdl::from).map_err(|error| self.note(&error, &position, Lookup::Wdl)).ok()
    }

    /// The distance to zeroing (DTZ): plies to the next capture, pawn move or mate when the winner hurries and the loser does not: positive in a win,
    /// negative in a loss, 0 in a draw, beyond 100 in size where the fifty-move rule saves the loser. It can be one
    /// too few: some tables count in moves.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let position = self.probeable(position, Lookup::Dtz)?;
        let answer = self.base.probe_dtz(&position);
        let failed = |error| self.note(&error, &position, Lookup::Dtz);
        answer.map(|distance| distance.ignore_rounding().0).map_err(failed).ok()
    }

    /// The tables that could not be read since the last call, as a message; `None` if there are none.
    pub fn take_read_error(&self) -> Option<String> {
        let (first, others) = self.faults.lock().unreported.take()?;
        Some(if others == 0 { first } else { format!("{first}; nor can {others} more") })
    }

    /// The position for a lookup. `None` if it has too many pieces or castling rights, which no table knows, or if a lookup
    /// with the same material has failed.
    fn probeable(&self, position: &Position, lookup: Lookup) -> Option<Chess> {
        let few = position.occupied().count() <= self.max_pieces();
        let position = (few && position.castling().is_empty()).then(|| converted(position)).flatten()?;
        let failed = self.has_failed.load(Relaxed)
            && self.failed.read().contains(&(lookup, Material::from_board(position.board())));
        (!failed).then_some(position)
    }

    /// Handles a failed lookup. A missing table is nothing unusual. One that cannot be read would be tried again and again,
    /// so from now on no position with this material is looked up: either the table is its own, or captures lead to it.
    #[cold]
    fn note(&self, error: &SyzygyError, position: &Chess, lookup: Lookup) {
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return };
        let reason = match &**error {
            ProbeError::Read { error } => error.to_string(),
            ProbeError::Magic { .. } => "it is no table".to_string(),
            ProbeError::CorruptedTable { .. } => "it is damaged".to_string(),
        };
        self.failed.write().insert((lookup, Material::from_board(position.board())));
        self.has_failed.store(true, Relaxed);
        let table = format!("{metric} table {material}");
        let mut faults = self.faults.lock();
        if faults.tables.insert(table.clone()) {
            match &mut faults.unreported {
                Some((_, others)) => *others += 1,
                unreported => {
                    *unreported = Some((format!("the {table} cannot be read, {reason}; it is left out"), 0))
                }
            }
        }
    }
}

fn has_extension(path: &Path, kind: &TableType) -> bool {
    path.extension().is_some_and(|extension| extension == kind.ext)
}

/// Checks that a file is a regular one and begins with the magic number of its kind.
fn check_start(path: &Path, kind: &TableType) -> io::Result<()> {
    let mut start = [0; 4];
    open_regular(path)?.read_exact(&mut start)?;
    let error = || io::Error::new(ErrorKind::InvalidData, "it is no table");
    (start == kind.magic).then_some(()).ok_or_else(error)
}

/// The position for the crate that reads the tables.
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
