//! The `eval` command: the evaluation of a position with its trace.

use crate::eval::evaluate;
use chess::{Color, Position};
use nnue::architecture::{KING_BUCKET_INPUTS, KING_BUCKETS};
use nnue::trace::trace;
use nnue::wdl::WdlRates;
use nnue::{Accumulators, Network};
use std::io;
use std::sync::Arc;

/// A text of several lines: the network, the trace, the evaluation with the rates of win, draw and loss, and an empty line.
/// The line of the evaluation begins as Stockfish's does, because programs look for it.
///
/// # Errors
/// If the system has not enough memory.
pub fn explain(network: &Arc<Network>, position: &Position) -> io::Result<String> {
    let pieces = position.occupied().count();
    let raw = evaluate(&mut Accumulators::try_new(Arc::clone(network))?, position);
    let WdlRates { win, draw, loss } = raw.wdl(pieces);
    let score = raw.normalised(pieces);
    let (white, rates) = match position.side_to_move() {
        Color::White => (score, [win, draw, loss]),
        Color::Black => (-score, [loss, draw, win]),
    };
    let [wins, draws, losses] = rates.map(|rate| f64::from(rate) / 10.0);
    Ok(format!(
        "network {}: {KING_BUCKETS} x {KING_BUCKET_INPUTS} -> {} x 2 -> {} bucket(s)\n\n{}\nFinal evaluation {:+.2} for White (of 100 games White wins {wins:.1}, \
         draws {draws:.1}, loses {losses:.1})\n",
        network.name(),
        network.shape().hidden,
        network.shape().buckets,
        trace(network, position),
        f64::from(white.raw()) / 100.0,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;

    #[test]
    fn the_last_line_sums_up() {
        let lost: Position = "4k3/8/8/8/8/8/qqq5/4K3 w - - 0 1".parse().unwrap();
        let text = explain(&default_network(), &lost).unwrap();
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("Final evaluation -"), "{last}");
        assert!(text.starts_with(&format!("network {}", default_network().name())));
    }
}
