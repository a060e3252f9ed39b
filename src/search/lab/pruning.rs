//! Null move pruning with its switch.

use super::switches::{Switch, null_move};
use crate::score::Score;
use crate::search::node::pruning;
use crate::search::node::types::{Node, NodeType, Stopped};
use crate::search::searcher::Searcher;

/// Null move pruning, unless it is switched off.
pub fn nmp<NT: NodeType>(search: &mut Searcher<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
    if null_move() == Switch::On { pruning::nmp::<NT>(search, node) } else { Ok(None) }
}
