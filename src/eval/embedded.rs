//! The network that is built into the engine.

use nnue::Network;
use std::sync::{Arc, LazyLock};

/// The file that `build.rs` has checked and named.
static BYTES: &[u8] = include_bytes!(env!("TAMARACK_NETWORK"));

/// The network that evaluates unless another is loaded; decoded once.
///
/// # Panics
/// If the file has changed between its check by `build.rs` and its compilation.
pub fn default_network() -> Arc<Network> {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| match Network::from_bytes(BYTES) {
        Ok(network) => Arc::new(network),
        Err(error) => panic!("the built-in network: {error}"),
    });
    Arc::clone(&NETWORK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    /// The evaluation from scratch.
    fn value(fen: &str) -> i32 {
        default_network().evaluate(&fen.parse::<Position>().unwrap())
    }

    #[test]
    fn the_built_in_network_knows_the_value_of_the_pieces() {
        let extra = ["Q3K3", "R3K3", "B3K3", "4K3"];
        let values = extra.map(|rank| value(&format!("4k3/ppp5/8/8/8/8/PPPP4/{rank} w - - 0 1")));
        assert!(values.is_sorted_by(|a, b| a > b) && values[3] > 0, "{values:?}");
        assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").abs() < 100);
    }
}
