//! Null move pruning with its switch.

use super::switches::{Switch, null_move};
use crate::score::Score;
use crate::search::node::pruning;
use crate::search::node::types::{Node, Stopped};
use crate::search::searcher::Searcher;

/// Null move pruning, unless it is switched off.
pub fn nmp(search: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    if null_move() == Switch::On { pruning::nmp(search, node) } else { Ok(None) }
}
