//! Engines that misbehave, for trying match runners: each kind does one thing wrong and the rest right.

use arena::play::openings::epd_to_position;
use chess::random::Random;
use clap::{Args, ValueEnum};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

/// Its defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Defect {
    /// Nothing: it plays random legal moves.
    None,
    /// Ends with a message on standard error at its third move.
    Crash,
    /// Closes its output at its third move and lives on.
    Close,
    /// Answers nothing from its third move on, not even `stop`.
    Hang,
    /// Moves only when told to stop.
    Sleepy,
    /// Uses more time than its clock has.
    Late,
    /// Plays an illegal move at its third move.
    Illegal,
    /// Shows a line that cannot be played at its third move.
    Line,
    /// Writes `bestmove` and rubbish.
    Gibberish,
    /// Gives up with `bestmove (none)`.
    Resigner,
    /// Writes much rubbish, bytes that are no text, and lines without end, but plays on.
    Rubbish,
    /// Writes lines for ever instead of a move.
    Flood,
    /// Writes moves for ever after its third one, and hears nothing any more.
    MoveFlood,
    /// Introduces itself for ever.
    NameFlood,
    /// Starts another program and ends at its third move.
    Parent,
    /// Answers every question twice.
    Twice,
    /// Moves while it ponders, before `ponderhit` or `stop`.
    Eager,
    /// Ends at once.
    Stillborn,
    /// Never says `uciok`.
    Mute,
    /// Never says `readyok` to the second `isready`.
    Unready,
}

/// Arguments of `bad-engine`.
#[derive(Args, Clone, Copy, Debug)]
pub struct BadEngineArguments {
    /// Its defect.
    #[arg(value_enum)]
    pub defect: Defect,
}

/// Plays until `quit` or the end of the input.
pub fn run(arguments: &BadEngineArguments) -> anyhow::Result<()> {
    let defect = arguments.defect;
    if defect == Defect::Stillborn {
        eprintln!("cannot live");
        std::process::exit(1);
    }
    let mut engine = BadEngine {
        defect,
        position: Chess::default(),
        pondering: None,
        moves: 0,
        ready: 0,
        random: Random::new(7),
    };
    for line in stdin().lock().lines().map_while(Result::ok) {
        if line.trim() == "quit" || engine.obey(line.trim()).is_err() {
            break;
        }
    }
    Ok(())
}

struct BadEngine {
    defect: Defect,
    position: Chess,
    /// The `go ponder` that is not answered yet.
    pondering: Option<String>,
    moves: u32,
    ready: u32,
    random: Random,
}

impl BadEngine {
    fn obey(&mut self, line: &str) -> std::io::Result<()> {
        let mut out = stdout().lock();
        match line.split_whitespace().next().unwrap_or("") {
            "uci" if self.defect == Defect::Mute => {}
            "uci" if self.defect == Defect::NameFlood => loop {
                writeln!(out, "id name {}", "x".repeat(1000))?;
            },
            "uci" => writeln!(
                out,
                "id name bad engine ({:?})\noption name Hash type spin default 1 min 1 max 64\n\
                 option name UCI_Chess960 type check default false\noption name Ponder type check default false\nuciok",
                self.defect
            )?,
            "isready" => {
                self.ready += 1;
                if self.defect != Defect::Unready || self.ready < 2 {
                    writeln!(out, "readyok")?;
                }
            }
            "ucinewgame" => self.moves = 0,
            "tunables" => writeln!(out, "Hash, int, 16, 1, 64, 4, 0.02")?,
            "position" => self.set(line),
            "go" if self.defect != Defect::Eager && line.starts_with("go ponder") => {
                self.pondering = Some(line.to_owned());
            }
            "go" => return self.go(line),
            "stop" | "ponderhit" if self.pondering.is_some() => {
                let line = self.pondering.take().unwrap_or_default();
                return self.go(&line);
            }
            "stop" if self.defect == Defect::Sleepy => writeln!(out, "bestmove {}", self.choose())?,
            _ => {}
        }
        out.flush()
    }

