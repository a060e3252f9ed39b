//! The engine: executes commands on the current game, the settings and the running search.
//!
//! While a search runs, commands that do not disturb it (`isready`, `stop`, `ponderhit`, `debug`, `uci`, `d`) are executed
//! at once; all others wait in a queue for its end. While something waits there, `isready`, `stop`, `ponderhit` and `d` wait
//! behind it: `readyok` says that everything before it is done. A search that would never end by itself (`go infinite`, `go ponder`) is
//! stopped for a waiting command, and any search when the queue is full. `quit` ends the program at once, or as soon as the
//! last `wait` before it is answered and the last `savehash` done; at the end of the input all commands are finished first,
//! except that endless searches are stopped.

use super::command::{Command, Go, Start};
use super::error::CommandError;
use super::format::{self, Style};
use super::game::{self, ReadMove};
use super::input::InputLine;
use super::job::{BackgroundJob, JobStarter};
use super::listener::UciListener;
use super::node_clock::NodeClock;
use super::options::{DEFAULT_HASH, Message, OptionError, Options, UciSettings};
use super::output::Output;
use super::queue::{Queue, Waiting};
use crate::commands::{about, eval, export, hash_file};
use crate::search::{BestMove, Pool, PoolError, SearchOptions, SearchRequest};
use chess::{FenRepair, Game, Position};
use crossbeam::channel::{Receiver, Sender, never, select_biased, unbounded};
use platform::clock::Instant;
use platform::random::system_seed;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::sync::Arc;

/// The running activity.
enum Activity {
    Idle,
    Search {
        /// True if no limit ends the search.
        endless: bool,
        /// True if the search began with `go ponder` and `ponderhit` has not come yet.
        pondering: bool,
    },
    Job(BackgroundJob),
}

/// The engine. Commands come from [`Self::run`] or [`Self::run_commands`].
pub struct Engine {
    output: Output,
    options: Options,
    settings: UciSettings,
    /// The search threads and the transposition table.
    pool: Pool,
    game: Game,
    /// True if the last `position` was invalid, so that `game` is not the game that the user means.
    invalid_position: bool,
    /// How the moves after `position` are read.
    read_move: ReadMove,
    /// The seed of a level's draws in this game, unless the user has set one.
    seed: u64,
    activity: Activity,
    /// Our clock where time is counted in nodes.
    node_clock: NodeClock,
    /// Searches and jobs send the time of their end.
    finished: (Sender<Instant>, Receiver<Instant>),
    /// Commands that wait for the end of the activity.
    queue: Queue,
    /// True if every command waits for the end of those before it.
    sequential: bool,
    /// True if `debug on` was the last `debug`.
    debug: bool,
    end_of_input: bool,
    quit: bool,
}

impl Engine {
    /// An engine that prints to `output`.
    ///
    /// # Errors
    /// If the system has no memory for the transposition table, or no thread.
    pub fn new(output: Output) -> Result<Engine, PoolError> {
        Ok(Engine {
            settings: UciSettings { log: output.log().clone(), ..UciSettings::default() },
            output,
            options: Options::new(),
            pool: Pool::new(DEFAULT_HASH as usize)?,
            game: Game::default(),
            invalid_position: false,
            read_move: Position::parse_uci,
            seed: system_seed(),
            activity: Activity::Idle,
            node_clock: NodeClock::default(),
            finished: unbounded(),
            queue: Queue::default(),
            sequential: false,
            debug: false,
            end_of_input: false,
            quit: false,
        })
    }

    /// Executes lines until `quit`, or until their sender is dropped and all commands have finished.
    pub fn run(mut self, lines: &Receiver<InputLine>) {
        let (never, finished) = (never(), self.finished.1.clone());
        while !self.is_done() {
            let lines = if self.end_of_input || self.queue.is_full() { &never } else { lines };
            // The end of the search is seen before any line that the user wrote because of the answer.
            select_biased! {
                recv(finished) -> at => self.finish_activity(at.unwrap_or_else(|_| Instant::now())),
                recv(lines) -> line => match line {
                    Ok(line) => self.handle_line(line),
                    Err(_) => self.end_input(),
                },
            }
        }
        self.leave();
    }

    /// The same engine for a person at a terminal: moves are read as people type them, too, such as `Nf3` and `0-0`.
    pub fn at_terminal(self) -> Engine {
        Engine { read_move: Position::parse_move, ..self }
    }

    /// The same engine, which executes each line after the end of the one before.
    pub fn sequential(self) -> Engine {
        Engine { sequential: true, ..self }
    }

