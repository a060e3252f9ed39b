//! EPD (Extended Position Description): a position and operations, one a line, as books, test suites and perft lists are
//! written.

use super::fen::{FenError, FenField, FenRepair, operations, read};
use super::fen_write::FenStyle;
use super::position::Position;
use super::text::quoted;
use std::fmt;
use std::str::FromStr;

/// A line of EPD: a position, and operations such as `bm Nf3` or `id "first"`.
///
/// It reads everything that is written in such lines: four fields or the six of FEN, operations, a semicolon at the
/// end. Positions are judged as [`Position::from_fen_lenient`] does, and refused with the same sentences.
///
/// ```
/// use tamarack_chess::Epd;
/// let epd: Epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"one; first\";".parse()?;
/// assert_eq!(epd.operand("bm"), Some("O-O"));
/// assert_eq!(epd.operand("id"), Some("one; first"));
/// let best = epd.position.parse_san("O-O").unwrap();
/// assert!(best.is_castling());
/// assert!("4k3/8/8/8/8/8/8/4K2R w HFhf - 0 1;".parse::<Epd>().is_err()); // no such rooks
/// # Ok::<(), tamarack_chess::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// The operations in their order: code and operand, which is empty or as it was written. `hmvc` and `fmvn` have the
    /// counters of the position.
    pub operations: Vec<(String, String)>,
}

impl Epd {
    /// Reads a line as [`str::parse`] does, and repairs what [`Position::from_fen_lenient`] repairs, a quotation mark
    /// that is not closed, and operations whose code does not begin with a letter. The repairs are returned, to be reported.
    ///
    /// # Errors
    /// If a field cannot be read or no game can lead to the position, see [`FenError`].
    ///
    /// ```
    /// use tamarack_chess::Epd;
    /// let (epd, repairs) = Epd::from_lenient("4k3/8/8/8/8/8/8/4K2R w KQ - hmvc 12; acd 9;")?;
    /// assert_eq!(epd.position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 12 1");
    /// assert_eq!(epd.operand("acd"), Some("9"));
    /// assert_eq!(repairs[0].to_string(), "castling: 'Q' in \"KQ\": no rook to castle with, dropped");
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn from_lenient(line: &str) -> Result<(Epd, Vec<FenRepair>), FenError> {
        let (position, mut text, mut repairs) = read(line)?;
        if text.matches('"').count() % 2 != 0 {
            repairs.push(FenRepair {
                field: FenField::End,
                reason: format!("a quotation mark is not closed in {}", quoted(&text)),
                remedy: "closed at the end".to_string(),
            });
            text.push('"');
        }
        let mut kept = Vec::new();
        for (code, operand) in operations(&text) {
            if code.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                let operand = match code {
                    "hmvc" => position.halfmove_clock().to_string(),
                    "fmvn" => position.fullmove_number().to_string(),
                    _ => operand.to_string(),
                };
                kept.push((code.to_string(), operand));
            } else {
                repairs.push(FenRepair {
                    field: FenField::End,
                    reason: format!("{} is no operation", quoted(code)),
                    remedy: "dropped".to_string(),
                });
            }
        }
        Ok((Epd { position, operations: kept }, repairs))
    }

    /// The operand of the first operation with this code, without quotation marks.
    ///
    /// ```
    /// use tamarack_chess::Epd;
    /// let epd: Epd = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25".parse()?;
    /// assert_eq!((epd.operand("D2"), epd.operand("D3")), (Some("25"), None));
    /// # Ok::<(), tamarack_chess::FenError>(())
    /// ```
    pub fn operand(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(other, _)| other == code).map(|(_, operand)| without_marks(operand))
    }
}

impl FromStr for Epd {
    type Err = FenError;

    /// Reads a line strictly: every fault is an error, also those that [`Epd::from_lenient`] repairs.
    fn from_str(line: &str) -> Result<Epd, FenError> {
        let (epd, repairs) = Epd::from_lenient(line)?;
        repairs.into_iter().next().map_or(Ok(epd), |repair| Err(repair.into()))
    }
}

impl fmt::Display for Epd {
    /// The six fields of FEN, and the operations behind them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position.fen(FenStyle::Standard))?;
        for (code, operand) in &self.operations {
            write!(f, " {code}{}{operand};", if operand.is_empty() { "" } else { " " })?;
        }
        Ok(())
    }
}

/// An operand without the quotation marks around it; one of several texts stays as it is.
fn without_marks(operand: &str) -> &str {
    let inside = operand.strip_prefix('"').map(|inside| inside.strip_suffix('"').unwrap_or(inside));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(operand)
}
