//! Starts of games: the usual array, Chess960 or a different array for each side, and then some random moves.

use super::DatagenSettings;
use anyhow::Context;
use arena::epd;
use chess::Position;
use chess::random::Random;
use std::path::Path;
use tamarack::commands::genfens::RandomStarts;

/// Reads the positions of a book, one a line.
pub fn read_book(path: &Path) -> anyhow::Result<Vec<Position>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    epd::lines(&text, |_, line| Ok(epd::board(line).parse::<Position>()?))
        .with_context(|| path.display().to_string())
}

/// A position some random moves after the first one.
pub fn random_start(settings: &DatagenSettings, book: &[Position], random: &mut Random) -> Position {
    let DatagenSettings { random_plies: plies, chess960, double_chess960, .. } = *settings;
    let starts = RandomStarts { plies, chess960, double_chess960, book };
    loop {
        if let Some(start) = starts.draw(random) {
            return start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::folder;

    #[test]
    fn books_are_read_and_their_errors_have_a_line() {
        let path = folder("book").join("book.epd");
        let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";";
        std::fs::write(&path, format!("# two of a kind\n{epd}\n\n{epd}\n")).unwrap();
        let book = read_book(&path).unwrap();
        assert_eq!(book.len(), 2);
        let settings =
            DatagenSettings { chess960: 0.0, double_chess960: 0.0, ..DatagenSettings::for_tests() };
        let start = random_start(&settings, &book, &mut Random::new(1));
        assert!(start.occupied().count() <= 3);
        std::fs::write(&path, format!("{epd}\nnonsense\n")).unwrap();
        assert!(format!("{:#}", read_book(&path).unwrap_err()).contains("line 2"));
    }
}