    /// Executes `commands`, each after the end of the one before.
    pub fn run_commands(mut self, commands: impl IntoIterator<Item = Command>) {
        (self.sequential, self.end_of_input) = (true, true);
        let now = Instant::now();
        commands.into_iter().for_each(|command| self.queue.push(command, now, 0));
        self.run_queue(now);
        let finished = self.finished.1.clone();
        while !self.is_done() {
            self.finish_activity(finished.recv().unwrap_or_else(|_| Instant::now()));
        }
        self.leave();
    }

    /// Executes one line, for a host without threads. If the engine has work afterwards ([`Self::pending_jobs`]), the host does it.
    pub fn execute_line(&mut self, line: InputLine) {
        self.handle_line(line);
        self.finish();
    }

    /// What the engine's thread would do, if there were one: the search that a line has begun. Lines may be executed meanwhile;
    /// afterwards the host calls [`Self::finish`]. `None` if no search is on.
    pub fn pending_jobs(&self) -> Option<impl FnOnce() + use<>> {
        self.is_busy().then(|| self.pool.pending_jobs())
    }

    /// Notices the end of searches and jobs, and executes what has waited for it.
    pub fn finish(&mut self) {
        while let Ok(at) = self.finished.1.try_recv() {
            self.finish_activity(at);
        }
    }

    /// No more lines come, or none before this one has been done: a search that would not end by itself is stopped.
    pub fn end_input(&mut self) {
        self.end_of_input = true;
        self.stop_endless();
    }

    /// True after `quit`.
    pub fn has_quit(&self) -> bool {
        self.quit
    }

    fn is_done(&self) -> bool {
        self.quit || self.end_of_input && !self.is_busy()
    }

    fn is_busy(&self) -> bool {
        !matches!(self.activity, Activity::Idle)
    }

    /// Ends what still runs.
    fn leave(&mut self) {
        self.stop();
        if !matches!(self.activity, Activity::Job(_)) {
            self.pool.wait();
        }
        // Each `isready` gets its answer, those that still wait too.
        while let Some(Waiting { command, .. }) =
            self.queue.pop().filter(|next| next.command != Command::Quit)
        {
            if command == Command::IsReady {
                self.output.line("readyok");
            }
        }
    }

    fn must_wait(&self, command: &Command) -> bool {
        self.is_busy() && (self.sequential || !command.is_immediate())
    }

    /// Executes a line or puts it into the queue. A wrong `position` or `go` keeps its place among the commands that wait;
    /// other errors are printed at once.
    fn handle_line(&mut self, line: InputLine) {
        let InputLine { text, command, arrived, bytes } = line;
        self.output.log_input(&text);
        let command = match command {
            Ok(command) => command,
            Err(error) if matches!(error.command(), "position" | "go") => Command::Invalid(error),
            Err(error) => return self.output.error(error),
        };
        let after_others = match command {
            Command::Stop | Command::PonderHit | Command::Display => !self.queue.is_empty(),
            Command::IsReady => self.queue.has_work(),
            Command::Quit => self.queue.contains(&Command::Wait) || self.queue.has_pending_save(),
            _ => false,
        };
        if !self.must_wait(&command) && !after_others {
            return self.execute(command, arrived);
        }
        // `stop` also ends the searches that still wait in the queue. So does `quit` if only the table is to be saved before it.
        let only_saves = command == Command::Quit && !self.queue.contains(&Command::Wait);
        if after_others && (command == Command::Stop || only_saves) {
            self.stop();
        }
        if only_saves {
            self.queue.push(Command::Stop, arrived, 0);
        }
        if command != Command::Wait {
            self.stop_endless();
        }
        self.queue.push(command, arrived, bytes);
        if self.queue.is_full() {
            // Nothing more is read until the queue is shorter, not even `stop`.
            self.output.error("too many commands wait: the search is stopped");
            self.stop();
        }
    }

    /// Cleans up after the activity, which ended at `at`, and executes commands from the queue.
    fn finish_activity(&mut self, at: Instant) {
        match std::mem::replace(&mut self.activity, Activity::Idle) {
            Activity::Idle => {}
            Activity::Search { pondering, .. } => {
                self.pool.wait();
                if !pondering {
                    self.node_clock.end(self.pool.nodes());
                }
                if let Some(fault) = self.pool.tables().and_then(|tables| tables.take_read_error()) {
                    self.output.error(format_args!("SyzygyPath: {fault}"));
                }
            }
            Activity::Job(job) => {
                if !job.wait() {
                    self.output.error("a thread did not start");
                }
            }
        }
        self.run_queue(at);
    }

