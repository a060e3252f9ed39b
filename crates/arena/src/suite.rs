//! Test suites: EPD positions whose best moves (`bm`), moves to avoid (`am`), or moves to mate (`dm`) are known.

use crate::epd;
use crate::play::limits::{Clock, EngineLimits, parse_seconds};
use crate::play::log::SharedLog;
use crate::play::openings::epd_to_position;
use crate::play::player::{Failure, Patience, Player};
use crate::play::spec::EngineSpec;
use crate::play::think::{UciInfo, UciScore};
use crate::plot::{Chart, Series};
use crate::progress;
use crate::threads;
use anyhow::{Context, Result, anyhow, ensure};
use chess::Epd;
use clap::Args;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Arguments of `suite`.
#[derive(Args, Clone, Debug)]
pub struct SuiteArguments {
    /// EPD file with `bm` or `am`: solved by the right move at the end; or with `dm` alone: solved by a mate of any length in
    /// the last score at the end, those of at most `dm` moves are counted too
    pub file: PathBuf,
    /// An engine: name=A,cmd=path,option.Hash=16
    #[arg(long = "engine", required = true, value_name = "SETTINGS")]
    pub engines: Vec<String>,
    /// Settings for every engine
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    pub each: String,
    /// Milliseconds for each position (1000 if nothing is given)
    #[arg(long)]
    pub movetime: Option<String>,
    /// Nodes for each position
    #[arg(long)]
    pub nodes: Option<String>,
    /// Plies for each position
    #[arg(long)]
    pub depth: Option<String>,
    /// Seconds after which an engine that has no time limit, or has reached it, has stalled
    #[arg(long, default_value = "120", value_parser = parse_seconds, value_name = "SECONDS")]
    pub stall: Duration,
    /// Positions at once
    #[arg(long, default_value_t = 1)]
    pub concurrency: usize,
    /// Only the first positions
    #[arg(long)]
    pub count: Option<usize>,
    /// Draw the solved positions by time into this SVG file
    #[arg(long)]
    pub svg: Option<PathBuf>,
    /// Show only the sums
    #[arg(long)]
    pub quiet: bool,
}

/// A position and its solution.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name.
    pub id: String,
    /// The position.
    pub position: Chess,
    /// Moves that solve it, if any are named.
    pub best: Vec<Move>,
    /// Moves that fail it.
    pub avoid: Vec<Move>,
    /// The moves to mate, where no move is named.
    pub mate: Option<i32>,
}

impl Problem {
    /// Reads an EPD line.
    pub fn parse(line: &str) -> Result<Self> {
        let position = epd_to_position(line, CastlingMode::Standard)?;
        let (epd, _) = Epd::from_lenient(line)?;
        let parse = |word: &str| -> Result<Move> {
            let san = San::from_ascii(word.trim_end_matches(['!', '?', '+', '#']).as_bytes())
                .map_err(|error| anyhow!("{word}: {error}"))?;
            san.to_move(&position).map_err(|error| anyhow!("{word}: {error}"))
        };
        let moves = |code: &str| -> Result<Vec<Move>> {
            epd.operand(code).unwrap_or_default().split_whitespace().map(parse).collect()
        };
        let (best, avoid) = (moves("bm")?, moves("am")?);
        let mate = |moves: &str| moves.parse().map_err(|error| anyhow!("dm {moves}: {error}"));
        let mate: Option<i32> = epd.operand("dm").map(mate).transpose()?;
        let id = epd.operand("id").unwrap_or_default().to_owned();
        let names_moves = !best.is_empty() || !avoid.is_empty();
        ensure!(names_moves || mate.is_some(), "neither bm nor am nor dm");
        Ok(Self { id, position, best, avoid, mate: mate.filter(|_| !names_moves) })
    }

    /// True if an engine's move, as it writes it, and score solve the problem.
    pub fn is_solved(&self, text: &str, score: Option<UciScore>) -> bool {
        match self.mate {
            Some(_) => matches!(score, Some(UciScore::Mate(1..))),
            None => self.is_solved_by(text),
        }
    }

    /// True if a move, as an engine writes it, is named as solution.
    pub fn is_solved_by(&self, text: &str) -> bool {
        let mv = text.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&self.position).ok());
        mv.is_some_and(|mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv))
    }
}

