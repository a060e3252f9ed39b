//! The network that the host gives: WebAssembly has none built in, so that both builds of it and the page share one file.

use nnue::{Network, NetworkError};
use std::sync::{Arc, OnceLock};

static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();

/// Takes a network's file as the one that evaluates unless another is loaded. Later ones change nothing.
pub fn give_network(file: &[u8]) -> Result<(), NetworkError> {
    let network = Arc::new(Network::from_bytes(file)?);
    NETWORK.get_or_init(|| network);
    Ok(())
}

/// The network that evaluates unless another is loaded.
///
/// # Panics
/// If there is none yet: the host gives it before it makes an engine.
pub fn default_network() -> Arc<Network> {
    Arc::clone(NETWORK.get().expect("the network is given before the engine starts"))
}
