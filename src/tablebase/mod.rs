//! Syzygy tablebases (Ronald de Man 2013): the result (WDL) and distance (DTZ) of positions with few pieces under perfect
//! play.

#[cfg(not(target_family = "wasm"))]
mod files;
#[cfg(target_family = "wasm")]
mod no_files;

#[cfg(not(target_family = "wasm"))]
pub use files::Tables;
#[cfg(target_family = "wasm")]
pub use no_files::Tables;

use platform::files::unquoted;
use std::ops::Neg;
use std::path::{Path, PathBuf};

/// The result of perfect play for the side to move, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won but for the fifty-move rule.
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

/// The folders of a list. One folder may have `:` or `;` in its name.
fn folders(list: &str) -> Vec<PathBuf> {
    let list = unquoted(list);
    if Path::new(list).is_dir() {
        return vec![PathBuf::from(list)];
    }
    let parts = list.split(|letter| letter == ';' || letter == ':' && cfg!(not(windows)));
    parts.map(unquoted).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

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
