//! The inputs of a search, the same for every thread.

use super::memory::tt::TranspositionTable;
use super::request::SearchRequest;
use super::shared_state::SharedState;
use super::tb::TbProbe;
use super::time::TimeManager;
use crate::tablebase::Tables;
use nnue::Network;
use std::sync::Arc;

/// The inputs of a search, the same for every thread.
#[derive(Clone)]
pub struct SearchContext {
    /// The position and the options.
    pub request: Arc<SearchRequest>,
    /// The limits, of which each thread has a copy.
    pub time: TimeManager,
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
        let time = TimeManager::new(&request);
        // A search for a mate wants the mate, not the result.
        let tables = tables.filter(|_| !time.is_mate_search());
        let tb = tables.and_then(|tables| TbProbe::new(tables, &request.options.syzygy)).map(Arc::new);
        SearchContext {
            request: Arc::new(request),
            time,
            tt: Arc::clone(tt),
            shared: Arc::new(shared),
            network: Arc::clone(network),
            tb,
        }
    }
}
