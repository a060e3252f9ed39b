//! What the evaluation says about a position, and why.

use crate::chess::{Color, Position};
use crate::eval::output::{Chances, chances, normalised};
use crate::eval::view::{AREA_INPUTS, AREAS};
use crate::eval::{Accumulators, Network, evaluate, picture};
use std::sync::Arc;

/// A text of several lines: what each man is worth, what each output bucket says, and what it comes to.
pub fn explain(network: &Arc<Network>, position: &Position) -> String {
    let men = position.occupied().count();
    let raw = evaluate(&mut Accumulators::new(Arc::clone(network)), position);
    let Chances { win, draw, loss } = chances(raw, men);
    let score = normalised(raw, men);
    let (white, chances) = match position.side_to_move() {
        Color::White => (score, [win, draw, loss]),
        Color::Black => (-score, [loss, draw, win]),
    };
    let [wins, draws, losses] = chances.map(|share| f64::from(share) / 10.0);
    format!(
        "network {}: {AREAS} x {AREA_INPUTS} -> {} x 2 -> {} bucket(s)\n\n{}\nevaluation {:+.2} for White (of 100 games White wins {wins:.1}, \
         draws {draws:.1}, loses {losses:.1})",
        network.name(),
        network.shape().hidden,
        network.shape().buckets,
        picture::picture(network, position),
        f64::from(white.raw()) / 100.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;

    #[test]
    fn the_last_line_sums_up() {
        let lost: Position = "4k3/8/8/8/8/8/qqq5/4K3 w - - 0 1".parse().unwrap();
        let text = explain(&default_network(), &lost);
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("evaluation -"), "{last}");
        assert!(text.starts_with(&format!("network {}", default_network().name())));
    }
}
