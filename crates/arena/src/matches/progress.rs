//! The progress of a match or a tuning run on a terminal, and the time it takes.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(20);

/// A line that is kept up to date on a terminal, or written every 20 seconds elsewhere.
#[derive(Debug)]
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    last: Option<Instant>,
    total: Option<u64>,
}

impl ProgressLine {
    /// A line for this many games or iterations, `None` if nobody knows how many.
    pub fn new(total: Option<u64>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = if total.is_some() { "{pos}/{len} {eta} {msg}" } else { "{pos} {elapsed} {msg}" };
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, last: None, total }
    }

    /// Shows the count so far and a text about it.
    pub fn show(&mut self, count: u64, text: String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(count);
                bar.set_message(text);
            }
            None if self.last.is_none_or(|last| last.elapsed() >= INTERVAL) => {
                self.last = Some(Instant::now());
                let total = self.total.map_or(String::new(), |total| format!("/{total}"));
                eprintln!("{count}{total} {text}");
            }
            None => {}
        }
    }

    /// Prints a message that stays above the line.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    /// Clears the line and leaves the terminal in order.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Wall time and processor times at one moment.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    wall: Instant,
    /// Seconds of this process and of the children that it has waited for, if the system tells.
    cpu: Option<(f64, f64)>,
}

impl CpuTime {
    /// The times now.
    pub fn now() -> Self {
        Self { wall: Instant::now(), cpu: cpu_seconds() }
    }

    /// A line about the time that `games` took since this moment, and the shares of engines and tool in the time of
    /// `concurrency` processors.
    pub fn text_since(self, games: usize, concurrency: usize) -> String {
        let wall = self.wall.elapsed().as_secs_f64();
        let mut text = format!("{games} games in {wall:.1} s");
        if let (Some((own_before, engines_before)), Some((own, engines))) = (self.cpu, cpu_seconds()) {
            let percent = |seconds: f64| 100.0 * seconds / (wall * concurrency as f64).max(1e-9);
            let (engines, own) = (percent(engines - engines_before), percent(own - own_before));
            text.push_str(&format!(
                "; of the time of {concurrency} at once, engines {engines:.1}%, tool {own:.1}%"
            ));
        }
        text.push('\n');
        text
    }
}

/// Processor seconds of this process and of the children that it has waited for; `None` where there is no `/proc`.
fn cpu_seconds() -> Option<(f64, f64)> {
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
