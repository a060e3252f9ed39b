//! Plays one game between two engines, with shakmaty as the referee.

use super::adjudicate::{AdjudicationTables, DrawRule, ResignRule, ScoreAdjudicator};
use super::legality::{check_line, illegal, legal_move};
use super::limits::{Clock, EngineLimits};
use super::openings::Opening;
use super::player::{Failure, FaultKind, Player};
use super::think::{EngineMove, UciInfo, in_time};
use serde::{Deserialize, Serialize};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{ByColor, CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, Move, Position};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The longest wait for a processor that is forgiven in one move ([`Rules::forgive_waits`]).
const MAX_FORGIVEN_WAIT: Duration = Duration::from_secs(5);

/// The rules of a match besides those of chess.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Chess960 castling.
    pub chess960: bool,
    /// A clock may be overrun by this much before the game is lost.
    pub margin: Duration,
    /// The same for fixed time per move, which no engine can meet exactly.
    pub movetime_margin: Duration,
    /// Draw adjudication.
    pub draw: Option<DrawRule>,
    /// Resignation.
    pub resign: Option<ResignRule>,
    /// Tablebase adjudication.
    pub tables: Option<AdjudicationTables>,
    /// The game is drawn after this many moves of each side.
    pub longest: Option<u32>,
    /// Every line that an engine shows, and the reply that it expects, must be legal.
    pub check_lines: bool,
    /// This side's engine thinks on its opponent's time.
    pub ponder: ByColor<bool>,
    /// A loss on time tells how long the engine waited for a processor.
    pub tell_waits: bool,
    /// The longest time for which a thread of the engine waited for a processor during a move, which the machine took, does
    /// not take the clock below this. Nothing is forgiven where the system does not tell the waits.
    pub forgive_waits: Option<Duration>,
    /// No `ucinewgame` before the game: the engines keep what they have learned.
    pub goes_on: bool,
}

/// The kind of a game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Insufficient material.
    Material,
    /// Threefold repetition.
    Repetition,
    /// The fifty-move rule.
    FiftyMoves,
    /// Draw adjudication: the scores agree on a draw.
    AgreedDraw,
    /// Win adjudication: the scores agree on a win.
    Resignation,
    /// Adjudication by tablebases.
    Tablebase,
    /// The maximum length was reached.
    Length,
    /// An engine broke the rules or broke down.
    Fault(FaultKind),
}

impl Termination {
    /// The name of the kind.
    pub fn words(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Material => "insufficient material",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::AgreedDraw => "draw adjudication",
            Self::Resignation => "win adjudication",
            Self::Tablebase => "tablebase adjudication",
            Self::Length => "maximum length",
            Self::Fault(kind) => kind.words(),
        }
    }
}

/// One move of a game with its engine's score.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Evaluation, depth and nodes.
    pub info: UciInfo,
    /// Time used.
    pub time: Duration,
    /// Time that the clock allowed, without the margin; `None` without a clock.
    pub allowed: Option<Duration>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The opening.
    pub opening: Opening,
    /// The moves of the engines.
    pub plies: Vec<Ply>,
    /// The result.
    pub outcome: KnownOutcome,
    /// The kind of its end.
    pub termination: Termination,
    /// The side at fault and its failure.
    pub fault: Option<(Color, Failure)>,
}

/// The state of a game that is being played, and its referee.
struct Referee<'a> {
    rules: &'a Rules,
    mode: CastlingMode,
    position: Chess,
    keys: Vec<Zobrist64>,
    /// `position … moves …`, with the moves played so far.
    line: String,
    clocks: ByColor<Clock>,
    adjudicator: ScoreAdjudicator,
    plies: Vec<Ply>,
    pondering: ByColor<Option<Pondering>>,
}

/// The move that an engine expects while it ponders, and the position after it.
struct Pondering {
    mv: Move,
    position: Chess,
}