/// Reads a suite.
pub fn load(text: &str) -> Result<Vec<Problem>> {
    epd::lines(text, |number, line| {
        let mut problem = Problem::parse(line)?;
        if problem.id.is_empty() {
            problem.id = format!("line {number}");
        }
        Ok(problem)
    })
}

/// An engine's attempt at a problem.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its move.
    pub mv: String,
    /// Its last score.
    pub score: Option<UciScore>,
    /// The time at which it found the solution that it kept; `None` if it has none.
    pub solved: Option<Duration>,
}

/// The job `suite`.
pub fn run(arguments: &SuiteArguments) -> Result<()> {
    let text = epd::read(&arguments.file).with_context(|| arguments.file.display().to_string())?;
    let mut problems = load(&text).with_context(|| arguments.file.display().to_string())?;
    problems.truncate(arguments.count.unwrap_or(usize::MAX));
    let each = each(arguments)?;
    let (mut curves, mut all_attempts) = (Vec::new(), Vec::new());
    for engine in &arguments.engines {
        let spec = EngineSpec::parse(engine, &each)?;
        let patience = Patience { think: arguments.stall, ..Patience::default() };
        let attempts = solve(&problems, &spec, patience, arguments.concurrency)?;
        show(&problems, &attempts, &spec, arguments.quiet);
        curves.push(Series { name: spec.name.clone(), points: solved_by_time(&attempts) });
        all_attempts.push((spec.name, attempts));
    }
    if !arguments.quiet {
        all_attempts.windows(2).for_each(|pair| show_difference(&problems, pair));
    }
    if let Some(path) = &arguments.svg {
        let end =
            curves.iter().flat_map(|curve| curve.points.last()).map(|point| point.0).fold(1.0, f64::max);
        for curve in &mut curves {
            // All curves go to the same end.
            let solved = curve.points.last().map_or(0.0, |point| point.1);
            curve.points.push((end, solved));
        }
        let picture = Chart {
            title: format!("{}: solved of {}", arguments.file.display(), problems.len()),
            x_label: "milliseconds".to_owned(),
            y_label: "solved".to_owned(),
            curves,
            log_x: true,
            ..Chart::default()
        };
        fs::write(path, picture.svg()?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn each(arguments: &SuiteArguments) -> Result<EngineSpec> {
    let mut each = EngineSpec::default();
    let given = [("movetime", &arguments.movetime), ("nodes", &arguments.nodes), ("depth", &arguments.depth)];
    for (name, value) in given {
        if let Some(value) = value {
            each.limits.set(name, value)?;
        }
    }
    each.apply(&arguments.each)?;
    if each.limits.is_empty() {
        each.limits.movetime = Some(Duration::from_secs(1));
    }
    Ok(each)
}

/// Gives the problems to several copies of an engine.
pub fn solve(
    problems: &[Problem],
    spec: &EngineSpec,
    patience: Patience,
    concurrency: usize,
) -> Result<Vec<Attempt>> {
    let (next, bar) = (AtomicUsize::new(0), progress::bar(&spec.name, problems.len() as u64));
    let work = || -> Result<Vec<(usize, Attempt)>> {
        let log = SharedLog::default();
        let fail = |failure: Failure| failure.told(&spec.name, &log);
        let mut player = Player::start(spec, patience, &log).map_err(fail)?;
        let mut attempts = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(number) else { break };
            log.restart();
            let attempt =
                player.new_game(false).and_then(|()| attempt(&mut player, problem, &spec.limits, patience));
            attempts.push((number, attempt.map_err(fail)?));
            bar.inc(1);
        }
        player.quit();
        Ok(attempts)
    };
    let mut all = std::thread::scope(|scope| {
        let mut all = Vec::new();
        for thread in threads::spawn_workers(scope, (0..concurrency.max(1)).map(|_| work))? {
            all.extend(threads::join(thread)??);
        }
        anyhow::Ok(all)
    })?;
    bar.finish_and_clear();
    all.sort_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, attempt)| attempt).collect())
}

