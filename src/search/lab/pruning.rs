//! Null move pruning with its switch.

use super::switches::{Switch, null_move};
use crate::score::Score;
use crate::search::node::pruning;
use crate::search::node::types::{Node, Stopped};
use crate::search::searcher::Searcher;

/// Null move pruning, unless it is switched off.
pub fn nmp(searcher: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    if null_move() == Switch::On { pruning::nmp(searcher, node) } else { Ok(None) }
}