/// Plays a game; the engines must be started.
pub fn play(
    players: ByColor<&mut Player>,
    limits: ByColor<&EngineLimits>,
    opening: &Opening,
    rules: &Rules,
) -> PlayedGame {
    let mut players = players;
    let mut referee = Referee::new(limits, opening, rules);
    let (outcome, termination, fault) = match referee.begin(&mut players) {
        Some((color, failure)) => blame(color, failure),
        None => referee.play(&mut players),
    };
    let late = referee.end_pondering(&mut players);
    let (outcome, termination, fault) = match (fault, late) {
        (None, Some((color, failure))) => blame(color, failure),
        (fault, _) => (outcome, termination, fault),
    };
    PlayedGame { opening: opening.clone(), plies: referee.plies, outcome, termination, fault }
}

/// The part of the time of a move that is not taken off the clock, as in [`Rules::forgive_waits`].
fn forgiven(time: Duration, left: Duration, waited: Duration, low: Duration) -> Duration {
    waited.min((low + time).saturating_sub(left)).min(time)
}

/// Adds to a loss on time how long a thread of the engine waited for a processor.
fn with_wait(mut failure: Failure, waited: Option<Duration>) -> Failure {
    if let (FaultKind::Time, Some(waited)) = (failure.kind, waited) {
        let milliseconds = waited.as_secs_f64() * 1e3;
        failure.detail.push_str(&format!("; a thread waited {milliseconds:.1} ms for a processor"));
    }
    failure
}

/// Result, kind of end, side at fault.
type GameEnd = (KnownOutcome, Termination, Option<(Color, Failure)>);

/// The end of a game that the side at fault loses.
pub fn blame(color: Color, failure: Failure) -> GameEnd {
    (KnownOutcome::Decisive { winner: !color }, Termination::Fault(failure.kind), Some((color, failure)))
}

impl<'a> Referee<'a> {
    fn new(limits: ByColor<&EngineLimits>, opening: &Opening, rules: &'a Rules) -> Self {
        let mode = super::openings::castling_mode(rules.chess960);
        let fen = Fen::from_position(&opening.start, EnPassantMode::Legal).to_string();
        let line = match opening.start == Chess::default() {
            true => "position startpos moves".to_owned(),
            false => format!("position fen {fen} moves"),
        };
        let mut referee = Self {
            rules,
            mode,
            position: opening.start.clone(),
            keys: Vec::new(),
            line,
            clocks: limits.map(Clock::new),
            adjudicator: ScoreAdjudicator::new(rules.draw, rules.resign),
            plies: Vec::new(),
            pondering: ByColor::default(),
        };
        referee.keys.push(referee.position.zobrist_hash(EnPassantMode::Legal));
        for &mv in &opening.moves {
            referee.make(mv);
        }
        referee
    }

    fn make(&mut self, mv: Move) {
        let _ = write!(self.line, " {}", mv.to_uci(self.mode));
        if self.position.is_irreversible(mv) {
            self.keys.clear();
        }
        self.position.play_unchecked(mv);
        self.keys.push(self.position.zobrist_hash(EnPassantMode::Legal));
    }

    fn begin(&self, players: &mut ByColor<&mut Player>) -> Option<(Color, Failure)> {
        for color in Color::ALL {
            let ready = match self.rules.goes_on {
                true => players[color].ready(),
                false => players[color].new_game(self.rules.chess960),
            };
            if let Err(failure) = ready {
                return Some((color, failure));
            }
        }
        None
    }

