//! The engine as its user knows it: the current game, the settings, and what is under way.
//!
//! While a search runs, what does not disturb it (`isready`, `stop`, `ponderhit`, `debug`, `uci`, `d`) is obeyed at
//! once. Everything else waits for the end of the search, in order. A search that would never end by itself
//! (`go infinite`, `go ponder`) is stopped for it. `quit` leaves at once; at the end of the input everything that
//! has been asked for is finished first, but no endless search.

use super::command::{Command, CommandError, Go};
use super::job::{self, Job};
use super::options::{Configuration, Note, Options};
use super::output::Output;
use super::report::Style;
use super::{game, report};
use crate::chess::Position;
use crate::search::{BestMove, CurrentMove, Game, Info, InfoSink, Task};
use crossbeam::channel::{Receiver, Sender};
use std::collections::VecDeque;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// What the engine reacts to.
pub enum Event {
    /// The user has written a line.
    Line(Box<Line>),
    /// What was under way is over but for its last word; it was at that time.
    Idle(Instant),
    /// The user will write no more.
    EndOfInput,
}

/// A line of the user's.
pub struct Line {
    /// What it says.
    pub command: Result<Command, CommandError>,
    /// When it came.
    pub arrived: Instant,
}

/// What is under way.
enum Activity {
    /// Nothing.
    Idle,
    /// A search.
    Search {
        /// Whether no limit ends it.
        endless: bool,
        /// Whether the opponent is thinking.
        pondering: bool,
    },
    /// A tool.
    Job(Job),
}

/// The engine. Everything happens in [`Self::run`].
pub struct Engine {
    output: Output,
    /// For those who report [`Event::Idle`].
    events: Sender<Event>,
    options: Options,
    held: Configuration,
    game: Game,
    /// Whether the last `position` was refused: the user means another game than `game`.
    refused: bool,
    activity: Activity,
    /// What waits for the end of what is under way.
    waiting: VecDeque<(Command, Instant)>,
    /// Whether every command waits for the ones before it.
    in_order: bool,
    /// Whether the user wants to hear more.
    debug: bool,
    end_of_input: bool,
    quit: bool,
}

impl Engine {
    /// An engine that says what it has to say to `output`. `events` leads to the receiver that [`Self::run`] gets.
    pub fn new(output: Output, events: Sender<Event>, held: Configuration) -> Engine {
        Engine {
            output,
            events,
            options: Options::new(),
            held,
            game: Game::new(Position::startpos()),
            refused: false,
            activity: Activity::Idle,
            waiting: VecDeque::new(),
            in_order: false,
            debug: false,
            end_of_input: false,
            quit: false,
        }
    }

    /// The same engine for commands that are all known from the start: none of them overtakes another.
    pub fn in_order(self) -> Engine {
        Engine { in_order: true, ..self }
    }

    /// Obeys until the user leaves.
    pub fn run(mut self, events: &Receiver<Event>) {
        for event in events {
            match event {
                Event::Line(line) => match line.command {
                    Ok(command) => self.receive(command, line.arrived),
                    Err(error) => self.output.complain(error),
                },
                Event::Idle(at) => self.idle(at),
                Event::EndOfInput => {
                    self.end_of_input = true;
                    self.stop_endless();
                }
            }
            if self.quit || self.end_of_input && !self.is_busy() {
                break;
            }
        }
        self.stop();
        if !matches!(self.activity, Activity::Job(_)) {
            self.held.pool.wait();
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.activity, Activity::Idle)
    }

    fn has_to_wait(&self, command: &Command) -> bool {
        self.is_busy() && (self.in_order || !command.is_immediate())
    }

    /// Obeys a command now or has it wait.
    fn receive(&mut self, command: Command, arrived: Instant) {
        let after_others = !self.waiting.is_empty()
            && matches!(command, Command::Stop | Command::PonderHit | Command::Display);
        if self.has_to_wait(&command) || after_others {
            // A `stop` also means the searches that are still waiting to begin.
            if after_others && !self.in_order && command == Command::Stop {
                self.stop();
            }
            self.stop_endless();
            self.waiting.push_back((command, arrived));
        } else {
            self.obey(command, arrived);
        }
    }

    /// What was under way is over: obeys what has waited for it.
    fn idle(&mut self, at: Instant) {
        match std::mem::replace(&mut self.activity, Activity::Idle) {
            Activity::Idle => {}
            Activity::Search { .. } => {
                self.held.pool.wait();
                if let Some(fault) = self.held.pool.tables().and_then(|tables| tables.take_fault()) {
                    self.output.complain(format_args!("SyzygyPath: {fault}"));
                }
            }
            Activity::Job(job) => job.wait(),
        }
        while self.waiting.front().is_some_and(|(command, _)| !self.has_to_wait(command)) {
            let Some((command, arrived)) = self.waiting.pop_front() else { break };
            self.obey(command, arrived.max(at));
        }
        // A `stop` further back means this search too, although something else comes before it.
        if !self.in_order && self.waiting.iter().any(|(command, _)| *command == Command::Stop) {
            self.stop();
        } else if self.end_of_input || !self.waiting.is_empty() {
            self.stop_endless();
        }
    }

    fn obey(&mut self, command: Command, arrived: Instant) {
        if let Err(error) = self.execute(command, arrived) {
            self.output.complain(error);
        }
    }