fn attempt(
    player: &mut Player,
    problem: &Problem,
    limits: &EngineLimits,
    patience: Patience,
) -> Result<Attempt, Failure> {
    let clock = Clock::new(limits);
    // Nothing is lost on time here, but an engine that does not come back must not hold up the suite.
    let allowed = clock.allowed().map(|time| time + patience.think);
    let mut command =
        format!("position fen {}\n", Fen::from_position(&problem.position, EnPassantMode::Legal));
    clock.append_go(&clock, &clock, &mut command);
    let (mut since, mut score) = (None, None);
    let answer = player.think_with_info(&command, allowed, &mut |line, time| {
        let secondary = line.contains(" multipv ") && !line.contains(" multipv 1 ");
        let mv = line.split_once(" pv ").and_then(|(_, line)| line.split_whitespace().next());
        if let Some(mv) = mv.filter(|_| !secondary) {
            score = UciInfo::parse(line).score;
            since = if problem.is_solved(mv, score) { since.or(Some(time)) } else { None };
        }
    })?;
    let solved = problem.is_solved(&answer.mv, score).then(|| since.unwrap_or(answer.time));
    Ok(Attempt { mv: answer.mv, score, solved })
}

/// Steps of the curve: milliseconds and how many were solved by then.
fn solved_by_time(attempts: &[Attempt]) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> =
        attempts.iter().filter_map(|attempt| Some(attempt.solved?.as_secs_f64() * 1e3)).collect();
    times.sort_by(f64::total_cmp);
    times.iter().enumerate().map(|(index, &time)| (time.max(0.1), index as f64 + 1.0)).collect()
}

fn show(problems: &[Problem], attempts: &[Attempt], spec: &EngineSpec, quiet: bool) {
    if !quiet {
        for (problem, attempt) in problems.iter().zip(attempts) {
            let result = match attempt.solved {
                Some(time) => format!("solved  {:9.3} s", time.as_secs_f64()),
                None => "missed             ".to_owned(),
            };
            println!("{:20} {result}  {}", problem.id, attempt.mv);
        }
    }
    let times: Vec<Duration> = attempts.iter().filter_map(|attempt| attempt.solved).collect();
    println!("{}: {} of {} solved [{}]", spec.name, times.len(), problems.len(), spec.limits.describe());
    let mates: Vec<_> = problems
        .iter()
        .zip(attempts)
        .filter_map(|(problem, attempt)| Some((problem.mate?, attempt)))
        .collect();
    if !mates.is_empty() {
        let short = mates.iter().filter(|(mate, attempt)| mates_within(attempt, *mate)).count();
        println!("  mates: {short} of {} in `dm` moves or fewer", mates.len());
    }
    let longest = times.iter().max().copied().unwrap_or_default();
    for milliseconds in
        [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
    {
        let limit = Duration::from_millis(milliseconds);
        println!("  within {milliseconds:6} ms {:5}", times.iter().filter(|time| **time <= limit).count());
        if limit >= longest {
            break;
        }
    }
}

/// True if the attempt's score is a mate in at most so many moves.
fn mates_within(attempt: &Attempt, most: i32) -> bool {
    matches!(attempt.score, Some(UciScore::Mate(moves)) if (1..=most).contains(&moves))
}

/// The problems that only one of two engines has solved.
fn show_difference(problems: &[Problem], pair: &[(String, Vec<Attempt>)]) {
    let [(first, firsts), (second, seconds)] = pair else { return };
    for (name, ours, theirs) in [(first, firsts, seconds), (second, seconds, firsts)] {
        let only = problems.iter().zip(ours.iter().zip(theirs));
        let only = only.filter(|(_, (ours, theirs))| ours.solved.is_some() && theirs.solved.is_none());
        let ids: Vec<&str> = only.map(|(problem, _)| problem.id.as_str()).collect();
        println!("only {name}, of {first} and {second}: {} ({})", ids.len(), ids.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        arguments: SuiteArguments,
    }

    #[test]
    fn a_second_is_for_those_who_are_given_nothing() {
        let limits = |words: &[&str]| {
            let line = [&["suite", "wac.epd", "--engine", "cmd=a"], words].concat();
            each(&CommandLine::parse_from(line).arguments).unwrap().limits.describe()
        };
        assert_eq!(limits(&[]), "movetime=1000");
        assert_eq!(limits(&["--each", "option.Hash=16"]), "movetime=1000");
        assert_eq!(limits(&["--each", "nodes=500"]), "nodes=500");
        assert_eq!(limits(&["--depth", "9"]), "depth=9");
    }
}
