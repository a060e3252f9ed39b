//! The network that comes with the engine.

use super::network::Network;
use std::sync::{Arc, LazyLock};

/// The file that `build.rs` names.
static BYTES: &[u8] = include_bytes!(env!("TAMARACK_NETWORK"));

/// The network that evaluates unless another is loaded.
///
/// # Panics
/// If the file that was given to the build is no network. The first command would show it.
pub fn default_network() -> Arc<Network> {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| match Network::from_bytes(BYTES) {
        Ok(network) => Arc::new(network),
        Err(error) => panic!("the network that was built in: {error}"),
    });
    Arc::clone(&NETWORK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    /// The evaluation from scratch.
    fn value(fen: &str) -> i32 {
        default_network().evaluate(&fen.parse::<Position>().unwrap())
    }

    #[test]
    fn what_is_built_in_knows_the_worth_of_the_men() {
        let extra = ["Q3K3", "R3K3", "B3K3", "4K3"];
        let worths = extra.map(|rank| value(&format!("4k3/ppp5/8/8/8/8/PPPP4/{rank} w - - 0 1")));
        assert!(worths.is_sorted_by(|a, b| a > b) && worths[3] > 0, "{worths:?}");
        assert!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").abs() < 100);
    }
}
