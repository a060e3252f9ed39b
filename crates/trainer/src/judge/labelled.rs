//! Positions whose expected score a deep search of a strong engine has found, in EPD files.

use anyhow::{Context, Result, bail, ensure};
use arena::{epd, logistic};
use chess::{Epd, Position};
use clap::ValueEnum;
use std::path::Path;

/// Centipawns of the truth that make the odds e to one, where only centipawns are known.
const TRUTH_UNIT: f64 = 100.0;

/// The operation that the expected score is taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Truth {
    /// `c0`: chances of win, draw and loss in thousandths
    Wdl,
    /// `ce`: centipawns, on a logistic curve of 100
    Ce,
}

/// A position and its true value.
#[derive(Clone, Copy, Debug)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// The expected score of the side to move, 0 to 1.
    pub expected: f64,
}

/// Positions of one file.
#[derive(Clone, Debug)]
pub struct LabelledPositions {
    /// In the order of the file.
    pub labelled: Vec<Labelled>,
    /// The operation that the expected scores come from.
    pub truth: Truth,
}

impl LabelledPositions {
    /// Reads an EPD file; see [`LabelledPositions::parse`].
    pub fn load(path: &Path, truth: Option<Truth>) -> Result<Self> {
        let text = epd::read(path).with_context(|| path.display().to_string())?;
        Self::parse(&text, truth).with_context(|| path.display().to_string())
    }

    /// Reads EPD lines. Unless `truth` is given, it is `c0` where all lines have it and `ce` where none has. A line without
    /// its operation, with an impossible one or an impossible position is an error.
    pub fn parse(text: &str, truth: Option<Truth>) -> Result<Self> {
        let truth = match truth {
            Some(truth) => truth,
            None => {
                let with_chances =
                    epd::lines(text, |_, line| Ok(line.parse::<Epd>()?.operand("c0").is_some()))?;
                match (with_chances.contains(&true), with_chances.contains(&false)) {
                    (true, true) => {
                        bail!("some positions have c0 and some have not: --target ce takes ce of all")
                    }
                    (with, _) => {
                        if with {
                            Truth::Wdl
                        } else {
                            Truth::Ce
                        }
                    }
                }
            }
        };
        let labelled = epd::lines(text, |_, line| {
            let epd: Epd = line.parse()?;
            let expected = match truth {
                Truth::Wdl => expected_of_chances(epd.operand("c0").context("without c0")?)?,
                Truth::Ce => expected_of_centipawns(epd.operand("ce").context("without ce")?)?,
            };
            Ok(Labelled { position: epd.position, expected })
        })?;
        Ok(Self { labelled, truth })
    }
}

/// The expected score of win, draw and loss in thousandths.
pub fn expected_of_chances(text: &str) -> Result<f64> {
    let chances: Vec<u32> =
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().context("c0 is not of numbers")?;
    let &[win, draw, loss] = chances.as_slice() else { bail!("c0 is not of three numbers") };
    let sum = u64::from(win) + u64::from(draw) + u64::from(loss);
    ensure!(sum == 1000, "win, draw and loss add up to {sum} instead of 1000");
    Ok((f64::from(win) + f64::from(draw) / 2.0) / 1000.0)
}

fn expected_of_centipawns(text: &str) -> Result<f64> {
    let centipawns: i32 = text.parse().context("ce is not a number")?;
    Ok(logistic::sigmoid(f64::from(centipawns), TRUTH_UNIT))
}

/// The neutral set of the repository; `None` in the packed crate, which does not have it.
#[cfg(test)]
pub fn neutral() -> Option<LabelledPositions> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let load = || LabelledPositions::load(&repository.join("tools/positions/neutral.epd"), None).unwrap();
    repository.join("crates/trainer").is_dir().then(load)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    fn expected(text: &str, truth: Option<Truth>) -> Vec<f64> {
        LabelledPositions::parse(text, truth)
            .unwrap()
            .labelled
            .iter()
            .map(|labelled| labelled.expected)
            .collect()
    }

    #[test]
    fn chances_come_before_centipawns() {
        let both = format!("{BOARD} hmvc 3; ce 100; c0 \"500 300 200\";");
        assert_eq!(expected(&both, None), [0.65]);
        assert_eq!(expected(&both, Some(Truth::Ce)), [1.0 / (1.0 + (-1.0_f64).exp())]);
        assert_eq!(
            expected(&format!("{BOARD} ce 0;\n\n# no\n{BOARD} 0 1 id \"x\"; ce 0;"), None),
            [0.5, 0.5]
        );
    }

    #[test]
    fn a_line_needs_a_sound_position_and_a_sound_value() {
        let mixed = format!("{BOARD} ce 3; c0 \"0 1000 0\";\n{BOARD} ce 3;");
        assert!(
            LabelledPositions::parse(&mixed, None).is_err()
                && LabelledPositions::parse(&mixed, Some(Truth::Ce)).is_ok()
        );
        for bad in ["", "4k3 w ce 3;", &format!("{BOARD} id 1;"), &format!("{BOARD} ce much;")] {
            assert!(LabelledPositions::parse(bad, None).is_err(), "{bad}");
        }
        for bad in ["1 2", "500 500 1", "-1 1000 1", "4294967295 4294967295 4294967295", ""] {
            assert!(LabelledPositions::parse(&format!("{BOARD} c0 \"{bad}\";"), None).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_neutral_set_is_whole() {
        let Some(positions) = neutral() else { return };
        assert_eq!((positions.labelled.len(), positions.truth), (2949, Truth::Wdl));
        assert!(positions.labelled.iter().all(|labelled| !labelled.position.in_check()));
    }
}
