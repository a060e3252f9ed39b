//! Progress of long work on a terminal, with the time left.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The line of a bar.
const TEMPLATE: &str = "{msg} {wide_bar} {percent}%, {eta} left";

/// A bar on standard error for this much work under this name; nothing is shown where that is no terminal. What is printed
/// while it is shown goes through [`ProgressBar::suspend`].
pub fn bar(name: impl Into<String>, total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style);
    }
    bar.with_message(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_a_name_and_the_time_left() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok() && TEMPLATE.contains("{eta} left"));
        let bar = bar("work", 7);
        bar.inc(3);
        assert_eq!((bar.message().as_str(), bar.position(), bar.length()), ("work", 3, Some(7)));
    }
}
