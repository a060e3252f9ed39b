//! What is shown while a match runs and when it is over.

use super::elo::judge;
use super::runner::{Setup, Stopped};
use super::sprt::{Decision, Sprt};
use super::standing::Standing;
use super::tally::Tally;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A line that is kept up to date on a terminal, or written now and then elsewhere.
#[derive(Debug)]
pub struct LiveLine {
    bar: Option<ProgressBar>,
    last: Option<Instant>,
    total: u64,
}

/// How often the line is written where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(20);

impl LiveLine {
    /// For this many games.
    pub fn new(total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {eta} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, last: None, total }
    }

    /// Shows the standing.
    pub fn show(&mut self, games: u64, text: String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(games);
                bar.set_message(text);
            }
            None if self.last.is_none_or(|last| last.elapsed() >= INTERVAL) => {
                self.last = Some(Instant::now());
                eprintln!("{games}/{} {text}", self.total);
            }
            None => {}
        }
    }

    /// Says something that stays.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    /// Leaves the terminal in order.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// One pairing in one line.
pub fn short(tally: &Tally, setup: &Setup) -> String {
    let verdict = judge(tally);
    let [lost, drawn, won] = tally.games;
    let mut text =
        format!("+{won} -{lost} ={drawn}  Elo {}  LOS {:.1}%", verdict.elo, 100.0 * verdict.superiority);
    if let Some(sprt) = &setup.sprt {
        let (low, high) = sprt.bounds();
        let _ = write!(text, "  LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(tally));
    }
    text
}

/// One pairing in full.
pub fn long(tally: &Tally, sprt: Option<&Sprt>, names: &[String], (first, second): (usize, usize)) -> String {
    let verdict = judge(tally);
    let [lost, drawn, won] = tally.games;
    let count = tally.count();
    let mut out = format!("{} against {}: {count} games\n", names[first], names[second]);
    let share = 100.0 * drawn as f64 / count.max(1) as f64;
    let _ = writeln!(
        out,
        "  score        {:.2}%  (+{won} -{lost} ={drawn}, {share:.1}% drawn)",
        100.0 * tally.score()
    );
    let _ = writeln!(out, "  Elo          {}", verdict.elo);
    let normalised = verdict.normalised.map_or("-".to_owned(), |estimate| estimate.to_string());
    let _ = writeln!(out, "  nElo         {normalised}");
    let _ = writeln!(out, "  LOS          {:.2}%", 100.0 * verdict.superiority);
    let _ = writeln!(out, "  pentanomial  {:?}", tally.pairs);
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let decision = match sprt.decide(tally) {
            Some(Decision::Accepted) => "accepted",
            Some(Decision::Rejected) => "rejected",
            None => "undecided",
        };
        let llr = sprt.llr(tally);
        let _ = writeln!(out, "  {sprt}  LLR {llr:.2} ({low:.2}, {high:.2}): {decision}");
    }
    out
}

/// Why the match ended early.
pub fn stopped_words(stopped: &Stopped, names: &[String]) -> String {
    match stopped {
        Stopped::Sprt(Decision::Accepted) => "SPRT: accepted".to_owned(),
        Stopped::Sprt(Decision::Rejected) => "SPRT: rejected".to_owned(),
        Stopped::Precise => "stopped: the error is small enough".to_owned(),
        Stopped::Hopeless(engine) => format!("stopped: {} cannot be started", names[*engine]),
        Stopped::Fault => "stopped at the first fault".to_owned(),
    }
}

/// Faults, or that there were none.
pub fn faults(standing: &Standing, setup: &Setup) -> String {
    match standing.fault_words(&setup.names()) {
        words if words.is_empty() => "Faults: none".to_owned(),
        words => format!("Faults: {words} (logs in {})", setup.fault_folder.display()),
    }
}

/// Processor time of this process and of the children that it has waited for, if the system tells.
pub fn cpu_seconds() -> Option<(f64, f64)> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<f64> = text
        .rsplit_once(')')?
        .1
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|word| word.parse().ok())
        .collect();
    // Linux counts in hundredths of a second here.
    match fields[..] {
        [user, system, children_user, children_system] => {
            Some(((user + system) / 100.0, (children_user + children_system) / 100.0))
        }
        _ => None,
    }
}

/// Today as `YYYY.MM.DD` (UTC).
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil((seconds / 86_400) as i64);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Date of a day since 1970-01-01 (Howard Hinnant's algorithm).
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn dates_are_right() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_778), (2026, 11, 21));
    }
}
