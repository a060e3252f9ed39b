//! Temporary, until the real clock lands.
#![allow(missing_docs)]
use super::{Task, progress::Progress, signals::Signals};
use crate::chess::Color;
pub struct Clock(Option<u64>, i32, Option<u64>);
impl Clock {
    pub fn new(t: &Task, _c: Color) -> Clock {
        Clock(t.limits.nodes, t.limits.depth.unwrap_or(200), t.limits.soft_nodes)
    }
    pub fn is_over(&self, s: &Signals) -> bool {
        self.0.is_some_and(|l| s.nodes() >= l)
    }
    pub fn should_stop_iterating(&mut self, p: &Progress, s: &Signals) -> bool {
        p.depth >= self.1 || self.2.is_some_and(|l| s.nodes() >= l)
    }
    pub fn node_limit(&self) -> Option<u64> {
        self.0
    }
}