    fn set(&mut self, line: &str) {
        let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let mode = CastlingMode::Chess960;
        let setup = setup.trim_start_matches("position").trim();
        self.position = match setup.strip_prefix("fen ") {
            Some(fen) => epd_to_position(fen, mode).unwrap_or_default(),
            None => Chess::default(),
        };
        for word in moves.split_whitespace() {
            let mv = word.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&self.position).ok());
            if let Some(mv) = mv {
                self.position.play_unchecked(mv);
            }
        }
    }

    fn choose(&mut self) -> String {
        let legal = self.position.legal_moves();
        match legal.len() {
            0 => "0000".to_owned(),
            count => legal[self.random.below(count)].to_uci(self.position.castles().mode()).to_string(),
        }
    }

    /// A move of the opponent after `mv`.
    fn reply(&self, mv: &str) -> Option<String> {
        let mut position = self.position.clone();
        let mv = mv.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(mv);
        let reply = *position.legal_moves().first()?;
        Some(reply.to_uci(position.castles().mode()).to_string())
    }

    fn go(&mut self, line: &str) -> std::io::Result<()> {
        self.moves += 1;
        let its_time = self.moves >= 3;
        let mv = self.choose();
        let mut out = stdout().lock();
        match self.defect {
            Defect::Crash if its_time => {
                eprintln!("assertion failed: here are my last words");
                std::process::exit(3);
            }
            Defect::Close if its_time => close_output(),
            Defect::Hang if its_time => sleep_for_ever(),
            Defect::Sleepy => return Ok(()),
            Defect::Late if its_time => {
                std::thread::sleep(own_clock(line, &self.position) + Duration::from_millis(50))
            }
            Defect::Illegal if its_time => return writeln!(out, "bestmove a1a1").and_then(|()| out.flush()),
            Defect::Gibberish if its_time => {
                return writeln!(out, "bestmove \u{1}xyzzy").and_then(|()| out.flush());
            }
            Defect::Resigner if its_time => {
                return writeln!(out, "bestmove (none)").and_then(|()| out.flush());
            }
            Defect::Rubbish => rubbish(&mut out)?,
            Defect::MoveFlood if its_time => loop {
                writeln!(out, "bestmove {mv}")?;
            },
            Defect::Parent if its_time => {
                start_another()?;
                std::process::exit(4);
            }
            Defect::Flood if its_time => loop {
                writeln!(out, "info depth 1 score cp 13 pv e2e4 e7e5 g1f3")?;
            },
            Defect::Line if its_time => writeln!(out, "info depth 2 score cp 13 pv {mv} {mv}")?,
            Defect::Twice => writeln!(out, "bestmove {mv}")?,
            _ => {}
        }
        let fen = Fen::from_position(&self.position, EnPassantMode::Legal);
        // What an engine says in a string is not a line of moves, whatever it looks like.
        writeln!(out, "info string {fen} score cp 99 pv {mv} {mv}")?;
        writeln!(out, "info depth 3 nodes 77 score cp 25 pv {mv}")?;
        match self.reply(&mv) {
            Some(reply) => writeln!(out, "bestmove {mv} ponder {reply}")?,
            None => writeln!(out, "bestmove {mv}")?,
        }
        out.flush()
    }
}

fn rubbish(out: &mut impl Write) -> std::io::Result<()> {
    out.write_all(&[0xff, 0xfe, 0x00, b'\n', b'\r', b'\n'])?;
    out.write_all(&[b'#'; 200_000])?;
    out.write_all(b"\nbestmov e2e4\nbestmover\ninfo\ninfo score\ninfo depth x score cp\ninfo score mate pv\n")
}

/// Starts a program that lives for ten minutes, and tells its process id on standard error.
fn start_another() -> std::io::Result<()> {
    let null = std::process::Stdio::null;
    let mut command = std::process::Command::new("sleep");
    let child = command.arg("600").stdin(null()).stdout(null()).stderr(null()).spawn()?;
    eprintln!("started {}", child.id());
    Ok(())
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Lets standard output end while the process lives on.
fn close_output() -> ! {
    #[cfg(unix)]
    {
        use std::os::fd::{AsFd, OwnedFd};
        // The pipe is replaced by /dev/null, which closes its last writing end.
        if let Ok(null) = std::fs::File::create("/dev/null") {
            let null: OwnedFd = null.into();
            let _ = rustix::stdio::dup2_stdout(null.as_fd());
        }
    }
    sleep_for_ever()
}

/// The time that is left on the clock of the side to move.
fn own_clock(line: &str, position: &Chess) -> Duration {
    let key = position.turn().fold_wb("wtime", "btime");
    let mut words = line.split_whitespace().skip_while(|word| *word != key && *word != "movetime");
    Duration::from_millis(words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(100))
}