    /// Executes commands from the queue until one has to wait. Searches count their time from `at` at the earliest.
    fn run_queue(&mut self, at: Instant) {
        while !self.quit && self.queue.first().is_some_and(|command| !self.must_wait(command)) {
            let Some(Waiting { command, arrived, .. }) = self.queue.pop() else { break };
            self.execute(command, arrived.max(at));
        }
        // Nothing is left that it waits for: answered as if it came now, it ends no search.
        while !self.sequential && !self.quit && self.queue.pop_ready() {
            self.execute(Command::IsReady, at);
        }
        // A `stop` further back means this search too, although other commands stand between them.
        if !self.sequential && (self.queue.contains(&Command::Stop) || self.queue.is_full()) {
            self.stop();
        } else if self.end_of_input || self.queue.has_work() {
            self.stop_endless();
        }
    }

    fn execute(&mut self, command: Command, arrived: Instant) {
        if let Err(error) = self.try_execute(command, arrived) {
            self.output.error(error);
        }
    }

    fn try_execute(&mut self, command: Command, arrived: Instant) -> Result<(), Box<dyn Error>> {
        match command {
            Command::Uci => self.identify(),
            Command::Debug(on) => self.debug = on,
            // What takes long is done before the clock runs.
            Command::IsReady => {
                self.pool.prefault();
                self.output.line("readyok");
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            // The position stays: `position` says where the new game begins.
            Command::NewGame => {
                self.node_clock.reset();
                self.seed = system_seed();
                let had_loaded = self.pool.tt().is_restored();
                self.pool.clear();
                self.report_lost_table(had_loaded, "ucinewgame");
            }
            Command::Position { start, moves } => self.set_position(&start, &moves)?,
            Command::Go(go) => self.go(go, arrived),
            Command::Invalid(error) => self.refuse(&error),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quit = true,
            Command::Display => self.output.line(format::board(self.game.position())),
            Command::Eval { fen } => {
                let (network, position) = (self.pool.network(), self.position("eval", fen)?);
                self.output.line(eval::explain(network, &position)?);
            }
            Command::Bench(config) => self.start_job(|job| job.bench(config))?,
            Command::Speedtest(config) => {
                let policy = self.pool.numa().policy().clone();
                self.start_job(|job| job.speedtest(config, policy))?;
            }
            Command::GenFens(config) => self.start_job(|job| job.genfens(config))?,
            Command::Perft { depth, fen } => {
                let (position, notation) = (self.position("perft", fen)?, self.settings.notation());
                self.start_job(|job| job.perft(position, depth, notation))?;
            }
            Command::Flip => self.game = Game::new(self.position("flip", None)?.flipped()),
            Command::ExportNet { file } => {
                let file = export::network(self.pool.network(), file.as_deref())?;
                self.output.info(format_args!("export_net: {file} written"));
            }
            Command::SaveHash { file } => self.hash_file("savehash", hash_file::save, &file)?,
            Command::LoadHash { file } => self.hash_file("loadhash", hash_file::load, &file)?,
            Command::Wait => {
                self.output.info("wait: done");
                // `quit` waits for what is before the last `wait`, and for nothing behind it.
                self.quit = self.queue.quit_is_next();
            }
            Command::Help => self.output.line(about::help()),
            Command::License => self.output.line(about::LICENSE),
            Command::Compiler => self.output.line(about::compiler()),
            #[cfg(feature = "tune")]
            Command::Tunables => super::options::tunables().for_each(|line| self.output.line(line)),
        }
        Ok(())
    }

    /// Starts a background job.
    fn start_job(&mut self, start: impl FnOnce(JobStarter) -> io::Result<BackgroundJob>) -> io::Result<()> {
        let (output, finished) = (self.output.clone(), self.finished.0.clone());
        let network = Arc::clone(self.pool.network());
        self.activity = Activity::Job(start(JobStarter { network, output, finished })?);
        Ok(())
    }

    fn hash_file(
        &mut self,
        command: &str,
        act: fn(&mut Pool, &str) -> Result<String, String>,
        file: &str,
    ) -> Result<(), String> {
        let done = act(&mut self.pool, file).map_err(|error| format!("{command}: {error}"))?;
        self.output.info(format_args!("{command}: {done}"));
        Ok(())
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<(), Box<dyn Error>> {
        let game = game::set_up(start, moves, self.read_move, self.settings.chess960);
        self.invalid_position = game.is_err();
        let (game, repairs) = game.map_err(|error| format!("position: {error}"))?;
        if !game::goes_on(&game, &self.game) {
            // Another game, or moves taken back.
            self.seed = system_seed();
        }
        self.game = game;
        self.report_repairs(&repairs);
        Ok(())
    }

    /// Says what is wrong with a `position` or `go`.
    fn refuse(&mut self, error: &CommandError) {
        self.output.error(error);
        match error.command() {
            "go" => self.no_move(),
            _ => self.invalid_position = true,
        }
    }

    fn identify(&self) {
        let mut text =
            format!("id name Tamarack {}\nid author the Tamarack authors\n\n", env!("CARGO_PKG_VERSION"));
        for line in self.options.lines() {
            text.push_str(&line);
            text.push('\n');
        }
        self.output.line(text + "uciok");
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let had_loaded = self.pool.tt().is_restored();
        let answer = self.options.set(&mut self.pool, &mut self.settings, name, value);
        for message in answer? {
            match message {
                Message::Info(text) => self.output.info(text),
                Message::Error(text) => self.output.error(text),
            }
        }
        self.report_lost_table(had_loaded, format_args!("option {name}"));
        if self.debug {
            self.output.info(format_args!("option {name} is now {}", value.unwrap_or_default()));
        }
        Ok(())
    }

    /// Says so if a command has cleared a table that was loaded from a file.
    fn report_lost_table(&self, had_loaded: bool, command: impl Display) {
        if had_loaded && !self.pool.tt().is_restored() {
            self.output.info(format_args!("{command}: the table that was loaded from a file is cleared"));
        }
    }

    /// The position of a FEN, repaired where that is possible, or the current one for a command that gives none.
    ///
    /// # Errors
    /// If the FEN cannot be repaired, or the last `position` was refused: the position before it is not what the user means.
    fn position(&self, command: &str, fen: Option<String>) -> Result<Position, Box<dyn Error>> {
        let Some(fen) = fen else {
            return match self.invalid_position {
                true => Err(format!("{command}: the last position was invalid").into()),
                false => Ok(*self.game.position()),
            };
        };
        let (position, repairs) = Position::from_fen_lenient(&fen).map_err(game::GameError::Fen)?;
        self.report_repairs(&repairs);
        Ok(position)
    }

    fn report_repairs(&self, repairs: &[FenRepair]) {
        for repair in repairs {
            self.output.info(format_args!("position: FEN: {repair}"));
        }
    }

    /// Starts a search, or answers at once where there is nothing to search.
    fn go(&mut self, go: Go, arrived: Instant) {
        let Go { mut limits, search_moves, ignored, errors } = go;
        for error in errors {
            self.output.error(error);
        }
        if !ignored.is_empty() {
            self.output.info(format_args!("go: ignored {}", ignored.join(" ")));
        }
        if self.invalid_position {
            // A move in the position before would be taken for a move in the position that the user meant.
            self.output.error("go: the last position was invalid");
            return self.no_move();
        }
        if let Some(words) = search_moves {
            let (moves, errors) = game::search_moves(self.game.position(), &words);
            limits.search_moves = moves;
            for error in errors {
                self.output.error(format_args!("go: searchmoves: {error}"));
            }
            if limits.search_moves.is_empty() && !words.is_empty() {
                // python-chess sends `searchmoves 0000` when no move may be searched.
                return self.no_move();
            }
        }
        let side = self.game.position().side_to_move();
        let endless = limits.is_endless(side);
        self.node_clock.begin(&mut limits, side, self.settings.search.nodes_per_ms);
        self.activity = Activity::Search { endless, pondering: limits.ponder };
        let strength = self.settings.level.strength(self.seed);
        let strength = strength.map(|strength| strength.at(self.game.position()));
        let options = SearchOptions { strength, ..self.settings.search };
        let request = SearchRequest { game: self.game.clone(), started: arrived, limits, options };
        let style = Style {
            notation: self.settings.notation(),
            pieces: self.game.position().occupied().count(),
            show_wdl: self.settings.show_wdl,
        };
        let (output, finished) = (self.output.clone(), self.finished.0.clone());
        let buffered = self.settings.minimal.then(Vec::new);
        let listener = UciListener { output, finished, style, buffered, debug: self.debug };
        self.pool.go(request, Box::new(listener));
    }

    /// Answers a `go` without a search: `bestmove (none)`.
    fn no_move(&self) {
        self.output.line(format::best_move(BestMove { best: None, ponder: None }, self.settings.notation()));
    }

    fn ponder_hit(&mut self) {
        if let Activity::Search { pondering, .. } = &mut self.activity {
            *pondering = false;
            self.pool.ponderhit();
        }
    }

    fn stop(&mut self) {
        match &self.activity {
            Activity::Idle => {}
            Activity::Search { .. } => self.pool.stop(),
            Activity::Job(job) => job.abort(),
        }
    }

    /// Stops a search that would not end by itself.
    fn stop_endless(&mut self) {
        if matches!(
            self.activity,
            Activity::Search { endless: true, .. } | Activity::Search { pondering: true, .. }
        ) {
            self.stop();
        }
    }
}
