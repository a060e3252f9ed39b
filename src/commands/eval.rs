//! What the evaluation says about a position, and why.

use crate::chess::Position;

/// A text of several lines.
pub fn explain(position: &Position) -> String {
    crate::eval::explain(position)
}