    fn play(&mut self, players: &mut ByColor<&mut Player>) -> GameEnd {
        loop {
            if let Some((outcome, termination)) = self.ended() {
                return (outcome, termination, None);
            }
            let mover = self.position.turn();
            let (answer, mv) = match self.ask_in_time(players[mover]) {
                Ok(answer_and_move) => answer_and_move,
                Err(failure) => return blame(mover, failure),
            };
            let allowed = self.clocks[mover].allowed();
            self.clocks[mover].spend(answer.time);
            let number = self.position.fullmoves().get();
            self.make(mv);
            self.plies.push(Ply { mv, info: answer.info, time: answer.time, allowed });
            // The rules of chess come first: a mate on the board is not adjudicated.
            let ended = self.ended().map(|(outcome, termination)| (outcome, termination, None));
            let score = answer.info.score.map(|score| score.value());
            if let Some(verdict) = ended.or_else(|| self.adjudicate(mover, score, number)) {
                return verdict;
            }
            if let Err(failure) = self.begin_pondering(mover, players[mover], answer.ponder.as_deref()) {
                return blame(mover, failure);
            }
        }
    }

    /// The next move, by one of the engines, with the time that is taken off its clock.
    fn ask_in_time(&mut self, player: &mut Player) -> Result<(EngineMove, Move), Failure> {
        let look = self.rules.tell_waits || self.rules.forgive_waits.is_some();
        let before = look.then(|| player.waits());
        let asked = self.ask(player);
        // Looked up only where something hangs on it: it means reading a file for each thread.
        let waited = || player.waits().longest_since(before.as_ref()?);
        let judged = asked.and_then(|(answer, mv)| {
            let left = self.clocks[self.position.turn()].allowed();
            let time = match (left, self.rules.forgive_waits) {
                (Some(left), Some(low)) if left < low + answer.time => {
                    answer.time - forgiven(answer.time, left, waited().unwrap_or_default(), low)
                }
                _ => answer.time,
            };
            Ok((in_time(EngineMove { time, ..answer }, self.allowed())?, mv))
        });
        judged.map_err(|failure| with_wait(failure, waited()))
    }

    /// The time that the side to move has, margin included; `None` without a clock.
    fn allowed(&self) -> Option<Duration> {
        let clock = &self.clocks[self.position.turn()];
        let margin = if clock.is_movetime() { self.rules.movetime_margin } else { self.rules.margin };
        clock.allowed().map(|time| time + margin)
    }

    /// The next move, by one of the engines.
    fn ask(&mut self, player: &mut Player) -> Result<(EngineMove, Move), Failure> {
        let mover = self.position.turn();
        let pondering = self.pondering[mover].take();
        let mut question = self.line.strip_suffix(" moves").unwrap_or(&self.line).to_owned();
        question.push('\n');
        self.clocks[mover].append_go(&self.clocks.white, &self.clocks.black, &mut question);
        let grace = if self.rules.forgive_waits.is_some() { MAX_FORGIVEN_WAIT } else { Duration::ZERO };
        let allowed = self.allowed().map(|time| time + grace);
        let answer = match pondering {
            Some(pondering) if self.plies.last().is_some_and(|ply| ply.mv == pondering.mv) => {
                self.watch(&self.position, |listen| player.ponderhit(allowed, listen))?
            }
            pondering => {
                // The clock runs while the wrong search is ended.
                let start = Instant::now();
                if let Some(pondering) = pondering {
                    self.watch(&pondering.position, |listen| player.end_pondering(listen))?;
                }
                let lost = start.elapsed();
                if allowed.is_some_and(|time| lost > time) {
                    let detail =
                        format!("pondering ended {:.3} s after stop, on an empty clock", lost.as_secs_f64());
                    return Err(Failure { kind: FaultKind::Time, detail });
                }
                let allowed = allowed.map(|time| time.saturating_sub(lost));
                let answer = match self.rules.check_lines {
                    true => self
                        .watch(&self.position, |listen| player.think_with_info(&question, allowed, listen))?,
                    false => player.think(&question, allowed)?,
                };
                EngineMove { time: answer.time + lost, ..answer }
            }
        };
        match legal_move(&self.position, &answer.mv) {
            Some(mv) => Ok((answer, mv)),
            None => Err(illegal(FaultKind::Illegal, &self.position, &format!("{:?}", answer.mv))),
        }
    }