    fn execute(&mut self, command: Command, arrived: Instant) -> Result<(), Box<dyn Error>> {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.line("readyok"),
            Command::SetOption { name, value } => {
                self.options.set(&mut self.held, &name, value.as_deref())?;
                for note in self.held.notes.drain(..) {
                    match note {
                        Note::Plain(text) => self.output.info(text),
                        Note::Complaint(text) => self.output.complain(text),
                    }
                }
                if self.debug {
                    self.output.info(format_args!("option {name} is now {}", value.unwrap_or_default()));
                }
            }
            // The position stays: `position` will say where the new game begins.
            Command::NewGame => self.held.pool.clear(),
            Command::Position { start, moves } => {
                let game = game::set_up(&start, &moves);
                self.refused = game.is_err();
                let (game, repairs) = game.map_err(|error| format!("position: {error}"))?;
                self.game = game;
                for repair in repairs {
                    self.output.info(format_args!("position: FEN: {repair}"));
                }
            }
            Command::Go(go) => self.go(go, arrived)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quit = true,
            Command::Display => self.output.line(report::position(&self.game.position)),
            Command::Eval { fen } => {
                let (network, position) = (self.held.pool.network(), self.position(fen)?);
                self.output.line(crate::commands::eval::explain(network, &position));
            }
            Command::Bench(settings) => {
                let (network, events) = (Arc::clone(self.held.pool.network()), self.events.clone());
                self.activity = Activity::Job(job::bench(settings, network, self.output.clone(), events)?);
            }
            Command::Perft { depth, fen } => {
                let (position, notation) = (self.position(fen)?, self.held.notation);
                let events = self.events.clone();
                self.activity =
                    Activity::Job(job::perft(position, depth, notation, self.output.clone(), events)?);
            }
            #[cfg(feature = "tune")]
            Command::Tunables => super::options::tunables().for_each(|line| self.output.line(line)),
        }
        Ok(())
    }

    fn introduce(&self) {
        let mut text =
            format!("id name Tamarack {}\nid author the Tamarack authors\n\n", env!("CARGO_PKG_VERSION"));
        for line in self.options.lines() {
            text.push_str(&line);
            text.push('\n');
        }
        self.output.line(text + "uciok");
    }

    /// The position that `fen` says, or the current one.
    fn position(&self, fen: Option<String>) -> Result<Position, Box<dyn Error>> {
        match fen {
            Some(fen) => Ok(fen.parse().map_err(game::GameError::Fen)?),
            None => Ok(self.game.position),
        }
    }

    fn go(&mut self, go: Go, arrived: Instant) -> Result<(), Box<dyn Error>> {
        let Go { mut limits, search_moves, ignored } = go;
        if !ignored.is_empty() {
            self.output.info(format_args!("go: ignored {}", ignored.join(" ")));
        }
        if self.refused {
            // A move for the position before would be taken for one in the position that was meant.
            self.output.complain("go: the last position was refused");
            self.decline();
            return Ok(());
        }
        if let Some(words) = search_moves {
            let (moves, refused) = game::search_moves(&self.game.position, &words);
            limits.search_moves = moves;
            for error in refused {
                self.output.complain(format_args!("go: searchmoves: {error}"));
            }
            if limits.search_moves.is_empty() && !words.is_empty() {
                // `searchmoves 0000` is how python-chess says that there is nothing to search.
                self.decline();
                return Ok(());
            }
        }
        let endless = limits.is_endless(self.game.position.side_to_move());
        self.activity = Activity::Search { endless, pondering: limits.ponder };
        let task = Task { game: self.game.clone(), started: arrived, limits, options: self.held.settings };
        let announcer = Announcer {
            output: self.output.clone(),
            events: self.events.clone(),
            style: Style {
                notation: self.held.notation,
                men: self.game.position.occupied().count(),
                chances: self.held.show_chances,
            },
        };
        self.held.pool.go(task, Box::new(announcer));
        Ok(())
    }

    /// Answers a `go` for which there is no move: a program waits for an answer.
    fn decline(&self) {
        self.output.line(report::best_move(BestMove { best: None, ponder: None }, self.held.notation));
    }

    fn ponder_hit(&mut self) {
        if let Activity::Search { pondering, .. } = &mut self.activity {
            *pondering = false;
            self.held.pool.ponderhit();
        }
    }

    fn stop(&mut self) {
        match &self.activity {
            Activity::Idle => {}
            Activity::Search { .. } => self.held.pool.stop(),
            Activity::Job(job) => job.abort(),
        }
    }

    /// Stops what would not end by itself.
    fn stop_endless(&mut self) {
        if matches!(
            self.activity,
            Activity::Search { endless: true, .. } | Activity::Search { pondering: true, .. }
        ) {
            self.stop();
        }
    }
}

/// Tells the user what the search finds, and the engine when it is over.
struct Announcer {
    output: Output,
    events: Sender<Event>,
    style: Style,
}

impl InfoSink for Announcer {
    fn info(&mut self, info: &Info) {
        self.output.line(report::info(info, self.style));
    }

    fn current_move(&mut self, current: CurrentMove) {
        self.output.line(report::current_move(current, self.style.notation));
    }

    fn finished(&mut self, answer: BestMove) {
        // Said before the answer, so that nothing the user says because of the answer can come first; the engine waits
        // until the answer is out. One that has gone away does not care.
        let _ = self.events.send(Event::Idle(Instant::now()));
        self.output.line(report::best_move(answer, self.style.notation));
    }
}
