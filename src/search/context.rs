//! The inputs of a search, the same for every thread.

use super::memory::tt::TranspositionTable;
use super::request::SearchRequest;
use super::shared_state::SharedState;
use super::tb::TbProbe;
use crate::tablebase::Tables;
use nnue::Network;
use std::sync::Arc;

/// The inputs of a search, the same for every thread.
#[derive(Clone)]
pub struct SearchContext {
    /// The position, the limits and the options.
    pub request: Arc<SearchRequest>,
    /// The transposition table.
    pub tt: Arc<TranspositionTable>,
    /// Stop flag, ponderhit and node counts.
    pub shared: Arc<SharedState>,
    /// The network.
    pub network: Arc<Network>,
    /// The tablebases; `None` for a search without them.
    pub tb: Option<Arc<TbProbe>>,
}

impl SearchContext {
    /// The context of a search of `request` by `threads` threads. It began at `request.started`.
    pub fn new(
        request: SearchRequest,
        threads: usize,
        tt: &Arc<TranspositionTable>,
        network: &Arc<Network>,
        tables: Option<&Arc<Tables>>,
    ) -> SearchContext {
        let shared = SharedState::new(threads, request.started, request.limits.ponder);
        let tb = tables.and_then(|tables| TbProbe::new(tables, &request)).map(Arc::new);
        SearchContext {
            request: Arc::new(request),
            tt: Arc::clone(tt),
            shared: Arc::new(shared),
            network: Arc::clone(network),
            tb,
        }
    }
}
