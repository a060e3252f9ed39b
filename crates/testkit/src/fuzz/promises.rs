//! The promised answers of searches and jobs, and the judgement of what comes.

use super::reading::GoLimits;
use super::rules;
use shakmaty::{Chess, Move, Position};

/// An answer that a command promised.
#[derive(Debug)]
pub enum Promise {
    /// `go`.
    Search(Search),
    /// `perft` or `bench`.
    Job {
        /// The command's name.
        name: &'static str,
        /// The number of leaves, if it is known.
        nodes: Option<u64>,
    },
    /// `wait`.
    Wait,
}

/// A `go`, its answer and the time of it.
#[derive(Debug)]
pub struct Search {
    answer: Answer,
    chess960: bool,
    /// True if the answer may come.
    may_end: bool,
    /// True if the answer must come.
    must_end: bool,
    /// True if no limit ends the search, not even after `ponderhit`.
    endless: bool,
    /// True if it must not end at its greatest depth either.
    infinite: bool,
}

/// The promised answer of a search.
#[derive(Clone, Debug)]
pub enum Answer {
    /// One of these moves.
    Move {
        /// The position before them.
        position: Chess,
        /// The moves.
        moves: Vec<Move>,
    },
    /// `(none)`.
    NoMove,
    /// Not known, because the position is not.
    Unknown,
}

impl Search {
    /// The promise of a `go`; `endless` is true if no limit ends it.
    pub fn new(answer: Answer, chess960: bool, go: &GoLimits, endless: bool) -> Search {
        let unknown = matches!(answer, Answer::Unknown);
        Search {
            answer,
            chess960,
            may_end: !go.ponder && !go.infinite || unknown,
            must_end: !go.ponder && !endless,
            endless,
            infinite: go.infinite,
        }
    }

    /// Something has come that ends the search.
    pub fn end(&mut self) {
        (self.may_end, self.must_end) = (true, true);
    }

    /// `ponderhit` has come.
    pub fn ponder_hit(&mut self) {
        self.may_end |= !self.infinite;
        self.must_end |= !self.endless;
    }

    /// The answer as text; `None` if it need not come yet.
    pub fn missing(&self) -> Option<String> {
        self.must_end.then(|| match &self.answer {
            Answer::Move { position, .. } => format!("the bestmove in {}", rules::fen(position)),
            Answer::NoMove | Answer::Unknown => "the bestmove without a position".to_owned(),
        })
    }

    /// Judges the words of `bestmove`.
    ///
    /// # Errors
    /// The fault in them.
    pub fn judge_best(&self, words: &[&str]) -> Result<(), String> {
        if !self.may_end {
            return Err("a bestmove before stop or ponderhit".to_owned());
        }
        let (best, ponder) = match *words {
            [_, best] => (best, None),
            [_, best, "ponder", ponder] => (best, Some(ponder)),
            _ => return Err("a bestmove line of other words".to_owned()),
        };
        let (mut position, moves) = match (&self.answer, best) {
            (Answer::Unknown, _) | (Answer::NoMove, "(none)") => return Ok(()),
            (Answer::NoMove, _) => return Err("a move where (none) is promised".to_owned()),
            (Answer::Move { position, moves }, _) => (position.clone(), moves),
        };
        let legal = |word: &str, position: &Chess| {
            rules::engine_move(position, word, self.chess960)
                .ok_or_else(|| format!("{word:?} is not legal in {}", rules::fen(position)))
        };
        let mv = legal(best, &position)?;
        if !moves.contains(&mv) {
            return Err(format!("{best:?} is not among the searchmoves"));
        }
        position.play_unchecked(mv);
        match ponder.map(|ponder| legal(ponder, &position)) {
            Some(Err(fault)) => Err(format!("ponder {fault}")),
            _ => Ok(()),
        }
    }

    /// Judges the line of moves, the current move, and the chances of a report.
    ///
    /// # Errors
    /// The fault in it.
    pub fn judge_info(&self, words: &[&str]) -> Result<(), String> {
        let (position, moves) = match &self.answer {
            Answer::Move { position, moves } => (position, moves),
            Answer::NoMove if words.contains(&"pv") => return Err("a line where there is no move".to_owned()),
            Answer::NoMove | Answer::Unknown => return Ok(()),
        };
        let after = |key: &str| words.iter().position(|&word| word == key).map(|at| &words[at + 1..]);
        let legal = |word: &str, position: &Chess, root: &Chess| {
            rules::engine_move(position, word, self.chess960)
                .ok_or_else(|| format!("{word:?} is not legal there, from {}", rules::fen(root)))
        };
        if let Some([word, ..]) = after("currmove") {
            legal(word, position, position)?;
        }
        if let Some([win, draw, loss, ..]) = after("wdl") {
            let sum: Option<u32> = [win, draw, loss].iter().map(|chance| chance.parse::<u32>().ok()).sum();
            if sum != Some(1000) {
                return Err("chances that are not 1000 together".to_owned());
            }
        }
        let mut end = position.clone();
        for (index, word) in after("pv").unwrap_or_default().iter().enumerate() {
            let mv = legal(word, &end, position)?;
            if index == 0 && !moves.contains(&mv) {
                return Err(format!("{word:?} is not among the searchmoves"));
            }
            end.play_unchecked(mv);
        }
        Ok(())
    }
}