    /// Lets an engine think about `position`; the first illegal line that it shows is its fault, if lines are checked.
    fn watch<T>(
        &self,
        position: &Chess,
        think: impl FnOnce(&mut dyn FnMut(&str, Duration)) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut lines = Ok(());
        let answer = think(&mut |line, _| {
            if lines.is_ok() && self.rules.check_lines {
                lines = check_line(position, line);
            }
        })?;
        lines.map(|()| answer)
    }

    /// Lets an engine that has just moved think about the reply that it expects, if it is to ponder.
    fn begin_pondering(
        &mut self,
        color: Color,
        player: &mut Player,
        expected: Option<&str>,
    ) -> Result<(), Failure> {
        let Some(word) = expected else { return Ok(()) };
        let Some(mv) = legal_move(&self.position, word) else {
            return match self.rules.check_lines {
                true => Err(illegal(FaultKind::Line, &self.position, &format!("{word:?}, to ponder on,"))),
                false => Ok(()),
            };
        };
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        if !self.rules.ponder[color] || position.legal_moves().is_empty() {
            return Ok(());
        }
        let mut question = format!("{} {}\n", self.line, mv.to_uci(self.mode));
        self.clocks[color].append_go_ponder(&self.clocks.white, &self.clocks.black, &mut question);
        self.pondering[color] = Some(Pondering { mv, position });
        player.ponder(&question)
    }

    /// Ends the pondering of a game that is over; returns the side whose engine does not end it.
    fn end_pondering(&mut self, players: &mut ByColor<&mut Player>) -> Option<(Color, Failure)> {
        let mut failed = None;
        for color in Color::ALL {
            let Some(pondering) = self.pondering[color].take() else { continue };
            let end = |listen: &mut dyn FnMut(&str, Duration)| players[color].end_pondering(listen);
            if let Err(failure) = self.watch(&pondering.position, end) {
                failed = failed.or(Some((color, failure)));
            }
        }
        failed
    }

    /// The end by the rules of chess.
    fn ended(&self) -> Option<(KnownOutcome, Termination)> {
        let position = &self.position;
        let draw = |termination| Some((KnownOutcome::Draw, termination));
        if position.legal_moves().is_empty() {
            return match position.is_check() {
                true => Some((KnownOutcome::Decisive { winner: !position.turn() }, Termination::Checkmate)),
                false => draw(Termination::Stalemate),
            };
        }
        if position.is_insufficient_material() {
            return draw(Termination::Material);
        }
        if position.halfmoves() >= 100 {
            return draw(Termination::FiftyMoves);
        }
        let now = self.keys.last()?;
        let repeated = self.keys.iter().filter(|&key| key == now).count() >= 3;
        if repeated { draw(Termination::Repetition) } else { None }
    }

    fn adjudicate(&mut self, mover: Color, score: Option<i32>, number: u32) -> Option<GameEnd> {
        if let Some(outcome) = self.rules.tables.as_ref().and_then(|tables| tables.outcome(&self.position)) {
            return Some((outcome, Termination::Tablebase, None));
        }
        if self.rules.longest.is_some_and(|longest| self.plies.len() / 2 >= longest as usize) {
            return Some((KnownOutcome::Draw, Termination::Length, None));
        }
        let outcome = self.adjudicator.after(mover, score, number)?;
        let termination =
            if outcome == KnownOutcome::Draw { Termination::AgreedDraw } else { Termination::Resignation };
        Some((outcome, termination, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_for_a_processor_do_not_take_a_clock_below_the_least() {
        let forgiven = |time, left, waited| {
            let [time, left, waited, low] = [time, left, waited, 100].map(Duration::from_millis);
            forgiven(time, left, waited, low).as_millis()
        };
        assert_eq!(forgiven(300, 500, 200), 0);
        assert_eq!(forgiven(430, 500, 200), 30);
        assert_eq!(forgiven(600, 500, 50), 50);
        assert_eq!(forgiven(40, 20, 30), 30);
        // A thread may have waited since before the move was asked for.
        assert_eq!(forgiven(40, 20, 60), 40);
    }
}
