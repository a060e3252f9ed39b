//! What the laboratory keeps of a thread's search from node to node; nothing in the plain build.

/// The state of one thread's search.
#[cfg(not(feature = "lab"))]
pub struct State;

#[cfg(not(feature = "lab"))]
impl State {
    /// The state before a search.
    pub fn new() -> State {
        State
    }

    /// An iteration begins.
    pub fn begin_iteration(&mut self) {}
}

/// The state of one thread's search.
#[cfg(feature = "lab")]
pub struct State {
    /// By ply: plies deeper than it is searched now that a node is wanted in the end (micro-Max's self-deepening).
    pub wanted: [i32; State::PLIES],
}

#[cfg(feature = "lab")]
impl State {
    /// The plies of nodes, and one more.
    const PLIES: usize = crate::score::MAX_PLY + 2;

    /// The state before a search.
    pub fn new() -> State {
        State { wanted: [0; State::PLIES] }
    }

    /// An iteration begins.
    pub fn begin_iteration(&mut self) {
        *self = State::new();
    }
}
