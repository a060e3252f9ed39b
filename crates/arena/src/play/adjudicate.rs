//! Adjudication: early ends of games whose result the engines agree on or tablebases hold.

use anyhow::{Context, Result, ensure};
use shakmaty::{Chess, Color, KnownOutcome, Position};
use shakmaty_syzygy::{Tablebase, Wdl};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// A draw when, from move `from` on, the last `moves` moves of both sides had scores within `score` centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Full-move number before which nothing is adjudicated.
    pub from: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Largest distance from 0.
    pub score: i32,
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { from, moves, score } = self;
        write!(f, "draw from move {from} on after {moves} moves of each side within {score} centipawns")
    }
}

impl FromStr for DrawRule {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let [from, moves, score] = numbers(text, "from-move,moves,score")?;
        Ok(Self { from, moves, score: centipawns(text, score)? })
    }
}

/// A loss for the side whose last `moves` scores were all at most `-score` centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves in a row.
    pub moves: u32,
    /// The score, in centipawns.
    pub score: i32,
    /// The opponent must think so too.
    pub both: bool,
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = if self.both { "both sides agreeing" } else { "the loser alone deciding" };
        write!(f, "win after {} moves at {} centipawns or more, {who}", self.moves, self.score)
    }
}

impl FromStr for ResignRule {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (text, both) = match text.strip_suffix(",one") {
            Some(rest) => (rest, false),
            None => (text, true),
        };
        let [moves, score] = numbers(text, "moves,score[,one]")?;
        Ok(Self { moves, score: centipawns(text, score)?, both })
    }
}

fn numbers<const N: usize>(text: &str, form: &str) -> Result<[u32; N]> {
    let parsed: Result<Vec<u32>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    let list = parsed.with_context(|| format!("{text:?} is not {form}"))?;
    ensure!(list.first() != Some(&0) && list.get(1) != Some(&0), "{text:?}: 0 moves make no sense in {form}");
    <[u32; N]>::try_from(list).ok().with_context(|| format!("{text:?} is not {form}"))
}

/// The score of a rule: no engine tells one of more than a million.
fn centipawns(text: &str, score: u32) -> Result<i32> {
    ensure!(score <= 1_000_000, "{text:?}: {score} centipawns are more than 1000000");
    Ok(score as i32)
}

/// Tablebases, shared by all games.
#[derive(Clone)]
pub struct AdjudicationTables(Arc<Tablebase<Chess>>);

impl fmt::Debug for AdjudicationTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables({} pieces)", self.0.max_pieces())
    }
}

impl AdjudicationTables {
    /// Opens the files of a folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut tables = Tablebase::new();
        let found =
            tables.add_directory(folder).with_context(|| format!("tablebases in {}", folder.display()))?;
        ensure!(found > 0, "no tablebase files in {}", folder.display());
        Ok(Self(Arc::new(tables)))
    }

    /// The result of a position with best play and the fifty-move rule. `None` when a table is missing, when somebody may
    /// still castle, or when the tables, whose distances are rounded, leave it open.
    pub fn outcome(&self, position: &Chess) -> Option<KnownOutcome> {
        if position.board().occupied().count() > self.0.max_pieces() || position.castles().any() {
            return None;
        }
        let wdl = match position.halfmoves() {
            // Games come here by a capture or a pawn move as a rule; then the WDL files alone are enough.
            0 => self.0.probe_wdl_after_zeroing(position).ok()?,
            _ => self.0.probe_wdl(position).ok()?.unambiguous()?,
        };
        let mover = position.turn();
        Some(match wdl {
            Wdl::Win => KnownOutcome::Decisive { winner: mover },
            Wdl::Loss => KnownOutcome::Decisive { winner: !mover },
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => KnownOutcome::Draw,
        })
    }
}

/// Adjudication by scores: counts scores in a row that are level, won or lost.
#[derive(Clone, Debug, Default)]
pub struct ScoreAdjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    quiet: u32,
    losing: [u32; 2],
    winning: [u32; 2],
}

impl ScoreAdjudicator {
    /// An adjudicator with these rules; `None` is off.
    pub fn new(draw: Option<DrawRule>, resign: Option<ResignRule>) -> Self {
        Self { draw, resign, ..Self::default() }
    }

    /// The result after a move of `mover` with this score and move number, `None` to play on.
    pub fn after(&mut self, mover: Color, score: Option<i32>, move_number: u32) -> Option<KnownOutcome> {
        let side = mover as usize;
        let in_row = |count: u32, holds: bool| if holds { count.saturating_add(1) } else { 0 };
        if let Some(rule) = self.draw {
            self.quiet = in_row(
                self.quiet,
                score.is_some_and(|score| score.unsigned_abs() <= rule.score.unsigned_abs()),
            );
            if move_number >= rule.from && self.quiet / 2 >= rule.moves {
                return Some(KnownOutcome::Draw);
            }
        }
        let rule = self.resign?;
        self.losing[side] = in_row(self.losing[side], score.is_some_and(|score| score <= -rule.score));
        self.winning[side] = in_row(self.winning[side], score.is_some_and(|score| score >= rule.score));
        let lost = |loser: Color| {
            self.losing[loser as usize] >= rule.moves
                && (!rule.both || self.winning[!loser as usize] >= rule.moves)
        };
        let loser = [mover, !mover].into_iter().find(|&side| lost(side))?;
        Some(KnownOutcome::Decisive { winner: !loser })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_with_numbers_that_do_not_fit_are_errors() {
        for rule in ["1,1,4294967295", "1,1,4294967296", "1,-1,5", "4294967296,1,5", "1,1,1000001", "1,1"] {
            assert!(rule.parse::<DrawRule>().is_err(), "{rule}");
        }
        for rule in ["1,4294967295", "1,4294967295,one", "4294967296,600", "1,2147483648"] {
            let error = rule.parse::<ResignRule>().unwrap_err().to_string();
            assert!(error.contains("4294967") || error.contains("2147483648"), "{error}");
        }
    }

    #[test]
    fn a_rule_of_more_moves_than_a_game_has_ends_nothing() {
        let draw = DrawRule { from: 1, moves: 1 << 31, score: 10 };
        let resign = ResignRule { moves: u32::MAX, score: 600, both: false };
        let mut adjudicator = ScoreAdjudicator::new(Some(draw), Some(resign));
        for (score, number) in [(0, 1), (0, 2), (-900, 3), (i32::MIN, 4)] {
            assert_eq!(adjudicator.after(Color::White, Some(score), number), None);
        }
    }
}
